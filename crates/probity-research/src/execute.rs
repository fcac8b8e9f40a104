//! Executes a run: the only way, for every caller.
//!
//! ```text
//! spec + journal so far + means → analyst → stages → report → written down
//! ```

use probity_core::{Clock, Problem};
use probity_model::ModelSet;
use probity_reader::TextReader;
use probity_report::json::ReportJson;
use probity_store::events::NewEvent;
use probity_store::{Ending, RunStatus, Store};

use crate::analyst::embedded::Embedded;
use crate::analyst::llm::Llm;
use crate::approve::{Approver, Unattended};
use crate::driver::{Cancel, Finished, Parts, RunError, research};
use crate::event::{Unwatched, Watcher};
use crate::fact_check::{FactCheck, fact_check};
use crate::gather::Gatherer;
use crate::journal::{Entry, Forget, Journal, JournalError, Keep};
use crate::{Analyst, RunSpec};

/// What a run works with, as the settings and its own description open it.
pub struct RunEnvironment {
    /// The outside world.
    pub gatherer: Box<dyn Gatherer>,
    /// The language models; none for the embedded analyst.
    pub model_set: Option<ModelSet>,
    /// The reader of texts beside questions and claims.
    pub reader: TextReader,
    /// What went wrong already while these were opened.
    pub problems: Vec<Problem>,
}

/// A run that is about to be executed, from its beginning or from where its journal ends.
pub struct Execution<'a> {
    /// What it was asked to do.
    pub spec: &'a RunSpec,
    /// What was done already.
    pub entries: Vec<Entry>,
    /// Who watches.
    pub watcher: &'a dyn Watcher,
    /// Whom to ask about the plan, where that is wanted.
    pub approver: &'a dyn Approver,
    /// Whether to stop.
    pub cancel: Cancel,
    /// What the steps are dated by.
    pub clock: Clock,
}

impl<'a> Execution<'a> {
    /// A new run without watcher, approval or stop.
    pub fn unattended(spec: &'a RunSpec, clock: Clock) -> Self {
        let (watcher, approver) = (&Unwatched, &Unattended);
        Self { spec, entries: Vec::new(), watcher, approver, cancel: Cancel::never(), clock }
    }

    /// Carries the run out and keeps nothing of it.
    ///
    /// # Errors
    /// As [`research`] does.
    pub async fn forgetting(self, environment: RunEnvironment) -> Result<Finished, RunError> {
        self.keeping(environment, Forget).await
    }

    /// Carries the run out with its journal kept there. How it ended is the caller's to write down.
    ///
    /// # Errors
    /// As [`research`] does.
    pub async fn keeping(
        self,
        environment: RunEnvironment,
        keep: impl Keep + 'static,
    ) -> Result<Finished, RunError> {
        let Self { spec, entries, watcher, approver, cancel, clock } = self;
        let RunEnvironment { gatherer, model_set, reader, problems } = environment;
        report(watcher, problems);
        let embedded = Embedded::new(reader);
        let journal = Journal::recording(&spec.run_id, entries, keep, clock)?;
        let analyst = analyst(model_set, spec, &journal, watcher, &embedded);
        let (analyst, gatherer) = (analyst.as_ref(), gatherer.as_ref());
        let stop = cancel.clone();
        let finished = research(Parts {
            spec,
            journal: &journal,
            analyst,
            embedded: &embedded,
            gatherer,
            watcher,
            approver,
            cancel,
        })
        .await?;
        tokio::select! {
            () = gatherer.settle() => {}
            () = stop.thrown() => {}
        }
        Ok(finished)
    }

    /// Checks the statements of a text instead of asking the question, and keeps nothing.
    ///
    /// # Errors
    /// As [`fact_check`] does.
    pub async fn checking(
        self,
        environment: RunEnvironment,
        text: &str,
    ) -> Result<FactCheck, RunError> {
        let Self { spec, entries, watcher, cancel, clock, .. } = self;
        let RunEnvironment { gatherer, model_set, reader, problems } = environment;
        report(watcher, problems);
        let embedded = Embedded::new(reader);
        let journal = Journal::recording(&spec.run_id, entries, Forget, clock)?;
        let analyst = analyst(model_set, spec, &journal, watcher, &embedded);
        let (analyst, gatherer) = (analyst.as_ref(), gatherer.as_ref());
        fact_check(
            Parts {
                watcher,
                cancel,
                ..Parts::unattended(spec, &journal, analyst, &embedded, gatherer)
            },
            text,
        )
        .await
    }
}

/// Tells what went wrong before the run began.
fn report(watcher: &dyn Watcher, problems: Vec<Problem>) {
    problems.into_iter().for_each(|problem| watcher.watch(&crate::Event::Problem(problem)));
}

/// Who judges: the models, or where there are none the embedded analyst.
fn analyst<'a>(
    model_set: Option<ModelSet>,
    spec: &'a RunSpec,
    journal: &'a Journal,
    watcher: &'a dyn Watcher,
    embedded: &Embedded,
) -> Box<dyn Analyst + 'a> {
    match model_set {
        Some(model_set) => Box::new(Llm::new(model_set, spec, journal, watcher, embedded.clone())),
        None => Box::new(embedded.clone()),
    }
}

/// How a run ended, as the store keeps it. The text is the report's JSON.
pub struct Outcome {
    report: String,
    decision: &'static str,
    title: String,
}

impl Outcome {
    /// What is kept of a finished run.
    pub fn of(finished: &Finished) -> Self {
        Self {
            report: serde_json::to_string(&ReportJson::new(&finished.report)).unwrap_or_default(),
            decision: finished.facts().gate.decision.as_str(),
            title: finished.report.title().to_owned(),
        }
    }

    /// The same, as the store takes it.
    pub fn ending(&self) -> Ending<'_> {
        Ending {
            status: RunStatus::Finished,
            decision: Some(self.decision),
            title: Some(&self.title),
            report: Some(&self.report),
            error: None,
        }
    }
}

/// Writes down how a run ended, with the last events of its stream.
///
/// # Errors
/// When the store fails.
pub async fn record(store: &Store, finished: &Finished, last: &[NewEvent]) -> Result<(), RunError> {
    let run = &finished.facts().run_id;
    let ended = store.end_run(run, &Outcome::of(finished).ending(), last).await;
    Ok(ended.map_err(|error| JournalError::Storage {
        run: run.clone(),
        action: "written",
        reason: error.to_string(),
    })?)
}
