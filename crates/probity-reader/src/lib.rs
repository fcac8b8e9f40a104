//! The trained reader: a question or a claim beside a passage → scores and spans. Pure.
//!
//! question, passage → pieces and marks (`encode`) → layers (`network`) → answerable, topic, span
//! of the answer (`answer`), or supported, not enough, contradicted (`entail`)
//!
//! ```
//! # #[cfg(feature = "embedded")] {
//! use probity_reader::{Passage, Reader, Stop};
//!
//! let reader = Reader::embedded().unwrap();
//! let text = "The ferry takes 40 minutes in summer and an hour in winter.";
//! let passage = Passage { lead: "", text, sentences: &[] };
//! let question = "How long does the ferry take?";
//! let answers = reader.answers(question, &[passage], &Stop::never()).unwrap();
//! assert!(answers[0].answerable > 0.0);
//! # }
//! ```

mod answer;
mod encode;
mod entail;
mod lexical;
mod mark;
mod network;
#[cfg(test)]
#[cfg(feature = "embedded")]
mod parity;
mod permit;
mod reader;
mod round;
mod stop;
mod text_reader;
mod weights;

pub use answer::{Passage, PassageAnswer, SpanScore};
pub use entail::Entailment;
pub use reader::{Reader, ReaderError};
pub use stop::{Stop, Stopped, Stopper};
pub use text_reader::TextReader;
pub use weights::WeightsError;
