//! Proof that a log is whole and that today's scores follow from it, event by event.
//!
//! The verifier holds one small state per outlet and twelve bytes per event, so a log of millions
//! of events streams through it. It stops at the first thing that is wrong.

mod replay;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use serde::Serialize;

use self::replay::Replay;
use super::{CodeName, EventRecord, Fault, Flaw, Head, WeighedCode, Weight, encode};

/// An outlet's row as the store claims it.
#[derive(Debug, Clone, PartialEq)]
pub struct OutletRow {
    /// The domain.
    pub domain: String,
    /// The name.
    pub name: Option<String>,
    /// Today's score.
    pub score: f64,
    /// The score it was seeded with; none for an outlet that came later.
    pub seeded: Option<f64>,
    /// Its last event.
    pub last_event: Option<i64>,
}

/// A head of the log that was noted down earlier, written `SEQ:HASH`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor(Head);

/// Why a text is not an anchor.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a ledger head (expected SEQ:HASH, as `probity outlets verify` prints it)")]
pub struct AnchorError(String);

impl std::str::FromStr for Anchor {
    type Err = AnchorError;

    fn from_str(text: &str) -> Result<Self, AnchorError> {
        let refuse = || AnchorError(text.chars().take(80).collect());
        let (seq, hash) = text.trim().split_once(':').ok_or_else(refuse)?;
        let seq = seq.parse().ok().filter(|seq| *seq >= 0).ok_or_else(refuse)?;
        let is_hash = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        let hash = Some(hash.to_ascii_lowercase()).filter(|_| is_hash).ok_or_else(refuse)?;
        Ok(Self(Head { seq, hash }))
    }
}

/// A ledger that was proved whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sound {
    /// How many events the log has.
    pub events: i64,
    /// How many outlets have a row.
    pub outlets: usize,
    /// The end of the log: note it down to prove later that nothing before it was rewritten.
    pub head: Head,
}

/// Walks a log from its seeds to today's scores.
#[derive(Debug, Clone)]
pub struct Verifier {
    head: Head,
    replay: Replay,
    codebook: Option<HashMap<CodeName, Vec<Weight>>>,
    anchor: Option<Anchor>,
}

impl Default for Verifier {
    fn default() -> Self {
        Self::new()
    }
}

impl Verifier {
    /// Begins at the seeds.
    pub fn new() -> Self {
        Self { head: Head::genesis(), replay: Replay::from_seeds(), codebook: None, anchor: None }
    }

    /// Also checks that every code was used with a weight that it had at some time.
    #[must_use]
    pub fn with_codebook(mut self, history: impl IntoIterator<Item = (CodeName, Weight)>) -> Self {
        let codebook = self.codebook.get_or_insert_default();
        for (code, weight) in history {
            codebook.entry(code).or_default().push(weight);
        }
        self
    }

    /// Also checks that the log continues the one that was noted down.
    #[must_use]
    pub fn with_anchor(mut self, anchor: Option<Anchor>) -> Self {
        self.anchor = anchor;
        self
    }

    /// The number that the next event must have.
    pub fn expected(&self) -> i64 {
        self.head.seq + 1
    }

    /// Takes the next event of the log, in order of their numbers.
    ///
    /// # Errors
    /// With the first event that is wrong: this one, a missing one, or the one before it.
    pub fn event(&mut self, record: &EventRecord) -> Result<(), Fault> {
        let seq = self.expected();
        if record.seq != seq {
            return Err(Fault::in_event(seq, Flaw::Missing));
        }
        if encode::event_hash(record) != record.hash {
            return Err(Fault::in_event(seq, Flaw::Changed));
        }
        if record.previous != self.head.hash {
            return Err(self.broken_link(record));
        }
        if let Some(Anchor(noted)) = &self.anchor
            && noted.seq == seq
            && noted.hash != record.hash
        {
            return Err(Fault::in_event(seq, Flaw::Anchor));
        }
        self.check_codes(record)?;
        self.replay.event(record).map_err(|why| Fault::in_event(seq, Flaw::Impossible { why }))?;
        self.head = Head { seq, hash: record.hash.clone() };
        Ok(())
    }

    /// This event is whole, so what it says about the one before it is what was once true.
    fn broken_link(&self, record: &EventRecord) -> Fault {
        if self.head.seq > 0 {
            return Fault::in_event(self.head.seq, Flaw::Replaced);
        }
        let why = "it does not begin at the seeds of this ledger".to_owned();
        Fault::in_event(record.seq, Flaw::Impossible { why })
    }

    fn check_codes(&self, record: &EventRecord) -> Result<(), Fault> {
        let Some(codebook) = &self.codebook else { return Ok(()) };
        let is_known = |used: &WeighedCode| {
            codebook.get(&used.code).is_some_and(|weights| weights.contains(&used.weight))
        };
        record.codes.iter().find(|used| !is_known(used)).map_or(Ok(()), |used| {
            let (code, weight) = (used.code.to_string(), used.weight.get());
            Err(Fault::in_event(record.seq, Flaw::Code { code, weight }))
        })
    }

    /// Closes the proof: the head record, and every outlet's row, follow from the events.
    ///
    /// # Errors
    /// With the first thing that is wrong: an event that is gone from the end of the log, or a
    /// row that was edited, added or removed.
    pub fn finish(
        self,
        head: &Head,
        rows: impl IntoIterator<Item = OutletRow>,
    ) -> Result<Sound, Fault> {
        self.check_head(head)?;
        let outlets = self.replay.check_rows(rows)?;
        Ok(Sound { events: self.head.seq, outlets, head: self.head })
    }

    fn check_head(&self, stored: &Head) -> Result<(), Fault> {
        let longest = self.anchor.as_ref().map_or(stored.seq, |noted| noted.0.seq.max(stored.seq));
        if longest > self.head.seq {
            return Err(Fault::in_event(self.expected(), Flaw::Missing));
        }
        if let Some(Anchor(noted)) = &self.anchor
            && noted.seq == 0
            && *noted != Head::genesis()
        {
            return Err(Fault::in_event(1, Flaw::Anchor));
        }
        if stored.seq < self.head.seq {
            let why = format!("the log should end at event {}", stored.seq);
            return Err(Fault::in_event(stored.seq.max(0) + 1, Flaw::Head { why }));
        }
        if stored.hash != self.head.hash {
            let why = "it has another hash".to_owned();
            return Err(Fault::in_event(self.head.seq, Flaw::Head { why }));
        }
        Ok(())
    }
}
