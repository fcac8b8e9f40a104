//! What a comparison found, and how much it weighs.

/// In which way a claim and its passage differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Another number.
    Number,
    /// A number that the passage does not give.
    NumberAdded,
    /// A number claimed more exactly than it is known.
    NumberNear,
    /// A number that belongs to something else.
    Binding,
    /// Two sides have changed places.
    Exchanged,
    /// Said of somebody else.
    Stranger,
    /// A modifier or title of something else.
    Attribute,
    /// A comparison the other way round.
    Comparison,
    /// A word and its opposite.
    Opposite,
    /// Affirmed here, denied there.
    Denied,
    /// Affirmed here, denied there, as far as other wording lets it be told.
    DeniedLoosely,
    /// Before for after.
    Order,
    /// A word in the place of another.
    Replaced,
    /// A hedge dropped.
    Hedge,
    /// A condition or a limit dropped.
    Limit,
    /// Required, advised, allowed.
    Duty,
    /// All for some.
    Quantifier,
    /// A cause where there was only company.
    Cause,
    /// Another rank.
    Rank,
    /// A phrase of which there is no trace.
    Added,
}

impl Kind {
    /// Whether the passage says something else, rather than less.
    pub(super) fn contradicts(self) -> bool {
        use Kind::{
            Attribute, Binding, Comparison, Denied, DeniedLoosely, Exchanged, Number, Opposite,
            Order, Rank, Replaced, Stranger,
        };
        matches!(
            self,
            Number
                | Binding
                | Exchanged
                | Stranger
                | Attribute
                | Comparison
                | Opposite
                | Denied
                | DeniedLoosely
                | Order
                | Replaced
                | Rank
        )
    }
}

/// One thing that a claim and its passage differ in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    pub kind: Kind,
    /// What a reader is told.
    pub text: String,
}

impl Finding {
    pub(super) fn new(kind: Kind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }
}
