//! One sentence of a claim against one passage: how well it is borne out, and what differs.

use std::ops::Range;

use probity_text::embed::Vector;

use super::Support;
use super::additions::additions;
use super::align::{Alignment, Kin, Link};
use super::attributes::attributes;
use super::binding::bindings;
use super::comparison::comparison;
use super::copy::changed;
use super::deeds::is_hollow;
use super::denial::{is_record, unfounded};
use super::edges::misplaced;
use super::evidence::Lost;
use super::extent::extent;
use super::family::{is_converse, reversed};
use super::finding::{Finding, Kind};
use super::index::Index;
use super::life::misdated;
use super::likelihood::likelihood;
use super::numbers::{Numbers, numbers};
use super::order::order;
use super::outcome::{forsaken, lost_or_won, pending};
use super::pair::Pair;
use super::planned::planned;
use super::polarity::polarity;
use super::reading::{Reading, Sentence, Word};
use super::roles::roles;
use super::scores::scores;
use super::sequence::sequence;
use super::signals::{Known, Signals, signals};
use super::slots::replaced;
use super::stages::further;
use super::strength::{is_exception_kept, strength};
use super::trend::trend;
use super::weights::THRESHOLD;

/// What a quantity weighs beside words.
const AMOUNT_WEIGHT: f32 = 1.2;
/// Words found by spelling or lexicon are graded above this.
const BY_LEXICON: f32 = 0.76;
/// Below this share of the claim, details of how it differs mean nothing.
const COMPARABLE: f32 = 0.3;
/// From this score on a claim that is not supported may be partly so.
const PARTLY: f64 = 0.42;
/// Below this score a claim is not supported, whatever else speaks for it.
const HELD: f64 = 0.55;
/// From this score on what contradicts a claim speaks of the same thing.
const OPPOSED: f64 = 0.55;

/// The verdict on one sentence of a claim and one passage.
#[derive(Debug, Clone)]
pub(super) struct Judgement {
    pub support: Support,
    pub value: f64,
    /// The sentences of the passage.
    pub passage: Range<usize>,
    pub reasons: Vec<String>,
    /// How much of the claim the passage holds, from 0 to 1.
    pub score: f64,
    /// Whether it holds nearly all of it and contradicts the rest.
    pub opposed: bool,
    /// What the verdict rests on.
    pub signals: Signals,
}

impl Judgement {
    /// How well the passage covers the claim, with a little for agreeing with it.
    pub(super) fn rank(&self) -> f64 {
        let agrees = match self.support {
            Support::Supported => 0.06,
            Support::Partly => 0.03,
            Support::Unsupported => 0.0,
        };
        self.score + agrees
    }

    /// The verdict where the source has nothing to compare with.
    pub(super) fn nothing() -> Self {
        let reasons = vec!["the source says nothing on this".to_owned()];
        Self {
            support: Support::Unsupported,
            value: 0.0,
            passage: 0..0,
            reasons,
            score: 0.0,
            opposed: false,
            signals: Signals::new(),
        }
    }
}

/// Judges a claim's sentence by a passage of a source.
pub(super) fn judge(
    index: &Index<'_>,
    claim: &Reading<'_>,
    sentence: &Sentence,
    kin: &Kin,
    vector: &Vector,
    passage: Range<usize>,
) -> Judgement {
    let source = &index.reading;
    let align = Alignment::new(claim, kin, index, span(source, &passage));
    let pair = Pair { claim, sentence, source, passage: passage.clone(), align: &align };
    let numbers = numbers(&pair);
    let coverage = Coverage::of(&pair, &numbers);
    let likeness = index.likeness(vector, passage.clone());
    let score = f64::from(0.75 * coverage.graded + 0.15 * coverage.firm + 0.1 * likeness);
    let findings = if coverage.graded > COMPARABLE {
        differences(&pair, &numbers)
    } else {
        numbers.findings.clone()
    };
    let lost = Lost::of(&pair);
    let known = Known {
        coverage: &coverage,
        likeness,
        lost: &lost,
        numbers: &numbers,
        findings: &findings,
        sentences: source.sentences.len(),
    };
    let signals = signals(&pair, &known);
    // Where most of a claim stands nowhere, no weighing can find it: no labelled claim is about something
    // else altogether.
    let likely = likelihood(&signals);
    let held = score >= HELD && !is_hollow(&pair, &numbers);
    let likely = if held { likely } else { likely.min(THRESHOLD * 0.9) };
    let (support, value) = verdict(score, likely, &findings);
    let contradicted = findings.iter().any(|finding| finding.kind.opposes())
        && findings.iter().all(|finding| finding.kind != Kind::Label);
    let opposed = score >= OPPOSED && contradicted && support < Support::Supported;
    let reasons = match told(findings) {
        _ if support == Support::Supported => Vec::new(),
        reasons if reasons.is_empty() => vec![lacking(&pair)],
        reasons => reasons,
    };
    Judgement { support, value, passage, reasons, score, opposed, signals }
}

/// The words of a range of sentences.
pub(super) fn span(source: &Reading<'_>, sentences: &Range<usize>) -> Range<usize> {
    let all = source.sentences.get(sentences.clone()).unwrap_or_default();
    match (all.first(), all.last()) {
        (Some(first), Some(last)) => first.words.start..last.words.end,
        _ => 0..0,
    }
}

/// Everything in which a claim and its passage differ.
fn differences(pair: &Pair<'_>, numbers: &Numbers) -> Vec<Finding> {
    let mut found = numbers.findings.clone();
    let roles = roles(pair);
    found.extend(roles.finding);
    found.extend(comparison(pair));
    found.extend(attributes(pair));
    found.extend(bindings(pair, numbers));
    found.extend(polarity(pair, numbers, roles.exchanged));
    found.extend(sequence(pair).or_else(|| order(pair)));
    found.extend(replaced(pair));
    found.extend(misplaced(pair));
    found.extend(changed(pair));
    found.extend(misdated(pair));
    found.extend(scores(pair));
    found.extend(unfounded(pair));
    found.extend(strength(pair));
    found.extend(trend(pair));
    found.extend(pending(pair));
    found.extend(forsaken(pair));
    found.extend(further(pair));
    found.extend(reversed(pair));
    found.extend(planned(pair, numbers));
    found.extend(extent(pair));
    found.extend(lost_or_won(pair));
    found.extend(additions(pair));
    if is_record(pair) {
        found.retain(|finding| !matches!(finding.kind, Kind::Denied | Kind::DeniedLoosely));
    }
    if is_exception_kept(pair) {
        found.retain(|finding| !matches!(finding.kind, Kind::Opposite | Kind::Denied));
    }
    if is_converse(pair) {
        let told =
            [Kind::Exchanged, Kind::Replaced, Kind::Stranger, Kind::Attribute, Kind::Misplaced];
        found.retain(|finding| !told.contains(&finding.kind));
    }
    found
}

/// How much of a claim's weight was found in a passage.
pub(super) struct Coverage {
    /// Each word by how well it was found.
    pub graded: f32,
    /// Only words found by spelling or lexicon.
    pub firm: f32,
}

impl Coverage {
    fn of(pair: &Pair<'_>, numbers: &Numbers) -> Self {
        let (mut total, mut graded, mut firm) = (0.0_f32, 0.0_f32, 0.0_f32);
        for (at, word) in pair.content() {
            let grade = pair.align.link(at).map_or(0.0, |link| supporting(pair, word, link));
            total += word.weight;
            graded += word.weight * grade;
            firm += if grade > BY_LEXICON { word.weight * grade } else { 0.0 };
        }
        let amounts = pair.claim_amounts().count();
        let found = AMOUNT_WEIGHT * amounts.saturating_sub(numbers.missing) as f32;
        total += AMOUNT_WEIGHT * amounts as f32;
        let share = |part: f32| if total > 0.0 { part / total } else { 0.0 };
        Self { graded: share(graded + found), firm: share(firm + found) }
    }
}

/// What a link is worth as support: an opposite is worth little, unless one side is denied.
fn supporting(pair: &Pair<'_>, word: &Word, link: Link) -> f32 {
    let denied = pair.source.word(link.at).is_some_and(|source| source.denied != word.denied);
    if link.opposite && !denied { 0.5 * link.grade } else { link.grade }
}

/// A claim is supported where that is likely enough. Below, what was found tells whether the passage says
/// something else or only less.
fn verdict(score: f64, likely: f64, findings: &[Finding]) -> (Support, f64) {
    if likely >= THRESHOLD {
        let above = (likely - THRESHOLD) / (1.0 - THRESHOLD);
        return (Support::Supported, (0.66 + 0.34 * above).clamp(0.66, 1.0));
    }
    let share = (likely / THRESHOLD).clamp(0.0, 1.0);
    let contradicted = findings.iter().any(|finding| finding.kind.contradicts());
    if contradicted || score < PARTLY {
        (Support::Unsupported, 0.33 * share)
    } else {
        (Support::Partly, 0.34 + 0.31 * share)
    }
}

/// What a reader is told, contradictions first.
fn told(mut findings: Vec<Finding>) -> Vec<String> {
    findings.sort_by_key(|finding| !finding.kind.contradicts());
    let mut reasons: Vec<String> = Vec::new();
    for finding in findings {
        if !reasons.contains(&finding.text) {
            reasons.push(finding.text);
        }
    }
    reasons
}

/// The words that the passage does not bear out.
fn lacking(pair: &Pair<'_>) -> String {
    let open = pair.content().filter(|(at, _)| pair.align.firm(*at).is_none());
    let mut missing: Vec<(f32, &str)> =
        open.map(|(_, word)| (word.weight, word.lower.as_ref())).collect();
    missing.sort_by(|a, b| b.0.total_cmp(&a.0));
    let words: Vec<String> =
        missing.into_iter().take(3).map(|(_, word)| format!("“{word}”")).collect();
    if words.is_empty() {
        "the passage does not say this".to_owned()
    } else {
        format!("the passage has nothing on {}", words.join(", "))
    }
}
