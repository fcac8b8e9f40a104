//! Of how many, and of which: all for some, the largest for the second-largest, a limit left out.

use probity_text::lemma::Form;
use probity_text::quantity::{Amount as Value, Bound, Match, Unit};
use probity_text::tag::Tag;

use crate::check::finding::{Finding, Kind};
use crate::check::pair::{Pair, home_clause, listed};
use crate::check::reading::{Reading, Word};

const ALL: &str = "all every each always everyone everybody anyone anybody everywhere everything entire whole any completely fully totally";
const ALL_KNOWN: &str = "all every each always everyone everybody everything entire whole any both none no never nobody unanimous unanimously throughout fully completely total";
const MOST: &str = "most majority mostly";
/// How far behind a superlative the words stand that say within what it holds.
const SCOPE_REACH: usize = 8;
const MOST_KNOWN: &str = "most majority mostly mainly largely all every predominantly chiefly";

/// All for some, most for a few.
pub(super) fn quantifier(pair: &Pair<'_>) -> Option<Finding> {
    let mine = |list: &str| {
        pair.claim_words().find(|(at, word)| {
            listed(word, list) && word.amount.is_none() && !is_idiom(pair.claim, *at)
        })
    };
    let theirs = |list: &str| pair.anchor_words().any(|(_, word)| listed(word, list));
    let shares = || {
        pair.source_amounts()
            .filter(|(_, known)| {
                known.quantity.unit == Unit::Percent && known.sentence == pair.align.anchor
            })
            .filter_map(|(_, known)| match known.quantity.amount {
                Value::Point { value, .. } => Some(value),
                _ => None,
            })
    };
    if let Some((at, word)) = mine(ALL)
        && !is_quantified(pair, at, ALL_KNOWN)
        && !shares().any(|share| share == 100.0)
        && !at.checked_sub(1).and_then(|at| pair.claim.word(at)).is_some_and(|before| before.cue)
    {
        return Some(Finding::new(
            Kind::Quantifier,
            format!("the source does not say “{}”", word.lower),
        ));
    }
    if let Some((at, word)) = mine(MOST)
        && pair.align.firm(at).is_none_or(|link| link.opposite)
        && !theirs(MOST_KNOWN)
        && !shares().any(|share| share > 50.0)
        && !is_majority(pair)
    {
        // "only a quarter" is not most.
        if shares().next().is_some() {
            return Some(Finding::new(
                Kind::Number,
                format!("the source does not say “{}”", word.lower),
            ));
        }
        return Some(Finding::new(
            Kind::Quantifier,
            format!("the source does not say “{}”", word.lower),
        ));
    }
    if let Some(found) = of_the_others(pair) {
        return Some(found);
    }
    let only = pair.claim_words().any(|(at, word)| {
        word.lower.as_ref() == "only"
            && pair.claim.word(at + 1).is_some_and(|next| {
                matches!(next.tag, Tag::Noun | Tag::Determiner | Tag::Name) && next.amount.is_none()
            })
    });
    if only && !pair.source_has("only just sole solely alone except exclusively limited merely but")
    {
        return Some(Finding::new(Kind::Quantifier, "the source does not say “only”"));
    }
    let both = pair.claim_has("both")
        && pair
            .anchor_words()
            .zip(pair.anchor_words().skip(1))
            .any(|((_, a), (_, b))| a.lower.as_ref() == "one" && b.lower.as_ref() == "of");
    both.then(|| Finding::new(Kind::Quantifier, "the source says this of one of them"))
}

/// The claim says of most what the source says of the rest, or the other way round.
fn of_the_others(pair: &Pair<'_>) -> Option<Finding> {
    const SHARES: &str = "most majority rest remainder";
    let (_, word) = pair.claim_words().find(|(_, word)| listed(word, SHARES))?;
    let (_, known) = pair.anchor_words().find(|(_, known)| known.lower == word.lower)?;
    let verbs = pair.content().filter(|(_, word)| word.tag == Tag::Verb);
    let mut clauses = verbs.filter_map(|(at, _)| Some(pair.counterpart(at)?.1.clause));
    let others = |clause: usize| {
        let inside = pair.anchor_words().filter(|(_, word)| word.clause == clause);
        inside.into_iter().any(|(_, other)| listed(other, SHARES) && other.lower != word.lower)
    };
    clauses.any(|clause| clause != known.clause && others(clause)).then(|| {
        Finding::new(Kind::Number, format!("the source does not say this of “{}”", word.lower))
    })
}

/// "39 of 46", "more than half", or "two of nine" of which the claim speaks of the rest: most of them.
fn is_majority(pair: &Pair<'_>) -> bool {
    let rest = pair.claim_words().any(|(_, word)| {
        word.cue || listed(word, "miss missing remain still survive survivor lose without lack")
    });
    let counts: Vec<(f64, usize)> = pair
        .source_amounts()
        .filter_map(|(_, known)| match known.quantity.amount {
            Value::Point { value, .. } if known.quantity.unit == Unit::Count => {
                Some((value, known.words.start))
            }
            _ => None,
        })
        .collect();
    let parts = counts.windows(2).any(|two| {
        let [(part, start), (whole, end)] = two else { return false };
        let of = pair.source.span(*start..*end).any(|(_, word)| word.lower.as_ref() == "of");
        let most = 2.0 * part > *whole;
        of && part < whole && most != rest
    });
    let over = pair.source_amounts().any(|(_, known)| {
        let half = matches!(known.quantity.amount, Value::Point { value, .. } if value >= 50.0);
        half && known.quantity.unit == Unit::Percent
            && matches!(known.quantity.bound, Bound::MoreThan | Bound::AtLeast)
    });
    parts || over
}

/// Whether the passage quantifies the same noun as strongly, or, where the word quantifies no noun
/// ("always"), holds such a word where the claim is.
fn is_quantified(pair: &Pair<'_>, at: usize, list: &str) -> bool {
    let noun = pair
        .claim
        .span(at + 1..(at + 5).min(pair.sentence.words.end))
        .find(|(_, word)| word.tag == Tag::Noun && word.is_content());
    let Some((place, _)) = noun.filter(|(place, _)| pair.align.firm(*place).is_some()) else {
        return pair.anchor_words().any(|(_, word)| listed(word, list));
    };
    let Some((_, known)) = pair.counterpart(place) else { return false };
    // Said of the same noun where the rest of the claim is, not of the noun in another sentence.
    let rest: Vec<usize> = pair
        .content()
        .filter(|(other, _)| *other > place)
        .filter_map(|(other, _)| pair.counterpart(other))
        .map(|(_, word)| word.sentence)
        .collect();
    let here = |sentence: usize| rest.is_empty() || rest.contains(&sentence);
    pair.source_words().filter(|(_, word)| word.lemma == known.lemma && here(word.sentence)).any(
        |(noun, _)| {
            let before =
                pair.source.span(noun.saturating_sub(6)..noun).any(|(_, word)| listed(word, list));
            let after = pair
                .source
                .span(noun + 1..noun + 4)
                .any(|(_, word)| listed(word, "all each every unanimous unanimously"));
            before || after
        },
    )
}

/// "every day", "each other", "at most", "all but", "the most expensive": not of all, not of most.
fn is_idiom(reading: &Reading<'_>, at: usize) -> bool {
    let word = |at: Option<usize>| {
        at.and_then(|at| reading.word(at)).map_or("", |word| word.lower.as_ref())
    };
    let before = word(at.checked_sub(1));
    let next = reading.word(at + 1);
    let period = matches!(
        word(Some(at + 1)),
        "but"
            | "other"
            | "that"
            | "year"
            | "day"
            | "time"
            | "month"
            | "week"
            | "night"
            | "more"
            | "hour"
    );
    // "anyone who", "everyone caught": only those.
    let some = matches!(word(Some(at)), "anyone" | "everyone" | "anybody" | "everybody")
        && next.is_some_and(|next| {
            next.lower.as_ref() == "who"
                || next.tag == Tag::Verb && next.form != Form::Base && next.form != Form::S
        });
    let superlative = some
        || word(Some(at)) == "most"
            && next.is_some_and(|next| matches!(next.tag, Tag::Adjective | Tag::Adverb));
    let most = word(Some(at)) == "most" && matches!(before, "at" | "than" | "the");
    let all = word(Some(at)) == "all"
        && matches!(before, "in" | "at" | "of" | "after")
        && !next.is_some_and(|next| {
            matches!(next.tag, Tag::Noun | Tag::Number | Tag::Adjective | Tag::Determiner)
        });
    period || superlative || most || all
}

/// "The largest in the world" where the passage has "the largest in Africa and the fifth-largest in the
/// world": within what the claim names, the passage gives a rank.
fn is_ranked_within(pair: &Pair<'_>, at: usize, place: usize) -> bool {
    let end = pair.sentence.words.end.min(at + SCOPE_REACH);
    let within = pair.claim.span(at + 1..end).filter(|(near, word)| {
        matches!(word.tag, Tag::Noun | Tag::Name)
            && pair.claim.governor(*near).is_some_and(|by| matches!(by.lower.as_ref(), "in" | "of"))
    });
    within.filter_map(|(near, _)| pair.counterpart(near)).any(|(near, scope)| {
        let nearest =
            pair.source.span(near.saturating_sub(SCOPE_REACH)..near).rev().find(|(_, word)| {
                word.form == Form::Superlative && word.sentence == scope.sentence
            });
        nearest.is_some_and(|(other, _)| other != place && is_ranked(pair.source, other))
    })
}

/// The largest where the passage says the second-largest, or one of the largest.
pub(super) fn superlative(pair: &Pair<'_>) -> Option<Finding> {
    let first = |word: &Word| word.form == Form::Superlative;
    if let Some(word) = last_for_first(pair) {
        return Some(Finding::new(Kind::Rank, format!("the source does not say “{word}”")));
    }
    for (at, word) in pair.content().filter(|(_, word)| first(word)) {
        let Some((place, source)) = pair.counterpart(at) else { continue };
        if !is_ranked(pair.claim, at) && is_ranked_within(pair, at, place) {
            return Some(Finding::new(
                Kind::Rank,
                format!("the source gives another rank for “{}” there", word.lower),
            ));
        }
        if first(source) && is_ranked(pair.source, place) != is_ranked(pair.claim, at) {
            return Some(Finding::new(
                Kind::Rank,
                format!("the source gives another rank for “{}”", word.lower),
            ));
        }
        if !first(source) {
            return Some(Finding::new(
                Kind::Quantifier,
                format!("the source does not say “{}”", word.lower),
            ));
        }
        let one_of = pair
            .source
            .span(place.saturating_sub(4)..place)
            .any(|(_, word)| word.lower.as_ref() == "one");
        if one_of && !pair.claim_has("one") {
            return Some(Finding::new(
                Kind::Quantifier,
                format!("the source says “one of the {}”", source.lower),
            ));
        }
    }
    None
}

/// "the last woman to win" where the passage has "the first woman to win".
fn last_for_first(pair: &Pair<'_>) -> Option<String> {
    let ends =
        |word: &Word| matches!(word.lower.as_ref(), "last" | "final") && word.amount.is_none();
    pair.claim_words().filter(|(_, word)| ends(word)).find_map(|(at, word)| {
        let first = |at: usize| {
            pair.source
                .word(at)
                .and_then(|word| word.amount)
                .and_then(|amount| pair.source.amounts.get(amount))
                .is_some_and(|amount| amount.quantity.amount == Value::Ordinal(1))
        };
        let after = pair
            .claim
            .span(at + 1..(at + 3).min(pair.sentence.words.end))
            .find_map(|(at, _)| pair.align.firm(at))?;
        let found = after.at.checked_sub(1).is_some_and(first)
            || after.at.checked_sub(2).is_some_and(first);
        found.then(|| word.lower.to_string())
    })
}

/// Whether an ordinal stands right before a superlative.
fn is_ranked(reading: &Reading<'_>, at: usize) -> bool {
    reading.span(at.saturating_sub(2)..at).any(|(_, word)| {
        let amount = word.amount.and_then(|amount| reading.amounts.get(amount));
        amount.is_some_and(|amount| matches!(amount.quantity.amount, Value::Ordinal(_)))
    })
}

/// A denial, a superlative or an "any" holds only within its limits: "not for pregnant women" is not
/// "not", and "the oldest of its decade" is not "the oldest".
pub(super) fn widened(pair: &Pair<'_>) -> Option<Finding> {
    let extreme = |word: &Word| word.form == Form::Superlative || listed(word, "any only first");
    let denied = pair
        .content()
        .any(|(at, word)| word.tag == Tag::Verb && word.denied && pair.align.firm(at).is_some());
    let strong = pair.claim_words().any(|(_, word)| extreme(word));
    if !denied && !strong {
        return among(pair);
    }
    let limits: &[&str] = if strong {
        &["of", "in", "among", "since", "except", "from", "outside"]
    } else {
        &["to", "for", "among"]
    };
    let clause = pair
        .content()
        .filter_map(|(at, _)| pair.counterpart(at))
        .map(|(_, word)| word.clause)
        .max_by_key(|clause| {
            pair.content()
                .filter_map(|(at, _)| pair.counterpart(at))
                .filter(|(_, word)| word.clause == *clause)
                .count()
        })?;
    let words = pair.source.clauses.get(clause)?.words.clone();
    let limit = pair.source.span(words.clone()).find(|(at, word)| {
        let limiting = limits.contains(&word.lower.as_ref());
        let hangs = at.checked_sub(1).is_some_and(|before| pair.align.claimed(before).is_some());
        limiting && hangs && is_dropped(pair, *at, words.end)
    })?;
    let noun = pair
        .source
        .span(limit.0 + 1..words.end)
        .find(|(_, word)| matches!(word.tag, Tag::Noun | Tag::Name))
        .map(|(_, word)| word.lower.as_ref())?;
    Some(Finding::new(Kind::Limit, format!("the source limits this: “{} … {noun}”", limit.1.lower)))
}

/// "down 35 percent among people over 65" is not "down 35 percent".
fn among(pair: &Pair<'_>) -> Option<Finding> {
    let words = pair.source.clauses.get(home_clause(pair)?)?.words.clone();
    let (at, _) =
        pair.source.span(words.clone()).find(|(_, word)| word.lower.as_ref() == "among")?;
    let (_, noun) = pair.source.span(at + 1..words.end).find(|(_, word)| word.tag == Tag::Noun)?;
    is_dropped(pair, at, words.end).then(|| {
        Finding::new(Kind::Limit, format!("the source says this of some: “among … {}”", noun.lower))
    })
}

/// Whether nothing of the phrase behind a preposition is in the claim.
fn is_dropped(pair: &Pair<'_>, at: usize, end: usize) -> bool {
    let phrase = pair.source.span(at + 1..end.min(at + 6)).take_while(|(_, word)| {
        matches!(word.tag, Tag::Determiner | Tag::Adjective | Tag::Noun | Tag::Name | Tag::Number)
            || word.amount.is_some()
    });
    let nouns: Vec<usize> = phrase
        .filter(|(_, word)| matches!(word.tag, Tag::Noun | Tag::Name) && word.amount.is_none())
        .map(|(at, _)| at)
        .collect();
    let number = pair.source.span(at + 1..end.min(at + 6)).filter_map(|(_, word)| word.amount).any(
        |amount| {
            let known = pair.source.amounts.get(amount);
            known.is_some_and(|known| {
                pair.claim_amounts()
                    .any(|(_, mine)| mine.quantity.against(&known.quantity) > Match::Different)
            })
        },
    );
    !nouns.is_empty() && !number && nouns.iter().all(|at| pair.align.claimed(*at).is_none())
}
