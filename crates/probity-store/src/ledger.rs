//! The outlet ledger in the database: scores, codebook, and the log that only grows.
//!
//! Every change is one write transaction: take the ledger's lock, read where things stand, compute
//! the event, append it, update the outlet's row and the head record. So concurrent changes queue,
//! none is lost, and a crash leaves all of a change or nothing.

mod append;
mod change;
mod codebook;
mod events;
mod opinions;
mod outlets;
mod verify;

use probity_core::Outlet;
use probity_credibility::ledger::{CodebookError, CodingError, ForeignEvent};

pub use self::change::{Conflict, Imported, Intent, Newcomer};
pub use self::codebook::CodeRevision;
pub use self::events::EventQuery;
pub use self::outlets::{OutletEntry, OutletOrder, OutletQuery, Page};
pub use self::verify::Verification;
use crate::StoreError;

/// The most rows that one reading gives.
pub const PAGE_ROWS: i64 = 10_000;

/// A change to the ledger that was not made.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The outlet is unknown and all but has the name of another.
    #[error("the ledger has no outlet {outlet}, but it has {known}")]
    LooksLike {
        /// The outlet that was named.
        outlet: Outlet,
        /// The outlet that may have been meant.
        known: Outlet,
    },
    /// There is no event of that number.
    #[error("the ledger has no event {0}")]
    UnknownEvent(i64),
    /// The coding's codes are not usable.
    #[error(transparent)]
    Coding(#[from] CodingError),
    /// The codebook does not allow it.
    #[error(transparent)]
    Codebook(#[from] CodebookError),
    /// The event concerns another outlet.
    #[error(transparent)]
    Foreign(#[from] ForeignEvent),
    /// A list names an outlet twice.
    #[error("the list names {0} twice")]
    Twice(Outlet),
    /// The stored state does not follow from the log, so nothing is built on it.
    #[error(
        "the ledger was changed from outside: {0}; nothing was written, run `probity outlets verify`"
    )]
    Tampered(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
