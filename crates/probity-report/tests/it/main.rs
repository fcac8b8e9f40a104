//! The report from outside: its shape, and what its citations are worth.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests"
)]

mod citations;
mod passages;
mod shape;
