//! Looks through a whole file for damage: its pages, its schema, its full-text indexes.

use std::collections::BTreeMap;

use sqlx::Row as _;
use sqlx::sqlite::SqlitePool;

use crate::StoreError;
use crate::examine::MAX_FAULTS;

/// Tables whose every row is in a full-text index: the key that both share, and the index.
const INDEXED: [(&str, &str, &str); 2] =
    [("library_passages", "number", "library_terms"), ("articles", "id", "article_terms")];

/// What is wrong with a file, in the words of SQLite where it has some. Empty if nothing is.
///
/// `whole` is an empty database of the same version, which says what the schema should be.
pub(crate) async fn faults(
    pool: &SqlitePool,
    whole: &SqlitePool,
    location: &str,
) -> Result<Vec<String>, StoreError> {
    let mut faults = pages(pool, location).await?;
    let differences = differences(&schema(whole, location).await?, &schema(pool, location).await?);
    if differences.is_empty() {
        faults.extend(index_gaps(pool, location).await?);
    }
    faults.extend(differences);
    Ok(faults)
}

async fn pages(pool: &SqlitePool, location: &str) -> Result<Vec<String>, StoreError> {
    let fail = |error| crate::tx::classify(error, location);
    let text = format!("PRAGMA integrity_check({MAX_FAULTS})");
    let found = sqlx::query(sqlx::AssertSqlSafe(text)).fetch_all(pool).await.map_err(fail)?;
    let lines = found.iter().filter_map(|row| row.try_get::<String, _>(0).ok());
    Ok(lines.filter(|line| line != "ok").collect())
}

/// What is in the store but not in its full-text index, and so is never found.
async fn index_gaps(pool: &SqlitePool, location: &str) -> Result<Vec<String>, StoreError> {
    let fail = |error| crate::tx::classify(error, location);
    let mut faults = Vec::new();
    for (table, key, index) in INDEXED {
        let text = format!(
            "SELECT count(*) FROM {table} WHERE {key} NOT IN (SELECT id FROM {index}_docsize)"
        );
        let row = sqlx::query(sqlx::AssertSqlSafe(text)).fetch_one(pool).await.map_err(fail)?;
        match row.try_get::<i64, _>(0) {
            Ok(0) | Err(_) => {}
            Ok(missing) => faults.push(format!("{missing} rows of {table} are not in its index")),
        }
    }
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

/// What of the schema is missing or different. Additions do no harm.
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
