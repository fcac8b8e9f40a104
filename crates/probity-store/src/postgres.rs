//! What is particular to PostgreSQL: how a server is reached, how writers wait, what its errors mean.

use std::time::Duration;

use probity_core::Secret;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{Connection as _, Postgres, Transaction};

use crate::StoreError;

/// How many connections one process keeps to a server.
const CONNECTIONS: u32 = 8;
/// How long to wait for a free connection, or for the server to answer at all.
const ACQUIRE_TIME: Duration = Duration::from_secs(15);
/// How long a statement waits for another transaction's lock.
const LOCK_TIME: &str = "60s";
/// How long a forgotten transaction may hold its locks.
const IDLE_TIME: &str = "60s";

/// Connects to a server.
pub(crate) async fn open(url: &Secret, location: &str) -> Result<PgPool, StoreError> {
    let unreachable = |why: String| StoreError::Unreachable { location: location.to_owned(), why };
    let options: PgConnectOptions =
        url.expose().parse().map_err(|error: sqlx::Error| unreachable(error.to_string()))?;
    let options = options
        .application_name("probity")
        .options([("lock_timeout", LOCK_TIME), ("idle_in_transaction_session_timeout", IDLE_TIME)]);
    // One attempt by hand, because a pool goes on trying for as long as it may.
    let attempt = tokio::time::timeout(ACQUIRE_TIME, PgConnection::connect_with(&options)).await;
    let connection = attempt
        .map_err(|_| unreachable(format!("no answer within {} s", ACQUIRE_TIME.as_secs())))?
        .map_err(|error| unreachable(error.to_string()))?;
    let _ = connection.close().await;
    Ok(PgPoolOptions::new()
        .max_connections(CONNECTIONS)
        .acquire_timeout(ACQUIRE_TIME)
        .connect_lazy_with(options))
}

/// Begins a transaction that sees one state of the data throughout.
pub(crate) async fn begin_read(
    pool: &PgPool,
) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await
}

/// Begins a transaction that writes. What must be serial takes its own lock.
pub(crate) async fn begin_write(
    pool: &PgPool,
) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    // Said outright, because a server may have another default, under which waiting for the lock of
    // another writer ends in an error instead of the right to go on.
    pool.begin_with("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE").await
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
        // lock_not_available, deadlock_detected
        "55P03" | "40P01" => StoreError::Busy { location },
        // read_only_sql_transaction, insufficient_privilege
        "25006" | "42501" => StoreError::ReadOnly { location },
        // disk_full
        "53100" => StoreError::Full { location },
        // data_corrupted, index_corrupted
        "XX001" | "XX002" => StoreError::Damaged { location, why: database.message().to_owned() },
        _ => return None,
    })
}
