//! How something came out: whether it is done or only in hand, and who won.

use probity_text::lemma::Form;
use probity_text::lexicon::{Relation, concept};
use probity_text::quantity::Amount as Value;
use probity_text::tag::Tag;

use super::finding::{Finding, Kind};
use super::frame::Frame;
use super::pair::{Pair, listed};
use super::reading::Word;

/// Words before a deed that is not done.
const OPEN: &str = "subject_to pending await awaiting yet plan propose seek intend consider delay postpone schedule expect due hope aim request demand \
    ask urge apply want call_for attempt try bid effort \
    order require need instruct agree campaign suggest promise pledge vow threaten";
/// Words before a deed that was not done.
const FORSAKEN: &str = "rule_out refuse decline fail abandon cancel scrap reject avoid prevent block halt forbid ban prohibit deny stop_short oppose resist \
    rule_against renounce forgo";
/// How far before a deed such a word may stand.
const REACH: usize = 8;
/// How far before a deed a word may stand that says it was not done.
const FORSAKEN_REACH: usize = 5;
/// Verbs of winning.
const WIN: &str = "win beat defeat overcome triumph prevail";
/// Verbs of coming in at some place.
const PLACED: &str = "finish place come rank end reach nominate shortlist";
/// Verbs of losing.
const LOSE: &str = "lose lose_to";

/// The claim says that it is done; in the passage the deed stands behind a word that leaves it open, as a
/// noun or an infinitive: "subject to approval", "has yet to approve".
pub(super) fn pending(pair: &Pair<'_>) -> Option<Finding> {
    let soft = pair.claim_words().any(|(_, word)| {
        word.tag == Tag::Modal || word.cue || listed(word, OPEN) || listed(word, "if subject to_be")
    });
    if soft {
        return None;
    }
    pair.content().filter(|(_, word)| is_done(word)).find_map(|(at, word)| {
        let (place, source) = found(pair, at, word)?;
        let undone = source.tag == Tag::Noun || matches!(source.form, Form::Base | Form::Ing);
        let open =
            pair.source.span(place.saturating_sub(REACH)..place).rev().find(|(_, before)| {
                before.clause == source.clause
                    && (listed(before, OPEN) || before.lower.as_ref() == "subject")
            })?;
        let finding = Finding::new(
            Kind::Hedge,
            format!("the source does not say that “{}” is done: “{}”", word.lower, open.1.lower),
        );
        undone.then_some(finding)
    })
}

/// The claim says that it was done; in the passage somebody ruled it out, refused or failed to do it.
pub(super) fn forsaken(pair: &Pair<'_>) -> Option<Finding> {
    let soft = pair.claim_words().any(|(_, word)| {
        word.cue || listed(word, FORSAKEN) || listed(word, "not no never without lack rule")
    });
    if soft {
        return None;
    }
    pair.content().filter(|(_, word)| is_done(word)).find_map(|(at, _)| {
        let (place, source) = pair.counterpart(at)?;
        let undone = source.tag == Tag::Noun || matches!(source.form, Form::Base | Form::Ing);
        let near = place.saturating_sub(FORSAKEN_REACH)..place;
        let other = pair.source.span(near).rev().find(|(at, before)| {
            let phrase = before.lemma.as_ref() == "rule"
                && pair.source.word(at + 1).is_some_and(|next| next.lower.as_ref() == "out");
            before.sentence == source.sentence
                && before.tag == Tag::Verb
                && !before.denied
                && (listed(before, FORSAKEN) || phrase)
        })?;
        (undone && !source.denied).then(|| {
            Finding::new(
                Kind::Denied,
                format!("the source says “{}” of what the claim says was done", other.1.lower),
            )
        })
    })
}

/// Where a verb was found; the noun made from it comes before another verb that may stand for it: of "agreed
/// to buy, subject to approval", "approved" is the approval.
fn found<'a>(pair: &Pair<'a>, at: usize, word: &Word) -> Option<(usize, &'a Word)> {
    let (place, source) = pair.counterpart(at)?;
    let mut kin = pair.source_words().filter(|(_, other)| other.stem == word.stem);
    if source.stem == word.stem {
        Some((place, source))
    } else {
        kin.next().or(Some((place, source)))
    }
}

fn is_done(word: &Word) -> bool {
    word.tag == Tag::Verb && matches!(word.form, Form::Past | Form::Participle) && word.weight > 0.3
}

/// The claim lets one win of whom the passage says that he lost, or the other way round.
pub(super) fn lost_or_won(pair: &Pair<'_>) -> Option<Finding> {
    pair.sentence.clauses.clone().find_map(|clause| {
        let mine = Frame::new(pair.claim, clause);
        let verb = pair.claim.word(mine.predicate?).filter(|word| !word.denied)?;
        let (wins, loses) = (is_of(verb, WIN), is_of(verb, LOSE));
        if wins == loses {
            return None;
        }
        let other = if wins { LOSE } else { WIN };
        let theirs = pair.source_words().filter(|(at, word)| {
            let short = wins && listed(word, PLACED) && is_short_of_first(pair, *at);
            word.tag == Tag::Verb && !word.denied && (is_of(word, other) || short)
        });
        theirs.into_iter().find_map(|(at, word)| {
            let frame = Frame::around(pair.source, at);
            let same = mine
                .agent()
                .iter()
                .filter_map(|at| pair.claim.word(*at))
                .filter(|word| word.tag == Tag::Name)
                .any(|name| {
                    frame
                        .agent()
                        .iter()
                        .filter_map(|at| pair.source.word(*at))
                        .any(|known| known.lower == name.lower)
                });
            // One may win a race and lose a match in one sentence.
            let both = pair.anchor_words().any(|(_, word)| {
                word.tag == Tag::Verb && is_of(word, if wins { WIN } else { LOSE })
            });
            (same && !both).then(|| {
                Finding::new(
                    Kind::Opposite,
                    format!(
                        "the source says “{}” where the claim says “{}”",
                        word.lower, verb.lower
                    ),
                )
            })
        })
    })
}

/// "Finished fourth", "reached the semi-finals", "was nominated": not won.
fn is_short_of_first(pair: &Pair<'_>, verb: usize) -> bool {
    pair.source.span(verb..verb + 4).any(|(_, word)| {
        let rank = word.amount.and_then(|number| pair.source.amounts.get(number));
        rank.is_some_and(
            |rank| matches!(rank.quantity.amount, Value::Ordinal(place) if place > 1),
        ) || listed(word, "semi-final semi-finals semifinal semifinals quarter-final quarter-finals nominate shortlist last")
    })
}

fn is_of(word: &Word, list: &str) -> bool {
    listed(word, list)
        || list.split(' ').next().is_some_and(|verb| {
            word.lemma.contains('_') && concept(&word.lemma, verb) == Some(Relation::Same)
        })
}
