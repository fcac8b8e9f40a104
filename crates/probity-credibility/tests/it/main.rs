//! Outlets by the published vectors, shapes of services, feeds, pages, and laws.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests"
)]

mod outlet_vectors;
