//! What a verification can find wrong, and where.

use std::fmt;

use serde::Serialize;

/// What is wrong.
#[derive(Debug, Clone, PartialEq, thiserror::Error, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Flaw {
    /// A stored value is not of the kind that belongs there.
    #[error("cannot be read: {why}")]
    Unreadable {
        /// What is there instead.
        why: String,
    },
    /// A place in the log is empty.
    #[error("is missing from the log")]
    Missing,
    /// An event does not match its own hash.
    #[error("does not match its hash: it was changed after it was written")]
    Changed,
    /// An event is whole but is not the one that its successor was chained to.
    #[error("is not the event that the next one was chained to: it was replaced")]
    Replaced,
    /// An event says something that cannot have followed from the events before it.
    #[error("does not follow from the events before it: {why}")]
    Impossible {
        /// Which rule it breaks.
        why: String,
    },
    /// An event used a code with a weight that the codebook never gave it.
    #[error("used the code {code} with the weight {weight}, which the codebook never had")]
    Code {
        /// The code.
        code: String,
        /// The weight it was used with.
        weight: i32,
    },
    /// The head record and the log disagree.
    #[error("is not what the ledger's head record says: {why}")]
    Head {
        /// How they disagree.
        why: String,
    },
    /// The log is not a continuation of the one that was noted down.
    #[error("is not the event that was noted down: the history before it was rewritten")]
    Anchor,
    /// The outlet's row says one thing and its events another.
    #[error("its row says {column} {stored}, its events lead to {replayed}")]
    Row {
        /// Which part of the row.
        column: &'static str,
        /// What the row says.
        stored: String,
        /// What follows from seeds and events.
        replayed: String,
    },
    /// An outlet has a row that nothing in the log accounts for.
    #[error("it has a row, but no seed and no event")]
    ExtraRow,
    /// An outlet's row is gone.
    #[error("its row is missing")]
    MissingRow,
}

/// The first thing that a verification found wrong.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fault {
    /// The first bad event; for an outlet's row, the last event that the row should reflect.
    pub event: Option<i64>,
    /// The outlet, where the flaw is in its row.
    pub outlet: Option<String>,
    /// What is wrong.
    #[serde(flatten)]
    pub flaw: Flaw,
}

impl Fault {
    /// A flaw in the log.
    pub fn in_event(seq: i64, flaw: Flaw) -> Self {
        Self { event: Some(seq), outlet: None, flaw }
    }

    /// A flaw in an outlet's row, whose last event is `last`.
    pub fn in_row(outlet: impl Into<String>, last: Option<i64>, flaw: Flaw) -> Self {
        Self { event: last, outlet: Some(outlet.into()), flaw }
    }
}

impl std::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.outlet, self.event) {
            (Some(outlet), Some(last)) => write!(f, "outlet {outlet} (last event {last}): ")?,
            (Some(outlet), None) => write!(f, "outlet {outlet}: ")?,
            (None, Some(seq)) => write!(f, "event {seq} ")?,
            (None, None) => {}
        }
        self.flaw.fmt(f)
    }
}
