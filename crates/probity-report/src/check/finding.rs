//! What a comparison found, and how much it weighs.

/// In which way a claim and its passage differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Another number.
    Number,
    /// Another number in a name: "line 5" for "line 4".
    Label,
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
    /// A filler in the place of another.
    Misplaced,
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
    /// How much it speaks against a claim, as log odds.
    pub(super) fn weight(self) -> f64 {
        match self {
            Kind::Duty | Kind::Rank => -5.2,
            Kind::Comparison | Kind::Order => -4.6,
            Kind::Exchanged | Kind::Attribute => -4.1,
            Kind::Stranger | Kind::Opposite | Kind::Replaced => -3.5,
            Kind::Binding | Kind::Hedge | Kind::Quantifier | Kind::Number | Kind::Label => -2.9,
            Kind::NumberNear | Kind::Misplaced | Kind::Denied | Kind::Limit => -2.5,
            Kind::DeniedLoosely | Kind::Cause => -2.0,
            Kind::Added => -1.4,
            Kind::NumberAdded => -0.8,
        }
    }

    /// Whether the passage says something else, rather than less.
    pub(super) fn contradicts(self) -> bool {
        use Kind::{
            Attribute, Binding, Comparison, Denied, DeniedLoosely, Exchanged, Label, Misplaced,
            Number, Opposite, Order, Rank, Replaced, Stranger,
        };
        matches!(
            self,
            Number
                | Label
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
                | Misplaced
                | Rank
        )
    }
}

impl Kind {
    /// Whether the passage speaks of the same thing and says otherwise. What is called by another number is
    /// another thing.
    pub(super) fn opposes(self) -> bool {
        self.contradicts() && self != Kind::Label
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
