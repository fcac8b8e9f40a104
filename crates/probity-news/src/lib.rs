//! The newsroom: what feeds bring, grouped into the stories it tells.
//!
//! feed → items → unwrap → outlet → article → relevance → cluster → representative → route
//!
//! | module | what it does |
//! | --- | --- |
//! | [`feed`] | bytes of a feed → its items |
//! | [`discover`] | the address of a page → the feeds it offers |
//! | [`opml`] | lists of feeds, in and out |
//! | [`take_in`] | items → articles with the publisher behind each |
//! | [`poll`] | one poll of a feed, written down as a whole |
//! | [`follow`], [`full_text`] | links followed to the publisher's page, pages read |
//! | [`pace`] | when a feed is polled next |
//! | [`schedule`] | which feed is polled when, and by whom |
//! | [`cluster`] | articles → stories |
//! | [`represent`] | which article speaks for a story |

pub mod cluster;
pub mod discover;
pub mod feed;
pub mod follow;
pub mod full_text;
pub mod opml;
pub mod pace;
pub mod poll;
pub mod represent;
pub mod schedule;
pub mod settings;
pub mod take_in;

pub use settings::NewsSettings;

/// What an outlet is worth that nobody has judged, and an article whose outlet is not known.
pub const NEUTRAL: f64 = 0.5;
