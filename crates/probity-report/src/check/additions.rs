//! Phrases of a claim of which its passage has no trace: "with his wife", "and well matured".
//!
//! A single unknown word is often only another wording; a whole phrase of them is something added.

use probity_text::lemma::Form;
use probity_text::tag::Tag;

use super::finding::{Finding, Kind};
use super::names::is_title;
use super::pair::{GENERIC, Pair, listed};
use super::reading::Word;

/// Below this grade a word has left no trace in the passage.
const TRACE: f32 = 0.3;
/// A phrase weighs something when its heaviest word does.
const HEAVY: f32 = 0.72;

/// Finds a phrase that the claim adds.
pub(super) fn additions(pair: &Pair<'_>) -> Option<Finding> {
    let named = pair.content().find(|(at, word)| {
        word.tag == Tag::Name && !is_title(word) && pair.align.link(*at).is_none()
    });
    if let Some((_, name)) = named {
        let text = pair.claim.text.get(name.start..name.end)?;
        return Some(Finding::new(Kind::Added, format!("the source does not name “{text}”")));
    }
    if let Some(finding) = added_clause(pair) {
        return Some(finding);
    }
    let mut phrase: Vec<(usize, &Word)> = Vec::new();
    let mut open = false;
    for (at, word) in pair.claim_words() {
        if opens(word) {
            if let Some(finding) = added(pair, &phrase, open) {
                return Some(finding);
            }
            phrase.clear();
            open = true;
        } else if closes(word) && !(open && is_joined_participle(&phrase, word)) {
            if let Some(finding) = added(pair, &phrase, open) {
                return Some(finding);
            }
            phrase.clear();
            open = false;
        }
        phrase.push((at, word));
    }
    added(pair, &phrase, open)
}

/// "… and fined the mayor": a clause of which nothing was found but its subject.
fn added_clause(pair: &Pair<'_>) -> Option<Finding> {
    if pair.sentence.clauses.len() < 2 {
        return None;
    }
    pair.sentence.clauses.clone().find_map(|clause| {
        let content: Vec<(usize, &Word)> =
            pair.content().filter(|(_, word)| word.clause == clause && word.weight > 0.3).collect();
        let strange = content
            .iter()
            .all(|(at, _)| pair.align.link(*at).is_none_or(|link| link.grade < TRACE));
        let number = pair.claim_amounts().any(|(_, amount)| {
            pair.claim.word(amount.words.start).is_some_and(|word| word.clause == clause)
        });
        let words = pair.claim.clauses.get(clause)?.words.clone();
        let text = pair.claim.text.get(
            pair.claim.word(words.start)?.start..pair.claim.word(words.end.checked_sub(1)?)?.end,
        )?;
        (content.len() > 1 && strange && !number).then(|| {
            Finding::new(Kind::Added, format!("the passage has nothing on “{}”", text.trim()))
        })
    })
}

/// Prepositions and joiners begin a phrase; "of" goes on with the one before.
fn opens(word: &Word) -> bool {
    match word.tag {
        Tag::Preposition => !matches!(word.lower.as_ref(), "of" | "than" | "as"),
        Tag::Conjunction => matches!(word.lower.as_ref(), "and" | "or"),
        _ => false,
    }
}

/// "and well matured": a participle that goes on with a list.
fn is_joined_participle(phrase: &[(usize, &Word)], word: &Word) -> bool {
    let list = phrase.first().is_some_and(|(_, first)| first.tag == Tag::Conjunction);
    let short = phrase.iter().skip(1).all(|(_, word)| word.tag == Tag::Adverb);
    list && short && phrase.len() > 1 && matches!(word.form, Form::Past | Form::Participle)
}

/// Marks and finite verbs end a phrase.
fn closes(word: &Word) -> bool {
    let finite = word.tag == Tag::Verb && word.form != Form::Ing && word.form != Form::Base;
    finite
        || matches!(word.tag, Tag::Aux | Tag::Modal)
        || word.tag == Tag::Mark && word.lower.as_ref() != "-"
}

fn added(pair: &Pair<'_>, phrase: &[(usize, &Word)], open: bool) -> Option<Finding> {
    let content: Vec<&(usize, &Word)> =
        phrase.iter().filter(|(_, word)| word.is_content()).collect();
    let heaviest = content.iter().map(|(_, word)| word.weight).fold(0.0, f32::max);
    let strange = |at: usize| pair.align.link(at).is_none_or(|link| link.grade < TRACE);
    let known_amount = phrase.iter().any(|(_, word)| word.amount.is_some());
    if !open
        || known_amount
        || heaviest < HEAVY
        || !content.iter().all(|(at, word)| strange(*at) || word.weight < 0.3)
        || content.iter().all(|(_, word)| listed(word, GENERIC))
    {
        return None;
    }
    let (first, last) = (phrase.first()?.1, phrase.last()?.1);
    let text = pair.claim.text.get(first.start..last.end)?.trim();
    Some(Finding::new(Kind::Added, format!("the passage has nothing on “{text}”")))
}
