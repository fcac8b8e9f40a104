//! Where a story runs: a file of its own, or a database of its own.

use probity_core::{Outlet, RunId, Timestamp};
use probity_credibility::ledger::{
    Alpha, CodeName, CodingRequest, Credibility, EventRecord, Signature, Sound, Subject,
};
use probity_store::ledger::{EventQuery, Intent, Newcomer, Verification};
use probity_store::{Location, NewRun, Store};
use probity_testkit::postgres::TestDatabase;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _};

/// A run as most tests begin one.
pub(crate) fn new_run(id: &RunId, at: i64) -> NewRun<'_> {
    NewRun { id, question: "How loud?", mode: "quick", spec: "{}", asked_at: Timestamp(at) }
}

/// An empty place for a store, which vanishes with this value.
pub(crate) struct Place {
    pub(crate) location: Location,
    /// The text that names it to another process.
    pub(crate) argument: String,
    _keep: Keep,
}

#[expect(dead_code, reason = "held until the test ends")]
enum Keep {
    Folder(tempfile::TempDir),
    Database(TestDatabase),
}

impl Place {
    pub(crate) fn file() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("probity.db");
        let argument = format!("sqlite:{}", path.display());
        Self { location: Location::file(path), argument, _keep: Keep::Folder(folder) }
    }

    pub(crate) async fn database() -> Option<Self> {
        let database = TestDatabase::create().await?;
        let argument = database.url();
        let location = Location::parse(&argument).unwrap();
        Some(Self { location, argument, _keep: Keep::Database(database) })
    }

    /// A place on each engine that can be reached.
    pub(crate) async fn on_each_engine() -> Vec<Self> {
        [Some(Self::file()), Self::database().await].into_iter().flatten().collect()
    }

    pub(crate) async fn open(&self) -> Store {
        Store::open(&self.location).await.unwrap()
    }

    pub(crate) fn is_sqlite(&self) -> bool {
        self.location.path().is_some()
    }

    /// Runs statements past the store, as someone with the file or a password could.
    pub(crate) async fn raw(&self, statements: &str) -> Result<(), sqlx::Error> {
        let text = AssertSqlSafe(statements.to_owned());
        match &self.location {
            Location::Sqlite(path) => {
                // Foreign keys off, as they are for anyone who opens the file with another tool.
                let options = SqliteConnectOptions::new().filename(path).foreign_keys(false);
                let mut connection = options.connect().await?;
                let done = connection.execute(sqlx::raw_sql(text)).await.map(drop);
                connection.close().await?;
                done
            }
            Location::Postgres(url) => {
                let mut connection = sqlx::PgConnection::connect(url.expose()).await?;
                let done = connection.execute(sqlx::raw_sql(text)).await.map(drop);
                connection.close().await?;
                done
            }
        }
    }
}

pub(crate) fn outlet(domain: &str) -> Outlet {
    Outlet::new(domain).unwrap()
}

pub(crate) fn score(value: f64) -> Credibility {
    Credibility::new(value).unwrap()
}

pub(crate) fn ada() -> Signature {
    Signature::new("Ada", None).unwrap()
}

pub(crate) fn coding(domain: &str, codes: &[&str], note: &str) -> CodingRequest {
    CodingRequest {
        outlet: outlet(domain),
        subject: Subject::outlet(),
        codes: codes.iter().map(|code| CodeName::new(code).unwrap()).collect(),
        alpha: Alpha::DEFAULT,
        signature: Signature::new("Ada", Some(note)).unwrap(),
    }
}

/// Codes an outlet up or down.
pub(crate) async fn nudge(store: &Store, domain: &str, code: &str, note: &str) -> EventRecord {
    let request = coding(domain, &[code], note);
    store.code(request, Newcomer::Add, Intent::Apply).await.unwrap().into_record()
}

pub(crate) async fn sound(store: &Store) -> Sound {
    match store.verify(None).await.unwrap() {
        Verification::Sound(sound) => sound,
        Verification::Broken(fault) => panic!("{}: {fault}", store.location()),
    }
}

pub(crate) async fn all_events(store: &Store) -> Vec<EventRecord> {
    store.events(&EventQuery::default()).await.unwrap()
}
