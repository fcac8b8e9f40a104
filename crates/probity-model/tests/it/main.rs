//! Models over real sockets: the five protocols, and everything that goes wrong on the way.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    reason = "tests"
)]

mod bedrock;
mod paying;
mod protocols;
mod reached;
mod servers;
mod troubles;
