//! One model call of a run: journalled, metered, within its deadline, and mended once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use probity_model::call::Outcome;
use probity_model::meter::Spent;
use probity_model::{
    Limits, Lineup, Meter, Model, ModelError, Reply, Request, Stop, Task, Turn, tokens,
};
use probity_report::facts::Usage;
use tokio::time::Instant;

use super::super::{AnalystError, Answer};
use super::prompts;
use crate::event::{Event, Watcher};
use crate::journal::{Entry, Journal, StepKind};

/// An answer is due so long before the run stops waiting, so that it can still say what it cost.
const MARGIN: Duration = Duration::from_millis(250);
/// Costs are kept to a billionth of a dollar.
const COST_UNITS: f64 = 1e9;
/// Words that arrive are told of after every so many.
const WORDS_TOLD: usize = 10;
/// How much of an unusable answer is shown to the model again, in tokens.
const SHOWN_AGAIN: usize = 1_500;

/// The means to ask models: shared by everything that one run asks.
pub(super) struct Caller<'a> {
    pub(super) lineup: Lineup,
    journal: &'a Journal,
    watcher: &'a dyn Watcher,
    meter: Meter,
    /// The words of the report that were heard so far, in all of its parts.
    words: AtomicUsize,
}

impl<'a> Caller<'a> {
    /// A caller that goes on counting where the journal's run stood.
    pub(super) fn new(
        lineup: Lineup,
        limits: Limits,
        journal: &'a Journal,
        watcher: &'a dyn Watcher,
    ) -> Self {
        let before: Vec<Outcome> = journal.outputs(StepKind::Model);
        let before = before.iter().fold(Spent::default(), |sum, one| sum.plus(one.spent()));
        let (meter, words) = (Meter::new(limits, before), AtomicUsize::new(0));
        Self { lineup, journal, watcher, meter, words }
    }

    /// The model that a task is first asked of.
    pub(super) fn model(&self, task: Task) -> Option<&dyn Model> {
        self.lineup.chain(task)?.first()
    }

    /// How many tokens that model takes in all.
    pub(super) fn window(&self, task: Task) -> usize {
        self.lineup.window(task)
    }

    /// The most tokens of an answer: what is wanted, but no more than a part of the window.
    pub(super) fn output(&self, task: Task, wanted: u32) -> u32 {
        self.lineup.output(task, wanted)
    }

    /// A conversation about one judgement.
    pub(super) fn begin(&self, task: Task, seconds: u64) -> Judgement<'_> {
        let time = Duration::from_secs(seconds).saturating_sub(MARGIN);
        Judgement {
            caller: self,
            task,
            deadline: Instant::now() + time,
            usage: Mutex::new(Usage::default()),
        }
    }
}

/// One judgement under way: a few calls with one deadline and one bill.
pub(super) struct Judgement<'a> {
    caller: &'a Caller<'a>,
    task: Task,
    deadline: Instant,
    usage: Mutex<Usage>,
}

impl Judgement<'_> {
    /// The answer with its bill.
    pub(super) fn answer<T>(self, result: Result<T, AnalystError>) -> Answer<T> {
        let mut usage = self.usage.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Parallel calls end in any order; the sum must not show which.
        let exact = |cost: f64| (cost * COST_UNITS).round() / COST_UNITS;
        usage.cost_usd = exact(usage.cost_usd);
        usage.by_task.values_mut().for_each(|task| task.cost_usd = exact(task.cost_usd));
        Answer { result, usage }
    }

    /// Asks, reads, and if the answer cannot be read asks once more and says why.
    pub(super) async fn ask<T>(
        &self,
        mut request: Request,
        read: impl Fn(&Reply) -> Result<T, String>,
    ) -> Result<T, AnalystError> {
        let reply = self.call(&request).await?;
        let problem = match read(&reply) {
            Ok(answer) => return Ok(answer),
            Err(problem) => problem,
        };
        if reply.stop == Stop::Refused {
            return Err(AnalystError::Failed(format!("{} would not answer", reply.model)));
        }
        let problem = match reply.stop {
            Stop::Length => format!("{problem}, and it was cut off for its length"),
            _ => problem,
        };
        let again = SHOWN_AGAIN.min(self.caller.window(self.task) / 16);
        let text = match tokens::clip(&reply.text, again) {
            "" => "(nothing)".to_owned(),
            text => text.to_owned(),
        };
        request.turns.push(Turn::Model { text, calls: Vec::new() });
        request.turns.push(Turn::User(prompts::repair(&problem)));
        let reply = self.call(&request).await?;
        read(&reply).map_err(AnalystError::Unusable)
    }

    /// Makes one call, or gives back what it came to before.
    pub(super) async fn call(&self, request: &Request) -> Result<Reply, AnalystError> {
        let caller = self.caller;
        let max_output_tokens = caller.output(self.task, request.max_output_tokens);
        let request = &Request { max_output_tokens, ..request.clone() };
        let inputs = (self.task, caller.lineup.name(self.task), request.digest());
        let step = caller.journal.step(StepKind::Model, &inputs, async || self.make(request).await);
        let outcome = step.await.map_err(|error| AnalystError::Failed(error.to_string()))?;
        self.note(outcome.spent());
        match outcome {
            Outcome::Replied { reply, .. } => Ok(reply),
            Outcome::Failed { error: ModelError::Timeout { model }, .. } => {
                Err(AnalystError::Failed(format!("{model} did not answer in time")))
            }
            Outcome::Failed { error, .. } => Err(AnalystError::Failed(error.to_string())),
            Outcome::Refused(limit) => Err(AnalystError::Budget(limit)),
        }
    }

    async fn make(&self, request: &Request) -> Outcome {
        let heard = |piece: &str| self.hear(piece);
        let Caller { lineup, meter, .. } = self.caller;
        let outcome = lineup.pay(self.task, request, meter, self.deadline, &heard).await;
        if let Outcome::Refused(_) = outcome {
            return outcome;
        }
        self.tell(&outcome);
        outcome
    }

    /// Counts the words of a report as they come, and tells of every few.
    fn hear(&self, piece: &str) {
        let fresh = piece.chars().filter(|c| c.is_whitespace()).count();
        let before = self.caller.words.fetch_add(fresh, Ordering::Relaxed);
        if (before + fresh) / WORDS_TOLD > before / WORDS_TOLD {
            self.caller.watcher.watch(&Event::Writing { words: before + fresh });
        }
    }

    fn tell(&self, outcome: &Outcome) {
        let model = match outcome {
            Outcome::Replied { reply, .. } => reply.model.clone(),
            _ => self.caller.lineup.name(self.task),
        };
        let total = usage(self.caller.meter.spent());
        self.caller.watcher.watch(&Event::Spend { task: self.task.to_string(), model, total });
    }

    fn note(&self, spent: Spent) {
        let mut sum = self.usage.lock().unwrap_or_else(PoisonError::into_inner);
        let one = usage(spent);
        let by_task = [(self.task.to_string(), one.clone())];
        sum.add(&Usage {
            by_task: by_task.into_iter().filter(|_| spent.calls > 0).collect(),
            ..one
        });
    }
}

/// What the model calls of a journal cost.
pub fn spent_in(entries: &[Entry]) -> Usage {
    let mut sum = Usage::default();
    for entry in entries.iter().filter(|entry| entry.kind == StepKind::Model.as_str()) {
        let outcome = serde_json::from_str::<Outcome>(&entry.output);
        let inputs = serde_json::from_str::<(Task, String, String)>(&entry.inputs);
        let (Ok(outcome), Ok((task, ..))) = (outcome, inputs) else { continue };
        let one = usage(outcome.spent());
        let by_task = [(task.to_string(), one.clone())].into_iter().collect();
        sum.add(&Usage { by_task, ..one });
    }
    sum
}

/// What was spent, as a report says it.
fn usage(spent: Spent) -> Usage {
    Usage {
        model_calls: spent.calls,
        input_tokens: spent.input,
        cached_tokens: spent.cached,
        output_tokens: spent.output,
        cost_usd: spent.cost,
        unpriced_calls: spent.unpriced,
        by_task: Default::default(),
    }
}
