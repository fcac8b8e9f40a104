//! What pools of either engine have in common: they are not swept.
//!
//! The library's sweeper for idle and old connections takes its number of turns from a counter that
//! a connection which is returned and taken at the same moment puts below zero: it then turns for
//! ever, and with it a core (launchbadge/sqlx#3645; fixed there after 0.9.0). A file needs no
//! sweeping, and connections to a server are renewed when they are taken.

use sqlx::Database;
use sqlx::pool::PoolOptions;

/// Options of a pool without a sweeper.
pub(crate) fn unswept<DB: Database>() -> PoolOptions<DB> {
    PoolOptions::new().min_connections(0).idle_timeout(None).max_lifetime(None)
}

#[cfg(test)]
mod tests {
    #[tokio::test]
    async fn no_pool_of_a_file_or_of_memory_has_what_would_start_a_sweeper() {
        let home = tempfile::tempdir().unwrap();
        let file = crate::sqlite::open(&home.path().join("a.db"), "a.db").await.unwrap();
        let memory = crate::sqlite::open_in_memory("memory").await.unwrap();
        for pool in [file.readers, file.writer, memory.readers] {
            let options = pool.options();
            assert_eq!(options.get_min_connections(), 0);
            assert_eq!((options.get_idle_timeout(), options.get_max_lifetime()), (None, None));
        }
    }
}
