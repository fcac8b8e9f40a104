//! What is particular to SQLite: how a file is opened, how writers wait, what its errors mean.

use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqlitePool, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _, Row as _, Sqlite, Transaction};

use crate::pool::unswept;
use crate::{StoreError, private};

pub(crate) mod examine;

/// How many connections one process keeps to a file for reading.
const READERS: u32 = 8;
/// How long SQLite itself waits for the file's lock before it says so.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a writer waits in all, and how long a fresh file may be busy with its first process.
const LOCK_TIME: Duration = Duration::from_secs(60);
/// The pause between two attempts at a lock that SQLite does not wait for by itself.
const LOCK_PAUSE: Duration = Duration::from_millis(20);
/// How much of a database without a name stays in memory, as SQLite takes it: negative, in KiB.
const CACHE_KIB: &str = "-32768";
/// How much of a file the one that writes has in memory, as SQLite takes it: what adding a large folder merges.
const WRITER_CACHE_KIB: &str = "-16384";
/// How long to wait for a free connection.
const ACQUIRE_TIME: Duration = Duration::from_secs(60);

/// The connections of one process to one database.
#[derive(Debug, Clone)]
pub(crate) struct Pools {
    pub(crate) readers: SqlitePool,
    /// One connection, for which the writers of this process queue, first come, first served, and
    /// for which no reader ever does: a crowd of readers does not hold up a run. Writers of other
    /// processes are held off by the file's lock.
    pub(crate) writer: SqlitePool,
}

impl Pools {
    pub(crate) async fn close(&self) {
        self.writer.close().await;
        self.readers.close().await;
    }
}

/// Opens or creates a file.
pub(crate) async fn open(path: &Path, location: &str) -> Result<Pools, StoreError> {
    let unreachable = |why: String| StoreError::Unreachable { location: location.to_owned(), why };
    // Absolute, so that a name that begins with `file:` is a name and not a URI.
    let path = std::path::absolute(path).map_err(|error| unreachable(error.to_string()))?;
    if path.is_dir() {
        return Err(unreachable("it is a folder; name a file in it".to_owned()));
    }
    // A folder that is there may hold other things; whose it is decides who named it.
    if let Some(parent) = path.parent().filter(|parent| !parent.is_dir()) {
        private::folder(parent)
            .map_err(|error| unreachable(format!("its folder cannot be created ({error})")))?;
    }
    // Where this fails SQLite does too, and says more.
    let _ = private::file(&path);
    let options = SqliteConnectOptions::new()
        .filename(&path)
        .create_if_missing(true)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        .synchronous(SqliteSynchronous::Full)
        // So that even INSERT OR REPLACE meets the triggers that guard the log.
        .pragma("recursive_triggers", "ON");
    let usual = unswept::<Sqlite>()
        .acquire_timeout(ACQUIRE_TIME)
        // A transaction that SQLite itself gave up (a full disk) leaves the connection with a
        // wrong count of open transactions: such a one is thrown away.
        .before_acquire(|connection, _| {
            Box::pin(async move { Ok(!connection.is_in_transaction()) })
        });
    let writing = options.clone().pragma("cache_size", WRITER_CACHE_KIB);
    let writer = usual.clone().max_connections(1).connect_lazy_with(writing);
    if let Err(error) = use_write_ahead_log(&writer, location).await {
        return match may_only_be_read(&error, &path) {
            true => open_to_read(&path, location).await,
            false => Err(explain(error, &path)),
        };
    }
    let readers = usual.max_connections(READERS).connect_lazy_with(options);
    Ok(Pools { readers, writer })
}

/// Whether a file refuses to be opened because nothing may be written beside it, and is whole
/// without what others may have written beside it: it has no log with changes of its own.
fn may_only_be_read(error: &StoreError, path: &Path) -> bool {
    let refused = match error {
        StoreError::ReadOnly { .. } => true,
        // SQLite does not say why it cannot open a file.
        StoreError::Unreachable { .. } | StoreError::Failing { .. } => refuses_writing(path),
        _ => false,
    };
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let changes = std::fs::metadata(log).map_or(0, |log| log.len());
    refused && changes == 0 && std::fs::File::open(path).is_ok()
}

/// Whether the system denies writing to a file or beside it. A full disk is another trouble.
fn refuses_writing(path: &Path) -> bool {
    let refused = |error: &std::io::Error| {
        matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem)
    };
    let file = std::fs::OpenOptions::new().append(true).open(path);
    if file.as_ref().is_err_and(refused) {
        return true;
    }
    let beside = path.with_extension(format!("{}.probe", std::process::id()));
    let made = std::fs::OpenOptions::new().write(true).create_new(true).open(&beside);
    if made.is_ok() {
        // It is empty; if it stays it does no harm.
        let _ = std::fs::remove_file(&beside);
    }
    made.as_ref().is_err_and(refused)
}

/// Opens a file of which nothing is changed, not even the files that SQLite keeps beside it. What
/// writes is refused as [`StoreError::ReadOnly`].
async fn open_to_read(path: &Path, location: &str) -> Result<Pools, StoreError> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .read_only(true)
        .immutable(true)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT);
    let pool = unswept::<Sqlite>()
        .acquire_timeout(ACQUIRE_TIME)
        .max_connections(READERS)
        .connect_with(options)
        .await
        .map_err(|error| explain(crate::tx::classify(error, location), path))?;
    tracing::info!(location, "the store can only be read here");
    Ok(Pools { readers: pool.clone(), writer: pool })
}

/// SQLite says little about a file that it cannot open; the system says more.
fn explain(error: StoreError, path: &Path) -> StoreError {
    match error {
        StoreError::Unreachable { location, why } => {
            let attempt = std::fs::OpenOptions::new().append(true).create(true).open(path);
            let why = attempt.err().map_or(why, |error| error.to_string());
            StoreError::Unreachable { location, why }
        }
        StoreError::ReadOnly { location } => {
            let why =
                "its folder is read-only and changes wait in the log beside it; copy both to a \
                       folder of your own"
                    .to_owned();
            StoreError::Unreachable { location, why }
        }
        other => other,
    }
}

/// Opens an empty private database: in memory, and what has no room in the cache in a file
/// without a name, which the system forgets with it. It belongs to its connection, so there is one, which
/// stays.
pub(crate) async fn open_in_memory(location: &str) -> Result<Pools, StoreError> {
    let options = SqliteConnectOptions::new()
        .filename("")
        .create_if_missing(true)
        .foreign_keys(true)
        .pragma("cache_size", CACHE_KIB)
        .pragma("temp_store", "FILE")
        .pragma("recursive_triggers", "ON");
    let pool = unswept::<Sqlite>()
        .max_connections(1)
        .acquire_timeout(ACQUIRE_TIME)
        .connect_with(options)
        .await
        .map_err(|error| crate::tx::classify(error, location))?;
    Ok(Pools { readers: pool.clone(), writer: pool })
}

/// Readers go on while one writes. The mode stays with the file, so it is set once; changing it
/// needs the file alone, and SQLite does not wait for that by itself.
async fn use_write_ahead_log(pool: &SqlitePool, location: &str) -> Result<(), StoreError> {
    let fail = |error| crate::tx::classify(error, location);
    let deadline = Instant::now() + LOCK_TIME;
    loop {
        let mode = sqlx::query("PRAGMA journal_mode").fetch_one(pool).await.map_err(fail)?;
        if mode.try_get::<String, _>(0).is_ok_and(|mode| mode == "wal") {
            return Ok(());
        }
        match sqlx::query("PRAGMA journal_mode = WAL").fetch_one(pool).await {
            Ok(_) => {}
            Err(error) if is_busy(&error) => {}
            Err(error) => return Err(fail(error)),
        }
        if Instant::now() > deadline {
            return Err(StoreError::Busy { location: location.to_owned() });
        }
        tokio::time::sleep(LOCK_PAUSE).await;
    }
}

/// Puts everything into a file that is not open, so that it needs no log beside it.
pub(crate) async fn seal(path: &Path, location: &str) -> Result<(), StoreError> {
    let fail = |error| crate::tx::classify(error, location);
    let options = SqliteConnectOptions::new().filename(path);
    let mut alone = options.connect().await.map_err(fail)?;
    let mode = sqlx::query("PRAGMA journal_mode = DELETE").fetch_one(&mut alone).await;
    let mode = mode.map_err(fail)?;
    alone.close().await.map_err(fail)?;
    match mode.try_get::<String, _>(0) {
        Ok(mode) if mode == "delete" => Ok(()),
        _ => Err(StoreError::Busy { location: location.to_owned() }),
    }
}

/// Has SQLite look through the whole file.
pub(crate) async fn check_integrity(pool: &SqlitePool, location: &str) -> Result<(), StoreError> {
    let fail = |error| crate::tx::classify(error, location);
    let found = sqlx::query("PRAGMA integrity_check(1)").fetch_one(pool).await.map_err(fail)?;
    match found.try_get::<String, _>(0) {
        Ok(found) if found == "ok" => Ok(()),
        found => {
            let why = found.unwrap_or_else(|error| error.to_string());
            Err(StoreError::Damaged { location: location.to_owned(), why })
        }
    }
}

/// Begins a transaction that sees one state of the data throughout.
pub(crate) async fn begin_read(
    pool: &SqlitePool,
) -> Result<Transaction<'static, Sqlite>, sqlx::Error> {
    pool.begin_with("BEGIN DEFERRED").await
}

/// Begins a transaction that holds the file's write lock from the start, so that it cannot find
/// out half-way that another writer was quicker.
pub(crate) async fn begin_write(
    pool: &SqlitePool,
    location: &str,
) -> Result<Transaction<'static, Sqlite>, StoreError> {
    let deadline = Instant::now() + LOCK_TIME;
    loop {
        match pool.begin_with("BEGIN IMMEDIATE").await {
            Ok(tx) => return Ok(tx),
            Err(error) if is_busy(&error) && Instant::now() < deadline => {
                tokio::time::sleep(LOCK_PAUSE).await;
            }
            Err(sqlx::Error::PoolTimedOut) => {
                return Err(StoreError::Busy { location: location.to_owned() });
            }
            Err(error) => return Err(crate::tx::classify(error, location)),
        }
    }
}

fn is_busy(error: &sqlx::Error) -> bool {
    matches!(primary_code(error), Some(5 | 6))
}

/// The result code of SQLite without its extension.
fn primary_code(error: &sqlx::Error) -> Option<i32> {
    let database = error.as_database_error()?;
    let sqlite = database.try_downcast_ref::<sqlx::sqlite::SqliteError>()?;
    let code = sqlx::error::DatabaseError::code(sqlite)?;
    code.parse::<i32>().ok().map(|code| code & 0xff)
}

/// What an error of SQLite means; none when it is not one, or means nothing in particular.
pub(crate) fn classify(error: &sqlx::Error, location: &str) -> Option<StoreError> {
    let location = location.to_owned();
    let why = error.as_database_error().map(|e| e.message().to_owned()).unwrap_or_default();
    Some(match primary_code(error)? {
        5 | 6 => StoreError::Busy { location },
        8 => StoreError::ReadOnly { location },
        13 => StoreError::Full { location },
        11 | 26 => StoreError::Damaged { location, why },
        // The file itself may be whole, but nothing can be relied on. A quota and a limit on the size
        // of files come as this too: only a full disk has a code of its own.
        10 => StoreError::Failing { location, why },
        14 => StoreError::Unreachable { location, why },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Location, Store};

    #[tokio::test]
    async fn a_file_that_may_only_be_read_is_read_and_refuses_to_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("probity.db");
        let store = Store::open(&Location::file(&path)).await.unwrap();
        store.close().await;
        let refused = StoreError::ReadOnly { location: "x".to_owned() };
        assert!(may_only_be_read(&refused, &path));
        let pools = open_to_read(&path, "x").await.unwrap();
        let count = sqlx::query("SELECT count(*) FROM probity_migrations");
        let count: i64 = count.fetch_one(&pools.readers).await.unwrap().get(0);
        assert!(count > 0);
        let write = sqlx::query("DELETE FROM probity_migrations").execute(&pools.writer).await;
        let error = crate::tx::classify(write.unwrap_err(), "x");
        assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
        pools.close().await;
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was left beside");
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_database_without_a_name_that_grows_is_not_all_in_memory() {
        // The file that only this process has open.
        let overflow = || {
            let open = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
            let open = open.filter_map(|entry| std::fs::read_link(entry.path()).ok());
            open.filter(|path| path.to_string_lossy().contains("etilqs_")).count()
        };
        let before = overflow();
        let pools = open_in_memory("x").await.unwrap();
        let run = async |statement: &'static str| {
            sqlx::query(statement).execute(&pools.writer).await.unwrap();
        };
        run("CREATE TABLE t (bytes BLOB)").await;
        assert_eq!(overflow(), before, "what is small stays in memory");
        for _ in 0..48 {
            run("INSERT INTO t VALUES (randomblob(1048576))").await;
        }
        assert!(overflow() > before);
        pools.close().await;
        assert_eq!(overflow(), before, "it left something behind");
    }

    #[test]
    fn changes_that_wait_in_the_log_are_not_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("probity.db");
        std::fs::write(&path, "x").unwrap();
        std::fs::write(folder.path().join("probity.db-wal"), "changes").unwrap();
        assert!(!may_only_be_read(&StoreError::ReadOnly { location: "x".to_owned() }, &path));
    }
}
