//! Plans and gaps: sub-questions and queries that are the model's own.

use probity_model::schema::{list, object, string};
use probity_model::untrusted::unescape;
use probity_model::{Reply, Schema};
use probity_text::Language;
use probity_text::words::Stemmer;

use super::super::super::{Gaps, Plan, PlanPart, Planned};
use super::super::urls::without_strange_urls;
use super::{SENTENCE_CHARS, named, typed};

pub(in super::super) fn plan_schema(clarify: bool) -> Schema {
    let queries = list(string("a search query"), "one or two search queries");
    let part = object(&[("question", string("a sub-question")), ("queries", queries)]);
    let mut keys = vec![
        ("brief", string("what an answer has to tell")),
        ("parts", list(part, "three to eight sub-questions")),
    ];
    if clarify {
        keys.push(("clarify", string("a question back, else empty")));
    }
    named("plan", object(&keys))
}

/// The form of a plan that models give which find the other too much: queries and nothing else.
fn queries_schema() -> Schema {
    named("plan", object(&[("queries", list(string("a search query"), "search queries"))]))
}

/// A plan of which every query and sub-question is the model's own.
pub(in super::super) fn plan(
    reply: &Reply,
    clarify: bool,
    prompt: PromptParts<'_>,
) -> Result<Planned, String> {
    let own = |text: &String| {
        let text = without_strange_urls(&unescape(text), "");
        let text = probity_core::printable::brief(text.trim(), SENTENCE_CHARS);
        is_own(&text, prompt).then_some(text)
    };
    let read: Result<Planned, String> = typed(reply, &plan_schema(clarify), &["parts"]);
    let read = match read {
        Ok(read) => read,
        Err(problem) => {
            let bare: Result<Plan, String> = typed(reply, &queries_schema(), &["queries"]);
            Planned::of(bare.map_err(|_| problem)?.queries)
        }
    };
    let part = |part: &PlanPart| {
        let queries: Vec<String> = part.queries.iter().filter_map(own).collect();
        let question = own(&part.question).unwrap_or_default();
        (!question.is_empty() || !queries.is_empty()).then_some(PlanPart { question, queries })
    };
    let mut plan = Plan {
        brief: own(&read.plan.brief).unwrap_or_default(),
        parts: read.plan.parts.iter().filter_map(part).collect(),
        queries: read.plan.queries.iter().filter_map(own).collect(),
    };
    // A sub-question without a query is searched for as it is; one without words keeps its queries.
    for part in &mut plan.parts {
        if part.queries.is_empty() {
            part.queries.push(part.question.clone());
        }
    }
    let (nameless, parts) = plan.parts.into_iter().partition(|part| part.question.is_empty());
    plan.parts = parts;
    plan.queries.extend(Vec::<PlanPart>::into_iter(nameless).flat_map(|part| part.queries));
    if plan.queries().is_empty() {
        return Err("the queries only repeat what was asked".to_owned());
    }
    let plan = crate::plan_file::held(plan);
    Ok(Planned { plan, clarify: own(&read.clarify).unwrap_or_default() })
}

/// The prompt of a model, which it may repeat instead of an answer.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct PromptParts<'a> {
    /// Its instructions.
    pub(in super::super) instructions: &'a str,
    /// The question that the user asks.
    pub(in super::super) question: &'a str,
}

/// Whether a query is a model's own: neither made of words of its instructions alone nor a source by its label. A word
/// that the question has too is no echo.
fn is_own(query: &str, prompt: PromptParts<'_>) -> bool {
    let plain = |text: &str| {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect::<Vec<_>>()
    };
    let words = plain(query);
    let label = words.first().is_some_and(|first| {
        let number = first.trim_start_matches(['s', 'f']);
        number.len() < first.len()
            && !number.is_empty()
            && number.bytes().all(|b| b.is_ascii_digit())
    });
    let instructions = plain(prompt.instructions);
    let stemmer = Stemmer::new(Language::detect(prompt.question));
    let asked = stemmer.content_stems(prompt.question);
    let about = stemmer.content_stems(query).iter().any(|stem| asked.contains(stem));
    let echo = !about && words.iter().all(|word| instructions.contains(word));
    !words.is_empty() && !label && !echo
}

/// The shape of gaps; after the first round with the labels of those that are closed.
pub(in super::super) fn gaps_schema(again: bool) -> Schema {
    let mut keys = vec![
        ("unanswered", list(string("what is missing, in a few words"), "at most four")),
        ("queries", list(string("a search query"), "one to three")),
    ];
    if again {
        keys.push(("closed", list(string("G1"), "the labels of gaps that are answered now")));
    }
    named("gaps", object(&keys))
}

/// What is open now, and which of what was open before is not any more.
pub(in super::super) fn gaps(
    reply: &Reply,
    open: &[String],
    prompt: PromptParts<'_>,
) -> Result<Gaps, String> {
    let mut gaps: Gaps = typed(reply, &gaps_schema(!open.is_empty()), &[])?;
    let labels: Vec<String> = gaps.closed.iter().map(|label| label.trim().to_owned()).collect();
    let named = |place: usize| {
        let label = format!("G{}", place + 1);
        labels.iter().any(|said| said.trim_end_matches('.').eq_ignore_ascii_case(&label))
    };
    let closed = open.iter().enumerate().filter(|(place, _)| named(*place));
    gaps.closed = closed.map(|(_, gap)| gap.clone()).collect();
    gaps.queries.retain(|query| is_own(query, prompt));
    gaps.unanswered.retain(|gap| is_own(gap, prompt));
    for text in gaps.unanswered.iter_mut().chain(&mut gaps.queries) {
        *text = without_strange_urls(&unescape(text), "");
    }
    Ok(gaps)
}

#[cfg(test)]
mod tests {
    use super::{PromptParts, is_own};

    #[test]
    fn what_repeats_the_instructions_or_a_label_is_no_query() {
        let prompt = PromptParts {
            instructions: "Write queries as one types them. Form: {\"queries\": [\"a search query\", …]}",
            question: "How does a search engine rank pages?",
        };
        for own in ["port ellery noise", "a query planner", "s-bahn timetable", "search"] {
            assert!(is_own(own, prompt), "{own}");
        }
        for echo in ["queries", "Write a query", "S1. Wedding music", "F12: fines", "", "…"] {
            assert!(!is_own(echo, prompt), "{echo}");
        }
    }
}
