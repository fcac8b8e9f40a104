//! The codes that editors may apply, and what each says about reliability.

use std::collections::BTreeMap;
use std::fmt;

use probity_core::printable;
use serde::Serialize;

/// The longest name of a code, in characters.
const CODE_NAME_CHARS: usize = 64;
/// The largest weight, in either direction.
const WEIGHT_MAX: i32 = 100;

/// What is wrong with a code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CodebookError {
    /// Not the shape of a code's name.
    #[error(
        "`{0}` is not a code's name (expected lower-case letters, digits and single hyphens, \
         such as high-quality-source; at most {CODE_NAME_CHARS} characters)"
    )]
    Name(String),
    /// Not a weight.
    #[error(
        "a weight of {0} is not accepted: expected a whole number from -{WEIGHT_MAX} to {WEIGHT_MAX}"
    )]
    Weight(i64),
    /// The code is not in the codebook.
    #[error("the codebook has no code `{name}` (it has: {known})")]
    Unknown {
        /// The code that was asked for.
        name: CodeName,
        /// The codes in use, for the message.
        known: String,
    },
    /// The code was taken out of use.
    #[error("the code `{0}` is retired; it stays in the history but is not applied any more")]
    Retired(CodeName),
    /// A code of that name and weight is already in use.
    #[error("the codebook has the code `{0}` already, with that weight and description")]
    Unchanged(CodeName),
}

/// The name of a code: lower-case letters, digits and single hyphens.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct CodeName(String);

impl CodeName {
    /// Takes a text as a code's name.
    ///
    /// # Errors
    /// When it has another shape.
    pub fn new(text: &str) -> Result<Self, CodebookError> {
        let is_part = |part: &str| {
            !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        };
        if text.len() <= CODE_NAME_CHARS && text.split('-').all(is_part) {
            Ok(Self(text.to_owned()))
        } else {
            Err(CodebookError::Name(printable::brief(text, 80)))
        }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CodeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a code says about reliability: a whole number, so that sums are exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Weight(i32);

impl Weight {
    /// Takes a number as a weight.
    ///
    /// # Errors
    /// When it is not from -100 to 100.
    pub fn new(value: i64) -> Result<Self, CodebookError> {
        i32::try_from(value)
            .ok()
            .filter(|weight| (-WEIGHT_MAX..=WEIGHT_MAX).contains(weight))
            .map(Self)
            .ok_or(CodebookError::Weight(value))
    }

    /// The number.
    pub fn get(self) -> i32 {
        self.0
    }
}

/// One code as it is today.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Code {
    /// What editors call it.
    pub name: CodeName,
    /// What it says about reliability.
    pub weight: Weight,
    /// When to apply it.
    pub description: String,
    /// Whether it is no longer applied.
    pub retired: bool,
    /// How many times it was defined, changed or retired.
    pub revision: i64,
}

/// All codes as they stand today. Earlier weights live on in the events that used them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Codebook(BTreeMap<CodeName, Code>);

impl Codebook {
    /// A codebook of these codes; of two with the same name the later revision counts.
    pub fn new(codes: impl IntoIterator<Item = Code>) -> Self {
        let mut book = BTreeMap::new();
        for code in codes {
            match book.get(&code.name) {
                Some(Code { revision, .. }) if *revision > code.revision => {}
                _ => {
                    book.insert(code.name.clone(), code);
                }
            }
        }
        Self(book)
    }

    /// A code, retired or not.
    pub fn get(&self, name: &CodeName) -> Option<&Code> {
        self.0.get(name)
    }

    /// All codes by name, retired ones too.
    pub fn codes(&self) -> impl Iterator<Item = &Code> {
        self.0.values()
    }

    /// A code that may be applied.
    ///
    /// # Errors
    /// When there is none of that name, or it is retired.
    pub fn usable(&self, name: &CodeName) -> Result<&Code, CodebookError> {
        match self.0.get(name) {
            Some(code) if code.retired => Err(CodebookError::Retired(name.clone())),
            Some(code) => Ok(code),
            None => Err(CodebookError::Unknown { name: name.clone(), known: self.in_use() }),
        }
    }

    fn in_use(&self) -> String {
        let names: Vec<&str> =
            self.codes().filter(|code| !code.retired).map(|code| code.name.as_str()).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_slugs() {
        for text in ["high-quality-source", "a", "2nd-hand"] {
            assert!(CodeName::new(text).is_ok(), "{text}");
        }
        for text in ["", "-", "a--b", "A", "a b", "ä", "a=1", "a,b", &"x".repeat(65)] {
            assert!(CodeName::new(text).is_err(), "{text}");
        }
    }

    #[test]
    fn weights_are_whole_and_bounded() {
        assert_eq!(Weight::new(-100).map(Weight::get), Ok(-100));
        assert!(Weight::new(101).is_err());
        assert!(Weight::new(i64::MAX).is_err());
    }

    #[test]
    fn an_unknown_code_is_answered_with_the_known_ones() {
        let code = |name: &str, retired| Code {
            name: CodeName::new(name).unwrap(),
            weight: Weight::new(1).unwrap(),
            description: String::new(),
            retired,
            revision: 1,
        };
        let book = Codebook::new([code("on-record", false), code("old", true)]);
        let ask = |name: &str| book.usable(&CodeName::new(name).unwrap()).unwrap_err().to_string();
        assert_eq!(ask("nope"), "the codebook has no code `nope` (it has: on-record)");
        assert!(ask("old").contains("retired"));
    }
}
