//! Phrases that say what some sentences have in common: the headings of a report.
//!
//! A heading is a phrase that stands in one of the sentences, as its author wrote it: "couples with a
//! band", "range in winter". The best is made of words that many sentences of the group have and few
//! others do.

use std::collections::{BTreeSet, HashMap, HashSet};

use probity_text::lex::tokens;
use probity_text::lexicon::kinds;
use probity_text::tag::{Tag, Tagged, tag};
use probity_text::words::Stemmer;

use super::pool::without_figures;

/// The most words of substance in a phrase.
const LONGEST: usize = 4;
/// What a word counts that stands in the question: it says what the whole report is about.
const ASKED: f64 = 0.45;
/// What a name counts: it marks a group, but says little about it.
const NAMED: f64 = 0.6;
/// What a phrase of so many words of substance is worth beside the sum of its words.
const LENGTHS: [f64; LONGEST] = [0.6, 0.85, 0.8, 0.7];
/// What a phrase is worth whose words no other sentence of the group has, or that only asks again.
const ALONE: f64 = 0.4;
/// Words that join two parts of a phrase.
const JOINTS: &[&str] = &["of", "for", "in", "with", "on", "between"];

/// Words that count or measure, or say next to nothing, and head no topic.
const EMPTY: &[&str] = &[
    "cent", "percent", "time", "year", "day", "week", "month", "hour", "minute", "number", "half",
    "first", "second", "third", "last", "next", "other", "thing", "way", "result", "kind", "part",
    "lot", "people", "case", "one", "same", "such", "more", "most", "many", "few", "several",
    "minus", "degree", "line", "page", "today",
];

/// Names groups of sentences so that no two have the same name.
pub(super) struct Naming<'a> {
    stemmer: &'a Stemmer,
    asked: HashSet<String>,
    /// How many of all sentences hold each stem.
    everywhere: HashMap<String, usize>,
    sentences: usize,
    taken: HashSet<BTreeSet<String>>,
}

/// A phrase as it stands in a sentence.
struct Phrase {
    shown: String,
    /// The stems of its words of substance, and whether each is part of a name.
    stems: Vec<(String, bool)>,
}

impl<'a> Naming<'a> {
    /// Prepares to name groups of these sentences.
    pub(super) fn new(question: &str, sentences: &[&str], stemmer: &'a Stemmer) -> Self {
        let everywhere = count(sentences, stemmer);
        let asked = stemmer.content_stems(question).into_iter().collect();
        Self { stemmer, asked, everywhere, sentences: sentences.len(), taken: HashSet::new() }
    }

    /// The phrase that says best what a group is about, if one does and is still free.
    pub(super) fn name(&mut self, group: &[&str]) -> Option<String> {
        let inside = count(group, self.stemmer);
        let mut best: Option<(f64, Phrase)> = None;
        for sentence in group {
            let plain = without_figures(sentence);
            // Titles in quotation marks are names, whatever their words mean.
            for part in plain.split(['"', '“', '”']).step_by(2) {
                for phrase in phrases(part, self.stemmer) {
                    let worth = self.worth(&phrase, &inside, group.len());
                    let free = !self.taken.contains(&key(&phrase));
                    if free && worth > 0.0 && best.as_ref().is_none_or(|(top, _)| worth > *top) {
                        best = Some((worth, phrase));
                    }
                }
            }
        }
        let (_, phrase) = best?;
        self.taken.insert(key(&phrase));
        Some(phrase.shown)
    }

    fn worth(&self, phrase: &Phrase, inside: &HashMap<String, usize>, group: usize) -> f64 {
        let Some(length) = phrase.stems.len().checked_sub(1).and_then(|at| LENGTHS.get(at)) else {
            return 0.0;
        };
        let all_named = phrase.stems.iter().all(|(_, name)| *name);
        let all_asked = phrase.stems.iter().all(|(stem, _)| self.asked.contains(stem));
        let common = phrase.stems.iter().filter(|(stem, _)| inside.get(stem) >= Some(&2)).count();
        if all_named || all_asked && phrase.stems.len() < 2 {
            return 0.0;
        }
        let shared = if common == 0 && group > 2 { ALONE } else { 1.0 };
        let new = if all_asked { ALONE } else { 1.0 };
        let words = phrase.stems.iter().map(|(stem, name)| {
            let here = inside.get(stem).copied().unwrap_or(1) as f64 / group.max(1) as f64;
            let all = self.everywhere.get(stem).copied().unwrap_or(1) as f64;
            let own = (1.0 + self.sentences as f64 / all).ln();
            let asked = if self.asked.contains(stem) { ASKED } else { 1.0 };
            let named = if *name { NAMED } else { 1.0 };
            here * own * asked * named
        });
        words.sum::<f64>() * length * shared * new / (phrase.stems.len() as f64).sqrt()
    }
}

/// How many sentences hold each stem.
fn count(sentences: &[&str], stemmer: &Stemmer) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for sentence in sentences {
        let stems: HashSet<String> = stemmer.content_stems(sentence).into_iter().collect();
        for stem in stems {
            *counts.entry(stem).or_default() += 1;
        }
    }
    counts
}

fn key(phrase: &Phrase) -> BTreeSet<String> {
    phrase.stems.iter().map(|(stem, _)| stem.clone()).collect()
}

/// The noun phrases of a sentence, and pairs of them that a preposition joins.
fn phrases(sentence: &str, stemmer: &Stemmer) -> Vec<Phrase> {
    let words = tag(tokens(sentence));
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    let mut start = None;
    for at in 0..=words.len() {
        let inside = words.get(at).is_some_and(|word| fits(word));
        match (inside, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                runs.extend(ending_in_noun(&words, from..at));
                start = None;
            }
            _ => {}
        }
    }
    runs.retain(|run| !is_cut(&words, run));
    let joined = runs.windows(2).filter_map(|pair| match pair {
        [one, other] => {
            let between = words.get(one.end..other.start)?;
            let joint = between.first()?.token.lower.as_ref();
            let rest = between.get(1..)?.iter().all(|word| word.tag == Tag::Determiner);
            let fits = JOINTS.contains(&joint) && between.len() <= 2 && rest && stands(&words, one);
            fits.then_some(one.start..other.end)
        }
        _ => None,
    });
    let joined: Vec<_> = joined.collect();
    runs.retain(|run| stands(&words, run));
    let all = runs.into_iter().chain(joined);
    all.filter_map(|range| phrase(sentence, words.get(range)?, stemmer)).collect()
}

/// Whether a run of words is a piece of a longer phrase, as "tram" is of "the tram line", or ends in a verb
/// that looks like a noun.
fn is_cut(words: &[Tagged<'_>], run: &std::ops::Range<usize>) -> bool {
    let before = run.start.checked_sub(1).and_then(|at| words.get(at));
    let next = words.get(run.end);
    let Some(last) = run.end.checked_sub(1).and_then(|at| words.get(at)) else { return true };
    let is_empty = |word: &Tagged<'_>| EMPTY.contains(&word.lemma.base.as_str());
    let describes = |word: &&Tagged<'_>| {
        matches!(word.tag, Tag::Noun | Tag::Name | Tag::Adjective) && !is_empty(word)
    };
    // A figure behind a name is a part of it: "Arrow 300".
    let numbered = last.tag == Tag::Name && next.is_some_and(|one| one.token.text == ";");
    let goes_on = numbered || next.is_some_and(|one| one.tag == Tag::Noun);
    let cut = before.filter(describes).is_some() || goes_on;
    // "The study costs 9 million": what looks like a noun may be the verb, where there is no other.
    let forms = [last.lemma.base.as_str(), last.token.lower.trim_end_matches('s')];
    let can_act = forms.into_iter().filter_map(kinds).any(|kinds| kinds.verb > 0.1);
    let acts = can_act && last.token.lower.ends_with('s') && !has_verb(words, run.end - 1);
    cut || acts
}

/// Whether a run of words can open a heading: a single noun that lost its article cannot, as "light" of
/// "at every light".
fn stands(words: &[Tagged<'_>], run: &std::ops::Range<usize>) -> bool {
    let before = run.start.checked_sub(1).and_then(|at| words.get(at));
    let Some(last) = run.end.checked_sub(1).and_then(|at| words.get(at)) else { return false };
    let plural = last.token.lower != last.lemma.base;
    let bare = !before.is_some_and(|one| one.tag == Tag::Determiner);
    run.len() > 1 || plural || bare || last.tag == Tag::Name
}

/// Whether the words around a place, up to the next joints, have a finite verb.
fn has_verb(words: &[Tagged<'_>], at: usize) -> bool {
    let joint = |word: &&Tagged<'_>| matches!(word.tag, Tag::Mark | Tag::Conjunction);
    let before = words.get(..at).unwrap_or_default().iter().rev();
    let after = words.get(at + 1..).unwrap_or_default().iter();
    let mut around =
        before.take_while(|word| !joint(word)).chain(after.take_while(|word| !joint(word)));
    around.any(Tagged::is_finite)
}

/// Words of which a noun phrase is made.
fn fits(word: &Tagged<'_>) -> bool {
    let text = word.token.text;
    let letters = text.chars().count() > 2 && text.chars().all(|c| c.is_alphabetic() || c == '-');
    let empty = [word.lemma.base.as_str(), &word.token.lower].iter().any(|w| EMPTY.contains(w));
    let mostly_noun = || kinds(&word.lemma.base).is_none_or(|kinds| kinds.noun >= kinds.verb);
    letters
        && !empty
        && match word.tag {
            Tag::Name | Tag::Adjective => true,
            Tag::Noun => mostly_noun(),
            _ => false,
        }
}

/// A run up to its last noun or name.
fn ending_in_noun(
    words: &[Tagged<'_>],
    run: std::ops::Range<usize>,
) -> Option<std::ops::Range<usize>> {
    let inside = words.get(run.clone())?;
    let last = inside.iter().rposition(|word| word.tag != Tag::Adjective)?;
    Some(run.start..run.start + last + 1)
}

fn phrase(sentence: &str, words: &[Tagged<'_>], stemmer: &Stemmer) -> Option<Phrase> {
    let (first, last) = (words.first()?, words.last()?);
    let shown = sentence.get(first.token.start..last.token.end())?;
    let stems = words.iter().filter_map(|word| {
        let stem = stemmer.content_stem(&word.token.lower)?.into_owned();
        Some((stem, word.tag == Tag::Name))
    });
    let stems: Vec<(String, bool)> = stems.collect();
    (stems.len() <= LONGEST).then(|| Phrase { shown: shown.to_owned(), stems })
}
