//! What one document may cost: bytes unpacked and operators executed, in one account, until the
//! caller gives up.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The most bytes that all parts of one document are unpacked to.
pub(crate) const UNPACKED_BYTES: u64 = 192 * 1024 * 1024;
/// The most bytes that one part of a document is unpacked to: it is in memory as a whole.
pub(crate) const PART_BYTES: u64 = 24 * 1024 * 1024;
/// The most operators of one document that show text or nest.
pub(crate) const OPERATORS: u64 = 4_000_000;
/// The most text that is made of one document that is not text itself.
pub(crate) const TEXT_BYTES: u64 = 8 * 1024 * 1024;

/// Tells a reader that its caller has gone.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks the reader to stop.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the reader was asked to stop.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Why no more is read of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spent {
    /// It unpacks to more than is read.
    Bytes,
    /// It has more operators than are executed.
    Operators,
    /// It has more text than is kept.
    Text,
    /// It has more pages, or what counts as such, than are read.
    Pages,
    /// A table of it has more rows or columns than are read.
    Table,
    /// It has more elements than are read, or they are nested deeper.
    Elements,
    /// It took longer than it may.
    Time,
    /// Its caller has gone.
    Stopped,
}

impl Spent {
    /// Whether only a part is missing, and what follows it is read.
    fn is_partial(self) -> bool {
        matches!(self, Spent::Table | Spent::Elements)
    }

    /// The limit, in the words of the notice.
    pub(crate) fn why(self) -> String {
        let mib = |bytes: u64| bytes / (1024 * 1024);
        match self {
            Spent::Bytes => format!(
                "it unpacks to more than {} MB, or {} MB in one part",
                mib(UNPACKED_BYTES),
                mib(PART_BYTES)
            ),
            Spent::Operators => {
                format!(
                    "a page of it shows too many pieces of text, or all of them over {OPERATORS}"
                )
            }
            Spent::Text => format!("it has more than {} MB of text", mib(TEXT_BYTES)),
            Spent::Pages => {
                "it has more pages, sheets, messages or attachments than are read".to_owned()
            }
            Spent::Table => "a table of it has more rows or columns than are read".to_owned(),
            Spent::Elements => "it has more elements than are read, or deeper ones".to_owned(),
            Spent::Time => "it took too long to read".to_owned(),
            Spent::Stopped => "its caller has gone".to_owned(),
        }
    }
}

/// The account of one document. What is taken from it is never returned, so the work is bounded
/// whatever the document repeats.
#[derive(Debug)]
pub(crate) struct Budget {
    bytes: Cell<u64>,
    operators: Cell<u64>,
    text: Cell<u64>,
    spent: Cell<Option<Spent>>,
    stop: Stop,
    began: Instant,
}

impl Budget {
    /// A full account.
    pub(crate) fn new(stop: Stop) -> Self {
        Self {
            bytes: Cell::new(UNPACKED_BYTES),
            operators: Cell::new(OPERATORS),
            text: Cell::new(TEXT_BYTES),
            spent: Cell::new(None),
            stop,
            began: Instant::now(),
        }
    }

    /// When reading ends that may take so long, counted from when the document was begun: what is
    /// attached to it has no time of its own.
    pub(crate) fn deadline(&self, time: Duration) -> Option<Instant> {
        self.began.checked_add(time)
    }

    /// How many bytes the next part may unpack to.
    pub(crate) fn part_bytes(&self) -> u64 {
        self.bytes.get().min(PART_BYTES)
    }

    /// Pays for unpacked bytes.
    pub(crate) fn take_bytes(&self, count: u64) -> Result<(), Spent> {
        self.take(&self.bytes, count, Spent::Bytes)
    }

    /// Pays for operators.
    pub(crate) fn take_operators(&self, count: u64) -> Result<(), Spent> {
        self.take(&self.operators, count, Spent::Operators)
    }

    /// Pays for text.
    pub(crate) fn take_text(&self, count: usize) -> Result<(), Spent> {
        self.take(&self.text, count as u64, Spent::Text)
    }

    /// Whether the reader was asked to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_set()
    }

    /// Notes why the document is not read to its end, or a part of it is not; the first reason stays.
    pub(crate) fn cut(&self, why: Spent) -> Spent {
        if self.spent.get().is_none_or(Spent::is_partial) {
            self.spent.set(Some(why));
        }
        why
    }

    /// Why the document was not read to its end, if it was not.
    pub(crate) fn cut_short(&self) -> Option<Spent> {
        self.spent.get()
    }

    /// Whether no more is read.
    pub(crate) fn is_over(&self) -> bool {
        self.is_stopped() || self.spent.get().is_some_and(|why| !why.is_partial())
    }

    fn take(&self, account: &Cell<u64>, count: u64, why: Spent) -> Result<(), Spent> {
        if self.is_stopped() {
            return Err(self.cut(Spent::Stopped));
        }
        match account.get().checked_sub(count) {
            Some(left) => {
                account.set(left);
                Ok(())
            }
            None => Err(self.cut(why)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_taken_is_gone_and_the_first_reason_stays() {
        let budget = Budget::new(Stop::default());
        assert_eq!(budget.take_bytes(UNPACKED_BYTES - 1), Ok(()));
        assert_eq!(budget.part_bytes(), 1);
        assert_eq!(budget.take_bytes(2), Err(Spent::Bytes));
        assert_eq!(budget.take_operators(OPERATORS + 1), Err(Spent::Operators));
        assert_eq!(budget.cut_short(), Some(Spent::Bytes));
    }

    #[test]
    fn what_is_missing_in_the_middle_does_not_hide_that_the_end_is() {
        let budget = Budget::new(Stop::default());
        budget.cut(Spent::Table);
        assert!(!budget.is_over());
        assert_eq!(budget.cut_short(), Some(Spent::Table));
        budget.cut(Spent::Time);
        budget.cut(Spent::Elements);
        assert!(budget.is_over());
        assert_eq!(budget.cut_short(), Some(Spent::Time));
    }

    #[test]
    fn nothing_is_paid_for_once_the_caller_has_gone() {
        let stop = Stop::default();
        let budget = Budget::new(stop.clone());
        assert_eq!(budget.take_bytes(1), Ok(()));
        stop.set();
        assert_eq!(budget.take_bytes(1), Err(Spent::Stopped));
    }
}
