//! Quotations: what is in quotation marks is verbatim in the source, or it is none.

use std::ops::Range;

/// Quotation marks.
const MARKS: [char; 6] = ['“', '”', '„', '«', '»', '"'];
/// The most quotations of one sentence that are looked for.
const QUOTATIONS: usize = 10;

/// The quotations of a text: their bytes, with the marks.
pub fn quotations(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(usize, char)> = None;
    for (at, c) in text.char_indices() {
        match (open, c) {
            (Some((start, close)), c) if c == close => {
                found.push(start..at + c.len_utf8());
                open = None;
            }
            (None, '“' | '„') => open = Some((at, if c == '„' { '“' } else { '”' })),
            (None, '«') => open = Some((at, '»')),
            (None, '"') => open = Some((at, '"')),
            _ => {}
        }
        if found.len() == QUOTATIONS {
            break;
        }
    }
    found
}

/// What is between the marks of a quotation.
fn inside<'t>(text: &'t str, range: &Range<usize>) -> &'t str {
    text.get(range.clone()).unwrap_or_default().trim_matches(MARKS)
}

/// The quotations of a text that stand in no source word for word. The sources are [`plain`]; most texts quote
/// nothing, and then they are not looked up.
pub(crate) fn invented<'s, S>(text: &str, sources: impl FnOnce() -> S) -> Vec<Range<usize>>
where
    S: IntoIterator<Item = &'s str>,
{
    let mut wrong = quotations(text);
    if wrong.is_empty() {
        return wrong;
    }
    let sources: Vec<&str> = sources().into_iter().collect();
    wrong.retain(|range| !sources.iter().any(|source| is_in(inside(text, range), source)));
    wrong
}

/// A text without the marks of some of its quotations.
pub(crate) fn unquoted(text: &str, quotations: &[Range<usize>]) -> String {
    let mut plain = text.to_owned();
    for range in quotations.iter().rev() {
        plain.replace_range(range.clone(), inside(text, range));
    }
    plain
}

/// Whether every part of a quotation, whose gaps are marked by dots or brackets, is in a plain source.
fn is_in(quoted: &str, source: &str) -> bool {
    let quoted = plain(quoted).replace("[...]", "…").replace("...", "…");
    let mut parts = quoted
        .split(['…', '[', ']'])
        .map(|part| part.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|part| !part.is_empty());
    parts.all(|part| standing(part, source).next().is_some())
}

/// Where a phrase is in a text and does not begin or end inside a word.
pub(super) fn standing<'t>(phrase: &'t str, text: &'t str) -> impl Iterator<Item = usize> + 't {
    text.match_indices(phrase).map(|(at, _)| at).filter(move |at| {
        let before = text.get(..*at).and_then(|text| text.chars().next_back());
        let after = text.get(at + phrase.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// A text in small letters, on one line, with plain apostrophes and without quotation marks.
pub(crate) fn plain(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    line.replace(['’', '‘'], "'").replace(MARKS, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str =
        "The mayor said it’s “a\nvery sad day” for the town, and that nobody is to blame.";

    fn wrong(text: &str) -> Vec<Range<usize>> {
        let source = plain(SOURCE);
        invented(text, || [source.as_str()])
    }

    #[test]
    fn a_quotation_is_verbatim_whatever_its_marks_and_breaks() {
        for text in [
            "She called it \"a very sad day\".",
            "She called it “A very sad day.”",
            "She said \"it's a very sad day … nobody is to blame\".",
            "She said „nobody is to blame“.",
            "She said nothing in quotation marks.",
        ] {
            assert_eq!(wrong(text), [], "{text}");
        }
    }

    #[test]
    fn an_invented_quotation_loses_its_marks() {
        let text = "She said “we will rebuild” on “a very sad day”.";
        let invented = wrong(text);
        assert_eq!(invented.len(), 1);
        assert_eq!(unquoted(text, &invented), "She said we will rebuild on “a very sad day”.");
        assert_eq!(wrong("It was “a very sa”.").len(), 1);
    }

    #[test]
    fn a_mark_that_is_never_closed_quotes_nothing() {
        assert!(quotations("A 5\" pipe and “no end").is_empty());
    }
}
