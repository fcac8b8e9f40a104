//! A number that was planned, budgeted or forecast is no evidence of what came of it.

use probity_text::quantity::{Amount as Value, Match};

use super::finding::{Finding, Kind};
use super::numbers::Numbers;
use super::pair::{Pair, listed};
use super::reading::Amount;

/// Words beside a number that make it one that was expected.
const EXPECTED: &str = "budget budgeted estimate estimated forecast projection projected target quote quoted plan planned expect expected anticipate \
    anticipated predict predicted prediction allocate earmark proposal propose proposed schedule scheduled supposed initially originally";
/// Words of a claim that speak of an expectation themselves.
const OPEN: &str = "will would should may might could be_to expect expected plan planned budget forecast estimate target project projected propose \
    allocate approve earmark originally initially supposed predict anticipate aim intend";
/// How far before a number such a word may stand.
const BEFORE: usize = 4;
/// How far behind it.
const BEHIND: usize = 2;

/// A number that the claim gives as what came of it, and the passage as what was expected.
pub(super) fn planned(pair: &Pair<'_>, numbers: &Numbers) -> Option<Finding> {
    if pair.claim_has(OPEN) {
        return None;
    }
    numbers.confirmed.iter().find_map(|confirmed| {
        let measured = |known: &&Amount| {
            !known.label && !matches!(known.quantity.amount, Value::Date(_) | Value::Clock(_))
        };
        let known = pair.source.amounts.get(confirmed.source).filter(measured)?;
        let word = expectation(pair, known)?;
        // What was said twice may have been expected once and reached the other time.
        let mine = pair.claim.amounts.get(confirmed.claim)?;
        let again = pair.source_amounts().any(|(number, other)| {
            number != confirmed.source
                && mine.quantity.against(&other.quantity) == Match::Confirmed
                && expectation(pair, other).is_none()
        });
        let text = pair.source.text.get(known.quantity.range.clone()).unwrap_or_default();
        (!again).then(|| {
            Finding::new(Kind::Hedge, format!("the source gives “{text}” as expected: “{word}”"))
        })
    })
}

/// The word beside a number that makes it an expected one.
fn expectation<'a>(pair: &Pair<'a>, known: &Amount) -> Option<&'a str> {
    let clause = pair.source.word(known.words.start)?.clause;
    let before = pair.source.span(known.words.start.saturating_sub(BEFORE)..known.words.start);
    let behind = pair.source.span(known.words.end..known.words.end + BEHIND);
    let (_, word) = before
        .rev()
        .chain(behind)
        // Another number between them takes the word for itself.
        .take_while(|(_, word)| word.amount.is_none())
        .filter(|(_, word)| word.clause == clause)
        .find(|(_, word)| listed(word, EXPECTED))?;
    // "More than planned" says what came of it.
    let than = pair.source.span(known.words.start..known.words.end + BEHIND + 2);
    let compared =
        than.into_iter().any(|(_, word)| matches!(word.lower.as_ref(), "than" | "above" | "below"));
    (!compared).then_some(word.lower.as_ref())
}
