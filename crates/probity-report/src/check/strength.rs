//! Does the claim say more firmly, or of more, what the passage says with reserve?

mod scope;

use probity_text::hedge::Hedge;
use probity_text::lemma::Form;
use probity_text::quantity::{Amount as Value, Match};
use probity_text::tag::Tag;

use super::finding::{Finding, Kind};
use super::frame::Frame;
use super::pair::{Pair, home_clause, listed};
use super::reading::{Amount, Word};

/// Words that say that one thing brings about another.
const CAUSAL: &str = "cause because due lead_to result_in result bring_about trigger provoke thanks_to reason owing prevent responsible make because_of due_to led_to as_a_result therefore blame attribute allow enable help lead";
/// Verbs that claim an effect when the passage only saw two things together.
const EFFECT: &str =
    "cause prevent lower reduce cut raise increase improve protect boost lead make cure stop help";
/// Words for two things seen together.
const TOGETHER: &str =
    "link associate association correlate correlation connect tie coincide relate";
/// Words before a noun that make it something else.
const RESERVED: &str = "former deputy vice acting assistant alleged proposed planned would-be so-called potential suspected";
/// Ways of saying less than that something is so.
const RESERVE: [Hedge; 4] = [Hedge::Possible, Hedge::Claimed, Hedge::Expected, Hedge::Planned];

/// Finds where the claim goes beyond the passage.
pub(super) fn strength(pair: &Pair<'_>) -> Vec<Finding> {
    let found = [
        hedge(pair),
        condition(pair),
        exception(pair),
        duty(pair),
        scope::quantifier(pair),
        cause(pair),
        scope::superlative(pair),
        reserve(pair),
        scope::widened(pair),
    ];
    found.into_iter().flatten().collect()
}

/// The hedges of the clauses of the passage that the claim's predicates were found in, but for
/// those whose word the claim repeats.
fn source_hedges(pair: &Pair<'_>) -> Vec<Hedge> {
    let predicates =
        pair.sentence.clauses.clone().filter_map(|clause| Frame::new(pair.claim, clause).predicate);
    let verbs = pair
        .content()
        .filter(|(_, word)| word.tag == Tag::Verb && word.weight > 0.3)
        .map(|(at, _)| at);
    let mut clauses: Vec<usize> = predicates
        .chain(verbs)
        .filter_map(|at| pair.counterpart(at))
        .map(|(_, source)| source.clause)
        .collect();
    if clauses.is_empty() {
        clauses.extend(home_clause(pair));
    }
    let clauses = clauses.iter().filter_map(|clause| pair.source.clauses.get(*clause));
    clauses
        .flat_map(|clause| &clause.hedges)
        .filter(|(_, at)| !is_repeated(pair, *at) && !is_aside(pair, *at))
        .map(|(hedge, _)| *hedge)
        .collect()
}

/// "the portrait, long thought to be his, is …": what stands between commas does not hedge the rest.
fn is_aside(pair: &Pair<'_>, at: usize) -> bool {
    let participle =
        pair.source.word(at).is_some_and(|word| matches!(word.form, Form::Past | Form::Participle));
    let before = pair.source.span(at.saturating_sub(2)..at).rev().find(|(_, word)| {
        word.tag != Tag::Adverb && word.lower.as_ref() != "long" && word.amount.is_none()
    });
    participle && before.is_some_and(|(_, word)| word.lower.as_ref() == ",")
}

/// Whether the word that a hedge rests on is in the claim too, in its own or other words.
fn is_repeated(pair: &Pair<'_>, at: usize) -> bool {
    pair.align
        .claimed(at)
        .and_then(|claim| pair.align.firm(claim))
        .is_some_and(|link| link.grade > 0.7 && !link.opposite)
}

fn claim_hedges(pair: &Pair<'_>) -> Vec<Hedge> {
    let clauses = pair.claim.clauses.get(pair.sentence.clauses.clone()).unwrap_or_default();
    clauses.iter().flat_map(|clause| clause.hedges.iter().map(|(hedge, _)| *hedge)).collect()
}

/// A may, an expectation or a plan that the claim states as a fact.
fn hedge(pair: &Pair<'_>) -> Option<Finding> {
    let (mine, theirs) = (claim_hedges(pair), source_hedges(pair));
    let soft = |hedges: &[Hedge]| hedges.iter().any(|hedge| RESERVE.contains(hedge));
    if soft(&theirs)
        && !soft(&mine)
        && !(theirs.contains(&Hedge::Advised) && mine.contains(&Hedge::Obliged))
    {
        let hedge = RESERVE.iter().find(|hedge| theirs.contains(hedge))?;
        let what = match hedge {
            Hedge::Possible => "a possibility",
            Hedge::Claimed => "somebody's claim",
            Hedge::Expected => "an expectation",
            _ => "a plan",
        };
        return Some(Finding::new(Kind::Hedge, format!("the source gives this as {what}")));
    }
    still_to_come(pair, &mine, &theirs)
}

/// The claim says that it happened, the passage that it will.
fn still_to_come(pair: &Pair<'_>, mine: &[Hedge], theirs: &[Hedge]) -> Option<Finding> {
    let done = |word: &Word| {
        word.tag == Tag::Verb
            && matches!(word.form, Form::Past | Form::Participle)
            && !is_reporting(word)
    };
    let past = pair
        .content()
        .any(|(at, word)| done(word) && pair.align.firm(at).is_some() && is_past(pair, at));
    let coming = pair.source_amounts().any(|(_, known)| matches!(known.quantity.amount, Value::Date(date) if date.relative.is_some_and(|relative| relative.offset > 0)) && known.sentence == pair.align.anchor);
    let future = (theirs.contains(&Hedge::Future) || coming)
        && !mine.iter().any(|hedge| RESERVE.contains(hedge) || *hedge == Hedge::Future);
    let ahead = pair.claim_has("will be_to is_to are_to to_be going shall");
    let past_there = pair
        .content()
        .filter(|(_, word)| word.tag == Tag::Verb && !is_reporting(word))
        .any(|(at, _)| {
            let Some((place, source)) = pair.counterpart(at) else { return false };
            let modal = pair
                .source
                .span(place.saturating_sub(4)..place)
                .any(|(_, word)| word.tag == Tag::Modal);
            done(source) && !modal
        });
    // "All ferries run on batteries", with no word of when.
    let timeless = !past
        && !pair
            .claim_amounts()
            .any(|(_, amount)| matches!(amount.quantity.amount, Value::Date(_) | Value::Clock(_)))
        && pair.claim_words().all(|(_, word)| word.tag != Tag::Modal)
        && !mine.contains(&Hedge::Obliged)
        && is_present(pair);
    (future && (past || timeless) && !ahead && !past_there)
        .then(|| Finding::new(Kind::Hedge, "the source gives this as still to come"))
}

/// Whether a claim's main verb stands in the present and was found behind a "will" in the passage.
fn is_present(pair: &Pair<'_>) -> bool {
    let verbs =
        pair.sentence.clauses.clone().filter_map(|clause| Frame::new(pair.claim, clause).predicate);
    verbs.filter_map(|at| Some((pair.claim.word(at)?, pair.counterpart(at)?.0))).any(
        |(word, place)| {
            let will = pair
                .source
                .span(place.saturating_sub(4)..place)
                .any(|(_, word)| word.lower.as_ref() == "will");
            // What is planned to take five years "lasts five years", and trains "leave" tomorrow.
        let usual = listed(word, "last take cost begin start end open close go come leave arrive depart rise fall have apply cover remain stay");
        word.tag == Tag::Verb && matches!(word.form, Form::Base | Form::S) && will && !usual
        },
    )
}

/// Whether a claim's verb tells what has happened: "closed" does, "remain closed" does not.
fn is_past(pair: &Pair<'_>, at: usize) -> bool {
    // In "has been closed" the first helper tells the time.
    let helper = pair.claim.span(at.saturating_sub(4)..at).rev().find(|(_, word)| {
        (matches!(word.tag, Tag::Aux | Tag::Modal) || listed(word, "remain stay be"))
            && word.lower.as_ref() != "been"
    });
    helper.is_none_or(|(_, word)| {
        matches!(word.lower.as_ref(), "was" | "were" | "has" | "have" | "had")
    })
}

fn is_reporting(word: &Word) -> bool {
    listed(word, "say tell announce report find estimate call describe plan expect")
}

/// An if, an unless, an exception that the claim leaves out.
fn condition(pair: &Pair<'_>) -> Option<Finding> {
    const CONDITIONS: &str = "if unless except provided";
    let conditional = |word: &Word| listed(word, CONDITIONS);
    let theirs = pair.anchor_words().find(|(_, word)| conditional(word));
    let only = pair.anchor_words().zip(pair.anchor_words().skip(1)).any(|((_, a), (_, b))| {
        a.lower.as_ref() == "only"
            && matches!(b.lower.as_ref(), "for" | "if" | "when" | "with" | "after" | "by")
    });
    let mine = pair.claim_words().any(|(_, word)| conditional(word))
        || pair.claim_has("only need require without whether");
    // "It could dry up" says already that it depends.
    let open = claim_hedges(pair).contains(&Hedge::Possible);
    if (theirs.is_none() && !only) || mine || open {
        return None;
    }
    // A claim that repeats the condition in other words has found its words in the source.
    if let Some((at, word)) = theirs {
        let inside: Vec<usize> = pair
            .anchor_words()
            .filter(|(place, other)| {
                other.clause == word.clause && *place > at && other.is_content()
            })
            .map(|(place, _)| place)
            .collect();
        let repeated = inside.iter().filter(|place| pair.align.claimed(**place).is_some()).count();
        if inside.is_empty() || repeated * 2 >= inside.len() {
            return None;
        }
    }
    Some(Finding::new(Kind::Limit, "the source names a condition that the claim leaves out"))
}

/// The claim says of the exception what the source says of the rest: "open daily except Mondays".
fn exception(pair: &Pair<'_>) -> Option<Finding> {
    if is_turned(pair) || pair.claim_has("except excluding only unless other") {
        return None;
    }
    let name = excepted(pair)?;
    Some(Finding::new(Kind::Denied, format!("the source makes an exception of “{}”", name.lower)))
}

/// The claim says of the exception the opposite of what the source says of the rest: "closed on Mondays".
pub(super) fn is_exception_kept(pair: &Pair<'_>) -> bool {
    is_turned(pair) && excepted(pair).is_some()
}

/// Whether the claim denies, or says the opposite of something in the passage.
fn is_turned(pair: &Pair<'_>) -> bool {
    pair.claim_words()
        .any(|(at, word)| word.cue || pair.align.firm(at).is_some_and(|link| link.opposite))
}

/// The word behind an "except" of the passage that the claim is about, with others before it.
fn excepted<'a>(pair: &Pair<'a>) -> Option<&'a Word> {
    let (at, _) = pair.anchor_words().find(|(_, word)| listed(word, "except excluding"))?;
    let excepted = |place: usize| {
        let comma = |(_, word): (usize, &Word)| matches!(word.lower.as_ref(), "," | ";");
        place > at && !pair.source.span(at + 1..place).any(comma)
    };
    let words = pair.content().filter_map(|(at, _)| Some(pair.counterpart(at)?.0));
    let dates = pair.claim_amounts().flat_map(|(_, mine)| {
        let same = |known: &&Amount| mine.quantity.against(&known.quantity) == Match::Confirmed;
        let known = pair.source_amounts().map(|(_, known)| known).filter(same);
        known.filter(|known| known.sentence == pair.align.anchor).map(|known| known.words.start)
    });
    let places: Vec<usize> = words.chain(dates).collect();
    let said = places.iter().any(|place| *place < at);
    let name = places.into_iter().find(|place| excepted(*place))?;
    pair.source.word(name).filter(|_| said)
}

/// What is advised is not what is required, and what is required is not what is allowed.
fn duty(pair: &Pair<'_>) -> Option<Finding> {
    let (mine, theirs) = (claim_hedges(pair), source_hedges(pair));
    if mine.contains(&Hedge::Obliged)
        && theirs.contains(&Hedge::Advised)
        && !theirs.contains(&Hedge::Obliged)
    {
        return Some(Finding::new(Kind::Duty, "the source advises this and does not require it"));
    }
    if mine.contains(&Hedge::Advised)
        && !mine.contains(&Hedge::Obliged)
        && theirs.contains(&Hedge::Obliged)
        && !theirs.contains(&Hedge::Advised)
    {
        return Some(Finding::new(
            Kind::Duty,
            "the source requires this and does not only advise it",
        ));
    }
    let allowed = mine.contains(&Hedge::Able) && !mine.contains(&Hedge::Obliged);
    let required = theirs.contains(&Hedge::Obliged) && !theirs.contains(&Hedge::Able);
    let denied = pair.claim_words().any(|(_, word)| word.cue)
        || pair.anchor_words().any(|(_, word)| word.cue);
    let able = theirs.contains(&Hedge::Able)
        && !mine.contains(&Hedge::Able)
        && !theirs.contains(&Hedge::Possible);
    if able && !denied && is_asserted(pair) {
        return Some(Finding::new(Kind::Hedge, "the source says only that it can be so"));
    }
    (allowed && required && !denied)
        .then(|| Finding::new(Kind::Duty, "the source requires this and does not merely allow it"))
}

/// "overheats" where the passage says "can overheat": the same verb, without its modal.
fn is_asserted(pair: &Pair<'_>) -> bool {
    pair.content().any(|(at, word)| {
        let Some((place, source)) = pair.counterpart(at) else { return false };
        let can = |word: &Word| word.lower.as_ref() == "can";
        let theirs = pair.source.span(place.saturating_sub(2)..place).any(|(_, word)| can(word));
        let mine = pair
            .claim
            .span(at.saturating_sub(3)..at)
            .any(|(_, word)| word.tag == Tag::Modal || word.lower.as_ref() == "to");
        word.tag == Tag::Verb && source.lemma == word.lemma && theirs && !mine
    })
}

/// A cause where the passage only saw two things together, or one after the other.
fn cause(pair: &Pair<'_>) -> Option<Finding> {
    let together = pair.source_has(TOGETHER);
    let effect = pair.content().any(|(_, word)| word.tag == Tag::Verb && listed(word, EFFECT));
    if together && effect && !pair.claim_has(TOGETHER) && !pair.source_has("cause prevent because")
    {
        return Some(Finding::new(Kind::Cause, "the source speaks of a link, not of a cause"));
    }
    let causal = pair.claim_words().any(|(at, word)| is_causal(word) || is_made_to(pair, at, word));
    let theirs = pair.source_words().any(|(_, word)| {
        listed(word, CAUSAL) && word.tag != Tag::Noun || listed(word, "cause reason")
    });
    // A cause may be told without a word for it; what merely came after, or with it, is none.
    let after = pair.source_has("after since following before");
    if causal
        && !theirs
        && (after || together || pair.source_has("while as over_the_same_period meanwhile"))
    {
        return Some(Finding::new(
            Kind::Cause,
            if after {
                "the source gives no cause, only what came after"
            } else {
                "the source gives no cause"
            },
        ));
    }
    None
}

fn is_causal(word: &Word) -> bool {
    let verb = word.tag == Tag::Verb && listed(word, "cause lead_to result_in bring_about trigger");
    verb || listed(word, "because because_of due_to thanks_to")
        || word.tag == Tag::Noun && word.lemma.as_ref() == "cause"
}

/// "made traffic triple": a form of make, a noun, a verb.
fn is_made_to(pair: &Pair<'_>, at: usize, word: &Word) -> bool {
    let noun = pair.claim.word(at + 1).is_some_and(|next| {
        matches!(next.tag, Tag::Noun | Tag::Name | Tag::Determiner | Tag::Pronoun)
    });
    let verb = pair.claim.span(at + 2..(at + 5).min(pair.sentence.words.end)).any(|(_, next)| {
        next.tag == Tag::Verb && next.form == Form::Base
            || next.amount.is_some() && next.tag != Tag::Number
    });
    word.lemma.as_ref() == "make" && noun && verb
}

/// "the mayor" where the passage says "the former mayor", or the other way round.
fn reserve(pair: &Pair<'_>) -> Option<Finding> {
    let added = pair.claim_words().find(|(at, word)| {
        listed(word, RESERVED)
            && word.lower.as_ref() != "former"
            && pair.align.firm(*at).is_none()
            && pair
                .claim
                .word(at + 1)
                .is_some_and(|next| next.is_content() && pair.align.firm(at + 1).is_some())
    });
    if let Some((_, word)) = added {
        return Some(Finding::new(
            Kind::Attribute,
            format!("the source does not say “{}”", word.lower),
        ));
    }
    if pair
        .claim_words()
        .any(|(_, word)| matches!(word.lower.as_ref(), "had" | "was" | "were" | "used" | "once"))
    {
        return None;
    }
    pair.content().filter(|(_, word)| word.tag == Tag::Noun).find_map(|(at, word)| {
        let (place, source) =
            pair.counterpart(at).filter(|(_, source)| source.lemma == word.lemma)?;
        let before =
            pair.source.word(place.checked_sub(1)?).filter(|before| listed(before, RESERVED))?;
        let repeated = pair.align.claimed(place - 1).is_some() || pair.claim_has(&before.lower);
        (!repeated).then(|| {
            Finding::new(
                Kind::Limit,
                format!("the source says “{} {}”", before.lower, source.lower),
            )
        })
    })
}
