//! Does a number belong to what the claim says it belongs to?
//!
//! "Open until 5 pm on weekdays and 2 pm on Sundays" holds every word of "open until 2 pm on
//! weekdays". What tells them apart is which number each word stands with.

mod region;

use std::ops::Range;

use probity_text::lemma::Form;
use probity_text::quantity::{Amount as Value, Bound, Unit};
use probity_text::tag::Tag;

use super::finding::{Finding, Kind};
use super::kinship::{kinship, likeness};
use super::numbers::{Confirmed, Numbers, is_same_kind};
use super::pair::{Pair, listed};
use super::reading::{Amount, Reading};
use region::{Regions, own_stretch};

/// Words that mark the value something had before, or was compared with.
const ORIGIN: &str = "from instead than against versus";

/// Checks each confirmed quantity of a claim against its rivals in the passage.
pub(super) fn bindings(pair: &Pair<'_>, numbers: &Numbers) -> Vec<Finding> {
    numbers
        .confirmed
        .iter()
        .filter_map(|confirmed| binding(pair, numbers, *confirmed))
        .take(2)
        .collect()
}

fn binding(pair: &Pair<'_>, numbers: &Numbers, confirmed: Confirmed) -> Option<Finding> {
    let mine = pair.claim.amounts.get(confirmed.claim)?;
    let own = pair.source.amounts.get(confirmed.source)?;
    let said = pair.claim.text.get(mine.quantity.range.clone()).unwrap_or_default();
    if is_origin(pair, mine, own) {
        return Some(Finding::new(
            Kind::Binding,
            format!("in the source, “{said}” is the earlier value"),
        ));
    }
    if is_whole(pair.source, own) && !is_whole(pair.claim, mine) && !is_told_of(pair, own) {
        return Some(Finding::new(
            Kind::Binding,
            format!("in the source, “{said}” is the whole of which a part is meant"),
        ));
    }
    if let Some(noun) = other_noun(pair, mine, own) {
        return Some(Finding::new(
            Kind::Binding,
            format!("in the source, “{said}” does not count “{noun}”"),
        ));
    }
    if let Some(noun) = other_rank(pair, mine, own) {
        return Some(Finding::new(
            Kind::Binding,
            format!("in the source, “{said}” is not said of “{noun}”"),
        ));
    }
    if own.label {
        return None;
    }
    let rivals = pair.source_amounts().filter(|(number, rival)| {
        *number != confirmed.source && !rival.label && is_of_kind(own, rival)
    });
    for (_, rival) in rivals {
        if let Some(word) = foreign(pair, numbers, confirmed, own, rival) {
            return Some(Finding::new(
                Kind::Binding,
                format!("in the source, “{said}” does not go with “{word}”"),
            ));
        }
    }
    None
}

/// Whether two quantities could stand for each other.
pub(super) fn is_of_kind(own: &Amount, rival: &Amount) -> bool {
    let bare = |amount: &Amount| {
        amount.quantity.unit == Unit::Count && amount.quantity.counts.is_none() && !amount.label
    };
    match (own.quantity.amount, rival.quantity.amount) {
        (Value::Date(a), Value::Date(b)) => {
            a.year.is_some() == b.year.is_some()
                && a.weekday.is_some() == b.weekday.is_some()
                && a.relative.is_some() == b.relative.is_some()
        }
        (Value::Clock(_), Value::Clock(_)) | (Value::Ordinal(_), Value::Ordinal(_)) => true,
        (Value::Date(_) | Value::Clock(_) | Value::Ordinal(_), _)
        | (_, Value::Date(_) | Value::Clock(_) | Value::Ordinal(_)) => false,
        _ if own.quantity.unit == Unit::Times || rival.quantity.unit == Unit::Times => {
            own.quantity.unit == rival.quantity.unit
        }
        _ => {
            is_same_kind(own.quantity.unit, rival.quantity.unit)
                || own.sentence == rival.sentence
                    && (bare(own) && is_paid(rival) || bare(rival) && is_paid(own))
        }
    }
}

fn is_paid(amount: &Amount) -> bool {
    matches!(amount.quantity.unit, Unit::Money(_) | Unit::Percent)
}

/// The source gives it as where something came from; the claim gives it as where it is.
fn is_origin(pair: &Pair<'_>, mine: &Amount, own: &Amount) -> bool {
    let before = pair
        .claim
        .span(mine.words.start.saturating_sub(3)..mine.words.start)
        .any(|(_, word)| listed(word, "from instead against versus"));
    let after = pair
        .claim
        .span(mine.words.end..(mine.words.end + 4).min(pair.sentence.words.end))
        .any(|(_, word)| listed(word, "earlier before previously ago"));
    if before || after {
        return false;
    }
    if let (Value::Change { from, to }, Value::Point { value, .. }) =
        (own.quantity.amount, mine.quantity.amount)
    {
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-6 * a.abs().max(1.0);
        return near(value, from) && !near(value, to);
    }
    let earlier = |other: &Amount| {
        is_of_kind(own, other)
            && other.sentence == own.sentence
            && other.words.end <= own.words.start
            && own.words.start - other.words.end < 14
    };
    let paired = pair.source_amounts().any(|(_, other)| earlier(other));
    let date = matches!(own.quantity.amount, Value::Date(_));
    let marked = pair
        .source
        .span(own.words.start.saturating_sub(2)..own.words.start)
        .any(|(_, word)| listed(word, ORIGIN));
    // "More than two million" is a bound.
    let marked = marked && own.quantity.bound == Bound::Exactly;
    paired && marked && !date && own.quantity.unit != Unit::Times
}

/// Whether a number is the 60 of "9 of 60 wells".
fn is_whole(reading: &Reading<'_>, amount: &Amount) -> bool {
    let start = amount.words.start;
    let word = |back: usize| start.checked_sub(back).and_then(|at| reading.word(at));
    let article = usize::from(
        word(1).is_some_and(|word| matches!(word.lower.as_ref(), "the" | "its" | "their")),
    );
    let of = word(1 + article).is_some_and(|word| word.lower.as_ref() == "of");
    let part = word(2 + article).is_some_and(|word| {
        word.amount.is_some_and(|part| {
            reading
                .amounts
                .get(part)
                .is_some_and(|part| matches!(part.quantity.amount, Value::Point { .. }))
        })
    });
    of && part && amount.quantity.unit == Unit::Count
}

/// Whether what the claim says is what the source says of the whole: "three of the twelve ships sunk".
fn is_told_of(pair: &Pair<'_>, whole: &Amount) -> bool {
    let behind = whole.words.end..whole.words.end + 3;
    let told = pair.source.span(behind.start..behind.end.min(pair.source.words.len())).find(
        |(_, word)| word.tag == Tag::Verb && matches!(word.form, Form::Past | Form::Participle),
    );
    told.and_then(|(place, _)| pair.align.claimed(place)).is_some()
}

/// The noun that the claim counts, where the passage counts it by another number.
fn other_noun(pair: &Pair<'_>, mine: &Amount, own: &Amount) -> Option<String> {
    let range = mine.quantity.counts.as_ref()?;
    let known = own.quantity.counts.as_ref()?;
    let (at, word) = pair.claim_words().find(|(_, word)| word.start == range.start)?;
    let (_, source) = pair.counterpart(at)?;
    if source.start == known.start {
        return None;
    }
    // "Eleven people" may be eleven of the patients.
    let general = pair
        .source_words()
        .any(|(_, word)| word.start == known.start && listed(word, "people person other one"));
    if general {
        return None;
    }
    let elsewhere = pair.source_amounts().any(|(_, other)| {
        other.words != own.words
            && other.quantity.counts.as_ref().is_some_and(|noun| noun.start == source.start)
    });
    let same = pair
        .source_words()
        .any(|(_, other)| other.start == known.start && other.lemma == source.lemma);
    (elsewhere && !same).then(|| word.lower.to_string())
}

/// The noun that the claim ranks, where the passage ranks something else: "the first acquisition"
/// against "the first quarter".
fn other_rank(pair: &Pair<'_>, mine: &Amount, own: &Amount) -> Option<String> {
    let (Value::Ordinal(_), Value::Ordinal(_)) = (mine.quantity.amount, own.quantity.amount) else {
        return None;
    };
    let ranked = |reading: &Reading<'_>, end: usize| {
        reading
            .span(end..end + 4)
            .take_while(|(_, word)| {
                matches!(word.tag, Tag::Noun | Tag::Name | Tag::Adjective | Tag::Adverb)
                    || word.lower.as_ref() == "-"
            })
            .filter(|(_, word)| matches!(word.tag, Tag::Noun | Tag::Name))
            .map(|(at, _)| at)
            .collect::<Vec<usize>>()
    };
    let (nouns, known) = (ranked(pair.claim, mine.words.end), ranked(pair.source, own.words.end));
    let (noun, _) = (nouns.last()?, known.last()?);
    let akin = nouns.iter().any(|at| {
        pair.align.firm(*at).is_some_and(|link| known.contains(&link.at))
            || known.iter().any(|place| {
                let words = pair.claim.word(*at).zip(pair.source.word(*place));
                words.is_some_and(|(a, b)| kinship(a, b).grade > 0.4 || likeness(a, b) > 0.3)
            })
    });
    let word = pair.claim.word(*noun)?;
    (!akin).then(|| word.lower.to_string())
}

/// A word or number of the claim that the source puts with a rival.
fn foreign(
    pair: &Pair<'_>,
    numbers: &Numbers,
    confirmed: Confirmed,
    own: &Amount,
    rival: &Amount,
) -> Option<String> {
    let mine = pair.claim.amounts.get(confirmed.claim)?;
    let regions = Regions::new(pair, own, rival)?;
    let stretch = own_stretch(pair, mine);
    // What is named only later cannot be taken up by "it" or "there".
    let apart = own.sentence > rival.sentence;
    let relative = matches!(mine.quantity.amount, Value::Date(date) if date.relative.is_some());
    let elliptic = own.quantity.counts.is_none() && own.quantity.unit == Unit::Count;
    let spared = rival.quantity.counts.as_ref().filter(|_| elliptic).map(|noun| noun.start);
    let word =
        if relative { None } else { borrowed_word(pair, &regions, &stretch, mine, apart, spared) };
    word.or_else(|| borrowed_number(pair, numbers, confirmed, &regions, &stretch))
}

/// A word of the claim that stands with the rival. In another sentence only what the number
/// directly belongs to counts, since names and places may be taken up by "it" and "there".
fn borrowed_word(
    pair: &Pair<'_>,
    regions: &Regions,
    stretch: &Range<usize>,
    mine: &Amount,
    apart: bool,
    spared: Option<usize>,
) -> Option<String> {
    let near = |at: usize| {
        at >= mine.words.end && at < mine.words.end + 4
            || at < mine.words.start && at + 6 > mine.words.start
    };
    let beside_name = |at: usize| {
        [at.checked_sub(1), Some(at + 1)]
            .into_iter()
            .flatten()
            .any(|at| pair.claim.word(at).is_some_and(|word| word.tag == Tag::Name))
    };
    let reckoned = |at: usize| {
        at.checked_sub(1)
            .and_then(|at| pair.claim.word(at))
            .is_some_and(|word| matches!(word.lower.as_ref(), "per" | "a" | "an" | "each"))
    };
    let subject = |at: usize, tag: Tag| {
        at < mine.words.start
            && tag == Tag::Noun
            && pair
                .align
                .firm(at)
                .is_some_and(|link| link.at < regions.rival && regions.rival - link.at <= 3)
    };
    let clause = |at: usize| pair.claim.word(at).map(|word| word.clause);
    let verb = |at: usize, tag: Tag| tag == Tag::Verb && clause(at) == clause(mine.words.start);
    let belongs = |at: usize, tag: Tag| {
        !reckoned(at)
            && (!apart
                || verb(at, tag)
                || near(at)
                    && (tag == Tag::Verb || at > mine.words.start || subject(at, tag))
                    && tag != Tag::Name
                    && !beside_name(at))
    };
    let own_verb = pair.source.span(regions.home.clone()).any(|(at, word)| {
        let infinitive = at
            .checked_sub(1)
            .and_then(|at| pair.source.word(at))
            .is_some_and(|before| before.lower.as_ref() == "to");
        word.tag == Tag::Verb && word.weight > 0.3 && !infinitive
    });
    pair.claim
        .span(stretch.clone())
        .filter(|(_, word)| word.is_content() && word.weight > 0.3)
        .find_map(|(at, word)| {
            let link = pair
                .align
                .firm(at)
                .filter(|link| link.grade > 0.92 && !link.opposite && belongs(at, word.tag))?;
            let source = pair.source.word(link.at).filter(|source| Some(source.start) != spared)?;
            let verb = own_verb && source.tag == Tag::Verb && word.tag == Tag::Verb;
            let strange = regions.away.contains(&link.at)
                && (!regions.shared.contains(&link.at) || verb || apart && subject(at, word.tag));
            let at_home = pair
                .source
                .span(regions.home.clone())
                .any(|(_, other)| other.lemma == source.lemma);
            let counts = matches!(word.tag, Tag::Noun | Tag::Name | Tag::Verb | Tag::Adjective);
            (strange && !at_home && counts).then(|| word.lower.to_string())
        })
}

/// Another number of the claim that the source puts with a rival, while this one has its own of
/// that kind there.
fn borrowed_number(
    pair: &Pair<'_>,
    numbers: &Numbers,
    confirmed: Confirmed,
    regions: &Regions,
    stretch: &Range<usize>,
) -> Option<String> {
    numbers.confirmed.iter().filter(|other| other.claim != confirmed.claim).find_map(|other| {
        let said = pair
            .claim
            .amounts
            .get(other.claim)
            .filter(|amount| stretch.contains(&amount.words.start))?;
        let known = pair.source.amounts.get(other.source)?;
        let strange = regions.away.contains(&known.words.start)
            && !regions.shared.contains(&known.words.start);
        let own = pair.source_amounts().any(|(_, each)| {
            regions.home.contains(&each.words.start)
                && each.words != known.words
                && is_of_kind(each, known)
        });
        (strange && own).then(|| {
            pair.claim.text.get(said.quantity.range.clone()).unwrap_or_default().to_owned()
        })
    })
}
