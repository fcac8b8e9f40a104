//! Who may do what on a server: users, sessions, log-ins elsewhere, tokens, requests that are done once, what was done.
//!
//! Nothing here can be turned back into a password, a session or a token: the store keeps hashes,
//! and the server makes them. [`Store::note`](crate::Store::note) is the log of what people did apart from the ledger.

mod actions;
mod idempotency;
mod sessions;
mod sign_on;
mod tokens;
mod users;

pub use self::actions::Action;
pub use self::idempotency::{Answer, Once};
pub use self::sessions::{Session, SessionSummary};
pub use self::sign_on::{Account, NewSignOn, SignOn};
pub use self::tokens::{NewToken, Token};
pub use self::users::{Role, User, UserChange, UserChanged};
