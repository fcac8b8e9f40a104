//! Footnotes and endnotes of a Word document, which are parts of their own.

use std::collections::HashMap;

use crate::extract::block::Block;

/// Which part notes come from; their numbers are counted in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// At the foot of the page.
    Foot,
    /// At the end of the document.
    End,
}

/// The notes that the text has not called yet, and those that wait for the end of their paragraph.
#[derive(Default)]
pub(super) struct Notes {
    uncalled: HashMap<(Kind, String), Vec<Block>>,
    called: Vec<Block>,
}

impl Notes {
    /// Keeps a note until the text calls it.
    pub(super) fn keep(&mut self, kind: Kind, id: String, blocks: Vec<Block>) {
        self.uncalled.insert((kind, id), blocks);
    }

    /// The text calls a note. A second call repeats nothing.
    pub(super) fn call(&mut self, kind: Kind, id: String) {
        self.called.extend(self.uncalled.remove(&(kind, id)).unwrap_or_default());
    }

    /// The notes that were called since the last time.
    pub(super) fn take_called(&mut self) -> Vec<Block> {
        std::mem::take(&mut self.called)
    }
}
