//! The queue before password work, which is dear on purpose: a few at once, a few more in line, and the
//! others are told to come again. Without it whoever sends enough log-ins takes all memory there is.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::limits;

/// Room for password work.
pub(crate) struct PasswordQueue {
    line: Arc<Semaphore>,
    work: Arc<Semaphore>,
}

impl Default for PasswordQueue {
    fn default() -> Self {
        Self {
            line: Arc::new(Semaphore::new(limits::PASSWORDS_WAITING)),
            work: Arc::new(Semaphore::new(limits::PASSWORDS)),
        }
    }
}

/// Why password work was not done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NotDone {
    /// Too many are in line.
    Full,
    /// It broke down.
    Failed(String),
}

impl PasswordQueue {
    /// Does password work when its turn comes. Work that began keeps its place until it ends, also when
    /// nobody waits for it any more.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, NotDone> {
        let place = Arc::clone(&self.line).try_acquire_owned().map_err(|_| NotDone::Full)?;
        let turn = Arc::clone(&self.work).acquire_owned().await;
        let turn = turn.map_err(|error| NotDone::Failed(error.to_string()))?;
        let working = tokio::task::spawn_blocking(move || {
            let done = work();
            drop((turn, place));
            done
        });
        working.await.map_err(|error| NotDone::Failed(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn no_more_than_a_few_work_at_once_and_no_more_than_a_few_wait() {
        let queue = PasswordQueue::default();
        let (at_once, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (let_go, held) = mpsc::channel::<()>();
        let held = Arc::new(std::sync::Mutex::new(held));
        let tries = limits::PASSWORDS_WAITING * 10;
        let running = (0..tries).map(|_| {
            let (at_once, most, held) = (at_once.clone(), most.clone(), held.clone());
            queue.run(move || {
                let now = at_once.fetch_add(1, Ordering::SeqCst) + 1;
                most.fetch_max(now, Ordering::SeqCst);
                let _ = held.lock().map(|held| held.recv());
                at_once.fetch_sub(1, Ordering::SeqCst);
            })
        });
        let mut running: futures::stream::FuturesUnordered<_> = running.collect();
        let mut full = 0;
        // Those beyond the line are sent away before anything is done.
        while full < tries - limits::PASSWORDS_WAITING {
            let ended = futures::StreamExt::next(&mut running).await.unwrap();
            assert_eq!(ended, Err(NotDone::Full));
            full += 1;
        }
        drop(let_go);
        while let Some(ended) = futures::StreamExt::next(&mut running).await {
            assert_eq!(ended, Ok(()));
        }
        assert!(most.load(Ordering::SeqCst) <= limits::PASSWORDS);
    }
}
