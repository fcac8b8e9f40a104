//! Values that are not numbers: reasons, steps, contrasts, people, places, permissions, meanings.

use super::{HINT, View};
use crate::quantity::{Amount, Quantity};
use crate::senses::Senses;

const CAUSES: &[&str] = &[
    "because",
    "due",
    "blame",
    "blamed",
    "blames",
    "cause",
    "causes",
    "caused",
    "causing",
    "led",
    "leads",
    "reason",
    "reasons",
    "owing",
    "result",
    "resulted",
    "results",
    "resulting",
    "attributed",
    "driven",
    "stems",
    "stemmed",
    "explains",
    "explained",
    "prompted",
    "triggered",
    "therefore",
    "consequently",
    "hence",
    "thanks",
    "responsible",
    "contributed",
];
const WEAK_CAUSES: &[&str] =
    &["after", "since", "over", "so", "following", "as", "amid", "forced", "when", "from", "for"];
const CONTRASTS: &[&str] = &[
    "whereas",
    "while",
    "but",
    "unlike",
    "than",
    "instead",
    "however",
    "contrast",
    "rather",
    "differ",
    "differs",
    "differed",
    "different",
    "difference",
    "differences",
    "opposite",
    "although",
    "though",
    "contrary",
    "conversely",
    "distinct",
    "distinguished",
    "compared",
    "only",
    "both",
    "former",
    "latter",
];
const PERMISSIONS: &[&str] = &[
    "may",
    "can",
    "cannot",
    "can't",
    "must",
    "mustn't",
    "allowed",
    "allow",
    "allows",
    "permitted",
    "permit",
    "permits",
    "forbidden",
    "forbids",
    "banned",
    "ban",
    "bans",
    "prohibited",
    "prohibits",
    "illegal",
    "legal",
    "lawful",
    "unlawful",
    "required",
    "requires",
    "free",
    "fine",
    "fined",
    "unless",
    "valid",
    "entitled",
    "eligible",
    "right",
    "only",
    "law",
    "rule",
    "rules",
    "should",
];
const COPULAS: &[&str] = &[
    "is",
    "are",
    "was",
    "were",
    "means",
    "mean",
    "refers",
    "describes",
    "denotes",
    "called",
    "known",
    "defined",
    "or",
    "when",
    "that",
];
const PREPOSITIONS: &[&str] = &[
    "in",
    "at",
    "near",
    "on",
    "from",
    "to",
    "outside",
    "behind",
    "above",
    "beside",
    "between",
    "opposite",
    "around",
    "across",
    "throughout",
    "within",
    "along",
    "into",
    "under",
    "inside",
    "beneath",
];

impl View<'_, '_> {
    fn either(&self, strong: &[&str], weak: &[&str]) -> f64 {
        if self.has(strong) {
            1.0
        } else if self.has(weak) {
            HINT
        } else {
            0.0
        }
    }

    pub(super) fn cause(&self) -> f64 {
        self.either(CAUSES, WEAK_CAUSES)
    }

    pub(super) fn contrast(&self) -> f64 {
        self.either(CONTRASTS, &["and"])
    }

    pub(super) fn permission(&self) -> f64 {
        if self.has(PERMISSIONS) { 1.0 } else { HINT }
    }

    /// Steps: a sentence or clause that opens with a verb in its base form, or tells by what means.
    pub(super) fn method(&self) -> f64 {
        let is_verb =
            |word: &super::Word| Senses::of(self.lower(word)).is_plain_verb(self.lower(word));
        let opens = |word: &super::Word| {
            let before = self
                .text()
                .get(..word.start.saturating_sub(self.sentence.bytes.start))
                .unwrap_or_default()
                .trim_end();
            (before.is_empty() || before.ends_with([',', ':', ';'])) && is_verb(word)
        };
        let means = self.words.windows(2).any(|pair| match pair {
            [a, b] => match self.lower(a) {
                "by" => self.lower(b).ends_with("ing"),
                "you" | "must" | "should" | "can" | "to" => is_verb(b),
                _ => false,
            },
            _ => false,
        });
        if self.words.iter().any(opens) {
            1.0
        } else if means {
            0.7
        } else {
            0.2
        }
    }

    pub(super) fn person(&self) -> f64 {
        // "Tuesday" has a capital and is nobody.
        let dated = |one: &Quantity| matches!(one.amount, Amount::Date(_));
        let dates: Vec<_> = self.quantities().into_iter().filter(dated).collect();
        let is_time = |word: &super::Word| {
            let place = word.start.saturating_sub(self.sentence.bytes.start);
            dates.iter().any(|date| date.range.contains(&place))
        };
        let named = |word: &super::Word| word.capital && self.is_new(word) && !is_time(word);
        let named = self.words.iter().skip(1).any(named);
        // Two letters are no person, even where "pm" may be a prime minister.
        let person = |word: &super::Word| {
            let lower = self.lower(word);
            lower.len() > 2 && !is_time(word) && self.is_new(word) && Senses::of(lower).is_person()
        };
        if named || self.words.iter().any(person) { 1.0 } else { HINT }
    }

    pub(super) fn place(&self) -> f64 {
        let is_place = |word: &super::Word| {
            self.is_new(word) && (word.capital || Senses::of(self.lower(word)).is_place())
        };
        let placed = self.words.iter().enumerate().any(|(at, word)| {
            PREPOSITIONS.contains(&self.lower(word))
                && self.words.iter().skip(at + 1).take(3).any(is_place)
        });
        if placed { 1.0 } else { 0.8 * HINT }
    }

    pub(super) fn definition(&self) -> f64 {
        let exact = |word: &super::Word| {
            self.values
                .reading
                .form(word)
                .is_some_and(|form| form.affinity.iter().any(|value| *value >= 1.0))
        };
        let term = self.words.iter().position(exact);
        let copula = self.words.iter().position(|word| COPULAS.contains(&self.lower(word)));
        match (term, copula) {
            (Some(term), Some(copula))
                if copula > term && copula <= term + 8 || term < 4 && copula + 4 > term =>
            {
                1.0
            }
            (Some(_), Some(_)) => 0.7,
            _ => 0.4,
        }
    }
}
