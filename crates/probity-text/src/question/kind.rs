//! The kinds of answer that questions ask for.

use serde::{Deserialize, Serialize};

/// The kind of answer that is asked for. It sets what a text must contain to be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// An amount of money: how much … cost, charge, pay.
    Price,
    /// A number of the asked things: how many.
    Count,
    /// A number with a unit: how far, how tall, what percentage.
    Measure,
    /// A span of time: how long.
    Duration,
    /// A rhythm: how often.
    Frequency,
    /// A point in time: when, what year.
    Date,
    /// A reason: why, what caused.
    Cause,
    /// Steps or means: how can I, how to.
    Method,
    /// What tells two things apart: difference, differ, compared with.
    Contrast,
    /// A person or a group: who.
    Person,
    /// A place: where.
    Place,
    /// What is allowed or required: may, is it legal.
    Permission,
    /// Anything else that is affirmed or denied: did, is, does.
    YesNo,
    /// What a word means: what is a, what is meant by.
    Definition,
    /// Members of a class: which, what kinds of.
    Which,
    /// Anything else.
    Open,
}

impl Kind {
    /// Whether an answer of this kind shows by a value that can be recognised: a sum, a date.
    pub fn is_typed(self) -> bool {
        !matches!(self, Kind::YesNo | Kind::Which | Kind::Open)
    }

    /// Whether it asks for an amount of something.
    pub fn is_amount(self) -> bool {
        use Kind::{Count, Duration, Frequency, Measure, Price};
        matches!(self, Price | Count | Measure | Duration | Frequency)
    }

    /// What sources do that hold no answer of this kind, if that can be told.
    pub fn lack(self) -> Option<&'static str> {
        match self {
            Kind::Price => Some("give no price"),
            Kind::Count => Some("give no number"),
            Kind::Measure => Some("give no figure"),
            Kind::Duration => Some("do not say how long"),
            Kind::Date => Some("give no date"),
            Kind::Person => Some("do not say who"),
            // A reason, a way or a meaning may be told without any word that shows it.
            _ => None,
        }
    }

    /// What an answer of this kind names.
    pub fn names(self) -> &'static str {
        match self {
            Kind::Price => "prices",
            Kind::Count => "a number",
            Kind::Measure => "a measure",
            Kind::Duration => "a length of time",
            Kind::Frequency => "how often",
            Kind::Date => "a date",
            Kind::Cause => "a reason",
            Kind::Method => "how it is done",
            Kind::Contrast => "a difference",
            Kind::Person => "who",
            Kind::Place => "a place",
            Kind::Permission => "what is allowed",
            Kind::YesNo => "whether it is so",
            Kind::Definition => "what it means",
            Kind::Which => "which ones",
            Kind::Open => "what is asked",
        }
    }
}

/// Whether the question is about what was or what will be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tense {
    /// It does not say.
    #[default]
    Any,
    /// Did, was.
    Past,
    /// Will.
    Future,
}
