//! How many tool calls may be under way: a few for each client, and not too many for all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::limits;
use crate::problem::Problem;

/// Counts calls that are under way. A client that has too many waits for none of the others'.
#[derive(Debug, Default)]
pub(crate) struct Turnstile {
    inside: Mutex<HashMap<String, usize>>,
    all: watch::Sender<usize>,
}

/// A call that is under way.
#[derive(Debug)]
pub(crate) struct Passage {
    turnstile: Arc<Turnstile>,
    who: String,
}

impl Turnstile {
    /// Lets a call in.
    ///
    /// # Errors
    /// Says to wait where too many are under way.
    pub(crate) fn enter(self: &Arc<Self>, who: &str) -> Result<Passage, Problem> {
        let mut inside = self.lock();
        if *self.all.borrow() >= limits::MCP_CALLS_ALL {
            let why = "too many tool calls are under way on this server; try again in a minute";
            return Err(Problem::too_many(why, 60));
        }
        let count = inside.entry(who.to_owned()).or_default();
        if *count >= limits::MCP_CALLS {
            let why = format!(
                "{} of your tool calls are under way already; wait until one of them ends",
                limits::MCP_CALLS
            );
            return Err(Problem::too_many(why, 10));
        }
        *count += 1;
        self.all.send_modify(|all| *all += 1);
        Ok(Passage { turnstile: Arc::clone(self), who: who.to_owned() })
    }

    /// Waits until no call is under way.
    pub(crate) async fn empty(&self) {
        let _ = self.all.subscribe().wait_for(|all| *all == 0).await;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Passage {
    fn drop(&mut self) {
        let mut inside = self.turnstile.lock();
        if let Some(count) = inside.get_mut(&self.who) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                inside.remove(&self.who);
            }
        }
        self.turnstile.all.send_modify(|all| *all = all.saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_client_with_too_many_calls_does_not_keep_others_out() {
        let turnstile = Arc::new(Turnstile::default());
        let mut passages: Vec<Passage> =
            (0..limits::MCP_CALLS).map(|_| turnstile.enter("ada").unwrap()).collect();
        assert!(turnstile.enter("ada").is_err());
        let other = turnstile.enter("bob").unwrap();
        passages.pop();
        assert!(turnstile.enter("ada").is_ok());
        drop((passages, other));
        turnstile.empty().await;
        assert!(turnstile.lock().is_empty());
    }

    #[test]
    fn all_clients_together_have_a_limit_too() {
        let turnstile = Arc::new(Turnstile::default());
        let enter = |number: usize| turnstile.enter(&(number / limits::MCP_CALLS).to_string());
        let passages: Vec<_> = (0..limits::MCP_CALLS_ALL).map(enter).collect();
        assert!(passages.iter().all(Result::is_ok));
        assert!(turnstile.enter("late").is_err());
    }
}
