//! Holding a lease while the work is done: heartbeats, and stopping at once when it is lost.

use std::time::Duration;

use probity_store::Store;
use probity_store::queue::{Beat, Leased};
use tokio::sync::watch;
use tokio::time::Instant;

use super::{Drain, Handled, Handler, Task, WorkSettings, write_down};
use crate::driver::Cancel;

/// A lease is renewed this many times before it would run out.
const BEATS_PER_LEASE: u32 = 4;

/// A job in a worker's hand.
pub(super) struct Hand {
    pub(super) store: Store,
    pub(super) settings: WorkSettings,
    pub(super) job: Leased,
}

impl Hand {
    /// Has the job done under its lease and records its result.
    pub(super) async fn carry(
        self,
        handler: &dyn Handler,
        drained: watch::Receiver<Drain>,
    ) -> Handled {
        let (now, cancel) = Cancel::new();
        let (soon, cancel) = cancel.gently();
        let (calling_off, called_off) = watch::channel(false);
        let store = self.store.fenced(self.job.fence.clone());
        let task = Task { store, job: self.job.clone(), cancel, called_off };
        let began = Instant::now();
        let handled = tokio::select! {
            handled = handler.handle(task) => handled,
            () = self.keep(&now, &calling_off) => Handled::Lost,
            () = pass_on(drained, &soon, &now) => Handled::Lost,
        };
        let written = tokio::select! {
            written = self.write_down(&handled) => written,
            () = self.keep(&now, &calling_off) => false,
        };
        let handled = if written { handled } else { Handled::Lost };
        tracing::info!(
            job = self.job.fence.job,
            attempt = self.job.fence.attempt,
            seconds = began.elapsed().as_secs_f64(),
            "{handled:?}"
        );
        handled
    }

    /// Keeps the lease; returns when it is lost, or may be for all that is known.
    async fn keep(&self, now: &watch::Sender<bool>, calling_off: &watch::Sender<bool>) {
        let lease = self.settings.lease;
        let beat = (lease / BEATS_PER_LEASE).max(Duration::from_millis(10));
        let mut held_until = Instant::now() + lease;
        let mut next = Instant::now() + beat;
        let mut heard = false;
        loop {
            tokio::select! {
                () = tokio::time::sleep_until(next) => {}
                // Whoever cancels does not wait for a heartbeat: it comes at once.
                () = self.store.called_off(&self.job.fence.job), if !heard => heard = true,
            }
            let asked = Instant::now();
            next = asked + beat;
            let beating = self.store.heartbeat(&self.job.fence, lease);
            match tokio::time::timeout_at(held_until, beating).await {
                Ok(Ok(Beat::Held)) => held_until = asked + lease,
                Ok(Ok(Beat::Cancel)) => {
                    held_until = asked + lease;
                    calling_off.send_replace(true);
                    now.send_replace(true);
                }
                Ok(Ok(Beat::Lost)) => return,
                Ok(Err(error)) => {
                    tracing::warn!(%error, job = self.job.fence.job, "a heartbeat failed");
                    next = asked + beat / 2;
                }
                Err(_) => {}
            }
            // Without an answer the state is unknown; in doubt it stops.
            if Instant::now() >= held_until {
                return;
            }
        }
    }

    /// Records the result of the job, patiently. Gives `false` if the lease was lost.
    async fn write_down(&self, handled: &Handled) -> bool {
        let beat = self.settings.lease / BEATS_PER_LEASE;
        loop {
            match write_down(&self.store, &self.settings, &self.job, handled).await {
                Ok(written) => return written,
                Err(error) if error.is_passing() => tokio::time::sleep(beat / 4).await,
                Err(error) => {
                    tracing::error!(%error, job = self.job.fence.job, "an end was not written");
                    return false;
                }
            }
        }
    }
}

/// Passes the worker's own stop on to the job, gently and then not. Never returns.
async fn pass_on(
    mut drained: watch::Receiver<Drain>,
    soon: &watch::Sender<bool>,
    now: &watch::Sender<bool>,
) {
    let mut at_least = async |drain: &[Drain]| {
        if drained.wait_for(|state| drain.contains(state)).await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    at_least(&[Drain::Soon, Drain::Now]).await;
    soon.send_replace(true);
    at_least(&[Drain::Now]).await;
    now.send_replace(true);
    std::future::pending().await
}
