//! The stages of a run, one file each, in the order in which they run.

pub mod plan;
pub mod search;
pub mod fetch;
pub mod summarise;
pub mod gaps;
pub mod gate;
pub mod write;
