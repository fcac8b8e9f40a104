//! Numbers, dates and times of a claim, held against those of what was read, exactly.

use std::borrow::Cow;

use probity_text::quantity::{Amount, Match, Quantity, Unit, quantities};

use super::quote;

/// A number that is computed from others may be off by this share: people round.
const COMPUTED: f64 = 0.02;
/// The most numbers that one is computed from.
const COMPUTED_FROM: usize = 12;

/// What is wrong with a number of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrong {
    /// Whether what was read has another one of its kind in its place; else it has none.
    pub(super) other: bool,
    /// The words that the report shows.
    pub(super) reason: String,
}

/// The numbers of a claim that what was read does not support; `nearest` is the sentence that comes
/// closest.
pub(super) fn wrong(claim: &str, read: &[String], nearest: &str) -> Vec<Wrong> {
    let mine = exact(claim);
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
    let mut all = known.iter().flat_map(|(_, found)| found);
    // What is near, the reader judges.
    let given = all.clone().any(|one| claimed.against(one) != Match::Different)
        || is_dated(claimed, &mut all)
        || known.iter().any(|(text, _)| stands_in(mine, text) || stands_in(mine, &rejoined(text)));
    if given {
        return None;
    }
    let other = quantities(nearest).into_iter().find(|one| is_same_kind(claimed, one));
    let theirs = other.and_then(|one| nearest.get(one.range));
    let reason = match theirs {
        Some(theirs) => format!("the source says “{theirs}”, not “{mine}”"),
        None => format!("the source does not give “{mine}”"),
    };
    Some(Wrong { other: theirs.is_some(), reason })
}

/// The numbers of a claim that can be looked for: what is written in digits, measured or dated. "One" and "twenty people"
/// are ways of speaking.
fn exact(claim: &str) -> Vec<Quantity> {
    let is_exact = |quantity: &Quantity| {
        let text = claim.get(quantity.range.clone()).unwrap_or_default();
        let digits = text.contains(|c: char| c.is_ascii_digit());
        match quantity.amount {
            Amount::Date(date) => digits || date.month.is_some(),
            Amount::Clock(_) => true,
            Amount::Number(_) => {
                digits || matches!(quantity.unit, Unit::Money(_) | Unit::Measure(_))
            }
        }
    };
    quantities(claim).into_iter().filter(is_exact).collect()
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

/// Whether a number is in a text as it is written, and not inside another.
fn stands_in(number: &str, text: &str) -> bool {
    let is_mark = |c: char| matches!(c, '.' | ',');
    quote::standing(number, text).any(|at| {
        let (before, after) = text.split_at_checked(at).unwrap_or_default();
        let after = after.get(number.len()..).unwrap_or_default();
        let fraction = after.strip_prefix(is_mark);
        !before.ends_with(is_mark)
            && !fraction.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    })
}

/// Whether a date's year and its day are both given, if not in one place: "In 2025 … on 2 March".
fn is_dated<'q>(claimed: &Quantity, known: &mut impl Iterator<Item = &'q Quantity>) -> bool {
    let Amount::Date(mine) = claimed.amount else { return false };
    let (mut year, mut day) = (mine.year.is_none(), mine.month.is_none());
    for one in known {
        let Amount::Date(date) = one.amount else { continue };
        let until = date.until.or(date.year);
        year |= date.year <= mine.year && mine.year <= until;
        day |= date.month == mine.month && (mine.day.is_none() || date.day == mine.day);
    }
    year && day && mine.until.is_none() && (mine.year.is_some() || mine.month.is_some())
}

/// Whether two numbers are of one kind, so that one in the place of the other is another statement.
fn is_same_kind(claimed: &Quantity, known: &Quantity) -> bool {
    match (claimed.amount, known.amount) {
        (Amount::Date(mine), Amount::Date(theirs)) => {
            mine.year.is_some() && theirs.year.is_some()
                || mine.month.is_some() && theirs.month.is_some()
        }
        (Amount::Clock(_), Amount::Clock(_)) => true,
        (Amount::Number(_), Amount::Number(_)) => claimed.unit == known.unit,
        _ => false,
    }
}

/// Whether every number of a conclusion is one of the statements it is drawn from, or can be
/// computed from them: a sum, also of all of them, a difference, a share, a multiple or a mean.
pub(crate) fn follows(conclusion: &str, statements: &[String]) -> bool {
    let joined = statements.join("\n");
    let known = [(joined.as_str(), quantities(&joined))];
    exact(conclusion).iter().all(|claimed| {
        judge(claimed, conclusion, &known, "").is_none()
            || known.iter().any(|(_, known)| is_computed(claimed, known))
    })
}

fn is_computed(claimed: &Quantity, known: &[Quantity]) -> bool {
    let Amount::Number(mine) = claimed.amount else { return false };
    let value = |quantity: &Quantity| match quantity.amount {
        Amount::Number(value) => Some(value),
        Amount::Date(date) if date.is_year() => date.year.map(f64::from),
        _ => None,
    };
    let same = |computed: f64| (computed - mine).abs() <= COMPUTED * mine.abs();
    let alike = known.iter().filter(|one| one.unit == claimed.unit);
    let alike: Vec<f64> = alike.take(COMPUTED_FROM).filter_map(value).collect();
    let sum: f64 = alike.iter().sum();
    // Years differ by years, which are counted in months.
    let months = if claimed.unit == Unit::Measure("month") { 12.0 } else { 1.0 };
    let given: Vec<f64> = known.iter().take(COMPUTED_FROM).filter_map(value).collect();
    let of_two = |a: f64, b: f64| match claimed.unit {
        Unit::Percent => same(100.0 * a / b) || same(100.0 * (b - a) / a),
        Unit::Count => same(b / a),
        _ => false,
    };
    let pair = |a: f64, b: f64| same(a + b) || same((b - a) * months) || of_two(a, b);
    alike.len() > 1 && (same(sum) || same(sum / alike.len() as f64))
        || given.iter().any(|a| given.iter().any(|b| a < b && pair(*a, *b)))
}

/// A claim with its numbers as the passage writes them, where they are the same: "22:00" for "10 pm", which the
/// reader does not know to be equal.
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
            claimed.against(one) == Match::Confirmed && one.against(claimed) == Match::Confirmed
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
            ("The ferry has 212 seats.", "The ferry has about 212 seats."),
            ("The ferry has more than 200 seats.", "The ferry has 212 seats."),
            ("It took 40 minutes.", "It took 2,400 seconds."),
            ("It is 3,800 km away.", "It is 3, 800 km away."),
        ] {
            assert_eq!(found(claim, passage), [], "{claim}");
        }
    }

    #[test]
    fn another_number_is_named_with_the_one_that_the_source_has() {
        let other = found("The ferry takes 14 minutes.", "The ferry takes 40 minutes.");
        assert_eq!(other[0].reason, "the source says “40 minutes”, not “14 minutes”");
        assert!(other[0].other);
        let missing = found("The ferry cost €90 million.", "The ferry takes 40 minutes.");
        assert!(!missing[0].other, "{missing:?}");
    }

    #[test]
    fn a_conclusion_has_no_number_that_cannot_be_computed() {
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
