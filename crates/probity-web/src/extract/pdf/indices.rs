//! Raised and lowered letters → the letter that they are indices of.
//!
//! Lines are put together by height. The index of a numerator is at the height of the letter beside the fraction, and
//! would be read with it. But it is drawn directly after its own letter, and touches it.

use pdfboss_output::TextSpan;

/// An index is smaller than its letter by this share, and larger than that.
const SMALLER: f32 = 0.85;
const TOO_SMALL: f32 = 0.45;
/// How far, in sizes of the letter, it is raised or lowered.
const SHIFTED: std::ops::Range<f32> = 0.05..0.55;
/// How far, in sizes, it begins from the end of its letter. After a slanted letter it may be farther, and other rules tell.
const TOUCHES: std::ops::Range<f32> = -0.1..0.03;
/// How far, in its sizes, the pieces of an index are from each other.
const PIECES: std::ops::Range<f32> = -0.25..0.1;
/// The longest index in bytes.
const MAX_BYTES: usize = 12;
/// How far, in sizes of an index, the beginning of the one below it may differ.
const BESIDE: f32 = 0.25;
/// How far, in sizes of an index, one of several letters reaches over the one above it: that is a word of its own.
const WORD: f32 = 0.6;
/// The gap, in sizes, between an index and the next factor.
const FACTOR_GAP: f32 = 0.03;
/// The gap from which on it is another line of text.
const LINE_GAP: f32 = 0.6;

/// The index at the end of a run.
#[derive(Clone, Copy)]
pub(super) struct Index {
    x: f32,
    end_x: f32,
    y: f32,
    size: f32,
    italic: bool,
}

impl Index {
    /// The index that a run is to the one before it, which ends with another one or none; and whether a space parts
    /// the two indices of one letter.
    pub(super) fn of(
        last: &TextSpan,
        next: &TextSpan,
        before: Option<Self>,
    ) -> Option<(Self, bool)> {
        let size = last.size.abs();
        let is_small = (TOO_SMALL * size..SMALLER * size).contains(&next.size.abs());
        let is_shifted = SHIFTED.contains(&((next.y - last.y).abs() / size));
        let is_alike = last.color == next.color && last.invisible == next.invisible;
        let is_plain = [last, next].iter().all(|run| is_plain(run))
            && next.text.len() <= MAX_BYTES
            && !last.text.ends_with(char::is_whitespace)
            && !next.text.starts_with(char::is_whitespace);
        if !(is_small && is_shifted && is_alike && is_plain) {
            return None;
        }
        let found = Self {
            x: next.x,
            end_x: next.end_x,
            y: next.y,
            size: next.size.abs(),
            italic: next.italic,
        };
        let gap = next.x - last.end_x;
        if TOUCHES.contains(&(gap / size))
            || before.is_some_and(|before| before.goes_on(&found, gap))
        {
            return Some((found, false));
        }
        let above = before.filter(|above| {
            (next.x - above.x).abs() < BESIDE * found.size && above.y - next.y > 0.5 * found.size
        })?;
        let is_word = next.x - above.end_x < -WORD * found.size;
        Some((Self { end_x: above.end_x.max(found.end_x), ..found }, is_word))
    }

    /// Whether a run is the next factor of a formula after the run that ends with this index. Factors or their indices are
    /// slanted letters; H₂O and ordinal numbers are upright, and are words.
    pub(super) fn is_before_factor(self, last: &TextSpan, next: &TextSpan) -> bool {
        let size = last.size.abs();
        let gap = next.x - last.end_x;
        (self.italic || next.italic)
            && [last, next].iter().all(|run| is_plain(run))
            && (next.y - last.y).abs() < SHIFTED.start * size
            && (FACTOR_GAP * size..LINE_GAP * size).contains(&gap)
            && last.text.ends_with(char::is_alphanumeric)
            && next.text.starts_with(char::is_alphanumeric)
    }

    /// Whether the next run is a piece of the same index: it is put together of letters of several fonts.
    fn goes_on(&self, next: &Self, gap: f32) -> bool {
        (self.y - next.y).abs() < SHIFTED.start * self.size
            && (self.size - next.size).abs() < SHIFTED.start * self.size
            && PIECES.contains(&(gap / self.size))
    }
}

fn is_plain(span: &TextSpan) -> bool {
    span.rotate == 0 && !span.vertical && !span.logical
}

#[cfg(test)]
mod tests {
    use super::super::mend::join;
    use super::super::mend::tests::run;
    use super::*;

    fn joined(runs: Vec<TextSpan>) -> Vec<String> {
        join(runs).into_iter().map(|run| run.text).collect()
    }

    fn index(text: &str, x: f32, y: f32) -> TextSpan {
        let upright = run(text, x, y);
        let width = 3.5 * text.chars().count() as f32;
        TextSpan { size: 7.0, font: "F2".to_owned(), end_x: x + width, ..upright }
    }

    fn slanted(text: &str, x: f32) -> TextSpan {
        TextSpan { italic: true, ..run(text, x, 0.0) }
    }

    #[test]
    fn an_index_belongs_to_the_letter_that_it_touches() {
        let numerator = TextSpan { y: 6.5, ..slanted("f", 12.0) };
        let fraction =
            vec![slanted("m", 0.0), index("j", 5.0, -1.5), numerator, index("k", 17.0, 5.0)];
        assert_eq!(joined(fraction), ["mj", "fk"]);
        assert_eq!(
            joined(vec![run("H", 0.0, 0.0), index("2", 5.0, -1.5), run("O", 8.5, 0.0)]),
            ["H2O"]
        );
    }

    #[test]
    fn an_index_below_another_belongs_to_the_letter_too() {
        let both = |above: &str, below: &str| {
            vec![slanted("x", 0.0), index(above, 5.0, 3.6), index(below, 5.2, -2.0)]
        };
        assert_eq!(joined(both("2", "i")), ["x2i"]);
        assert_eq!(joined(both("-1", "j,t")), ["x-1 j,t"]);
    }

    #[test]
    fn the_next_factor_stands_apart() {
        let factors = |x: f32| vec![slanted("x", 0.0), index("1", 5.0, -1.5), slanted("y", x)];
        assert_eq!(joined(factors(9.0)), ["x1 y"]);
        assert_eq!(joined(factors(8.6)), ["x1y"]);
        let upright = vec![slanted("i", 0.0), index("3", 5.0, -1.5), run("a", 9.0, 0.0)];
        assert_eq!(joined(upright), ["i3a"]);
    }

    #[test]
    fn what_is_no_index_stays_by_itself() {
        let far = vec![run("Rules", 0.0, 0.0), index("2", 28.0, 3.6)];
        assert_eq!(joined(far), ["Rules", "2"]);
        let logo = vec![run("L", 0.0, 0.0), index("A", 1.5, 2.0)];
        assert_eq!(joined(logo), ["L", "A"]);
        let line_below = vec![run("Rules", 0.0, 0.0), index("small", 25.0, -8.0)];
        assert_eq!(joined(line_below), ["Rules", "small"]);
    }
}
