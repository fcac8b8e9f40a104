//! A question that compares two things → the two, and where a source sets them side by side.

use std::collections::HashSet;

use probity_text::Language;
use probity_text::table_row::row;
use probity_text::words::{Stemmer, Word, words};

use super::answer::Choice;
use super::question::opens_a_question;
use super::retrieve::Library;

/// The most words of a side's name.
const NAME_WORDS: usize = 6;
/// The least answerable logit of a passage that a table is taken from: as likely as not.
const ANSWERS: f64 = 0.0;
/// What a side's name does not go beyond.
const ENDS: &[&str] = &["for", "in", "on", "at", "by", "when", "while", "during", "as", "with"];

/// One of the two things that a question compares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Side {
    /// Its name, in the words of the question.
    pub(super) name: String,
    /// The stems that only its name has.
    own: HashSet<String>,
}

/// The two things that a question compares, if it names them.
pub(super) fn sides(question: &str) -> Option<[Side; 2]> {
    let all: Vec<Word<'_>> = words(question).collect();
    let is = |at: usize, list: &[&str]| {
        all.get(at).is_some_and(|word| list.contains(&word.lower.as_ref()))
    };
    let find = |from: usize, list: &[&str]| (from..all.len()).find(|at| is(*at, list));
    let (one, other) = if let Some(between) = find(0, &["between"]) {
        let and = find(between + 1, &["and"])?;
        (between + 1..and, and + 1..all.len())
    } else if let Some(compare) = find(0, &["compare"]) {
        let and = find(compare + 1, &["and", "with", "to"])?;
        (compare + 1..and, and + 1..all.len())
    } else {
        let from = (1..all.len()).find(|at| {
            let differs = is(at - 1, &["differ", "differs", "differed", "different"]);
            let compared = is(at - 1, &["compared"]) && is(*at, &["with", "to"]);
            differs && is(*at, &["from"]) || compared || is(*at, &["versus", "vs"])
        })?;
        let end = if is(from, &["versus", "vs"]) { from } else { from - 1 };
        let start = all.iter().take(end).position(|word| !opens_a_question(word))?;
        (start..end, from + 1..all.len())
    };
    let name = |mut range: std::ops::Range<usize>| {
        let end = find(range.start + 1, ENDS).filter(|end| *end < range.end);
        range.end = end.unwrap_or(range.end);
        let skipped = all.get(range.clone())?.iter().take_while(|word| is_article(word)).count();
        let told: Vec<&str> = all.get(range)?.iter().skip(skipped).map(|word| word.raw).collect();
        (1..=NAME_WORDS).contains(&told.len()).then(|| told.join(" "))
    };
    let (mut one, other) = (name(one)?, name(other)?);
    // "The history of A … that of B" compares A with B.
    let other = match other.strip_prefix("that of ").or(other.strip_prefix("those of ")) {
        Some(rest) => {
            one = one.rsplit(" of ").next().unwrap_or_default().to_owned();
            rest.to_owned()
        }
        None => other,
    };
    let stemmer = Stemmer::new(Language::English);
    let stems =
        |name: &str| -> HashSet<String> { stemmer.content_stems(name).into_iter().collect() };
    let (mine, theirs) = (stems(&one), stems(&other));
    let side = |name: String, own: HashSet<String>| {
        (!own.is_empty()).then(|| Side { name: capital(&name), own })
    };
    Some([side(one, &mine - &theirs)?, side(other, &theirs - &mine)?])
}

fn is_article(word: &Word<'_>) -> bool {
    matches!(word.lower.as_ref(), "the" | "a" | "an")
}

/// A name with a capital.
pub(super) fn capital(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}", letters.as_str())
}

/// Whether a text speaks of both sides.
pub(super) fn names_both(sides: &[Side; 2], text: &str) -> bool {
    let stems = Stemmer::new(Language::English).content_stems(text);
    sides.iter().all(|side| stems.iter().any(|stem| side.own.contains(stem)))
}

/// The row of a source's own table that has a column for each side, if one was found.
pub(super) fn compared_in<'c>(
    library: &Library<'_>,
    sides: &[Side; 2],
    choices: &'c [Choice],
) -> Option<&'c Choice> {
    let stemmer = Stemmer::new(Language::English);
    choices.iter().filter(|choice| choice.answerable >= ANSWERS).find(|choice| {
        let columns = row(library.slice(choice.source, &choice.sentence)).map(|(names, _)| names);
        let stems: Vec<HashSet<String>> = columns
            .unwrap_or_default()
            .iter()
            .map(|name| stemmer.content_stems(name).into_iter().collect())
            .collect();
        let [one, other] = sides;
        let has = |side: &Side, not: &Side| {
            stems.iter().any(|stems| !side.own.is_disjoint(stems) && not.own.is_disjoint(stems))
        };
        has(one, other) && has(other, one)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(question: &str) -> Option<[String; 2]> {
        sides(question).map(|sides| sides.map(|side| side.name))
    }

    #[test]
    fn the_two_things_of_a_comparison_are_known_by_the_words_between_them() {
        for (question, one, other) in [
            ("What is the difference between a canal and a river?", "Canal", "River"),
            ("How do alpine goats differ from sheep in winter?", "Alpine goats", "Sheep"),
            ("How does the price of oats differ from that of rye?", "Oats", "Rye"),
            ("Compare steam trams with horse trams.", "Steam trams", "Horse trams"),
            ("Wooden versus iron hulls?", "Wooden", "Iron hulls"),
        ] {
            assert_eq!(names(question), Some([one.to_owned(), other.to_owned()]), "{question}");
        }
    }

    #[test]
    fn other_questions_compare_nothing() {
        for question in [
            "When did the mill close?",
            "What lies between the hills?",
            "What is the difference between a canal and the canal?",
            "How is it different from?",
        ] {
            assert_eq!(names(question), None, "{question}");
        }
    }
}
