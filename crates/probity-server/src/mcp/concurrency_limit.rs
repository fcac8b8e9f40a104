//! How many tool calls may be in progress: a few for each client, and not too many for all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::limits;
use crate::problem::Problem;

/// Counts calls that are in progress. A client that has too many waits for none of the others'.
#[derive(Debug, Default)]
pub(crate) struct CallLimit {
    inside: Mutex<HashMap<String, usize>>,
    all: watch::Sender<usize>,
}

/// A call that is in progress.
#[derive(Debug)]
pub(crate) struct Passage {
    limit: Arc<CallLimit>,
    who: String,
}

impl CallLimit {
    /// Lets a call in.
    ///
    /// # Errors
    /// Says to wait where too many are in progress.
    pub(crate) fn enter(self: &Arc<Self>, who: &str) -> Result<Passage, Problem> {
        let mut inside = self.lock();
        if *self.all.borrow() >= limits::MCP_CALLS_ALL {
            let why = "too many tool calls are in progress on this server; try again in a minute";
            return Err(Problem::too_many(why, 60));
        }
        let count = inside.entry(who.to_owned()).or_default();
        if *count >= limits::MCP_CALLS {
            let why = format!(
                "{} of your tool calls are already in progress; wait until one of them ends",
                limits::MCP_CALLS
            );
            return Err(Problem::too_many(why, 10));
        }
        *count += 1;
        self.all.send_modify(|all| *all += 1);
        Ok(Passage { limit: Arc::clone(self), who: who.to_owned() })
    }

    /// Waits until no call is in progress.
    pub(crate) async fn empty(&self) {
        let _ = self.all.subscribe().wait_for(|all| *all == 0).await;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Passage {
    fn drop(&mut self) {
        let mut inside = self.limit.lock();
        if let Some(count) = inside.get_mut(&self.who) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                inside.remove(&self.who);
            }
        }
        self.limit.all.send_modify(|all| *all = all.saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_client_with_too_many_calls_does_not_keep_others_out() {
        let limit = Arc::new(CallLimit::default());
        let mut passages: Vec<Passage> =
            (0..limits::MCP_CALLS).map(|_| limit.enter("ada").unwrap()).collect();
        assert!(limit.enter("ada").is_err());
        let other = limit.enter("bob").unwrap();
        passages.pop();
        assert!(limit.enter("ada").is_ok());
        drop((passages, other));
        limit.empty().await;
        assert!(limit.lock().is_empty());
    }

    #[test]
    fn all_clients_together_have_a_limit_too() {
        let limit = Arc::new(CallLimit::default());
        let enter = |number: usize| limit.enter(&(number / limits::MCP_CALLS).to_string());
        let passages: Vec<_> = (0..limits::MCP_CALLS_ALL).map(enter).collect();
        assert!(passages.iter().all(Result::is_ok));
        assert!(limit.enter("late").is_err());
    }
}
