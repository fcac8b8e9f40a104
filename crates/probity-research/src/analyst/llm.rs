//! The analyst that asks language models: prompts out, typed answers in, nothing taken on trust.
//!
//! ```text
//! judgement → prompt (cleaned, fenced, within the window) → call (journalled, metered) → read → repair once
//! ```
//!
//! Every call is a step of the journal under the judgement that needs it, so that a run that dies
//! between two calls pays for neither again. What cannot be had from a model is an
//! [`AnalystError`], and the stage that asked falls back as its documentation says.

mod blocks;
mod call;
mod criticise;
mod material;
mod prompts;
mod read;
mod show;
mod urls;
mod write;

use probity_model::{ModelSet, Request, Task, Tool, Turn, schema, tokens};
use probity_report::check::Support;
use probity_report::draft::{Draft, Shortfall, Theme};
use probity_report::facts::Author;
use serde::Serialize;
use serde_json::json;

pub use self::call::spent_in;

use self::call::Caller;
use self::prompts::{Frame, SCORE_BATCH};
use self::read::PromptParts;
use self::show::Shown;
use super::embedded::Embedded;
use super::{
    Analyst, AnalystAnswer, AnalystError, Critique, Doubt, Fact, Gaps, GapsTask, GatherTask,
    Judgement, Judging, Lead, Outline, Planned, SectionTask, ShortfallTask, SourceView, Summary,
    SynthesisTask, Wishes,
};
use crate::event::Watcher;
use crate::journal::{Journal, StepKind};
use crate::run::{RunLimits, RunSpec};
use crate::stage::gate;

/// How much of a page is read, in tokens; of a longer one the passages nearest to the question.
const PAGE: usize = 1_600;
/// How much of a summary a judge is shown, in tokens.
const JUDGED: usize = 400;
/// How much of a source is shown when gaps are looked for, in tokens.
const GLIMPSE: usize = 250;
/// An analyst that asks language models.
pub struct Llm<'a> {
    caller: Caller<'a>,
    limits: RunLimits,
    /// The calls that come after the plan, about.
    expected: Vec<(Task, usize)>,
    frame: Frame,
    /// What judges beside the models: a page that speaks to them scores no more than it finds.
    embedded: Embedded,
}

impl<'a> Llm<'a> {
    /// An analyst for one run, which continues the counts of the run's journal.
    pub fn new(
        model_set: ModelSet,
        spec: &RunSpec,
        journal: &'a Journal,
        watcher: &'a dyn Watcher,
        embedded: Embedded,
    ) -> Self {
        let caller = Caller::new(model_set, spec.model.limits, journal, watcher);
        let expected = write::expected(spec);
        Self { caller, limits: spec.limits, expected, frame: Frame::of(spec), embedded }
    }

    /// How many tokens of sources fit into a request for a task whose answer has at most that many.
    fn room(&self, task: Task, output: u32) -> usize {
        show::room(self.caller.window(task), self.caller.output(task, output))
    }

    async fn plan(&self, question: &str, clarify: bool) -> AnalystAnswer<Planned> {
        let judgement = self.caller.begin(Task::Plan, self.limits.planning_seconds);
        let values = json!({"question": question, "clarify": clarify});
        let schema = read::plan_schema(clarify);
        let result = match self.frame.request(Task::Plan, values, Some(schema)) {
            Ok(request) => {
                let instructions = request.system.clone();
                let prompt = PromptParts { instructions: &instructions, question };
                judgement.ask(request, |reply| read::plan(reply, clarify, prompt)).await
            }
            Err(error) => Err(error),
        };
        self.caller.tell_pace(&self.expected);
        judgement.answer(result)
    }

    /// One call a page: its summary and what it states. Of a long page the passages nearest to the question are read.
    async fn summarise(&self, question: &str, source: SourceView<'_>) -> AnalystAnswer<Summary> {
        let task = Task::Summarise;
        let judgement = self.caller.begin(task, self.limits.summary_seconds);
        let room = self.room(task, task.output_tokens()).min(PAGE);
        // Of a long page that is work, and other calls are not to wait for it.
        let (asked, page) = (question.to_owned(), source.text.to_owned());
        let text = match aside(move || show::best(&asked, &page, room)).await {
            Ok(text) => text,
            Err(error) => return judgement.answer(Err(error)),
        };
        let values = json!({
            "question": question, "source": Shown::frame(&source, 1), "text": text,
            "cut": tokens::estimate(source.text) > room, "most": read::FACTS,
        });
        let result = match self.frame.request(task, values, Some(read::summary_schema())) {
            Ok(request) => judgement.ask(request, |reply| read::summary(reply, source.text)).await,
            Err(error) => Err(error),
        };
        judgement.answer(result)
    }

    async fn gaps(&self, task: GapsTask<'_>) -> AnalystAnswer<Gaps> {
        let judgement = self.caller.begin(Task::Gaps, self.limits.planning_seconds);
        let shown: Vec<Shown> = task
            .sources
            .iter()
            .enumerate()
            .map(|(index, source)| {
                let mut shown = Shown::frame(source, index + 1);
                let (detail, room) = match task.deep {
                    true => (source.summary, 3 * GLIMPSE),
                    false => (source.snippet, GLIMPSE),
                };
                tokens::clip(&show::clean(detail), room).clone_into(&mut shown.detail);
                shown
            })
            .collect();
        let values = json!({
            "question": task.question, "parts": task.parts, "queries": task.queries,
            "open": task.open, "sources": shown,
        });
        let schema = read::gaps_schema(!task.open.is_empty());
        let result = match self.frame.request(Task::Gaps, values, Some(schema)) {
            Ok(request) => {
                let instructions = request.system.clone();
                let prompt = PromptParts { instructions: &instructions, question: task.question };
                judgement.ask(request, |reply| read::gaps(reply, task.open, prompt)).await
            }
            Err(error) => Err(error),
        };
        judgement.answer(result)
    }

    async fn judge(&self, question: &str, source: SourceView<'_>) -> AnalystAnswer<Judgement> {
        let task = Task::Score;
        let judgement = self.caller.begin(task, self.limits.scoring_seconds);
        let room = self.room(task, task.output_tokens()).min(JUDGED);
        let summary = show::clean(source.summary);
        let facts = cleaned(source.facts);
        let values = json!({
            "question": question, "source": Shown::frame(&source, 1),
            "summary": tokens::clip(&summary, room), "facts": facts,
        });
        let result = match self.frame.request(task, values, Some(read::score_schema())) {
            Ok(request) => {
                let asking = judgement.ask(request, read::score);
                // The page is looked through while its score is awaited.
                let (judged, speaks) = tokio::join!(asking, speaks_to_models(&source));
                match judged {
                    Ok(judged) if speaks => Ok(self.capped(judged, question, source).await),
                    judged => judged,
                }
            }
            Err(error) => Err(error),
        };
        judgement.answer(result)
    }

    async fn judge_all(
        &self,
        question: &str,
        sources: &[SourceView<'_>],
    ) -> AnalystAnswer<Vec<Option<Judgement>>> {
        let task = Task::Score;
        let seconds = gate::batch_seconds(self.limits.scoring_seconds, sources.len());
        let judgement = self.caller.begin(task, seconds);
        let room = self.room(task, task.output_tokens()) / sources.len().max(1);
        let shown: Vec<Weighed> = sources
            .iter()
            .enumerate()
            .map(|(index, source)| {
                let summary = show::clean(source.summary);
                let detail = tokens::clip(&summary, room.min(JUDGED)).to_owned();
                let frame = Shown { detail, ..Shown::frame(source, index + 1) };
                Weighed { frame, facts: cleaned(source.facts) }
            })
            .collect();
        let values = json!({"question": question, "sources": shown});
        let schema = Some(read::scores_schema());
        let result = match self.frame.request_by(SCORE_BATCH, task, values, schema) {
            Ok(request) => judgement.ask(request, |reply| read::scores(reply, sources.len())).await,
            Err(error) => Err(error),
        };
        let result = match result {
            Ok(mut judged) => {
                for (judged, source) in judged.iter_mut().zip(sources) {
                    if judged.is_some() && speaks_to_models(source).await {
                        let Some(own) = judged.take() else { continue };
                        *judged = Some(self.capped(own, question, *source).await);
                    }
                }
                Ok(judged)
            }
            Err(error) => Err(error),
        };
        judgement.answer(result)
    }

    async fn explain(&self, task: ShortfallTask<'_>) -> AnalystAnswer<Shortfall> {
        let judgement = self.caller.begin(Task::Explain, self.limits.planning_seconds);
        let shown: Vec<Shown> =
            task.sources.iter().enumerate().map(|(i, s)| Shown::frame(s, i + 1)).collect();
        let values = json!({
            "question": task.question, "queries": task.queries, "sources": shown,
            "candidates": task.candidates, "blocked": task.blocked, "failed": task.failed,
        });
        let result = match self.frame.request(Task::Explain, values, Some(read::shortfall_schema()))
        {
            Ok(request) => judgement.ask(request, read::shortfall).await,
            Err(error) => Err(error),
        };
        judgement.answer(result)
    }

    async fn gather(&self, task: GatherTask<'_>) -> AnalystAnswer<Wishes> {
        let judgement = self.caller.begin(Task::Gather, self.limits.planning_seconds);
        let values = json!({
            "question": task.question, "round": task.round.number(), "slots": task.slots,
            "open": task.open,
        });
        let result = match self.frame.request(Task::Gather, values, None) {
            Ok(request) => {
                let mut request = Request { tools: tools(), ..request };
                request.turns.extend(fitting(task.turns, self.room(Task::Gather, 4_000)));
                let replied = judgement.call(&request).await;
                replied.map(|reply| Wishes { said: reply.text, calls: reply.calls })
            }
            Err(error) => Err(error),
        };
        judgement.answer(result)
    }

    /// A page that speaks to models scores no more than the embedded judge finds in the rest of it:
    /// what a page says about itself can only lower its score.
    async fn capped(&self, judged: Judgement, question: &str, source: SourceView<'_>) -> Judgement {
        let (title, text) = (show::clean(source.title), show::clean(source.text));
        let cleaned =
            SourceView { title: &title, text: &text, headings: &[], lists: &[], ..source };
        let own = self.embedded.judge(question, cleaned).await.result;
        let own = own.map_or(judged.score, |own| own.score);
        let note = "The page addresses the programs that read it; that part was left out.";
        let why = format!("{} {note}", judged.why.trim()).trim().to_owned();
        Judgement { score: judged.score.min(own), why }
    }

    async fn check(&self, claim: &str, passage: &str) -> AnalystAnswer<Support> {
        let judgement = self.caller.begin(Task::Check, self.limits.scoring_seconds);
        let values = json!({"claim": claim, "passage": show::clean(passage)});
        let result = match self.frame.request(Task::Check, values, Some(read::check_schema())) {
            Ok(request) => judgement.ask(request, read::check).await,
            Err(error) => Err(error),
        };
        judgement.answer(result)
    }
}

/// Work without waiting, done where it delays nothing.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, AnalystError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| AnalystError::Failed(error.to_string()))
}

/// Whether anything of a source speaks to a model. What cannot be looked through counts as if it did.
async fn speaks_to_models(source: &SourceView<'_>) -> bool {
    let texts = [source.title, source.snippet, source.text].map(str::to_owned);
    aside(move || texts.iter().any(|text| show::speaks_to_models(text))).await.unwrap_or(true)
}

/// A source among several that are judged at once.
#[derive(Serialize)]
struct Weighed {
    #[serde(flatten)]
    frame: Shown,
    facts: Vec<Fact>,
}

/// Facts without what they say to a model.
fn cleaned(facts: &[Fact]) -> Vec<Fact> {
    let clean =
        |fact: &Fact| Fact { statement: show::clean(&fact.statement).into_owned(), ..fact.clone() };
    facts.iter().map(clean).collect()
}

/// The tools that a model may gather with.
fn tools() -> Vec<Tool> {
    let tool = |name: &str, key: &str, what: &str, description: &str| Tool {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters: schema::object(&[(key, schema::string(what))]),
    };
    vec![
        tool(
            "search_web",
            "query",
            "three to ten words",
            "Searches and lists pages with their credibility scores.",
        ),
        tool(
            "fetch_page",
            "url",
            "the address of a page that a search returned",
            "Reads a page that a search returned and was not blocked.",
        ),
    ]
}

/// The latest turns that fit. The oldest answers of tools are the first to be shortened.
fn fitting(turns: &[Turn], room: usize) -> Vec<Turn> {
    let mut turns = turns.to_vec();
    let size = |turns: &[Turn]| {
        let request = Request { turns: turns.to_vec(), ..Request::new(Task::Gather, "", "") };
        tokens::of_request(&request)
    };
    for index in 0..turns.len() {
        if size(&turns) <= room {
            break;
        }
        if let Some(Turn::Results(results)) = turns.get_mut(index) {
            for result in results {
                result.text = tokens::clip(&result.text, 40).to_owned() + " […]";
            }
        }
    }
    turns
}

impl Analyst for Llm<'_> {
    fn author(&self) -> Author {
        Author { name: self.caller.model_set.name(Task::Synthesise), is_model: true }
    }

    fn parallel(&self) -> usize {
        self.caller.parallel()
    }

    fn patience(&self, kind: StepKind, usual: u64) -> u64 {
        let task = match kind {
            StepKind::Plan => Task::Plan,
            StepKind::Summarise => Task::Summarise,
            StepKind::Gaps => Task::Gaps,
            StepKind::Judge => Task::Score,
            StepKind::Synthesise => Task::Synthesise,
            StepKind::Outline => Task::Outline,
            StepKind::Section => Task::Section,
            StepKind::Lead => Task::Lead,
            StepKind::Explain => Task::Explain,
            StepKind::Gather => Task::Gather,
            StepKind::Criticise => Task::Criticise,
            StepKind::Check => Task::Check,
            StepKind::Search
            | StepKind::Ledger
            | StepKind::Fetch
            | StepKind::Read
            | StepKind::Offer
            | StepKind::Approve
            | StepKind::Model => return usual,
        };
        self.caller.patience(task, usual)
    }

    fn plan<'a>(&'a self, question: &'a str, clarify: bool) -> Judging<'a, Planned> {
        Box::pin(self.plan(question, clarify))
    }

    fn summarise<'a>(&'a self, question: &'a str, source: SourceView<'a>) -> Judging<'a, Summary> {
        Box::pin(self.summarise(question, source))
    }

    fn gaps<'a>(&'a self, task: GapsTask<'a>) -> Judging<'a, Gaps> {
        Box::pin(self.gaps(task))
    }

    fn judge<'a>(&'a self, question: &'a str, source: SourceView<'a>) -> Judging<'a, Judgement> {
        Box::pin(self.judge(question, source))
    }

    fn judge_all<'a>(
        &'a self,
        question: &'a str,
        sources: &'a [SourceView<'a>],
    ) -> Judging<'a, Vec<Option<Judgement>>> {
        Box::pin(self.judge_all(question, sources))
    }

    fn synthesise<'a>(&'a self, task: SynthesisTask<'a>) -> Judging<'a, Draft> {
        Box::pin(self.synthesise(task))
    }

    fn explain<'a>(&'a self, task: ShortfallTask<'a>) -> Judging<'a, Shortfall> {
        Box::pin(self.explain(task))
    }

    fn gather<'a>(&'a self, task: GatherTask<'a>) -> Judging<'a, Wishes> {
        Box::pin(self.gather(task))
    }

    fn outline<'a>(&'a self, task: SynthesisTask<'a>) -> Judging<'a, Outline> {
        Box::pin(self.outline(task))
    }

    fn section<'a>(&'a self, task: SectionTask<'a>) -> Judging<'a, Theme> {
        Box::pin(self.section(task))
    }

    fn lead<'a>(&'a self, task: SynthesisTask<'a>, themes: &'a [Theme]) -> Judging<'a, Lead> {
        Box::pin(self.lead(task, themes))
    }

    fn criticise<'a>(
        &'a self,
        task: SynthesisTask<'a>,
        doubts: &'a [Doubt],
    ) -> Judging<'a, Critique> {
        Box::pin(self.criticise(task, doubts))
    }

    fn check<'a>(&'a self, claim: &'a str, passage: &'a str) -> Judging<'a, Support> {
        Box::pin(self.check(claim, passage))
    }
}
