//! One call that is paid for: held back from the caller's limits and the day's money, made, settled.

use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::error::ModelError;
use crate::lineup::Lineup;
use crate::meter::{Meter, Spent};
use crate::model::Heard;
use crate::reply::{Reply, TokenCount};
use crate::request::Request;
use crate::task::Task;
use crate::tokens;

/// An answer may take one part in so many of a model's window.
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
    /// What it cost.
    pub fn spent(&self) -> Spent {
        match self {
            Outcome::Replied { spent, .. } | Outcome::Failed { spent, .. } => *spent,
            Outcome::Refused(_) => Spent::default(),
        }
    }
}

impl Lineup {
    /// How many tokens the model that is first asked for a task takes in all.
    pub fn window(&self, task: Task) -> usize {
        self.chain(task).and_then(|chain| chain.first()).map_or(0, |model| model.facts().window)
    }

    /// The most tokens of an answer: what is wanted, but no more than a part of the window.
    pub fn output(&self, task: Task, wanted: u32) -> u32 {
        let most = self.window(task) / OUTPUT_PART;
        wanted.min(u32::try_from(most).unwrap_or(u32::MAX))
    }

    /// Makes one call for a task, unless it could go over a limit of the meter or of the day.
    pub async fn pay(
        &self,
        task: Task,
        request: &Request,
        meter: &Meter,
        deadline: Instant,
        heard: Heard<'_>,
    ) -> Outcome {
        let Some(chain) = self.chain(task) else {
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
        let hold = match meter.hold(task, most) {
            Ok(hold) => hold,
            Err(limit) => return Outcome::Refused(limit),
        };
        // The day's money is everybody's, so it is held for the call like the caller's own.
        let purse = self.shared();
        if let Some(purse) = purse
            && let Err(limit) = purse.hold(most.cost).await
        {
            hold.settle(Spent::default());
            return Outcome::Refused(limit);
        }
        let outcome = match chain.ask(request, deadline, heard).await {
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
        outcome
    }
}
