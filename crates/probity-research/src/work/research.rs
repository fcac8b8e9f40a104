//! What a worker does with a research run: take it up where it is, and end it once.

use std::sync::Arc;
use std::time::Duration;

use probity_core::{Answering, Clock, RunId, Timestamp};
use probity_store::queue::{JobEnd, Leased, RESEARCH};
use probity_store::{RunStatus, Store, StoreError};

use super::record::Recorder;
use super::{Handled, Handler, Task};
use crate::approve::Elsewhere;
use crate::driver::RunError;
use crate::execute::{Execution, Outcome, RunEnvironment};
use crate::journal::{Entry, JournalError, Keep, Keeping};
use crate::{Finished, RunSpec};

/// How long to wait before a write that failed for a passing reason is tried again.
const AGAIN: Duration = Duration::from_millis(250);

/// How soon a run whose plan waits for approval is looked at again at the latest. Approving makes it due at once; this
/// is for an approval that was written while the run was being put aside.
const LOOK_AGAIN: Duration = Duration::from_secs(60);

/// Does it again for as long as it fails for a passing reason. The lease bounds it: once that is
/// lost, the whole handler is dropped. (A macro, because futures of asynchronous closures that
/// borrow cannot be sent to another thread yet.)
macro_rules! patiently {
    ($work:expr) => {
        loop {
            match $work.await {
                Err(error) if error.is_passing() => tokio::time::sleep(AGAIN).await,
                ended => break ended,
            }
        }
    };
}

/// Opens what a run works with, as its own description and this process's settings say.
pub trait Provide: Send + Sync {
    /// The means of a run, or why this process does not have them.
    fn open<'a>(
        &'a self,
        spec: &'a RunSpec,
        job: &'a Leased,
    ) -> Answering<'a, Result<RunEnvironment, String>>;
}

/// Carries research runs out.
pub struct ResearchHandler {
    provide: Arc<dyn Provide>,
    clock: Clock,
}

impl ResearchHandler {
    /// A handler with these means.
    pub fn new(provide: Arc<dyn Provide>, clock: Clock) -> Self {
        Self { provide, clock }
    }

    async fn run(&self, task: Task) -> Handled {
        let run = task.job.fence.job.clone();
        let opened = match patiently!(self.open_run(&task.store, &run.as_str().into())) {
            Ok(opened) => opened,
            Err(error) => return Handled::Failed(error.to_string()),
        };
        let Some((spec, entries)) = opened else { return Handled::Done };
        let spec = match serde_json::from_str::<RunSpec>(&spec) {
            Ok(spec) => spec,
            Err(error) => {
                return Handled::Hopeless(format!("what run {run} was asked is damaged: {error}"));
            }
        };
        let recorder = match patiently!(Recorder::begin(&task.store, &run.as_str().into())) {
            Ok(recorder) => recorder,
            Err(error) => return Handled::Failed(error.to_string()),
        };
        if task.is_called_off() {
            let result = Err(RunError::Journal(JournalError::Interrupted));
            return self.settle(&task, recorder, result).await;
        }
        let environment = match self.provide.open(&spec, &task.job).await {
            Ok(environment) => environment,
            Err(why) => return Handled::Failed(why),
        };
        let keep = Patient(task.store.clone());
        let cancel = task.cancel.clone();
        let execution = Execution {
            spec: &spec,
            entries,
            watcher: &recorder,
            approver: &Elsewhere,
            cancel,
            clock: self.clock,
        };
        let result = execution.keeping(environment, keep).await;
        self.settle(&task, recorder, result).await
    }

    /// What the run was asked and what was done; none when it is finished or gone.
    async fn open_run(
        &self,
        store: &Store,
        run: &RunId,
    ) -> Result<Option<(String, Vec<Entry>)>, StoreError> {
        match store.run(run).await? {
            Some(record) if record.summary.status != RunStatus::Finished => {
                Ok(Some((record.spec, store.journal(run).await?)))
            }
            _ => Ok(None),
        }
    }

    /// Leaves a run whose plan has not been approved yet, or ends it when its time is over.
    fn parked(&self, task: &Task, until: Timestamp) -> Handled {
        if task.is_called_off() {
            return Handled::Cancelled;
        }
        let run = &task.job.fence.job;
        match u64::try_from(until.0.saturating_sub(self.clock.now().0)) {
            Ok(left) if left > 0 => Handled::Again(Duration::from_millis(left).min(LOOK_AGAIN)),
            _ => Handled::Hopeless(format!(
                "the plan was not approved in time; approve it anyway with: probity runs approve {run}"
            )),
        }
    }

    /// Ends the run if it came to an end, or leaves it to be taken up again.
    async fn settle(
        &self,
        task: &Task,
        recorder: Recorder,
        result: Result<Finished, RunError>,
    ) -> Handled {
        let Some(last) = recorder.close().await else { return Handled::Lost };
        match result {
            Ok(finished) => {
                let (outcome, fence) = (Outcome::of(&finished), &task.job.fence);
                let ending = outcome.ending();
                let settled =
                    patiently!(task.store.settle_run(fence, &ending, &last, JobEnd::Done));
                match settled {
                    Ok(true) => Handled::Settled,
                    Ok(false) => Handled::Lost,
                    Err(error) => Handled::Failed(error.to_string()),
                }
            }
            Err(RunError::Journal(JournalError::Interrupted)) if task.is_called_off() => {
                Handled::Cancelled
            }
            Err(RunError::Journal(JournalError::Interrupted)) => Handled::HandedOver,
            Err(RunError::Journal(JournalError::Waiting { until })) => self.parked(task, until),
            Err(error @ RunError::Journal(JournalError::Storage { .. })) => {
                Handled::Failed(error.to_string())
            }
            Err(error) => Handled::Hopeless(error.to_string()),
        }
    }
}

/// A journal that outlasts a restart of its store: a step that was done, and perhaps paid for, is
/// not given up because the server is away for a moment.
struct Patient(Store);

impl Keep for Patient {
    fn append<'a>(&'a self, run: &'a RunId, entry: &'a Entry) -> Keeping<'a> {
        Box::pin(async move {
            patiently!(self.0.append_step(run, entry)).map_err(|error| error.to_string())
        })
    }
}

impl Handler for ResearchHandler {
    fn kind(&self) -> &'static str {
        RESEARCH
    }

    fn handle<'a>(&'a self, task: Task) -> Answering<'a, Handled> {
        Box::pin(self.run(task))
    }
}
