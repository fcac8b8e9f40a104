//! A claim that copies a sentence nearly word for word: here every change counts.
//!
//! ```text
//! words of the claim ┐
//!                    ├→ longest common run of words → gaps → exchanged, replaced, turned round, denied
//! words of a sentence┘
//! ```

use std::ops::Range;

use probity_text::lemma::Form;
use probity_text::lexicon::{Relation, relation};
use probity_text::tag::Tag;

use super::finding::{Finding, Kind};
use super::kinship::{ALIGNED, kinship, likeness};
use super::pair::Pair;
use super::reading::{Reading, Word};

/// Longer sentences are not compared word for word.
const MAX_WORDS: usize = 120;
/// From this share of shared words on, a claim is a copy.
const COPIED: f32 = 0.6;
/// From this share on, a copy in which hardly anything was touched.
const CLOSE: f32 = 0.75;
/// A replaced phrase has at most so many words that say something.
const SHORT: usize = 3;
/// From this likeness on, two words may be synonyms that no table knows.
const ALIKE: f32 = 0.45;

/// The words between two shared ones, in the claim and in the sentence.
struct Gap {
    claim: Vec<usize>,
    source: Vec<usize>,
    /// Shared words stand on both sides.
    enclosed: bool,
}

/// Finds what was changed in a claim that is nearly a copy of the sentence that holds most of it.
pub(super) fn changed(pair: &Pair<'_>) -> Option<Finding> {
    let sentence = pair.source.sentences.get(pair.align.anchor)?;
    let mine = spoken(pair.claim, pair.sentence.words.clone());
    let theirs = spoken(pair.source, sentence.words.clone());
    if mine.len() < 4 || mine.len() > MAX_WORDS || theirs.len() > MAX_WORDS {
        return None;
    }
    let shared = common(pair, &mine, &theirs);
    if (shared.len() as f32) < COPIED * mine.len() as f32 {
        return None;
    }
    let gaps = gaps(&mine, &theirs, &shared);
    let close = shared.len() as f32 >= CLOSE * mine.len() as f32;
    exchanged(pair, &gaps)
        .or_else(|| gaps.iter().find_map(|gap| denied(pair, gap).filter(|_| close)))
        .or_else(|| {
            gaps.iter().find_map(|gap| turned(pair, gap).or_else(|| replaced(pair, gap, close)))
        })
        .or_else(|| gaps.first().filter(|_| close).and_then(|gap| other_opening(pair, gap)))
}

fn spoken(reading: &Reading<'_>, words: Range<usize>) -> Vec<usize> {
    reading.span(words).filter(|(_, word)| word.tag != Tag::Mark).map(|(at, _)| at).collect()
}

fn is_same(a: &Word, b: &Word) -> bool {
    a.lower == b.lower || a.lemma == b.lemma && a.amount.is_none() && b.amount.is_none()
}

/// The longest run of words that both have in the same order, as places in the two lists.
fn common(pair: &Pair<'_>, mine: &[usize], theirs: &[usize]) -> Vec<(usize, usize)> {
    let same = |a: usize, b: usize| {
        mine.get(a).and_then(|at| pair.claim.word(*at)).is_some_and(|a| {
            theirs.get(b).and_then(|at| pair.source.word(*at)).is_some_and(|b| is_same(a, b))
        })
    };
    let width = theirs.len() + 1;
    let mut table = vec![0_u16; (mine.len() + 1) * width];
    let get = |table: &[u16], a: usize, b: usize| table.get(a * width + b).copied().unwrap_or(0);
    for a in (0..mine.len()).rev() {
        for b in (0..theirs.len()).rev() {
            let length = if same(a, b) {
                get(&table, a + 1, b + 1) + 1
            } else {
                get(&table, a + 1, b).max(get(&table, a, b + 1))
            };
            if let Some(cell) = table.get_mut(a * width + b) {
                *cell = length;
            }
        }
    }
    let (mut a, mut b) = (0, 0);
    let mut found = Vec::new();
    while a < mine.len() && b < theirs.len() {
        if same(a, b) {
            found.push((a, b));
            a += 1;
            b += 1;
        } else if get(&table, a + 1, b) >= get(&table, a, b + 1) {
            a += 1;
        } else {
            b += 1;
        }
    }
    found
}

fn gaps(mine: &[usize], theirs: &[usize], shared: &[(usize, usize)]) -> Vec<Gap> {
    let mut found = Vec::new();
    let (mut a, mut b) = (0, 0);
    let ends = shared.iter().copied().chain([(mine.len(), theirs.len())]);
    for (number, (next_a, next_b)) in ends.enumerate() {
        let claim = mine.get(a..next_a).unwrap_or_default().to_vec();
        let source = theirs.get(b..next_b).unwrap_or_default().to_vec();
        if !claim.is_empty() || !source.is_empty() {
            found.push(Gap { claim, source, enclosed: number > 0 && number < shared.len() });
        }
        (a, b) = (next_a + 1, next_b + 1);
    }
    found
}

/// The words of some places that say something, pronouns among them.
fn saying<'a>(reading: &'a Reading<'_>, places: &[usize]) -> Vec<(usize, &'a Word)> {
    places
        .iter()
        .filter_map(|at| Some((*at, reading.word(*at)?)))
        .filter(|(_, word)| word.is_content() || word.amount.is_some())
        .collect()
}

/// Two gaps hold each other's words, and nothing that would make that good: "A beat B" for "B beat
/// A", but not "A was beaten by B".
fn exchanged(pair: &Pair<'_>, gaps: &[Gap]) -> Option<Finding> {
    let bare = |reading: &Reading<'_>, places: &[usize]| {
        places
            .iter()
            .filter_map(|at| reading.word(*at))
            .all(|word| word.is_content() || word.amount.is_some() || word.tag == Tag::Determiner)
    };
    let holds = |claim: &[usize], source: &[usize]| {
        let (mine, theirs) = (saying(pair.claim, claim), saying(pair.source, source));
        !mine.is_empty() && mine.iter().all(|(_, a)| theirs.iter().any(|(_, b)| is_same(a, b)))
    };
    for (number, first) in gaps.iter().enumerate() {
        for second in gaps.iter().skip(number + 1) {
            let crossed =
                holds(&first.claim, &second.source) && holds(&second.claim, &first.source);
            let plain = bare(pair.claim, &first.claim) && bare(pair.claim, &second.claim);
            if !crossed || !plain || is_listed_apart(pair, &first.claim, &second.claim) {
                continue;
            }
            let a = saying(pair.claim, &first.claim).first()?.1;
            let b = saying(pair.claim, &second.claim).first()?.1;
            return Some(Finding::new(
                Kind::Exchanged,
                format!("“{}” and “{}” have changed places", a.lower, b.lower),
            ));
        }
    }
    None
}

/// "A and B" for "B and A" is the same.
fn is_listed_apart(pair: &Pair<'_>, first: &[usize], second: &[usize]) -> bool {
    let (Some(end), Some(start)) = (first.last(), second.first()) else { return false };
    let between: Vec<&Word> = pair.claim.span(end + 1..*start).map(|(_, word)| word).collect();
    !between.is_empty()
        && between
            .iter()
            .all(|word| matches!(word.lower.as_ref(), "and" | "or" | "," | "with" | "the"))
}

/// A denial was put in or left out.
fn denied(pair: &Pair<'_>, gap: &Gap) -> Option<Finding> {
    let denies = |reading: &Reading<'_>, places: &[usize]| {
        places.iter().filter_map(|at| reading.word(*at)).any(|word| {
            matches!(word.lower.as_ref(), "not" | "never" | "no" | "n't" | "cannot" | "neither")
        })
    };
    let only = |reading: &Reading<'_>, places: &[usize]| {
        saying(reading, places).is_empty() && !places.is_empty()
    };
    let mine = denies(pair.claim, &gap.claim);
    let theirs = denies(pair.source, &gap.source);
    if mine == theirs
        || !gap.enclosed
        || gap.claim.len().max(gap.source.len()) > 2
        || has_opposite(pair)
    {
        return None;
    }
    // Only the denial differs: what else stands there may say the same in other words.
    let plain = if mine {
        only(pair.claim, &gap.claim) && saying(pair.source, &gap.source).is_empty()
    } else {
        only(pair.source, &gap.source) && saying(pair.claim, &gap.claim).is_empty()
    };
    plain.then(|| {
        let text = if mine {
            "the claim denies what the source says"
        } else {
            "the source denies what the claim says"
        };
        Finding::new(Kind::Denied, text)
    })
}

/// Whether some word of the claim is answered by its opposite, which a denial makes good.
pub(super) fn has_opposite(pair: &Pair<'_>) -> bool {
    pair.content().any(|(at, _)| pair.align.link(at).is_some_and(|link| link.opposite))
}

/// A word stands where the sentence has its opposite, small words among them.
fn turned(pair: &Pair<'_>, gap: &Gap) -> Option<Finding> {
    let words = |reading: &'_ Reading<'_>, places: &[usize]| -> Vec<(Box<str>, Box<str>)> {
        let known = places.iter().filter_map(|at| reading.word(*at));
        known.map(|word| (word.lower.clone(), word.lemma.clone())).collect()
    };
    let denial = |reading: &Reading<'_>, places: &[usize]| {
        places.iter().filter_map(|at| reading.word(*at)).any(|word| word.cue)
    };
    if gap.claim.len() > SHORT + 1
        || gap.source.len() > SHORT + 1
        || denial(pair.claim, &gap.claim)
        || denial(pair.source, &gap.source)
    {
        return None;
    }
    let (mine, theirs) = (words(pair.claim, &gap.claim), words(pair.source, &gap.source));
    let opposite = |a: &(Box<str>, Box<str>), b: &(Box<str>, Box<str>)| {
        [&a.0, &a.1]
            .into_iter()
            .any(|a| [&b.0, &b.1].into_iter().any(|b| relation(a, b) == Some(Relation::Opposite)))
    };
    mine.iter().find_map(|a| {
        let b = theirs.iter().find(|b| opposite(a, b))?;
        Some(Finding::new(Kind::Opposite, format!("the source says “{}”, not “{}”", b.0, a.0)))
    })
}

/// A copied sentence that opens with another name: "Pryor, a former fire chief" for "Whitlock, a former
/// fire chief".
fn other_opening(pair: &Pair<'_>, gap: &Gap) -> Option<Finding> {
    let opens = pair.sentence.words.start == *gap.claim.first()?
        && pair.source.sentences.get(pair.align.anchor)?.words.start == *gap.source.first()?;
    let (mine, theirs) = (saying(pair.claim, &gap.claim), saying(pair.source, &gap.source));
    let named = |words: &[(usize, &Word)]| {
        !words.is_empty() && words.iter().all(|(_, word)| word.tag == Tag::Name)
    };
    let akin = mine.iter().any(|(_, a)| theirs.iter().any(|(_, b)| kinship(a, b).grade >= ALIGNED));
    if !opens || !named(&mine) || !named(&theirs) || akin {
        return None;
    }
    Some(Finding::new(
        Kind::Stranger,
        format!(
            "the source says this of “{}”, not of “{}”",
            theirs.last()?.1.lower,
            mine.last()?.1.lower
        ),
    ))
}

/// A word stands where the sentence has another that is not akin to it.
fn replaced(pair: &Pair<'_>, gap: &Gap, close: bool) -> Option<Finding> {
    let (mine, theirs) = (saying(pair.claim, &gap.claim), saying(pair.source, &gap.source));
    let counts = |word: &Word| {
        // Verbs have more synonyms than any table.
        let verb = word.tag == Tag::Verb && close;
        word.amount.is_none()
            && (verb || matches!(word.tag, Tag::Noun | Tag::Name | Tag::Adjective))
    };
    let short = (1..=SHORT).contains(&mine.len()) && (1..=SHORT).contains(&theirs.len());
    let same_size = gap.claim.len().abs_diff(gap.source.len()) <= 1;
    if !short || !same_size || !gap.enclosed {
        return None;
    }
    let akin = |a: &Word, b: &Word| {
        let kin = kinship(a, b);
        kin.grade >= ALIGNED || !kin.rivals && likeness(a, b) > ALIKE
    };
    let (at, word) = mine.iter().find(|(_, word)| counts(word) && word.weight > 0.3)?;
    let strange = !theirs.iter().any(|(_, other)| akin(word, other))
        && !pair.align.firm(*at).is_some_and(|link| {
            // An adjective that stands elsewhere is another word for this one as likely as not.
            word.tag == Tag::Adjective
                || word.form != Form::Base
                || pair
                    .source
                    .word(link.at)
                    .is_some_and(|found| found.sentence == pair.align.anchor)
        });
    let other = theirs.iter().map(|(_, other)| *other).find(|other| other.tag == word.tag)?;
    strange.then(|| {
        Finding::new(
            Kind::Replaced,
            format!("the source says “{}”, not “{}”", other.lower, word.lower),
        )
    })
}
