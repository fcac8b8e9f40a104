//! What English words mean to each other: the same, the opposite, more general, derived.
//!
//! Three tables stand behind it. `lexicon/concepts.txt`, written for Probity, holds the vocabulary of
//! reports (rise and fall, approve and reject) with phrases; `lexicon/rivals.txt` words that exclude each
//! other (son and daughter, copper and zinc); `assets/wordnet`, reduced from WordNet,
//! holds the rest of the common words and what kind of word each is.

use std::collections::HashMap;
use std::sync::LazyLock;

static CONCEPTS: &str = include_str!("lexicon/concepts.txt");
static RIVALS: &str = include_str!("lexicon/rivals.txt");
static WORDNET: &str = include_str!("../assets/wordnet/relations.tsv");

/// How one word stands to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// They can stand for each other: `sue`, `take_legal_action`.
    Same,
    /// One is made from the other: `destroy`, `destruction`.
    Derived,
    /// Close in meaning: `rapid`, `fast`.
    Near,
    /// The first is more general: `vehicle`, `car`.
    Broader,
    /// The first is more special: `car`, `vehicle`.
    Narrower,
    /// They say the opposite: `rise`, `fall`.
    Opposite,
    /// Two of a kind that exclude each other more often than not: `nurse`, `doctor`.
    Sibling,
}

/// What kinds of word a word can be, each with its share of use from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Kinds {
    /// As a noun.
    pub noun: f32,
    /// As a verb.
    pub verb: f32,
    /// As an adjective.
    pub adjective: f32,
    /// As an adverb.
    pub adverb: f32,
}

/// The place of a word in the concept table: a line, and which side of its `|`.
type Place = (u16, bool);

struct Concepts {
    places: HashMap<&'static str, Vec<Place>>,
    /// First word of a phrase → the phrases that begin with it.
    phrases: HashMap<&'static str, Vec<&'static str>>,
}

static TABLE: LazyLock<Concepts> = LazyLock::new(|| {
    let mut places: HashMap<&str, Vec<Place>> = HashMap::new();
    let mut phrases: HashMap<&str, Vec<&str>> = HashMap::new();
    for (line, text) in (0_u16..).zip(CONCEPTS.lines()) {
        if text.starts_with('#') {
            continue;
        }
        let mut far = false;
        for word in text.split_whitespace() {
            if word == "|" {
                far = true;
                continue;
            }
            places.entry(word).or_default().push((line, far));
            if let Some((first, _)) = word.split_once('_') {
                let known = phrases.entry(first).or_default();
                if !known.contains(&word) {
                    known.push(word);
                }
            }
        }
    }
    for known in phrases.values_mut() {
        known.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
    }
    Concepts { places, phrases }
});

/// Word → the lines of words that exclude it.
static SETS: LazyLock<HashMap<&'static str, Vec<u16>>> = LazyLock::new(|| {
    let mut sets: HashMap<&str, Vec<u16>> = HashMap::new();
    for (line, text) in (0_u16..).zip(RIVALS.lines()) {
        for word in text.split_whitespace().filter(|_| !text.starts_with('#')) {
            sets.entry(word).or_default().push(line);
        }
    }
    sets
});

static ROWS: LazyLock<HashMap<&'static str, &'static str>> =
    LazyLock::new(|| WORDNET.lines().filter_map(|line| line.split_once('\t')).collect());

/// Columns of a row after the word itself.
const SAME: usize = 1;
const NEAR: usize = 2;
const BROADER: usize = 3;
const OPPOSITE: usize = 4;
const DERIVED: usize = 5;
const PARENTS: usize = 6;

fn column(word: &str, column: usize) -> impl Iterator<Item = &'static str> {
    let row = ROWS.get(word).copied().unwrap_or_default();
    row.split('\t').nth(column).unwrap_or_default().split_whitespace()
}

/// Whether a base form is known.
pub fn knows(word: &str) -> bool {
    ROWS.contains_key(word)
}

/// Whether a base form or phrase is in the concept table.
pub fn is_concept(word: &str) -> bool {
    TABLE.places.contains_key(word)
}

/// The kinds of a base form; none for an unknown word.
pub fn kinds(word: &str) -> Option<Kinds> {
    let row = ROWS.get(word)?;
    let mut kinds = Kinds::default();
    let mut letters = row.split('\t').next()?.chars();
    while let (Some(kind), Some(share)) = (letters.next(), letters.next()) {
        // A kind that rounds to no share at all still exists.
        let share = share.to_digit(10).map_or(0.0, |share| (share as f32 / 9.0).max(0.02));
        match kind {
            'n' => kinds.noun = share,
            'v' => kinds.verb = share,
            'a' => kinds.adjective = share,
            _ => kinds.adverb = share,
        }
    }
    Some(kinds)
}

/// The phrases of the concept table that begin with a word, longest first, joined by `_`.
pub fn phrases(first: &str) -> &'static [&'static str] {
    TABLE.phrases.get(first).map_or(&[], Vec::as_slice)
}

/// How two base forms (or phrases joined by `_`) stand to each other.
///
/// ```
/// use probity_text::lexicon::{Relation, relation};
///
/// assert_eq!(relation("sue", "take_legal_action"), Some(Relation::Same));
/// assert_eq!(relation("rise", "fall"), Some(Relation::Opposite));
/// assert_eq!(relation("vehicle", "car"), Some(Relation::Same));
/// assert_eq!(relation("destruction", "destroy"), Some(Relation::Same));
/// assert_eq!(relation("bird", "owl"), Some(Relation::Broader));
/// assert_eq!(relation("guitar", "tax"), None);
/// ```
pub fn relation(a: &str, b: &str) -> Option<Relation> {
    if a == b {
        return Some(Relation::Same);
    }
    let found = by_concept(a, b);
    if found == Some(Relation::Same) {
        return found;
    }
    if found.is_none() && excludes(a, b) {
        return Some(Relation::Sibling);
    }
    by_wordnet(a, b, found)
}

/// Whether two words are listed as excluding each other: a son is no daughter.
pub fn excludes(a: &str, b: &str) -> bool {
    a != b
        && SETS
            .get(a)
            .zip(SETS.get(b))
            .is_some_and(|(mine, theirs)| mine.iter().any(|line| theirs.contains(line)))
}

/// How two words stand to each other by the concept table alone, which knows what each can stand
/// for whatever its kind.
pub fn concept(a: &str, b: &str) -> Option<Relation> {
    by_concept(a, b)
}

fn by_wordnet(a: &str, b: &str, found: Option<Relation>) -> Option<Relation> {
    let has = |word: &str, which: usize, other: &str| column(word, which).any(|each| each == other);
    let either = |which: usize| has(a, which, b) || has(b, which, a);
    if found.is_some() || either(OPPOSITE) || is_negated_form(a, b) {
        return Some(Relation::Opposite);
    }
    if either(SAME) {
        Some(Relation::Same)
    } else if either(DERIVED) {
        Some(Relation::Derived)
    } else if has(b, BROADER, a) {
        Some(Relation::Broader)
    } else if has(a, BROADER, b) {
        Some(Relation::Narrower)
    } else if either(NEAR) {
        Some(Relation::Near)
    } else if column(a, PARENTS).any(|parent| has(b, PARENTS, parent)) {
        Some(Relation::Sibling)
    } else {
        None
    }
}

fn by_concept(a: &str, b: &str) -> Option<Relation> {
    let (mine, theirs) = (TABLE.places.get(a)?, TABLE.places.get(b)?);
    let meets = |same: bool| {
        mine.iter().any(|(line, side)| {
            theirs.iter().any(|(other, far)| line == other && (side == far) == same)
        })
    };
    if meets(true) {
        Some(Relation::Same)
    } else if meets(false) {
        Some(Relation::Opposite)
    } else {
        None
    }
}

/// `safe` and `unsafe`, `legal` and `illegal`, `smoker` and `non-smoker`.
fn is_negated_form(a: &str, b: &str) -> bool {
    const PREFIXES: [&str; 8] = ["un", "in", "im", "il", "ir", "non", "non-", "dis"];
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    short.len() > 3
        && PREFIXES.iter().any(|prefix| long.strip_prefix(prefix) == Some(short))
        && !matches!(
            long,
            "inform"
                | "increase"
                | "invest"
                | "indeed"
                | "inside"
                | "income"
                | "install"
                | "instate"
                | "intend"
                | "interest"
                | "important"
                | "import"
                | "impress"
                | "improve"
                | "discover"
                | "display"
                | "discuss"
                | "distance"
                | "intense"
                | "invent"
                | "include"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_tables_are_read() {
        assert!(ROWS.len() > 15_000);
        assert!(TABLE.places.len() > 1_000);
        assert!(phrases("turn").contains(&"turn_down"));
    }

    #[test]
    fn opposites_are_told_from_synonyms() {
        for (a, b) in [
            ("approve", "reject"),
            ("open", "closed"),
            ("safe", "unsafe"),
            ("win", "lose"),
            ("before", "after"),
            ("buy", "sell"),
        ] {
            assert_eq!(relation(a, b), Some(Relation::Opposite), "{a} {b}");
            assert_eq!(relation(b, a), Some(Relation::Opposite), "{b} {a}");
        }
        for (a, b) in [
            ("postpone", "delay"),
            ("ban", "prohibit"),
            ("start", "begin"),
            ("physician", "doctor"),
        ] {
            assert_eq!(relation(a, b), Some(Relation::Same), "{a} {b}");
        }
    }

    #[test]
    fn general_and_special_words_are_told_apart() {
        assert_eq!(relation("metal", "copper"), Some(Relation::Broader));
        assert_eq!(relation("copper", "metal"), Some(Relation::Narrower));
        assert_eq!(relation("copper", "zinc"), Some(Relation::Sibling));
    }

    #[test]
    fn words_have_kinds() {
        assert!(kinds("sue").is_some_and(|kinds| kinds.verb > 0.9));
        assert!(kinds("council").is_some_and(|kinds| kinds.noun > 0.9));
        assert_eq!(kinds("zzyzx"), None);
    }
}
