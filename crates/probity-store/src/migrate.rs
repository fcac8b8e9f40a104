//! Brings a database up to date: forward only, all or nothing, one process at a time.
//!
//! To change the schema, add a folder `migrations/NNNN_name/` with `sqlite.sql` and `postgres.sql`
//! and a line to [`MIGRATIONS`]. A migration that was released is never edited: its text is
//! fingerprinted in the databases that have it.

use sha2::{Digest as _, Sha256};

use crate::sql::sql;
use crate::tx::{Script, Tx};
use crate::{Store, StoreError};

struct Migration {
    version: i64,
    name: &'static str,
    script: Script,
}

macro_rules! migration {
    ($version:literal, $name:literal) => {
        Migration {
            version: $version,
            name: $name,
            script: Script {
                sqlite: include_str!(concat!("../migrations/", $name, "/sqlite.sql")),
                postgres: include_str!(concat!("../migrations/", $name, "/postgres.sql")),
            },
        }
    };
}

/// Every migration, in order.
const MIGRATIONS: &[Migration] = &[
    migration!(1, "0001_ledger"),
    migration!(2, "0002_library"),
    migration!(3, "0003_runs"),
    migration!(4, "0004_queue"),
    migration!(5, "0005_news"),
    migration!(6, "0006_topics"),
    migration!(7, "0007_events"),
    migration!(8, "0008_access"),
];

/// The table that says which migrations a database has, named so that it is nobody else's.
const CREATE_HISTORY: Script = Script {
    sqlite: "CREATE TABLE IF NOT EXISTS probity_migrations (
                 version INTEGER PRIMARY KEY NOT NULL,
                 name TEXT NOT NULL,
                 fingerprint TEXT NOT NULL,
                 applied_at INTEGER NOT NULL
             ) STRICT",
    postgres: "CREATE TABLE IF NOT EXISTS probity_migrations (
                   version BIGINT PRIMARY KEY,
                   name TEXT NOT NULL,
                   fingerprint TEXT NOT NULL,
                   applied_at BIGINT NOT NULL
               )",
};

/// Whether there is a history of migrations, and whether there is any table at all.
const INSPECT: Script = Script {
    sqlite: "SELECT count(*) AS tables,
                    coalesce(sum(name = 'probity_migrations'), 0) AS ours
             FROM sqlite_schema WHERE type = 'table'",
    // Other tables may live in a server's database; only SQLite files are one program's own.
    postgres: "SELECT CAST(0 AS BIGINT) AS tables,
                      CAST(to_regclass('probity_migrations') IS NOT NULL AS INT)::BIGINT AS ours",
};

/// SQLite's writers hold the file's lock already. The number is arbitrary but must never change.
const TAKE_TURN: Script =
    Script { sqlite: "SELECT 1", postgres: "SELECT pg_advisory_xact_lock(5786234017)::TEXT" };

/// Applies what is missing. Does nothing, and locks nothing, when nothing is.
pub(crate) async fn bring_up_to_date(store: &Store) -> Result<(), StoreError> {
    let mut tx = store.read().await?;
    let applied = applied(&mut tx).await?;
    drop(tx);
    if check(&applied, store.location())? == 0 {
        return Ok(());
    }
    let mut tx = store.write().await?;
    tx.execute(sql(tx.choose(TAKE_TURN))).await?;
    tx.execute(sql(tx.choose(CREATE_HISTORY))).await?;
    // Another process may have been quicker.
    let applied = self::applied(&mut tx).await?;
    check(&applied, store.location())?;
    for migration in MIGRATIONS.iter().skip(applied.len()) {
        tracing::info!(location = store.location(), migration = migration.name, "migrating");
        tx.script(migration.script).await?;
        let fingerprint = fingerprint(tx.choose(migration.script));
        let query = sql("INSERT INTO probity_migrations (version, name, fingerprint, applied_at)
                         VALUES ($1, $2, $3, $4)");
        let query = query.bind(migration.version).bind(migration.name).bind(&fingerprint);
        tx.execute(query.bind(store.clock().now().0)).await?;
    }
    tx.commit().await
}

/// What a database has: each migration's number and whether its text is ours.
async fn applied(tx: &mut Tx) -> Result<Vec<(i64, bool)>, StoreError> {
    let inspected = tx.maybe(sql(tx.choose(INSPECT))).await?;
    let (tables, ours) = match &inspected {
        Some(row) => {
            let count = |column| row.get::<i64>(column).map_err(|error| tx.unreadable(&error));
            (count("tables")?, count("ours")?)
        }
        None => (0, 0),
    };
    if ours == 0 && tables > 0 {
        return Err(StoreError::Foreign { location: tx.location().to_owned() });
    }
    if ours == 0 {
        return Ok(Vec::new());
    }
    let rows =
        tx.all(sql("SELECT version, fingerprint FROM probity_migrations ORDER BY version")).await?;
    let mut applied = Vec::with_capacity(rows.len());
    for row in rows {
        let version: i64 = row.get("version").map_err(|error| tx.unreadable(&error))?;
        let stored: String = row.get("fingerprint").map_err(|error| tx.unreadable(&error))?;
        let own = MIGRATIONS.iter().find(|migration| migration.version == version);
        let is_ours = own.is_some_and(|own| fingerprint(tx.choose(own.script)) == stored);
        applied.push((version, is_ours));
    }
    Ok(applied)
}

/// How many migrations are missing; refuses what this version cannot continue.
fn check(applied: &[(i64, bool)], location: &str) -> Result<usize, StoreError> {
    let location = || location.to_owned();
    let known = MIGRATIONS.last().map_or(0, |migration| migration.version);
    let found = applied.last().map_or(0, |(version, _)| *version);
    if found > known {
        return Err(StoreError::Newer { location: location(), found, known });
    }
    let expected = MIGRATIONS.iter().map(|migration| migration.version);
    for (expected, (version, is_ours)) in expected.zip(applied) {
        if expected != *version || !is_ours {
            return Err(StoreError::Diverged { location: location(), version: *version });
        }
    }
    Ok(MIGRATIONS.len() - applied.len())
}

/// Line endings do not count, so that a checkout on any system gives the same.
fn fingerprint(text: &str) -> String {
    let digest = Sha256::digest(text.replace("\r\n", "\n").as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrations_are_numbered_in_order() {
        assert!(MIGRATIONS.is_sorted_by(|a, b| a.version < b.version));
        for migration in MIGRATIONS {
            assert!(migration.name.starts_with(&format!("{:04}_", migration.version)));
        }
    }

    #[test]
    fn a_database_of_another_build_is_refused() {
        let known = MIGRATIONS.last().unwrap().version;
        assert_eq!(check(&[], "x").unwrap(), MIGRATIONS.len());
        assert!(matches!(
            check(&[(known + 1, false)], "x"),
            Err(StoreError::Newer { found, .. }) if found == known + 1
        ));
        assert!(matches!(check(&[(1, false)], "x"), Err(StoreError::Diverged { version: 1, .. })));
    }
}
