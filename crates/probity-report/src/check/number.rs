//! Numbers, dates and times of a claim, held against those of what was read, exactly.

use std::borrow::Cow;

use probity_text::date_mention::DateMention;
use probity_text::quantity::{Amount, Match, Quantity, Unit, quantities};

/// A number that follows from two others may differ from them by this share: people round.
const RECKONED: f64 = 0.02;
/// The most numbers of a passage of which sums, differences and shares are tried.
const RECKONED_FROM: usize = 12;

/// What is wrong with a number of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wrong {
    /// What was read has another one of its kind.
    Other(String),
    /// What was read has none.
    Missing(String),
    /// What was read is less exact.
    Loose(String),
}

impl Wrong {
    /// What a reader of the report is told.
    pub(super) fn reason(&self) -> &str {
        match self {
            Wrong::Other(reason) | Wrong::Missing(reason) | Wrong::Loose(reason) => reason,
        }
    }
}

/// The numbers of a claim that what was read does not support; `nearest` is the sentence that comes
/// closest.
pub(super) fn wrong(claim: &str, read: &[String], nearest: &str) -> Vec<Wrong> {
    let mine: Vec<Quantity> =
        quantities(claim).into_iter().filter(|quantity| is_exact(quantity, claim)).collect();
    if mine.is_empty() {
        return Vec::new();
    }
    let known: Vec<(&str, Vec<Quantity>)> =
        read.iter().map(|text| (text.as_str(), quantities(text))).collect();
    mine.iter().filter_map(|claimed| judge(claimed, claim, &known, nearest)).collect()
}

fn judge(
    claimed: &Quantity,
    claim: &str,
    known: &[(&str, Vec<Quantity>)],
    nearest: &str,
) -> Option<Wrong> {
    let mine = claim.get(claimed.range.clone())?;
    let all = || known.iter().flat_map(|(text, found)| found.iter().map(move |one| (*text, one)));
    let written =
        known.iter().any(|(text, _)| stands_in(mine, text) || stands_in(mine, &rejoined(text)));
    let closest = all().map(|(text, one)| (claimed.against(one), text, one));
    let closest = closest.max_by_key(|(matched, _, _)| *matched);
    match closest {
        Some((Match::Confirmed, ..)) => return None,
        _ if is_dated(claimed, all().map(|(_, one)| one)) => return None,
        Some((Match::Near, text, one)) => {
            let theirs = text.get(one.range.clone()).unwrap_or_default();
            return Some(Wrong::Loose(format!(
                "the source says “{theirs}”, which is less exact than “{mine}”"
            )));
        }
        _ if written => return None,
        _ => {}
    }
    if known.iter().any(|(_, found)| is_reckoned(claimed, found)) {
        return None;
    }
    Some(match quantities(nearest).iter().find(|one| is_same_kind(claimed, one)) {
        Some(one) => {
            let theirs = nearest.get(one.range.clone()).unwrap_or_default();
            Wrong::Other(format!("the source says “{theirs}”, not “{mine}”"))
        }
        None => Wrong::Missing(format!("the source does not give “{mine}”")),
    })
}

/// Whether a number of a claim can be looked for: what is written in digits, measured or dated. "One", "first",
/// "dozens" and "last year" are ways of speaking.
fn is_exact(quantity: &Quantity, claim: &str) -> bool {
    let digits = claim
        .get(quantity.range.clone())
        .is_some_and(|text| text.chars().any(|c| c.is_ascii_digit()));
    match quantity.amount {
        Amount::Date(date) => date.relative.is_none() && (digits || date.month.is_some()),
        Amount::Clock(_) => true,
        Amount::Vague { .. } => false,
        Amount::Ordinal(_) => digits,
        Amount::Point { .. } | Amount::Range { .. } | Amount::Change { .. } => {
            digits || matches!(quantity.unit, Unit::Money(_) | Unit::Measure(_))
        }
    }
}

/// A text without blanks inside its numbers: what was set in columns or taken apart into words has "3, 800 km".
fn rejoined(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut before = [' '; 3];
    for c in text.chars() {
        if let ['0'..='9', '.' | ',', ' '] = before
            && c.is_ascii_digit()
        {
            joined.pop();
        }
        joined.push(c);
        before = [before[1], before[2], c];
    }
    joined
}

/// Whether a number stands in a text as it is written, and not inside another.
fn stands_in(number: &str, text: &str) -> bool {
    text.match_indices(number).any(|(at, _)| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text.get(at + number.len()..).unwrap_or_default();
        let goes_on = |c: char| c.is_alphanumeric();
        let fraction = after
            .strip_prefix(['.', ','])
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        !before.is_some_and(|c| goes_on(c) || matches!(c, '.' | ','))
            && !after.starts_with(goes_on)
            && !fraction
    })
}

/// Whether a date's year and its day are both given, if not in one place: "In 2025 … on 2 March".
fn is_dated<'q>(claimed: &Quantity, known: impl Iterator<Item = &'q Quantity>) -> bool {
    let Amount::Date(mine) = claimed.amount else { return false };
    let dates: Vec<DateMention> = known
        .filter_map(|one| match one.amount {
            Amount::Date(date) => Some(date),
            _ => None,
        })
        .collect();
    let year = mine.year.is_none_or(|year| {
        dates.iter().any(|date| {
            let until = date.until.or(date.year);
            date.year.is_some_and(|from| from <= year) && until.is_some_and(|until| year <= until)
        })
    });
    let day = mine.month.is_none()
        || dates
            .iter()
            .any(|date| date.month == mine.month && (mine.day.is_none() || date.day == mine.day));
    year && day && mine.until.is_none() && (mine.year.is_some() || mine.month.is_some())
}

/// Whether two numbers are of one kind, so that one in the place of the other is another statement.
fn is_same_kind(claimed: &Quantity, known: &Quantity) -> bool {
    match (claimed.amount, known.amount) {
        (Amount::Date(mine), Amount::Date(theirs)) => {
            mine.year.is_some() && theirs.year.is_some()
                || mine.month.is_some() && theirs.month.is_some()
        }
        (Amount::Clock(_), Amount::Clock(_)) | (Amount::Ordinal(_), Amount::Ordinal(_)) => true,
        (Amount::Date(_) | Amount::Clock(_) | Amount::Ordinal(_), _)
        | (_, Amount::Date(_) | Amount::Clock(_) | Amount::Ordinal(_)) => false,
        _ => claimed.unit == known.unit,
    }
}

/// Whether a number is the sum, the difference or the share of two that are given.
fn is_reckoned(claimed: &Quantity, known: &[Quantity]) -> bool {
    let value = |quantity: &Quantity| match quantity.amount {
        Amount::Point { value, .. } => Some(value),
        Amount::Date(date) if date.is_year() => date.year.map(f64::from),
        _ => None,
    };
    let Some(mine) = value(claimed).filter(|_| !matches!(claimed.amount, Amount::Date(_))) else {
        return false;
    };
    let mut given: Vec<f64> = Vec::new();
    for one in known.iter().take(RECKONED_FROM) {
        match one.amount {
            Amount::Change { from, to } | Amount::Range { low: from, high: to } => {
                given.extend([from, to])
            }
            _ => given.extend(value(one)),
        }
    }
    let same = |reckoned: f64| (reckoned - mine).abs() <= RECKONED * mine.abs();
    let months = if claimed.unit == Unit::Measure(probity_text::quantity::Dimension::Months) {
        12.0
    } else {
        1.0
    };
    given.iter().enumerate().any(|(at, a)| {
        given.iter().skip(at + 1).any(|b| {
            let (low, high) = (a.min(*b), a.max(*b));
            let shares = claimed.unit == Unit::Percent
                && (same(100.0 * low / high)
                    || same(100.0 * (high - low) / low)
                    || same(100.0 - low - high));
            same(high + low) || same((high - low) * months) || shares
        })
    })
}

/// Whether every number of a conclusion is one of the statements it is drawn from, or can be
/// computed from them: a sum, also of all of them, a difference, a share, a multiple or a mean.
pub(crate) fn follows(conclusion: &str, statements: &[String]) -> bool {
    let joined = statements.join("\n");
    let known = quantities(&joined);
    wrong(conclusion, std::slice::from_ref(&joined), "").is_empty()
        || quantities(conclusion).iter().filter(|one| is_exact(one, conclusion)).all(|claimed| {
            let text = conclusion.get(claimed.range.clone()).unwrap_or_default();
            wrong(text, std::slice::from_ref(&joined), "").is_empty() || is_summed(claimed, &known)
        })
}

/// Whether a number is the sum or the mean of all that are of its kind, or how many times one of them goes into
/// another.
fn is_summed(claimed: &Quantity, known: &[Quantity]) -> bool {
    let point = |quantity: &Quantity| match quantity.amount {
        Amount::Point { value, .. } => Some(value),
        _ => None,
    };
    let Some(mine) = point(claimed) else { return false };
    let same = |reckoned: f64| (reckoned - mine).abs() <= RECKONED * mine.abs();
    let given: Vec<f64> = known
        .iter()
        .filter(|one| one.unit == claimed.unit)
        .filter_map(point)
        .take(RECKONED_FROM)
        .collect();
    let sum: f64 = given.iter().sum();
    let all = given.len() > 1 && (same(sum) || same(sum / given.len() as f64));
    let values: Vec<f64> = known.iter().take(RECKONED_FROM).filter_map(point).collect();
    let times = matches!(claimed.unit, Unit::Times | Unit::Count)
        && values.iter().any(|a| values.iter().any(|b| *b > 0.0 && a > b && same(a / b)));
    all || times
}

/// A claim with its numbers as the passage writes them, where they are the same: "22:00" for "10 pm". A reader
/// that has to be told what is one reads better.
pub(super) fn in_words_of<'c>(claim: &'c str, passage: &str) -> Cow<'c, str> {
    let mine = quantities(claim);
    if mine.is_empty() {
        return Cow::Borrowed(claim);
    }
    let known = quantities(passage);
    let mut written = Cow::Borrowed(claim);
    for claimed in mine.iter().rev() {
        let Some(text) = claim.get(claimed.range.clone()) else { continue };
        if stands_in(text, passage) {
            continue;
        }
        let same = |one: &&Quantity| {
            claimed.against(one) == Match::Confirmed
                && one.against(claimed) == Match::Confirmed
                && claimed.bound == one.bound
                && !matches!(claimed.amount, Amount::Vague { .. })
        };
        let theirs = known.iter().find(same).and_then(|one| passage.get(one.range.clone()));
        if let Some(theirs) = theirs {
            written.to_mut().replace_range(claimed.range.clone(), theirs);
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(claim: &str, passage: &str) -> Vec<Wrong> {
        wrong(claim, &[passage.to_owned()], passage)
    }

    #[test]
    fn the_same_number_in_another_spelling_is_right() {
        for (claim, passage) in [
            ("Music ends at 22:00.", "Music ends at 10 pm."),
            ("It made 2.3 billion dollars.", "It made $2.3 billion."),
            ("It has 1.2 million readers.", "It has 1,200,000 readers."),
            ("It opened on 2 March 2025.", "It opened on March 2nd. That was in 2025."),
            ("In 2025 there were 15 more.", "There were 46, up from 31, in 2025."),
            ("It took 40 minutes.", "It took 2,400 seconds."),
            ("It is 3,800 km away.", "It is 3, 800 km away."),
        ] {
            assert_eq!(found(claim, passage), [], "{claim}");
        }
    }

    #[test]
    fn another_number_is_named_with_the_one_that_the_source_has() {
        let other = found("The ferry takes 14 minutes.", "The ferry takes 40 minutes.");
        assert_eq!(other[0].reason(), "the source says “40 minutes”, not “14 minutes”");
        assert!(matches!(other[0], Wrong::Other(_)));
        let missing = found("The ferry cost €90 million.", "The ferry takes 40 minutes.");
        assert!(matches!(missing[0], Wrong::Missing(_)), "{missing:?}");
        let loose = found("The ferry has 212 seats.", "The ferry has about 212 seats.");
        assert!(matches!(loose[0], Wrong::Loose(_)), "{loose:?}");
    }

    #[test]
    fn a_conclusion_has_no_number_that_cannot_be_reckoned() {
        let statements = [
            "The Great Hall costs 900 crowns.",
            "The Boathouse costs 450 crowns.",
            "The Loft costs 150 crowns.",
        ]
        .map(str::to_owned);
        for right in [
            "All three together cost 1,500 crowns.",
            "The Great Hall costs 450 crowns more than the Boathouse.",
            "The Boathouse costs 3 times as much as the Loft.",
            "They cost 500 crowns on average.",
            "The Great Hall is the dearest.",
        ] {
            assert!(follows(right, &statements), "{right}");
        }
        for wrong in [
            "All three together cost 1,700 crowns.",
            "The Great Hall costs 475 crowns more than the Boathouse.",
            "The Boathouse costs 5 times as much as the Loft.",
            "They have cost so since 2019.",
        ] {
            assert!(!follows(wrong, &statements), "{wrong}");
        }
    }

    #[test]
    fn a_number_is_not_found_inside_another() {
        assert!(stands_in("40", "It takes 40 minutes."));
        assert!(!stands_in("40", "It takes 140 minutes, 40.5 or 1,40."));
    }

    #[test]
    fn equal_numbers_are_written_as_the_passage_has_them() {
        let passage = "Amplified music ends at 10 pm and costs $2.3 billion.";
        assert_eq!(in_words_of("Music ends at 22:00.", passage), "Music ends at 10 pm.");
        assert_eq!(in_words_of("Music ends at 23:00.", passage), "Music ends at 23:00.");
        assert_eq!(in_words_of("It costs 2.3 billion dollars.", passage), "It costs $2.3 billion.");
    }
}
