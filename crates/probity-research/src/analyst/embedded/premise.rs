//! Whether the sources deny what a question takes for granted.

use probity_reader::{Stop, Stopped};

use probity_text::lexical::{Query, Text};

use super::answer::{Answered, Choice};
use super::question::Part;
use super::read::CachedReader;
use super::retrieve::Library;
use super::stated;
use super::usage::Usage;

/// From here on a sentence denies it, as a probability.
const DENIES: f64 = 0.9;
/// From here on another one may state it, and from the second on it does.
const MAY_STATE: f64 = 0.5;
const STATES: f64 = 0.8;
/// A sentence with fewer of the claim's words speaks of something else, whatever the reader makes of it.
const COVERED: f64 = 0.6;
/// How many of the best sentences are read.
const SENTENCES: usize = 6;

/// What a question takes for granted.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Premise {
    /// No sentence settles it.
    Open,
    /// A sentence states it, or the question takes nothing for granted that can be said.
    Stated,
    /// The best sentence that denies it, and what that is.
    Denied(Choice, String),
}

impl Premise {
    /// The sentence that denies it, and what it denies.
    pub(super) fn denied(&self) -> Option<(&Choice, &str)> {
        match self {
            Self::Denied(choice, claim) => Some((choice, claim)),
            Self::Open | Self::Stated => None,
        }
    }
}

/// Whether the sources state or deny what a question takes for granted. A yes-no question takes nothing for granted:
/// its denial is an answer.
///
/// # Errors
/// When it is told to stop.
pub(super) fn premise(
    part: &Part,
    answered: &Answered,
    library: &Library<'_>,
    usage: &Usage,
    reading: &CachedReader,
    stop: &Stop,
) -> Result<Premise, Stopped> {
    let Some(claim) = &stated::premise(&part.text, usage) else { return Ok(Premise::Stated) };
    let near: Vec<&Choice> = answered.choices.iter().take(SENTENCES).collect();
    let texts: Vec<&str> =
        near.iter().map(|choice| library.slice(choice.source, &choice.sentence)).collect();
    let read = reading.reader().entails(claim, &texts, stop)?;
    let bodies: Vec<Text<'_>> = texts.iter().map(|body| Text { lead: "", body }).collect();
    let words = Query::new(claim).measure(&bodies);
    let all = || near.iter().zip(read.iter().zip(&words));
    let denies = all()
        .filter(|(_, (one, words))| one.contradicted >= DENIES && words.covered >= COVERED)
        .max_by(|a, b| a.1.1.covered.total_cmp(&b.1.1.covered));
    // What one sentence denies and another, as near to it, states is a disputed premise, not a false one.
    let may_be_stated = |covered: f64| {
        all().any(|(_, (one, words))| one.supported >= MAY_STATE && words.covered >= covered)
    };
    let denies = denies.filter(|(_, (_, words))| !may_be_stated(words.covered));
    if let Some((choice, _)) = denies {
        // A sentence that denies it by itself may say something else in its passage.
        let passages: Vec<&str> =
            near.iter().map(|choice| library.slice(choice.source, &choice.passage)).collect();
        let read = reading.reader().entails(claim, &passages, stop)?;
        let own = near.iter().zip(&read).find(|(one, _)| *one == choice);
        let is_denied = own.is_some_and(|(_, one)| one.contradicted >= MAY_STATE);
        if is_denied && read.iter().all(|one| one.supported < MAY_STATE) {
            return Ok(Premise::Denied((*choice).clone(), claim.clone()));
        }
    }
    let is_stated = read.iter().any(|one| one.supported >= STATES);
    Ok(if is_stated { Premise::Stated } else { Premise::Open })
}
