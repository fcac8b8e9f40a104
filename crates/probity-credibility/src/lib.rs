//! The score of a URL, its publisher, and how outlet scores learn. Pure: no input or output.
//!
//! ```text
//! hit → outlet → authority ┐
//! hit + question → relevance ├→ score → Permit | Blocked
//! hit → recency             ┘
//! coding → weights → EMA → ledger event
//! ```

pub mod authority;
pub mod evaluate;
pub mod feed;
pub mod kind;
pub mod known;
pub mod ledger;
mod number;
pub mod outlet;
pub mod permit;
pub mod policy;
pub mod prior;
pub mod question;
pub mod recency;
pub mod relevance;
pub mod score;
pub mod signals;
pub mod tier;

pub use authority::{Authority, AuthoritySource, Basis, Part};
pub use kind::OutletKind;
pub use known::Known;
pub use permit::{Grounds, Permit, SiteFile};
pub use policy::{AuthorityMode, Policy, PolicyError, RelevanceMode, RelevanceTo};
pub use question::{Question, QuestionError};
pub use score::{
    Admission, Assessment, Discovery, QueryShare, QuestionScorer, Scored, Scorer, Share,
};
pub use signals::Signals;
pub use tier::Tier;
