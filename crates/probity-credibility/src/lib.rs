//! What a URL is worth, whose page it is, and how that opinion learns. Pure: no input or output.
//!
//! ```text
//! hit → outlet → authority ┐
//! hit + question → relevance ├→ score → Permit | Blocked
//! hit → recency             ┘
//! coding → weights → EMA → ledger event
//! ```

pub mod ledger;
pub mod outlet;
pub mod permit;

pub use permit::{Grounds, Permit};
