//! Who is whose: "X is the son of Y" says the same as "Y is the mother of X", and the reverse of "X is the
//! father of Y".

use std::ops::Range;

use probity_text::tag::Tag;

use super::finding::{Finding, Kind};
use super::pair::{Pair, listed};
use super::reading::Reading;

/// How far from a word of kinship its names stand.
const REACH: usize = 6;

/// What one is to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tie {
    Parent,
    Child,
    /// Brothers, sisters, wives and husbands are so to each other.
    Mutual,
}

impl Tie {
    fn reverse(self) -> Self {
        match self {
            Tie::Parent => Tie::Child,
            Tie::Child => Tie::Parent,
            Tie::Mutual => Tie::Mutual,
        }
    }
}

const TIES: [(Tie, &str); 3] = [
    (Tie::Parent, "mother father parent"),
    (Tie::Child, "son daughter child"),
    (Tie::Mutual, "brother sister sibling wife husband spouse cousin twin"),
];

/// "Holder is the tie of owner": the names of each.
struct Relative<'a> {
    tie: Tie,
    holder: Vec<&'a str>,
    owner: Vec<&'a str>,
}

/// Whether the passage says of the same two what the claim says: yes, the reverse, or nothing.
fn agrees(pair: &Pair<'_>) -> Option<bool> {
    let mine = relatives(pair.claim, pair.sentence.words.clone());
    let theirs = relatives(pair.source, pair.align.passage.clone());
    let mut verdicts = mine.iter().flat_map(|mine| {
        theirs.iter().filter_map(move |known| {
            let straight =
                is_same(&mine.holder, &known.holder) && is_same(&mine.owner, &known.owner);
            let across = is_same(&mine.holder, &known.owner) && is_same(&mine.owner, &known.holder);
            let tie = match (straight, across) {
                (true, false) => known.tie,
                (false, true) => known.tie.reverse(),
                _ => return None,
            };
            let mutual = mine.tie == Tie::Mutual || tie == Tie::Mutual;
            (!mutual || mine.tie == tie).then_some(mine.tie == tie)
        })
    });
    verdicts.next()
}

/// The two are related the other way round.
pub(super) fn reversed(pair: &Pair<'_>) -> Option<Finding> {
    (agrees(pair) == Some(false)).then(|| {
        Finding::new(Kind::Exchanged, "in the source the two are related the other way round")
    })
}

/// The passage says who is whose in the words of the other side.
pub(super) fn is_converse(pair: &Pair<'_>) -> bool {
    agrees(pair) == Some(true)
}

fn is_same(a: &[&str], b: &[&str]) -> bool {
    let within = |a: &[&str], b: &[&str]| !a.is_empty() && a.iter().all(|name| b.contains(name));
    within(a, b) || within(b, a)
}

fn relatives<'a>(reading: &'a Reading<'_>, words: Range<usize>) -> Vec<Relative<'a>> {
    let mut found = Vec::new();
    for (at, word) in reading.span(words.clone()) {
        let tie = TIES.iter().find(|(_, list)| word.tag == Tag::Noun && listed(word, list));
        let Some((tie, _)) = tie else { continue };
        let of = reading.word(at + 1).is_some_and(|next| next.lower.as_ref() == "of");
        let before = name(reading, (at.saturating_sub(REACH).max(words.start)..at).rev());
        let (holder, owner) = if of {
            (before, name(reading, at + 2..(at + 2 + REACH).min(words.end)))
        } else if is_possessive(reading, at) {
            (name(reading, at + 1..(at + 4).min(words.end)), before)
        } else {
            continue;
        };
        if !holder.is_empty() && !owner.is_empty() {
            found.push(Relative { tie: *tie, holder, owner });
        }
    }
    found
}

/// "Ann's brother".
fn is_possessive(reading: &Reading<'_>, at: usize) -> bool {
    let owner =
        reading.span(at.saturating_sub(2)..at).rev().find(|(_, word)| word.tag == Tag::Name);
    let text = owner.and_then(|(_, word)| reading.text.get(word.start..word.end));
    text.is_some_and(|text| text.ends_with("'s") || text.ends_with("’s"))
}

/// The words of the first name on a way; a full stop or another sentence ends it.
fn name<'a>(reading: &'a Reading<'_>, way: impl Iterator<Item = usize>) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    let mut sentence = None;
    for word in way.filter_map(|at| reading.word(at)) {
        let here = *sentence.get_or_insert(word.sentence) == word.sentence;
        let named = word.tag == Tag::Name;
        // "Hess-Adler" is one name.
        if word.lower.as_ref() == "-" && here {
            continue;
        }
        if !here || !found.is_empty() && !named {
            break;
        }
        if named {
            found.push(word.lower.as_ref());
        }
    }
    found
}
