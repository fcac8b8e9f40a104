//! Words, stems, sentences, embeddings and relevance. Pure: no input or output.

pub mod clause;
pub mod date_mention;
pub mod embed;
pub mod family;
pub mod hedge;
pub mod language;
pub mod lemma;
pub mod lex;
pub mod lexicon;
pub mod negation;
pub mod quantity;
pub mod question;
pub mod relevance;
pub mod senses;
pub mod sentences;
pub mod standalone;
pub mod stopwords;
pub mod tag;
pub mod words;

pub use language::Language;
