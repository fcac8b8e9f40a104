//! What the ledger says of an outlet, as research takes it.
//!
//! ```text
//! given (seeded, imported, set)  → that score is the authority
//! only coded                     → the outlet keeps its tier, moved as far as editors moved its score
//! ```
//!
//! A first coding begins at the neutral score, which says nothing about the outlet. So it must not
//! replace what its tier says: praise would lower a good outlet, and blame would raise a bad one.

use serde::{Deserialize, Serialize};

use super::{Credibility, EventKind};

/// What the ledger says of an outlet. In a run's journal a plain number is a given score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Opinion {
    /// A score that it was seeded with, that a list gave or that a person set, and what codings made
    /// of it since.
    Given(f64),
    /// It was given no score; editors coded it.
    Coded {
        /// How far they moved it from the neutral score.
        moved: f64,
    },
}

impl Opinion {
    /// The opinion of an outlet with this score.
    pub fn new(score: f64, given: bool) -> Self {
        match given {
            true => Self::Given(score),
            false => Self::Coded { moved: score - Credibility::NEUTRAL.get() },
        }
    }

    /// The outlet's authority in research, where it would have `base` without the ledger.
    ///
    /// ```
    /// use probity_credibility::ledger::Opinion;
    ///
    /// assert_eq!(Opinion::Given(0.92).authority(0.8), 0.92);
    /// assert_eq!(Opinion::Coded { moved: 0.05 }.authority(0.8), 0.8 + 0.05);
    /// assert_eq!(Opinion::Coded { moved: -0.5 }.authority(0.4), 0.0);
    /// ```
    pub fn authority(self, base: f64) -> f64 {
        match self {
            Self::Given(score) => score,
            Self::Coded { moved } => (base + moved).clamp(0.0, 1.0),
        }
    }
}

/// As much of an event as it takes to tell whether a score was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The event's number.
    pub seq: i64,
    /// Why the score changed.
    pub kind: EventKind,
    /// The event that a revert undoes.
    pub reverts: Option<i64>,
}

/// Whether an outlet's score was given by a seed, a list or a person, by all of its events in order.
/// A revert goes back to how things stood before the event that it undoes.
pub fn is_given(seeded: bool, history: &[Step]) -> bool {
    let mut before = history.len();
    while let Some(step) = before.checked_sub(1).and_then(|last| history.get(last)) {
        before = match (step.kind, step.reverts) {
            (EventKind::Set | EventKind::Import, _) => return true,
            (EventKind::Revert, Some(undone)) => {
                history.iter().take(before - 1).take_while(|one| one.seq < undone).count()
            }
            (EventKind::Nudge | EventKind::Revert, _) => before - 1,
        };
    }
    seeded
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ledger::{Alpha, Target, nudge};

    fn step(seq: i64, kind: EventKind, reverts: Option<i64>) -> Step {
        Step { seq, kind, reverts }
    }

    #[test]
    fn a_score_is_given_until_what_gave_it_is_undone() {
        use EventKind::{Import, Nudge, Revert, Set};
        let coded = [step(1, Nudge, None), step(4, Nudge, None)];
        assert!(!is_given(false, &coded));
        assert!(is_given(true, &coded), "a seed stays");
        let set = [step(1, Nudge, None), step(2, Set, None), step(5, Nudge, None)];
        assert!(is_given(false, &set));
        let undone = [&set[..], &[step(6, Revert, Some(2))]].concat();
        assert!(!is_given(false, &undone));
        let redone = [&undone[..], &[step(7, Revert, Some(6))]].concat();
        assert!(is_given(false, &redone), "an undone revert gives it back");
        assert!(is_given(false, &[step(3, Import, None), step(9, Revert, Some(9))]));
        assert!(!is_given(false, &[]));
    }

    #[test]
    fn a_number_in_an_old_journal_is_a_given_score() {
        for (text, opinion) in
            [("0.92", Opinion::Given(0.92)), (r#"{"moved":0.25}"#, Opinion::Coded { moved: 0.25 })]
        {
            assert_eq!(serde_json::from_str::<Opinion>(text).unwrap(), opinion);
            assert_eq!(serde_json::to_string(&opinion).unwrap(), text);
        }
    }

    /// What may happen to an outlet.
    #[derive(Debug, Clone, Copy)]
    enum Act {
        Code(bool, f64),
        Set(f64),
        Undo(prop::sample::Index),
    }

    fn act() -> impl Strategy<Value = Act> {
        prop_oneof![
            4 => (any::<bool>(), 0.0..=1.0f64).prop_map(|(good, alpha)| Act::Code(good, alpha)),
            1 => (0.0..=1.0f64).prop_map(Act::Set),
            1 => any::<prop::sample::Index>().prop_map(Act::Undo),
        ]
    }

    proptest! {
        #[test]
        fn a_good_code_never_lowers_and_a_bad_one_never_raises(
            base in 0.0..=1.0f64,
            seed in prop::option::of(0.0..=1.0f64),
            acts in prop::collection::vec(act(), 1..24),
        ) {
            let mut score = seed.unwrap_or(0.5);
            let (mut history, mut befores): (Vec<Step>, Vec<f64>) = (Vec::new(), Vec::new());
            for act in acts {
                let seq = history.len() as i64 + 1;
                let research = |score: f64, history: &[Step]| match (seed, history) {
                    (None, []) => base,
                    _ => Opinion::new(score, is_given(seed.is_some(), history)).authority(base),
                };
                let before = (score, research(score, &history));
                let (next, kind, reverts) = match act {
                    Act::Code(good, alpha) => {
                        let target = if good { Target::Trust } else { Target::Distrust };
                        let from = Credibility::new(score).unwrap();
                        let next = nudge(from, Alpha::new(alpha).unwrap(), Some(target)).get();
                        (next, EventKind::Nudge, None)
                    }
                    Act::Set(next) => (next, EventKind::Set, None),
                    Act::Undo(_) if befores.is_empty() => continue,
                    Act::Undo(which) => {
                        let at = which.index(befores.len());
                        (befores[at], EventKind::Revert, Some(at as i64 + 1))
                    }
                };
                befores.push(score);
                history.push(step(seq, kind, reverts));
                score = next;
                let after = (score, research(score, &history));
                if let Act::Code(good, _) = act {
                    let sign = if good { 1.0 } else { -1.0 };
                    prop_assert!(sign * (after.0 - before.0) >= 0.0, "newsroom {before:?} {after:?}");
                    prop_assert!(sign * (after.1 - before.1) >= -1e-12, "research {before:?} {after:?}");
                }
            }
        }
    }
}
