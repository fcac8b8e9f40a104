//! All that is known of an outlet beside its name: what the ledger says, what its pages showed, who cites it.

use serde::{Deserialize, Serialize};

use crate::ledger::Opinion;
use crate::signals::Signals;

/// What is known of an outlet. In an old run's journal a plain opinion is in its place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Saved")]
pub struct Known {
    /// What the ledger says of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opinion: Option<Opinion>,
    /// What a page of it showed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signals: Option<Signals>,
    /// How many credible outlets cite it.
    pub cited_by: u32,
}

impl Known {
    /// Whether nothing is known.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

impl From<Opinion> for Known {
    fn from(opinion: Opinion) -> Self {
        Self { opinion: Some(opinion), ..Self::default() }
    }
}

/// The same as a journal has it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Saved {
    Opinion(Opinion),
    Known {
        #[serde(default)]
        opinion: Option<Opinion>,
        #[serde(default)]
        signals: Option<Signals>,
        cited_by: u32,
    },
}

impl From<Saved> for Known {
    fn from(saved: Saved) -> Self {
        match saved {
            Saved::Opinion(opinion) => opinion.into(),
            Saved::Known { opinion, signals, cited_by } => Self { opinion, signals, cited_by },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_survives_being_written_and_an_old_opinion_is_read_as_one() {
        let signals = Some(Signals { corrections: true, ..Signals::default() });
        let coded = Known { opinion: Some(Opinion::Coded { moved: 0.25 }), signals, cited_by: 3 };
        for known in [coded, Known::default(), Opinion::Given(0.92).into()] {
            let text = serde_json::to_string(&known).unwrap();
            assert_eq!(serde_json::from_str::<Known>(&text).unwrap(), known, "{text}");
        }
        for (text, opinion) in
            [("0.92", Opinion::Given(0.92)), (r#"{"moved":0.25}"#, Opinion::Coded { moved: 0.25 })]
        {
            assert_eq!(serde_json::from_str::<Known>(text).unwrap(), opinion.into());
        }
    }
}
