//! What one page says, and how relevant a source is: facts in words that the page holds, scores on the scale.

use probity_model::schema::{integer, list, object, string};
use probity_model::untrusted::unescape;
use probity_model::{Reply, Schema};
use serde::Deserialize;

use super::super::super::{Fact, Judgement, Summary};
use super::super::urls::without_strange_urls;
use super::{SENTENCE_CHARS, WHY_CHARS, named, typed};

/// The most facts of one source that are taken down.
pub(in super::super) const FACTS: usize = 8;
/// The shortest quotation that locates a fact, in characters.
const QUOTE_CHARS: usize = 12;
/// The longest figure of a fact, in characters.
const FIGURE_CHARS: usize = 60;
/// The longest summary that is taken over, in bytes.
const SUMMARY_BYTES: usize = 6_000;

pub(in super::super) fn summary_schema() -> Schema {
    let fact = object(&[
        ("statement", string("one sentence that can be read alone")),
        ("quote", string("the words of the source, exactly")),
        ("figure", string("number with unit or date, else empty")),
    ]);
    let facts = list(fact, "the facts");
    named("notes", object(&[("summary", string("what the source says")), ("facts", facts)]))
}

/// A summary with those of its facts whose quotations the source really holds.
pub(in super::super) fn summary(reply: &Reply, source: &str) -> Result<Summary, String> {
    #[derive(Deserialize)]
    struct Read {
        summary: String,
        facts: Vec<Fact>,
    }
    let read: Read = typed(reply, &summary_schema(), &["summary"])?;
    let mut text = without_strange_urls(&unescape(&read.summary), source);
    text.truncate(text.floor_char_boundary(SUMMARY_BYTES));
    let held = flat(source);
    let mut facts: Vec<Fact> = Vec::new();
    for fact in read.facts.into_iter().filter_map(|fact| genuine(&fact, source, &held)) {
        if facts.len() < FACTS && !facts.iter().any(|known| known.quote == fact.quote) {
            facts.push(fact);
        }
    }
    Ok(Summary { text, facts })
}

/// A fact that the source states in the words that are quoted; its figure is in them.
fn genuine(fact: &Fact, source: &str, held: &str) -> Option<Fact> {
    let quote = unescape(&fact.quote);
    let quote = quote.trim_matches(['"', '“', '”', ' ', '…']);
    if quote.chars().count() < QUOTE_CHARS || !held.contains(&flat(quote)) {
        return None;
    }
    let plain = |text: &str, chars: usize| {
        let text = without_strange_urls(&unescape(text), source);
        probity_core::printable::brief(text.trim(), chars)
    };
    let statement = plain(&fact.statement, SENTENCE_CHARS);
    let figure = plain(&fact.figure, FIGURE_CHARS);
    let figure = if flat(quote).contains(&flat(&figure)) { figure } else { String::new() };
    let quote = plain(quote, SENTENCE_CHARS);
    Some(Fact { statement, quote, figure })
}

/// A text's letters and digits, so that spacing and quotation marks do not matter.
fn flat(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

pub(in super::super) fn score_schema() -> Schema {
    let keys = [("score", integer("1 to 5")), ("why", string("one sentence that says why"))];
    named("score", object(&keys))
}

/// A score on the scale.
pub(in super::super) fn score(reply: &Reply) -> Result<Judgement, String> {
    let judgement: Judgement = typed(reply, &score_schema(), &[])?;
    if !(1..=5).contains(&judgement.score) {
        return Err(format!("the score {} is not on the scale from 1 to 5", judgement.score));
    }
    let why = without_strange_urls(&unescape(&judgement.why), "");
    Ok(Judgement { why: probity_core::printable::brief(why.trim(), WHY_CHARS), ..judgement })
}

pub(in super::super) fn scores_schema() -> Schema {
    let keys = [
        ("source", string("S1")),
        ("score", integer("1 to 5")),
        ("why", string("one sentence that says why")),
    ];
    named("scores", object(&[("scores", list(object(&keys), "one for each source"))]))
}

/// The scores of several sources in their order. One that is missing or off the scale is none; one that is named
/// twice has its lower score, since nothing that a page says may raise it.
pub(in super::super) fn scores(
    reply: &Reply,
    sources: usize,
) -> Result<Vec<Option<Judgement>>, String> {
    #[derive(Deserialize)]
    struct Scored {
        source: String,
        score: u8,
        why: String,
    }
    #[derive(Deserialize)]
    struct Read {
        scores: Vec<Scored>,
    }
    let read: Read = typed(reply, &scores_schema(), &["scores"])?;
    let mut judged: Vec<Option<Judgement>> = vec![None; sources];
    for Scored { source, score, why } in read.scores {
        let number = source.trim().trim_start_matches(['S', 's']).trim_end_matches('.').parse();
        let place = number.ok().and_then(|number: usize| number.checked_sub(1));
        let Some(known) = place.and_then(|place| judged.get_mut(place)) else { continue };
        if !(1..=5).contains(&score) || known.as_ref().is_some_and(|known| known.score <= score) {
            continue;
        }
        let why = without_strange_urls(&unescape(&why), "");
        let why = probity_core::printable::brief(why.trim(), WHY_CHARS);
        *known = Some(Judgement { score, why });
    }
    match judged.iter().all(Option::is_none) {
        true => Err("no source has a score from 1 to 5".to_owned()),
        false => Ok(judged),
    }
}
