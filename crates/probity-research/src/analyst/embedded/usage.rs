//! How texts use single words: after "was", after "has", after "will", and in which forms.

use std::collections::{HashMap, HashSet};

use probity_text::words::each_lower;

/// How much of one text is looked at, in bytes.
const LOOKED_AT: usize = 400_000;
const BE: &[&str] = &["is", "are", "was", "were", "be", "been", "being"];
const HAVE: &[&str] = &["has", "have", "had"];
/// After these stands the plain form of a verb.
const MODALS: &[&str] = &[
    "can", "could", "will", "would", "shall", "should", "may", "might", "must", "did", "does",
    "not", "cannot", "to",
];

#[derive(Default)]
struct Counts {
    all: usize,
    be: usize,
    have: usize,
    modal: usize,
}

/// How some words are used in some texts.
pub(super) struct Usage {
    counts: HashMap<String, Counts>,
    /// The forms of these words that end like a past tense.
    past: HashSet<String>,
}

impl Usage {
    /// From this share on a word is a verb where it follows a subject.
    pub(super) const VERB: f64 = 0.04;
    /// From this share on it is one wherever it stands.
    pub(super) const PARTICIPLE: f64 = 0.3;

    /// Looks at how the words of a question are used.
    pub(super) fn of<'a>(question: &str, texts: impl Iterator<Item = &'a str>) -> Self {
        let mut counts: HashMap<String, Counts> = HashMap::new();
        each_lower(question, |word| {
            counts.entry(word.to_owned()).or_default();
            // "Governs" is a verb where "will govern" is said.
            word.strip_suffix('s').map(|plain| counts.entry(plain.to_owned()).or_default());
        });
        let pasts: HashSet<String> = counts.keys().flat_map(|word| pasts(word)).collect();
        let mut past = HashSet::new();
        for text in texts {
            let text = text.get(..text.floor_char_boundary(LOOKED_AT)).unwrap_or_default();
            let mut before = String::new();
            each_lower(text, |word| {
                if let Some(count) = counts.get_mut(word) {
                    count.all += 1;
                    count.be += usize::from(BE.contains(&before.as_str()));
                    count.have += usize::from(HAVE.contains(&before.as_str()));
                    count.modal += usize::from(MODALS.contains(&before.as_str()));
                }
                if pasts.contains(word) {
                    past.insert(word.to_owned());
                }
                before.clear();
                before.push_str(word);
            });
        }
        Self { counts, past }
    }

    fn share(&self, word: &str, of: impl Fn(&Counts) -> usize) -> f64 {
        self.counts.get(word).map_or(0.0, |one| of(one) as f64 / one.all.max(1) as f64)
    }

    /// How often a word stands after a form of "be".
    pub(super) fn after_be(&self, word: &str) -> f64 {
        self.share(word, |one| one.be)
    }

    /// How often a word stands after a form of "have" or "be".
    pub(super) fn after_have(&self, word: &str) -> f64 {
        self.share(word, |one| one.have + one.be)
    }

    /// How often a word stands after "will", "did", "not" and the like.
    pub(super) fn after_modal(&self, word: &str) -> f64 {
        self.share(word, |one| one.modal)
    }

    /// The past tense of a verb, if the texts have it.
    pub(super) fn past(&self, verb: &str) -> Option<String> {
        pasts(verb).into_iter().find(|past| self.past.contains(past))
    }
}

/// The forms that the past tense of a regular verb can have.
fn pasts(verb: &str) -> Vec<String> {
    let last = verb.chars().last().filter(char::is_ascii_lowercase);
    let mut forms = vec![format!("{verb}ed")];
    match verb.strip_suffix('y') {
        Some(stem) => forms.insert(0, format!("{stem}ied")),
        None if verb.ends_with('e') => forms.insert(0, format!("{verb}d")),
        None => forms.extend(last.map(|last| format!("{verb}{last}ed"))),
    }
    forms
}
