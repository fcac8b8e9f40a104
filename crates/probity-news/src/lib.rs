//! The newsroom: what feeds bring, grouped into the stories it tells.
//!
//! feed → items → unwrap → outlet → article → relevance → cluster → representative → route
//!
//! | module | what it does |
//! | --- | --- |
//! | [`feed`] | bytes of a feed → its items |
//! | [`cluster`] | articles → stories |
//! | [`represent`] | which article speaks for a story |

pub mod cluster;
pub mod feed;
pub mod represent;

/// What an outlet is worth that nobody has judged, and an article whose outlet is not known.
pub const NEUTRAL: f64 = 0.5;
