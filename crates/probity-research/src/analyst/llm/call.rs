//! One model call of a run: journalled, metered, within its deadline, and mended once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use probity_model::meter::Spent;
use probity_model::{
    Limits, Lineup, Meter, Model, ModelError, Reply, Request, Stop, Task, TokenCount, Turn, tokens,
};
use probity_report::facts::Usage;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::super::{AnalystError, Answer};
use super::prompts;
use crate::event::{Event, Watcher};
use crate::journal::{Entry, Journal, StepKind};

/// An answer is due so long before the run stops waiting, so that it can still say what it cost.
const MARGIN: Duration = Duration::from_millis(250);
/// An answer may take one part in so many of the window.
const OUTPUT_PART: usize = 3;
/// Costs are kept to a billionth of a dollar.
const COST_UNITS: f64 = 1e9;
/// Words that arrive are told of after every so many.
const WORDS_TOLD: usize = 10;
/// How much of an unusable answer is shown to the model again, in tokens.
const SHOWN_AGAIN: usize = 1_500;

/// What a model call came to, as the journal keeps it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Outcome {
    /// It was answered.
    Replied {
        /// The answer.
        reply: Reply,
        /// What it cost.
        spent: Spent,
    },
    /// It failed; what it may have cost all the same.
    Failed {
        /// Why.
        error: ModelError,
        /// What it may have cost.
        spent: Spent,
    },
    /// It was not made, because it could have gone over this limit.
    Refused(String),
}

impl Outcome {
    fn spent(&self) -> Spent {
        match self {
            Outcome::Replied { spent, .. } | Outcome::Failed { spent, .. } => *spent,
            Outcome::Refused(_) => Spent::default(),
        }
    }
}

/// The means to ask models: shared by everything that one run asks.
pub(super) struct Caller<'a> {
    pub(super) lineup: Lineup,
    journal: &'a Journal,
    watcher: &'a dyn Watcher,
    meter: Meter,
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
        Self { lineup, journal, watcher, meter: Meter::new(limits, before) }
    }

    /// The model that a task is first asked of.
    pub(super) fn model(&self, task: Task) -> Option<&dyn Model> {
        self.lineup.chain(task)?.first()
    }

    /// How many tokens that model takes in all.
    pub(super) fn window(&self, task: Task) -> usize {
        self.model(task).map_or(0, |model| model.facts().window)
    }

    /// The most tokens of an answer: what is wanted, but no more than a part of the window.
    pub(super) fn output(&self, task: Task, wanted: u32) -> u32 {
        let most = self.window(task) / OUTPUT_PART;
        wanted.min(u32::try_from(most).unwrap_or(u32::MAX))
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
        let Some(chain) = self.caller.lineup.chain(self.task) else {
            let error = ModelError::Timeout { model: "no model".to_owned() };
            return Outcome::Failed { error, spent: Spent::default() };
        };
        let worst = |output: u64| {
            let input = tokens::of_request(request) as u64;
            let tokens = TokenCount { input, cached: 0, output, estimated: true };
            let spent = chain.models().map(|model| Spent::on(tokens, model.facts().price));
            spent.max_by(|a, b| a.cost.total_cmp(&b.cost)).unwrap_or_default()
        };
        let most = worst(u64::from(request.max_output_tokens));
        let hold = match self.caller.meter.hold(self.task, most) {
            Ok(hold) => hold,
            Err(limit) => return Outcome::Refused(limit),
        };
        // The day's money is everybody's, so it is held for the call like the run's own.
        let purse = self.caller.lineup.shared();
        if let Some(purse) = purse
            && let Err(limit) = purse.hold(most.cost).await
        {
            hold.settle(Spent::default());
            return Outcome::Refused(limit);
        }
        let words = AtomicUsize::new(0);
        let heard = |piece: &str| self.hear(&words, piece);
        let outcome = match chain.ask(request, self.deadline, &heard).await {
            Ok(reply) => {
                let by = chain.models().find(|model| model.name().to_string() == reply.model);
                let price = by.or_else(|| chain.first()).and_then(|model| model.facts().price);
                let spent = hold.settle(Spent::on(reply.tokens, price));
                Outcome::Replied { reply, spent }
            }
            // Whoever hangs up may have to pay for what was sent.
            Err(error @ ModelError::Timeout { .. }) => {
                let spent = hold.settle(worst(0));
                Outcome::Failed { error, spent }
            }
            Err(error) => {
                let spent = hold.settle(Spent::default());
                Outcome::Failed { error, spent }
            }
        };
        if let Some(purse) = purse {
            purse.settle(most.cost, outcome.spent().cost).await;
        }
        self.tell(&outcome);
        outcome
    }

    /// Counts the words of a report as they come, and tells of every few.
    fn hear(&self, words: &AtomicUsize, piece: &str) {
        let fresh = piece.chars().filter(|c| c.is_whitespace()).count();
        let before = words.fetch_add(fresh, Ordering::Relaxed);
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
