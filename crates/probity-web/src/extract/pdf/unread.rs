//! Signs that no table gives a letter for, as pictures in a font are: one before a line is the mark of
//! an item; a line of nothing else is a piece of a frame, or text that nobody can read here.

use pdfboss_output::TextSpan;

/// What the reader writes for such a sign.
const UNREAD: char = '\u{fffd}';
/// Runs whose baselines differ by less than this, in sizes, are on one line.
const LINE: f32 = 0.4;
/// How far, in sizes, the text is after its mark, and what stands before the mark is away from it. Signs of formulas are
/// closer.
const AFTER: std::ops::Range<f32> = 0.2..4.0;
const BEFORE: f32 = 2.0;

/// Makes signs before a line into list marks, and drops those without a text on their line.
pub(super) fn mend_marks(spans: &mut Vec<TextSpan>) {
    if !spans.iter().any(has_no_letter) {
        return;
    }
    let mut order: Vec<usize> = (0..spans.len()).collect();
    order.retain(|index| spans.get(*index).is_some_and(is_plain));
    let key = |index: &usize| spans.get(*index).map_or((0.0, 0.0), |span| (span.y, span.x));
    order.sort_by(|one, other| key(one).0.total_cmp(&key(other).0));
    let is_same = |one: &usize, other: &usize| match (spans.get(*one), spans.get(*other)) {
        (Some(one), Some(other)) => {
            (one.y - other.y).abs() < LINE * one.size.abs().min(other.size.abs())
        }
        _ => false,
    };
    let (mut marks, mut frames) = (Vec::new(), Vec::new());
    for line in order.chunk_by(is_same) {
        let mut line = line.to_vec();
        line.sort_by(|one, other| key(one).1.total_cmp(&key(other).1));
        let unread = |index: &usize| spans.get(*index).is_some_and(is_unread);
        if line.iter().filter_map(|index| spans.get(*index)).all(has_no_letter) {
            frames.extend(line);
            continue;
        }
        for (place, index) in line.iter().enumerate().filter(|(_, index)| unread(index)) {
            let near = |place: Option<usize>| spans.get(*line.get(place?)?);
            let (before, after) = (near(place.checked_sub(1)), near(place.checked_add(1)));
            if spans.get(*index).is_some_and(|span| is_mark(before, span, after)) {
                marks.push(*index);
            }
        }
    }
    for index in marks {
        if let Some(span) = spans.get_mut(index) {
            "•".clone_into(&mut span.text);
        }
    }
    frames.sort_unstable();
    let mut index = 0_usize;
    spans.retain(|_| {
        let is_frame = frames.binary_search(&index).is_ok();
        index = index.saturating_add(1);
        !is_frame
    });
}

fn is_plain(span: &TextSpan) -> bool {
    span.rotate == 0 && !span.vertical && !span.text.trim().is_empty()
}

/// Whether a run has nothing but such signs.
fn has_no_letter(span: &TextSpan) -> bool {
    is_plain(span) && span.text.chars().all(|c| c == UNREAD || c.is_whitespace())
}

/// Whether a run is one such sign.
fn is_unread(span: &TextSpan) -> bool {
    let mut chars = span.text.trim().chars();
    is_plain(span) && chars.next() == Some(UNREAD) && chars.next().is_none()
}

fn is_mark(before: Option<&TextSpan>, mark: &TextSpan, after: Option<&TextSpan>) -> bool {
    let size = mark.size.abs();
    after.is_some_and(|after| {
        let size = size.max(after.size.abs());
        !is_unread(after) && AFTER.contains(&((after.x - mark.end_x) / size))
    }) && before.is_none_or(|before| mark.x - before.end_x > BEFORE * size)
}

#[cfg(test)]
mod tests {
    use super::super::mend::tests::run;
    use super::*;

    fn mended(mut runs: Vec<TextSpan>) -> Vec<String> {
        mend_marks(&mut runs);
        runs.into_iter().map(|run| run.text).collect()
    }

    #[test]
    fn a_sign_before_a_line_is_the_mark_of_an_item() {
        let item = |x: f32| vec![run("\u{fffd}", x, 0.0), run("Getting started", x + 12.0, 0.0)];
        assert_eq!(mended(item(0.0)), ["•", "Getting started"]);
        let mut columns = vec![run("left column", 0.0, 0.0)];
        columns.extend(item(200.0));
        assert_eq!(mended(columns), ["left column", "•", "Getting started"]);
    }

    #[test]
    fn a_sign_of_a_formula_stays() {
        let formula = vec![run("d", 0.0, 0.0), run("\u{fffd}", 8.0, 0.0), run("e", 18.0, 0.0)];
        assert_eq!(mended(formula), ["d", "\u{fffd}", "e"]);
        let start = vec![run("\u{fffd}", 0.0, 0.0), run("(E)", 5.0, 0.0)];
        assert_eq!(mended(start), ["\u{fffd}", "(E)"]);
    }

    #[test]
    fn the_corners_of_a_frame_go() {
        let frame = vec![
            run("\u{fffd}", 0.0, 30.0),
            run("\u{fffd}", 300.0, 30.0),
            run("$ make", 12.0, 15.0),
            run("\u{fffd}", 0.0, 0.0),
            run("\u{fffd}\u{fffd} \u{fffd}", 0.0, -20.0),
        ];
        assert_eq!(mended(frame), ["$ make"]);
    }
}
