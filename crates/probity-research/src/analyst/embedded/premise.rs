//! Whether the sources deny what a question takes for granted.

use probity_reader::{Stop, Stopped};

use probity_text::lexical::{Query, Text};

use super::answer::{Answered, Choice};
use super::question::{Part, Wanted};
use super::read::CachedReader;
use super::retrieve::Library;

/// From here on a sentence denies it, as a probability.
const DENIES: f64 = 0.9;
/// A sentence with fewer of the claim's words speaks of something else, whatever the reader makes of it.
const COVERED: f64 = 0.5;
/// How many of the best sentences are read.
const SENTENCES: usize = 3;

/// The best sentence that denies what a question takes for granted. A yes-no question takes nothing for granted:
/// its denial is an answer.
///
/// # Errors
/// When it is told to stop.
pub(super) fn denied(
    part: &Part,
    answered: &Answered,
    library: &Library<'_>,
    reading: &CachedReader,
    stop: &Stop,
) -> Result<Option<Choice>, Stopped> {
    let Some(claim) = part.claim.as_ref().filter(|_| part.wanted != Wanted::Truth) else {
        return Ok(None);
    };
    let near: Vec<&Choice> = answered.choices.iter().take(SENTENCES).collect();
    let texts: Vec<&str> =
        near.iter().map(|choice| library.slice(choice.source, &choice.sentence)).collect();
    let read = reading.reader().entails(claim, &texts, stop)?;
    // What one sentence denies and another states is a disputed premise, not a false one.
    if read.iter().any(|one| one.supported >= 1.0 - DENIES) {
        return Ok(None);
    }
    let bodies: Vec<Text<'_>> = texts.iter().map(|body| Text { lead: "", body }).collect();
    let words = Query::new(claim).measure(&bodies);
    let denies = near
        .iter()
        .zip(read.iter().zip(&words))
        .find(|(_, (one, words))| one.contradicted >= DENIES && words.covered >= COVERED);
    Ok(denies.map(|(choice, _)| (*choice).clone()))
}
