//! The report from outside: its shape, and what its citations are worth.
#![cfg(test)]
#![allow(clippy::string_slice, reason = "tests")]

mod archived;
mod attribution;
mod bibliographies;
mod citations;
mod compare;
mod confidence;
mod contested;
mod docx;
mod drafts;
mod every_citation;
mod formats;
mod forms;
mod hostile;
mod language;
mod lead;
mod novelty;
mod odd;
mod page;
mod passages;
#[cfg(feature = "pdf")]
mod pdf;
mod restored;
mod sample;
mod schema;
mod shape;
mod snapshots;
