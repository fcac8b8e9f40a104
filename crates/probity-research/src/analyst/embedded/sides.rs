//! A question that compares two things → what the sources say each of them is, side by side.
//!
//! Each side is asked about by itself, so that a cell is an answer and not just a sentence that names the side.

use std::collections::HashSet;

use probity_core::SourceId;
use probity_report::draft::{Form, Statement};
use probity_text::Language;
use probity_text::table_row::row;
use probity_text::words::{Stemmer, Word, words};

use super::answer::Choice;
use super::question::opens_a_question;
use super::retrieve::Library;
use super::sentence::{Fit, fit};

/// The most words of a side's name, and the most rows.
const NAME_WORDS: usize = 6;
const ROWS: usize = 3;
/// The least answerable logit of a passage that a cell is taken from: as likely as not.
const ANSWERS: f64 = 0.0;
/// The least log-likelihood that the answer stands in the sentence of a cell.
const HOLDS: f64 = -3.0;
/// What a side's name does not go beyond.
const ENDS: &[&str] = &["for", "in", "on", "at", "by", "when", "while", "during", "as", "with"];

/// One of the two things that a question compares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Side {
    /// Its name, in the words of the question.
    pub(super) name: String,
    /// What is asked of it alone.
    pub(super) question: String,
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
    // "The history of A … that of B" compares A with B by their history.
    let mut aspect = String::new();
    let other = match other.strip_prefix("that of ").or(other.strip_prefix("those of ")) {
        Some(rest) => {
            if let Some((before, after)) = one.clone().rsplit_once(" of ") {
                aspect = format!("the {before} of ");
                after.clone_into(&mut one);
            }
            rest.to_owned()
        }
        None => other,
    };
    let stemmer = Stemmer::new(Language::English);
    let stems =
        |name: &str| -> HashSet<String> { stemmer.content_stems(name).into_iter().collect() };
    let (mine, theirs) = (stems(&one), stems(&other));
    let side = |name: String, own: HashSet<String>| {
        let question = format!("What about {aspect}{name}?");
        (!own.is_empty()).then(|| Side { name: capital(&name), question, own })
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

/// The row of a source's own table that has a column for each side, if one was found.
pub(super) fn compared_in<'c>(
    library: &Library<'_>,
    sides: &[Side; 2],
    choices: &'c [Choice],
) -> Option<(&'c Choice, Vec<String>)> {
    let stemmer = Stemmer::new(Language::English);
    choices.iter().filter(|choice| choice.answerable >= ANSWERS).find_map(|choice| {
        let (columns, _) = row(library.slice(choice.source, &choice.sentence))?;
        let stems: Vec<HashSet<String>> =
            columns.iter().map(|name| stemmer.content_stems(name).into_iter().collect()).collect();
        let [one, other] = sides;
        let has = |side: &Side, not: &Side| {
            stems.iter().any(|stems| !side.own.is_disjoint(stems) && not.own.is_disjoint(stems))
        };
        (has(one, other) && has(other, one)).then_some((choice, columns))
    })
}

/// Rows with a sentence about either side: the best answer for one beside the best for the other, with the source
/// and the place of the first. What does not speak of its side alone is no cell.
pub(super) fn rows(
    library: &Library<'_>,
    sides: &[Side; 2],
    answers: &[Vec<Choice>; 2],
) -> Vec<(usize, usize, Statement)> {
    let stemmer = Stemmer::new(Language::English);
    let cells = |at: usize, other: usize| -> Vec<&Choice> {
        let (Some(own), Some(other), Some(choices)) =
            (sides.get(at), sides.get(other), answers.get(at))
        else {
            return Vec::new();
        };
        let fits = |choice: &&Choice| {
            let text = library.slice(choice.source, &choice.sentence);
            let stems: HashSet<String> = stemmer.content_stems(text).into_iter().collect();
            let answers = choice.answerable >= ANSWERS && choice.likely >= HOLDS;
            let stands = fit(text) == Fit::Stands && row(text).is_none();
            let about = !own.own.is_disjoint(&stems) && other.own.is_disjoint(&stems);
            answers && stands && about
        };
        choices.iter().filter(fits).collect()
    };
    let columns: Vec<String> = sides.iter().map(|side| side.name.clone()).collect();
    let pairs = cells(0, 1).into_iter().zip(cells(1, 0)).take(ROWS);
    let statement = |(one, other): (&Choice, &Choice)| {
        let both = [one, other];
        let mut cites: Vec<SourceId> = Vec::new();
        for id in both.iter().filter_map(|cell| Some(library.source(cell.source)?.id)) {
            if !cites.contains(&id) {
                cites.push(id);
            }
        }
        let text = |cell: &Choice| {
            let text = library.slice(cell.source, &cell.sentence);
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let cells: Vec<String> = both.iter().map(|cell| text(cell)).collect();
        let text = cells.join(" ");
        let form = Form::Row { columns: columns.clone(), cells };
        (one.source, one.sentence.start, Statement { text, cites, form })
    };
    pairs.map(statement).collect()
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
    fn each_side_is_asked_about_by_itself() {
        for (question, one, other) in [
            ("How do canals differ from rivers?", "What about canals?", "What about rivers?"),
            (
                "How does the price of oats differ from that of rye?",
                "What about the price of oats?",
                "What about the price of rye?",
            ),
        ] {
            let asked = sides(question).map(|sides| sides.map(|side| side.question));
            assert_eq!(asked, Some([one.to_owned(), other.to_owned()]), "{question}");
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
