//! Two reports on one question → what changed: sources and their scores, findings, confidence.
//!
//! Findings are matched by their words, so that a sentence that was only rephrased or cites another
//! source counts as changed and not as lost.

use std::collections::{BTreeMap, BTreeSet};

use probity_core::{Candidate, Decision, Mode};
use probity_text::words::words;
use serde::Serialize;

use crate::assemble::{CheckedReport, CheckedStatement};
use crate::check::Support;
use crate::confidence::Confidence;
use crate::wording::INFERRED;

/// Two sentences that share this part of their words say the same in other words.
const SAME_FROM: f64 = 0.6;
/// Scores that differ by less look the same everywhere.
const SCORE_STEP: f64 = 0.005;

/// A value before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pair<T> {
    /// In the earlier run.
    pub before: T,
    /// In the later run.
    pub after: T,
}

impl<T: PartialEq> Pair<T> {
    /// Whether the two are not the same.
    pub fn differs(&self) -> bool {
        self.before != self.after
    }
}

/// A source of one of the reports.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SourceChange {
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Its number in each report; none where it is not listed.
    pub n: Pair<Option<usize>>,
    /// Its credibility in each run; none where it was not seen.
    pub credibility: Pair<Option<f64>>,
    /// How well it answers the question in each run, from 1 to 5.
    pub relevance: Pair<Option<u8>>,
    /// Its outcome in each run.
    pub verdict: Pair<Option<&'static str>>,
}

/// A finding with the addresses that it rests on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// The sentence.
    pub text: String,
    /// The addresses of the sources it cites.
    pub sources: Vec<String>,
    /// Whether they support it.
    pub support: Support,
    /// Whether it is a conclusion drawn from other findings.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub inferred: bool,
}

impl Finding {
    /// The sentence with the word that marks a conclusion.
    pub fn labelled(&self) -> String {
        match self.inferred {
            true => format!("{INFERRED} {}", self.text),
            false => self.text.clone(),
        }
    }
}

/// What is only in one of the reports, what is in both, and what is in both but not the same.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Changes<T, C = T> {
    /// Only in the later report.
    pub added: Vec<T>,
    /// Only in the earlier report.
    pub removed: Vec<T>,
    /// In both, and changed.
    pub changed: Vec<C>,
    /// How many are in both and the same.
    pub kept: usize,
}

/// What changed between two runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The runs.
    pub run: Pair<String>,
    /// The questions.
    pub question: Pair<String>,
    /// Whether both asked the same, up to case and spaces.
    pub same_question: bool,
    /// The modes.
    pub mode: Pair<Mode>,
    /// What the gates decided.
    pub decision: Pair<Decision>,
    /// The headlines.
    pub title: Pair<String>,
    /// The confidence in each.
    pub confidence: Pair<Option<Confidence>>,
    /// The listed sources.
    pub sources: Changes<SourceChange>,
    /// The checked statements.
    pub statements: Changes<Finding, Pair<Finding>>,
    /// The queries that were sent.
    pub queries: Changes<String>,
    /// What remained unanswered.
    pub gaps: Changes<String>,
}

/// Compares two reports.
pub fn compare(before: &CheckedReport, after: &CheckedReport) -> Comparison {
    let pair =
        |of: &dyn Fn(&CheckedReport) -> String| Pair { before: of(before), after: of(after) };
    let question = pair(&|report| report.facts().question.clone());
    let folded = |text: &str| text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    let texts = |of: fn(&CheckedReport) -> Vec<String>| texts(of(before), of(after));
    Comparison {
        run: pair(&|report| report.facts().run_id.clone().into()),
        same_question: folded(&question.before) == folded(&question.after),
        question,
        mode: Pair { before: before.facts().mode, after: after.facts().mode },
        decision: Pair { before: before.facts().gate.decision, after: after.facts().gate.decision },
        title: pair(&|report| report.title().to_owned()),
        confidence: Pair {
            before: before.confidence().cloned(),
            after: after.confidence().cloned(),
        },
        sources: sources(before, after),
        statements: statements(before, after),
        queries: texts(|report| report.facts().queries.iter().map(|q| q.text.clone()).collect()),
        gaps: texts(|report| report.facts().gaps.clone()),
    }
}

fn texts(before: Vec<String>, after: Vec<String>) -> Changes<String> {
    let (before, after): (BTreeSet<String>, BTreeSet<String>) =
        (before.into_iter().collect(), after.into_iter().collect());
    Changes {
        added: after.difference(&before).cloned().collect(),
        removed: before.difference(&after).cloned().collect(),
        changed: Vec::new(),
        kept: after.intersection(&before).count(),
    }
}

fn sources(before: &CheckedReport, after: &CheckedReport) -> Changes<SourceChange> {
    let listed = |report: &CheckedReport| -> BTreeMap<String, usize> {
        report.sources().map(|(n, source)| (source.url.as_str().to_owned(), n)).collect()
    };
    let (old, new) = (listed(before), listed(after));
    let candidates = |report: &CheckedReport| -> BTreeMap<String, Candidate> {
        let all = report.facts().candidates.iter();
        all.map(|c| (c.url.as_str().to_owned(), c.clone())).collect()
    };
    let (was, is) = (candidates(before), candidates(after));
    let mut changes =
        Changes { added: Vec::new(), removed: Vec::new(), changed: Vec::new(), kept: 0 };
    let urls: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for url in urls {
        let (earlier, later) = (was.get(url), is.get(url));
        let change = SourceChange {
            url: url.clone(),
            title: later.or(earlier).map(|c| c.title.clone()).unwrap_or_default(),
            n: Pair { before: old.get(url).copied(), after: new.get(url).copied() },
            credibility: both(earlier, later, |c| Some(c.credibility.total)),
            relevance: both(earlier, later, |c| c.relevance.as_ref().map(|r| r.score)),
            verdict: both(earlier, later, |c| Some(c.verdict.as_str())),
        };
        match (change.n.before, change.n.after) {
            (None, _) => changes.added.push(change),
            (_, None) => changes.removed.push(change),
            _ if differs(&change) => changes.changed.push(change),
            _ => changes.kept += 1,
        }
    }
    changes
}

fn both<T>(
    before: Option<&Candidate>,
    after: Option<&Candidate>,
    of: impl Fn(&Candidate) -> Option<T>,
) -> Pair<Option<T>> {
    Pair { before: before.and_then(&of), after: after.and_then(&of) }
}

/// Whether anything but the number changed: numbers follow the text and say nothing of the source.
fn differs(change: &SourceChange) -> bool {
    let moved = match (change.credibility.before, change.credibility.after) {
        (Some(before), Some(after)) => (before - after).abs() >= SCORE_STEP,
        (before, after) => before.is_some() != after.is_some(),
    };
    moved || change.relevance.before != change.relevance.after
}

fn statements(before: &CheckedReport, after: &CheckedReport) -> Changes<Finding, Pair<Finding>> {
    let mut old: Vec<Option<Finding>> = findings(before).into_iter().map(Some).collect();
    let new = findings(after);
    let mut changes =
        Changes { added: Vec::new(), removed: Vec::new(), changed: Vec::new(), kept: 0 };
    // Sentences that stayed are taken first, so that none of them is matched as a rephrasing.
    let mut rest = Vec::new();
    for finding in new {
        match old.iter_mut().find(|other| other.as_ref().is_some_and(|o| o.text == finding.text)) {
            Some(slot) => match slot.take() {
                Some(earlier) if earlier != finding => {
                    changes.changed.push(Pair { before: earlier, after: finding });
                }
                _ => changes.kept += 1,
            },
            None => rest.push(finding),
        }
    }
    for finding in rest {
        let likeness = |other: &Option<Finding>| {
            other.as_ref().map_or(0.0, |other| overlap(&other.text, &finding.text))
        };
        let best = old.iter_mut().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        match best.filter(|slot| likeness(slot) >= SAME_FROM).and_then(Option::take) {
            Some(earlier) => changes.changed.push(Pair { before: earlier, after: finding }),
            None => changes.added.push(finding),
        }
    }
    changes.removed = old.into_iter().flatten().collect();
    changes
}

/// What a report says, each sentence once: a finding that is repeated as one side of a
/// disagreement is one finding, with the sources of both places.
fn findings(report: &CheckedReport) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for finding in report.statements().map(|statement| finding(statement, report)) {
        match findings.iter_mut().find(|known| known.text == finding.text) {
            Some(known) => {
                known.sources.extend(finding.sources);
                known.sources.sort();
                known.sources.dedup();
                known.support = known.support.max(finding.support);
            }
            None => findings.push(finding),
        }
    }
    findings
}

fn finding(statement: &CheckedStatement, report: &CheckedReport) -> Finding {
    let address = |n: &usize| {
        let found = report.sources().find(|(number, _)| number == n);
        found.map(|(_, source)| source.url.as_str().to_owned())
    };
    let mut sources: Vec<String> = statement.cites.iter().filter_map(address).collect();
    sources.sort();
    let inferred = statement.form.is_inference();
    Finding { text: statement.text.clone(), sources, support: statement.support, inferred }
}

/// The share of words that two sentences have in common.
fn overlap(a: &str, b: &str) -> f64 {
    let set = |text| words(text).map(|word| word.lower.into_owned()).collect::<BTreeSet<_>>();
    let (a, b) = (set(a), set(b));
    let union = a.union(&b).count();
    if union == 0 { 0.0 } else { a.intersection(&b).count() as f64 / union as f64 }
}
