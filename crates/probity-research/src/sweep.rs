//! What other thresholds would have decided, from what a run already knows.
//!
//! A higher threshold of credibility or relevance can be answered exactly: it only takes sources
//! away. A lower threshold of credibility would have read pages that were blocked; it is not known
//! what they say, so they are counted apart.

use probity_core::{Decision, Mode, ModeSettings, Relevance, Verdict};
use serde::{Deserialize, Serialize};

use crate::gather::Origin;
use crate::live_gatherer::origin_of;
use crate::stage::gate::{Tally, decide, stands_alone, survives};

/// What a sweep needs to know of a candidate.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Known {
    /// Its credibility.
    pub credibility: KnownScore,
    /// How well it answers the question, if it was read.
    pub relevance: Option<Relevance>,
    /// Its outcome.
    pub verdict: Verdict,
    /// Who found it; documents that the user provided are never blocked.
    #[serde(default)]
    pub providers: Vec<String>,
}

impl Known {
    /// Whether its score would have let it be read.
    fn passes(&self, threshold: f64) -> bool {
        origin_of(&self.providers) != Origin::Web || self.credibility.score > threshold + 1e-9
    }
}

/// What would have become of a candidate; nothing where it would have been read and never was.
pub fn verdict_with(known: &Known, cutoff: u8, threshold: f64) -> Option<Verdict> {
    if !known.passes(threshold) {
        // What no one would have come to is not blocked by anyone's decision.
        return Some(if known.verdict == Verdict::Unused {
            Verdict::Unused
        } else {
            Verdict::Blocked
        });
    }
    match (&known.relevance, known.verdict) {
        (Some(relevance), _) if survives(relevance, cutoff) => Some(Verdict::Read),
        (Some(_), _) => Some(Verdict::Dropped),
        (None, Verdict::Blocked) => None,
        (None, verdict) => Some(verdict),
    }
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
    /// How many pages would have been read that were blocked, so that their content is not known.
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
    let passes = |known: &&Known| known.passes(threshold);
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
        let providers = vec!["brave".to_owned()];
        Known { credibility: KnownScore { score }, relevance, verdict, providers }
    }

    #[test]
    fn documents_of_the_users_own_are_never_blocked() {
        let own = Known { providers: vec!["library".to_owned()], ..known(0.2, Some(4)) };
        let numbers = Modes::default().quick;
        let swept = decide_with(std::slice::from_ref(&own), true, Mode::Quick, &numbers, 3, 0.5);
        assert_eq!((swept.judged, swept.kept), (1, 1));
        assert_eq!(verdict_with(&own, 3, 0.9), Some(Verdict::Read));
        assert_eq!(verdict_with(&own, 5, 0.9), Some(Verdict::Dropped));
    }

    #[test]
    fn each_candidate_is_judged_again_as_far_as_it_is_known() {
        assert_eq!(verdict_with(&known(0.6, Some(3)), 3, 0.5), Some(Verdict::Read));
        assert_eq!(verdict_with(&known(0.6, Some(3)), 4, 0.5), Some(Verdict::Dropped));
        assert_eq!(verdict_with(&known(0.6, Some(3)), 3, 0.6), Some(Verdict::Blocked));
        assert_eq!(verdict_with(&known(0.4, None), 3, 0.5), Some(Verdict::Blocked));
        assert_eq!(verdict_with(&known(0.4, None), 3, 0.3), None);
        let failed = Known { verdict: Verdict::Failed, ..known(0.7, None) };
        assert_eq!(verdict_with(&failed, 3, 0.5), Some(Verdict::Failed));
        assert_eq!(verdict_with(&failed, 3, 0.8), Some(Verdict::Blocked));
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
