//! A SQLite file as somebody else would change it.

use std::path::Path;

use sqlx::sqlite::SqliteConnectOptions;
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
