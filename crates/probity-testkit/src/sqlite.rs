//! A SQLite file as someone else would change it.

use std::path::Path;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions as _, Connection as _, Executor as _};

/// Runs a statement on a file, past the store.
///
/// # Errors
/// When the file is no database, or refuses the statement.
pub async fn execute(file: &Path, statement: &'static str) -> Result<(), sqlx::Error> {
    let mut database = SqliteConnectOptions::new().filename(file).connect().await?;
    database.execute(statement).await?;
    database.close().await
}

/// A file that another connection is about to write: no other can until it is released.
pub struct Held(SqliteConnection);

impl Held {
    /// Takes the lock of writers.
    ///
    /// # Errors
    /// When the file is no database, or someone has the lock.
    pub async fn take(file: &Path) -> Result<Self, sqlx::Error> {
        let mut database = SqliteConnectOptions::new().filename(file).connect().await?;
        database.execute("BEGIN IMMEDIATE").await?;
        Ok(Self(database))
    }

    /// Lets go of it without having written anything.
    ///
    /// # Errors
    /// When the file is gone.
    pub async fn release(mut self) -> Result<(), sqlx::Error> {
        self.0.execute("ROLLBACK").await?;
        self.0.close().await
    }
}
