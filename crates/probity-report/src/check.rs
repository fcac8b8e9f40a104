//! Does the cited source say what the sentence says?
//!
//! The rest of the crate relies on these names: [`SourceIndex::new`], [`SourceIndex::check`],
//! [`Check`], [`Passage`] and the order of [`Support`].

use serde::{Deserialize, Serialize};

/// Whether a source bears a claim out. Ordered: more support is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Support {
    /// It does not.
    Unsupported,
    /// It bears out a part, or something weaker.
    Partly,
    /// It does.
    Supported,
}

/// The passage of a source that a claim was held against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// Where it begins in the source, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Its text.
    pub text: String,
}

/// What checking one claim against one source found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// The verdict.
    pub support: Support,
    /// How well the claim is borne out, from 0 to 1.
    pub value: f64,
    /// The passage that comes closest.
    pub passage: Option<Passage>,
    /// What is missing or different.
    pub reasons: Vec<String>,
}

/// A source prepared for many checks.
pub struct SourceIndex<'a> {
    text: &'a str,
}

impl<'a> SourceIndex<'a> {
    /// Prepares a source.
    pub fn new(text: &'a str) -> Self {
        Self { text }
    }

    /// Holds a claim against the source.
    pub fn check(&self, claim: &str) -> Check {
        let claim = claim.trim().trim_end_matches('.');
        match self.text.find(claim) {
            Some(start) if !claim.is_empty() => Check {
                support: Support::Supported,
                value: 1.0,
                passage: Some(Passage { start, end: start + claim.len(), text: claim.to_owned() }),
                reasons: Vec::new(),
            },
            _ => Check {
                support: Support::Unsupported,
                value: 0.0,
                passage: None,
                reasons: vec!["The source does not say this.".to_owned()],
            },
        }
    }
}
