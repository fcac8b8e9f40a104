//! Who calls, and what they may do.
//!
//! ```text
//! bearer token | session cookie | (open door) → Caller → the route's Access → handler
//! ```
//!
//! Where the door is open (one person's own machine), everybody is [`LOCAL`] and may do everything;
//! what protects the server then is that it listens on loopback only and answers to its own names
//! only. Elsewhere a caller is a user with a session or a program with a token. A session begins with a
//! password or with the word of a provider (`identify`).

pub(crate) mod admit;
mod caller;
pub(crate) mod cookie;
pub(crate) mod idempotency;
pub(crate) mod identify;
pub mod password;
pub(crate) mod queue;
pub mod secret;
pub(crate) mod throttle;

pub use caller::{Access, LOCAL, Scope};
pub(crate) use caller::{Caller, Via};
