//! The one store: two pools behind one face.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use probity_core::{Answering, Clock};

use crate::events::Hub;
use crate::postgres::steps::StepLine;
use crate::postgres::{Server, indexes, listen};
use crate::queue::{self, Fence};
use crate::runs::append::Lines;
use crate::sql::sql;
use crate::tx::{EngineTx, Tx, classify};
use crate::{Location, StoreError, StoreOptions, migrate, postgres, sqlite};

/// How long closing waits for connections that are in use.
const CLOSING_TIME: std::time::Duration = std::time::Duration::from_secs(5);

/// The database of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// A file, with SQLite inside the program.
    Sqlite,
    /// A PostgreSQL server.
    Postgres,
}

/// Everything that Probity remembers. Cloning it is cheap and shares the connections.
#[derive(Debug, Clone)]
pub struct Store {
    pools: Pools,
    location: String,
    clock: Clock,
    /// The lease that every write depends on, if the work is done under one.
    fence: Option<Arc<Fence>>,
    /// Who is awake in this process for what happens.
    hub: Arc<Hub>,
    /// Steps that wait to be written to journals.
    lines: Arc<Lines>,
    /// When this process last looked for jobs that a wrong clock had postponed.
    looked_at: Arc<AtomicI64>,
}

#[derive(Debug, Clone)]
enum Pools {
    Sqlite(sqlite::Pools),
    Postgres(Box<Server>),
}

impl Store {
    /// Opens a store, creating or updating it as needed. Several processes may do so at once.
    ///
    /// # Errors
    /// When it cannot be reached, is damaged, holds something else, or comes from a newer version.
    pub async fn open(location: &Location) -> Result<Self, StoreError> {
        Self::open_with(location, &StoreOptions::default()).await
    }

    /// Opens a store that is reached in a particular way.
    ///
    /// # Errors
    /// When it cannot be reached, is damaged, holds something else, or comes from a newer version.
    pub async fn open_with(
        location: &Location,
        options: &StoreOptions,
    ) -> Result<Self, StoreError> {
        Self::open_as(location, options, location.to_string()).await
    }

    /// Opens a store under another name than its place.
    pub(crate) fn open_as<'a>(
        location: &'a Location,
        options: &'a StoreOptions,
        label: String,
    ) -> Answering<'a, Result<Self, StoreError>> {
        Box::pin(async move {
            let store = Self::connect(location, options, label).await?;
            migrate::bring_up_to_date(&store).await?;
            Ok(store)
        })
    }

    /// Reaches a store as it is.
    pub(crate) fn connect<'a>(
        location: &'a Location,
        options: &'a StoreOptions,
        label: String,
    ) -> Answering<'a, Result<Self, StoreError>> {
        Box::pin(async move {
            let pools = match location {
                Location::Sqlite(path) => Pools::Sqlite(sqlite::open(path, &label).await?),
                Location::Postgres(url) => {
                    Pools::Postgres(Box::new(postgres::open(url, &label, options).await?))
                }
            };
            Ok(Self::new(pools, label))
        })
    }

    /// A store that goes with its last clone: in memory, or where it grows large in a file without a name.
    pub(crate) fn in_memory() -> Answering<'static, Result<Self, StoreError>> {
        Box::pin(async move {
            let location = "the store in memory".to_owned();
            let pools = Pools::Sqlite(sqlite::open_in_memory(&location).await?);
            let store = Self::new(pools, location);
            migrate::bring_up_to_date(&store).await?;
            Ok(store)
        })
    }

    fn new(pools: Pools, location: String) -> Self {
        let (hub, lines, looked_at) = (Arc::default(), Arc::default(), Arc::default());
        Self { pools, location, clock: Clock::System, fence: None, hub, lines, looked_at }
    }

    /// The same store with another clock: what is written from now on bears its time.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Whether enough time has passed since this was last asked and answered with yes, forwards or
    /// backwards: a clock that was set back is a reason to look at once.
    pub(crate) fn is_time_to_look(&self, now: i64, every: i64) -> bool {
        let last = self.looked_at.load(Ordering::Relaxed);
        let due = now.abs_diff(last) >= every.unsigned_abs();
        if due {
            self.looked_at.store(now, Ordering::Relaxed);
        }
        due
    }

    pub(crate) fn with_fence(mut self, fence: Fence) -> Self {
        self.fence = Some(Arc::new(fence));
        // What is written under one lease is not written under another.
        self.lines = Arc::default();
        self
    }

    /// Its database.
    pub fn engine(&self) -> Engine {
        match self.pools {
            Pools::Sqlite(_) => Engine::Sqlite,
            Pools::Postgres(_) => Engine::Postgres,
        }
    }

    /// Where it is, without any password.
    pub fn location(&self) -> &str {
        &self.location
    }

    /// Ends all connections. A store that is merely dropped loses nothing either; this waits.
    pub fn close(&self) -> Answering<'_, ()> {
        Box::pin(async move {
            let closing = async {
                match &self.pools {
                    Pools::Sqlite(file) => file.close().await,
                    Pools::Postgres(server) => {
                        if let Some(steps) = &server.steps {
                            steps.close().await;
                        }
                        server.pool.close().await;
                    }
                }
            };
            // Whoever still uses a connection when everybody else is done is not waited for without end.
            let _ = tokio::time::timeout(CLOSING_TIME, closing).await;
        })
    }

    /// Has SQLite look through its whole file; servers see to that by themselves.
    pub(crate) async fn check_integrity(&self) -> Result<(), StoreError> {
        match &self.pools {
            Pools::Sqlite(file) => sqlite::check_integrity(&file.readers, &self.location).await,
            Pools::Postgres(_) => Ok(()),
        }
    }

    /// What the engine itself finds damaged: pages and schema of a file, objects of a server's database.
    /// `whole` is an empty store of the same version.
    pub(crate) async fn examine_engine(&self, whole: &Self) -> Result<Vec<String>, StoreError> {
        match (&self.pools, &whole.pools) {
            (Pools::Sqlite(file), Pools::Sqlite(empty)) => {
                sqlite::examine::faults(&file.readers, &empty.readers, &self.location).await
            }
            _ => postgres::examine::faults(&mut self.read().await?).await,
        }
    }

    /// The connection that is kept for steps of journals, and the lease that they depend on.
    pub(crate) fn step_line(&self) -> Option<(&Arc<StepLine>, Option<&Fence>)> {
        let Pools::Postgres(server) = &self.pools else { return None };
        Some((server.steps.as_ref()?, self.fence.as_deref()))
    }

    pub(crate) fn lines(&self) -> &Lines {
        &self.lines
    }

    pub(crate) fn hub(&self) -> &Hub {
        &self.hub
    }

    fn is_pooled(&self) -> bool {
        matches!(&self.pools, Pools::Postgres(server) if server.pooled)
    }

    /// Whether this process hears at once what others write.
    pub(crate) fn is_notified(&self) -> bool {
        matches!(&self.pools, Pools::Postgres(server) if server.listen.is_some())
    }

    /// Whether processes can keep each other from changing the schema at once.
    pub(crate) fn has_turns(&self) -> bool {
        match &self.pools {
            Pools::Sqlite(_) => true,
            Pools::Postgres(server) => server.locks,
        }
    }

    /// Begins to listen to the server, if there is one that notifies and nothing listens yet.
    pub(crate) fn listen(&self) {
        if let Pools::Postgres(server) = &self.pools
            && let Some(options) = &server.listen
        {
            self.hub.start_listening(|| {
                tokio::spawn(listen::listen(options.clone(), Arc::downgrade(&self.hub)));
            });
        }
    }

    /// Makes a change permanent and wakes the run's followers.
    pub(crate) async fn commit_and_tell(&self, tx: Tx, run: &str) -> Result<(), StoreError> {
        self.commit_and_notify(tx, run).await?;
        self.hub.notify(run);
        Ok(())
    }

    /// Makes a change permanent and wakes waiting workers.
    pub(crate) async fn commit_and_call(&self, tx: Tx) -> Result<(), StoreError> {
        self.commit_and_notify(tx, "").await?;
        self.hub.call();
        Ok(())
    }

    async fn commit_and_notify(&self, mut tx: Tx, payload: &str) -> Result<(), StoreError> {
        if matches!(&self.pools, Pools::Postgres(server) if server.notifies) {
            let notify = sql("SELECT pg_notify($1, $2)::TEXT").bind(listen::CHANNEL);
            tx.execute(notify.bind(payload)).await?;
        }
        tx.commit().await
    }

    /// Builds indexes on a server, outside of the transaction that keeps others from doing the
    /// same, which continues for as long as it takes.
    pub(crate) async fn build_indexes(
        &self,
        turn: &mut Tx,
        script: &'static str,
    ) -> Result<(), StoreError> {
        let Pools::Postgres(server) = &self.pools else { return Ok(()) };
        // Also frees whatever an earlier statement left open, for which the build would wait.
        turn.made_script("SET LOCAL idle_in_transaction_session_timeout = 0".to_owned()).await?;
        indexes::build(server, script).await.map_err(|error| classify(error, &self.location))
    }

    pub(crate) fn clock(&self) -> Clock {
        self.clock
    }

    /// Begins a transaction that only reads and sees one state of the data throughout.
    pub(crate) fn read(&self) -> Answering<'_, Result<Tx, StoreError>> {
        Box::pin(async move {
            let begun = match &self.pools {
                Pools::Sqlite(file) => {
                    sqlite::begin_read(&file.readers).await.map(EngineTx::Sqlite)
                }
                Pools::Postgres(server) => {
                    postgres::begin_read(server).await.map(EngineTx::Postgres)
                }
            };
            let engine = begun.map_err(|error| classify(error, &self.location))?;
            Ok(Tx::new(engine, self.location.clone()).leaving_nothing(self.is_pooled()))
        })
    }

    /// Begins a transaction that writes. On SQLite it is the only writer; on PostgreSQL, what must
    /// be serial takes its own lock. Never begin a second one while holding the first.
    pub(crate) fn write(&self) -> Answering<'_, Result<Tx, StoreError>> {
        Box::pin(async move {
            let engine = match &self.pools {
                Pools::Sqlite(file) => {
                    EngineTx::Sqlite(sqlite::begin_write(&file.writer, &self.location).await?)
                }
                Pools::Postgres(server) => EngineTx::Postgres(
                    postgres::begin_write(server)
                        .await
                        .map_err(|error| classify(error, &self.location))?,
                ),
            };
            let mut tx = Tx::new(engine, self.location.clone()).leaving_nothing(self.is_pooled());
            if let Some(fence) = &self.fence {
                queue::hold(self, &mut tx, fence).await?;
            }
            Ok(tx)
        })
    }
}

#[cfg(test)]
mod tests {
    use probity_core::Outlet;
    use probity_credibility::ledger::{Credibility, Note, Signature};

    use super::*;
    use crate::ledger::{Intent, LedgerError, Newcomer, Verification};

    /// Lets the file grow to this many pages.
    async fn limit_pages(store: &Store, pages: &'static str) {
        let Pools::Sqlite(file) = &store.pools else { panic!("not a file") };
        sqlx::query(pages).execute(&file.writer).await.unwrap();
    }

    async fn set(store: &Store, score: f64) -> Result<i64, LedgerError> {
        let outlet = Outlet::new("reuters.com").unwrap();
        let score = Credibility::new(score).unwrap();
        let by = Signature {
            by: probity_credibility::ledger::Name::new("Ada").unwrap(),
            note: Some(Note::new(&"long ".repeat(300)).unwrap()),
        };
        let made = store.set_score(&outlet, score, &by, Newcomer::Guard, Intent::Apply).await;
        made.map(|event| event.record().seq)
    }

    #[tokio::test]
    async fn a_crowd_of_readers_does_not_hold_up_a_writer() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&Location::file(folder.path().join("x.db"))).await.unwrap();
        let Pools::Sqlite(file) = &store.pools else { panic!("not a file") };
        let mut crowd = Vec::new();
        for _ in 0..file.readers.options().get_max_connections() {
            crowd.push(store.read().await.unwrap());
        }
        let written = tokio::time::timeout(std::time::Duration::from_secs(30), set(&store, 0.5));
        written.await.expect("the writer waits for the readers").unwrap();
        drop(crowd);
    }

    #[tokio::test]
    async fn a_full_disk_is_said_and_nothing_is_half_written() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&Location::file(folder.path().join("x.db"))).await.unwrap();
        limit_pages(&store, "PRAGMA max_page_count = 1").await;
        let mut written = 0;
        let refused = loop {
            match set(&store, 0.5).await {
                Ok(seq) => written = seq,
                Err(refused) => break refused,
            }
            assert!(written < 1_000, "the limit was not met");
        };
        assert!(matches!(refused, LedgerError::Store(StoreError::Full { .. })), "{refused}");
        let Verification::Sound(sound) = store.verify(None).await.unwrap() else {
            panic!("half a change was written");
        };
        assert_eq!(sound.events, written);

        limit_pages(&store, "PRAGMA max_page_count = 100000").await;
        assert_eq!(set(&store, 0.6).await.unwrap(), written + 1);
        assert!(matches!(store.verify(None).await.unwrap(), Verification::Sound(_)));
    }
}
