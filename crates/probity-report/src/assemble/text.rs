//! The text of a source, with what checks look up in it: made once, however many checks there are.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::check::SourceIndex;
use crate::settle::one_line;

/// The text of a source that was read. Clones share the text and what was made of it.
#[derive(Clone)]
pub struct SourceText(Arc<Shared>);

struct Shared {
    text: Arc<str>,
    index: OnceLock<SourceIndex>,
    line: OnceLock<String>,
}

impl SourceText {
    /// The text prepared for checks, by whoever asks first.
    pub fn index(&self) -> &SourceIndex {
        self.0.index.get_or_init(|| SourceIndex::new(Arc::clone(&self.0.text)))
    }

    /// The text on one line.
    pub(crate) fn line(&self) -> &str {
        self.0.line.get_or_init(|| one_line(&self.0.text))
    }
}

impl Deref for SourceText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0.text
    }
}

impl<T: Into<Arc<str>>> From<T> for SourceText {
    fn from(text: T) -> Self {
        let (index, line) = (OnceLock::new(), OnceLock::new());
        Self(Arc::new(Shared { text: text.into(), index, line }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_indexed_once_for_all_who_share_it() {
        let text = SourceText::from("The mill closed in 1850.");
        let other = text.clone();
        assert!(std::ptr::eq(text.index(), other.index()));
        assert!(other.index().says("The mill closed in 1850.").is_some());
    }
}
