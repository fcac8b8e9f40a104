//! Question → a plan, approved where that was asked for → a few queries, the question itself among them.

use probity_core::{Problem, ProblemKind, Timestamp};

use crate::analyst::{Plan, Planned};
use crate::approve::{ANSWER_CHARS, Approved, OFFERS, Offer, Ruling, inputs};
use crate::driver::Run;
use crate::event::Event;
use crate::journal::{JournalError, StepKind};

/// The longest query that is sent, in characters; search engines cut longer ones off.
const QUERY_CHARS: usize = 400;

pub(crate) async fn plan(run: &mut Run<'_>) -> Result<Vec<String>, JournalError> {
    run.plan = match &run.parts.spec.inquiry.plan {
        // What the user wrote needs no approval.
        Some(given) => given.clone(),
        None => agreed(run).await?,
    };
    let planned = run.plan.queries().into_iter().map(str::to_owned);
    let all = std::iter::once(run.question().to_owned()).chain(planned);
    let queries = usable(all, &[], run.parts.spec.numbers.queries);
    run.tell(Event::Plan {
        queries: queries.clone(),
        brief: run.plan.brief.clone(),
        parts: run.plan.parts.iter().map(|part| part.question.clone()).collect(),
    });
    Ok(queries)
}

/// Asks the analyst for a plan. Without a usable one, the question alone is searched for.
async fn drafted(run: &mut Run<'_>, clarify: bool) -> Result<Planned, JournalError> {
    let analyst = run.parts.analyst;
    let seconds = run.parts.spec.limits.planning_seconds;
    let asked = run.asked().to_owned();
    let asking = || analyst.plan(&asked, clarify);
    let answer = run.ask(StepKind::Plan, &asked, seconds, asking).await?;
    run.spend(&answer.usage);
    Ok(answer.result.unwrap_or_else(|error| {
        if !run.note_budget(&error) {
            let detail = format!("{error}; the question alone was searched for");
            run.problem(Problem::new(ProblemKind::Analysis, "plan", detail));
        }
        Planned::default()
    }))
}

/// The analyst's plan, as the user wants it.
async fn agreed(run: &mut Run<'_>) -> Result<Plan, JournalError> {
    let (approve, clarify) = (run.parts.spec.inquiry.approve, run.parts.spec.inquiry.clarify);
    let mut planned = drafted(run, clarify).await?;
    for number in 1..=OFFERS {
        // One question back is enough: what comes after its answer is only to be approved.
        let clarify =
            if number == 1 { std::mem::take(&mut planned.clarify) } else { String::new() };
        if !approve && clarify.is_empty() {
            break;
        }
        let Approved { plan, answer } = offered(run, &planned.plan, &clarify, number).await?;
        match (plan, answer.filter(|_| !clarify.is_empty())) {
            (Some(plan), _) => return Ok(crate::plan_file::held(plan)),
            (None, Some(answer)) => {
                run.clarified(&clarify, &answer);
                planned = drafted(run, false).await?;
            }
            (None, None) => {
                if !clarify.is_empty() {
                    let detail =
                        format!("the question is ambiguous (“{clarify}”), and there was no answer");
                    run.problem(Problem::new(ProblemKind::Analysis, "question", detail));
                }
                break;
            }
        }
    }
    Ok(planned.plan)
}

/// Submits a plan to the user, once.
async fn offered(
    run: &mut Run<'_>,
    plan: &Plan,
    clarify: &str,
    number: usize,
) -> Result<Approved, JournalError> {
    let inputs = inputs(run.question(), number);
    let wait = run.parts.spec.limits.approval_seconds.saturating_mul(1_000);
    let wait = i64::try_from(wait).unwrap_or(i64::MAX);
    let offer: Offer = run
        .step(StepKind::Offer, &inputs, async || Offer {
            number,
            plan: plan.clone(),
            clarify: clarify.to_owned(),
            until: Timestamp(run.parts.journal.now().0.saturating_add(wait)),
        })
        .await?;
    run.tell(Event::Offer(offer.clone()));
    let approved = match run.parts.journal.knows(StepKind::Approve, &inputs) {
        true => Approved::default(),
        false => match run.put_before(&offer).await? {
            Ruling::Go(approved) => approved,
            Ruling::Wait => return Err(JournalError::Waiting { until: offer.until }),
            Ruling::Stop => return Err(JournalError::Interrupted),
        },
    };
    let mut approved = run.step(StepKind::Approve, &inputs, async || approved).await?;
    let said = approved
        .answer
        .take()
        .map(|said| probity_core::printable::brief(said.trim(), ANSWER_CHARS));
    approved.answer = said.filter(|said| !said.is_empty());
    Ok(approved)
}

/// Queries in one line each, none twice, none sent before, no more than a round sends.
pub(crate) fn usable(
    drafted: impl IntoIterator<Item = String>,
    sent: &[String],
    most: usize,
) -> Vec<String> {
    let mut known: Vec<String> = sent.iter().map(|query| normal(query)).collect();
    let mut queries = Vec::new();
    for query in drafted {
        let line = probity_core::printable::line(&query);
        let text: String = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let text: String = text.chars().take(QUERY_CHARS).collect();
        let key = normal(&text);
        if key.is_empty() || known.contains(&key) || queries.len() >= most {
            continue;
        }
        known.push(key);
        queries.push(text);
    }
    queries
}

/// What makes two queries the same: their words, whatever their case and punctuation.
fn normal(query: &str) -> String {
    let words = probity_text::words::words(query).map(|word| word.lower.into_owned());
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_distinct_and_few() {
        let drafted =
            ["Noise limits?", "noise  LIMITS", "", "\u{1b}[2J", "a b", "c", "d", "e", "f", "g"];
        let sent = ["A b!".to_owned()];
        let queries = usable(drafted.map(str::to_owned), &sent, 5);
        assert_eq!(queries, ["Noise limits?", "\u{fffd}[2J", "c", "d", "e"]);
    }
}
