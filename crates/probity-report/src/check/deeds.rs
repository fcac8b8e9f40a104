//! What the claim says was done, and whether the passage says it of the same things: a verb that left no
//! trace, one that was found only as a noun, one that stands elsewhere than what it is said of.
//!
//! "The mayor resigned over the cost" against a page on the mayor and the cost: all is there but the deed.

use probity_text::tag::Tag;

use super::evidence::is_colourless;
use super::frame::Frame;
use super::kinship::ALIGNED;
use super::numbers::Numbers;
use super::pair::{Pair, home_clause};
use super::reading::Word;
use super::signals::{Signals, share};

/// Distances beyond this say nothing more.
const FAR: usize = 20;

/// Below this grade a word has left no trace in the passage.
const TRACE: f32 = 0.35;

/// One verb of the claim.
struct Deed {
    at: usize,
    frame: Frame,
    clause: usize,
}

/// Measures the claim's verbs.
pub(super) fn deeds(pair: &Pair<'_>, numbers: &Numbers, row: &mut Signals) {
    let deeds: Vec<Deed> = pair.sentence.clauses.clone().filter_map(|at| deed(pair, at)).collect();
    let (mut lost, mut noun, mut apart, mut all, mut gap) = (0.0_f32, 0.0_f32, 0.0, 0.0, 0_usize);
    let (mut elsewhere, mut like) = (0.0_f32, 1.0_f32);
    for deed in &deeds {
        let grade = pair.align.link(deed.at).map_or(0.0, |link| link.grade);
        let telling = pair.claim.word(deed.at).is_some_and(is_telling);
        if telling {
            lost = lost.max(1.0 - grade);
            like = like.min(nearest(pair, deed.at));
        }
        let Some((place, source)) = pair.counterpart(deed.at) else { continue };
        let verb = pair.claim.word(deed.at).is_some_and(|word| word.tag == Tag::Verb);
        if verb && source.tag == Tag::Noun {
            noun = 1.0;
        }
        for (other, found) in dependents(&deed.frame).filter_map(|at| pair.counterpart(at)) {
            all += 1.0;
            apart += f32::from(u8::from(found.clause != source.clause));
            if found.sentence == source.sentence {
                gap = gap.max(place.abs_diff(other).min(FAR));
            }
        }
        if telling && is_object_elsewhere(pair, &deed.frame, place) {
            elsewhere = 1.0;
        }
    }
    row.push(("deed lost", lost));
    row.push(("deed likeness", like));
    row.push(("deed as noun", noun));
    row.push(("deed apart", share(apart, all)));
    row.push(("deed gap", gap as f32));
    row.push(("object elsewhere", elsewhere));
    row.push(("number apart", number_apart(pair, numbers, &deeds)));
    row.push(("other deed", other_deed(pair, &deeds)));
}

/// Whether the passage has no trace of what the claim says was done, nor of whom it is said: "the mayor
/// resigned over the cost" against a page on the cost.
pub(super) fn is_hollow(pair: &Pair<'_>, numbers: &Numbers) -> bool {
    // A number that agrees, or a denial, may hold what the words do not.
    let counted = numbers
        .confirmed
        .iter()
        .filter_map(|each| pair.claim.amounts.get(each.claim))
        .any(|amount| !amount.label);
    if counted || pair.claim_words().any(|(_, word)| word.cue) {
        return false;
    }
    let Some(deed) = pair.sentence.clauses.clone().next().and_then(|at| deed(pair, at)) else {
        return false;
    };
    let lost = pair.claim.word(deed.at).is_some_and(is_telling)
        && pair.align.link(deed.at).is_none_or(|link| link.grade < TRACE);
    let subject = &deed.frame.subject;
    lost && !subject.is_empty() && subject.iter().all(|at| pair.align.firm(*at).is_none())
}

fn deed(pair: &Pair<'_>, clause: usize) -> Option<Deed> {
    let frame = Frame::new(pair.claim, clause);
    let at = frame.predicate.filter(|at| pair.sentence.words.contains(at))?;
    Some(Deed { at, frame, clause })
}

/// Whether a verb says something by itself.
fn is_telling(word: &Word) -> bool {
    word.tag == Tag::Verb && word.weight > 0.3 && !is_colourless(word)
}

/// How near in meaning the nearest word of the passage is to a verb of the claim.
fn nearest(pair: &Pair<'_>, at: usize) -> f32 {
    let Some(word) = pair.claim.word(at) else { return 0.0 };
    let cosines = pair
        .source_words()
        .filter(|(_, other)| other.is_content() && other.tag != Tag::Name)
        .map(|(_, other)| word.vector().cosine(other.vector()));
    cosines.fold(0.0, f32::max)
}

/// All that is said of or with a verb.
fn dependents(frame: &Frame) -> impl Iterator<Item = usize> {
    let hanging = frame.hanging.iter().map(|each| each.at);
    frame.subject.iter().chain(&frame.object).chain(&frame.by).copied().chain(hanging)
}

/// What the claim's verb is done to is something else in the passage, and what it is done to there is not
/// in the claim: "won her last game" against "won the title, drawing her last game".
fn is_object_elsewhere(pair: &Pair<'_>, mine: &Frame, verb: usize) -> bool {
    let theirs = Frame::around(pair.source, verb);
    let object = mine.object.last().filter(|_| !mine.passive && !theirs.passive);
    let Some((place, _)) = object.and_then(|at| pair.counterpart(*at)) else { return false };
    let here = theirs.object.contains(&place) || theirs.hanging.iter().any(|each| each.at == place);
    let other = theirs.object.iter().any(|at| pair.align.claimed(*at).is_none());
    !here && other
}

/// The share of the claim's numbers whose verb stands in another clause than they do, in the passage.
fn number_apart(pair: &Pair<'_>, numbers: &Numbers, deeds: &[Deed]) -> f32 {
    let (mut apart, mut all) = (0.0, 0.0);
    for confirmed in &numbers.confirmed {
        let (Some(mine), Some(known)) =
            (pair.claim.amounts.get(confirmed.claim), pair.source.amounts.get(confirmed.source))
        else {
            continue;
        };
        let clause = pair.claim.word(mine.words.start).map(|word| word.clause);
        let verb = deeds.iter().find(|deed| Some(deed.clause) == clause);
        let found = verb.and_then(|deed| pair.counterpart(deed.at));
        let Some((_, source)) = found else { continue };
        let there = pair.source.word(known.words.start).map(|word| word.clause);
        all += 1.0;
        apart += f32::from(u8::from(there != Some(source.clause)));
    }
    share(apart, all)
}

/// Whether the clause that holds most of the claim says something with a verb that the claim does not have,
/// while the claim's own verb is not there.
fn other_deed(pair: &Pair<'_>, deeds: &[Deed]) -> f32 {
    let Some(home) = home_clause(pair) else { return 0.0 };
    let theirs = Frame::new(pair.source, home).predicate;
    let telling = theirs.and_then(|at| Some((at, pair.source.word(at)?)));
    let free =
        telling.is_some_and(|(at, word)| is_telling(word) && pair.align.claimed(at).is_none());
    let own = deeds.iter().any(|deed| {
        let link = pair.align.link(deed.at).filter(|link| link.grade >= ALIGNED);
        link.and_then(|link| pair.source.word(link.at)).is_some_and(|word| word.clause == home)
    });
    f32::from(u8::from(free && !own))
}
