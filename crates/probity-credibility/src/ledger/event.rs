//! Ledger events: what is appended, what is read back, and the state between two of them.

use probity_core::{Outlet, Timestamp};
use serde::Serialize;

use super::{CodeName, Credibility, Name, Subject, Weight, encode, seed};

/// Why a score changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// A coding moved it.
    Nudge,
    /// A person set it.
    Set,
    /// It came in with a list from elsewhere.
    Import,
    /// An earlier event was undone.
    Revert,
}

impl EventKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Nudge, Self::Set, Self::Import, Self::Revert];

    /// The kind as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Nudge => "nudge",
            Self::Set => "set",
            Self::Import => "import",
            Self::Revert => "revert",
        }
    }

    /// The kind that a stored text names.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// A code that was applied, with the weight it had then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WeighedCode {
    /// The code.
    pub code: CodeName,
    /// Its weight at the time.
    pub weight: Weight,
}

impl WeighedCode {
    /// The sum of the weights.
    pub fn sum(codes: &[Self]) -> i64 {
        codes.iter().map(|code| i64::from(code.weight.get())).sum()
    }

    /// The codes as one text: `name=weight` with commas between, as they are stored and hashed.
    pub fn to_text(codes: &[Self]) -> String {
        let parts: Vec<String> =
            codes.iter().map(|code| format!("{}={}", code.code, code.weight.get())).collect();
        parts.join(",")
    }

    /// Reads what [`WeighedCode::to_text`] wrote, and nothing else.
    pub fn parse_text(text: &str) -> Option<Vec<Self>> {
        if text.is_empty() {
            return Some(Vec::new());
        }
        let codes = text
            .split(',')
            .map(|part| {
                let (code, weight) = part.split_once('=')?;
                let weight = Weight::new(weight.parse().ok()?).ok()?;
                Some(Self { code: CodeName::new(code).ok()?, weight })
            })
            .collect::<Option<Vec<_>>>()?;
        (Self::to_text(&codes) == text).then_some(codes)
    }
}

/// One line of the log as it is stored. It claims; only a [`Verifier`](super::Verifier) proves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EventRecord {
    /// The place in the log, from 1, without gaps.
    pub seq: i64,
    /// When it happened.
    pub at: Timestamp,
    /// Why the score changed.
    pub kind: EventKind,
    /// Whose score.
    pub outlet: Outlet,
    /// The outlet's name from now on, where the event gives one.
    pub name: Option<String>,
    /// The score before.
    pub before: f64,
    /// The score after.
    pub after: f64,
    /// The step of a nudge.
    pub alpha: Option<f64>,
    /// The target of a nudge; none when its weights cancelled out.
    pub target: Option<f64>,
    /// The codes of a nudge, by name.
    pub codes: Vec<WeighedCode>,
    /// What was coded.
    pub subject: Subject,
    /// Who did it.
    pub by: String,
    /// What they said about it.
    pub note: Option<String>,
    /// Where an imported score comes from.
    pub provenance: Option<String>,
    /// The event that a revert undoes.
    pub reverts: Option<i64>,
    /// The hash of the event before, or of the seeds for the first.
    pub previous: String,
    /// The SHA-256 of all of the above, as lower-case hexadecimal.
    pub hash: String,
}

/// An event that follows from where an outlet stood: the only thing the store appends.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct LedgerEvent(EventRecord);

impl LedgerEvent {
    /// Closes a record into the chain: sets its place, the hash before it and its own.
    pub(super) fn seal(mut record: EventRecord, head: &Head) -> Self {
        record.seq = head.seq + 1;
        record.previous.clone_from(&head.hash);
        record.hash = encode::event_hash(&record);
        Self(record)
    }

    /// The event as it is stored.
    pub fn record(&self) -> &EventRecord {
        &self.0
    }

    /// The event as it is stored, taken out.
    pub fn into_record(self) -> EventRecord {
        self.0
    }

    /// The head of the log once this event is appended.
    pub fn head(&self) -> Head {
        Head { seq: self.0.seq, hash: self.0.hash.clone() }
    }
}

/// The end of the log: how many events there are, and the hash of the last one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Head {
    /// The number of the last event; 0 for an empty log.
    pub seq: i64,
    /// The hash of the last event; that of the seeds for an empty log.
    pub hash: String,
}

impl Head {
    /// The head of an empty log.
    pub fn genesis() -> Self {
        Self { seq: 0, hash: seed::genesis().to_owned() }
    }
}

/// The state of an outlet before an event.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The outlet.
    pub outlet: Outlet,
    /// Its score.
    pub score: Credibility,
    /// Its name, where one is known.
    pub name: Option<Name>,
    /// Whether the ledger has a row for it.
    pub known: bool,
}

impl Standing {
    /// An outlet that the ledger has never seen.
    pub fn unknown(outlet: Outlet) -> Self {
        Self { outlet, score: Credibility::NEUTRAL, name: None, known: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_survive_storage_and_nothing_else_is_read() {
        let text = "high-quality-source=1,source-unreliable=-1";
        let codes = WeighedCode::parse_text(text).unwrap();
        assert_eq!(WeighedCode::sum(&codes), 0);
        assert_eq!(WeighedCode::to_text(&codes), text);
        for text in ["a", "a=", "a=+1", "a=01", "a=1,", "a= 1", "A=1", "a=1,b=1000"] {
            assert_eq!(WeighedCode::parse_text(text), None, "{text}");
        }
    }
}
