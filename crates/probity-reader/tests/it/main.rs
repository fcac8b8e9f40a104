//! The reader as its callers use it.
#![cfg(feature = "embedded")]
#![cfg(test)]
#![allow(clippy::string_slice, clippy::single_range_in_vec_init, reason = "tests")]

mod hostile;
mod read;
mod threads;
mod weights;
