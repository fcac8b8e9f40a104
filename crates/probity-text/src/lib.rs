//! Words, stems, sentences, embeddings and relevance. Pure: no input or output.

pub mod language;
pub mod words;

