//! The stages of a run, one file each, in the order in which they run.

pub mod agent;
pub mod check;
mod disown;
pub mod fetch;
pub mod gaps;
pub mod gate;
pub mod plan;
pub mod review;
pub mod rounds;
pub mod search;
pub mod sections;
pub mod skeptic;
pub mod summarise;
pub mod write;
