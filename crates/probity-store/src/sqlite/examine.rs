//! Looks through a whole file for damage: pages, references, and the schema itself.

use std::collections::BTreeMap;

use sqlx::Row as _;
use sqlx::sqlite::SqlitePool;

use crate::StoreError;

/// The most faults of one kind that are named.
const MAX_FAULTS: usize = 20;

/// What is wrong with a file, in the words of SQLite where it has some. Empty if nothing is.
///
/// `whole` is an empty database of the same version, which says what the schema should be.
pub(crate) async fn faults(
    pool: &SqlitePool,
    whole: &SqlitePool,
    location: &str,
) -> Result<Vec<String>, StoreError> {
    let mut faults = pages(pool, location).await?;
    faults.extend(references(pool, location).await?);
    faults.extend(differences(&schema(whole, location).await?, &schema(pool, location).await?));
    Ok(faults)
}

async fn pages(pool: &SqlitePool, location: &str) -> Result<Vec<String>, StoreError> {
    let fail = |error| crate::tx::classify(error, location);
    let text = format!("PRAGMA integrity_check({MAX_FAULTS})");
    let found = sqlx::query(sqlx::AssertSqlSafe(text)).fetch_all(pool).await.map_err(fail)?;
    let lines = found.iter().filter_map(|row| row.try_get::<String, _>(0).ok());
    Ok(lines.filter(|line| line != "ok").collect())
}

async fn references(pool: &SqlitePool, location: &str) -> Result<Vec<String>, StoreError> {
    let fail = |error| crate::tx::classify(error, location);
    let found = sqlx::query("PRAGMA foreign_key_check").fetch_all(pool).await.map_err(fail)?;
    let fault = |row: &sqlx::sqlite::SqliteRow| {
        let (table, parent) =
            (row.try_get::<String, _>(0).ok()?, row.try_get::<String, _>(2).ok()?);
        Some(format!("a row of {table} refers to one of {parent} that is not there"))
    };
    let mut faults: Vec<String> = found.iter().filter_map(fault).collect();
    faults.dedup();
    faults.truncate(MAX_FAULTS);
    Ok(faults)
}

/// Tables, indexes and triggers by name, with the statement that made each.
async fn schema(
    pool: &SqlitePool,
    location: &str,
) -> Result<BTreeMap<(String, String), String>, StoreError> {
    let fail = |error| crate::tx::classify(error, location);
    let query = sqlx::query("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL");
    let found = query.fetch_all(pool).await.map_err(fail)?;
    let entry = |row: &sqlx::sqlite::SqliteRow| {
        let text = |column| row.try_get::<String, _>(column).ok();
        // White space is no difference.
        let made = text(2)?.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(((text(0)?, text(1)?), made))
    };
    Ok(found.iter().filter_map(entry).collect())
}

/// What of the schema is missing or another. What somebody added does no harm.
fn differences(
    whole: &BTreeMap<(String, String), String>,
    found: &BTreeMap<(String, String), String>,
) -> Vec<String> {
    let fault = |((kind, name), made): (&(String, String), &String)| match found
        .get(&(kind.clone(), name.clone()))
    {
        None => Some(format!("the {kind} {name} is missing")),
        Some(other) if other != made => Some(format!("the {kind} {name} was changed")),
        Some(_) => None,
    };
    whole.iter().filter_map(fault).take(MAX_FAULTS).collect()
}
