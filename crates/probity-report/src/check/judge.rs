//! One sentence of a claim against one passage: how well it is borne out, and what differs.

use std::ops::Range;

use probity_text::embed::Vector;
use probity_text::tag::Tag;

use super::Support;
use super::additions::additions;
use super::align::{Alignment, Kin, Link};
use super::attributes::attributes;
use super::binding::bindings;
use super::comparison::comparison;
use super::finding::Finding;
use super::frame::Frame;
use super::index::Index;
use super::kinship::ALIGNED;
use super::numbers::{Numbers, numbers};
use super::order::order;
use super::pair::{Pair, home_clause};
use super::polarity::polarity;
use super::reading::{Reading, Sentence, Word};
use super::roles::roles;
use super::sequence::sequence;
use super::slots::replaced;
use super::strength::strength;

/// What a quantity weighs beside words.
const AMOUNT_WEIGHT: f32 = 1.2;

/// The verdict on one sentence of a claim and one passage.
#[derive(Debug, Clone)]
pub(super) struct Judgement {
    pub support: Support,
    pub value: f64,
    /// The sentences of the passage.
    pub passage: Range<usize>,
    pub reasons: Vec<String>,
    /// What the verdict was made of.
    pub features: Features,
}

impl Judgement {
    /// How well the passage covers the claim, with a little for agreeing with it.
    pub(super) fn rank(&self) -> f64 {
        let agrees = match self.support {
            Support::Supported => 0.06,
            Support::Partly => 0.03,
            Support::Unsupported => 0.0,
        };
        self.features.score() + agrees
    }

    /// The verdict where the source has nothing to compare with.
    pub(super) fn nothing() -> Self {
        Self {
            support: Support::Unsupported,
            value: 0.0,
            passage: 0..0,
            reasons: vec!["the source says nothing on this".to_owned()],
            features: Features::default(),
        }
    }
}

/// What a verdict is made of.
#[derive(Debug, Clone, Copy, Default)]
#[expect(dead_code, reason = "all features are computed together; not every one decides yet")]
pub(super) struct Features {
    /// Share of the claim's weight found in the passage.
    pub covered: f32,
    /// The same, counting only words found by spelling or lexicon.
    pub firm: f32,
    /// Cosine of the claim with the best sentence of the passage.
    pub likeness: f32,
    /// Whether the claim's main verb or adjective was found.
    pub predicate: f32,
    /// The heaviest word that was not found.
    pub gap: f32,
    /// The heaviest noun, name or adjective of which there is no trace.
    pub novel: f32,
    /// Share of the claim's weight of which there is no trace.
    pub lost: f32,
    /// The heaviest verb of which there is no trace.
    pub verb: f32,
    /// How well what the claim says of its subject was found.
    pub said: f32,
    /// How many words and numbers the claim has.
    pub items: f32,
    /// How like the claim's verb is to the verb that the passage has in its place; 1 where none is.
    pub verbs: f32,
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
    let words = span(source, &passage);
    let align = Alignment::new(claim, kin, index, words);
    let pair = Pair { claim, sentence, source, passage: passage.clone(), align: &align };
    let numbers = numbers(&pair);
    let features = features(&pair, &numbers, index.likeness(vector, passage.clone()));
    let mut findings = numbers.findings.clone();
    if features.covered > 0.3 {
        let roles = roles(&pair);
        findings.extend(roles.finding);
        findings.extend(comparison(&pair));
        findings.extend(attributes(&pair));
        findings.extend(bindings(&pair, &numbers));
        findings.extend(polarity(&pair, &numbers, roles.exchanged));
        findings.extend(sequence(&pair).or_else(|| order(&pair)));
        findings.extend(replaced(&pair));
        findings.extend(strength(&pair));
        findings.extend(additions(&pair));
    }
    let (support, value) = verdict(&features, &findings);
    let mut reasons: Vec<String> = Vec::new();
    findings.sort_by_key(|finding| !finding.kind.contradicts());
    for finding in findings {
        if !reasons.contains(&finding.text) {
            reasons.push(finding.text);
        }
    }
    if support < Support::Supported && reasons.is_empty() {
        reasons.push(lacking(&pair));
    }
    Judgement { support, value, passage, reasons, features }
}

/// The words of a range of sentences.
pub(super) fn span(source: &Reading<'_>, sentences: &Range<usize>) -> Range<usize> {
    let all = source.sentences.get(sentences.clone()).unwrap_or_default();
    match (all.first(), all.last()) {
        (Some(first), Some(last)) => first.words.start..last.words.end,
        _ => 0..0,
    }
}

fn features(pair: &Pair<'_>, numbers: &Numbers, likeness: f32) -> Features {
    let (mut total, mut covered, mut firm, mut gap, mut novel) =
        (0.0_f32, 0.0_f32, 0.0_f32, 0.0_f32, 0.0_f32);
    let mut predicate = (0.0_f32, 0.0_f32);
    let (mut lost, mut verb, mut items) = (0.0_f32, 0.0_f32, 0.0_f32);
    for (at, word) in pair.content() {
        let grade = pair.align.link(at).map_or(0.0, |link| supporting(pair, word, link));
        total += word.weight;
        covered += word.weight * grade;
        firm += if grade > 0.76 { word.weight * grade } else { 0.0 };
        if grade < ALIGNED {
            gap = gap.max(word.weight);
        }
        if grade < 0.3 {
            lost += word.weight;
            match word.tag {
                Tag::Verb => verb = verb.max(word.weight),
                Tag::Adverb => {}
                _ => novel = novel.max(word.weight),
            }
        }
        items += 1.0;
        if matches!(word.tag, Tag::Verb | Tag::Adjective) {
            predicate = (predicate.0 + word.weight, predicate.1 + word.weight * grade);
        }
    }
    for _ in pair.claim_amounts() {
        total += AMOUNT_WEIGHT;
        items += 1.0;
    }
    let found = (pair.claim_amounts().count() - numbers.missing) as f32 * AMOUNT_WEIGHT;
    let share = |part: f32| if total > 0.0 { part / total } else { 0.0 };
    Features {
        covered: share(covered + found),
        firm: share(firm + found),
        likeness,
        predicate: if predicate.0 > 0.0 { predicate.1 / predicate.0 } else { 1.0 },
        gap: share(gap),
        novel,
        lost: share(lost),
        verb,
        said: said(pair),
        items,
        verbs: other_verb(pair),
    }
}

/// What a link is worth as support: an opposite is worth nothing, unless one side is denied.
fn supporting(pair: &Pair<'_>, word: &Word, link: Link) -> f32 {
    let denied = pair.source.word(link.at).is_some_and(|source| source.denied != word.denied);
    if link.opposite && !denied { 0.5 * link.grade } else { link.grade }
}

/// Where the claim's main verb was not found: how like it is to the main verb of the clause that holds
/// the rest of the claim.
fn other_verb(pair: &Pair<'_>) -> f32 {
    let mine =
        pair.sentence.clauses.clone().filter_map(|clause| Frame::new(pair.claim, clause).predicate);
    let lost = mine
        .filter(|at| pair.align.firm(*at).is_none())
        .filter_map(|at| pair.claim.word(at))
        .filter(|word| word.tag == Tag::Verb && word.weight > 0.3);
    let theirs = || {
        home_clause(pair)
            .and_then(|clause| Frame::new(pair.source, clause).predicate)
            .filter(|at| pair.align.claimed(*at).is_none())
            .and_then(|at| pair.source.word(at))
            .filter(|word| word.tag == Tag::Verb && word.weight > 0.3)
    };
    lost.filter_map(|word| Some(word.vector().cosine(theirs()?.vector()))).fold(1.0, f32::min)
}

/// How well the main predicates of the claim were found: the worst of its clauses.
fn said(pair: &Pair<'_>) -> f32 {
    let predicates =
        pair.sentence.clauses.clone().filter_map(|clause| Frame::new(pair.claim, clause).predicate);
    let graded = predicates.filter(|at| pair.claim.word(*at).is_some_and(|word| word.weight > 0.3));
    graded.map(|at| pair.align.link(at).map_or(0.0, |link| link.grade)).fold(1.0, f32::min)
}

impl Features {
    /// How much of the claim the passage holds, from 0 to 1.
    fn score(&self) -> f64 {
        f64::from(0.75 * self.covered + 0.15 * self.firm + 0.1 * self.likeness)
    }
}

fn verdict(features: &Features, findings: &[Finding]) -> (Support, f64) {
    let base = features.score();
    let contradicted = findings.iter().any(|finding| finding.kind.contradicts());
    let exceeded = findings.iter().any(|finding| !finding.kind.contradicts());
    let support = if contradicted || base < 0.42 {
        Support::Unsupported
    } else if exceeded || base < 0.68 {
        Support::Partly
    } else {
        Support::Supported
    };
    let value = match support {
        Support::Unsupported => 0.33 * base,
        Support::Partly => 0.34 + 0.31 * base,
        Support::Supported => 0.66 + 0.34 * base,
    };
    (support, value.clamp(0.0, 1.0))
}

/// The words that the passage does not bear out.
fn lacking(pair: &Pair<'_>) -> String {
    let mut missing: Vec<(f32, &str)> = pair
        .content()
        .filter(|(at, _)| pair.align.firm(*at).is_none())
        .map(|(_, word)| (word.weight, word.lower.as_ref()))
        .collect();
    missing.sort_by(|a, b| b.0.total_cmp(&a.0));
    let words: Vec<String> =
        missing.into_iter().take(3).map(|(_, word)| format!("“{word}”")).collect();
    if words.is_empty() {
        "the passage does not say this".to_owned()
    } else {
        format!("the passage has nothing on {}", words.join(", "))
    }
}
