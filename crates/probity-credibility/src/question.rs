//! A question that can be answered: neither too short nor too long, and about something.

use std::fmt;

use probity_core::count::counted;
use probity_core::limits::{QUESTION_MAX_CHARS, QUESTION_MIN_CHARS};
use serde::{Deserialize, Serialize};

use crate::relevance::QuestionWords;

/// Why a text is no question that can be researched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QuestionError {
    /// Too few characters.
    #[error("the question has {}; at least {QUESTION_MIN_CHARS} are needed", counted(*.0, "character", "characters"))]
    TooShort(usize),
    /// Too many characters.
    #[error("the question has {0} characters; at most {QUESTION_MAX_CHARS} are accepted")]
    TooLong(usize),
    /// Nothing but words such as "what", "is" and "the".
    #[error("the question names nothing to look for: every word in it is a filler word")]
    NoContent,
}

/// A question, trimmed, with at least one content word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Question(String);

impl Question {
    /// Takes a text as a question.
    ///
    /// ```
    /// use probity_credibility::Question;
    ///
    /// assert!(Question::new("  How loud may music be?  ").is_ok());
    /// assert!(Question::new("What is it?").is_err());
    /// ```
    ///
    /// # Errors
    /// When it is too short, too long, or has no content word.
    pub fn new(text: &str) -> Result<Self, QuestionError> {
        let text = text.trim();
        match text.chars().count() {
            n if n < QUESTION_MIN_CHARS => Err(QuestionError::TooShort(n)),
            n if n > QUESTION_MAX_CHARS => Err(QuestionError::TooLong(n)),
            _ if QuestionWords::new(text).is_empty() => Err(QuestionError::NoContent),
            _ => Ok(Self(text.to_owned())),
        }
    }

    /// The question as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Question {
    type Error = QuestionError;

    fn try_from(text: String) -> Result<Self, QuestionError> {
        Self::new(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_counted_in_characters_after_trimming() {
        assert_eq!(Question::new("  "), Err(QuestionError::TooShort(0)));
        assert_eq!(Question::new(" éé "), Err(QuestionError::TooShort(2)));
        let one = Question::new("é").unwrap_err().to_string();
        assert_eq!(one, "the question has 1 character; at least 3 are needed");
        assert!(Question::new("éta").is_ok());
        assert!(Question::new(&"é".repeat(2_000)).is_ok());
        assert_eq!(Question::new(&"é".repeat(2_001)), Err(QuestionError::TooLong(2_001)));
    }

    #[test]
    fn a_question_of_filler_words_asks_nothing() {
        assert_eq!(Question::new("What is the and of it?"), Err(QuestionError::NoContent));
        assert_eq!(Question::new("?!?!"), Err(QuestionError::NoContent));
    }
}
