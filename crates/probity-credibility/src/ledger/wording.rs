//! The texts that people write into the ledger: bounded, and free of control characters.

use std::borrow::Cow;
use std::fmt;

use probity_core::{limits, printable};
use serde::Serialize;

/// Why a text cannot go into the ledger.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WordingError {
    /// Nothing but white space.
    #[error("the {0} is empty")]
    Empty(&'static str),
    /// More than a person would write there.
    #[error("the {what} is {chars} characters long; at most {max} are accepted")]
    TooLong {
        /// Which text.
        what: &'static str,
        /// How long it is.
        chars: usize,
        /// How long it may be.
        max: usize,
    },
    /// Characters that move the cursor, break the line or reverse the reading order.
    #[error("the {0} has control characters; write it as one plain line")]
    Control(&'static str),
}

fn check(what: &'static str, text: &str, max: usize) -> Result<String, WordingError> {
    let text = text.trim_matches(' ');
    if matches!(printable::line(text), Cow::Owned(_)) {
        return Err(WordingError::Control(what));
    }
    let chars = text.chars().count();
    if chars > max {
        return Err(WordingError::TooLong { what, chars, max });
    }
    if text.chars().all(char::is_whitespace) {
        return Err(WordingError::Empty(what));
    }
    Ok(text.to_owned())
}

/// A name of a person, an outlet or a source of figures: one plain line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Name(String);

impl Name {
    /// Takes a text as a name.
    ///
    /// # Errors
    /// When it is empty, longer than [`limits::NAME_CHARS`] or holds control characters.
    pub fn new(text: &str) -> Result<Self, WordingError> {
        check("name", text, limits::NAME_CHARS).map(Self)
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What an editor has to say about a change: one plain line.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Note(String);

impl Note {
    /// Takes a text as a note.
    ///
    /// # Errors
    /// When it is empty, longer than [`limits::NOTE_CHARS`] or holds control characters.
    pub fn new(text: &str) -> Result<Self, WordingError> {
        check("note", text, limits::NOTE_CHARS).map(Self)
    }

    /// The note as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Who makes a change, and what they say about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// Who.
    pub by: Name,
    /// What they say about it.
    pub note: Option<Note>,
}

impl Signature {
    /// Signs a change. An empty note is no note.
    ///
    /// # Errors
    /// As [`Name::new`] and [`Note::new`].
    pub fn new(by: &str, note: Option<&str>) -> Result<Self, WordingError> {
        let note = note.filter(|text| !text.trim_matches(' ').is_empty());
        Ok(Self { by: Name::new(by)?, note: note.map(Note::new).transpose()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_refused() {
        for text in ["a\u{1b}[31m", "a\nb", "a\tb", "nul\0", "\u{202e}rev", "\n", "a\u{7f}"] {
            assert_eq!(Name::new(text), Err(WordingError::Control("name")), "{text:?}");
            assert_eq!(Note::new(text), Err(WordingError::Control("note")), "{text:?}");
        }
    }

    #[test]
    fn length_counts_characters_and_emptiness_counts_too() {
        assert!(Name::new(&"é".repeat(limits::NAME_CHARS)).is_ok());
        assert_eq!(
            Name::new(&"é".repeat(limits::NAME_CHARS + 1)).unwrap_err().to_string(),
            "the name is 201 characters long; at most 200 are accepted"
        );
        assert_eq!(Name::new("  "), Err(WordingError::Empty("name")));
        assert_eq!(Signature::new("Ada", Some(" ")).unwrap().note, None);
        assert_eq!(Name::new(" Ada Lovelace ").unwrap().as_str(), "Ada Lovelace");
    }
}
