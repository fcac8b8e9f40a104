//! Of how much and for how long: a claim that takes in more than the passage, told by a small word.

use probity_text::quantity::{Amount as Value, Match};
use probity_text::tag::Tag;

use super::finding::{Finding, Kind};
use super::pair::{Pair, listed};

/// Finds small words by which the claim takes in more than the passage.
pub(super) fn extent(pair: &Pair<'_>) -> Option<Finding> {
    every_day(pair)
        .or_else(|| in_all(pair))
        .or_else(|| anywhere(pair))
        .or_else(|| debut(pair))
        .or_else(|| only_one(pair))
        .or_else(|| of_the_rest(pair))
}

/// "Every day" where the passage names the days.
fn every_day(pair: &Pair<'_>) -> Option<Finding> {
    let every = pair.claim_words().zip(pair.claim_words().skip(1)).any(|((_, a), (_, b))| {
        matches!(a.lower.as_ref(), "every" | "each") && matches!(b.lower.as_ref(), "day" | "night")
    });
    if !every && !pair.claim_has("daily nightly") {
        return None;
    }
    const DAYS: &str = "weekday weekend monday tuesday wednesday thursday friday saturday sunday \
        mondays tuesdays wednesdays thursdays fridays saturdays sundays";
    let (_, day) = pair.anchor_words().find(|(_, word)| listed(word, DAYS))?;
    let all = pair.source_has("daily every each nightly")
        || pair.claim_words().any(|(_, word)| listed(word, DAYS) || listed(word, "except"));
    (!all).then(|| {
        Finding::new(Kind::Limit, format!("the source says “{}”, not every day", day.lower))
    })
}

/// "Five albums in all" where the passage has "five more albums".
fn in_all(pair: &Pair<'_>) -> Option<Finding> {
    let all = pair.claim_has("altogether total")
        || pair.claim_words().zip(pair.claim_words().skip(1)).any(|((_, a), (_, b))| {
            a.lower.as_ref() == "in" && matches!(b.lower.as_ref(), "all" | "total")
        });
    let amounts = || pair.claim_amounts().filter(|_| all);
    let (_, known) = pair.source_amounts().find(|(_, known)| {
        let same =
            amounts().any(|(_, mine)| mine.quantity.against(&known.quantity) == Match::Confirmed);
        let behind = pair.source.word(known.words.end);
        let before = known.words.start.checked_sub(1).and_then(|at| pair.source.word(at));
        let more = behind.is_some_and(|word| listed(word, "more further additional other"))
            || before.is_some_and(|word| listed(word, "another further additional"));
        same && more
    })?;
    let text = pair.source.text.get(known.quantity.range.clone()).unwrap_or_default();
    Some(Finding::new(Kind::Binding, format!("in the source, “{text}” come on top of others")))
}

/// "Anywhere" where the passage says "only".
fn anywhere(pair: &Pair<'_>) -> Option<Finding> {
    let (_, word) = pair
        .claim_words()
        .find(|(_, word)| listed(word, "anywhere everywhere anytime anyone anybody"))?;
    let only = pair.anchor_words().any(|(_, word)| listed(word, "only solely exclusively"));
    (only && !word.denied).then(|| {
        Finding::new(Kind::Denied, format!("the source says “only”, not “{}”", word.lower))
    })
}

/// "Debut album" where the passage has "second album".
fn debut(pair: &Pair<'_>) -> Option<Finding> {
    let (at, word) = pair.claim_words().find(|(_, word)| listed(word, "debut maiden inaugural"))?;
    let (place, _) = pair.counterpart(at + 1)?;
    let before = pair.source.span(place.saturating_sub(3)..place);
    let later = before
        .filter_map(|(_, word)| pair.source.amounts.get(word.amount?))
        .any(|known| matches!(known.quantity.amount, Value::Ordinal(rank) if rank > 1));
    later.then(|| Finding::new(Kind::Rank, format!("the source does not say “{}”", word.lower)))
}

/// "The only senator" where the passage has "one of two senators".
fn only_one(pair: &Pair<'_>) -> Option<Finding> {
    let alone = pair.claim_words().zip(pair.claim_words().skip(1)).any(|((_, a), (_, b))| {
        matches!(a.lower.as_ref(), "the" | "only") && matches!(b.lower.as_ref(), "only" | "one")
            || a.lower.as_ref() == "sole"
    });
    let word = |at: usize| pair.source.word(at).map_or("", |word| word.lower.as_ref());
    let among = alone
        && pair.anchor_words().any(|(at, one)| {
            let number = pair.source.word(at + 2).is_some_and(|next| next.amount.is_some());
            one.lower.as_ref() == "one" && word(at + 1) == "of" && number
        });
    among.then(|| Finding::new(Kind::Quantifier, "the source says “one of” several"))
}

/// "Most of the power" where what is said is said of the rest.
fn of_the_rest(pair: &Pair<'_>) -> Option<Finding> {
    const REST: &str = "rest remainder others";
    let (_, most) = pair.claim_words().find(|(_, word)| listed(word, "most majority bulk"))?;
    if pair.claim_has(REST) {
        return None;
    }
    let verbs = pair.content().filter(|(_, word)| word.tag == Tag::Verb);
    let said = verbs.filter_map(|(at, _)| pair.counterpart(at)).any(|(place, verb)| {
        let before = pair.source.span(place.saturating_sub(4)..place);
        before.into_iter().any(|(_, word)| word.clause == verb.clause && listed(word, REST))
    });
    said.then(|| {
        Finding::new(
            Kind::Number,
            format!("the source says this of the rest, not of “{}”", most.lower),
        )
    })
}
