//! What is particular to PostgreSQL: how a server is reached, how writers wait, what its errors mean.

pub(crate) mod examine;
pub(crate) mod indexes;
pub(crate) mod listen;
pub(crate) mod steps;

use std::sync::Arc;
use std::time::Duration;

use probity_core::Secret;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool};
use sqlx::{Connection as _, Executor as _, Postgres, Row as _, Transaction};

use self::steps::StepLine;
use crate::pool::unswept;
use crate::{Listen, StoreError, StoreOptions};

/// How long to wait for a free connection, or for the server to answer at all.
const ACQUIRE_TIME: Duration = Duration::from_secs(15);
/// A connection that is so old is not used again: the server may be another behind the same name.
const RENEWED: Duration = Duration::from_secs(30 * 60);
/// How long a statement waits for another transaction's lock.
const LOCK_TIME: &str = "60s";
/// How long a forgotten transaction may hold its locks.
const IDLE_TIME: &str = "60s";

/// A server, and what can be asked of it.
#[derive(Debug, Clone)]
pub(crate) struct Server {
    pub(crate) pool: PgPool,
    /// How to hear its notifications, if it has any and they can be heard.
    pub(crate) listen: Option<PgConnectOptions>,
    /// Whether it takes notifications.
    pub(crate) notifies: bool,
    /// Whether it has advisory locks that lock.
    pub(crate) locks: bool,
    /// Whether a pooler is in front of it.
    pub(crate) pooled: bool,
    /// The connection for steps of journals, if there may be one beside the pool.
    pub(crate) steps: Option<Arc<StepLine>>,
    /// How a transaction that reads begins, and one that writes.
    begin: [&'static str; 2],
}

const BEGIN: [&str; 2] = [
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    // Said outright, because a server may have another default, under which waiting for the lock
    // of another writer ends in an error instead of the right to go on.
    "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
];

/// Behind a pooler each transaction may have another connection, so it brings its limits along.
const BEGIN_POOLED: [&str; 2] = [
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = '60s'",
    "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL statement_timeout = '60s'; \
     SET LOCAL lock_timeout = '60s'; SET LOCAL idle_in_transaction_session_timeout = '60s'",
];

/// Connects to a server.
pub(crate) async fn open(
    url: &Secret,
    location: &str,
    wanted: &StoreOptions,
) -> Result<Server, StoreError> {
    let unreachable = |why: String| StoreError::Unreachable { location: location.to_owned(), why };
    let parse = |url: &Secret| {
        let options: Result<PgConnectOptions, sqlx::Error> = url.expose().parse();
        options.map_err(|error| unreachable(error.to_string()))
    };
    let direct = parse(url)?.application_name("probity");
    let options = match wanted.pooled {
        // A statement that is prepared for one transaction is not there in the next.
        // Nor does a pooler take settings when a connection begins, unless it is configured to.
        true => direct.clone().statement_cache_capacity(0).extra_float_digits(None),
        false => direct.clone().options([
            ("lock_timeout", LOCK_TIME),
            ("idle_in_transaction_session_timeout", IDLE_TIME),
            ("statement_timeout", &format!("{}ms", wanted.statement_time.as_millis())),
        ]),
    };
    // One attempt by hand, because a pool keeps trying for as long as it may.
    let attempt = tokio::time::timeout(ACQUIRE_TIME, PgConnection::connect_with(&options)).await;
    let mut connection = attempt
        .map_err(|_| unreachable(format!("no answer within {} s", ACQUIRE_TIME.as_secs())))?
        .map_err(|error| unreachable(error.to_string()))?;
    let is_postgres = is_postgres(&mut connection).await;
    let notifies = wanted.listen != Listen::Off && is_postgres;
    let _ = connection.close().await;
    let listen = match &wanted.listen {
        _ if !notifies => None,
        Listen::At(url) => Some(parse(url)?.application_name("probity")),
        Listen::Auto if wanted.pooled => None,
        _ => Some(direct),
    };
    // One of the connections is for steps alone. A pooler would give each of its statements another one.
    let steps = (wanted.connections > 1 && is_postgres && !wanted.pooled)
        .then(|| Arc::new(StepLine::new(options.clone())));
    let pool = unswept::<Postgres>()
        .max_connections(wanted.connections.saturating_sub(u32::from(steps.is_some())).max(1))
        .acquire_timeout(ACQUIRE_TIME)
        .before_acquire(|_, known| Box::pin(async move { Ok(known.age < RENEWED) }))
        .connect_lazy_with(options);
    let begin = if wanted.pooled { BEGIN_POOLED } else { BEGIN };
    let (locks, pooled) = (is_postgres, wanted.pooled);
    Ok(Server { pool, listen, notifies, locks, pooled, steps, begin })
}

/// Whether the server is PostgreSQL itself. Others that speak its language have no notifications, or
/// only since a short while, and advisory locks that lock nothing or are refused.
async fn is_postgres(connection: &mut PgConnection) -> bool {
    let version = connection.fetch_one("SELECT version()").await;
    let version = version.and_then(|row| row.try_get::<String, _>(0)).unwrap_or_default();
    !is_another(&version)
}

fn is_another(version: &str) -> bool {
    ["CockroachDB", "YB-"].iter().any(|other| version.contains(other))
}

/// Begins a transaction that sees one state of the data throughout.
pub(crate) async fn begin_read(
    server: &Server,
) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    let [read, _] = server.begin;
    server.pool.begin_with(read).await
}

/// Begins a transaction that writes. What must be serial takes its own lock.
pub(crate) async fn begin_write(
    server: &Server,
) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    let [_, write] = server.begin;
    server.pool.begin_with(write).await
}

/// What an error of PostgreSQL means; none when it is not one, or means nothing in particular.
pub(crate) fn classify(error: &sqlx::Error, location: &str) -> Option<StoreError> {
    let location = location.to_owned();
    let Some(database) = error.as_database_error() else {
        return match error {
            sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::Tls(_) => {
                Some(StoreError::Unreachable { location, why: error.to_string() })
            }
            _ => None,
        };
    };
    database.try_downcast_ref::<sqlx::postgres::PgDatabaseError>()?;
    let code = database.code()?;
    Some(match code.as_ref() {
        // lock_not_available, deadlock_detected, serialization_failure, query_canceled
        "55P03" | "40P01" | "40001" | "57014" => StoreError::Busy { location },
        // admin_shutdown, crash_shutdown, cannot_connect_now, too_many_connections
        "57P01" | "57P02" | "57P03" | "53300" => {
            StoreError::Unreachable { location, why: database.message().to_owned() }
        }
        // connection exceptions
        code if code.starts_with("08") => {
            StoreError::Unreachable { location, why: database.message().to_owned() }
        }
        // read_only_sql_transaction, insufficient_privilege
        "25006" | "42501" => StoreError::ReadOnly { location },
        // disk_full
        "53100" => StoreError::Full { location },
        // data_corrupted, index_corrupted
        "XX001" | "XX002" => StoreError::Damaged { location, why: database.message().to_owned() },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_servers_are_known_by_their_version() {
        assert!(is_another("CockroachDB CCL v25.1.0 (x86_64-pc-linux-gnu, built 2025/02/10)"));
        assert!(is_another("PostgreSQL 15.2-YB-2025.1.0.0-b0 on x86_64-pc-linux-gnu"));
        assert!(!is_another("PostgreSQL 15.18 (Debian 15.18-0+deb12u1) on x86_64-pc-linux-gnu"));
    }
}
