//! What is new in a later report on the same question: what a person who asked once wants to know.
//!
//! A comparison tells every difference, down to a sentence that was put otherwise. This keeps what bears on
//! the answer: sources that were not there before, figures that changed, another confidence or decision.

use probity_core::Decision;
use probity_text::quantity::{Match, Quantity, quantities};
use serde::{Deserialize, Serialize};

use crate::compare::{Comparison, Finding};

/// The most sources, and the most figures, that are reported.
const MOST: usize = 20;

/// A source that the earlier report did not list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewSource {
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
}

/// A value before and after, in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turned {
    /// In the earlier report.
    pub before: String,
    /// In the later report.
    pub after: String,
}

/// What is new.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Novelty {
    /// Sources that the earlier report did not list.
    pub sources: Vec<NewSource>,
    /// Sentences whose figures changed.
    pub figures: Vec<Turned>,
    /// The level of confidence, where it is another.
    pub confidence: Option<Turned>,
    /// What the gate decided, where it is something else.
    pub decision: Option<Turned>,
}

impl Novelty {
    /// What is new in the later of two reports.
    pub fn of(comparison: &Comparison) -> Self {
        let sources = comparison.sources.added.iter().take(MOST);
        let sources =
            sources.map(|new| NewSource { url: new.url.clone(), title: new.title.clone() });
        let changed = comparison.statements.changed.iter();
        let headline = (comparison.title.before.as_str(), comparison.title.after.as_str());
        let sentences = changed.map(|pair| (sentence(&pair.before), sentence(&pair.after)));
        let figures = std::iter::once(headline).chain(sentences);
        let mut turned_figures: Vec<Turned> = Vec::new();
        for (before, after) in figures.filter(|(before, after)| is_other(before, after)) {
            if turned_figures.len() < MOST
                && !turned_figures.iter().any(|known| known.after == after)
            {
                turned_figures.push(Turned { before: before.to_owned(), after: after.to_owned() });
            }
        }
        let confidence = &comparison.confidence;
        let level = |confidence: &Option<crate::confidence::Confidence>| {
            confidence.as_ref().map_or("none", |confidence| confidence.level.as_str())
        };
        Self {
            sources: sources.collect(),
            figures: turned_figures,
            confidence: turned(level(&confidence.before), level(&confidence.after)),
            decision: decided(comparison.decision.before, comparison.decision.after),
        }
    }

    /// Whether there is nothing to report.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What is new, a line each.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let change =
            |what: &str, turned: &Turned| format!("{what}: {} → {}", turned.before, turned.after);
        lines.extend(self.decision.iter().map(|turned| change("Decision", turned)));
        lines.extend(self.confidence.iter().map(|turned| change("Confidence", turned)));
        lines.extend(self.figures.iter().map(|turned| change("Figure", turned)));
        let source = |new: &NewSource| format!("New source: {} ({})", new.title, new.url);
        lines.extend(self.sources.iter().map(source));
        lines
    }
}

fn sentence(finding: &Finding) -> &str {
    &finding.text
}

fn turned(before: &str, after: &str) -> Option<Turned> {
    let is_other = before != after;
    is_other.then(|| Turned { before: before.to_owned(), after: after.to_owned() })
}

fn decided(before: Decision, after: Decision) -> Option<Turned> {
    turned(before.words(), after.words())
}

/// Whether the later sentence gives a figure that the earlier one does not, or the other way round.
fn is_other(before: &str, after: &str) -> bool {
    let (old, new) = (quantities(before), quantities(after));
    let agree = |one: &Quantity, other: &Quantity| {
        one.against(other) == Match::Confirmed || other.against(one) == Match::Confirmed
    };
    let lacks = |some: &[Quantity], others: &[Quantity]| {
        some.iter().any(|one| !others.iter().any(|other| agree(one, other)))
    };
    // A sentence without any figure on one side tells another thing, not another figure.
    !old.is_empty() && !new.is_empty() && (lacks(&new, &old) || lacks(&old, &new))
}
