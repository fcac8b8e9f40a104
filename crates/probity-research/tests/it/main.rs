//! Whole runs with a scripted analyst in a world made of paper.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    reason = "tests"
)]

mod acceptance;
mod aspects;
mod chaos;
mod crash;
mod depth;
mod embedded;
mod gate;
mod gathering;
mod injection;
mod models;
mod paid_once;
mod pooler;
mod prompts;
mod scripted;
mod sharing;
mod torture;
mod web;
mod work;
