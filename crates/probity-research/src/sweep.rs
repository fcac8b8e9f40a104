//! What other thresholds would have decided, from what a run already knows.
//!
//! A higher threshold of credibility or relevance can be answered exactly: it only takes sources
//! away. A lower threshold of credibility would have read pages that were blocked; nobody knows
//! what they say, so they are counted apart.

use probity_core::{Decision, Mode, ModeSettings, Relevance, Verdict};
use serde::{Deserialize, Serialize};

use crate::stage::gate::{Tally, decide, stands_alone, survives};

/// What a sweep needs to know of a candidate.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Known {
    /// Its credibility.
    pub credibility: KnownScore,
    /// How well it answers the question, if it was read.
    pub relevance: Option<Relevance>,
    /// What became of it.
    pub verdict: Verdict,
}

/// The score of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct KnownScore {
    /// The weighted sum.
    pub score: f64,
}

/// What one pair of thresholds would have decided.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// The relevance that a source needs to survive.
    pub cutoff: u8,
    /// The credibility that a page needs to exceed.
    pub threshold: f64,
    /// How many of the sources that were read would have been read.
    pub judged: usize,
    /// How many of them would have survived.
    pub kept: usize,
    /// How many pages would have been read that were blocked, so that nobody knows what they say.
    pub unknown: usize,
    /// The decision, as far as it can be known.
    pub decision: Decision,
}

/// Decides again with other thresholds.
pub fn decide_with(
    candidates: &[Known],
    own_documents: bool,
    mode: Mode,
    numbers: &ModeSettings,
    cutoff: u8,
    threshold: f64,
) -> Outcome {
    let passes = |known: &&Known| known.credibility.score > threshold + 1e-9;
    let read: Vec<&Known> =
        candidates.iter().filter(|known| known.relevance.is_some()).filter(passes).collect();
    let relevances = || read.iter().filter_map(|known| known.relevance.as_ref());
    let survivors: Vec<&Relevance> =
        relevances().filter(|relevance| survives(relevance, cutoff)).collect();
    let unscored = relevances().filter(|relevance| relevance.defaulted).count();
    let kept = survivors.len();
    let alone = own_documents && survivors.into_iter().any(stands_alone);
    let blocked = candidates.iter().filter(|known| known.verdict == Verdict::Blocked);
    let unknown = blocked.filter(passes).count();
    let numbers = ModeSettings { relevance_cutoff: cutoff, ..*numbers };
    let tally = Tally { judged: read.len(), kept, unscored, alone };
    let (decision, _) = decide(tally, mode, &numbers);
    Outcome { cutoff, threshold, judged: read.len(), kept, unknown, decision }
}

#[cfg(test)]
mod tests {
    use probity_core::Modes;

    use super::*;

    fn known(score: f64, relevance: Option<u8>) -> Known {
        let relevance =
            relevance.map(|score| Relevance { score, why: String::new(), defaulted: false });
        let verdict = if relevance.is_some() { Verdict::Read } else { Verdict::Blocked };
        Known { credibility: KnownScore { score }, relevance, verdict }
    }

    #[test]
    fn higher_thresholds_take_sources_away_and_lower_ones_admit_the_unknown() {
        let candidates = [
            known(0.9, Some(5)),
            known(0.8, Some(4)),
            known(0.7, Some(3)),
            known(0.6, Some(3)),
            known(0.4, None),
        ];
        let numbers = Modes::default().standard;
        let sweep = |cutoff, threshold| {
            decide_with(&candidates, false, Mode::Standard, &numbers, cutoff, threshold)
        };
        assert_eq!(sweep(3, 0.5).decision, Decision::FullReport);
        assert_eq!((sweep(4, 0.5).kept, sweep(4, 0.5).decision), (2, Decision::ShortReport));
        assert_eq!((sweep(3, 0.65).kept, sweep(3, 0.65).decision), (3, Decision::ShortReport));
        assert_eq!(sweep(3, 0.3).unknown, 1);
        assert_eq!(sweep(5, 0.85).decision, Decision::InsufficientData);
    }
}
