//! Draft → citation check → report in every format. Pure: no input or output.
//!
//! ```text
//! Draft + RunFacts + texts → assemble (check every claim, number the sources) → CheckedReport → Markdown | JSON
//! ```
//!
//! An analyst, whether a model or not, never writes the document. It hands in a [`draft::Draft`]
//! whose claims point at source ids; everything that could be forged (numbers, counts, links,
//! headings of the fixed shape) is written here.

pub mod assemble;
pub mod check;
pub mod confidence;
pub mod draft;
pub mod escape;
pub mod facts;
pub mod json;
pub mod markdown;
pub mod parse;
mod sentence;

pub use assemble::{CheckedReport, OnUnverified, assemble, assemble_shortfall};
pub use draft::{Draft, Shortfall};
pub use facts::RunFacts;
