//! Language models behind one trait: who is asked, how, for how long, and at what cost.
//!
//! ```text
//! settings → ModelSet (a Chain of models for each task)
//! Request → Chain → Provider (permit → breaker → wire → retry) → Reply
//! ModelSet::pay → a call within the limits of a Meter and of the day
//! Reply → json::recover → schema::coerce → a typed answer
//! ```
//!
//! This is the only crate that reaches models. It knows nothing of research: prompts, stages and
//! what an answer is worth are its callers' business. Replies are untrusted and bounded, keys are
//! [`probity_core::Secret`]s, and every wait has a deadline.

pub mod call;
pub mod error;
pub mod json;
pub mod lines;
pub mod local_speed;
pub mod meter;
pub mod model;
pub mod model_set;
pub mod name;
pub mod prompt;
pub mod provider;
pub mod reply;
pub mod request;
pub mod schema;
pub mod settings;
pub mod table;
pub mod task;
pub mod tokens;
pub mod untrusted;

pub mod account;
mod breaker;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod http;
mod retry;
mod shared_backoff;
mod stream;
pub mod wire;

pub use error::ModelError;
pub use local_speed::Speed;
pub use meter::{Limits, Meter};
pub use model::{Asking, Chain, Model};
pub use model_set::{LineupError, ModelSet};
pub use name::{ModelName, ProviderName};
pub use reply::{Reply, Stop, TokenCount};
pub use request::{Request, Schema, Tool, ToolCall, ToolResult, Turn};
pub use settings::ModelSettings;
pub use table::{Price, Table};
pub use task::Task;
