//! Single sentences as the report needs them: no forged citations, a proper end.

use crate::assemble::{PARTLY_MARK, UNVERIFIED_MARK};

/// The longest headline, in characters.
const HEADLINE_CHARS: usize = 160;

/// A text on one line without anything that looks like a citation or a mark of ours.
pub(crate) fn without_citations(text: &str) -> String {
    let line = probity_core::printable::line(text);
    let mut clean = String::with_capacity(line.len());
    let mut rest: &str = &line;
    while let Some((before, bracket)) = rest.split_once('[') {
        clean.push_str(before);
        match bracket.split_once(']') {
            Some((inside, after)) if is_citation(inside) => {
                // The space before a citation goes with it.
                clean.truncate(clean.trim_end().len());
                let glue = after.chars().next().is_some_and(char::is_alphanumeric);
                clean.push_str(if glue { " " } else { "" });
                rest = after;
            }
            _ => {
                clean.push('[');
                rest = bracket;
            }
        }
    }
    clean.push_str(rest);
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_citation(inside: &str) -> bool {
    let inside = inside.trim();
    let numbers = !inside.is_empty()
        && inside.chars().any(|c| c.is_ascii_digit())
        && inside.chars().all(|c| c.is_ascii_digit() || " ,;–-S^".contains(c));
    let is_mark = |mark: &str| mark.trim_matches(['[', ']']).eq_ignore_ascii_case(inside);
    numbers || [UNVERIFIED_MARK, PARTLY_MARK].into_iter().any(is_mark)
}

/// A heading: one line, no citation, no full stop, not too long.
pub(crate) fn headline(text: &str) -> String {
    let line = without_citations(text);
    let line = line.trim_start_matches(['#', ' ']).trim_end_matches(['.', ' ', ':']);
    probity_core::printable::brief(line, HEADLINE_CHARS)
}

/// A sentence with a full stop, where it has no end.
pub(crate) fn ended(mut sentence: String) -> String {
    let last = sentence.trim_end_matches(['"', '”', '’', '»', '“', ')', ']']).chars().last();
    if last.is_some_and(char::is_alphanumeric) && !sentence.ends_with(['”', '“', '»', '"']) {
        sentence.push('.');
    }
    sentence
}

/// A sentence with citations or a mark set before its final stop.
pub(crate) fn with_suffix(sentence: &str, suffix: &str) -> String {
    match split_stop(sentence) {
        _ if suffix.is_empty() || sentence.is_empty() => sentence.to_owned(),
        (stem, stop) => format!("{stem} {suffix}{stop}"),
    }
}

/// A sentence without its final stop, and the stop.
pub(crate) fn split_stop(sentence: &str) -> (&str, &str) {
    let stem = sentence.strip_suffix(['.', '!', '?', '。']).filter(|_| !sentence.ends_with(".."));
    stem.and_then(|stem| sentence.split_at_checked(stem.len())).unwrap_or((sentence, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forged_citations_go() {
        for (text, clean) in [
            ("It costs 5 crowns [99].", "It costs 5 crowns."),
            ("[1, 2] It costs [S3] five [unverified]", "It costs five"),
            ("It costs five [Partly verified].", "It costs five."),
            ("The array[0]is fine [sic]", "The array is fine [sic]"),
            ("An open [ bracket [12", "An open [ bracket [12"),
        ] {
            assert_eq!(without_citations(text), clean);
        }
    }

    #[test]
    fn what_has_no_end_gets_a_full_stop() {
        for (text, whole) in [("It is so", "It is so."), ("It is so.", "It is so."), ("", "")] {
            assert_eq!(ended(text.to_owned()), whole);
        }
        assert_eq!(ended("A: “It is so”".to_owned()), "A: “It is so”");
    }

    #[test]
    fn citations_stand_before_the_stop() {
        assert_eq!(with_suffix("It is so.", "[1] [2]"), "It is so [1] [2].");
        assert_eq!(with_suffix("Is it so?", "[1]"), "Is it so [1]?");
        assert_eq!(with_suffix("He said \"yes.\"", "[1]"), "He said \"yes.\" [1]");
        assert_eq!(with_suffix("And so on...", "[1]"), "And so on... [1]");
    }
}
