//! A place in a text → the lines around it that are of one kind: the rows of a table, the entries of a list.

use std::ops::Range;

/// The lines of a kind around the line that begins at a place, itself included, without a gap, in their order: at
/// most so many above it, and so many from it on.
pub(super) fn lines_around<T>(
    text: &str,
    at: usize,
    above: usize,
    below: usize,
    of_kind: impl Fn(&str) -> Option<T>,
) -> Vec<(Range<usize>, T)> {
    let Some((before, after)) = text.split_at_checked(at) else { return Vec::new() };
    let mut found = Vec::new();
    let mut start = at;
    for line in before.split_inclusive('\n').rev().take(above) {
        let whole = line.trim_end();
        let Some(one) = of_kind(whole) else { break };
        start -= line.len();
        found.push((start..start + whole.len(), one));
    }
    found.reverse();
    let mut start = at;
    for line in after.split_inclusive('\n').take(below) {
        let whole = line.trim_end();
        let Some(one) = of_kind(whole) else { break };
        found.push((start..start + whole.len(), one));
        start += line.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_kind_are_found_around_a_place_until_one_is_of_another() {
        let text = "intro\n- a\n- b\n- c\n- d\nend\n- e\n";
        let item = |line: &str| line.strip_prefix("- ").map(str::to_owned);
        let found = |at, above, below| -> Vec<String> {
            lines_around(text, at, above, below, item).into_iter().map(|(_, one)| one).collect()
        };
        let at = text.find("- c").unwrap();
        assert_eq!(found(at, 10, 10), ["a", "b", "c", "d"]);
        assert_eq!(found(at, 1, 1), ["b", "c"]);
        assert!(found(0, 10, 10).is_empty());
        assert!(found(text.len() + 1, 10, 10).is_empty(), "no place of the text");
        let (range, _) = lines_around(text, at, 1, 1, item).remove(0);
        assert_eq!(text.get(range), Some("- b"));
    }
}
