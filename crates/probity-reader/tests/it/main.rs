//! The reader as its callers use it.
#![cfg(feature = "embedded")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::single_range_in_vec_init,
    reason = "tests"
)]

mod hostile;
mod read;
mod threads;
mod weights;
