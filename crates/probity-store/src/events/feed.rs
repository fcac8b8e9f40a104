//! Following a run: what is stored first, then what comes, until the end.
//!
//! All watchers of a run in one process share one reader of the table, which wakes when this process
//! writes, when the server notifies, and by a slow tick that heals whatever was missed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use probity_core::RunId;
use tokio::sync::{Notify, OnceCell, watch};

use super::{END, PAGE_EVENTS, RunEvent};
use crate::{Store, StoreError};

/// How often the table is read where nothing says that there is something new.
const TICK: Duration = Duration::from_millis(300);
/// How often it is read where the server says so, in case it did not.
const SLOW_TICK: Duration = Duration::from_secs(5);
/// How often a job's wish to be cancelled is polled where no notification arrives: the process that
/// cancels is to see it happen within a second.
const CALL_OFF_TICK: Duration = Duration::from_millis(500);

/// Who is awake in this process for what happens in the store.
#[derive(Debug, Default)]
pub(crate) struct Hub {
    followed: Mutex<HashMap<RunId, Weak<Channel>>>,
    /// Who works on a job and wants to know when something is written about it.
    ears: Mutex<HashMap<String, Weak<Notify>>>,
    /// Rung when there is new work.
    work: Notify,
    /// Started once, by the first who waits.
    listening: OnceCell<()>,
}

/// The events of one run, as far as they were read, for all its watchers.
#[derive(Debug)]
struct Channel {
    events: Mutex<Vec<RunEvent>>,
    news: watch::Sender<News>,
    wake: Arc<Notify>,
}

#[derive(Debug, Clone, Copy, Default)]
struct News {
    known: usize,
    over: bool,
}

impl Hub {
    /// Something was written about a run.
    pub(crate) fn notify(&self, run: &str) {
        if let Some(channel) = lock(&self.followed).get(run).and_then(Weak::upgrade) {
            channel.wake.notify_one();
        }
        if let Some(ear) = lock(&self.ears).get(run).and_then(Weak::upgrade) {
            ear.notify_one();
        }
    }

    /// Anything may have been missed.
    pub(crate) fn notify_all(&self) {
        lock(&self.ears).values().filter_map(Weak::upgrade).for_each(|ear| ear.notify_one());
        for channel in lock(&self.followed).values().filter_map(Weak::upgrade) {
            channel.wake.notify_one();
        }
        self.call();
    }

    /// There is work.
    pub(crate) fn call(&self) {
        self.work.notify_waiters();
    }

    pub(crate) async fn called(&self) {
        self.work.notified().await;
    }

    /// Starts listening to the server, where there is one.
    pub(crate) fn start_listening(&self, start: impl FnOnce()) {
        if self.listening.set(()).is_ok() {
            start();
        }
    }

    /// Rings whenever something is written about a job.
    fn ear(&self, job: &str) -> Arc<Notify> {
        let mut ears = lock(&self.ears);
        if let Some(ear) = ears.get(job).and_then(Weak::upgrade) {
            return ear;
        }
        ears.retain(|_, ear| ear.strong_count() > 0);
        let ear = Arc::new(Notify::new());
        ears.insert(job.to_owned(), Arc::downgrade(&ear));
        ear
    }

    fn channel(&self, store: &Store, run: &RunId) -> Arc<Channel> {
        let mut followed = lock(&self.followed);
        if let Some(channel) = followed.get(run).and_then(Weak::upgrade)
            && !channel.news.borrow().over
        {
            return channel;
        }
        followed.retain(|_, channel| channel.strong_count() > 0);
        let channel = Arc::new(Channel {
            events: Mutex::default(),
            news: watch::Sender::default(),
            wake: Arc::new(Notify::new()),
        });
        followed.insert(run.to_owned(), Arc::downgrade(&channel));
        tokio::spawn(pump(store.clone(), run.to_owned(), Arc::downgrade(&channel)));
        channel
    }
}

/// The events of a run, as they come.
#[derive(Debug)]
pub struct Feed {
    channel: Arc<Channel>,
    news: watch::Receiver<News>,
    next: usize,
    ended: bool,
}

impl Feed {
    /// The next event, as soon as there is one; none once the run has ended, or is not there.
    pub async fn next(&mut self) -> Option<RunEvent> {
        while !self.ended {
            let news = *self.news.borrow_and_update();
            let event = lock(&self.channel.events).get(self.next).cloned();
            if let Some(event) = event {
                self.next += 1;
                self.ended = event.kind == END;
                return Some(event);
            }
            self.ended = news.over || self.news.changed().await.is_err();
        }
        None
    }
}

impl Store {
    /// Follows a run: its events after a place, those that are stored and those that come.
    ///
    /// Must be called within a Tokio runtime. A store that cannot be reached for a while only
    /// delays what comes.
    pub fn follow(&self, run: &RunId, after: i64) -> Feed {
        self.listen();
        let channel = self.hub().channel(self, run);
        let news = channel.news.subscribe();
        Feed { channel, news, next: usize::try_from(after).unwrap_or(0), ended: false }
    }

    /// Waits until the cancellation of a job is requested. A store that cannot be reached for a while only
    /// delays that.
    pub async fn called_off(&self, job: &str) {
        self.listen();
        let ear = self.hub().ear(job);
        loop {
            match self.is_called_off(job).await {
                Ok(true) => return,
                Ok(false) => {}
                Err(error) => tracing::debug!(%error, job, "a wish to cancel could not be read"),
            }
            let tick = if self.is_notified() { SLOW_TICK } else { CALL_OFF_TICK };
            let _ = tokio::time::timeout(tick, ear.notified()).await;
        }
    }

    /// Waits until work is queued, or for a time. What other processes queue is heard only
    /// where the server notifies.
    pub async fn wait_for_work(&self, at_most: Duration) {
        self.listen();
        let _ = tokio::time::timeout(at_most, self.hub().called()).await;
    }
}

/// Reads what is new until the run ends or is no longer followed.
async fn pump(store: Store, run: RunId, channel: Weak<Channel>) {
    let Some(wake) = channel.upgrade().map(|channel| Arc::clone(&channel.wake)) else { return };
    loop {
        let Some(open) = channel.upgrade() else { return };
        match read(&store, &run, &open).await {
            Ok(true) => {
                open.news.send_modify(|news| news.over = true);
                return;
            }
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, %run, "the events of a run could not be read"),
        }
        drop(open);
        let tick = if store.is_notified() { SLOW_TICK } else { TICK };
        let _ = tokio::time::timeout(tick, wake.notified()).await;
    }
}

/// Reads what is new. Says whether that was all there will be.
async fn read(store: &Store, run: &RunId, channel: &Channel) -> Result<bool, StoreError> {
    loop {
        let known = lock(&channel.events).len();
        // Asked before the events are read: what ends a run writes its last event with it.
        let over = !store.goes_on(run).await?;
        let after = i64::try_from(known).unwrap_or(i64::MAX);
        let page = store.events_after(run, after, PAGE_EVENTS).await?;
        if page.is_empty() {
            return Ok(over);
        }
        // A gap means that the beginning was forgotten: there is nothing to follow.
        if page.first().is_some_and(|event| event.seq != after.saturating_add(1)) {
            return Ok(true);
        }
        let ended = page.last().is_some_and(|event| event.kind == END);
        let mut events = lock(&channel.events);
        events.extend(page);
        let known = events.len();
        drop(events);
        channel.news.send_modify(|news| news.known = known);
        if ended {
            return Ok(true);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
