//! Runs of text that stand apart although no gap says so → runs with a space between them.
//!
//! Lines are put together from left to right, and a space is where a gap is. Formulas and drawings have runs that are
//! apart without one: an index over another, factors that only their indices part, labels that lie over each other.

use pdfboss_output::TextSpan;

use super::upright::turned;

/// Runs whose baselines differ by less than this, in sizes, are on one.
const LEVEL: f32 = 0.05;
/// Runs whose baselines differ by at most this, in sizes, come into one line.
const LINE: f32 = 0.5;
/// Baselines that differ by more than this, in sizes, are those of two lines, unless one of the runs is smaller.
const OTHER_LINE: f32 = 0.3;
/// What is smaller than this share of its neighbour is an index, and what is smaller than that is none again.
const INDEX: f32 = 0.85;
const TOO_SMALL: f32 = 0.45;
/// How far, in sizes, runs lie over each other when they are not one text. The A of LaTeX lies .36 over the L.
const OVER: f32 = 0.5;
/// How far, in sizes, indices of several letters above and below a letter do, how far their beginnings differ, and how
/// far one is below the other.
const OVER_INDEX: f32 = 0.6;
const BESIDE_INDEX: f32 = 0.25;
const STACKED: f32 = 1.1;
/// The longest index in bytes.
const MAX_INDEX: usize = 12;
/// The gap, in sizes, between words of two fonts on one line. Those of one font are parted before.
const WORD_GAP: f32 = 0.1;
/// The gap, in sizes, between an index and what it is no index of.
const INDEX_GAP: f32 = 0.03;
/// The most pairs of runs of a page that are compared.
const MAX_PAIRS: usize = 2_000_000;

/// A run as it is when what is turned by as much as it is stands upright.
struct Run<'s> {
    index: usize,
    span: &'s TextSpan,
    x: f32,
    end_x: f32,
    y: f32,
}

/// Puts a space after each run that the next one on its line stands apart from.
pub(super) fn part(spans: &mut [TextSpan]) {
    let mut left = MAX_PAIRS;
    let apart: Vec<usize> = [0, 90, 180, 270]
        .into_iter()
        .flat_map(|turn| found_apart(spans, turn, &mut left))
        .collect();
    for index in apart {
        if let Some(span) = spans.get_mut(index) {
            add_space(span);
        }
    }
}

/// The runs turned by so many degrees that the next one stands apart from.
fn found_apart(spans: &[TextSpan], turn: i32, left: &mut usize) -> Vec<usize> {
    let mut runs: Vec<Run<'_>> = spans
        .iter()
        .enumerate()
        .filter(|(_, span)| span.rotate == turn && is_plain(span))
        .map(|(index, span)| {
            let (x, y) = turned(turn, span.x, span.y);
            let (end_x, _) = turned(turn, span.end_x, span.end_y);
            Run { index, span, x, end_x, y }
        })
        .collect();
    runs.sort_by(|one, other| one.x.total_cmp(&other.x));
    let mut apart: Vec<usize> = Vec::new();
    for (place, run) in runs.iter().enumerate() {
        for next in runs.iter().skip(place.saturating_add(1)) {
            if *left == 0 {
                break;
            }
            *left = left.saturating_sub(1);
            let on_line = is_on_line(run, next);
            if is_stacked(run, next) || (on_line && stand_apart(run, next)) {
                apart.push(run.index);
            }
            if on_line {
                break;
            }
        }
    }
    apart
}

/// Adds a space to the end of a run.
pub(super) fn add_space(span: &mut TextSpan) {
    span.text.push(' ');
    let mut places = span.glyph_x.to_vec();
    places.extend((!places.is_empty()).then_some(span.end_x));
    span.glyph_x = places.into();
}

fn is_plain(span: &TextSpan) -> bool {
    !span.vertical && !span.text.trim().is_empty()
}

fn is_on_line(run: &Run<'_>, next: &Run<'_>) -> bool {
    (run.y - next.y).abs() <= LINE * run.span.size.abs().max(next.span.size.abs())
}

/// Whether two runs are the indices above and below of one letter.
fn is_stacked(run: &Run<'_>, next: &Run<'_>) -> bool {
    let size = run.span.size.abs().min(next.span.size.abs());
    let step = (run.y - next.y).abs();
    (LEVEL * size..STACKED * size).contains(&step)
        && (next.x - run.x).abs() < BESIDE_INDEX * size
        && next.x - run.end_x < -OVER_INDEX * size
        && [run, next].iter().all(|run| run.span.text.len() <= MAX_INDEX)
        && has_words(run.span, next.span)
}

/// Whether both runs have a letter or digit, and no space parts them already. What the file itself says of a run's text
/// stays as it is.
fn has_words(span: &TextSpan, next: &TextSpan) -> bool {
    !span.text.ends_with(char::is_whitespace)
        && !next.text.starts_with(char::is_whitespace)
        && [span, next]
            .iter()
            .all(|run| !run.logical && run.text.chars().any(char::is_alphanumeric))
}

/// Whether a run ends and the next one begins with a letter or digit.
fn meet_in_words(span: &TextSpan, next: &TextSpan) -> bool {
    span.text.ends_with(char::is_alphanumeric) && next.text.starts_with(char::is_alphanumeric)
}

/// Whether a run and the next one to the right of its beginning are not one word.
fn stand_apart(run: &Run<'_>, other: &Run<'_>) -> bool {
    let (step, gap) = ((run.y - other.y).abs(), other.x - run.end_x);
    let (span, next) = (run.span, other.span);
    let (one, other) = (span.size.abs(), next.size.abs());
    let (large, small) = (one.max(other), one.min(other));
    if !has_words(span, next) {
        return false;
    }
    // A large first letter belongs to the small ones after it; a large word does not.
    let are_words = || [span, next].iter().all(|run| run.text.trim().chars().count() > 1);
    if gap < -OVER * large || step < LEVEL * large {
        return gap < -OVER * large
            || (gap > WORD_GAP * large && meet_in_words(span, next))
            || (small < TOO_SMALL * large && are_words());
    }
    // Factors are slanted letters; H₂O and ordinal numbers are upright, and are words.
    let is_formula = span.italic || next.italic;
    (is_formula && gap > INDEX_GAP * large)
        || (step > OTHER_LINE * large && small > INDEX * large)
        || small < TOO_SMALL * large
        || span.color != next.color
}

#[cfg(test)]
mod tests {
    use super::super::mend::tests::run;
    use super::*;

    /// The texts of runs after they are parted, as one line.
    fn parted(mut runs: Vec<TextSpan>) -> String {
        part(&mut runs);
        runs.into_iter().map(|run| run.text).collect()
    }

    fn index(text: &str, x: f32, y: f32) -> TextSpan {
        TextSpan { size: 7.0, ..run(text, x, y) }
    }

    fn slanted(text: &str, x: f32) -> TextSpan {
        TextSpan { italic: true, ..run(text, x, 0.0) }
    }

    #[test]
    fn an_index_over_another_stands_apart() {
        let stacked = vec![run("d", 0.0, 0.0), index("-1", 5.0, 4.0), index("j,t", 5.0, -2.5)];
        assert_eq!(parted(stacked), "d-1 j,t");
        let logo = vec![run("L", 0.0, 0.0), index("A", 2.0, 2.0), run("TEX", 5.0, 0.0)];
        assert_eq!(parted(logo), "LATEX");
    }

    #[test]
    fn factors_stand_apart_and_a_compound_does_not() {
        let factors = |x: f32| vec![slanted("x", 0.0), index("1", 5.0, -1.5), slanted("y", x)];
        assert_eq!(parted(factors(10.5)), "x1 y");
        assert_eq!(parted(factors(10.1)), "x1y");
        let water = vec![run("H", 0.0, 0.0), index("2", 5.0, -1.5), run("O", 10.5, 0.0)];
        assert_eq!(parted(water), "H2O");
    }

    #[test]
    fn a_gap_parts_words_of_two_fonts() {
        let factors = |x: f32| vec![run("2", 0.0, 0.0), slanted("x", x)];
        assert_eq!(parted(factors(6.2)), "2 x");
        assert_eq!(parted(factors(5.5)), "2x");
        assert_eq!(parted(vec![slanted("f", 0.0), run("(x)", 6.2, 0.0)]), "f(x)");
        let ligature = TextSpan { logical: true, ..run("fi", 15.0, 0.0) };
        assert_eq!(parted(vec![run("pro", 0.0, 0.0), ligature, run("le", 25.0, 0.0)]), "profile");
    }

    #[test]
    fn labels_over_each_other_stand_apart() {
        assert_eq!(
            parted(vec![run("0.0102", 0.0, 0.0), run("0.0104", 22.0, 0.0)]),
            "0.0102 0.0104"
        );
        assert_eq!(parted(vec![run("467", 0.0, 0.0), run("HU", 15.0, 4.0)]), "467 HU");
        let large = TextSpan { size: 30.0, ..run("NX", 15.0, -4.0) };
        assert_eq!(parted(vec![run("83", 5.0, 0.0), large]), "83 NX");
        let on_line = |text: &str| {
            vec![run("Leeds", 0.0, 0.0), TextSpan { size: 30.0, ..run(text, 24.0, 0.0) }]
        };
        assert_eq!(parted(on_line("SE")), "Leeds SE");
        let first = TextSpan { size: 30.0, end_x: 20.0, ..run("O", 0.0, 0.0) };
        assert_eq!(parted(vec![first, run("nce", 21.0, 0.0)]), "Once");
        assert_eq!(parted(vec![run("VA", 0.0, 0.0), run("T", 8.0, 0.0)]), "VAT");
    }

    #[test]
    fn turned_labels_of_an_axis_stand_apart() {
        let label = |text: &str, x: f32| {
            let upright = run(text, x, 0.0);
            TextSpan { rotate: 90, end_x: x, end_y: upright.end_x - x, ..upright }
        };
        assert_eq!(parted(vec![label("57", 0.0), label("47", 3.5)]), "57 47");
    }

    #[test]
    fn a_space_that_is_there_is_not_doubled() {
        assert_eq!(parted(vec![run("467 ", 0.0, 0.0), run("HU", 15.0, 4.0)]), "467 HU");
    }
}
