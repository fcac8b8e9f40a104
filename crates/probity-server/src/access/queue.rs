//! The queue before password work, which is dear on purpose: a few at once, a few more in line, and the
//! others are asked to come again. Without it, enough log-ins at once would exhaust the memory.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Semaphore, oneshot};

use crate::limits;

type Work = Box<dyn FnOnce() + Send>;

/// Room for password work. It has threads of its own, because each thread that ever did such work keeps
/// the memory that it took.
pub(crate) struct PasswordQueue {
    line: Arc<Semaphore>,
    work: SyncSender<Work>,
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
    /// Starts the threads, which end with the queue.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub(crate) fn start() -> io::Result<Self> {
        let (work, waiting) = sync_channel::<Work>(limits::PASSWORDS_WAITING);
        let waiting = Arc::new(Mutex::new(waiting));
        for number in 0..limits::PASSWORDS {
            let waiting = Arc::clone(&waiting);
            let thread = std::thread::Builder::new().name(format!("password-{number}"));
            thread.spawn(move || {
                while let Some(work) = next(&waiting) {
                    // Whatever becomes of it, the thread is needed for the next.
                    let _ = catch_unwind(AssertUnwindSafe(work));
                }
            })?;
        }
        Ok(Self { line: Arc::new(Semaphore::new(limits::PASSWORDS_WAITING)), work })
    }

    /// Does password work when its turn comes. Work that is in line keeps its place until it is done, also
    /// when no caller waits for it any more.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, NotDone> {
        let place = Arc::clone(&self.line).try_acquire_owned().map_err(|_| NotDone::Full)?;
        let (tell, answer) = oneshot::channel();
        let work: Work = Box::new(move || {
            // No caller waits for it any more: then it need not be done.
            if !tell.is_closed() {
                let _ = tell.send(work());
            }
            drop(place);
        });
        self.work.try_send(work).map_err(|_| NotDone::Full)?;
        answer.await.map_err(|error| NotDone::Failed(error.to_string()))
    }
}

fn next(waiting: &Mutex<Receiver<Work>>) -> Option<Work> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn no_more_than_a_few_work_at_once_and_no_more_than_a_few_wait() {
        let queue = PasswordQueue::start().unwrap();
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
