//! The newsroom, end to end.
#![cfg(test)]
#![allow(clippy::string_slice, reason = "tests")]

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
