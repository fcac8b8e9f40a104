//! A question about two things at once → one question about each.
//!
//! "Did the tram reduce traffic and noise?" asks about the traffic and about the noise: a source that
//! speaks of one of them answers a part of it, and need not speak of the other.

use super::{Kind, Part, Role};
use crate::tag::{Tag, Tagged};

/// A part as two, where an "and" joins two things or two predicates that it asks about; else as it is.
///
/// Only questions for a reason and those with yes or no for an answer are taken apart: what costs, how many
/// and when are asked of two things together often enough ("bed and breakfast").
pub(super) fn facets(part: Part, words: &[Tagged<'_>]) -> Vec<Part> {
    let Some((left, right)) = sides(part.kind, words) else { return vec![part] };
    let belongs = |side: &[&str], word: &str| side.contains(&word);
    let is_content = |word: &str| {
        let term = part.terms.iter().find(|term| term.word == word);
        term.is_none_or(|term| term.role == Role::Content)
    };
    let known = |side: &[&str]| {
        side.iter().all(|word| is_content(word))
            && part.terms.iter().any(|t| belongs(side, &t.word))
    };
    let rest =
        part.terms.iter().any(|term| !belongs(&left, &term.word) && !belongs(&right, &term.word));
    if !known(&left) || !known(&right) || !rest {
        return vec![part];
    }
    let without = |side: &[&str]| {
        let terms = part.terms.iter().filter(|term| !belongs(side, &term.word)).cloned();
        Part { terms: terms.collect(), ..part.clone() }
    };
    vec![without(&right), without(&left)]
}

/// The words on both sides of the one "and", if they are of a kind.
fn sides<'a>(kind: Kind, words: &'a [Tagged<'_>]) -> Option<(Vec<&'a str>, Vec<&'a str>)> {
    let is_and = |one: &Tagged<'_>| one.token.lower == "and";
    let mut ands = words.iter().enumerate().filter(|(_, one)| is_and(one));
    let (at, None) = (ands.next()?.0, ands.next()) else { return None };
    let between = words.iter().any(|one| one.token.lower == "between");
    if between || !matches!(kind, Kind::Cause | Kind::YesNo) {
        return None;
    }
    let is_thing = |one: &&Tagged<'_>| matches!(one.tag, Tag::Noun | Tag::Adjective);
    let acts = |one: &&Tagged<'_>| matches!(one.tag, Tag::Verb | Tag::Adjective | Tag::Adverb);
    let (before, after) = (words.get(..at)?, words.get(at + 1..)?);
    let (left, right): (Vec<&Tagged<'_>>, Vec<&Tagged<'_>>) = match before.last()?.tag {
        Tag::Noun => {
            let after = after.iter().skip_while(|one| one.tag == Tag::Determiner);
            (
                before.iter().rev().take_while(is_thing).collect(),
                after.take_while(is_thing).collect(),
            )
        }
        Tag::Verb | Tag::Adjective => {
            let ends = |one: &&Tagged<'_>| {
                one.tag == Tag::Preposition && one.token.lower != "than" || one.tag == Tag::Name
            };
            let right: Vec<_> = after.iter().take_while(|one| !ends(one)).collect();
            let first = right.iter().find(|one| one.is_content() && one.tag != Tag::Adverb)?;
            acts(first).then_some(())?;
            (before.iter().rev().take_while(acts).collect(), right)
        }
        _ => return None,
    };
    let nouns = |side: &[&Tagged<'_>]| side.iter().any(|one| one.tag == Tag::Noun);
    let alike = before.last()?.tag != Tag::Noun || nouns(&left) && nouns(&right);
    let content = |side: Vec<&'a Tagged<'_>>| -> Vec<&'a str> {
        let said = side.into_iter().filter(|one| one.is_content());
        said.map(|one| one.token.lower.as_ref()).collect()
    };
    let (left, right) = (content(left), content(right));
    let apart = !left.iter().any(|word| right.contains(word));
    (alike && apart && !left.is_empty() && !right.is_empty()).then_some((left, right))
}

#[cfg(test)]
mod tests {
    use crate::question::Question;

    fn parts(question: &str) -> Vec<Vec<String>> {
        let question = Question::read(question);
        let words = |part: &super::Part| part.terms.iter().map(|t| t.word.clone()).collect();
        question.parts().iter().map(words).collect()
    }

    #[test]
    fn two_things_or_two_predicates_are_asked_about_each() {
        for (question, one, other) in [
            ("Did the new bridge reduce traffic and noise in Arden?", "traffic", "noise"),
            ("Why was the tunnel delayed and more expensive than planned?", "delayed", "expensive"),
            ("Does green tea lower blood pressure and body weight?", "pressure", "weight"),
        ] {
            let parts = parts(question);
            let has = |at: usize, word: &str| parts[at].iter().any(|known| known == word);
            assert_eq!(parts.len(), 2, "{question}: {parts:?}");
            assert!(has(0, one) && !has(0, other) && has(1, other) && !has(1, one), "{parts:?}");
        }
    }

    #[test]
    fn amounts_names_and_ranges_stay_together() {
        for question in [
            "How much does bed and breakfast cost in Arden?",
            "Why did Norway and Sweden part?",
            "Is the road between the mill and the harbour open?",
            "Did the mayor resign?",
        ] {
            assert_eq!(parts(question).len(), 1, "{question}");
        }
    }
}
