//! Conclusions: which checked statements one is drawn from, and when it may not stand.
//!
//! Every number of a conclusion is one of those that hold, or reckoned from them again: a sum, a difference, a share,
//! a multiple, a mean. What cannot be reckoned is not told.

use crate::assemble::{CheckedStatement, Evidence};
use crate::check::{Support, follows};
use crate::draft::Form;

/// The most conclusions of one report.
const MOST: usize = 60;
/// Why a conclusion is not counted among what sources say.
const DRAWN: &str = "No source says this: it is drawn from statements of this report.";

/// The statements of the findings so far, by their places in the draft.
#[derive(Default)]
pub(crate) struct Premises {
    drafted: Vec<Option<Premise>>,
    kept: usize,
    conclusions: usize,
}

struct Premise {
    /// Its place among the statements that were kept.
    place: usize,
    text: String,
    support: Support,
    evidence: Vec<Evidence>,
}

/// Statements as one text that a conclusion is read beside.
pub(crate) fn beside<'s>(statements: impl Iterator<Item = &'s str>) -> String {
    statements.collect::<Vec<_>>().join("\n\n")
}

impl Premises {
    /// Notes what became of the next statement of the findings.
    pub(crate) fn note(&mut self, checked: Option<&CheckedStatement>) {
        let place = self.kept;
        self.drafted.push(checked.map(|statement| Premise {
            place,
            text: statement.text.clone(),
            support: statement.support,
            evidence: statement.evidence.clone(),
        }));
        self.kept += usize::from(checked.is_some());
    }

    /// The texts of the statements at these places of the draft.
    pub(crate) fn texts<'s>(&'s self, from: &'s [usize]) -> impl Iterator<Item = &'s str> {
        let premises = from.iter().filter_map(|place| self.drafted.get(*place)?.as_ref());
        premises.map(|premise| premise.text.as_str())
    }

    /// A conclusion, unless it is drawn from nothing, from what does not stand before it, from what no
    /// source supports, or from another conclusion, or has a number that does not follow. It shows the evidence
    /// of what it is drawn from.
    pub(crate) fn conclude(&mut self, text: String, from: &[usize]) -> Option<CheckedStatement> {
        let mut places = Vec::new();
        let mut evidence: Vec<Evidence> = Vec::new();
        for index in from {
            let premise = self.drafted.get(*index)?.as_ref();
            let premise = premise.filter(|premise| premise.support != Support::Unsupported)?;
            if places.contains(&premise.place) {
                continue;
            }
            places.push(premise.place);
            for one in &premise.evidence {
                if !evidence.iter().any(|known| known.n == one.n) {
                    evidence.push(one.clone());
                }
            }
        }
        if text.is_empty() || places.is_empty() || self.conclusions >= MOST {
            return None;
        }
        // What is marked in part may be marked for its very number, and a conclusion would tell it without the mark.
        let premises = from.iter().filter_map(|place| self.drafted.get(*place)?.as_ref());
        let holding = premises.filter(|premise| premise.support == Support::Supported);
        let holding: Vec<String> = holding.map(|premise| premise.text.clone()).collect();
        if !follows(&text, &holding) {
            return None;
        }
        self.conclusions += 1;
        Some(CheckedStatement {
            text,
            cites: evidence.iter().map(|evidence| evidence.n).collect(),
            support: Support::Unsupported,
            value: 0.0,
            evidence,
            reasons: vec![DRAWN.to_owned()],
            marked: false,
            marked_partly: false,
            dated: None,
            form: Form::Inference { from: places },
        })
    }
}
