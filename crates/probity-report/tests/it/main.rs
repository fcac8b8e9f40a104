//! The report from outside: its shape, and what its citations are worth.
#![cfg(test)]
#![allow(clippy::string_slice, reason = "tests")]

mod archived;
mod citations;
mod compare;
mod contested;
mod docx;
mod forms;
mod hostile;
mod language;
mod lead;
mod novelty;
mod passages;
#[cfg(feature = "pdf")]
mod pdf;
mod sample;
mod schema;
mod shape;
mod snapshots;
