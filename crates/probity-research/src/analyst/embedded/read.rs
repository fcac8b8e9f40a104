//! Passages → what the reader makes of them, each read once.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use probity_reader::{Passage, PassageAnswer, Stop, Stopped, TextReader};

use super::retrieve::{Found, Library};

/// Readings that are kept; a run has a few hundred.
const KEPT: usize = 4_096;

/// A reader that remembers what it read: the gate, the summaries and the answer look at the same passages.
pub struct CachedReader {
    reader: TextReader,
    known: Mutex<HashMap<u64, PassageAnswer>>,
}

impl CachedReader {
    /// Nothing read yet.
    pub fn new(reader: TextReader) -> Self {
        Self { reader, known: Mutex::default() }
    }

    /// Who reads.
    pub fn reader(&self) -> &TextReader {
        &self.reader
    }

    /// Reads a question against passages of a library, in their order.
    ///
    /// # Errors
    /// When it is told to stop.
    pub fn answers(
        &self,
        question: &str,
        library: &Library<'_>,
        found: &[Found],
        stop: &Stop,
    ) -> Result<Vec<PassageAnswer>, Stopped> {
        let texts: Vec<&str> =
            found.iter().map(|one| library.text(one.source, &one.passage)).collect();
        let keys: Vec<u64> = found
            .iter()
            .zip(&texts)
            .map(|(one, text)| key(question, &one.passage.lead, text))
            .collect();
        let missing: Vec<usize> = {
            let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            (0..keys.len())
                .filter(|at| keys.get(*at).is_none_or(|key| !known.contains_key(key)))
                .collect()
        };
        let inner: Vec<_> =
            missing.iter().filter_map(|at| found.get(*at)).map(|one| one.passage.inner()).collect();
        let passages: Vec<Passage<'_>> = missing
            .iter()
            .zip(&inner)
            .filter_map(|(at, sentences)| {
                let (lead, text) = (&found.get(*at)?.passage.lead, texts.get(*at)?);
                Some(Passage { lead, text, sentences })
            })
            .collect();
        let read = self.reader.answers(question, &passages, stop)?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() + read.len() > KEPT {
            known.clear();
        }
        let mut fresh: HashMap<usize, PassageAnswer> = missing.iter().copied().zip(read).collect();
        let answers = keys.iter().enumerate().map(|(at, key)| match fresh.remove(&at) {
            Some(answer) => {
                known.insert(*key, answer.clone());
                answer
            }
            None => known.get(key).cloned().unwrap_or_default(),
        });
        Ok(answers.collect())
    }
}

fn key(question: &str, lead: &str, text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (question, lead, text).hash(&mut hasher);
    hasher.finish()
}
