//! Values that are numbers: counts, measures, spans of time, dates.

use std::ops::Range;

use super::{HINT, MEANT, View, Word};
use crate::quantity::{Amount, Dimension, Quantity, Unit, quantities};
use crate::question::{Kind, Role, Tense};

/// A number of other things than the asked ones.
const OTHER: f64 = 0.3;
/// A number that does not say of what.
const BARE: f64 = 0.6;
/// The asked class is counted from this affinity on.
const COUNTED: f64 = 0.35;

const SEASONS: &[&str] = &[
    "spring",
    "summer",
    "autumn",
    "winter",
    "midnight",
    "noon",
    "tomorrow",
    "yesterday",
    "today",
    "tonight",
    "christmas",
    "easter",
];
const FUTURE: &[&str] = &[
    "will", "shall", "next", "due", "plans", "planned", "expected", "upcoming", "deadline", "must",
    "until",
];
const PAST: &[&str] = &["was", "were", "had", "has", "have", "been"];
const SPANS: &[&str] =
    &["overnight", "immediately", "instantly", "forever", "permanently", "indefinitely"];
const RHYTHMS: &[&str] = &[
    "daily",
    "weekly",
    "monthly",
    "yearly",
    "annually",
    "annual",
    "hourly",
    "nightly",
    "fortnightly",
    "quarterly",
    "biennial",
    "biennially",
    "once",
    "twice",
    "regularly",
    "rarely",
    "seldom",
    "constantly",
];
const UNITS_OF_TIME: &[&str] = &[
    "second",
    "seconds",
    "minute",
    "minutes",
    "hour",
    "hours",
    "day",
    "days",
    "night",
    "nights",
    "week",
    "weeks",
    "month",
    "months",
    "year",
    "years",
    "decade",
    "decades",
    "century",
    "centuries",
    "season",
    "seasons",
];

/// Whether a quantity is a number and no date, time of day or place in an order.
pub(super) fn is_number(one: &Quantity) -> bool {
    !matches!(one.amount, Amount::Date(_) | Amount::Clock(_) | Amount::Ordinal(_))
}

/// Whether a quantity is a length of time.
fn is_span(one: &Quantity) -> bool {
    matches!(one.unit, Unit::Measure(Dimension::Time | Dimension::Months))
}

impl View<'_, '_> {
    pub(super) fn quantities(&self) -> Vec<Quantity> {
        quantities(self.text())
    }

    pub(super) fn count(&self) -> f64 {
        let found: Vec<Quantity> = self
            .quantities()
            .into_iter()
            .filter(|one| one.unit == Unit::Count && is_number(one))
            .collect();
        if found.iter().any(|one| self.counts_asked(one)) {
            1.0
        } else if found.iter().any(|one| one.counts.is_none()) {
            HINT
        } else if found.is_empty() {
            0.0
        } else {
            OTHER
        }
    }

    /// Whether what is counted is of the class that the question asks for.
    fn counts_asked(&self, one: &Quantity) -> bool {
        let start = self.sentence.bytes.start;
        let noun = one.counts.as_ref().map_or(0..0, |noun| start + noun.start..start + noun.end);
        self.words
            .iter()
            .filter(|word| noun.contains(&word.start))
            .any(|word| self.affinity(word, self.values.asked) >= COUNTED)
    }

    /// Whether the sentence speaks of the subject, or leaves it to the title or the sentence before.
    fn is_of_subject(&self) -> bool {
        const STANDING_IN: &[&str] = &["it", "its", "they", "their", "them", "there"];
        let named = |word: &Word| self.affinity(word, self.values.subject) >= MEANT;
        self.values.subject.is_none()
            || self.words.iter().any(named)
            || self.has(STANDING_IN) && self.is_carried()
    }

    /// The amounts and dates that are of the asked kind, by their places in the sentence.
    pub(super) fn amounts(&self) -> Vec<Range<usize>> {
        let fits = |one: &Quantity| match self.values.part.kind {
            Kind::Count => {
                one.unit == Unit::Count
                    && is_number(one)
                    && self.counts_asked(one)
                    && self.is_of_subject()
            }
            Kind::Measure => one.unit != Unit::Count && is_number(one),
            Kind::Duration => is_span(one),
            Kind::Date => matches!(one.amount, Amount::Date(date) if date.year.is_some()),
            _ => false,
        };
        let found = self.quantities().into_iter().filter(fits);
        found.map(|one| one.range).collect()
    }

    pub(super) fn measure(&self) -> f64 {
        let found = self.quantities();
        if found.iter().any(|one| one.unit != Unit::Count && is_number(one)) {
            1.0
        } else if found.iter().any(is_number) {
            BARE
        } else {
            0.0
        }
    }

    pub(super) fn duration(&self) -> f64 {
        let found = self.quantities();
        let spelled = self.words.windows(2).any(|pair| match pair {
            [a, b] => {
                matches!(self.lower(a), "a" | "an" | "several" | "few" | "many" | "half")
                    && UNITS_OF_TIME.contains(&self.lower(b))
            }
            _ => false,
        });
        // "How long is the bridge" may ask for metres; "how long does it take" may not.
        let lengths =
            self.values.part.terms.iter().filter(|term| term.role == Role::Kind).count() < 2;
        if found.iter().any(is_span) || spelled || self.has(SPANS) {
            1.0
        } else if lengths
            && found.iter().any(|one| matches!(one.unit, Unit::Measure(Dimension::Length)))
        {
            BARE
        } else {
            0.0
        }
    }

    pub(super) fn frequency(&self) -> f64 {
        let every = self.words.windows(3).any(|three| match three {
            [a, rest @ ..] => {
                matches!(self.lower(a), "every" | "each" | "per" | "a" | "an")
                    && rest.iter().any(|word| UNITS_OF_TIME.contains(&self.lower(word)))
            }
            _ => false,
        });
        if self.has(RHYTHMS)
            || every
            || self.has(&["every"]) && self.quantities().iter().any(is_number)
        {
            1.0
        } else if self.has(UNITS_OF_TIME) {
            OTHER
        } else {
            0.0
        }
    }

    /// Whether something is still to come: it will be, or is to be.
    fn is_planned(&self) -> bool {
        const PLANNED: &[&str] = &["will", "due", "expected", "planned", "plans", "upcoming"];
        let is_to = |pair: &[Word]| match pair {
            [a, b] => matches!(self.lower(a), "is" | "are") && self.lower(b) == "to",
            _ => false,
        };
        self.has(PLANNED) || self.words.windows(2).any(is_to)
    }

    /// Whether it is said that something did not happen, and not since when it did: "did not open in
    /// May", but "did not open until May".
    fn is_denied(&self) -> bool {
        const HELPERS: &[&str] =
            &["did", "was", "were", "has", "have", "had", "will", "does", "is"];
        const DENIED: &[&str] = &[
            "didn't", "wasn't", "weren't", "hasn't", "haven't", "hadn't", "won't", "doesn't",
            "isn't", "never",
        ];
        let denies = |pair: &[Word]| match pair {
            [a, b] => HELPERS.contains(&self.lower(a)) && self.lower(b) == "not",
            _ => false,
        };
        (self.has(DENIED) || self.words.windows(2).any(denies))
            && !self.has(&["until", "till", "before", "only"])
    }

    pub(super) fn date(&self) -> f64 {
        let found = self.quantities();
        let tense = self.values.part.tense;
        let spans = found.iter().any(is_span);
        let dated = found.iter().any(|one| matches!(one.amount, Amount::Date(_)));
        let value = if dated || self.has(SEASONS) || spans && self.has(&["ago"]) {
            1.0
        } else if found.iter().any(|one| matches!(one.amount, Amount::Clock(_))) {
            if tense == Tense::Any { BARE } else { OTHER }
        } else if spans {
            HINT
        } else {
            0.0
        };
        match tense {
            Tense::Future if !self.has(FUTURE) && self.has(PAST) => value * OTHER,
            Tense::Past if self.is_planned() || self.is_denied() => value * OTHER,
            _ => value,
        }
    }
}
