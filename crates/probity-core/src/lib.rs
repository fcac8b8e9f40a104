//! The words Probity thinks in: URLs, outlets, scores, documents, problems and limits.
//!
//! Nothing here reads a file, opens a socket or awaits. Every other crate may depend on this one;
//! this one depends on none of them.
//!
//! | module | what it names |
//! | --- | --- |
//! | [`url`] | a web address that was parsed, and its canonical form |
//! | [`outlet`] | the publisher's domain, which is what credibility belongs to |
//! | [`score`] | a credibility score with its three parts, and how to read a number |
//! | [`hit`] | what a search returned, before anything was fetched |
//! | [`id`] | ids that cannot be taken for each other |
//! | [`document`] | the text of a page that was read |
//! | [`mode`] | how far a run goes, its two rounds, and what the gate decided |
//! | [`source`] | a page on its way through a run, and its outcome |
//! | [`problem`] | something that went wrong without ending the run |
//! | [`calendar`] | months and weekdays by their names |
//! | [`time`] | instants as milliseconds, and the one clock |
//! | [`limits`] | every bound, in one place |
//! | [`address`] | which IP addresses are on the public internet |
//! | [`printable`] | untrusted text made safe for a terminal or a log line |
//! | [`count`] | numbers with their nouns |
//! | [`shared`] | what several processes agree on: pace and purse |
//! | [`secret`] | keys that cannot be printed |

pub mod address;
mod by_provider;
pub mod calendar;
pub mod count;
pub mod document;
mod hex;
pub mod hit;
pub mod id;
pub mod limits;
pub mod mode;
pub mod outlet;
pub mod printable;
pub mod problem;
pub mod retraction;
pub mod score;
pub mod secret;
pub mod shared;
mod sign_on;
pub mod source;
pub mod time;
pub mod url;

pub use count::counted;
pub use document::{Account, ClaimReview, Document, Heading, List, PageSignals, SiteFiles};
pub use hex::hex;
pub use hit::SearchHit;
pub use id::{
    ArticleId, BriefingId, CategoryId, CollectionId, DocumentId, FeedId, RunId, TopicId, UserName,
    WatchId,
};
pub use mode::{Decision, Mode, ModeSettings, Modes, QUERIES_MOST, ROUNDS_MOST, Round};
pub use outlet::Outlet;
pub use problem::{Problem, ProblemKind};
pub use score::{Band, Score};
pub use secret::Secret;
pub use shared::{Answering, Shared};
pub use sign_on::{SignOnAnswer, SignOnSecrets};
pub use source::{Candidate, Relevance, Shares, SourceId, Verdict};
pub use time::{Clock, SinceError, Timestamp};
pub use url::{CanonicalUrl, UrlError, WebUrl};
