//! One run from beginning to end: the stages in order, and what they share.

use std::collections::HashMap;
use std::time::Duration;

use probity_core::{
    Answering, Candidate, Decision, Heading, List, Problem, ProblemKind, Round, SourceId,
};
use probity_credibility::{PolicyError, Scorer};
use probity_model::provider::SHORT_CALLS;
use probity_report::assemble::{SourceText, Texts};
use probity_report::check::{Pair, Readings};
use probity_report::facts::{Revision, RoundRecord, SentQuery, Usage};
use probity_report::{CheckedReport, RunFacts};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::watch;

use crate::analyst::embedded::Embedded;
use crate::analyst::{Analyst, AnalystAnswer, AnalystError, Fact, Judging, Plan, SourceView};
use crate::approve::{Approver, Offer, Ruling, Unattended};
use crate::event::{Event, Stage, Unwatched, Watcher};
use crate::gather::Gatherer;
use crate::journal::{Journal, JournalError, StepKind};
use crate::read::read;
use crate::run::{Gathering, RunSpec};
use crate::sources::Sources;
use crate::stage;

/// Why a run ended without an outcome. Full, short and insufficient are outcomes, not errors.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The journal could not be used, or the run was stopped.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The scoring policy contradicts itself.
    #[error("pages cannot be scored: {0}")]
    Policy(#[from] PolicyError),
}

/// A run that came to its end.
pub struct Finished {
    /// The report, or the account of why there is none.
    pub report: CheckedReport,
    /// The texts of the sources that were read.
    pub texts: Texts,
}

impl Finished {
    /// What the run did.
    pub fn facts(&self) -> &RunFacts {
        self.report.facts()
    }
}

/// Told to stop, a run ends within a second and can be resumed.
#[derive(Clone)]
pub struct Cancel {
    now: watch::Receiver<bool>,
    /// Thrown when what is in progress may still be finished.
    soon: Option<watch::Receiver<bool>>,
}

impl Cancel {
    /// A handle for the run and a switch that stops it.
    pub fn new() -> (watch::Sender<bool>, Self) {
        let (switch, now) = watch::channel(false);
        (switch, Self { now, soon: None })
    }

    /// The same handle with a second, gentler switch: no step is begun any more, but those that are
    /// in progress are finished and written down, so that no payment is wasted.
    pub fn gently(mut self) -> (watch::Sender<bool>, Self) {
        let (switch, soon) = watch::channel(false);
        self.soon = Some(soon);
        (switch, self)
    }

    /// Never stops.
    pub fn never() -> Self {
        let (switch, handle) = Self::new();
        // Without its switch the handle would count as thrown; keep it for the life of the program.
        std::mem::forget(switch);
        handle
    }

    /// Whether no further step is to be begun.
    pub fn is_asked(&self) -> bool {
        *self.now.borrow() || self.soon.as_ref().is_some_and(|soon| *soon.borrow())
    }

    pub(crate) async fn thrown(&self) {
        let mut receiver = self.now.clone();
        if receiver.wait_for(|stop| *stop).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Everything a run is made from.
pub struct Parts<'a> {
    /// What it was asked to do.
    pub spec: &'a RunSpec,
    /// Its memory.
    pub journal: &'a Journal,
    /// Its judgement.
    pub analyst: &'a dyn Analyst,
    /// What judges where the analyst cannot.
    pub embedded: &'a Embedded,
    /// Its world.
    pub gatherer: &'a dyn Gatherer,
    /// Who watches.
    pub watcher: &'a dyn Watcher,
    /// Whom to ask about the plan, where that is wanted.
    pub approver: &'a dyn Approver,
    /// Whether to stop.
    pub cancel: Cancel,
}

impl<'a> Parts<'a> {
    /// A run without watcher, approval or stop.
    pub fn unattended(
        spec: &'a RunSpec,
        journal: &'a Journal,
        analyst: &'a dyn Analyst,
        embedded: &'a Embedded,
        gatherer: &'a dyn Gatherer,
    ) -> Self {
        let (watcher, approver) = (&Unwatched, &Unattended);
        Self {
            spec,
            journal,
            analyst,
            embedded,
            gatherer,
            watcher,
            approver,
            cancel: Cancel::never(),
        }
    }
}

/// Runs a question to its end.
///
/// # Errors
/// When the journal fails, the policy contradicts itself, or the run is stopped. A dead page,
/// a provider that is down or an unusable judgement is no error: it is a [`Problem`] in the facts.
pub async fn research(parts: Parts<'_>) -> Result<Finished, RunError> {
    let watcher = parts.watcher;
    let result = run(parts).await;
    match &result {
        Ok(finished) => watcher.watch(&Event::Report {
            decision: finished.facts().gate.decision,
            title: finished.report.title().to_owned(),
        }),
        Err(error) => watcher.watch(&Event::Error { message: error.to_string() }),
    }
    watcher.watch(&Event::End);
    result
}

fn run(parts: Parts<'_>) -> Answering<'_, Result<Finished, RunError>> {
    Box::pin(async move {
        let spec = parts.spec;
        let scorer = Scorer::new(spec.policy.clone(), HashMap::new(), spec.asked_at)?;
        let mut run = Run::new(parts, scorer);
        run.tell(Event::Start {
            run_id: spec.run_id.clone(),
            question: spec.question.as_str().to_owned(),
            mode: spec.mode,
        });
        if run.parts.analyst.author().is_model && run.parts.journal.is_recording() {
            // Loading the reader is not to hold up the first check: a model is waited for before that.
            let reader = run.parts.embedded.reader().clone();
            tokio::task::spawn_blocking(move || reader.is_trained());
        }
        run.begin(Stage::Plan, "Planning the searches");
        gather_first(&mut run).await?;
        let open = stage::rounds::further(&mut run).await?;
        run.begin(Stage::Gate, "Judging whether each source answers the question");
        let gate = stage::gate::judge(&mut run).await?;
        let title = match gate.decision {
            Decision::InsufficientData => "Saying what is missing",
            _ => "Writing the report",
        };
        run.begin(Stage::Writing, title);
        let remaining = stage::gaps::remaining(&run, &open);
        Ok(stage::write::write(run, gate, remaining).await?)
    })
}

/// Round 1: by the model where it is to gather, and by the plan where it does not or finds nothing.
async fn gather_first(run: &mut Run<'_>) -> Result<(), JournalError> {
    const TITLE: &str = "Round 1: searching and reading";
    if run.parts.spec.gathering == Gathering::Agentic {
        run.begin(Stage::FirstRound, TITLE);
        if stage::agent::gather(run, Round::First, &[]).await? > 0 {
            return Ok(());
        }
    }
    let queries = stage::plan::plan(run).await?;
    let sent: Vec<String> = run.queries.iter().map(|query| query.text.clone()).collect();
    let queries = stage::plan::usable(queries, &sent, run.parts.spec.numbers.queries);
    if run.parts.spec.gathering == Gathering::Planned {
        run.begin(Stage::FirstRound, TITLE);
    }
    stage::search::search(run, Round::First, queries).await?;
    stage::fetch::fetch(run, Round::First).await
}

/// A source that was read, with its text and summary.
pub(crate) struct ReadSource {
    pub(crate) id: SourceId,
    pub(crate) text: SourceText,
    pub(crate) headings: Vec<Heading>,
    pub(crate) lists: Vec<List>,
    pub(crate) summary: String,
    pub(crate) facts: Vec<Fact>,
}

/// What the stages share: the candidates so far and the means to do more.
pub(crate) struct Run<'a> {
    pub(crate) parts: Parts<'a>,
    pub(crate) scorer: Scorer,
    pub(crate) sources: Sources,
    /// The sources that were read, in the order of reading.
    pub(crate) read: Vec<ReadSource>,
    pub(crate) queries: Vec<SentQuery>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) usage: Usage,
    pub(crate) revisions: Vec<Revision>,
    /// What each round brought, where there can be more than two.
    pub(crate) rounds: Vec<RoundRecord>,
    /// What it set out to find.
    pub(crate) plan: Plan,
    /// The question as its analyst is asked it: with what was said when it was asked back.
    asked: String,
    /// The spending limit that was reached, if one was.
    exhausted: Option<String>,
}

impl<'a> Run<'a> {
    pub(crate) fn new(parts: Parts<'a>, scorer: Scorer) -> Self {
        Self {
            asked: parts.spec.question.as_str().to_owned(),
            parts,
            scorer,
            sources: Sources::default(),
            read: Vec::new(),
            queries: Vec::new(),
            problems: Vec::new(),
            usage: Usage::default(),
            revisions: Vec::new(),
            rounds: Vec::new(),
            plan: Plan::default(),
            exhausted: None,
        }
    }

    pub(crate) fn question(&self) -> &'a str {
        self.parts.spec.question.as_str()
    }

    /// The question as an analyst is asked it.
    pub(crate) fn asked(&self) -> &str {
        &self.asked
    }

    /// From now on the question is asked with what was answered when it was asked back.
    pub(crate) fn clarified(&mut self, back: &str, answer: &str) {
        self.asked = format!("{} ({back} {answer})", self.question());
    }

    /// Submits a plan to the user, unless the run is interrupted first.
    pub(crate) async fn put_before(&self, offer: &Offer) -> Result<Ruling, JournalError> {
        tokio::select! {
            biased;
            () = self.parts.cancel.thrown() => Err(JournalError::Interrupted),
            ruling = self.parts.approver.approve(offer) => Ok(ruling),
        }
    }

    pub(crate) fn tell(&self, event: Event) {
        self.parts.watcher.watch(&event);
    }

    pub(crate) fn problem(&mut self, problem: Problem) {
        self.tell(Event::Problem(problem.clone()));
        self.problems.push(problem);
    }

    pub(crate) fn begin(&self, stage: Stage, title: &str) {
        self.parts.journal.timeline().enter(title);
        let (number, of) = (stage.number(), Stage::last(self.parts.spec.mode).number());
        self.tell(Event::Step { number, of, title: title.to_owned() });
    }

    /// Announces the last step of a deep run.
    pub(crate) fn begin_checking(&self) {
        if self.parts.spec.mode.is_deep() {
            self.begin(Stage::Checking, "Checking every citation against its source");
        }
    }

    pub(crate) fn candidate_mut(&mut self, id: SourceId) -> Option<&mut Candidate> {
        self.sources.get_mut(id).map(|tracked| &mut tracked.candidate)
    }

    pub(crate) fn candidate(&self, id: SourceId) -> Option<&Candidate> {
        self.sources.get(id).map(|tracked| &tracked.candidate)
    }

    /// The sources that were read, as an analyst sees them.
    pub(crate) fn views(&self) -> Vec<SourceView<'_>> {
        self.read.iter().filter_map(|source| self.view(source)).collect()
    }

    pub(crate) fn view<'s>(&'s self, source: &'s ReadSource) -> Option<SourceView<'s>> {
        let candidate = self.candidate(source.id)?;
        let outlet = candidate.outlet.as_ref().map_or(candidate.url.host(), |o| o.as_str());
        Some(SourceView {
            id: source.id,
            title: &candidate.title,
            url: candidate.url.as_str(),
            outlet,
            published: candidate.published,
            credibility: candidate.credibility.total,
            authority: candidate.credibility.authority,
            snippet: &candidate.snippet,
            text: &source.text,
            headings: &source.headings,
            lists: &source.lists,
            summary: &source.summary,
            facts: &source.facts,
            relevance: candidate.relevance.as_ref().map(|r| r.score),
            why: candidate.relevance.as_ref().map_or("", |r| r.why.as_str()),
        })
    }

    /// Does a step once, unless the run is interrupted first.
    pub(crate) async fn step<T, I, F>(
        &self,
        kind: StepKind,
        inputs: &I,
        work: F,
    ) -> Result<T, JournalError>
    where
        T: Serialize + DeserializeOwned,
        I: Serialize,
        F: AsyncFnOnce() -> T,
    {
        if self.parts.cancel.is_asked() {
            return Err(JournalError::Interrupted);
        }
        tokio::select! {
            biased;
            () = self.parts.cancel.thrown() => Err(JournalError::Interrupted),
            result = self.parts.journal.step(kind, inputs, work) => result,
        }
    }

    /// How many judgements are made at once.
    pub(crate) fn parallel(&self) -> usize {
        self.parts.spec.limits.parallel_judgements.min(self.parts.analyst.parallel()).max(1)
    }

    /// How many judgements are made at once that are a word or two. Where they are to be made one after the other,
    /// these are too.
    pub(crate) fn parallel_short(&self) -> usize {
        let most = match self.parts.spec.limits.parallel_judgements {
            0 | 1 => 1,
            most => most.saturating_mul(SHORT_CALLS as usize),
        };
        most.min(self.parts.analyst.parallel()).max(1)
    }

    /// Has claims read beside passages once.
    pub(crate) async fn read_pairs(&self, pairs: Vec<Pair>) -> Result<Readings, JournalError> {
        read(self.parts.journal, self.parts.embedded.reader(), &self.parts.cancel, pairs).await
    }

    /// Asks the analyst once, with a limit on waiting.
    pub(crate) async fn ask<'j, T, I>(
        &self,
        kind: StepKind,
        inputs: &I,
        seconds: u64,
        judging: impl FnOnce() -> Judging<'j, T>,
    ) -> Result<AnalystAnswer<T>, JournalError>
    where
        T: Serialize + DeserializeOwned,
        I: Serialize,
    {
        let seconds = self.parts.analyst.patience(kind, seconds);
        self.step(kind, inputs, async || {
            let limit = Duration::from_secs(seconds);
            match tokio::time::timeout(limit, judging()).await {
                Ok(answer) => answer,
                Err(_) => AnalystAnswer::none(AnalystError::Timeout(seconds)),
            }
        })
        .await
    }

    /// Asks the embedded analyst, where the run's own cannot judge.
    pub(crate) async fn ask_embedded<'j, T, I>(
        &self,
        kind: StepKind,
        inputs: &I,
        judging: impl FnOnce() -> Judging<'j, T>,
    ) -> Result<AnalystAnswer<T>, JournalError>
    where
        T: Serialize + DeserializeOwned,
        I: Serialize,
    {
        self.ask(kind, &("embedded", inputs), EMBEDDED_SECONDS, judging).await
    }

    /// Whether a spending limit was reached, so that nothing more is gathered.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.exhausted.is_some()
    }

    /// Notes that a spending limit was reached, if that is what the error says; it is reported
    /// once.
    pub(crate) fn note_budget(&mut self, error: &AnalystError) -> bool {
        let AnalystError::Budget(limit) = error else { return false };
        if self.exhausted.is_none() {
            self.exhausted = Some(limit.clone());
            let detail = format!(
                "the next call to a model could have gone over {limit}; gathering ended and the \
                 report was made from what there was"
            );
            self.problem(Problem::new(ProblemKind::Budget, "spending limit", detail));
        }
        true
    }

    /// Adds up what an answer cost.
    pub(crate) fn spend(&mut self, usage: &Usage) {
        self.usage.add(usage);
        self.parts.journal.timeline().spend(usage);
    }
}

/// How long the embedded analyst may take for one judgement, in seconds: it reads on a processor that others
/// may be using too.
const EMBEDDED_SECONDS: u64 = 120;
