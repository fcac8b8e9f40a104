//! A is taller than B: which side is which, and which way the comparison goes.

use std::ops::Range;

use probity_text::lemma::Form;
use probity_text::lexicon::{Relation, relation};
use probity_text::quantity::{Amount as Value, Dimension, Unit};
use probity_text::tag::Tag;

use super::finding::{Finding, Kind};
use super::frame::Frame;
use super::pair::{Pair, listed};
use super::reading::{Amount, Reading, Word};

/// The two sides of a comparison.
struct Comparison {
    /// What is compared by: `tall` in `taller`, `severe` in `more severe`, `more` in `more ants`.
    by: Box<str>,
    /// `less` and `fewer` go down.
    down: bool,
    left: Range<usize>,
    right: Range<usize>,
    denied: bool,
}

/// Compares the comparison of a claim with that of its passage.
pub(super) fn comparison(pair: &Pair<'_>) -> Option<Finding> {
    let mine = comparison_in(pair.claim, pair.sentence.words.clone())?;
    if let Some(found) = by_numbers(pair, &mine) {
        return Some(found);
    }
    let anchored = pair.align.anchor..pair.align.anchor.saturating_add(1);
    let sentences =
        anchored.chain(pair.passage.clone()).filter_map(|at| pair.source.sentences.get(at));
    let Some(theirs) = sentences
        .into_iter()
        .find_map(|sentence| comparison_in(pair.source, sentence.words.clone()))
    else {
        return attribute(pair, &mine).or_else(|| uncompared(pair));
    };
    let opposite = is_opposite(&mine.by, &theirs.by)?;
    let turns = [
        opposite,
        mine.down != theirs.down,
        is_exchanged(pair, &mine, &theirs)?,
        mine.denied != theirs.denied,
    ];
    let odd = turns.iter().filter(|turn| **turn).count() % 2 == 1;
    odd.then(other_way)
}

/// What grows with its number, and what shrinks; a fast thing takes less time.
const GROWING: &str = "more large big great high tall long heavy wide deep many much old expensive dear loud hot populous";
const SHRINKING: &str =
    "small little low short light narrow shallow few young cheap quiet cold less";

/// "The bus is faster than the train" against the two numbers of a passage that gives both.
fn by_numbers(pair: &Pair<'_>, mine: &Comparison) -> Option<Finding> {
    let amounts: Vec<&Amount> = pair
        .source_amounts()
        .map(|(_, known)| known)
        .filter(|known| known.sentence == pair.align.anchor && !known.label)
        .filter(|known| matches!(known.quantity.amount, Value::Point { .. }))
        .collect();
    let [first, second] = amounts.as_slice() else { return None };
    // "3,100 crowns a month and nurses 2,800": the second goes without its unit.
    let bare = second.quantity.unit == Unit::Count && second.quantity.counts.is_none();
    let alike = first.quantity.unit == second.quantity.unit || bare;
    let (one, other) = (owner(pair, mine, first)?, owner(pair, mine, second)?);
    let timed = matches!(first.quantity.unit, Unit::Measure(Dimension::Time));
    let by = mine.by.as_ref();
    let is = |list: &str| list.split(' ').any(|word| word == by);
    let grows = match by {
        "fast" | "quick" if timed => false,
        "slow" if timed => true,
        _ if timed && !is("long short") => return None,
        _ if is(GROWING) => true,
        _ if is(SHRINKING) => false,
        _ => return None,
    } != mine.down;
    if !alike || one == other {
        return None;
    }
    let (Value::Point { value: a, .. }, Value::Point { value: b, .. }) =
        (first.quantity.amount, second.quantity.amount)
    else {
        return None;
    };
    let (left, right) = if one == Side::Left { (a, b) } else { (b, a) };
    let holds = if grows { left > right } else { left < right };
    (holds == mine.denied && left != right).then(other_way)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// Whose number it is: the side that was named last before it, or behind it after a word such as "by".
fn owner(pair: &Pair<'_>, mine: &Comparison, amount: &Amount) -> Option<Side> {
    let side = |place: usize| {
        let claimed = pair.align.claimed(place)?;
        // "Nurses earn more": what both do tells nothing.
        pair.source.word(place).filter(|word| word.tag != Tag::Verb)?;
        match (mine.left.contains(&claimed), mine.right.contains(&claimed)) {
            (true, false) => Some(Side::Left),
            (false, true) => Some(Side::Right),
            _ => None,
        }
    };
    let words: Vec<usize> = pair.anchor_words().map(|(place, _)| place).collect();
    let before = words.iter().rev().filter(|place| **place < amount.words.start);
    let behind = words.iter().filter(|place| **place >= amount.words.end);
    // "40 minutes by train".
    let by = pair.source.word(amount.words.end).is_some_and(|word| listed(word, "by for in on"));
    match by {
        true => behind.copied().take(4).find_map(side),
        false => before.copied().find_map(side),
    }
}

fn other_way() -> Finding {
    Finding::new(Kind::Comparison, "the comparison goes the other way in the source")
}

/// The claim compares where nothing in the passage does.
fn uncompared(pair: &Pair<'_>) -> Option<Finding> {
    const COMPARING: &str = "up down more less fewer than twice double triple half compared while whereas but first second after before exceed outperform";
    let compared = pair.source_words().any(|(_, word)| {
        matches!(word.form, Form::Comparative | Form::Superlative) || listed(word, COMPARING)
    });
    let numbers = pair.source_amounts().count() > 1;
    (!compared && !numbers)
        .then(|| Finding::new(Kind::Added, "the source does not compare the two"))
}

/// Whether two words compare in opposite ways; none when they compare different things.
fn is_opposite(mine: &str, theirs: &str) -> Option<bool> {
    if mine == theirs {
        return Some(false);
    }
    match relation(mine, theirs) {
        Some(Relation::Opposite) => Some(true),
        Some(Relation::Same | Relation::Near | Relation::Derived) => Some(false),
        _ => None,
    }
}

/// A claim that compares, against a passage that only calls one of the two "the heavier Brio".
fn attribute(pair: &Pair<'_>, mine: &Comparison) -> Option<Finding> {
    pair.source_words().find_map(|(at, other)| {
        let (by, down) = compared_by(pair.source, at, other)?;
        let opposite = is_opposite(&mine.by, &by)? != (mine.down != down);
        let beside = pair.source.span(at + 1..(at + 4).min(pair.source.words.len())).find_map(
            |(place, word)| pair.align.claimed(place).filter(|_| word.sentence == other.sentence),
        );
        // "costs 300 euros more" is said of the subject.
        let subject = || Frame::new(pair.source, other.clause).subject;
        let owners: Vec<usize> = beside.map_or_else(
            || subject().iter().flat_map(|noun| described(pair, *noun)).collect(),
            |owner| vec![owner],
        );
        let (left, right) = (
            owners.iter().filter(|owner| mine.left.contains(owner)).count(),
            owners.iter().filter(|owner| mine.right.contains(owner)).count(),
        );
        (left != right && opposite == (left > right)).then(other_way)
    })
}

/// The claim's words for a noun of the passage and for the adjective before it: "older dogs".
fn described(pair: &Pair<'_>, noun: usize) -> Vec<usize> {
    let before = noun
        .checked_sub(1)
        .filter(|at| pair.source.word(*at).is_some_and(|word| word.tag == Tag::Adjective));
    // The adjective tells two of a kind apart; the noun is said of both.
    let telling = before.and_then(|at| pair.align.claimed(at));
    telling.or_else(|| pair.align.claimed(noun)).into_iter().collect()
}

/// Whether a claim compares two sides, which [`comparison`] judges.
pub(super) fn compares(pair: &Pair<'_>) -> bool {
    comparison_in(pair.claim, pair.sentence.words.clone()).is_some()
}

fn comparison_in(reading: &Reading<'_>, words: Range<usize>) -> Option<Comparison> {
    with_than(reading, words.clone())
        .or_else(|| times_as(reading, words.clone()))
        .or_else(|| ahead_of(reading, words))
}

/// "Twice as many volumes as the old building", "half as long as": the two sides of a multiple.
fn times_as(reading: &Reading<'_>, words: Range<usize>) -> Option<Comparison> {
    let is_as = |at: usize| reading.word(at).is_some_and(|word| word.lower.as_ref() == "as");
    let (at, times) = reading.span(words.clone()).find_map(|(at, word)| {
        let amount = word.amount.and_then(|number| reading.amounts.get(number))?;
        let Value::Point { value, .. } = amount.quantity.amount else { return None };
        let factor = match amount.quantity.unit {
            Unit::Times => value,
            Unit::Percent => value / 100.0,
            _ => return None,
        };
        (amount.words.end == at + 1 && is_as(at + 1) && factor != 1.0).then_some((at, factor))
    })?;
    let measure = reading.word(at + 2)?;
    let (second, _) = reading.span(at + 3..words.end.min(at + 8)).find(|(at, _)| is_as(*at))?;
    let by = match measure.lower.as_ref() {
        "many" | "much" => "more",
        _ => measure.lemma.as_ref(),
    };
    let denied = reading.span(words.start..at).any(|(_, word)| word.cue);
    Some(Comparison {
        by: by.into(),
        down: times < 1.0,
        left: words.start..at,
        right: second + 1..words.end,
        denied,
    })
}

/// "17 days ahead of Krog", "two minutes behind Tadesse".
fn ahead_of(reading: &Reading<'_>, words: Range<usize>) -> Option<Comparison> {
    let (at, word) = reading.span(words.clone()).find(|(at, word)| {
        let of = reading.word(at + 1).is_some_and(|next| next.lower.as_ref() == "of");
        let name =
            reading.span(at + 1..(at + 4).min(words.end)).any(|(_, next)| next.tag == Tag::Name);
        name && (word.lower.as_ref() == "ahead" && of || word.lower.as_ref() == "behind")
    })?;
    let by = if word.lower.as_ref() == "ahead" { "early" } else { "late" };
    let denied = reading.span(words.start..at).any(|(_, word)| word.cue);
    Some(Comparison {
        by: by.into(),
        down: false,
        left: words.start..at,
        right: at + 1..words.end,
        denied,
    })
}

fn with_than(reading: &Reading<'_>, words: Range<usize>) -> Option<Comparison> {
    let bound = |at: usize| {
        reading.word(at + 1).is_some_and(|next| {
            next.amount
                .and_then(|amount| reading.amounts.get(amount))
                .is_some_and(|amount| !matches!(amount.quantity.amount, Value::Date(_)))
        })
    };
    let than = reading
        .span(words.clone())
        .find(|(at, word)| word.lower.as_ref() == "than" && !bound(*at))
        .map(|(at, _)| at)?;
    let start = words.start.max(than.saturating_sub(7));
    let (at, (by, down)) = reading
        .span(start..than)
        .rev()
        .find_map(|(at, word)| Some((at, compared_by(reading, at, word)?)))?;
    let denied = reading.span(words.start..at).any(|(_, word)| word.cue);
    Some(Comparison { by, down, left: words.start..at, right: than + 1..words.end, denied })
}

/// What a word compares by, and whether downwards; none for a word that does not compare.
fn compared_by(reading: &Reading<'_>, at: usize, word: &Word) -> Option<(Box<str>, bool)> {
    if listed(word, "rather other") || word.amount.is_some() {
        return None;
    }
    match word.lower.as_ref() {
        "later" => return Some(("late".into(), false)),
        "earlier" | "sooner" => return Some(("early".into(), false)),
        _ => {}
    }
    if matches!(word.lower.as_ref(), "more" | "less" | "fewer") {
        let next = reading.word(at + 1).filter(|next| {
            matches!(next.tag, Tag::Adjective | Tag::Adverb)
                && next.is_content()
                && word.lower.as_ref() != "fewer"
        });
        let by = next.map_or("more", |next| next.lemma.as_ref());
        return Some((by.into(), word.lower.as_ref() != "more"));
    }
    (word.form == Form::Comparative).then(|| (word.lemma.clone(), false))
}

/// Whether the claim's left side is the passage's right side; none when neither can be told.
fn is_exchanged(pair: &Pair<'_>, mine: &Comparison, theirs: &Comparison) -> Option<bool> {
    let weigh = |side: &Range<usize>, other: &Range<usize>| {
        let words = pair.claim.span(side.clone()).filter(|(_, word)| {
            word.is_content()
                && matches!(word.tag, Tag::Noun | Tag::Name | Tag::Adjective | Tag::Verb)
        });
        words
            .filter(|(at, _)| pair.align.firm(*at).is_some_and(|link| other.contains(&link.at)))
            .map(|(_, word)| word.weight)
            .sum::<f32>()
    };
    let dates = |side: &Range<usize>, other: &Range<usize>| {
        let inside = pair.claim_amounts().filter(|(_, amount)| side.contains(&amount.words.start));
        let found = inside.filter(|(_, mine)| {
            pair.source_amounts().any(|(_, known)| {
                other.contains(&known.words.start)
                    && mine.quantity.against(&known.quantity)
                        > probity_text::quantity::Match::Different
            })
        });
        found.count() as f32
    };
    let total = |side: &Range<usize>, other: &Range<usize>| weigh(side, other) + dates(side, other);
    let (straight, across) = (total(&mine.right, &theirs.right), total(&mine.right, &theirs.left));
    let back = total(&mine.left, &theirs.right);
    // What is compared with tells more than what is compared: the latter shares words with the verb.
    let exchanged =
        across > straight && (back > 0.0 || straight == 0.0) || back > 0.0 && straight == 0.0;
    (straight + across + back > 0.0).then_some(exchanged)
}
