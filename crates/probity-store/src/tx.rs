//! Transactions of either engine: the only place where a statement meets a connection.
//!
//! What awaits an engine is boxed here and where a [`Store`](crate::Store) begins a transaction. A future that is
//! not boxed is compiled again wherever it is awaited, and these hold most of the database library.

use std::borrow::Cow;

use probity_core::Answering;
use sqlx::query::Query as SqlxQuery;
use sqlx::{AssertSqlSafe, Postgres, SqlSafeStr as _, Sqlite, Transaction};

use crate::sql::{ColumnError, Query, Row, Value};
use crate::{Engine, StoreError, postgres, sqlite};

/// An open transaction. Dropping it undoes everything.
pub(crate) struct Tx {
    engine: EngineTx,
    location: String,
    /// Whether statements stay prepared on the connection.
    persistent: bool,
}

pub(crate) enum EngineTx {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Transaction<'static, Postgres>),
}

macro_rules! bound {
    ($database:ty, $query:expr, $persistent:expr) => {{
        let text = match $query.sql {
            Cow::Borrowed(text) => text.into_sql_str(),
            // Put together by this crate, of names that are its own.
            Cow::Owned(text) => AssertSqlSafe(text).into_sql_str(),
        };
        let mut bound: SqlxQuery<'_, $database, _> = sqlx::query(text).persistent($persistent);
        for value in $query.values {
            bound = match value {
                Value::Int(value) => bound.bind(value),
                Value::Real(value) => bound.bind(value),
                Value::Text(value) => bound.bind(value),
            };
        }
        bound
    }};
}

impl Tx {
    pub(crate) fn new(engine: EngineTx, location: String) -> Self {
        Self { engine, location, persistent: true }
    }

    /// The same transaction, leaving nothing behind on its connection.
    pub(crate) fn leaving_nothing(mut self, pooled: bool) -> Self {
        self.persistent = !pooled;
        self
    }

    /// Runs a statement; gives the number of rows it touched.
    pub(crate) fn execute<'a>(
        &'a mut self,
        query: Query<'a>,
    ) -> Answering<'a, Result<u64, StoreError>> {
        Box::pin(async move {
            self.check(&query)?;
            let persistent = self.persistent;
            let touched = match &mut self.engine {
                EngineTx::Sqlite(tx) => bound!(Sqlite, query, persistent)
                    .execute(&mut **tx)
                    .await
                    .map(|done| done.rows_affected()),
                EngineTx::Postgres(tx) => bound!(Postgres, query, persistent)
                    .execute(&mut **tx)
                    .await
                    .map(|done| done.rows_affected()),
            };
            touched.map_err(|error| self.fail(error))
        })
    }

    /// All rows of a query that has a limit of its own.
    pub(crate) fn all<'a>(
        &'a mut self,
        query: Query<'a>,
    ) -> Answering<'a, Result<Vec<Row>, StoreError>> {
        Box::pin(async move {
            self.check(&query)?;
            let persistent = self.persistent;
            let rows = match &mut self.engine {
                EngineTx::Sqlite(tx) => bound!(Sqlite, query, persistent)
                    .fetch_all(&mut **tx)
                    .await
                    .map(|rows| rows.into_iter().map(Row::Sqlite).collect()),
                EngineTx::Postgres(tx) => bound!(Postgres, query, persistent)
                    .fetch_all(&mut **tx)
                    .await
                    .map(|rows| rows.into_iter().map(Row::Postgres).collect()),
            };
            rows.map_err(|error| self.fail(error))
        })
    }

    /// The first row, if there is one.
    pub(crate) fn maybe<'a>(
        &'a mut self,
        query: Query<'a>,
    ) -> Answering<'a, Result<Option<Row>, StoreError>> {
        Box::pin(async move {
            self.check(&query)?;
            let persistent = self.persistent;
            let row = match &mut self.engine {
                EngineTx::Sqlite(tx) => bound!(Sqlite, query, persistent)
                    .fetch_optional(&mut **tx)
                    .await
                    .map(|row| row.map(Row::Sqlite)),
                EngineTx::Postgres(tx) => bound!(Postgres, query, persistent)
                    .fetch_optional(&mut **tx)
                    .await
                    .map(|row| row.map(Row::Postgres)),
            };
            row.map_err(|error| self.fail(error))
        })
    }

    /// Runs a text of several statements without values: migrations only.
    pub(crate) fn script(&mut self, text: Script) -> Answering<'_, Result<(), StoreError>> {
        Box::pin(async move {
            let done = match &mut self.engine {
                EngineTx::Sqlite(tx) => {
                    sqlx::raw_sql(text.sqlite).execute(&mut **tx).await.map(drop)
                }
                EngineTx::Postgres(tx) => {
                    sqlx::raw_sql(text.postgres).execute(&mut **tx).await.map(drop)
                }
            };
            done.map_err(|error| self.fail(error))
        })
    }

    /// As [`Tx::script`], for a text that was put together here, of texts that are ours.
    pub(crate) fn made_script(&mut self, text: String) -> Answering<'_, Result<(), StoreError>> {
        Box::pin(async move {
            let text = sqlx::raw_sql(AssertSqlSafe(text));
            let done = match &mut self.engine {
                EngineTx::Sqlite(tx) => text.execute(&mut **tx).await.map(drop),
                EngineTx::Postgres(tx) => text.execute(&mut **tx).await.map(drop),
            };
            done.map_err(|error| self.fail(error))
        })
    }

    /// The text that this engine runs.
    pub(crate) fn choose(&self, text: Script) -> &'static str {
        match &self.engine {
            EngineTx::Sqlite(_) => text.sqlite,
            EngineTx::Postgres(_) => text.postgres,
        }
    }

    /// Which engine it is of.
    pub(crate) fn engine(&self) -> Engine {
        match &self.engine {
            EngineTx::Sqlite(_) => Engine::Sqlite,
            EngineTx::Postgres(_) => Engine::Postgres,
        }
    }

    /// Makes everything permanent. When this returns, it is on disk.
    pub(crate) fn commit(self) -> Answering<'static, Result<(), StoreError>> {
        Box::pin(async move {
            let done = match self.engine {
                EngineTx::Sqlite(tx) => tx.commit().await,
                EngineTx::Postgres(tx) => tx.commit().await,
            };
            done.map_err(|error| classify(error, &self.location))
        })
    }

    /// Undoes everything. When this returns, nothing is held any more; a transaction that is merely
    /// dropped holds its rows for a moment longer.
    pub(crate) fn undo(self) -> Answering<'static, Result<(), StoreError>> {
        Box::pin(async move {
            let done = match self.engine {
                EngineTx::Sqlite(tx) => tx.rollback().await,
                EngineTx::Postgres(tx) => tx.rollback().await,
            };
            done.map_err(|error| classify(error, &self.location))
        })
    }

    /// What a value that cannot be read means here.
    pub(crate) fn unreadable(&self, error: &ColumnError) -> StoreError {
        StoreError::Unreadable { location: self.location.clone(), why: error.to_string() }
    }

    pub(crate) fn location(&self) -> &str {
        &self.location
    }

    fn check(&self, query: &Query<'_>) -> Result<(), StoreError> {
        if query.is_complete() {
            return Ok(());
        }
        let source = sqlx::Error::Protocol(format!("values do not match `{}`", query.sql));
        Err(StoreError::Sql { location: self.location.clone(), source })
    }

    fn fail(&self, error: sqlx::Error) -> StoreError {
        classify(error, &self.location)
    }
}

/// One meaning in the two dialects, where they really differ.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Script {
    pub(crate) sqlite: &'static str,
    pub(crate) postgres: &'static str,
}

/// What an error of either engine means to a person.
pub(crate) fn classify(error: sqlx::Error, location: &str) -> StoreError {
    sqlite::classify(&error, location)
        .or_else(|| postgres::classify(&error, location))
        .unwrap_or_else(|| StoreError::Sql { location: location.to_owned(), source: error })
}
