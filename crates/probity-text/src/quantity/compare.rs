//! Does the known quantity confirm the claimed one?

use crate::date_mention::Agreement;

use super::{Amount, Match, Quantity, Unit};

/// Values that differ by less than this share are the same number.
const SAME: f64 = 1e-6;
/// A number is near an estimate within this share …
const ESTIMATE: f64 = 0.06;
/// … and a limit, which often is a round number well below or above, near a number within this one.
const LIMIT: f64 = 0.5;
/// Slack between two units of one dimension, since people round after converting.
const CONVERTED: f64 = 0.02;
/// Shares spelled as fractions are kept loosely: a third is 33 or 33.3 per cent.
const SHARE_POINTS: f64 = 0.7;
const MONTH_SECONDS: f64 = 30.44 * 86_400.0;

pub(super) fn compare(claimed: &Quantity, known: &Quantity) -> Match {
    match (claimed.amount, known.amount) {
        (Amount::Number(mine), Amount::Number(theirs)) => numbers(claimed, mine, known, theirs),
        (Amount::Clock(mine), Amount::Clock(theirs)) => yes(mine.agrees(&theirs)),
        (Amount::Date(mine), Amount::Date(theirs)) => match mine.against(&theirs) {
            Agreement::Same => Match::Confirmed,
            Agreement::Different if !claimed.bounded => Match::Different,
            _ => Match::Near,
        },
        // A bare year may be read as a number on one side only.
        (Amount::Date(date), Amount::Number(value))
        | (Amount::Number(value), Amount::Date(date)) => {
            yes(date.is_year() && date.year.is_some_and(|year| f64::from(year) == value))
        }
        (Amount::Clock(_), _) | (_, Amount::Clock(_)) => Match::Different,
    }
}

fn yes(same: bool) -> Match {
    if same { Match::Confirmed } else { Match::Different }
}

/// Compares two values, each in the base unit of its quantity.
fn numbers(claimed: &Quantity, mine: f64, known: &Quantity, theirs: f64) -> Match {
    let Some((factor, slack)) = common_unit(claimed, known) else { return Match::Different };
    let theirs = theirs * factor;
    let near = |share: f64| (mine - theirs).abs() <= share * mine.abs().max(theirs.abs());
    let thirds = claimed.unit == Unit::Percent
        && is_third(mine.max(theirs))
        && (mine - theirs).abs() <= SHARE_POINTS;
    if near(slack) || thirds {
        Match::Confirmed
    } else if claimed.bounded && near(LIMIT)
        || known.bounded && near(ESTIMATE)
        || is_rounding(mine, theirs)
    {
        Match::Near
    } else {
        Match::Different
    }
}

/// What takes the known value to the claimed unit, and the slack that conversion leaves.
fn common_unit(claimed: &Quantity, known: &Quantity) -> Option<(f64, f64)> {
    match (claimed.unit, known.unit) {
        (mine, theirs) if mine == theirs => {
            let ratio = claimed.scale.max(known.scale) / claimed.scale.min(known.scale);
            // Metres and kilometres convert without rounding, miles and kilometres do not.
            let exact = (ratio - ratio.round()).abs() < 1e-9;
            Some((1.0, if exact { SAME } else { CONVERTED }))
        }
        (Unit::Measure("month"), Unit::Measure("second")) => Some((1.0 / MONTH_SECONDS, CONVERTED)),
        (Unit::Measure("second"), Unit::Measure("month")) => Some((MONTH_SECONDS, CONVERTED)),
        // "400 for two hours" may leave the currency to the sentence before, "31" the years.
        (Unit::Money(_) | Unit::Percent, Unit::Count) | (Unit::Count, Unit::Money(_)) => {
            Some((1.0, SAME))
        }
        (Unit::Measure(_), Unit::Count) => Some((claimed.scale, SAME)),
        (Unit::Count, Unit::Measure("month")) => Some((1.0 / known.scale, SAME)),
        _ => None,
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
