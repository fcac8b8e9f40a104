//! What was spent, and what may still be: no call begins that could go over a limit.

use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::reply::TokenCount;
use crate::table::Price;
use crate::task::Task;

/// The share of each limit that gathering may use; the rest is for judging and writing.
const GATHERING_SHARE: f64 = 0.75;

/// The most that a run may spend. What is not set is not limited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cost: Option<f64>,
    /// Tokens, sent and received.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// Calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_calls: Option<u64>,
}

/// What was spent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// Calls.
    pub calls: u64,
    /// Tokens sent, cached ones included.
    pub input: u64,
    /// Of those, cached ones.
    pub cached: u64,
    /// Tokens received.
    pub output: u64,
    /// US dollars, where prices are known.
    pub cost: f64,
    /// Calls whose price is not known.
    pub unpriced: u64,
}

impl Spent {
    /// What one call takes.
    pub fn on(tokens: TokenCount, price: Option<Price>) -> Self {
        Self {
            calls: 1,
            input: tokens.input,
            cached: tokens.cached,
            output: tokens.output,
            cost: price.map_or(0.0, |price| price.of(tokens)),
            unpriced: u64::from(price.is_none()),
        }
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            input: self.input.saturating_add(other.input),
            cached: self.cached.saturating_add(other.cached),
            output: self.output.saturating_add(other.output),
            cost: self.cost + other.cost,
            unpriced: self.unpriced.saturating_add(other.unpriced),
        }
    }
}

#[derive(Debug, Default)]
struct State {
    spent: Spent,
    /// What the calls in progress may come to at most.
    held: Spent,
}

/// Counts what a run spends. Shared by all of its calls.
#[derive(Debug, Default)]
pub struct Meter {
    limits: Limits,
    state: Mutex<State>,
}

impl Meter {
    /// A meter that begins at what a run had spent before.
    pub fn new(limits: Limits, before: Spent) -> Self {
        Self { limits, state: Mutex::new(State { spent: before, held: Spent::default() }) }
    }

    /// What was spent so far.
    pub fn spent(&self) -> Spent {
        self.lock().spent
    }

    /// Holds back what a call may cost at most.
    ///
    /// # Errors
    /// Says which limit the call could go over; then it must not be made.
    pub fn hold(&self, task: Task, worst: Spent) -> Result<Hold<'_>, String> {
        let mut state = self.lock();
        let after = state.spent.plus(state.held).plus(worst);
        let share = if task.is_gathering() { GATHERING_SHARE } else { 1.0 };
        let Limits { max_cost, max_tokens, max_calls } = self.limits;
        // Of very few calls none can be kept back.
        let calls = |max: u64| if task.is_gathering() { max - max / 4 } else { max };
        if let Some(max) = max_calls.filter(|max| after.calls > calls(*max)) {
            return Err(format!("{max} calls"));
        }
        let tokens = after.input.saturating_add(after.output);
        if let Some(max) = max_tokens.filter(|max| tokens as f64 > *max as f64 * share) {
            return Err(format!("{max} tokens"));
        }
        if let Some(max) = max_cost.filter(|max| after.cost > max * share) {
            return Err(format!("{max} US dollars"));
        }
        state.held = state.held.plus(worst);
        Ok(Hold { meter: self, worst, settled: false })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is held back for a call in progress. A call that is given up counts as if it had cost that:
/// a caller that hangs up still pays.
#[derive(Debug)]
pub struct Hold<'a> {
    meter: &'a Meter,
    worst: Spent,
    settled: bool,
}

impl Hold<'_> {
    /// Says what the call did cost.
    pub fn settle(mut self, spent: Spent) -> Spent {
        self.settled = true;
        self.release(spent);
        spent
    }

    fn release(&self, spent: Spent) {
        let mut state = self.meter.lock();
        let held = state.held;
        state.held = Spent {
            calls: held.calls.saturating_sub(self.worst.calls),
            input: held.input.saturating_sub(self.worst.input),
            cached: held.cached.saturating_sub(self.worst.cached),
            output: held.output.saturating_sub(self.worst.output),
            cost: (held.cost - self.worst.cost).max(0.0),
            unpriced: held.unpriced.saturating_sub(self.worst.unpriced),
        };
        state.spent = state.spent.plus(spent);
    }
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        if !self.settled {
            self.release(self.worst);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn call(input: u64, output: u64) -> Spent {
        let price = Price { input: 1.0, cached: 0.1, output: 2.0 };
        Spent::on(TokenCount { input, output, ..TokenCount::default() }, Some(price))
    }

    #[test]
    fn gathering_stops_before_judging_and_writing_do() {
        let limits = Limits { max_calls: Some(4), ..Limits::default() };
        let meter = Meter::new(limits, Spent::default());
        for _ in 0..3 {
            meter.hold(Task::Summarise, call(1, 1)).unwrap().settle(call(1, 1));
        }
        assert_eq!(meter.hold(Task::Gaps, call(1, 1)).unwrap_err(), "4 calls");
        meter.hold(Task::Synthesise, call(1, 1)).unwrap().settle(call(1, 1));
        assert!(meter.hold(Task::Synthesise, call(1, 1)).is_err());
    }

    #[test]
    fn a_call_that_is_given_up_is_paid_for() {
        let limits = Limits { max_tokens: Some(100), ..Limits::default() };
        let meter = Meter::new(limits, Spent::default());
        drop(meter.hold(Task::Score, call(40, 20)).unwrap());
        assert_eq!(meter.spent().input + meter.spent().output, 60);
        assert!(meter.hold(Task::Score, call(40, 20)).is_err());
    }

    proptest! {
        #[test]
        fn no_limit_is_ever_exceeded(
            calls in prop::collection::vec((0u64..5_000, 0u64..2_000, 0.0f64..1.0, any::<bool>()), 0..60),
            cost in 0.0f64..0.02, tokens in 0u64..50_000, max in 0u64..40,
        ) {
            let limits =
                Limits { max_cost: Some(cost), max_tokens: Some(tokens), max_calls: Some(max) };
            let meter = Meter::new(limits, Spent::default());
            let mut under_way = Vec::new();
            for (input, output, share, wait) in calls {
                if let Ok(hold) = meter.hold(Task::Score, call(input, output)) {
                    let real = call(input, (output as f64 * share) as u64);
                    if wait { under_way.push((hold, real)) } else { hold.settle(real); }
                }
            }
            for (hold, real) in under_way { hold.settle(real); }
            let spent = meter.spent();
            prop_assert!(spent.calls <= max);
            prop_assert!(spent.input + spent.output <= tokens);
            prop_assert!(spent.cost <= cost + 1e-12);
        }
    }
}
