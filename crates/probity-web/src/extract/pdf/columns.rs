//! Listings whose letters stand in columns of one width → words.
//!
//! Programs are often set in a font with letters of different widths, each in the middle of a column: the gaps beside an
//! `i` are as wide as spaces. A space there is a column without a letter.

use pdfboss_output::TextSpan;

/// The width of a column, in sizes.
const COLUMN: std::ops::Range<f32> = 0.4..0.75;
/// How far, in columns, the middle of a letter may be from that of its column.
const OFF: f32 = 0.12;
/// The fewest steps from letter to letter that show that there are columns, and the share of them that must fit.
const MIN_STEPS: usize = 3;
const FIT: f32 = 0.85;
/// Letters whose gaps differ by less than this share of what their steps differ by are not in columns: each is a word.
const EVEN: f32 = 0.5;
/// The share of steps that are of one column, and of runs that are letters.
const NEXT: f32 = 0.5;
const LETTERS: f32 = 0.5;

/// The widest gap, in sizes, by which the letters of a word are spread, how far one may differ from the next, and how
/// many must be alike. Spaces are wider.
const SPREAD: f32 = 0.19;
const UNLIKE: f32 = 0.015;
const MIN_ALIKE: usize = 3;

/// Tells that no space is where the letters of a word are spread to the width of its columns: all gaps of a word are
/// then alike, and may be as wide as narrow spaces.
pub(super) fn spread(line: &[TextSpan]) -> Vec<Option<bool>> {
    let gaps: Vec<Option<f32>> = line
        .windows(2)
        .map(|pair| match pair {
            [one, next] if is_letter(one) && is_letter(next) => {
                Some((next.x - one.end_x) / one.size.abs())
            }
            _ => None,
        })
        .collect();
    let are_alike = |one: &Option<f32>, next: &Option<f32>| match (one, next) {
        (Some(one), Some(next)) => (one - next).abs() < UNLIKE && *next < SPREAD,
        _ => false,
    };
    let told = |group: &[Option<f32>]| {
        let is_word = group.len() >= MIN_ALIKE;
        vec![is_word.then_some(false); group.len()]
    };
    gaps.chunk_by(are_alike).flat_map(told).collect()
}

/// Tells for each junction of the runs of one line whether a space is there, where columns show it; nothing where there
/// are none.
pub(super) fn spaces(line: &[TextSpan]) -> Option<Vec<Option<bool>>> {
    let size = line.first()?.size.abs();
    let steps: Vec<f32> = line
        .windows(2)
        .filter_map(|pair| match pair {
            [one, next] if is_letter(one) && is_letter(next) => Some(middle(next) - middle(one)),
            _ => None,
        })
        .collect();
    if steps.len() < MIN_STEPS || (steps.len() as f32) < LETTERS * line.len() as f32 {
        return None;
    }
    let column = steps.iter().copied().fold(f32::MAX, f32::min);
    if !COLUMN.contains(&(column / size)) {
        return None;
    }
    // The least of many steps is a little too small; the mean of those of one column is not.
    let single = || steps.iter().filter(|step| **step < 1.5 * column);
    let column = single().sum::<f32>() / single().count().max(1) as f32;
    let columns = |step: f32| step / column;
    let fits = |step: &&f32| (columns(**step) - columns(**step).round()).abs() < OFF;
    let count = steps.len() as f32;
    let fit = steps.iter().filter(fits).count() as f32;
    if fit < FIT * count || (single().count() as f32) < NEXT * count {
        return None;
    }
    let gaps: Vec<f32> = line
        .windows(2)
        .filter_map(|pair| match pair {
            [one, next] if is_letter(one) && is_letter(next) => Some(next.x - one.end_x),
            _ => None,
        })
        .collect();
    let is_single = |(_, step): &(&f32, &f32)| **step < 1.5 * column;
    let single_gaps: Vec<f32> =
        gaps.iter().zip(&steps).filter(is_single).map(|(gap, _)| *gap).collect();
    let single_steps: Vec<f32> = single().copied().collect();
    if deviation(&single_gaps) < EVEN * deviation(&single_steps) {
        return None;
    }
    let junction = |pair: &[TextSpan]| match pair {
        [one, next] if is_letter(one) || is_letter(next) => {
            let step = columns(first_middle(next) - last_middle(one));
            let is_column = (step - step.round()).abs() < OFF;
            is_column.then_some(step.round() >= 2.0)
        }
        _ => None,
    };
    Some(line.windows(2).map(junction).collect())
}

/// How far numbers are from their mean, on average.
fn deviation(numbers: &[f32]) -> f32 {
    let count = numbers.len().max(1) as f32;
    let mean = numbers.iter().sum::<f32>() / count;
    numbers.iter().map(|number| (number - mean).abs()).sum::<f32>() / count
}

/// Whether a run is one letter. Dots in a row lead to a page number.
fn is_letter(span: &TextSpan) -> bool {
    span.text != "." && span.text.chars().count() == 1
}

fn middle(span: &TextSpan) -> f32 {
    (span.x + span.end_x) / 2.0
}

fn letter_width(span: &TextSpan) -> f32 {
    (span.end_x - span.x) / span.text.chars().count().max(1) as f32
}

fn first_middle(span: &TextSpan) -> f32 {
    span.x + letter_width(span) / 2.0
}

fn last_middle(span: &TextSpan) -> f32 {
    span.end_x - letter_width(span) / 2.0
}

#[cfg(test)]
mod tests {
    use super::super::mend::tests::run;
    use super::*;

    /// Letters of these widths in columns of 5.
    fn line(text: &str) -> Vec<TextSpan> {
        let letters = text.chars().enumerate().filter(|(_, letter)| *letter != ' ');
        letters
            .map(|(at, letter)| {
                let width = if matches!(letter, 'i' | 't' | 'r') { 2.5 } else { 5.0 };
                let x = 5.0 * at as f32 + (5.0 - width) / 2.0;
                TextSpan { end_x: x + width, ..run(&letter.to_string(), x, 0.0) }
            })
            .collect()
    }

    #[test]
    fn a_space_is_an_empty_column() {
        let found = spaces(&line("int return it")).unwrap();
        let places: Vec<usize> = (0..found.len()).filter(|at| found[*at] == Some(true)).collect();
        assert_eq!(places, [2, 8]);
    }

    #[test]
    fn letters_that_are_spread_evenly_are_a_word() {
        // Each letter has its own width; the gap after it is 1.2, and 3 between words.
        let (mut x, mut letters) = (0.0, Vec::new());
        for (letter, width) in [("c", 4.0), ("a", 4.5), ("n", 4.5), ("l", 1.8), ("c", 4.0)] {
            letters.push(TextSpan { end_x: x + width, ..run(letter, x, 0.0) });
            x += width + if letter == "l" { 3.0 } else { 1.2 };
        }
        assert_eq!(spaces(&letters), None);
        assert_eq!(spread(&letters), [Some(false), Some(false), Some(false), None]);
        let few: Vec<TextSpan> = letters.into_iter().take(3).collect();
        assert_eq!(spread(&few), [None, None], "too few to tell");
    }

    #[test]
    fn letters_with_even_spaces_between_them_are_words() {
        let (mut x, mut letters) = (0.0, Vec::new());
        for (letter, width) in
            [("á", 4.4), ("ä", 4.4), ("í", 2.8), ("ĺ", 2.8), ("ň", 5.0), ("ó", 5.0)]
        {
            letters.push(TextSpan { end_x: x + width, ..run(letter, x, 0.0) });
            x += width + 3.0;
        }
        assert_eq!(spaces(&letters), None);
        assert!(spread(&letters).iter().all(Option::is_none));
    }

    #[test]
    fn kerned_letters_are_in_no_columns() {
        let mut kerned = line("return");
        for (index, span) in kerned.iter_mut().enumerate() {
            let shift = [0.0, 1.3, 1.9, 4.0, 3.1, 6.4][index];
            span.x += shift;
            span.end_x += shift;
        }
        assert_eq!(spaces(&kerned), None);
        assert_eq!(spaces(&line("it")), None, "too few to tell");
    }
}
