//! Does the passage affirm what the claim affirms, and deny what it denies?
//!
//! Everything that turns a meaning round is counted on both sides: a "not", a verb that denies by
//! itself, a word in the place of its opposite. An odd count is a contradiction.

use probity_text::lemma::Form;
use probity_text::lexicon::{Relation, concept, relation};
use probity_text::quantity::Amount as Value;
use probity_text::tag::Tag;

use super::align::Link;
use super::comparison::compares;
use super::finding::{Finding, Kind};
use super::frame::Frame;
use super::numbers::Numbers;
use super::pair::{Pair, home_clause, listed};
use super::reading::{Reading, Word};

/// Verbs that deny what hangs on them.
const LACKING: &str = "lack refuse decline fail avoid cease free";

/// Pairs of opposites that say the same with their two sides exchanged: A sells to B, B buys from A.
const CONVERSE: &[(&str, &str)] = &[
    ("buy", "sell"),
    ("purchase", "sell"),
    ("give", "receive"),
    ("give", "get"),
    ("lend", "borrow"),
    ("teach", "learn"),
    ("beat", "lose_to"),
    ("win", "lose"),
    ("defeat", "lose"),
    ("precede", "follow"),
    ("award", "win"),
    ("award", "receive"),
    ("lead", "trail"),
    ("send", "receive"),
    ("parent", "child"),
    ("ahead", "behind"),
    ("before", "after"),
    ("above", "below"),
    ("employ", "work"),
    ("pay", "receive"),
    ("sell", "purchase"),
];
/// Words that deny by themselves.
const DENYING: &str = "lack fail unable unknown unaffected undisclosed unchanged forbid ban prohibit missing absent exempt exclude refuse reject deny free unaware impossible illegal unlike stop end abolish drop abandon cancel failed failure nothing forbidden prohibited banned disagree unclear freeze disappear vanish fade withdraw";
/// Cues that deny an addition, not the clause.
const ADJUNCT: &str = "without unlike rather instead except little few away than of from";
/// How far around a word its company is looked for.
const REACH: usize = 5;

/// Finds denials and opposites that the claim and its passage do not share.
pub(super) fn polarity(pair: &Pair<'_>, numbers: &Numbers, exchanged: bool) -> Vec<Finding> {
    let mut found = Vec::new();
    let compares = compares(pair);
    for (at, word) in pair.content() {
        let Some(link) = pair.align.firm(at) else { continue };
        let Some(source) = pair.source.word(link.at) else { continue };
        let turned = word.denied != source.denied;
        if link.opposite {
            let judged = compares && (is_compared(word) || is_compared(source));
            let both = is_compared(word) && is_compared(source) && exchanged;
            let converse = both
                || is_converse(word, source) && (exchanged || takes_other_side(pair, at, link.at));
            if !turned && !judged && !converse && is_parallel(pair, numbers, at, link.at) {
                found.push(opposed(word, &source.lower));
            }
            continue;
        }
        let other = opposite_at_home(pair, numbers, at, link.at)
            .or_else(|| opposite_of_subject(pair, at, link.at));
        if let Some(other) = other {
            found.push(opposed(word, &other));
        }
        let narrow = word.denied && word.narrow || source.denied && source.narrow;
        if turned
            && narrow
            && link.grade > 0.75
            && matches!(word.tag, Tag::Noun | Tag::Verb)
            && !has_opposite_near(pair, at, link.at)
            && !is_exclusive(pair)
            && lexical(pair, word.clause, source.clause) == 0
            && !both_without(pair)
            && !pair.claim_has(LACKING)
            && !pair.source_has(LACKING)
            && !is_said_otherwise(pair, at, link.at)
        {
            found.push(Finding::new(
                Kind::DeniedLoosely,
                format!("the claim and the source differ on whether “{}” is denied", word.lower),
            ));
        }
    }
    if found.is_empty() && !compares && !is_exclusive(pair) && !is_unsurpassed(pair) {
        found.extend(pair.sentence.clauses.clone().find_map(|clause| denial(pair, clause)));
    }
    if found.is_empty() {
        found.extend(direction(pair, numbers));
    }
    found.truncate(2);
    found
}

/// "rose to 185" where the passage has "from 188 to 185".
fn direction(pair: &Pair<'_>, numbers: &Numbers) -> Option<Finding> {
    numbers.confirmed.iter().find_map(|confirmed| {
        let (mine, known) =
            (pair.claim.amounts.get(confirmed.claim)?, pair.source.amounts.get(confirmed.source)?);
        let Value::Change { from, to } = known.quantity.amount else { return None };
        let near = pair
            .claim
            .span(mine.words.start.saturating_sub(REACH)..mine.words.start)
            .filter(|(_, word)| word.is_content() && word.tag == Tag::Verb && !word.denied);
        let side = if to > from { "increase" } else { "decrease" };
        let turned = near
            .into_iter()
            .find(|(_, word)| concept(&word.lemma, side) == Some(Relation::Opposite));
        turned.map(|(_, word)| {
            Finding::new(
                Kind::Opposite,
                format!("the source's figures go the other way than “{}”", word.lower),
            )
        })
    })
}

fn opposed(word: &Word, other: &str) -> Finding {
    Finding::new(
        Kind::Opposite,
        format!("the source says “{other}” where the claim says “{}”", word.lower),
    )
}

fn is_compared(word: &Word) -> bool {
    word.form == Form::Comparative || matches!(word.lower.as_ref(), "more" | "less" | "fewer")
}

/// Counts what turns one clause of the claim round, here and in the passage.
fn denial(pair: &Pair<'_>, clause: usize) -> Option<Finding> {
    let words = pair.claim.clauses.get(clause)?.words.clone();
    let open = pair.claim.word(words.start).is_some_and(|word| word.lower.as_ref() == "whether");
    let mine = telling(pair, clause).filter(|_| !open)?;
    let found = reliable(pair, mine);
    let (claim_turned, source_turned, home) = match found {
        Some(link) => {
            let source = pair.source.word(link.at)?;
            (is_turned(pair.claim, mine), is_turned(pair.source, link.at), source.clause)
        }
        // A predicate in other words may hold the denial in itself ("could not be reached", "went offline").
        None if pair
            .claim
            .word(mine)
            .is_some_and(|word| word.is_content() && word.tag != Tag::Noun) =>
        {
            return None;
        }
        None => {
            let home = clause_home(pair, clause)?;
            let voted = votes(pair, clause, home)?;
            (voted.0, voted.1, home)
        }
    };
    let flips =
        usize::from(claim_turned) + usize::from(source_turned) + lexical(pair, clause, home);
    let opposite = pair
        .claim
        .span(words)
        .filter(|(_, word)| word.is_content())
        .filter(|(at, _)| {
            pair.align.firm(*at).is_some_and(|link| {
                link.opposite && pair.source.word(link.at).is_some_and(|word| word.clause == home)
            })
        })
        .count();
    if (flips + opposite).is_multiple_of(2) || claim_turned == source_turned && opposite > 0 {
        return None;
    }
    let text = if claim_turned {
        "the claim denies what the source says"
    } else {
        "the source denies what the claim says"
    };
    Some(Finding::new(if found.is_some() { Kind::Denied } else { Kind::DeniedLoosely }, text))
}

/// What a clause says of its subject: its predicate, or the object of a verb that says little.
fn telling(pair: &Pair<'_>, clause: usize) -> Option<usize> {
    let frame = Frame::new(pair.claim, clause);
    let heaviest = || {
        pair.content()
            .filter(|(at, word)| {
                word.clause == clause && pair.align.firm(*at).is_some() && word.tag != Tag::Name
            })
            .max_by(|a, b| a.1.weight.total_cmp(&b.1.weight))
            .map(|(at, _)| at)
    };
    let Some(verb) = frame.predicate else { return heaviest() };
    let light = pair.claim.word(verb).is_some_and(|word| word.weight < 0.3);
    // "A study found that …": what was found is said in the next clause.
    let next =
        pair.claim.clauses.get(clause + 1).and_then(|next| pair.claim.word(next.words.start));
    if light
        && next
            .is_some_and(|word| matches!(word.lower.as_ref(), "that" | "whether" | "how" | "why"))
    {
        return None;
    }
    // "contains no limestone": where the verb is put in other words, what is denied tells.
    let governed = || {
        pair.content()
            .find(|(at, word)| {
                word.clause == clause
                    && word.tag == Tag::Noun
                    && is_governed(pair.claim, *at)
                    && reliable(pair, *at).is_some()
            })
            .map(|(at, _)| at)
    };
    if reliable(pair, verb).is_none()
        && let Some(noun) = governed()
    {
        return Some(noun);
    }
    let object = frame.object.first().copied().filter(|_| light && !frame.passive);
    Some(object.unwrap_or(verb))
}

/// Whether a word is denied, or has an object that is: "did not find an effect", "found no effect".
fn is_turned(reading: &Reading<'_>, at: usize) -> bool {
    let Some(word) = reading.word(at) else { return false };
    let verb = word.tag == Tag::Verb;
    let object = reading
        .span(at + 1..(at + REACH).min(reading.words.len()))
        .take_while(|(_, next)| {
            next.tag != Tag::Preposition && next.tag != Tag::Mark && next.clause == word.clause
        })
        .find(|(_, next)| next.tag == Tag::Noun);
    word.denied || verb && object.is_some_and(|(place, _)| is_governed(reading, place))
}

/// Where a claim's predicate was found, if that can be relied on: the same word, or a synonym in the
/// sentence that holds most of the claim.
fn reliable(pair: &Pair<'_>, at: usize) -> Option<Link> {
    let link = pair.align.firm(at).filter(|link| !link.opposite && link.grade > 0.75)?;
    let (word, source) = (pair.claim.word(at)?, pair.source.word(link.at)?);
    let verb = word.tag == Tag::Verb && source.tag == Tag::Verb && word.lemma == source.lemma;
    let home = source.sentence == pair.align.anchor;
    (home && (word.tag == source.tag || is_governed(pair.source, link.at)) || verb).then_some(link)
}

/// The clause of the passage that holds most of one clause of the claim.
fn clause_home(pair: &Pair<'_>, clause: usize) -> Option<usize> {
    if pair.sentence.clauses.len() == 1 {
        return home_clause(pair);
    }
    let mut counts: Vec<(usize, f32)> = Vec::new();
    for (at, word) in pair.content().filter(|(_, word)| word.clause == clause) {
        let Some((_, source)) = pair.counterpart(at) else { continue };
        match counts.iter_mut().find(|(known, _)| *known == source.clause) {
            Some((_, sum)) => *sum += word.weight,
            None => counts.push((source.clause, word.weight)),
        }
    }
    counts.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(clause, _)| clause)
}

/// Whether a clause of the claim, and the clause of the passage that holds it, are denied as wholes.
fn votes(pair: &Pair<'_>, clause: usize, home: usize) -> Option<(bool, bool)> {
    let denied = |reading: &Reading<'_>, clause: usize| {
        let words = reading.clauses.get(clause)?.words.clone();
        Some(reading.span(words).any(|(_, word)| word.cue && !listed(word, ADJUNCT)))
    };
    let weigh = |firm: bool| {
        pair.content()
            .filter(|(at, word)| word.clause == clause && pair.align.firm(*at).is_some() == firm)
            .map(|(_, word)| word.weight)
            .sum::<f32>()
    };
    (weigh(true) > 1.5 * weigh(false)).then_some(())?;
    Some((denied(pair.claim, clause)?, denied(pair.source, home)?))
}

/// Both sides have a "without"; whose it is, is not worth the doubt.
fn both_without(pair: &Pair<'_>) -> bool {
    pair.claim_has("without") && pair.source_has("without")
}

/// "did not find an effect" and "found no effect" deny the same noun, one with its verb.
fn is_said_otherwise(pair: &Pair<'_>, claim: usize, source: usize) -> bool {
    let denied = |reading: &Reading<'_>, at: usize| {
        reading.word(at).is_some_and(|word| word.denied) || is_turned(reading, at)
    };
    denied(pair.claim, claim) == denied(pair.source, source)
}

/// How many of the two predicates deny by themselves without the other having the same word.
fn lexical(pair: &Pair<'_>, clause: usize, home: usize) -> usize {
    let denies = |reading: &Reading<'_>, at: usize| {
        reading.word(at).is_some_and(|word| word.is_content() && listed(word, DENYING))
    };
    let mine = Frame::new(pair.claim, clause)
        .predicate
        .filter(|at| denies(pair.claim, *at) && pair.align.firm(*at).is_none());
    let clauses = pair
        .source
        .clauses
        .get(home)
        .and_then(|clause| pair.source.word(clause.words.start))
        .and_then(|word| pair.source.sentences.get(word.sentence))
        .map_or(home..home + 1, |sentence| sentence.clauses.clone());
    // "Children are exempt, as are riders": the word may stand in the clause before.
    let beside = clauses.filter(|clause| clause.abs_diff(home) <= 1 && *clause <= home);
    let theirs = beside
        .filter_map(|clause| Frame::new(pair.source, clause).predicate)
        .find(|at| denies(pair.source, *at) && pair.align.claimed(*at).is_none());
    usize::from(mine.is_some()) + usize::from(theirs.is_some())
}

/// Whether a noun is the one that a "no" or "any" before it denies: "no bridge", "not any bridge".
fn is_governed(reading: &Reading<'_>, at: usize) -> bool {
    let before = reading.span(at.saturating_sub(3)..at).rev().take_while(|(_, word)| {
        word.cue || matches!(word.tag, Tag::Adjective | Tag::Determiner | Tag::Noun)
    });
    before.into_iter().any(|(_, word)| word.cue)
}

/// "No older whale is known" and "the oldest whale known".
fn is_unsurpassed(pair: &Pair<'_>) -> bool {
    let superlative = |lemma: &str| {
        pair.source_words()
            .any(|(_, word)| word.form == Form::Superlative && word.lemma.as_ref() == lemma)
    };
    pair.content().any(|(at, word)| {
        word.form == Form::Comparative
            && is_governed(pair.claim, at + 1)
            && superlative(&word.lemma)
    })
}

/// The claim's verb stands in another clause than the rest of it, and where the rest is, the source
/// has the opposite: "grew" of one colony, "shrank" of the other.
fn opposite_at_home(
    pair: &Pair<'_>,
    numbers: &Numbers,
    claim: usize,
    source: usize,
) -> Option<String> {
    let word = pair.claim.word(claim).filter(|word| {
        (matches!(word.tag, Tag::Verb | Tag::Adjective) || is_compared(word)) && !word.denied
    })?;
    let home = home_clause(pair)?;
    pair.source.word(source).filter(|found| found.clause != home)?;
    let fits = |other: &Word| {
        other.tag == word.tag
            || matches!(other.lower.as_ref(), "up" | "down")
            || is_compared(word) && is_compared(other)
    };
    let opposite = |other: &Word| {
        relation(&word.lemma, &other.lemma) == Some(Relation::Opposite)
            || relation(&word.lower, &other.lower) == Some(Relation::Opposite)
    };
    let opposed =
        |other: &Word| !other.denied && fits(other) && !is_converse(word, other) && opposite(other);
    let words = pair.source.clauses.get(home)?.words.clone();
    pair.source
        .span(words)
        .find(|(at, other)| {
            other.is_content() && opposed(other) && is_parallel(pair, numbers, claim, *at)
        })
        .map(|(_, other)| other.lower.to_string())
}

/// The claim's verb was found beside the point, and where its subject is, the source has the opposite:
/// "shares rose" against "shares fell … citing rising debt".
fn opposite_of_subject(pair: &Pair<'_>, claim: usize, source: usize) -> Option<String> {
    let word = pair.claim.word(claim).filter(|word| word.tag == Tag::Verb && !word.denied)?;
    let mine = Frame::new(pair.claim, word.clause);
    if mine.predicate != Some(claim) {
        return None;
    }
    let sentence = pair.source.sentences.get(pair.align.anchor)?;
    sentence.clauses.clone().find_map(|clause| {
        let theirs = Frame::new(pair.source, clause);
        let verb = theirs.predicate.filter(|verb| *verb != source)?;
        let other = pair.source.word(verb).filter(|other| !other.denied)?;
        let same = mine.subject.iter().filter_map(|at| pair.claim.word(*at)).any(|subject| {
            let known = theirs.subject.iter().filter_map(|at| pair.source.word(*at));
            known.into_iter().any(|known| known.lemma == subject.lemma)
        });
        let opposite = opposes(word, other) && !is_converse(word, other);
        (opposite && same && mine.passive == theirs.passive).then(|| other.lower.to_string())
    })
}

/// Whether two verbs are opposites; "fell" may have been read as a form of another verb.
fn opposes(a: &Word, b: &Word) -> bool {
    let bases = |word: &Word| [word.lemma.to_string(), probity_text::lemma::lemma(&word.lower)];
    let theirs = bases(b);
    bases(a).iter().any(|a| theirs.iter().any(|b| relation(a, b) == Some(Relation::Opposite)))
}

/// "Not on people, only on rats" and "only on rats" say the same with and without a denial.
fn is_exclusive(pair: &Pair<'_>) -> bool {
    let only = |word: &Word| matches!(word.lower.as_ref(), "only" | "except" | "apart");
    let mine = pair.claim_words().any(|(_, word)| only(word));
    let theirs = pair.anchor_words().any(|(_, word)| only(word));
    mine && theirs
}

fn has_opposite_near(pair: &Pair<'_>, claim: usize, source: usize) -> bool {
    let mine =
        pair.claim.span(claim.saturating_sub(REACH)..(claim + REACH).min(pair.claim.words.len()));
    mine.filter(|(_, word)| word.is_content()).any(|(_, word)| {
        let theirs = pair
            .source
            .span(source.saturating_sub(REACH)..(source + REACH).min(pair.source.words.len()));
        theirs
            .filter(|(_, other)| other.is_content())
            .any(|(_, other)| relation(&word.lemma, &other.lemma) == Some(Relation::Opposite))
    })
}

/// Whether the one who buys in the claim is the one it was sold to in the passage.
fn takes_other_side(pair: &Pair<'_>, claim: usize, source: usize) -> bool {
    let (mine, theirs) = (Frame::around(pair.claim, claim), Frame::around(pair.source, source));
    let other = |place: usize| {
        theirs.object.contains(&place)
            || theirs.passive && theirs.subject.contains(&place)
            || theirs.hanging.iter().any(|each| each.at == place)
    };
    mine.agent().iter().any(|at| pair.align.firm(*at).is_some_and(|link| other(link.at)))
}

fn is_converse(claim: &Word, source: &Word) -> bool {
    let (a, b) = (claim.lemma.as_ref(), source.lemma.as_ref());
    CONVERSE.iter().any(|pair| *pair == (a, b) || *pair == (b, a))
}

/// Whether two opposite words say something of the same thing: a neighbour of the one was found
/// beside the other.
fn is_parallel(pair: &Pair<'_>, numbers: &Numbers, claim: usize, source: usize) -> bool {
    let clause = pair.source.word(source).map(|word| word.clause);
    let mine = pair.claim.word(claim).map(|word| word.clause);
    let around = (claim.saturating_sub(REACH)..claim).chain(claim + 1..claim + 1 + REACH);
    let beside = around
        .filter(|at| {
            pair.claim.word(*at).is_some_and(|word| word.is_content() && Some(word.clause) == mine)
        })
        .filter_map(|at| pair.align.firm(at));
    let beside = beside.into_iter().any(|link| {
        let same = pair.source.word(link.at).map(|word| word.clause) == clause;
        !link.opposite && same && link.at.abs_diff(source) <= REACH + 1
    });
    // The same name may have been found elsewhere, and stand here too.
    let named = pair
        .content()
        .filter(|(at, word)| word.tag == Tag::Name && at.abs_diff(claim) <= REACH)
        .any(|(_, word)| {
            pair.source
                .span(source.saturating_sub(REACH)..source)
                .any(|(_, other)| other.lower == word.lower)
        });
    let number = numbers.confirmed.iter().any(|confirmed| {
        let (Some(mine), Some(theirs)) =
            (pair.claim.amounts.get(confirmed.claim), pair.source.amounts.get(confirmed.source))
        else {
            return false;
        };
        mine.words.start.abs_diff(claim) <= REACH && theirs.words.start.abs_diff(source) <= REACH
    });
    // "were in favour of it" and "were against it" have no company but a pronoun.
    let short = pair.content().count() <= 3;
    beside || number || short || named
}
