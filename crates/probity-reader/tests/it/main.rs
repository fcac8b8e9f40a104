//! The reader as its callers use it.

mod read;
