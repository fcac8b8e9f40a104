//! What was found, as credibility × relevance: laid out in numbers for the template.

use probity_core::{Candidate, Verdict};

use crate::appendix::title;
use crate::assemble::CheckedReport;

/// The size of the drawing, in its own units: as wide as a phone, so that it is read there as it is drawn.
const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 232.0;
/// Where the marks are: room for words on the left, for the axis below.
const LEFT: f64 = 56.0;
const RIGHT: f64 = 350.0;
const TOP: f64 = 16.0;
/// How far two judgements are apart.
const STEP: f64 = 32.0;
/// The best judgement.
const BEST: u8 = 5;
/// Overlapping marks are moved apart by this much.
const APART: f64 = 9.0;
/// The most marks that are drawn; a run may have hundreds of candidates.
const MARKS: usize = 120;

/// One candidate.
pub(crate) struct Mark {
    /// Its outcome, which is also the class of its mark.
    pub(crate) kind: &'static str,
    /// The mark as a path around its middle.
    pub(crate) shape: &'static str,
    pub(crate) x: String,
    pub(crate) y: String,
    /// Its number among the sources, if it is one.
    pub(crate) n: Option<usize>,
    pub(crate) tip: String,
}

/// The chart.
pub(crate) struct Chart {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) marks: Vec<Mark>,
    /// The rows: where, and their words.
    pub(crate) rows: Vec<(f64, String)>,
    pub(crate) threshold_x: String,
    pub(crate) threshold: f64,
    /// The marks of each kind: class, shape, and how many there are in words.
    pub(crate) legend: Vec<(&'static str, &'static str, String)>,
    pub(crate) left_out: usize,
    pub(crate) summary: String,
}

fn x(score: f64) -> f64 {
    let share = if score.is_finite() { score.clamp(0.0, 1.0) } else { 0.0 };
    LEFT + share * (RIGHT - LEFT)
}

/// The row of a judgement; what was not judged is below them all.
fn y(judged: Option<u8>) -> f64 {
    TOP + STEP * f64::from(BEST - judged.unwrap_or(0).min(BEST))
}

/// The outcome of a candidate: the class of its mark, and the word for it.
fn kind(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Read => ("kept", "kept"),
        Verdict::Dropped => ("dropped", "read and dropped"),
        Verdict::Blocked => ("blocked", "blocked, never read"),
        Verdict::Failed => ("failed", "could not be read"),
        Verdict::Unused => ("unused", "not needed"),
    }
}

/// The mark of a verdict, so that colour is never the only difference.
fn shape(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Read | Verdict::Dropped => "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0",
        Verdict::Blocked => "M-4-4L4 4M4-4L-4 4",
        Verdict::Failed => "M0-5L5 4H-5Z",
        Verdict::Unused => "M-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0",
    }
}

impl Chart {
    pub(crate) fn new(report: &CheckedReport) -> Self {
        let facts = report.facts();
        let numbers: Vec<_> = report.sources().map(|(n, source)| (source.id, n)).collect();
        let number = |c: &Candidate| numbers.iter().find(|(id, _)| *id == c.id).map(|(_, n)| *n);
        // What is cited is drawn first of all, so that nothing else crowds it out.
        let mut shown: Vec<&Candidate> = facts.candidates.iter().collect();
        shown.sort_by_key(|c| (number(c).unwrap_or(usize::MAX), kind(c.verdict).0));
        let left_out = shown.len().saturating_sub(MARKS);
        shown.truncate(MARKS);
        let mut taken: Vec<(f64, f64)> = Vec::new();
        let marks = shown.iter().map(|c| {
            let judged = c.relevance.as_ref().map(|relevance| relevance.score);
            let (mut at, row) = (x(c.credibility.total), y(judged));
            let hits = |at: f64, taken: &[(f64, f64)]| {
                taken.iter().any(|(x, y)| (x - at).abs() < APART && (y - row).abs() < 1.0)
            };
            while hits(at, &taken) && at > LEFT {
                at -= APART;
            }
            taken.push((at, row));
            let (class, words) = kind(c.verdict);
            let relevance = judged.map_or_else(String::new, |n| format!(", relevance {n}/5"));
            let total = c.credibility.total;
            let n = number(c);
            let head = n.map_or_else(String::new, |n| format!("{n}. "));
            let tip = format!("{head}{}: credibility {total:.2}{relevance}; {words}", title(c));
            let shape = shape(c.verdict);
            Mark { kind: class, shape, x: format!("{at:.1}"), y: format!("{row:.1}"), n, tip }
        });
        let marks: Vec<Mark> = marks.collect();
        let verdicts =
            [Verdict::Read, Verdict::Dropped, Verdict::Blocked, Verdict::Failed, Verdict::Unused];
        let legend = verdicts.into_iter().filter_map(|verdict| {
            let count = facts.candidates.iter().filter(|c| c.verdict == verdict).count();
            let (class, words) = kind(verdict);
            (count > 0).then(|| (class, shape(verdict), format!("{count} {words}")))
        });
        let legend: Vec<(&'static str, &'static str, String)> = legend.collect();
        let counts: Vec<&str> = legend.iter().map(|(_, _, words)| words.as_str()).collect();
        let summary =
            format!("Credibility and relevance of what was found: {}.", counts.join(", "));
        let rows = (0..=BEST).map(|n| match n {
            0 => (y(None), "not read".to_owned()),
            n => (y(Some(n)), format!("{n}/5")),
        });
        Self {
            width: WIDTH,
            height: HEIGHT,
            marks,
            rows: rows.collect(),
            threshold_x: format!("{:.1}", x(facts.threshold)),
            threshold: facts.threshold,
            legend,
            left_out,
            summary,
        }
    }
}

/// The credibility of the listed sources in a sentence.
pub(crate) fn credibility(report: &CheckedReport) -> String {
    let facts = report.facts();
    let scores = || report.sources().map(|(_, source)| source.credibility.total);
    let (least, most) = (scores().fold(f64::MAX, f64::min), scores().fold(0.0, f64::max));
    let range = format!("Credibility of the {} sources: {least:.2} to {most:.2}", scores().count());
    match facts.briefing {
        Some(_) => format!("{range}."),
        None => format!("{range}; pages at or below {} were blocked.", facts.threshold),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_score_and_judgement_has_a_place_in_the_drawing() {
        for score in [0.0, 0.5, 1.0, 7.0, -1.0, f64::NAN] {
            assert!((LEFT..=RIGHT).contains(&x(score)), "{score}");
        }
        let rows: Vec<f64> = [Some(5), Some(3), Some(1), None].map(y).to_vec();
        assert!(rows.is_sorted() && rows.iter().all(|row| (TOP..HEIGHT).contains(row)), "{rows:?}");
        assert_eq!(y(Some(9)), y(Some(5)));
    }
    #[test]
    fn every_verdict_has_a_mark_and_a_word_of_its_own() {
        let verdicts =
            [Verdict::Read, Verdict::Dropped, Verdict::Blocked, Verdict::Failed, Verdict::Unused];
        let kinds: BTreeSet<&str> = verdicts.map(|verdict| kind(verdict).0).into();
        let words: BTreeSet<&str> = verdicts.map(|verdict| kind(verdict).1).into();
        assert_eq!((kinds.len(), words.len()), (verdicts.len(), verdicts.len()));
    }

    proptest! {
        #[test]
        fn a_better_score_stands_further_right_and_a_better_judgement_higher(
            a in 0.0f64..1.0, b in 0.0f64..1.0, c in 0u8..6, d in 0u8..6,
        ) {
            prop_assert!(x(a.min(b)) <= x(a.max(b)));
            prop_assert!(y(Some(c.max(d))) <= y(Some(c.min(d))));
        }
    }
}
