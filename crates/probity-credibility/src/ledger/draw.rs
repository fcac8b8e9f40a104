//! An outlet's history as a picture: a step line for the terminal, an SVG for pages and files.
//!
//! Each step is one event, in log order, so a burst of codings stays readable. The line begins
//! where the outlet stood before the first event shown.

mod svg;
mod terminal;

use probity_core::Timestamp;

use super::EventRecord;

/// A picture's range of scores is a multiple of this: small enough to show the step of one coding,
/// and a quarter of it is a round number for a label.
const SPAN: f64 = 0.04;

/// A history to draw.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    outlet: String,
    start: f64,
    steps: Vec<Step>,
    /// The lowest and highest score that the picture shows.
    range: (f64, f64),
}

#[derive(Debug, Clone, PartialEq)]
struct Step {
    at: Timestamp,
    score: f64,
    label: String,
}

impl History {
    /// The history of an outlet: its events in log order, and its score where there are none.
    pub fn new(outlet: &str, score: f64, events: &[EventRecord]) -> Self {
        let steps = events.iter().map(|event| Step {
            at: event.at,
            score: event.after,
            label: format!("#{} {} by {}", event.seq, event.kind.as_str(), event.by),
        });
        let start = events.first().map_or(score, |event| event.before);
        let steps: Vec<Step> = steps.collect();
        let range = range(std::iter::once(start).chain(steps.iter().map(|step| step.score)));
        Self { outlet: outlet.to_owned(), start, steps, range }
    }

    /// Every score from the start to today.
    fn scores(&self) -> impl Iterator<Item = f64> {
        std::iter::once(self.start).chain(self.steps.iter().map(|step| step.score))
    }
}

/// The smallest range that holds all scores, by whole hundredths.
fn range(scores: impl Iterator<Item = f64>) -> (f64, f64) {
    let (lowest, highest) =
        scores.fold((1.0f64, 0.0f64), |(low, high), score| (low.min(score), high.max(score)));
    let hundredths = |value: f64| (value * 100.0).round() / 100.0;
    let low = (lowest * 100.0 + 1e-9).floor() / 100.0;
    let span = (((highest - low) / SPAN - 1e-9).ceil() * SPAN).clamp(SPAN, 1.0);
    let low = low.min(1.0 - span).max(0.0);
    (hundredths(low), hundredths(low + span))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::{EventKind, Subject};
    use probity_core::Outlet;
    use proptest::prelude::*;

    pub(super) fn history(start: f64, scores: &[f64]) -> History {
        let mut before = start;
        let events: Vec<EventRecord> = scores
            .iter()
            .enumerate()
            .map(|(place, after)| {
                let record = EventRecord {
                    seq: i64::try_from(place).unwrap() + 1,
                    at: Timestamp(1_772_366_400_000 + i64::try_from(place).unwrap() * 86_400_000),
                    kind: EventKind::Nudge,
                    outlet: Outlet::new("gazette.example").unwrap(),
                    name: None,
                    before,
                    after: *after,
                    alpha: None,
                    target: None,
                    codes: Vec::new(),
                    subject: Subject::outlet(),
                    by: "Ada <script>&\"".to_owned(),
                    note: None,
                    provenance: None,
                    reverts: None,
                    previous: String::new(),
                    hash: String::new(),
                };
                before = *after;
                record
            })
            .collect();
        History::new("gazette.example", start, &events)
    }

    #[test]
    fn a_range_holds_every_score_and_is_never_tiny() {
        assert_eq!(history(0.92, &[0.928]).range, (0.92, 0.96));
        assert_eq!(history(1.0, &[]).range, (0.96, 1.0));
        assert_eq!(history(0.0, &[]).range, (0.0, 0.04));
        assert_eq!(history(0.5, &[0.1, 0.9]).range, (0.1, 0.9));
        assert_eq!(history(0.99, &[0.01]).range, (0.0, 1.0));
    }

    proptest! {
        #[test]
        fn whatever_the_scores_the_pictures_can_be_drawn(
            start in 0.0..=1.0f64,
            scores in prop::collection::vec(0.0..=1.0f64, 0..300),
            width in 0usize..200,
        ) {
            let history = history(start, &scores);
            let (low, high) = history.range;
            prop_assert!(low >= 0.0 && high <= 1.0 && high - low >= SPAN - 1e-9);
            for score in history.scores() {
                prop_assert!((low - 1e-9..=high + 1e-9).contains(&score));
            }
            let drawn = history.terminal(width);
            for line in drawn.lines() {
                prop_assert!(line.chars().count() <= width.max(40), "{}", drawn);
            }
            let svg = history.svg();
            prop_assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
            prop_assert!(!svg.contains("<script>") && !svg.contains("NaN"));
        }
    }
}
