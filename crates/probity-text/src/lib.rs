//! Words, stems, sentences, passages, rows of tables, BM25, static vectors; numbers, units and dates. Pure: no input or output, and no
//! judgement of what a text means.

pub mod date_mention;
pub mod embed;
pub mod family;
pub mod glossary;
pub mod language;
pub mod lex;
pub mod lexical;
pub mod passages;
mod polish;
pub mod quantity;
pub mod sentences;
pub mod stopwords;
pub mod table_row;
pub mod tensors;
pub mod words;

pub use language::Language;
