//! The newsroom: what feeds bring, grouped into the stories it tells.
//!
//! feed → items → unwrap → outlet → article → relevance → cluster → representative → route
//!
//! | module | what it does |
//! | --- | --- |
//! | [`cluster`] | articles → stories |
//! | [`represent`] | which article speaks for a story |

pub mod cluster;
pub mod represent;
