//! The newsroom's judgement in the database: categories, relevance, topics and routing.
//!
//! ```text
//! categories × articles → relevance → topics (members, events) → coverage (joined with the ledger) → routings
//! ```
//!
//! The score of an outlet is never copied here: a query for coverage gets the scores as they are
//! in the ledger at that moment, so a coding changes the representative of a topic at once.

mod background;
mod category;
mod coverage;
mod relevance;
mod routing;
mod topic;

pub use background::BackgroundRecord;
pub use category::{Category, CategoryChange, CategoryError, NewCategory};
pub use coverage::{CoverageQuery, Covered};
pub use relevance::{Judged, Unjudged};
pub use routing::{Action, RoutingRecord};
pub use topic::{
    Membership, TopicChange, TopicEvent, TopicEventKind, TopicRecord, TopicState, WindowArticle,
};

/// The kind of the job that consolidates topics; there is one of it, with this id.
pub const TOPICS: &str = "topics";
/// The most articles that a window holds.
pub const WINDOW_MOST: i64 = 500_000;
/// The most rows that one page of a window or of coverage gives.
const PAGE_ROWS: i64 = 10_000;
/// The most categories.
pub const CATEGORIES_MOST: i64 = 1_000;
/// The longest name of a category, in characters.
pub const NAME_CHARS: usize = 60;
/// The most texts that a list of a category holds.
pub const TEXTS_MOST: usize = 100;
/// The longest text of a category, in characters.
pub const FIELD_CHARS: usize = 4_000;
/// How many routing decisions are kept of a category.
const ROUTINGS_KEPT: i64 = 1_000;
/// How many events of a topic are shown.
const EVENTS_SHOWN: i64 = 1_000;
