//! "Ada Holm (14 March 1891 – 2 November 1963)": the dates behind a name say when somebody was born
//! and died, without a verb.

use std::ops::Range;

use probity_text::quantity::{Amount as Value, Match};

use super::finding::{Finding, Kind};
use super::pair::{Pair, listed};
use super::reading::{Reading, Word};

/// The earliest year that dates of a life are read from.
const FIRST_YEAR: i32 = 1_000;
/// The latest.
const LAST_YEAR: i32 = 2_100;

/// Words that speak of a birth.
const BIRTH: &str = "born birth";
/// Words that speak of a death.
const DEATH: &str = "die death";

/// The places of a life's dates: numbers of quantities, the same one for "1891–1963".
#[derive(Debug, Clone, Copy)]
struct Life {
    birth: usize,
    death: usize,
}

/// The word of a passage that stands for a claim's "born" or "died".
pub(super) fn stands_for(
    word: &Word,
    source: &Reading<'_>,
    passage: &Range<usize>,
) -> Option<usize> {
    let (birth, death) = (listed(word, BIRTH), listed(word, DEATH));
    if !birth && !death {
        return None;
    }
    let life = life(source, passage)?;
    let amount = source.amounts.get(if birth { life.birth } else { life.death })?;
    Some(amount.words.start)
}

/// A claimed date of birth or death that is not the one behind the name.
pub(super) fn misdated(pair: &Pair<'_>) -> Option<Finding> {
    let born = pair.claim_has(BIRTH);
    let died = pair.claim_has(DEATH);
    let mut dates = pair.claim_amounts().filter(
        |(_, amount)| matches!(amount.quantity.amount, Value::Date(date) if date.year.is_some()),
    );
    let (_, claimed) = dates.next().filter(|_| born != died)?;
    if dates.next().is_some() {
        return None;
    }
    let life = life(pair.source, &pair.align.passage)?;
    let known = pair.source.amounts.get(if born { life.birth } else { life.death })?;
    let same = match (claimed.quantity.amount, known.quantity.amount) {
        (Value::Date(date), Value::Date(span)) if span.until.is_some() => {
            date.year == if born { span.year } else { span.until }
        }
        _ => claimed.quantity.against(&known.quantity) > Match::Different,
    };
    let text = |text: &str, range: &Range<usize>| text.get(range.clone()).unwrap_or("").to_owned();
    (!same).then(|| {
        let mine = text(pair.claim.text, &claimed.quantity.range);
        let theirs = text(pair.source.text, &known.quantity.range);
        Finding::new(Kind::Number, format!("the source says “{theirs}”, not “{mine}”"))
    })
}

/// The first two dates in brackets with a dash between them.
fn life(source: &Reading<'_>, passage: &Range<usize>) -> Option<Life> {
    let bracket = |at: usize| {
        source.span(at.saturating_sub(3)..at).any(|(_, word)| word.lower.as_ref() == "(")
    };
    let year =
        |value: Option<i32>| value.is_some_and(|year| (FIRST_YEAR..LAST_YEAR).contains(&year));
    let inside = source
        .amounts
        .iter()
        .enumerate()
        .filter(|(_, amount)| passage.contains(&amount.words.start));
    let mut before: Option<(usize, usize)> = None;
    for (number, amount) in inside {
        match amount.quantity.amount {
            Value::Date(span)
                if year(span.year) && year(span.until) && bracket(amount.words.start) =>
            {
                return Some(Life { birth: number, death: number });
            }
            Value::Date(date) if date.year.is_some() => {
                let dashed = before.filter(|(_, end)| {
                    let mut between = source.span(*end..amount.words.start);
                    amount.words.start > *end
                        && between.all(|(_, word)| matches!(word.lower.as_ref(), "–" | "-" | "—"))
                });
                if let Some((birth, _)) = dashed {
                    return Some(Life { birth, death: number });
                }
                before = bracket(amount.words.start).then_some((number, amount.words.end));
            }
            _ => before = None,
        }
    }
    None
}
