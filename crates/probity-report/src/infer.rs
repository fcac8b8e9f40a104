//! Conclusions: which checked statements one is drawn from, and when it may not stand.
//!
//! Every number of a conclusion is one of those that hold, or computed from them again: a sum, a difference, a share,
//! a multiple, a mean. What cannot be computed is not reported.

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
    /// Notes the outcome of the next statement of the findings.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn premise(text: &str, n: usize, support: Support) -> CheckedStatement {
        CheckedStatement { support, ..CheckedStatement::said(text, n) }
    }

    /// Two statements that hold, one that was dropped, one that is supported in part and one not at all.
    fn premises() -> Premises {
        let mut premises = Premises::default();
        premises.note(Some(&premise("The Great Hall costs 900 crowns.", 1, Support::Supported)));
        premises.note(None);
        premises.note(Some(&premise("The Boathouse costs 450 crowns.", 2, Support::Supported)));
        premises.note(Some(&premise("The Loft costs 300 crowns.", 2, Support::Partly)));
        premises.note(Some(&premise("The Barn costs 100 crowns.", 3, Support::Unsupported)));
        premises
    }

    fn conclude(text: &str, from: &[usize]) -> Option<CheckedStatement> {
        premises().conclude(text.to_owned(), from)
    }

    #[test]
    fn a_conclusion_shows_the_evidence_of_what_it_is_drawn_from_and_is_no_sources_own() {
        let drawn = conclude("Both together cost 1,350 crowns.", &[0, 2, 0]).unwrap();
        assert_eq!(drawn.cites, [1, 2]);
        assert_eq!((drawn.support, drawn.value, drawn.marked), (Support::Unsupported, 0.0, false));
        // Its places are those among the statements that were kept.
        assert_eq!(drawn.form, Form::Inference { from: vec![0, 1] });
        assert_eq!(drawn.reasons, [DRAWN]);
    }

    #[test]
    fn nothing_is_concluded_from_what_does_not_hold_or_does_not_stand_before_it() {
        let text = "That is dear.";
        assert!(conclude(text, &[0]).is_some());
        for from in [&[][..], &[1], &[4], &[0, 4], &[5], &[usize::MAX]] {
            assert!(conclude(text, from).is_none(), "{from:?}");
        }
        assert!(conclude("", &[0]).is_none());
    }

    #[test]
    fn a_number_that_cannot_be_reckoned_from_what_holds_is_not_concluded() {
        for text in ["The Great Hall costs twice as much.", "The difference is 450 crowns."] {
            assert!(conclude(text, &[0, 2]).is_some(), "{text}");
        }
        for text in ["Together they cost 1,400 crowns.", "In 1987 both were cheaper."] {
            assert!(conclude(text, &[0, 2]).is_none(), "{text}");
        }
        // What is supported in part may be marked for its very number.
        assert!(conclude("A loft costs 300 crowns.", &[3]).is_none());
        assert!(conclude("A loft can be had.", &[3]).is_some());
    }

    #[test]
    fn a_report_has_only_so_many_conclusions() {
        let mut premises = premises();
        for _ in 0..MOST {
            assert!(premises.conclude("That is dear.".to_owned(), &[0]).is_some());
        }
        assert!(premises.conclude("That is dear.".to_owned(), &[0]).is_none());
    }
}
