//! What users of the text crate rely on: tables of behaviour, and laws over any text.
#![cfg(test)]
#![allow(clippy::string_slice, reason = "tests")]

mod any_text;
mod clocks;
mod dates;
mod languages;
mod notations;
mod passages;
mod quantities;
mod ranking;
mod rows;
mod sentences;
mod stems;
mod tensors;
mod vectors;
