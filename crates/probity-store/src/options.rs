//! How a store is reached, where its location does not say it.

use std::time::Duration;

use probity_core::Secret;

/// How a store is reached. SQLite needs none of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreOptions {
    /// The most connections that this process keeps to a server.
    pub connections: u32,
    /// The longest that a server works on one statement.
    pub statement_time: Duration,
    /// Whether a pooler that hands out a connection for each transaction is in front of the server,
    /// such as PgBouncer in transaction mode. Nothing is then left behind on a connection: no
    /// prepared statements and no settings.
    pub pooled: bool,
    /// How this process hears what others write.
    pub listen: Listen,
}

/// How this process hears what others write.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Listen {
    /// By the server's notifications, over a connection to the same address; not at all behind a
    /// pooler, nor on servers that have none.
    #[default]
    Auto,
    /// By the server's notifications, over a connection to this address, which must be the
    /// server's own.
    At(Secret),
    /// By reading the tables every now and then.
    Off,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self {
            connections: 8,
            statement_time: Duration::from_secs(60),
            pooled: false,
            listen: Listen::Auto,
        }
    }
}
