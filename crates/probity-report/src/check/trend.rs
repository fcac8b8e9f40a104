//! Which way the numbers of a passage went: a claim that something rose or fell, or that there was more of
//! it at one time than at another, is held against them.

use probity_text::lexicon::{Relation, concept};
use probity_text::quantity::{Amount as Value, Match, Unit};
use probity_text::tag::Tag;

use super::finding::{Finding, Kind};
use super::pair::{Pair, listed};
use super::reading::{Amount, Word};

/// How far behind a number the words are that date it, and before it those that mark it as the earlier.
const REACH: usize = 6;
/// How many quantities of a source are dated.
const DATED: usize = 400;
/// Words before a number that something is compared with.
const EARLIER: &str = "from compared versus against earlier";
/// Words behind a number that make it the earlier one.
const BEFORE: &str = "earlier before previously ago";

/// A number of the passage with the year it belongs to.
struct Dated {
    value: f64,
    unit: Unit,
    year: i32,
}

/// A claim that goes against the numbers.
pub(super) fn trend(pair: &Pair<'_>) -> Option<Finding> {
    between_years(pair)
        .or_else(|| direction(pair))
        .or_else(|| marked(pair))
        .or_else(|| steady(pair))
}

/// "Alertness improved" where the passage says that it did not differ, hardly changed, stayed the same.
fn steady(pair: &Pair<'_>) -> Option<Finding> {
    let mut verbs = pair.content().filter(|(_, word)| {
        word.tag == Tag::Verb && !word.denied && way(&word.lemma, &word.lower).is_some()
    });
    let (verb, word) = verbs.next().filter(|_| verbs.next().is_none())?;
    // What it is said of stands before the verb.
    let (_, subject) = pair
        .content()
        .take_while(|(at, _)| *at < verb)
        .filter(|(_, word)| matches!(word.tag, Tag::Noun | Tag::Name))
        .filter_map(|(at, _)| pair.counterpart(at))
        .next()?;
    let clause = pair.source.clauses.get(subject.clause)?.words.clone();
    let still = |at: usize, other: &Word| {
        let little = pair
            .source
            .span(at.saturating_sub(3)..at)
            .any(|(_, before)| before.cue || listed(before, "hardly barely scarcely little"));
        listed(other, "differ change vary alter") && (other.denied || little)
            || listed(other, "unchanged steady stagnate")
    };
    let (_, other) = pair.source.span(clause).find(|(at, other)| still(*at, other))?;
    Some(Finding::new(
        Kind::Opposite,
        format!("the source says “{}” of what “{}” in the claim", other.lower, word.lower),
    ))
}

/// "Fell 8 percent" where the passage has "up 8 percent".
fn marked(pair: &Pair<'_>) -> Option<Finding> {
    let mut ways =
        pair.claim_words().filter_map(|(_, word)| Some((word, way(&word.lemma, &word.lower)?)));
    let (verb, mine) = ways.next().filter(|_| ways.next().is_none())?;
    let amounts = || pair.claim_amounts().filter(|(_, amount)| is_step(amount));
    let theirs = pair.source_amounts().filter(|(_, known)| is_step(known)).filter(|(_, known)| {
        amounts().any(|(_, amount)| amount.quantity.against(&known.quantity) == Match::Confirmed)
    });
    let mark = |known: &Amount| {
        let before = known.words.start.checked_sub(1).and_then(|at| pair.source.word(at))?;
        match before.lower.as_ref() {
            "up" => Some(1),
            "down" => Some(-1),
            _ => None,
        }
    };
    let marks: Vec<i8> = theirs.filter_map(|(_, known)| mark(known)).collect();
    (!marks.is_empty() && marks.iter().all(|mark| *mark != mine)).then(|| told(&verb.lower))
}

/// Whether an amount can tell how far something went.
fn is_step(amount: &Amount) -> bool {
    !amount.label && matches!(amount.quantity.amount, Value::Point { .. })
}

/// Up is 1, down −1, for a word of the claim.
fn way(lemma: &str, lower: &str) -> Option<i8> {
    // "Revenue fell": beside a noun the tagger may take it for another.
    let base = probity_text::lemma::lemma(lower);
    let is = |side: &str| {
        [lemma, lower, base.as_str()]
            .into_iter()
            .any(|word| word == side || matches!(concept(word, side), Some(Relation::Same)))
    };
    match (is("increase") || lower == "more", is("decrease") || lower == "fewer" || lower == "less")
    {
        (true, false) => Some(1),
        (false, true) => Some(-1),
        _ => None,
    }
}

fn told(word: &str) -> Finding {
    Finding::new(Kind::Opposite, format!("the source's figures go the other way than “{word}”"))
}

/// "More passengers in 2023 than in 2019" against the numbers of the two years.
fn between_years(pair: &Pair<'_>) -> Option<Finding> {
    let years: Vec<(usize, i32)> = pair
        .claim_amounts()
        .filter_map(|(_, amount)| match amount.quantity.amount {
            Value::Date(date) => date.year.map(|year| (amount.words.start, year)),
            _ => None,
        })
        .collect();
    let [(a_at, a), (b_at, b)] = years.as_slice() else { return None };
    let (than, _) = pair.claim_words().find(|(_, word)| word.lower.as_ref() == "than")?;
    let (_, word) = pair
        .claim
        .span(pair.sentence.words.start..than)
        .rev()
        .find(|(_, word)| way(&word.lemma, &word.lower).is_some())?;
    let way = way(&word.lemma, &word.lower)?;
    let (said, other) = if *b_at > than { (*a, *b) } else { (*b, *a) };
    if *a_at > than && *b_at > than {
        return None;
    }
    let dated = dated(pair);
    let of = |year: i32| dated.iter().filter(move |each| each.year == year);
    let mut found = None;
    for mine in of(said) {
        for theirs in of(other).filter(|theirs| theirs.unit == mine.unit) {
            if (mine.value > theirs.value) == (way > 0) {
                return None;
            }
            found = Some(told(&word.lower));
        }
    }
    found
}

/// The numbers of the source with the nearest year of their sentence: the two years of a comparison may
/// stand far apart.
fn dated(pair: &Pair<'_>) -> Vec<Dated> {
    let amounts = pair.source.amounts.iter().take(DATED);
    let years: Vec<(usize, usize, i32)> = amounts
        .clone()
        .filter_map(|known| match known.quantity.amount {
            Value::Date(date) => date.year.map(|year| (known.words.start, known.sentence, year)),
            _ => None,
        })
        .collect();
    let mut found = Vec::new();
    for known in amounts {
        let Value::Point { value, .. } = known.quantity.amount else { continue };
        // "3.8 million in 2020 from 14.6 million in 2019": the year behind "in" goes with its number.
        let behind =
            pair.source.word(known.words.end).is_some_and(|word| listed(word, "in for by"));
        let nearest = years
            .iter()
            .filter(|(_, sentence, _)| *sentence == known.sentence)
            .min_by_key(|(at, _, _)| match behind && *at == known.words.end + 1 {
                true => 0,
                false => at.abs_diff(known.words.start),
            });
        if let Some((_, _, year)) = nearest {
            found.push(Dated { value, unit: known.quantity.unit, year: *year });
        }
    }
    found
}

/// "The number fell" where one number of the passage is marked as the earlier, and is the smaller.
fn direction(pair: &Pair<'_>) -> Option<Finding> {
    let amounts: Vec<&Amount> = pair
        .source_amounts()
        .map(|(_, known)| known)
        .filter(|known| matches!(known.quantity.amount, Value::Point { .. }) && !known.label)
        .collect();
    // With several trends in one passage nobody knows which is meant.
    let mut trends = Vec::new();
    for two in amounts.windows(2) {
        let [first, second] = two else { continue };
        let (Value::Point { value: a, .. }, Value::Point { value: b, .. }) =
            (first.quantity.amount, second.quantity.amount)
        else {
            continue;
        };
        let near = second.words.start.saturating_sub(first.words.end) < 2 * REACH;
        if first.quantity.unit == second.quantity.unit && near && a != b && is_earlier(pair, second)
        {
            trends.push(a > b);
        }
    }
    let up = *trends.first()?;
    if trends.iter().any(|other| *other != up) {
        return None;
    }
    let (_, word) = pair.content().find(|(_, word)| {
        matches!(word.tag, Tag::Verb) && !word.denied && way(&word.lemma, &word.lower).is_some()
    })?;
    let way = way(&word.lemma, &word.lower)?;
    // A word for the same way in the passage says of what else it is true.
    let said = pair.source_words().any(|(_, other)| {
        other.is_content()
            && (other.lemma == word.lemma
                || concept(&word.lemma, &other.lemma) == Some(Relation::Same))
    });
    ((way > 0) != up && !said).then(|| told(&word.lower))
}

/// "… compared with 3,411 the year before".
fn is_earlier(pair: &Pair<'_>, amount: &Amount) -> bool {
    let before = pair
        .source
        .span(amount.words.start.saturating_sub(3)..amount.words.start)
        .any(|(_, word)| listed(word, EARLIER));
    let behind = pair
        .source
        .span(amount.words.end..amount.words.end + REACH)
        .take_while(|(_, word)| word.sentence == amount.sentence && word.amount.is_none())
        .any(|(_, word)| listed(word, BEFORE));
    before || behind
}
