//! All that can be measured about a claim and a passage, as one row of numbers.
//!
//! What the comparisons found is evidence among other evidence here: how much of the claim was found and
//! of what kind it is, whether words that stand together in the claim stand together in the passage, in
//! which order, who stands on which side of the verb. The row is what [`super::weights`] weighs.

use probity_text::hedge::Hedge;
use probity_text::lemma::Form;
use probity_text::quantity::{Amount as Value, Bound};
use probity_text::tag::Tag;

use super::company::company;
use super::deeds::deeds;
use super::evidence::{Lost, is_colourless, scattered};
use super::finding::{Finding, Kind};
use super::frame::Frame;
use super::judge::Coverage;
use super::numbers::Numbers;
use super::pair::{GENERIC, Pair, home_clause, listed};
use super::reading::{Clause, Word};

/// Two words of the source this far apart or nearer stand together.
const TOGETHER: usize = 6;
/// Words found by spelling or lexicon are graded above this.
const BY_LEXICON: f32 = 0.76;
/// Distances in the source beyond this say nothing more.
const FAR: usize = 40;

/// A row of measurements, each with its name.
pub(super) type Signals = Vec<(&'static str, f32)>;

/// What was found out before the row is made.
pub(super) struct Known<'a> {
    pub coverage: &'a Coverage,
    pub likeness: f32,
    pub lost: &'a Lost,
    pub numbers: &'a Numbers,
    pub findings: &'a [Finding],
    /// How many sentences the source has.
    pub sentences: usize,
}

/// Measures a claim against a passage.
pub(super) fn signals(pair: &Pair<'_>, known: &Known<'_>) -> Signals {
    let mut row = Signals::new();
    covered(pair, known, &mut row);
    shaped(pair, &mut row);
    together(pair, &mut row);
    sided(pair, &mut row);
    deeds(pair, known.numbers, &mut row);
    toned(pair, &mut row);
    for (name, kinds) in GROUPS {
        let count = known.findings.iter().filter(|finding| kinds.contains(&finding.kind)).count();
        row.push((name, count.min(2) as f32));
    }
    let against = known.findings.iter().filter(|finding| finding.kind.contradicts()).count();
    row.push(("contradictions", against.min(3) as f32));
    row.push(("reservations", (known.findings.len() - against).min(3) as f32));
    let weight: f64 = known.findings.iter().map(|finding| finding.kind.weight()).sum();
    row.push(("weight of findings", weight.max(-9.0) as f32));
    row
}

/// The kinds of findings, one measurement each.
const GROUPS: [(&str, &[Kind]); 21] = [
    ("number", &[Kind::Number, Kind::Label]),
    ("number added", &[Kind::NumberAdded]),
    ("number near", &[Kind::NumberNear]),
    ("binding", &[Kind::Binding]),
    ("exchanged", &[Kind::Exchanged]),
    ("stranger", &[Kind::Stranger]),
    ("attribute", &[Kind::Attribute]),
    ("comparison", &[Kind::Comparison]),
    ("opposite", &[Kind::Opposite]),
    ("denied", &[Kind::Denied]),
    ("denied loosely", &[Kind::DeniedLoosely]),
    ("order", &[Kind::Order]),
    ("replaced", &[Kind::Replaced]),
    ("misplaced", &[Kind::Misplaced]),
    ("hedge", &[Kind::Hedge]),
    ("limit", &[Kind::Limit]),
    ("duty", &[Kind::Duty]),
    ("quantifier", &[Kind::Quantifier]),
    ("cause", &[Kind::Cause]),
    ("rank", &[Kind::Rank]),
    ("added", &[Kind::Added]),
];

/// How much of the claim was found.
fn covered(pair: &Pair<'_>, known: &Known<'_>, row: &mut Signals) {
    let Known { coverage, lost, numbers, .. } = known;
    row.push(("graded", coverage.graded));
    row.push(("firm", coverage.firm));
    row.push(("likeness", known.likeness));
    row.push(("lost verb", lost.verb as f32));
    row.push(("lost noun", lost.noun as f32));
    row.push(("lost name", lost.name as f32));
    row.push(("lost other", lost.other as f32));
    row.push(("scattered", scattered(pair) as f32));
    row.push(("numbers", pair.claim_amounts().count().min(4) as f32));
    row.push(("numbers missing", numbers.missing.min(3) as f32));
    row.push(("numbers confirmed", numbers.confirmed.len().min(3) as f32));
    row.push(("numbers reckoned", numbers.reckoned.min(2) as f32));
    company(pair, numbers, row);
    let vague =
        pair.claim_amounts().filter(|(_, amount)| !matches!(amount.quantity.bound, Bound::Exactly));
    row.push(("numbers bounded", vague.count().min(2) as f32));
    let (mut open, mut near, mut total) = (0.0, 0.0, 0.0);
    let mut weakest = 1.0_f32;
    let mut away = 0.0;
    for (at, word) in pair.content() {
        let link = pair.align.link(at);
        let grade = link.map_or(0.0, |link| link.grade);
        total += 1.0;
        open += f32::from(u8::from(grade < 0.5));
        near += f32::from(u8::from((0.5..BY_LEXICON).contains(&grade)));
        if word.weight > 0.4 && !is_colourless(word) && !listed(word, GENERIC) {
            weakest = weakest.min(grade);
        }
        let outside = link.is_some_and(|link| !pair.align.passage.contains(&link.at));
        away += f32::from(u8::from(outside));
    }
    row.push(("words", total));
    row.push(("open words", open));
    row.push(("near words", near));
    row.push(("share open", share(open, total)));
    row.push(("weakest", weakest));
    row.push(("names from elsewhere", away));
    row.push(("sentences", (known.sentences as f32).ln_1p()));
    row.push(("passage", pair.passage.len() as f32));
}

/// A part of a whole; nothing of nothing is 0.
pub(super) fn share(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// What the claim looks like, and how much of the sentence it takes up.
fn shaped(pair: &Pair<'_>, row: &mut Signals) {
    let spoken = pair.claim_words().filter(|(_, word)| word.tag != Tag::Mark).count();
    row.push(("length", spoken as f32));
    row.push(("clauses", pair.sentence.clauses.len() as f32));
    let names: Vec<(usize, &Word)> =
        pair.content().filter(|(_, word)| word.tag == Tag::Name).collect();
    let here = names
        .iter()
        .filter(|(at, _)| {
            pair.counterpart(*at).is_some_and(|(_, word)| word.sentence == pair.align.anchor)
        })
        .count();
    row.push(("names", names.len().min(6) as f32));
    row.push(("names here", share(here as f32, names.len() as f32)));
    let anchor: Vec<(usize, &Word)> =
        pair.anchor_words().filter(|(_, word)| word.is_content()).collect();
    let used = anchor.iter().filter(|(at, _)| pair.align.claimed(*at).is_some()).count();
    row.push(("anchor", anchor.len().min(40) as f32));
    row.push(("anchor used", share(used as f32, anchor.len() as f32)));
    let home = home_clause(pair);
    let inside = pair
        .content()
        .filter(|(at, _)| pair.counterpart(*at).is_some_and(|(_, word)| Some(word.clause) == home))
        .count();
    let found = pair.content().filter(|(at, _)| pair.align.firm(*at).is_some()).count();
    row.push(("one clause", share(inside as f32, found as f32)));
    let rivals = pair
        .anchor_words()
        .filter(|(at, word)| {
            word.tag == Tag::Name && word.is_content() && pair.align.claimed(*at).is_none()
        })
        .count();
    row.push(("other names", rivals.min(6) as f32));
    let dated = pair.source_amounts().filter(|(_, known)| {
        known.sentence == pair.align.anchor && matches!(known.quantity.amount, Value::Date(_))
    });
    row.push(("dates here", dated.count().min(4) as f32));
    let amounts = pair.source_amounts().filter(|(_, known)| known.sentence == pair.align.anchor);
    row.push(("amounts here", amounts.count().min(8) as f32));
}

/// Whether neighbours in the claim are neighbours in the passage, and in the same order.
fn together(pair: &Pair<'_>, row: &mut Signals) {
    let mut places: Vec<(usize, usize)> = pair
        .content()
        .filter_map(|(at, _)| pair.align.firm(at).map(|link| (at, link.at)))
        .collect();
    places.sort_unstable();
    let (mut pairs, mut close, mut apart, mut widest, mut forward, mut crossing) =
        (0.0, 0.0, 0.0, 0_usize, 0.0, 0.0);
    let mut jump = 0_usize;
    for two in places.windows(2) {
        let [(_, a), (_, b)] = two else { continue };
        let distance = a.abs_diff(*b).min(FAR);
        pairs += 1.0;
        close += f32::from(u8::from(distance <= TOGETHER));
        widest = widest.max(distance);
        if !is_taken_up(pair, two) {
            jump = jump.max(distance);
        }
        forward += f32::from(u8::from(b >= a));
        let clause = |at: usize| pair.source.word(at).map(|word| word.clause);
        let sentence = |at: usize| pair.source.word(at).map(|word| word.sentence);
        apart += f32::from(u8::from(clause(*a) != clause(*b)));
        crossing += f32::from(u8::from(sentence(*a) != sentence(*b)));
    }
    row.push(("pairs close", if pairs > 0.0 { close / pairs } else { 0.5 }));
    row.push(("pairs forward", if pairs > 0.0 { forward / pairs } else { 0.5 }));
    row.push(("pairs in two clauses", share(apart, pairs)));
    row.push(("pairs in two sentences", share(crossing, pairs)));
    row.push(("widest gap", widest as f32));
    row.push(("widest jump", jump as f32));
    let first = places.iter().map(|(_, place)| *place).min().unwrap_or(0);
    let last = places.iter().map(|(_, place)| *place).max().unwrap_or(0);
    let stretch = (last - first).min(2 * FAR);
    row.push(("stretch", stretch as f32 / (places.len().max(1)) as f32));
    row.push(("copied", copied(pair)));
}

/// Whether the first of two neighbours is the claim's subject, and the second is said in a later sentence of
/// a pronoun: "The bridge links the towns. It cost 3 million."
fn is_taken_up(pair: &Pair<'_>, two: &[(usize, usize)]) -> bool {
    let [(mine, a), (next, b)] = two else { return false };
    let (Some(first), Some(second)) = (pair.source.word(*a), pair.source.word(*b)) else {
        return false;
    };
    let clause = pair.claim.word(*mine).map_or(0, |word| word.clause);
    let verb = Frame::new(pair.claim, clause).predicate;
    let subject = verb.is_some_and(|verb| *mine < verb && *next >= verb);
    subject && first.sentence < second.sentence && Frame::new(pair.source, second.clause).pronoun
}

/// The share of the claim's neighbouring words that are neighbours in the same order in the passage.
fn copied(pair: &Pair<'_>) -> f32 {
    let mine: Vec<&str> = spoken(pair.claim_words());
    let theirs: Vec<&str> = spoken(pair.source_words());
    let whole = mine.windows(2).count() as f32;
    let same = mine.windows(2).filter(|two| theirs.windows(2).any(|other| other == *two)).count();
    share(same as f32, whole)
}

fn spoken<'a>(words: impl Iterator<Item = (usize, &'a Word)>) -> Vec<&'a str> {
    words.filter(|(_, word)| word.tag != Tag::Mark).map(|(_, word)| word.lower.as_ref()).collect()
}

/// Who stands on which side of the verb.
fn sided(pair: &Pair<'_>, row: &mut Signals) {
    let (mut predicate, mut subject, mut object, mut turned) = (0.0_f32, 0.0_f32, 0.0_f32, 0.0_f32);
    let mut same_verb = 0.0_f32;
    let mut colourless = 0.0_f32;
    if let Some(clause) = pair.sentence.clauses.clone().next() {
        let mine = Frame::new(pair.claim, clause);
        if let Some(verb) = mine.predicate {
            predicate = pair.align.link(verb).map_or(0.0, |link| link.grade);
            let word = pair.claim.word(verb);
            colourless = f32::from(u8::from(
                word.is_some_and(|word| is_colourless(word) || !word.is_content()),
            ));
            if let Some(link) = pair.align.firm(verb) {
                let theirs = Frame::around(pair.source, link.at);
                let same = word.zip(pair.source.word(link.at));
                same_verb = f32::from(u8::from(same.is_some_and(|(a, b)| a.lemma == b.lemma)));
                subject = kept(pair, mine.agent(), theirs.agent());
                object = kept(pair, mine.patient(), theirs.patient());
                turned = kept(pair, mine.agent(), theirs.patient()).max(kept(
                    pair,
                    mine.patient(),
                    theirs.agent(),
                ));
            }
        }
    }
    row.push(("predicate", predicate));
    row.push(("predicate colourless", colourless));
    row.push(("same verb", same_verb));
    row.push(("agent kept", subject));
    row.push(("patient kept", object));
    row.push(("sides turned", turned));
}

/// 1 if one of the claim's places was found among those of the source, −1 if it was found elsewhere.
fn kept(pair: &Pair<'_>, mine: &[usize], theirs: &[usize]) -> f32 {
    let mut found = mine.iter().filter_map(|at| pair.align.firm(*at)).peekable();
    if found.peek().is_none() || theirs.is_empty() {
        return 0.0;
    }
    if found.any(|link| theirs.contains(&link.at)) { 1.0 } else { -1.0 }
}

/// Denials, hedges and extremes on either side.
fn toned(pair: &Pair<'_>, row: &mut Signals) {
    let flag = |yes: bool| f32::from(u8::from(yes));
    let mine = pair.claim_words().any(|(_, word)| word.cue);
    let theirs = pair.anchor_words().any(|(_, word)| word.cue);
    row.push(("claim denies", flag(mine)));
    row.push(("source denies", flag(theirs)));
    row.push(("one denies", flag(mine != theirs)));
    let soft = |clauses: &[Clause]| {
        clauses
            .iter()
            .flat_map(|clause| &clause.hedges)
            .any(|(hedge, _)| !matches!(hedge, Hedge::Able | Hedge::Obliged | Hedge::Advised))
    };
    let claim = soft(pair.claim.clauses.get(pair.sentence.clauses.clone()).unwrap_or_default());
    let anchor = pair.source.sentences.get(pair.align.anchor).map(|each| each.clauses.clone());
    let source = anchor.and_then(|clauses| pair.source.clauses.get(clauses)).is_some_and(soft);
    row.push(("claim hedges", flag(claim)));
    row.push(("source hedges", flag(source)));
    let extreme = |word: &Word| {
        matches!(word.form, Form::Superlative)
            || listed(word, "only first last all every each never none always any entire whole no")
    };
    let here = pair.claim_words().any(|(_, word)| extreme(word));
    let there = pair.anchor_words().any(|(_, word)| extreme(word));
    row.push(("claim extreme", flag(here)));
    row.push(("claim alone extreme", flag(here && !there)));
    let compares = |word: &Word| {
        word.form == Form::Comparative
            || listed(word, "more less fewer than before after earlier later")
    };
    row.push(("claim compares", flag(pair.claim_words().any(|(_, word)| compares(word)))));
    row.push(("source compares", flag(pair.anchor_words().any(|(_, word)| compares(word)))));
    let opposites = pair
        .content()
        .filter(|(at, _)| pair.align.link(*at).is_some_and(|link| link.opposite))
        .count();
    row.push(("opposites", opposites.min(2) as f32));
}
