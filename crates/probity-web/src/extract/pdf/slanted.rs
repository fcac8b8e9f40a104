//! Text that is drawn at a slant, as watermarks and the labels of axes are → lines of their own.
//!
//! Its letters lie across the lines of the page. Laid out with them, a large one makes several lines into one.

use pdfboss_output::TextSpan;

/// How far a direction is off a quarter turn: the short side of its slope by the long one. This is ten degrees.
const SLANT: f32 = 0.18;
/// The gap, in sizes, from which on a space was meant, and from which on it is another line.
const WORD_GAP: f32 = 0.15;
const LINE_GAP: f32 = 1.0;
/// How far, in sizes, a run may step back into the one before it, and lie beside its line.
const KERN: f32 = 0.3;
const BESIDE: f32 = 0.3;
/// A line of this many bytes joins no more.
const MAX_LINE: usize = 2_000;

/// Takes the slanted runs out of those of a page, as lines in the order in which they are drawn.
pub(super) fn take_slanted(spans: &mut Vec<TextSpan>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut last: Option<TextSpan> = None;
    for span in spans.extract_if(.., |span| is_slanted(span)) {
        let gap = last.as_ref().and_then(|last| gap(last, &span));
        match (lines.last_mut(), gap) {
            (Some(line), Some(gap)) if line.len() < MAX_LINE => {
                if gap > WORD_GAP * span.size.abs() {
                    line.push(' ');
                }
                line.push_str(&span.text);
            }
            _ => lines.push(span.text.clone()),
        }
        last = Some(span);
    }
    let words = |line: String| line.split_whitespace().collect::<Vec<_>>().join(" ");
    lines.into_iter().map(words).filter(|line| !line.is_empty()).collect()
}

/// Which way a run goes, as a step of length one.
fn direction(span: &TextSpan) -> Option<(f32, f32)> {
    let (x, y) = (span.end_x - span.x, span.end_y - span.y);
    let length = x.hypot(y);
    (length.is_finite() && length > 0.0).then(|| (x / length, y / length))
}

fn is_slanted(span: &TextSpan) -> bool {
    !span.vertical
        && !span.logical
        && direction(span).is_some_and(|(x, y)| x.abs().min(y.abs()) > SLANT * x.abs().max(y.abs()))
}

/// How far after a run the next one begins; none where it is on another line.
fn gap(last: &TextSpan, next: &TextSpan) -> Option<f32> {
    let (x, y) = direction(last)?;
    let (next_x, next_y) = direction(next)?;
    let (step_x, step_y) = (next.x - last.end_x, next.y - last.end_y);
    let (along, beside) = (step_x * x + step_y * y, (step_y * x - step_x * y).abs());
    let size = last.size.abs().max(next.size.abs());
    let goes_on = x * next_x + y * next_y > 0.98
        && (-KERN * size..LINE_GAP * size).contains(&along)
        && beside < BESIDE * size;
    goes_on.then_some(along)
}

#[cfg(test)]
mod tests {
    use super::super::mend::tests::run;
    use super::*;

    /// A run that goes up at a slant of 45 degrees, from a place so many letters along it.
    fn slanted(text: &str, along: f32) -> TextSpan {
        let step = 5.0 * std::f32::consts::FRAC_1_SQRT_2;
        let (from, length) = (along * step, text.chars().count() as f32 * step);
        TextSpan { end_x: from + length, end_y: from + length, ..run(text, from, from) }
    }

    #[test]
    fn a_watermark_is_a_line_of_its_own() {
        let mut spans = vec![
            run("A line.", 0.0, 20.0),
            slanted("Har", 0.0),
            slanted("bours", 3.0),
            run("Another.", 0.0, 10.0),
            slanted("fees", 9.0),
        ];
        assert_eq!(take_slanted(&mut spans), ["Harbours fees"]);
        let left: Vec<&str> = spans.iter().map(|span| span.text.as_str()).collect();
        assert_eq!(left, ["A line.", "Another."]);
    }

    #[test]
    fn labels_beside_each_other_are_lines_of_their_own() {
        let beside = TextSpan { x: 40.0, end_x: 60.0, ..slanted("west", 0.0) };
        assert_eq!(take_slanted(&mut vec![slanted("east", 0.0), beside]), ["east", "west"]);
    }

    #[test]
    fn text_along_an_edge_and_text_a_little_askew_stay_where_they_are() {
        let upright = run("text", 0.0, 0.0);
        let turned = TextSpan { end_x: 0.0, end_y: 20.0, rotate: 90, ..upright.clone() };
        let askew = TextSpan { end_y: 1.0, ..upright.clone() };
        let mut spans = vec![upright, turned, askew];
        assert!(take_slanted(&mut spans).is_empty());
        assert_eq!(spans.len(), 3);
    }
}
