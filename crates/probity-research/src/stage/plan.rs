//! Question → one to five queries, the question itself among them.

use probity_core::{Problem, ProblemKind};

use crate::driver::Run;
use crate::event::Event;
use crate::journal::{JournalError, StepKind};
use crate::run::MAX_QUERIES;

/// The longest query that is sent, in characters; search engines cut longer ones off.
const QUERY_CHARS: usize = 400;

pub(crate) async fn plan(run: &mut Run<'_>) -> Result<Vec<String>, JournalError> {
    let question = run.question();
    let analyst = run.analyst;
    let seconds = run.spec.limits.planning_seconds;
    let answer = run.ask(StepKind::Plan, &question, seconds, || analyst.plan(question)).await?;
    run.spend(&answer.usage);
    let drafted = match answer.result {
        Ok(plan) => plan.queries,
        Err(error) => {
            if !run.note_budget(&error) {
                let detail = format!("{error}; the question alone was searched for");
                run.problem(Problem::new(ProblemKind::Analysis, "plan", detail));
            }
            Vec::new()
        }
    };
    let queries = usable(std::iter::once(question.to_owned()).chain(drafted), &[]);
    run.tell(Event::Plan { queries: queries.clone() });
    Ok(queries)
}

/// Queries in one line each, none twice, none sent before, at most five.
pub(crate) fn usable(drafted: impl IntoIterator<Item = String>, sent: &[String]) -> Vec<String> {
    let mut known: Vec<String> = sent.iter().map(|query| normal(query)).collect();
    let mut queries = Vec::new();
    for query in drafted {
        let line = probity_core::printable::line(&query);
        let text: String = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let text: String = text.chars().take(QUERY_CHARS).collect();
        let key = normal(&text);
        if key.is_empty() || known.contains(&key) || queries.len() >= MAX_QUERIES {
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
        let queries = usable(drafted.map(str::to_owned), &sent);
        assert_eq!(queries, ["Noise limits?", "\u{fffd}[2J", "c", "d", "e"]);
    }
}
