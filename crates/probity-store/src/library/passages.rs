//! A document's text → passages of about a screenful, which are what the index finds.
//!
//! A long document answers a question in one place, and its other pages should not drown that
//! place. Passages end where lines end (a line is a paragraph, a heading, a list item or a table
//! row), and put together again they are the text, byte for byte.

/// About how long a passage is, in bytes.
pub(super) const PASSAGE_BYTES: usize = 2_000;
/// The longest line that is kept whole.
const LINE_BYTES: usize = 2 * PASSAGE_BYTES;
/// How far is looked for the end of a passage: a line that ends beyond is too long wherever in the passage it begins.
const REACH_BYTES: usize = 2 * LINE_BYTES;

/// Cuts a text into passages of nearly equal length.
pub(super) fn passages(text: &str) -> Vec<&str> {
    let count = text.len().div_ceil(PASSAGE_BYTES).max(1);
    let target = text.len().div_ceil(count);
    let mut passages = Vec::with_capacity(count);
    let mut rest = text;
    while !rest.is_empty() {
        let (passage, after) = rest.split_at(passage_end(rest, target));
        passages.push(passage);
        rest = after;
    }
    passages
}

/// Where the first passage of a text ends: at the line end nearest to the target.
fn passage_end(text: &str, target: usize) -> usize {
    let near = text.get(..text.floor_char_boundary(REACH_BYTES)).unwrap_or(text);
    let mut end = 0;
    for line in near.split_inclusive('\n') {
        let with_line = end + line.len();
        let nearer_without = end > 0 && with_line > target && with_line - target > target - end;
        if nearer_without {
            return end;
        }
        if line.len() > LINE_BYTES {
            return end + line_cut(line);
        }
        end = with_line;
        if end >= target {
            return end;
        }
    }
    end
}

/// Where to cut a line that is too long for one passage: at a space, else between two characters.
fn line_cut(line: &str) -> usize {
    let limit = line.floor_char_boundary(PASSAGE_BYTES);
    let head = line.get(..limit).unwrap_or(line);
    match head.char_indices().rev().find(|(_, c)| c.is_whitespace()) {
        Some((at, space)) if at > 0 => at + space.len_utf8(),
        _ => limit,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_short_text_is_one_passage() {
        assert_eq!(passages("One line.\nAnother."), ["One line.\nAnother."]);
        assert!(passages("").is_empty());
    }

    #[test]
    fn a_long_text_is_cut_evenly_at_line_ends() {
        let line = format!("{}\n", "word ".repeat(60));
        let text = line.repeat(15);
        let found = passages(&text);
        assert_eq!(found.len(), 3);
        assert!(found.iter().all(|passage| passage.ends_with('\n')));
        assert!(found.iter().all(|passage| passage.len() < PASSAGE_BYTES * 3 / 2));
    }

    #[test]
    fn a_line_without_end_is_cut_at_spaces_or_anywhere() {
        let spaced = "word ".repeat(10_000);
        assert!(passages(&spaced).iter().all(|p| p.ends_with(' ') && p.len() <= LINE_BYTES));
        assert!(passages(&"é".repeat(10_000)).iter().all(|p| p.len() <= LINE_BYTES));
    }

    proptest! {
        #[test]
        fn passages_put_together_are_the_text(text in "([a-zé ]{0,400}\n?){0,40}") {
            let found = passages(&text);
            prop_assert_eq!(found.concat(), text.as_str());
            prop_assert!(found.iter().all(|passage| !passage.is_empty() && passage.len() <= 2 * LINE_BYTES));
        }
    }
}
