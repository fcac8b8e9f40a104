//! One call that is paid for: held back from the caller's limits and the day's money, made, settled.

use std::sync::{Mutex, MutexGuard, PoisonError};

use probity_core::{Answering, Shared};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::error::ModelError;
use crate::local_speed::Speed;
use crate::meter::{Hold, Meter, Spent};
use crate::model::{Asker, Model};
use crate::model_set::ModelSet;
use crate::reply::{Reply, TokenCount};
use crate::request::Request;
use crate::task::Task;
use crate::tokens;

/// An answer may take one part in this many of a model's window.
const OUTPUT_PART: usize = 3;

/// What a call came to.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It was answered.
    Replied {
        /// The answer.
        reply: Reply,
        /// What it cost.
        spent: Spent,
    },
    /// It failed; what it may have cost anyway.
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
    /// What it cost.
    pub fn spent(&self) -> Spent {
        match self {
            Outcome::Replied { spent, .. } | Outcome::Failed { spent, .. } => *spent,
            Outcome::Refused(_) => Spent::default(),
        }
    }
}

/// A call that was made, and what still has to be reported to those who share the day's budget. Whoever keeps answers
/// keeps this one first: it is lost with the process until then.
#[must_use = "the day's money is held until it is settled"]
pub struct Paid<'a> {
    /// What the call came to.
    pub outcome: Outcome,
    /// What is to be settled.
    pub due: Option<Due<'a>>,
}

impl Paid<'_> {
    /// Settles at once and gives what the call came to.
    pub async fn settled(self) -> Outcome {
        if let Some(due) = self.due {
            due.settle().await;
        }
        self.outcome
    }
}

/// Money of the day's that was held for a call, and what the call did cost.
pub struct Due<'a> {
    purse: &'a dyn Shared,
    held: f64,
    spent: f64,
}

impl Due<'_> {
    /// Gives back what was held and says what was spent.
    pub async fn settle(self) {
        self.purse.settle(self.held, self.spent).await;
    }
}

impl ModelSet {
    /// How many tokens the model that is first asked for a task takes in all.
    pub fn window(&self, task: Task) -> usize {
        self.chain(task).and_then(|chain| chain.first()).map_or(0, |model| model.facts().window)
    }

    /// What the server of the model that is first asked for a task has shown of its speed.
    pub fn speed(&self, task: Task) -> Option<Speed> {
        self.chain(task).and_then(|chain| chain.first()).and_then(Model::speed)
    }

    /// The most tokens of an answer: what is wanted, but no more than a part of the window.
    pub fn output(&self, task: Task, wanted: u32) -> u32 {
        let most = self.window(task) / OUTPUT_PART;
        wanted.min(u32::try_from(most).unwrap_or(u32::MAX))
    }

    /// Makes one call for a task, unless it could go over a limit of the meter or of the day. Every attempt
    /// counts before it is sent, whatever comes of it.
    pub async fn pay(
        &self,
        task: Task,
        request: &Request,
        meter: &Meter,
        deadline: Instant,
        asker: &dyn Asker,
    ) -> Paid<'_> {
        let Some(chain) = self.chain(task) else {
            let error = ModelError::Timeout { model: "no model".to_owned() };
            let outcome = Outcome::Failed { error, spent: Spent::default() };
            return Paid { outcome, due: None };
        };
        let worst = |output: u64| {
            let input = tokens::of_request(request) as u64;
            let tokens = TokenCount {
                input,
                // It is not known beforehand whether a provider takes the instructions into its cache.
                written: (tokens::estimate(&request.system) as u64).min(input),
                output,
                estimated: true,
                ..TokenCount::default()
            };
            let spent = chain.models().map(|model| Spent::on(tokens, model.facts().price));
            spent.max_by(|a, b| a.cost.total_cmp(&b.cost)).unwrap_or_default()
        };
        let (most, sent) = (worst(u64::from(request.max_output_tokens)), worst(0));
        let purse = self.shared();
        let paying = Paying { asker, meter, purse, task, most, sent, state: Mutex::default() };
        // No call is made that could not be paid for.
        match paying.hold().await {
            Ok(hold) => paying.lock().held = Some(hold),
            Err(limit) => return Paid { outcome: Outcome::Refused(limit), due: None },
        }
        match chain.ask(request, deadline, &paying).await {
            Ok(reply) => {
                let by = chain.models().find(|model| model.name().to_string() == reply.model);
                let price = by.or_else(|| chain.first()).and_then(|model| model.facts().price);
                let due = paying.close(Spent::on(reply.tokens, price));
                Paid { outcome: Outcome::Replied { reply, spent: paying.spent() }, due }
            }
            Err(error) => {
                // What was reserved for an attempt that was not made.
                let due = paying.close(Spent::default());
                Paid { outcome: Outcome::Failed { error, spent: paying.spent() }, due }
            }
        }
    }
}

/// The attempts of one call, each held back from the limits before it is sent.
struct Paying<'a, 'p> {
    asker: &'a dyn Asker,
    meter: &'a Meter,
    /// The day's money is everybody's, so it is held for an attempt like the caller's own.
    purse: Option<&'p dyn Shared>,
    task: Task,
    /// What an attempt may cost at most, and what it costs to send it.
    most: Spent,
    sent: Spent,
    state: Mutex<Attempts<'a>>,
}

#[derive(Default)]
struct Attempts<'a> {
    /// What is held back for the attempt that comes next or is in progress.
    held: Option<Hold<'a>>,
    spent: Spent,
}

impl<'a, 'p> Paying<'a, 'p> {
    fn lock(&self) -> MutexGuard<'_, Attempts<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn hold(&self) -> Result<Hold<'a>, String> {
        let hold = self.meter.hold(self.task, self.most)?;
        if let Some(purse) = self.purse
            && let Err(limit) = purse.hold(self.most.cost).await
        {
            hold.settle(Spent::default());
            return Err(limit);
        }
        Ok(hold)
    }

    /// Notes what the attempt did cost, if one is held for, and gives what to report to the others.
    fn close(&self, spent: Spent) -> Option<Due<'p>> {
        let mut state = self.lock();
        let hold = state.held.take()?;
        state.spent = state.spent.plus(hold.settle(spent));
        self.purse.map(|purse| Due { purse, held: self.most.cost, spent: spent.cost })
    }

    fn spent(&self) -> Spent {
        self.lock().spent
    }
}

impl Asker for Paying<'_, '_> {
    fn hear(&self, words: &str) {
        self.asker.hear(words);
    }

    fn begin(&self) -> Answering<'_, Result<(), String>> {
        Box::pin(async move {
            if self.lock().held.is_none() {
                let hold = self.hold().await?;
                self.lock().held = Some(hold);
            }
            Ok(())
        })
    }

    fn failed<'a>(&'a self, error: &'a ModelError) -> Answering<'a, ()> {
        let spent = match error {
            // An answer was written, as long as it may be for all we know.
            error if error.threw_away_an_answer() => self.most,
            // A caller that hangs up may have to pay for what was sent.
            ModelError::Timeout { .. } => self.sent,
            _ => Spent { calls: 1, ..Spent::default() },
        };
        Box::pin(async move {
            if let Some(due) = self.close(spent) {
                due.settle().await;
            }
        })
    }
}
