//! One store on SQLite or PostgreSQL: the only crate that speaks SQL.
//!
//! ```text
//! Location → Store::open → migrations → Store
//! coding → (write transaction: lock, read, apply, append) → LedgerEvent
//! ```
//!
//! # Architecture
//! [`Store`] holds one of two connection pools and hands out transactions; every statement runs in
//! one. Statements are `$1` texts that both engines understand, written next to the feature that
//! needs them; only what really differs (opening, locking, error codes, the schema) is in `sqlite`,
//! `postgres` and `migrations/`. To add a feature, add a module beside [`ledger`] and a migration.

pub mod access;
mod alerts;
pub mod backup;
mod error;
pub mod events;
mod examine;
mod known;
pub mod ledger;
pub mod library;
mod location;
mod migrate;
pub mod news;
mod options;
mod pool;
mod postgres;
pub mod private;
pub mod queue;
pub mod relocate;
pub mod runs;
mod shared_rate;
mod sql;
mod sqlite;
mod store;
mod table;
pub mod topics;
mod tx;
pub mod uploads;
pub mod watches;

pub use error::StoreError;
pub use location::{Location, LocationError};
pub use options::{Listen, StoreOptions};
pub use runs::{Ending, JournalEntry, NewRun, RunQuery, RunRecord, RunStatus, RunSummary};
pub use shared_rate::SharedStore;
pub use store::{Engine, Store};
