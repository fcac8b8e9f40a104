//! Words, stems, sentences, embeddings and relevance. Pure: no input or output.

pub mod language;
pub mod stopwords;
pub mod words;

pub use language::Language;
