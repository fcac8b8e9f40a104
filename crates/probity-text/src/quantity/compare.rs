//! Does the known quantity confirm the claimed one?

use crate::date_mention::{Agreement, DateMention};

use super::{Amount, Bound, Dimension, Match, Quantity, Unit};

/// Values that differ by less than this share are the same number.
const SAME: f64 = 1e-6;
/// An estimate is confirmed within this share of the known value.
const ESTIMATE: f64 = 0.06;
/// Rounded away from what is known by no more than this share: near, but claimed too exactly.
const ROUNDED: f64 = 0.05;
/// Slack between two units of one dimension, since people round after converting.
const CONVERTED: f64 = 0.02;
/// Shares spelled as fractions are kept loosely: a third is 33 or 33.3 per cent.
const SHARE_POINTS: f64 = 0.7;

pub(super) fn compare(claimed: &Quantity, known: &Quantity) -> Match {
    match (claimed.amount, known.amount) {
        (Amount::Clock(mine), Amount::Clock(theirs)) => yes(mine.agrees(&theirs)),
        (Amount::Date(mine), Amount::Date(theirs)) => {
            let matched = dates(&mine, &theirs, claimed.bound);
            let bounded = matches!(known.bound, Bound::AtLeast | Bound::AtMost)
                && claimed.bound == Bound::Exactly;
            if bounded { matched.min(Match::Near) } else { matched }
        }
        (Amount::Ordinal(mine), Amount::Ordinal(theirs)) => yes(mine == theirs),
        // A bare year may be read as a number on one side only.
        (Amount::Date(date), Amount::Point { value, .. })
        | (Amount::Point { value, .. }, Amount::Date(date)) => {
            yes(date.is_year() && date.year.is_some_and(|year| f64::from(year) == value))
        }
        (Amount::Clock(_) | Amount::Date(_) | Amount::Ordinal(_), _)
        | (_, Amount::Clock(_) | Amount::Date(_) | Amount::Ordinal(_)) => Match::Different,
        _ => numbers(claimed, known),
    }
}

fn yes(same: bool) -> Match {
    if same { Match::Confirmed } else { Match::Different }
}

fn dates(mine: &DateMention, theirs: &DateMention, bound: Bound) -> Match {
    match mine.against(theirs) {
        Agreement::Same => Match::Confirmed,
        Agreement::Finer => Match::Near,
        Agreement::Different => {
            let close = bound == Bound::About
                && mine.is_year()
                && theirs.is_year()
                && mine.year.zip(theirs.year).is_some_and(|(a, b)| (a - b).abs() <= 3);
            yes(close)
        }
    }
}

/// Everything a quantity may stand for: its lower and upper end.
fn ends(quantity: &Quantity) -> (f64, f64) {
    let (low, high) = match quantity.amount {
        Amount::Point { value, .. } => (value, value),
        Amount::Range { low, high } | Amount::Vague { low, high } => (low, high),
        Amount::Change { from, to } => (from.min(to), from.max(to)),
        _ => (f64::NAN, f64::NAN),
    };
    match quantity.bound {
        Bound::AtLeast | Bound::MoreThan => (low, f64::INFINITY),
        Bound::AtMost | Bound::LessThan => (f64::NEG_INFINITY, high),
        Bound::Exactly | Bound::About => (low, high),
    }
}

fn numbers(claimed: &Quantity, known: &Quantity) -> Match {
    let Some((factor, slack)) = common_unit(claimed, known) else {
        return Match::Different;
    };
    if claimed.per.zip(known.per).is_some_and(|(mine, theirs)| mine != theirs) {
        return Match::Different;
    }
    let slack =
        if is_exact_conversion(claimed.scale, known.scale) { slack } else { slack.max(CONVERTED) };
    let plain = values(claimed, known, factor, slack);
    if plain == Match::Confirmed {
        return plain;
    }
    // "1.200" may be meant the other way on either side.
    let swapped = |quantity: &Quantity| match quantity.amount {
        Amount::Point { other: Some(other), .. } => Some(Quantity {
            amount: Amount::Point { value: other, other: None },
            ..quantity.clone()
        }),
        _ => None,
    };
    let same = |mine: &Quantity, theirs: &Quantity| {
        let (a, b) = (value_of(mine), value_of(theirs) * factor);
        mine.bound == theirs.bound && (a - b).abs() <= SAME * a.abs()
    };
    let either = swapped(claimed).is_some_and(|mine| same(&mine, known))
        || swapped(known).is_some_and(|theirs| same(claimed, &theirs));
    if either { Match::Confirmed } else { plain }
}

/// What takes the known value to the claimed unit, and the slack that conversion leaves.
fn common_unit(claimed: &Quantity, known: &Quantity) -> Option<(f64, f64)> {
    if claimed.unit == known.unit {
        return Some((1.0, SAME));
    }
    let plain = |quantity: &Quantity| {
        quantity.bound == Bound::Exactly && matches!(quantity.amount, Amount::Point { .. })
    };
    let bare = |quantity: &Quantity| {
        quantity.unit == Unit::Count && quantity.counts.is_none() && plain(claimed) && plain(known)
    };
    match (claimed.unit, known.unit) {
        (Unit::Measure(Dimension::Months), Unit::Measure(Dimension::Time)) => {
            Some((1.0 / (30.44 * 86_400.0), CONVERTED))
        }
        (Unit::Measure(Dimension::Time), Unit::Measure(Dimension::Months)) => {
            Some((30.44 * 86_400.0, CONVERTED))
        }
        // "400 for two hours" may leave the currency to the sentence before.
        (Unit::Money(_), Unit::Count) if bare(known) => Some((1.0, SAME)),
        (Unit::Count, Unit::Money(_)) if bare(claimed) => Some((1.0, SAME)),
        (Unit::Times, Unit::Count) | (Unit::Count, Unit::Times) => Some((1.0, SAME)),
        // "The union wants 7 percent; management has offered 4."
        (Unit::Percent | Unit::Points, Unit::Count) if bare(known) => Some((1.0, SAME)),
        (Unit::Measure(_), Unit::Count) if bare(known) => Some((claimed.scale, SAME)),
        // "a man of 31" and "31-year-old".
        (Unit::Count, Unit::Measure(Dimension::Months)) if bare(claimed) && known.scale == 12.0 => {
            Some((1.0 / 12.0, SAME))
        }
        _ => None,
    }
}

fn values(claimed: &Quantity, known: &Quantity, factor: f64, slack: f64) -> Match {
    let (low, high) = ends(claimed);
    let (from, to) = ends(known);
    let (from, to) = (from * factor, to * factor);
    let percent = claimed.unit == Unit::Percent;
    let near = |a: f64, b: f64, share: f64| {
        a == b || (a - b).abs() <= share * a.abs().max(b.abs()).min(f64::MAX)
    };
    let same = |a: f64, b: f64| {
        near(a, b, slack) || percent && (a - b).abs() <= SHARE_POINTS && is_third(a.max(b))
    };
    let point = low == high;
    if let (Amount::Change { from: a, to: b }, Amount::Change { from: c, to: d }) =
        (claimed.amount, known.amount)
    {
        return yes(same(a, c * factor) && same(b, d * factor));
    }
    if same(low, from) && same(high, to) {
        return estimate_kept(claimed, known);
    }
    // One limit does not follow from another: "at most 500" is not what "at most 350" says.
    if is_limit(claimed.bound) && is_limit(known.bound) {
        let down = |bound: Bound| matches!(bound, Bound::AtMost | Bound::LessThan);
        let equal = same(value_of(claimed), value_of(known) * factor);
        return yes(equal && down(claimed.bound) == down(known.bound));
    }
    let within = |share: f64| near(low, from, share) && near(high, to, share);
    match claimed.bound {
        Bound::About if point && from.is_finite() && to.is_finite() => {
            // "about 901" is no rounding of 900.
            if digits(low) > digits(from)
                && digits(low) > 1
                && claimed.scale == known.scale
                && !is_third(from)
            {
                return Match::Different;
            }
            let inside = low >= from * (1.0 - ESTIMATE) && high <= to * (1.0 + ESTIMATE);
            return if within(ESTIMATE) {
                Match::Confirmed
            } else if inside && from < to {
                Match::Near
            } else {
                Match::Different
            };
        }
        Bound::AtLeast => return yes(from >= low),
        Bound::MoreThan => return yes(from > low || from >= low && known.bound == Bound::MoreThan),
        Bound::AtMost => return yes(to <= high),
        Bound::LessThan => return yes(to < high || to <= high && known.bound == Bound::LessThan),
        _ => {}
    }
    if let Amount::Vague { low, high } = claimed.amount {
        return yes(from >= 2.0 * low && to < high || from == low);
    }
    if let (Amount::Change { from: a, to: b }, true) = (known.amount, point) {
        return yes(same(low, a * factor) || same(low, b * factor));
    }
    if let (Amount::Range { .. }, Amount::Range { .. }) = (claimed.amount, known.amount) {
        return Match::Different;
    }
    if !point && claimed.bound == Bound::Exactly {
        return yes(from >= low && to <= high && !matches!(claimed.amount, Amount::Change { .. }));
    }
    let bare = value_of(known) * factor;
    if same(low, bare) || near(low, bare, ROUNDED) && is_rounding(low, bare) {
        return Match::Near;
    }
    Match::Different
}

/// Whether two units convert without rounding: metres and kilometres do, miles and kilometres do not.
fn is_exact_conversion(a: f64, b: f64) -> bool {
    let ratio = a.max(b) / a.min(b);
    (ratio - ratio.round()).abs() < 1e-9
}

fn is_limit(bound: Bound) -> bool {
    matches!(bound, Bound::AtLeast | Bound::AtMost | Bound::MoreThan | Bound::LessThan)
}

fn value_of(quantity: &Quantity) -> f64 {
    match quantity.amount {
        Amount::Point { value, .. } => value,
        _ => f64::NAN,
    }
}

/// Both say the same number; an estimate repeated as a plain number is claimed too exactly.
fn estimate_kept(claimed: &Quantity, known: &Quantity) -> Match {
    match (claimed.bound, known.bound) {
        (Bound::Exactly, Bound::About) => Match::Near,
        _ => Match::Confirmed,
    }
}

/// Whether a percentage is a third or two thirds, give or take its rounding.
fn is_third(percent: f64) -> bool {
    (percent - 100.0 / 3.0).abs() < SHARE_POINTS || (percent - 200.0 / 3.0).abs() < SHARE_POINTS
}

/// Whether one number is the other with fewer digits: 1,200 for 1,243. Numbers of one or two digits
/// are not rounded unsaid: 40 is not 41.
fn is_rounding(claimed: f64, known: f64) -> bool {
    let (mine, theirs) = (digits(claimed), digits(known));
    let step = 10f64.powf(claimed.abs().log10().floor() + 1.0 - f64::from(mine));
    theirs >= 3
        && (2..theirs).contains(&mine)
        && (claimed - known).abs() <= step / 2.0 * (1.0 + SAME)
}

/// How many significant digits a number has.
fn digits(value: f64) -> u32 {
    let scientific = format!("{:.8e}", value.abs());
    let mantissa = scientific.split('e').next().unwrap_or_default();
    let significant = mantissa.trim_end_matches('0').bytes().filter(u8::is_ascii_digit).count();
    u32::try_from(significant).unwrap_or(u32::MAX)
}
