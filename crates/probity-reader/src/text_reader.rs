//! Who reads: the trained reader that comes with the program, another one from a file, or words alone.

use std::path::Path;
use std::sync::Arc;

use probity_text::lexical::Query;

use crate::answer::{Passage, PassageAnswer};
use crate::entail::Entailment;
use crate::lexical;
use crate::reader::{Reader, ReaderError};
use crate::stop::{Stop, Stopped};

/// Reads questions and claims beside passages, whichever way it does so.
#[derive(Clone, Default)]
pub enum TextReader {
    /// The reader in the program, loaded when something is read; words alone where the program has none.
    #[default]
    Embedded,
    /// A reader from a file.
    File(Arc<Reader>),
    /// Words alone.
    Lexical,
}

impl std::fmt::Debug for TextReader {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            TextReader::Embedded => "embedded",
            TextReader::File(reader) => reader.name(),
            TextReader::Lexical => Self::LEXICAL,
        })
    }
}

impl TextReader {
    /// What reads by words alone is called.
    pub const LEXICAL: &'static str = "words";

    /// The reader of a setting: `embedded`, `none` for words alone, or the path of a weights file.
    ///
    /// # Errors
    /// When the file cannot be read as weights.
    pub fn open(setting: &str) -> Result<Self, ReaderError> {
        match setting {
            "" | "embedded" => Ok(Self::Embedded),
            "none" => Ok(Self::Lexical),
            path => Ok(Self::File(Arc::new(Reader::from_file(Path::new(path))?))),
        }
    }

    /// The trained reader, if there is one.
    fn trained(&self) -> Option<&Reader> {
        match self {
            TextReader::Embedded => Reader::embedded().ok(),
            TextReader::File(reader) => Some(reader),
            TextReader::Lexical => None,
        }
    }

    /// Whether a trained model reads.
    pub fn is_trained(&self) -> bool {
        self.trained().is_some()
    }

    /// The name of the weights, or [`TextReader::LEXICAL`].
    pub fn name(&self) -> &str {
        self.trained().map_or(Self::LEXICAL, Reader::name)
    }

    /// Reads a question against passages.
    ///
    /// # Errors
    /// When it is stopped.
    pub fn answers(
        &self,
        question: &str,
        passages: &[Passage<'_>],
        stop: &Stop,
    ) -> Result<Vec<PassageAnswer>, Stopped> {
        // Nothing to read must not load the weights.
        if passages.is_empty() {
            return Ok(Vec::new());
        }
        if let Some(reader) = self.trained() {
            return reader.answers(question, passages, stop);
        }
        let query = Query::new(question);
        let read = |passage: &Passage<'_>| {
            stop.check()?;
            Ok(lexical::answer(&query, passage))
        };
        passages.iter().map(read).collect()
    }

    /// Reads a claim against passages.
    ///
    /// # Errors
    /// When it is stopped.
    pub fn entails(
        &self,
        claim: &str,
        passages: &[&str],
        stop: &Stop,
    ) -> Result<Vec<Entailment>, Stopped> {
        let pairs: Vec<(&str, &str)> = passages.iter().map(|passage| (claim, *passage)).collect();
        self.entails_pairs(&pairs, stop)
    }

    /// Reads pairs of a claim and a passage.
    ///
    /// # Errors
    /// When it is stopped.
    pub fn entails_pairs(
        &self,
        pairs: &[(&str, &str)],
        stop: &Stop,
    ) -> Result<Vec<Entailment>, Stopped> {
        if pairs.is_empty() {
            return Ok(Vec::new());
        }
        if let Some(reader) = self.trained() {
            return reader.entails_pairs(pairs, stop);
        }
        let read = |(claim, passage): &(&str, &str)| {
            stop.check()?;
            Ok(lexical::entailment(claim, passage))
        };
        pairs.iter().map(read).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_alone_prefer_the_passage_that_has_them() {
        let sentences = vec![std::ops::Range { start: 0, end: 26 }];
        let passage = |text| Passage { lead: "", text, sentences: &sentences };
        let read = TextReader::Lexical
            .answers(
                "When does the harbour open?",
                &[passage("The harbour opens at nine."), passage("Oysters are in season now.")],
                &Stop::never(),
            )
            .unwrap();
        assert!(read[0].answerable > 0.0 && read[1].answerable < 0.0, "{read:?}");
        assert_eq!(read[0].span.map(|span| span.end), Some(26));
    }

    #[test]
    fn words_alone_never_contradict() {
        let stop = Stop::never();
        let read = TextReader::Lexical.entails(
            "The harbour is open.",
            &["The harbour is not open."],
            &stop,
        );
        assert_eq!(read.unwrap()[0].contradicted, 0.0);
    }

    #[test]
    fn a_file_that_is_no_reader_is_refused_and_nothing_to_read_loads_nothing() {
        assert!(TextReader::open("/nowhere/reader.safetensors").is_err());
        assert!(TextReader::open("none").is_ok_and(|reader| reader.name() == TextReader::LEXICAL));
        assert_eq!(TextReader::default().answers("q", &[], &Stop::never()), Ok(Vec::new()));
    }
}
