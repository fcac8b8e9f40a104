//! A PostgreSQL database of its own for one test, on the server that the environment names.
//!
//! `scripts/with-postgres` starts such a server and sets [`URL_VARIABLE`]. Without it a test says
//! that its PostgreSQL half was skipped; in continuous integration (`CI=true`) that is a failure,
//! so that a partial test is not mistaken for a full one.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _};

/// The environment variable with the URL of a server on which tests may create databases.
pub const URL_VARIABLE: &str = "PROBITY_TEST_POSTGRES";
/// The environment variable with the URL of a pooler in transaction mode before that server.
pub const POOLER_VARIABLE: &str = "PROBITY_TEST_PGBOUNCER";
/// How long creating or dropping a database may take.
const ADMIN_TIME: Duration = Duration::from_secs(60);

/// A database that is dropped with this value.
#[derive(Debug)]
pub struct TestDatabase {
    server: String,
    name: String,
}

impl TestDatabase {
    /// Creates an empty database, or says that the test is skipped and gives none.
    ///
    /// # Panics
    /// When the server does not do what it should, or is not named where `CI=true`.
    #[expect(clippy::panic, reason = "a test that cannot run as it should must fail")]
    pub async fn create() -> Option<Self> {
        let server = named(URL_VARIABLE, "scripts/with-postgres")?;
        let name = unused_name();
        // template0 has no connections that could be in the way.
        let statement = format!("CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'");
        match administer(&server, statement).await {
            Ok(()) => Some(Self { server, name }),
            Err(error) => panic!("{name} could not be created on the server of the tests: {error}"),
        }
    }

    /// The URL of the database.
    pub fn url(&self) -> String {
        self.on(&self.server)
    }

    /// The URL of the database through the pooler of the tests, or none after saying that the test
    /// is skipped.
    ///
    /// # Panics
    /// When no pooler is named where `CI=true`.
    pub fn pooled_url(&self) -> Option<String> {
        let pooler = named(POOLER_VARIABLE, "scripts/with-pgbouncer")?;
        Some(self.on(&pooler))
    }

    fn on(&self, server: &str) -> String {
        let (server, parameters) = match server.split_once('?') {
            Some((server, parameters)) => (server, format!("?{parameters}")),
            None => (server, String::new()),
        };
        let base = match server.split_once("://").map(|(_, rest)| rest.contains('/')) {
            Some(true) => server.rsplit_once('/').map_or(server, |(base, _)| base),
            _ => server,
        };
        format!("{base}/{}{parameters}", self.name)
    }
}

/// What a variable names; in continuous integration it has to name something.
#[expect(clippy::panic, reason = "a test that cannot run as it should must fail")]
#[expect(clippy::print_stderr, reason = "the person who runs the tests must see the skip")]
fn named(variable: &str, script: &str) -> Option<String> {
    let value = std::env::var(variable).ok();
    if value.is_none() {
        if std::env::var("CI").is_ok_and(|value| value == "true") {
            panic!("{variable} is not set: run the tests under {script}");
        }
        eprintln!("skipped on PostgreSQL: {variable} is not set ({script} sets it)");
    }
    value
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), self.name.clone());
        // A thread of its own, because dropping may happen inside a runtime that cannot wait. What
        // goes wrong here is no fault of the test, and the server goes away with its folder.
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            if let Ok(runtime) = runtime {
                let statement = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
                let _ = runtime.block_on(administer(&server, statement));
            }
        });
        let _ = dropping.join();
    }
}

async fn administer(server: &str, statement: String) -> Result<(), sqlx::Error> {
    let work = async {
        let options: PgConnectOptions = server.parse()?;
        let mut connection = PgConnection::connect_with(&options).await?;
        // The name is made here, of letters and digits.
        connection.execute(AssertSqlSafe(statement)).await?;
        connection.close().await
    };
    tokio::time::timeout(ADMIN_TIME, work).await.unwrap_or(Err(sqlx::Error::PoolTimedOut))
}

fn unused_name() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("probity_test_{}_{now}_{count}", std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_database_takes_the_place_of_the_servers_own() {
        for (server, expected) in [
            ("postgres://u@h:1/postgres", "postgres://u@h:1/t"),
            ("postgres://u@h:1", "postgres://u@h:1/t"),
            ("postgres://u@h/x?sslmode=disable", "postgres://u@h/t?sslmode=disable"),
        ] {
            // Never dropped: this database was not created.
            let database = std::mem::ManuallyDrop::new(TestDatabase {
                server: server.to_owned(),
                name: "t".to_owned(),
            });
            assert_eq!(database.url(), expected);
        }
    }
}
