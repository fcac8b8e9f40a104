//! When the rules behind a score changed, and how. A change of a rule or constant adds a line.

/// A rule or number that changed, and since when.
pub(super) struct Change {
    pub(super) day: &'static str,
    /// The sections of the page that it is about, by their anchors.
    pub(super) about: &'static [&'static str],
    pub(super) what: &'static str,
}

/// What changed about how scores come about, the newest first.
pub(super) const CHANGES: &[Change] = &[
    Change {
        day: "2026-11-16",
        about: &["credibility", "tiers", "ledger", "newsroom"],
        what: "Codings move an outlet from its tier and no longer replace it. Kinds, imitations and names \
               count for outlets that have no given score. Relevance is the better of the question's \
               share and the query's.",
    },
    Change {
        day: "2026-11-16",
        about: &["gate", "check", "confidence"],
        what: "A trained reader judges whether sources answer and whether they support what is cited, in \
               place of rules over words.",
    },
    Change {
        day: "2026-11-16",
        about: &["gate", "confidence"],
        what: "Where a language model cannot judge more than half of the sources, the embedded judge \
               scores all of them. A model proposes a confidence level under the computed ceiling.",
    },
    Change {
        day: "2026-11-15",
        about: &[
            "credibility",
            "tiers",
            "bands",
            "gate",
            "check",
            "confidence",
            "ledger",
            "seeds",
            "feeds",
            "newsroom",
        ],
        what: "The first published rules: tiers, weights, threshold, gate, bands and the step of a \
               coding as they stand above.",
    },
];

/// The day on which the rules of a section last changed.
pub(super) fn last_changed(about: &str) -> &'static str {
    let of = CHANGES.iter().filter(|change| change.about.contains(&about));
    of.map(|change| change.day).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_change_comes_first() {
        assert!(CHANGES.is_sorted_by(|a, b| a.day >= b.day));
        assert_eq!(last_changed("gate"), "2026-11-16");
        assert_eq!(last_changed("bands"), "2026-11-15");
    }
}
