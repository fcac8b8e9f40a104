//! The newsroom, end to end.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    reason = "tests"
)]

mod categories;
mod consolidate;
mod feeds;
mod full_texts;
mod headlines;
mod judging;
mod many;
mod polls;
mod room;
mod stories;
mod tf_idf;
