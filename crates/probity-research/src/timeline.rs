//! When each step of a run was done, stage by stage.
//!
//! The times come from the journal's entries and never from a clock of our own, so a replay shows
//! the same story as the run did, to the millisecond.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use probity_core::{Timestamp, printable};
use probity_report::facts::{Call, StageRecord, Usage};
use serde_json::Value;

use crate::journal::{Entry, StepKind};

/// The most calls that are reported; a run of the largest size makes fewer than a thousand.
const MAX_CALLS: usize = 5_000;
/// How much of a query or an address labels a call, in characters.
const LABEL_CHARS: usize = 200;

/// The stages of a run so far.
#[derive(Debug, Default)]
pub struct Timeline(Mutex<Story>);

#[derive(Debug, Default)]
struct Story {
    stages: Vec<StageRecord>,
    counted: HashSet<String>,
}

impl Timeline {
    /// A new stage begins.
    pub(crate) fn enter(&self, title: &str) {
        self.lock().stages.push(StageRecord { title: title.to_owned(), ..StageRecord::default() });
    }

    /// A step was done, now or in an earlier life of the run. The first stage to ask for it has it.
    pub(crate) fn note(&self, entry: &Entry) {
        // The calls to a model stand below the judgement that made them, which a replay finds first.
        if entry.kind == StepKind::Model.as_str() {
            return;
        }
        let mut story = self.lock();
        if story.counted.len() >= MAX_CALLS || !story.counted.insert(entry.key.clone()) {
            return;
        }
        let call = Call {
            kind: entry.kind.clone(),
            label: label(&entry.inputs),
            start_ms: entry.at.0.saturating_sub(entry.millis),
            millis: entry.millis,
        };
        if let Some(stage) = story.stages.last_mut() {
            stage.calls.push(call);
        }
    }

    /// The present stage spent something.
    pub(crate) fn spend(&self, usage: &Usage) {
        if let Some(stage) = self.lock().stages.last_mut() {
            stage.usage.add(usage);
        }
    }

    /// The stages with their calls in order, timed from the moment the question was asked.
    pub fn stages(&self, asked_at: Timestamp) -> Vec<StageRecord> {
        let mut stages = self.lock().stages.clone();
        for stage in &mut stages {
            for call in &mut stage.calls {
                call.start_ms = call.start_ms.saturating_sub(asked_at.0);
            }
            // Calls that ran side by side are noted in any order; a replay has to show the same.
            stage.calls.sort_by(|a, b| {
                let order = |call: &Call| (call.start_ms, call.millis);
                order(a).cmp(&order(b)).then_with(|| (&a.kind, &a.label).cmp(&(&b.kind, &b.label)))
            });
        }
        stages
    }

    /// How long anything was in progress so far, in milliseconds. Idle time does not count.
    pub(crate) fn busy_millis(&self) -> i64 {
        let story = self.lock();
        let calls = story.stages.iter().flat_map(|stage| &stage.calls);
        let mut spans: Vec<(i64, i64)> =
            calls.map(|call| (call.start_ms, call.start_ms.saturating_add(call.millis))).collect();
        spans.sort_unstable();
        let (mut busy, mut until) = (0i64, i64::MIN);
        for (from, to) in spans {
            busy = busy.saturating_add(to.saturating_sub(from.max(until)).max(0));
            until = until.max(to);
        }
        busy
    }

    fn lock(&self) -> MutexGuard<'_, Story> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a step was about: the first text among its inputs.
fn label(inputs: &str) -> String {
    fn first(value: &Value) -> Option<&str> {
        match value {
            Value::String(text) => Some(text),
            Value::Array(values) => values.iter().find_map(first),
            _ => None,
        }
    }
    let inputs: Value = serde_json::from_str(inputs).unwrap_or_default();
    first(&inputs).map(|text| printable::brief(text, LABEL_CHARS)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: &str, inputs: &str, at: i64, millis: i64) -> Entry {
        Entry {
            key: key.to_owned(),
            kind: "fetch".to_owned(),
            inputs: inputs.to_owned(),
            output: String::new(),
            digest: String::new(),
            at: Timestamp(at),
            millis,
        }
    }

    #[test]
    fn the_order_of_telling_does_not_matter() {
        let stages_of = |order: &[usize]| {
            let timeline = Timeline::default();
            timeline.enter("Round 1");
            let entries = [
                entry("a", r#"["https://a.example/",false]"#, 1_500, 400),
                entry("b", r#"[3,"https://b.example/"]"#, 1_300, 300),
                entry("c", "[1,2]", 1_400, 300),
            ];
            order.iter().for_each(|i| timeline.note(&entries[*i]));
            timeline.stages(Timestamp(1_000))
        };
        let stages = stages_of(&[0, 1, 2]);
        assert_eq!(stages, stages_of(&[2, 1, 0, 1]));
        let labels: Vec<(i64, &str)> =
            stages[0].calls.iter().map(|call| (call.start_ms, call.label.as_str())).collect();
        assert_eq!(labels, [(0, "https://b.example/"), (100, ""), (100, "https://a.example/")]);
    }

    #[test]
    fn a_step_belongs_to_the_stage_that_asked_first() {
        let timeline = Timeline::default();
        timeline.enter("Round 1");
        timeline.note(&entry("a", "\"x\"", 10, 5));
        timeline.enter("Round 2");
        timeline.note(&entry("a", "\"x\"", 10, 5));
        let calls: Vec<usize> =
            timeline.stages(Timestamp(0)).iter().map(|stage| stage.calls.len()).collect();
        assert_eq!(calls, [1, 0]);
    }
}
