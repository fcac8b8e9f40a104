//! What can go wrong with a store, said so that a person knows what to do.

/// A store could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file cannot be opened or created, or the server not reached.
    #[error("the store {location} cannot be opened: {why}")]
    Unreachable {
        /// Which store.
        location: String,
        /// What the system said.
        why: String,
    },
    /// The file is a database, but not one of Probity's.
    #[error("{location} has data that is not Probity's; name another file or an empty database")]
    Foreign {
        /// Which store.
        location: String,
    },
    /// The database was written by a later version.
    #[error(
        "{location} was written by a newer version of Probity (its schema is {found}, this version \
         knows {known}); update Probity to open it"
    )]
    Newer {
        /// Which store.
        location: String,
        /// The newest migration in the database.
        found: i64,
        /// The newest migration in this program.
        known: i64,
    },
    /// The database's schema has the same number but another content.
    #[error(
        "{location} has another schema {version} than this version of Probity; it comes from a \
         different build"
    )]
    Diverged {
        /// Which store.
        location: String,
        /// The migration that differs.
        version: i64,
    },
    /// The file is damaged.
    #[error("{location} is damaged or not a database: {why}; restore it from a backup")]
    Damaged {
        /// Which store.
        location: String,
        /// What the engine said.
        why: String,
    },
    /// The store can be read but not written.
    #[error("{location} is read-only; nothing was written")]
    ReadOnly {
        /// Which store.
        location: String,
    },
    /// There is no room left.
    #[error("there is no room left to write {location}; nothing was written")]
    Full {
        /// Which store.
        location: String,
    },
    /// The system failed to read or write the file. Trying again does not help by itself.
    #[error(
        "the system could not read or write {location} ({why}); nothing was written; see whether its \
         disk is full, over a quota or failing"
    )]
    Failing {
        /// Which store.
        location: String,
        /// What the engine said.
        why: String,
    },
    /// Another process held the store for too long.
    #[error("{location} is locked by another process; nothing was written, try again")]
    Busy {
        /// Which store.
        location: String,
    },
    /// A stored value is not of the kind that belongs there.
    #[error("{location} has a value that cannot be read: {why}")]
    Unreadable {
        /// Which store.
        location: String,
        /// Which value, and what is wrong with it.
        why: String,
    },
    /// The lease on the work was lost: another worker may have taken it up.
    #[error("the lease on {job} was lost; nothing was written")]
    Fenced {
        /// The job.
        job: String,
    },
    /// Anything else that the database refused.
    #[error("{location} refused a statement: {source}")]
    Sql {
        /// Which store.
        location: String,
        /// What the database said.
        source: sqlx::Error,
    },
}

impl StoreError {
    /// Whether trying again may help: the server is away for a moment, or others are in the way.
    pub fn is_passing(&self) -> bool {
        matches!(self, StoreError::Unreachable { .. } | StoreError::Busy { .. })
    }

    /// Whether whoever works for days waits until it is over: it passes by itself, or someone makes
    /// room on a disk.
    pub fn is_worth_waiting_for(&self) -> bool {
        self.is_passing() || matches!(self, StoreError::Full { .. } | StoreError::Failing { .. })
    }
}
