//! A research run, from a question to a report or an honest "not enough".
//!
//! ```text
//! plan → round 1 (search → score → fetch or block → summarise) → gaps → round 2 (the same)
//!      → gate → full | short | insufficient → draft → check
//! ```
//!
//! Each stage is one file under [`stage`]; [`driver::research`] calls them in order. Every effect
//! on the outside world (search, fetch, an analyst's judgement, a look into the ledger) goes
//! through [`journal::Journal::step`], so that a run can be resumed and replayed. Code between the
//! steps is deterministic: it has no clock and no randomness of its own.

pub mod analyst;
pub mod approve;
pub mod driver;
pub mod event;
pub mod execute;
pub mod fact_check;
pub mod gather;
pub mod injection;
pub mod journal;
pub mod live_gatherer;
pub mod plan_file;
mod read;
pub mod recall;
pub mod run;
mod sources;
pub mod stage;
pub mod sweep;
pub mod timeline;
pub mod wish;
pub mod work;

pub use analyst::{Analyst, AnalystError};
pub use driver::{Finished, RunError, research};
pub use event::{Event, Watcher};
pub use gather::Gatherer;
pub use journal::{Journal, JournalError};
pub use run::RunSpec;
