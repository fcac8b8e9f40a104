//! How well the check separates labelled claims, set by set, with plain word coverage beside it.

use probity_reader::{Stop, Stopped, TextReader};
use probity_text::lexical::{Query, Text};
use serde::{Deserialize, Serialize};

use super::index::View;
use super::{Check, SourceIndex, Support};

/// A claim with its source and what is right about the two.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Labelled {
    /// The set it is of.
    #[serde(default)]
    pub set: String,
    /// The claim.
    pub claim: String,
    /// The text of the source.
    pub source: String,
    /// What is right.
    pub label: Label,
}

/// What is right about a claim and its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Label {
    /// The source supports it.
    Supported,
    /// The source supports a part of it.
    Partly,
    /// The source does not say enough.
    #[serde(alias = "unsupported")]
    NotEnough,
    /// The source says otherwise.
    Contradicted,
    /// The source says otherwise or not enough; the set does not tell which.
    NotSupported,
}

/// A labelled claim with what the check and words alone made of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// What is right.
    pub label: Label,
    /// What the check found.
    pub check: Check,
    /// The largest share of the claim's content words that a wide window of the source has.
    pub covered: f64,
}

/// Checks a labelled claim.
///
/// # Errors
/// When the reader is stopped.
pub fn judge(labelled: &Labelled, reader: &TextReader, stop: &Stop) -> Result<Outcome, Stopped> {
    let index = SourceIndex::new(labelled.source.as_str());
    let check = index.check(&labelled.claim, reader, stop)?;
    let query = Query::new(&labelled.claim);
    let mut windows = index.windows(&labelled.claim, 1);
    windows.retain(|window| window.view == View::Wide);
    let windows: Vec<String> = windows.iter().map(|one| index.index.passage(one)).collect();
    let texts: Vec<Text<'_>> = windows.iter().map(|body| Text { lead: "", body }).collect();
    let covered = query.measure(&texts).iter().map(|one| one.covered).fold(0.0, f64::max);
    Ok(Outcome { label: labelled.label, check, covered })
}

/// How well a set was separated.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// The set.
    pub set: String,
    /// How many claims it has.
    pub claims: usize,
    /// How many of them are supported.
    pub supported: usize,
    /// How often a supported claim has a higher value than another; ties count half.
    pub area: f64,
    /// The same by word coverage alone.
    pub area_by_words: f64,
    /// Of the claims called supported, the share that is.
    pub precision: f64,
    /// Of the supported claims, the share that is called so.
    pub recall: f64,
    /// How many claims are called contradicted.
    pub called_contradicted: usize,
    /// The share of those that is; none where the set does not tell.
    pub contradiction_precision: Option<f64>,
}

/// The figures of one set.
pub fn figures(set: &str, outcomes: &[Outcome]) -> Figures {
    let is_supported = |one: &Outcome| one.label == Label::Supported;
    let called = |one: &&Outcome| one.check.support == Support::Supported;
    let said = outcomes.iter().filter(called).count();
    let right = outcomes.iter().filter(called).filter(|one| is_supported(one)).count();
    let supported = outcomes.iter().filter(|one| is_supported(one)).count();
    let any_contradicted = outcomes.iter().any(|one| one.label == Label::Contradicted);
    let opposed = || outcomes.iter().filter(|one| one.check.opposed);
    let denied = opposed().filter(|one| one.label == Label::Contradicted).count();
    let ranked = |value: fn(&Outcome) -> f64| {
        area(&outcomes.iter().map(|one| (value(one), is_supported(one))).collect::<Vec<_>>())
    };
    Figures {
        set: set.to_owned(),
        claims: outcomes.len(),
        supported,
        area: ranked(|one| one.check.value),
        area_by_words: ranked(|one| one.covered),
        precision: ratio(right, said),
        recall: ratio(right, supported),
        called_contradicted: opposed().count(),
        contradiction_precision: any_contradicted.then(|| ratio(denied, opposed().count())),
    }
}

/// How often one that is has a higher value than one that is not; ties count half.
fn area(values: &[(f64, bool)]) -> f64 {
    let (good, bad): (Vec<_>, Vec<_>) = values.iter().partition(|(_, good)| *good);
    let win = |a: f64, b: f64| {
        if a > b {
            1.0
        } else if a < b {
            0.0
        } else {
            0.5
        }
    };
    let wins: f64 = good.iter().flat_map(|(a, _)| bad.iter().map(move |(b, _)| win(*a, *b))).sum();
    let pairs = good.len() * bad.len();
    if pairs == 0 { 0.0 } else { wins / pairs as f64 }
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_counts_how_often_the_right_one_is_higher() {
        assert_eq!(area(&[(0.9, true), (0.1, false)]), 1.0);
        assert_eq!(area(&[(0.1, true), (0.9, false)]), 0.0);
        assert_eq!(area(&[(0.5, true), (0.5, false)]), 0.5);
        assert_eq!(area(&[(0.5, true)]), 0.0);
    }

    #[test]
    fn figures_count_what_was_called_what() {
        let labelled = |claim: &str, label| Labelled {
            set: String::new(),
            claim: claim.to_owned(),
            source: "The mill closed in 1850.".to_owned(),
            label,
        };
        let all = [
            labelled("The mill closed in 1850.", Label::Supported),
            labelled("The mill closed in 1805.", Label::Contradicted),
            labelled("Whales sing.", Label::NotEnough),
        ];
        let judge = |one: &Labelled| judge(one, &TextReader::Lexical, &Stop::never()).unwrap();
        let outcomes: Vec<Outcome> = all.iter().map(judge).collect();
        let found = figures("mills", &outcomes);
        assert_eq!((found.claims, found.supported, found.area), (3, 1, 1.0));
        assert_eq!((found.precision, found.recall), (1.0, 1.0));
        assert_eq!(found.contradiction_precision, Some(1.0));
    }
}
