//! Brings a database up to date: forward only, all or nothing, one process at a time.
//!
//! To change the schema, add a folder `migrations/NNNN_name/` with `sqlite.sql` and `postgres.sql`
//! and a line to [`MIGRATIONS`]. A migration that was released is never edited: its text is
//! fingerprinted in the databases that have it.
//!
//! A migration that only builds indexes is an [`indexes!`]: on PostgreSQL it runs outside of a
//! transaction (`CREATE INDEX CONCURRENTLY`), so that others go on reading and writing large tables
//! meanwhile. If it is interrupted, the next process that opens the store begins it again.

use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};

use crate::postgres::indexes;
use crate::sql::sql;
use crate::tx::{Script, Tx};
use crate::{Engine, Store, StoreError};

struct Migration {
    version: i64,
    name: &'static str,
    script: Script,
    /// Whether it only builds indexes, which a server with data does outside of a transaction.
    indexes: bool,
}

macro_rules! migration {
    ($version:literal, $name:literal) => {
        migration!($version, $name, false)
    };
    ($version:literal, $name:literal, $indexes:literal) => {
        Migration {
            version: $version,
            name: $name,
            indexes: $indexes,
            script: Script {
                sqlite: include_str!(concat!("../migrations/", $name, "/sqlite.sql")),
                postgres: include_str!(concat!("../migrations/", $name, "/postgres.sql")),
            },
        }
    };
}

macro_rules! indexes {
    ($version:literal, $name:literal) => {
        migration!($version, $name, true)
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
    indexes!(9, "0009_indexes"),
    migration!(10, "0010_desk"),
    indexes!(11, "0011_latest"),
    migration!(12, "0012_known"),
    migration!(13, "0013_marks"),
    migration!(14, "0014_uploads"),
    migration!(15, "0015_workplace"),
    migration!(16, "0016_briefings"),
    migration!(17, "0017_watches"),
    migration!(18, "0018_alerts"),
    migration!(19, "0019_users"),
    migration!(20, "0020_collections"),
    migration!(21, "0021_sign_on"),
    migration!(22, "0022_library_merges"),
];

/// What every migration says to a server, in order.
pub(crate) fn server_scripts() -> impl Iterator<Item = &'static str> {
    MIGRATIONS.iter().map(|migration| migration.script.postgres)
}

/// The table that says which migrations a database has, named so that it collides with no other.
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
/// No process waits for the lock inside a statement: building an index waits for every statement that
/// is in progress, and the two would wait for each other.
const TAKE_TURN: Script = Script {
    sqlite: "SELECT 1 AS mine",
    postgres: "SELECT CAST(CAST(pg_try_advisory_xact_lock(5786234017) AS INT) AS BIGINT) AS mine",
};
/// How long a process waits for another that brings the database up to date.
const TURN_TIME: Duration = Duration::from_secs(60 * 60);
/// The pause between two attempts.
const TURN_PAUSE: Duration = Duration::from_millis(100);

/// Applies what is missing. Does nothing, and locks nothing, when nothing is.
pub(crate) async fn bring_up_to_date(store: &Store) -> Result<(), StoreError> {
    bring_up_to(store, MIGRATIONS).await
}

async fn bring_up_to(store: &Store, wanted: &[Migration]) -> Result<(), StoreError> {
    let mut tx = store.read().await?;
    let mut known = applied(&mut tx).await?;
    drop(tx);
    // Each turn applies at least one.
    for _ in wanted {
        if check(&known, wanted, store.location())? == 0 {
            return Ok(());
        }
        let mut tx = take_turn(store).await?;
        tx.execute(sql(tx.choose(CREATE_HISTORY))).await?;
        // Another process may have been quicker.
        let found = applied(&mut tx).await?;
        check(&found, wanted, store.location())?;
        known = apply_some(store, tx, found, wanted).await?;
    }
    Ok(())
}

/// Begins the transaction of the one process that changes the schema.
async fn take_turn(store: &Store) -> Result<Tx, StoreError> {
    let deadline = Instant::now() + TURN_TIME;
    loop {
        let mut tx = store.write().await?;
        // Elsewhere a person sees to it that one process opens the store first.
        if !store.has_turns() {
            return Ok(tx);
        }
        let row = tx.maybe(sql(tx.choose(TAKE_TURN))).await?;
        let mine = row.map(|row| row.get::<i64>("mine")).transpose();
        if mine.map_err(|error| tx.unreadable(&error))? == Some(1) {
            return Ok(tx);
        }
        tx.undo().await?;
        if Instant::now() > deadline {
            return Err(StoreError::Busy { location: store.location().to_owned() });
        }
        tokio::time::sleep(TURN_PAUSE).await;
    }
}

/// Applies what may be done in one transaction: everything up to the next build of indexes, or that
/// build. Gives what the database has then.
async fn apply_some(
    store: &Store,
    mut tx: Tx,
    mut known: Vec<(i64, bool)>,
    wanted: &[Migration],
) -> Result<Vec<(i64, bool)>, StoreError> {
    // A database that is new has nothing that could be slow, and no other process.
    let is_new = known.is_empty();
    let mut first = true;
    for migration in wanted.iter().skip(known.len()) {
        let outside = migration.indexes && !is_new && tx.engine() == Engine::Postgres;
        if outside && !first {
            break;
        }
        tracing::info!(location = store.location(), migration = migration.name, "migrating");
        match outside {
            true => store.build_indexes(&mut tx, migration.script.postgres).await?,
            false if tx.engine() == Engine::Postgres && migration.indexes => {
                tx.made_script(indexes::at_once(migration.script.postgres)).await?;
            }
            false => tx.script(migration.script).await?,
        }
        let fingerprint = fingerprint(tx.choose(migration.script));
        let query = sql("INSERT INTO probity_migrations (version, name, fingerprint, applied_at)
                         VALUES ($1, $2, $3, $4)");
        let query = query.bind(migration.version).bind(migration.name).bind(&fingerprint);
        tx.execute(query.bind(store.clock().now().0)).await?;
        known.push((migration.version, true));
        if outside {
            break;
        }
        first = false;
    }
    tx.commit().await?;
    Ok(known)
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
fn check(
    applied: &[(i64, bool)],
    wanted: &[Migration],
    location: &str,
) -> Result<usize, StoreError> {
    let location = || location.to_owned();
    let known = wanted.last().map_or(0, |migration| migration.version);
    let found = applied.last().map_or(0, |(version, _)| *version);
    if found > known {
        return Err(StoreError::Newer { location: location(), found, known });
    }
    let expected = wanted.iter().map(|migration| migration.version);
    for (expected, (version, is_ours)) in expected.zip(applied) {
        if expected != *version || !is_ours {
            return Err(StoreError::Diverged { location: location(), version: *version });
        }
    }
    Ok(wanted.len().saturating_sub(applied.len()))
}

/// Line endings do not count, so that a checkout on any system gives the same.
fn fingerprint(text: &str) -> String {
    let digest = Sha256::digest(text.replace("\r\n", "\n").as_bytes());
    probity_core::hex(digest.iter())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use probity_testkit::postgres::TestDatabase;

    use super::*;
    use crate::sql::made_sql;
    use crate::{Location, StoreOptions};

    #[test]
    fn migrations_are_numbered_in_order() {
        assert!(MIGRATIONS.is_sorted_by(|a, b| a.version < b.version));
        for migration in MIGRATIONS {
            assert!(migration.name.starts_with(&format!("{:04}_", migration.version)));
        }
    }

    #[test]
    fn what_is_built_outside_of_a_transaction_can_be_begun_again() {
        let outside: Vec<_> = MIGRATIONS.iter().filter(|migration| migration.indexes).collect();
        assert!(!outside.is_empty());
        for migration in outside {
            let builds = indexes::builds(migration.script.postgres);
            let statements = migration.script.postgres.matches(';').count();
            assert_eq!(builds.len(), statements, "{} does more than that", migration.name);
            let plain = indexes::at_once(migration.script.postgres);
            assert!(!plain.contains("CONCURRENTLY") && plain.contains("CREATE INDEX"));
        }
    }

    #[test]
    fn a_database_of_another_build_is_refused() {
        let known = MIGRATIONS.last().unwrap().version;
        assert_eq!(check(&[], MIGRATIONS, "x").unwrap(), MIGRATIONS.len());
        assert!(matches!(
            check(&[(known + 1, false)], MIGRATIONS, "x"),
            Err(StoreError::Newer { found, .. }) if found == known + 1
        ));
        assert!(matches!(
            check(&[(1, false)], MIGRATIONS, "x"),
            Err(StoreError::Diverged { version: 1, .. })
        ));
    }

    /// A server's database from before the first build of indexes, with something in it.
    async fn before_the_builds() -> Option<(TestDatabase, Vec<Migration>)> {
        let database = TestDatabase::create().await?;
        let builds = MIGRATIONS.iter().position(|migration| migration.indexes).unwrap();
        let upto = |count| MIGRATIONS.iter().take(count).map(Migration::again).collect::<Vec<_>>();
        let store = connect(&database).await;
        bring_up_to(&store, &upto(builds)).await.unwrap();
        let mut tx = store.write().await.unwrap();
        let fill = "INSERT INTO runs (id, question, mode, status, spec, asked_at, touched_at)
                        SELECT 'r' || n, 'q', 'quick', 'running', '{}', n, n
                        FROM generate_series(1, 500) n";
        tx.made_script(fill.to_owned()).await.unwrap();
        tx.commit().await.unwrap();
        Some((database, upto(builds + 1)))
    }

    impl Migration {
        fn again(&self) -> Self {
            let Self { version, name, script, indexes } = *self;
            Self { version, name, script, indexes }
        }
    }

    async fn connect(database: &TestDatabase) -> Store {
        let location = Location::parse(&database.url()).unwrap();
        Store::connect(&location, &StoreOptions::default(), "x".to_owned()).await.unwrap()
    }

    #[tokio::test]
    async fn indexes_are_built_through_a_pooler_as_well() {
        let Some((database, wanted)) = before_the_builds().await else { return };
        let Some(pooled) = database.pooled_url() else { return };
        let options = StoreOptions { pooled: true, ..StoreOptions::default() };
        let location = Location::parse(&pooled).unwrap();
        let store = Store::connect(&location, &options, "x".to_owned()).await.unwrap();
        bring_up_to(&store, &wanted).await.unwrap();
        let all = i64::try_from(indexes::builds(wanted.last().unwrap().script.postgres).len());
        assert_eq!(indexes_there(&store).await, (all.unwrap(), 0));
    }

    /// Someone who has changed a table and not yet said whether that stands: a build waits for it.
    async fn writer(store: &Store) -> Tx {
        let mut tx = store.write().await.unwrap();
        let add = "INSERT INTO jobs (id, kind, owner, payload, priority, state, attempt, failures,
                                     failures_most, due_at, cancel, queued_at, touched_at)
                   VALUES ('slow', 'k', 'o', '{}', 0, 'queued', 0, 0, 1, 0, 0, 0, 0)";
        tx.made_script(add.to_owned()).await.unwrap();
        tx
    }

    /// Waits until someone builds an index; gives who.
    async fn builder(store: &Store) -> i64 {
        loop {
            let mut tx = store.read().await.unwrap();
            let query = sql("SELECT CAST(pid AS BIGINT) AS pid FROM pg_stat_activity
                             WHERE datname = current_database() AND state = 'active'
                               AND query LIKE 'CREATE INDEX CONCURRENTLY%'");
            if let Some(row) = tx.maybe(query).await.unwrap() {
                return row.get("pid").unwrap();
            }
            tx.undo().await.unwrap();
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// How many indexes are there that were finished, and that were not.
    async fn indexes_there(store: &Store) -> (i64, i64) {
        let mut tx = store.read().await.unwrap();
        let names: Vec<String> = MIGRATIONS
            .iter()
            .filter(|migration| migration.indexes)
            .take(1)
            .flat_map(|migration| indexes::builds(migration.script.postgres))
            .map(|build| format!("'{}'", build.name()))
            .collect();
        let query = made_sql(format!(
            "SELECT count(*) FILTER (WHERE indisvalid) AS done,
                    count(*) FILTER (WHERE NOT indisvalid) AS broken
             FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE relname IN ({})",
            names.join(", ")
        ));
        let row = tx.maybe(query).await.unwrap().unwrap();
        (row.get("done").unwrap(), row.get("broken").unwrap())
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn an_index_that_was_left_half_built_is_built_again_and_nobody_is_held_up() {
        let Some((database, wanted)) = before_the_builds().await else { return };
        let wanted = Arc::new(wanted);
        let (others, builder_store) = (connect(&database).await, connect(&database).await);
        let slow = writer(&others).await;
        let (building, list) = (builder_store.clone(), Arc::clone(&wanted));
        let building = tokio::spawn(async move { bring_up_to(&building, &list).await });
        let pid = builder(&others).await;
        // The build waits for the slow writer; others need not wait for the build.
        let mut tx = others.write().await.unwrap();
        let quick = "UPDATE runs SET touched_at = 7 WHERE id = 'r7';
                     DELETE FROM jobs WHERE id = 'nobody'";
        tx.made_script(quick.to_owned()).await.unwrap();
        let cut = format!("SELECT pg_terminate_backend({pid}::INT)");
        tx.made_script(cut).await.unwrap();
        tx.commit().await.unwrap();
        let error = building.await.unwrap().unwrap_err();
        assert!(error.is_passing(), "{error:?}");
        slow.commit().await.unwrap();
        let all = i64::try_from(indexes::builds(wanted.last().unwrap().script.postgres).len());
        let (done, broken) = indexes_there(&others).await;
        assert!(broken == 1 && done + broken < all.unwrap(), "{done} done, {broken} broken");

        bring_up_to(&builder_store, &wanted).await.unwrap();
        assert_eq!(indexes_there(&others).await, (all.unwrap(), 0));
        bring_up_to(&others, &wanted).await.unwrap();
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn of_two_that_start_at_once_one_builds_and_the_other_waits() {
        let Some((database, wanted)) = before_the_builds().await else { return };
        let wanted = Arc::new(wanted);
        let others = connect(&database).await;
        let slow = writer(&others).await;
        let mut starting = tokio::task::JoinSet::new();
        for _ in 0..3 {
            let (store, list) = (connect(&database).await, Arc::clone(&wanted));
            starting.spawn(async move { bring_up_to(&store, &list).await });
        }
        builder(&others).await;
        assert!(starting.try_join_next().is_none(), "somebody went on before the index was there");
        slow.commit().await.unwrap();
        for started in starting.join_all().await {
            started.unwrap();
        }
        let all = i64::try_from(indexes::builds(wanted.last().unwrap().script.postgres).len());
        assert_eq!(indexes_there(&others).await, (all.unwrap(), 0));
    }
}
