//! Draft → citation check → report in every format. Pure: no input or output.
//!
//! ```text
//! Draft + RunFacts + texts → pairs → (a reader reads them) → assemble (check every claim, number the sources) → CheckedReport → any format
//! ```
//!
//! An analyst, whether a model or not, never writes the document. It hands in a [`draft::Draft`]
//! whose claims point at source ids; everything that could be forged (numbers, counts, links,
//! headings of the fixed shape) is written here.

mod appendix;
mod arrange;
pub mod assemble;
pub mod bibtex;
mod chart;
pub mod check;
pub mod compare;
pub mod confidence;
mod credit;
pub mod docx;
pub mod draft;
pub mod escape;
pub mod facts;
pub mod format;
pub mod html;
mod infer;
pub mod json;
pub mod markdown;
mod methodology;
pub mod novelty;
pub mod parse;
#[cfg(feature = "pdf")]
pub mod pdf;
pub mod phrases;
mod reference;
pub mod restore;
pub mod ris;
mod sentence;
mod settle;
mod waterfall;
mod wording;

pub use assemble::{CheckedReport, OnUnverified, assemble, assemble_shortfall};
pub use draft::{Draft, Shortfall};
pub use facts::RunFacts;
pub use format::{Choices, Format, Rendered, render};
pub use restore::restore;
