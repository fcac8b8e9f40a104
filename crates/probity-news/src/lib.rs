//! The newsroom: articles of feeds, clustered into stories.
//!
//! feed → items → unwrap → outlet → article → relevance → cluster → representative → route
//!
//! | module | what it does |
//! | --- | --- |
//! | [`feed`] | bytes of a feed → its items |
//! | [`discover`] | the address of a page → the feeds it offers |
//! | [`opml`], [`subscribe`] | lists of feeds, in and out |
//! | [`ingest`] | items → articles with the publisher behind each |
//! | [`poll`] | one poll of a feed, written down as a whole |
//! | [`follow`], [`full_text`] | links followed to the publisher's page, pages read |
//! | [`poll_interval`] | when a feed is polled next |
//! | [`schedule`] | which feed is polled when, and by which process |
//! | [`cluster`] | articles → stories |
//! | [`category`] | how relevant an article is to a category |
//! | [`topic`] | stories → topics whose numbers stay |
//! | [`represent`], [`rank`] | which article represents a topic, and which topic comes first |
//! | [`route`] | the decision about a category, by the outlets that represent it |
//! | [`develop`] | which figure of a story is the newest, and which it replaced |
//! | [`topic_view`] | all of that in the order and the words in which people read it |
//! | [`review`] | which outlets an editor should look at first |
//! | [`consolidate`] | all of these over a store, one process at a time |

pub mod category;
pub mod cluster;
pub mod consolidate;
pub mod develop;
pub mod discover;
pub mod feed;
pub mod follow;
pub mod full_text;
pub mod headline;
pub mod ingest;
pub mod opml;
pub mod poll;
pub mod poll_interval;
pub mod rank;
pub mod represent;
pub mod review;
pub mod route;
pub mod schedule;
pub mod settings;
pub mod subscribe;
pub mod topic;
pub mod topic_view;

pub use settings::NewsSettings;

/// The credibility of an outlet without a score, and an article whose outlet is not known.
pub const NEUTRAL: f64 = 0.5;
