//! `research`: a question in, a run followed to its end, its report out.

use probity_core::{Mode, Problem as Trouble, ProblemKind, Verdict, counted};
use probity_report::CheckedReport;
use probity_report::assemble::Body;
use probity_report::facts::RunFacts;
use probity_report::markdown::markdown;
use probity_research::Event;
use probity_store::RunStatus;
use probity_store::events::Feed;
use rmcp::model::JsonObject;
use rmcp::service::{RequestContext, RoleServer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::{ToolAnswer, read};
use super::progress::Progress;
use super::{Agent, Way};
use crate::access::Caller;
use crate::api::research::{Gone, REPORT_TIME, ask};
use crate::api::{runs, tidy};
use crate::backend::Ask;
use crate::limits;
use crate::problem::Problem;

/// How far a run goes.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum ModeInput {
    /// Up to 3 sources, a few hundred words.
    Quick,
    /// Up to 7 sources.
    Standard,
    /// Up to 10 sources.
    Deep,
    /// Up to 60 sources, in rounds for as long as they close gaps; it takes long.
    Exhaustive,
}

/// What `research` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// The question: one whole sentence says most.
    #[schemars(length(min = 3, max = 2000))]
    question: String,
    /// How far the run goes; `standard` if nothing is said.
    mode: Option<ModeInput>,
    /// The search providers to ask: `auto`, or names separated by commas, such as `library`.
    #[schemars(length(max = 200))]
    search: Option<String>,
    /// The most that language models may cost, in US dollars.
    #[schemars(range(min = 0.0))]
    max_cost: Option<f64>,
    /// How many pages may be read, instead of as many as the mode does.
    #[schemars(range(min = 1, max = 60))]
    sources: Option<usize>,
    /// For how many rounds the run may continue, while each closes a gap.
    #[schemars(range(min = 1, max = 8))]
    depth: Option<usize>,
    /// How many queries a round may send.
    #[schemars(range(min = 1, max = 12))]
    breadth: Option<usize>,
    /// About how many words the report has, instead of as many as the mode does.
    #[schemars(range(min = 50, max = 10000))]
    words: Option<usize>,
    /// The language that a language model writes in; the question's if nothing is said.
    #[schemars(length(max = 40))]
    language: Option<String>,
    /// An earlier run, by its id: its sources are asked and nothing is searched for.
    #[schemars(length(max = 80))]
    run: Option<String>,
    /// Whether a search joins the sources of that run.
    beyond: Option<bool>,
}

/// A source of a report.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Source {
    /// Its number in the report.
    n: usize,
    title: String,
    url: String,
    /// Whose page it is.
    outlet: Option<String>,
    /// Its score at discovery, from 0 to 1.
    credibility: f64,
    /// How well it answers the question, from 1 to 5.
    relevance: Option<u8>,
    /// The day it was published.
    published: Option<String>,
}

/// What `research` gives.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    /// The run's id, for `get_report` and the resources `probity://runs/…` and `probity://reports/…`.
    run_id: String,
    /// `full_report`, `short_report` or `insufficient_data`.
    decision: String,
    /// Why it was decided so.
    rationale: String,
    title: String,
    /// Low, Medium or High; none where the sources do not suffice.
    confidence: Option<String>,
    /// The report as Markdown. It is nowhere else in this answer; `get_report` gives it as text.
    report: String,
    /// The sources that it cites, in the order of their numbers.
    sources: Vec<Source>,
}

impl Output {
    fn new(run_id: &str, report: &CheckedReport) -> Self {
        let gate = &report.facts().gate;
        let sources = report.sources().map(|(n, source)| Source {
            n,
            title: source.title.clone(),
            url: source.url.as_str().to_owned(),
            outlet: source.outlet.as_ref().map(|outlet| outlet.as_str().to_owned()),
            credibility: tidy(source.credibility.total),
            relevance: source.relevance.as_ref().map(|relevance| relevance.score),
            published: source.published.map(|day| day.to_string()),
        });
        Self {
            run_id: run_id.to_owned(),
            decision: gate.decision.as_str().to_owned(),
            rationale: gate.rationale.clone(),
            title: report.title().to_owned(),
            confidence: report.confidence().map(|confidence| confidence.level.as_str().to_owned()),
            report: markdown(report),
            sources: sources.collect(),
        }
    }
}

/// How waiting for a run came out.
pub(super) enum Waited {
    Ended,
    /// It waits for its plan to be approved.
    Offered,
    TookTooLong,
    Cancelled,
    Stopping,
}

/// How far a run is followed.
#[derive(Clone, Copy)]
pub(super) enum Until {
    End,
    /// To its end, or to the offer of this number or a later one.
    Offer(usize),
}

/// What is asked of the server.
pub(super) fn asked(input: Input) -> Ask {
    Ask {
        question: input.question,
        mode: input.mode.map(|mode| match mode {
            ModeInput::Quick => Mode::Quick,
            ModeInput::Standard => Mode::Standard,
            ModeInput::Deep => Mode::Deep,
            ModeInput::Exhaustive => Mode::Exhaustive,
        }),
        search: input.search,
        model: None,
        max_cost: input.max_cost,
        sources: input.sources,
        depth: input.depth,
        breadth: input.breadth,
        words: input.words,
        language: input.language,
        run: input.run,
        beyond: input.beyond.unwrap_or(false),
        cancel_if_gone: true,
        ..Ask::default()
    }
}

/// Researches a question.
pub(super) async fn research(
    agent: &Agent,
    caller: &Caller,
    arguments: JsonObject,
    context: &RequestContext<RoleServer>,
) -> Result<ToolAnswer, Problem> {
    let input: Input = read(arguments)?;
    let id = ask(&agent.server, caller, &asked(input)).await?;
    match watch(agent, &id, context, Until::End).await {
        Waited::Ended => {
            let (text, output) = finished(agent, &id).await?;
            ToolAnswer::new(text, &output)
        }
        other => Err(given_up(agent, &id, other).await),
    }
}

/// Follows a run as far as it is wanted. A call that is dropped meanwhile cancels the run.
pub(super) async fn watch(
    agent: &Agent,
    id: &str,
    context: &RequestContext<RoleServer>,
    until: Until,
) -> Waited {
    let server = &agent.server;
    // Dropped when the call is given up, and then it cancels the run.
    let mut gone = Gone { server: server.clone(), run: Some(id.to_owned()) };
    let mut stopping = server.stopping.subscribe();
    let feed = server.store.follow(&id.into(), 0);
    let waited = tokio::select! {
        waited = tokio::time::timeout(REPORT_TIME, follow(feed, Progress::of(context), until)) => {
            waited.unwrap_or(Waited::TookTooLong)
        }
        () = context.ct.cancelled() => Waited::Cancelled,
        _ = stopping.wait_for(|stopping| *stopping) => Waited::Stopping,
    };
    gone.run = None;
    waited
}

/// What is said of a run that was not followed to its end.
pub(super) async fn given_up(agent: &Agent, id: &str, waited: Waited) -> Problem {
    match waited {
        Waited::Cancelled => call_off(agent, id).await,
        // The process ends with its only client; a server's runs go on with another worker.
        Waited::Stopping if agent.way == Way::Stdio => call_off(agent, id).await,
        _ => {
            let why = format!("run {id} continues; ask `get_report` for it later");
            Problem::unavailable(why, 60)
        }
    }
}

/// Follows a run to its end, or to an offer.
async fn follow(mut feed: Feed, mut progress: Progress, until: Until) -> Waited {
    while let Some(event) = feed.next().await {
        let Ok(event) = serde_json::from_str::<Event>(&event.event) else { continue };
        progress.tell(&event).await;
        match (until, &event) {
            (Until::Offer(number), Event::Offer(offer)) if offer.number >= number => {
                return Waited::Offered;
            }
            _ => {}
        }
    }
    Waited::Ended
}

async fn call_off(agent: &Agent, id: &str) -> Problem {
    if let Err(error) = agent.server.store.cancel(id).await {
        return error.into();
    }
    // A process that ends after this has to leave a run behind that ended, too.
    let mut feed = agent.server.store.follow(&id.into(), 0);
    let ending = async { while feed.next().await.is_some() {} };
    let _ = tokio::time::timeout(limits::MCP_CANCEL_TIME, ending).await;
    let why = format!("run {id} was stopped; `probity runs resume {id}` resumes it");
    Problem::conflict(why)
}

/// The report of a run that has ended, and what is said of it.
pub(super) async fn finished(agent: &Agent, id: &str) -> Result<(String, Output), Problem> {
    let record = runs::find(&agent.server, id).await?;
    if record.summary.status != RunStatus::Finished {
        let why = record.summary.error.unwrap_or_else(|| "it was stopped".to_owned());
        return Err(Problem::conflict(format!("run {id} has no report: {why}")));
    }
    let report = runs::report(&record)?;
    if let Some(why) = unreached(report.facts()) {
        let why = format!("{why}; run {id} shows what was tried, and asking again may do better");
        return Err(Problem::unavailable(why, AGAIN_SECONDS));
    }
    let output = Output::new(id, &report);
    // What is long goes out once, in the structure; the text says enough to go on from.
    let text = format!(
        "Run {id}: {} — {}\n\n{}\n\n{}\n\nThe whole report is in `report`, and `get_report` gives it as text.",
        output.decision,
        output.rationale,
        output.title,
        in_short(report.body())
    );
    Ok((text, output))
}

/// How long to wait before a search that no provider answered is retried.
const AGAIN_SECONDS: u64 = 60;

/// What could not be reached, where that and not the sources is why there is no report.
fn unreached(facts: &RunFacts) -> Option<String> {
    if facts.nobody_answered() {
        let said = facts.problems.iter().filter(|problem| problem.kind == ProblemKind::Search);
        let said: Vec<String> =
            Trouble::counted(said).iter().take(3).map(|(problem, _)| problem.to_string()).collect();
        return Some(match said.is_empty() {
            true => "no search provider answered".to_owned(),
            false => format!("no search provider answered ({})", said.join("; ")),
        });
    }
    let failed = facts.count(Verdict::Failed);
    (facts.read() == 0 && facts.nothing_reached()).then(|| {
        format!("{} found, and none could be reached", counted(failed, "page was", "pages were"))
    })
}

/// The summary of a report, or why there is none.
fn in_short(body: &Body) -> String {
    match body {
        Body::Report { summary, .. } => summary.join(" "),
        Body::Shortfall { account, .. } => account.join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> RunFacts {
        let saved = include_str!("../../../probity-report/tests/fixtures/songs.json");
        probity_report::restore(saved).unwrap().facts().clone()
    }

    #[test]
    fn a_network_that_fails_is_no_lack_of_data() {
        let mut facts = facts();
        assert_eq!(unreached(&facts), None);
        let read = facts.candidates.clone();
        facts.candidates.clear();
        assert_eq!(unreached(&facts), None, "nothing was found, but somebody answered");
        facts.queries.iter_mut().for_each(|query| query.silent = true);
        let failed = Trouble::new(ProblemKind::Search, "wikipedia", "no such host");
        facts.problems = vec![failed.clone(), failed];
        let why = unreached(&facts).unwrap();
        assert_eq!(why, "no search provider answered (wikipedia: no such host)");
        facts.queries.iter_mut().for_each(|query| query.silent = false);
        facts.candidates = read;
        for candidate in &mut facts.candidates {
            (candidate.verdict, candidate.outcome) = (Verdict::Failed, Some("timeout".to_owned()));
        }
        assert!(unreached(&facts).unwrap().contains("none could be reached"));
        for candidate in &mut facts.candidates {
            candidate.outcome = Some("paywall-stub".to_owned());
        }
        assert_eq!(unreached(&facts), None, "who is kept out has reached something");
    }
}
