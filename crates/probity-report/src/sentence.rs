//! Single sentences as the report needs them: no forged citations, a proper end.

use crate::assemble::{PARTLY_MARK, UNVERIFIED_MARK};

/// The longest headline, in characters.
pub const HEADLINE_CHARS: usize = 200;

/// A text on one line without anything that looks like a citation or a mark of ours, also where taking one out would
/// leave another.
pub(crate) fn without_citations(text: &str) -> String {
    let line = probity_core::printable::line(text);
    let mut clean = String::with_capacity(line.len());
    // Where the brackets of the clean text are that are still open.
    let mut open = Vec::new();
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '[' => open.push(clean.len()),
            ']' => {
                let start = open.pop();
                let inside = start.and_then(|start| clean.get(start + 1..));
                if let (Some(start), true) = (start, inside.is_some_and(is_citation)) {
                    clean.truncate(start);
                    // The space before a citation goes with it.
                    clean.truncate(clean.trim_end().len());
                    let glue = characters.peek().is_some_and(|next| next.is_alphanumeric());
                    clean.push_str(if glue { " " } else { "" });
                    continue;
                }
            }
            _ => {}
        }
        clean.push(c);
    }
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_citation(inside: &str) -> bool {
    let inside = inside.trim();
    let numbers = inside.chars().all(|c| c.is_ascii_digit() || " ,;–-S^".contains(c))
        && inside.chars().any(|c| c.is_ascii_digit());
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
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn forged_citations_go() {
        for (text, clean) in [
            ("It costs 5 crowns [99].", "It costs 5 crowns."),
            ("[1, 2] It costs [S3] five [unverified]", "It costs five"),
            ("It costs five [Partly verified].", "It costs five."),
            ("The array[0]is fine [sic]", "The array is fine [sic]"),
            ("An open [ bracket [12", "An open [ bracket [12"),
            ("It costs five [1[2]].", "It costs five."),
            ("It costs five [unver[3]ified].", "It costs five [unver ified]."),
            ("It costs [sic [4]] five ]", "It costs [sic] five ]"),
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
    fn a_headline_is_one_line_without_marks_and_not_too_long() {
        for (text, title) in [
            ("## The quay is closed.", "The quay is closed"),
            ("The quay\nis closed [3]:", "The quay is closed"),
            ("  ", ""),
            ("Is it closed?", "Is it closed?"),
        ] {
            assert_eq!(headline(text), title);
        }
        let long = headline(&"word ".repeat(200));
        assert!(long.chars().count() <= HEADLINE_CHARS && long.ends_with('…'), "{long}");
    }

    proptest! {
        #[test]
        fn what_was_cleaned_stays_as_it_is_and_holds_no_citation(
            text in "(\\PC|\\[[0-9]\\]|\\[S[0-9]\\]|\\[unverified\\]|\\[|\\]| ){0,24}",
        ) {
            let clean = without_citations(&text);
            prop_assert_eq!(without_citations(&clean), clean.clone());
            let inside = clean.split('[').skip(1).filter_map(|rest| rest.split_once(']'));
            for (inside, _) in inside {
                prop_assert!(!is_citation(inside), "[{}] in {}", inside, clean);
            }
        }

        #[test]
        fn a_suffix_stands_before_the_stop_and_takes_nothing_away(text in "\\PC{1,30}[.!?。…\"]{0,2}") {
            let (stem, stop) = split_stop(&text);
            prop_assert_eq!(format!("{stem}{stop}"), text.clone());
            prop_assert_eq!(with_suffix(&text, "[1]"), format!("{stem} [1]{stop}"));
            prop_assert_eq!(with_suffix(&text, ""), text);
        }

        #[test]
        fn an_end_is_given_once(text in "\\PC{0,30}") {
            let whole = ended(text.clone());
            prop_assert!(whole.starts_with(&text) && whole.len() <= text.len() + 1);
            prop_assert_eq!(ended(whole.clone()), whole);
        }
    }

    #[test]
    fn citations_stand_before_the_stop() {
        assert_eq!(with_suffix("It is so.", "[1] [2]"), "It is so [1] [2].");
        assert_eq!(with_suffix("Is it so?", "[1]"), "Is it so [1]?");
        assert_eq!(with_suffix("He said \"yes.\"", "[1]"), "He said \"yes.\" [1]");
        assert_eq!(with_suffix("And so on...", "[1]"), "And so on... [1]");
    }
}
