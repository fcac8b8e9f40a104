//! Runs that go through the queue: carried out once, handed over, cancelled, told to any watcher.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use probity_core::{Answering, Clock, Mode};
use probity_credibility::Question;
use probity_model::{Model, ModelSet, Task as ModelTask};
use probity_reader::TextReader;
use probity_research::RunSpec;
use probity_research::event::Event;
use probity_research::execute::RunEnvironment;
use probity_research::work::{Handler, Provide, ResearchHandler, Tally, WorkSettings, work};
use probity_store::events::{END, RunEvent, closing};
use probity_store::queue::{Cancelled, Enqueued, JobState, Leased, QueueLimits, RunJob};
use probity_store::{Location, NewRun, RunStatus, Store};
use probity_testkit::model::{Act, ScriptedModel, well};
use tokio::sync::{Notify, watch};

use crate::models::gatherer;
use crate::scripted::{QUESTION, spec};

pub(crate) const LIMITS: QueueLimits = QueueLimits { open: 10_000, open_per_owner: 10_000 };

/// Gives every run the paper world and a model of the test's choosing.
struct Paperwork(Arc<dyn Model>);

impl Provide for Paperwork {
    fn open<'a>(
        &'a self,
        _: &'a RunSpec,
        _: &'a Leased,
    ) -> Answering<'a, Result<RunEnvironment, String>> {
        let model_set = Some(ModelSet::of_one(Arc::clone(&self.0)));
        let environment = RunEnvironment {
            gatherer: Box::new(gatherer()),
            model_set,
            reader: TextReader::Embedded,
            problems: Vec::new(),
        };
        Box::pin(async { Ok(environment) })
    }
}

pub(crate) fn handlers(model: Arc<dyn Model>) -> Vec<Arc<dyn Handler>> {
    vec![Arc::new(ResearchHandler::new(Arc::new(Paperwork(model)), Clock::System))]
}

async fn ask(store: &Store, id: &str, mode: Mode) {
    ask_about(store, id, mode, QUESTION).await;
}

pub(crate) async fn ask_about(store: &Store, id: &str, mode: Mode, question: &str) {
    let mut spec = spec(mode);
    spec.run_id = id.to_owned().into();
    spec.question = Question::new(question).unwrap();
    let written = serde_json::to_string(&spec).unwrap();
    let run = NewRun {
        id: &id.into(),
        question: spec.question.as_str(),
        mode: mode.as_str(),
        spec: &written,
        asked_at: spec.asked_at,
    };
    let queued = store.enqueue_run(&run, &RunJob::of("ada"), LIMITS).await.unwrap();
    assert_eq!(queued, Enqueued::Added);
}

/// All events of a run, whose numbers have no gap.
pub(crate) async fn events_of(store: &Store, id: &str) -> Vec<RunEvent> {
    let mut events: Vec<RunEvent> = Vec::new();
    loop {
        let after = events.last().map_or(0, |event| event.seq);
        let page = store.events_after(&id.into(), after, 500).await.unwrap();
        if page.is_empty() {
            break;
        }
        events.extend(page);
    }
    for (event, seq) in events.iter().zip(1..) {
        assert_eq!(event.seq, seq, "{id}: a number is missing or doubled");
    }
    events
}

/// The events in an order that does not depend on which judgement was quicker.
fn sorted(events: &[RunEvent]) -> Vec<String> {
    let passing = ["spend", "writing"];
    let lasting = events.iter().filter(|event| !passing.contains(&event.kind.as_str()));
    let mut lasting: Vec<String> = lasting.map(|event| event.event.clone()).collect();
    lasting.sort();
    lasting
}

async fn place() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&Location::file(folder.path().join("x.db"))).await.unwrap();
    (folder, store)
}

fn settings(name: &str) -> WorkSettings {
    WorkSettings { retry: Duration::ZERO, until_empty: true, ..WorkSettings::new(name) }
}

async fn until_empty(store: &Store, model: Arc<dyn Model>, name: &str) -> Tally {
    let (_keep, stop) = watch::channel(false);
    work(store, &handlers(model), &settings(name), stop).await
}

/// A model that does well until a task comes for the nth time, and then says so and never answers.
fn stuck_at(task: ModelTask, stuck: Arc<Notify>) -> Arc<ScriptedModel> {
    let first = AtomicBool::new(true);
    Arc::new(ScriptedModel::new(move |request| {
        if request.task == task && first.swap(false, Ordering::SeqCst) {
            stuck.notify_one();
            return Act::Silence;
        }
        well(request)
    }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn queued_runs_are_carried_out_once_and_told_from_start_to_end() {
    let (_folder, store) = place().await;
    for n in 0..5 {
        ask(&store, &format!("run-{n}"), Mode::Quick).await;
    }
    let mut feed = store.follow(&"run-3".into(), 0);
    let model = Arc::new(ScriptedModel::well_behaved());
    let tally = until_empty(&store, model, "w").await;
    assert_eq!(tally, Tally { done: 5, ..Tally::default() });
    let mut seen = Vec::new();
    while let Some(event) = feed.next().await {
        seen.push(event);
    }
    assert_eq!(seen, events_of(&store, "run-3").await);
    let kinds: Vec<&str> = seen.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds.first(), Some(&"start"));
    assert_eq!(&kinds[kinds.len() - 2..], ["report", END]);
    assert_eq!(kinds.iter().filter(|kind| **kind == END).count(), 1);
    for event in &seen {
        let read: Event = serde_json::from_str(&event.event).unwrap();
        assert_eq!(read.kind(), event.kind);
    }
    for n in 0..5 {
        let record = store.run(&format!("run-{n}").into()).await.unwrap().unwrap();
        assert_eq!(record.summary.status, RunStatus::Finished);
        assert!(record.report.is_some());
    }
}

#[test]
fn what_the_store_says_when_nobody_else_can_is_an_event_like_any_other() {
    let [error, end] = closing("why \"so\"");
    let read = |event: &str| serde_json::from_str::<Event>(event).unwrap();
    assert_eq!(read(&error.event), Event::Error { message: "why \"so\"".to_owned() });
    assert_eq!(read(&end.event), Event::End);
    assert_eq!(read("{\"event\":\"resumed\"}"), Event::Resumed);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_handed_over_and_its_stream_goes_on_as_if_nothing_had_been() {
    let (_folder, store) = place().await;
    ask(&store, "whole", Mode::Standard).await;
    until_empty(&store, Arc::new(ScriptedModel::well_behaved()), "w").await;
    let expected = sorted(&events_of(&store, "whole").await);

    for task in [ModelTask::Plan, ModelTask::Summarise, ModelTask::Score, ModelTask::Synthesise] {
        let id = format!("halves-{task}");
        ask(&store, &id, Mode::Standard).await;
        let stuck = Arc::new(Notify::new());
        let model = stuck_at(task, Arc::clone(&stuck));
        let (switch, stop) = watch::channel(false);
        let mut hasty = settings("first");
        hasty.drain = Duration::ZERO;
        let (first, handlers) = (store.clone(), handlers(model));
        let working = tokio::spawn(async move { work(&first, &handlers, &hasty, stop).await });
        stuck.notified().await;
        switch.send_replace(true);
        assert_eq!(working.await.unwrap(), Tally { handed_over: 1, ..Tally::default() });
        assert_eq!(store.job(&id).await.unwrap().unwrap().state, JobState::Queued);
        let before = events_of(&store, &id).await;
        assert!(before.iter().all(|event| event.kind != END), "a run that goes on has no end");

        let tally = until_empty(&store, Arc::new(ScriptedModel::well_behaved()), "second").await;
        assert_eq!(tally.done, 1, "{id}");
        let after = events_of(&store, &id).await;
        assert_eq!(after[..before.len()], before, "{id}: what was told was changed");
        let own = expected.iter().map(|event| event.replace("whole", &id));
        let mut own: Vec<String> = own.collect();
        own.sort();
        assert_eq!(sorted(&after), own, "{id}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_is_told_to_stop_finishes_what_it_has_asked_for() {
    let (_folder, store) = place().await;
    ask(&store, "r", Mode::Quick).await;
    let (switch, stop) = watch::channel(false);
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    // The stop comes while the plan is being made; the plan is kept all the same.
    let model = Arc::new(ScriptedModel::new(move |request| {
        log.lock().unwrap().push(request.task);
        switch.send_replace(true);
        well(request)
    }));
    let tally = work(&store, &handlers(model), &settings("w"), stop).await;
    assert_eq!(tally, Tally { handed_over: 1, ..Tally::default() });
    assert_eq!(*asked.lock().unwrap(), [ModelTask::Plan]);
    let journal = store.journal(&"r".into()).await.unwrap();
    assert!(journal.iter().any(|entry| entry.kind == "model"), "what was paid for was lost");

    let model = Arc::new(ScriptedModel::well_behaved());
    let tally = until_empty(&store, Arc::clone(&model) as Arc<dyn Model>, "w2").await;
    assert_eq!(tally.done, 1);
    assert_eq!(model.count(ModelTask::Plan), 0, "the plan was paid for twice");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_called_off_while_it_is_under_way() {
    let (folder, store) = place().await;
    ask(&store, "r", Mode::Quick).await;
    let stuck = Arc::new(Notify::new());
    let model = stuck_at(ModelTask::Plan, Arc::clone(&stuck));
    // No heartbeat comes while this test runs: the wish has to be heard without one.
    let settings = WorkSettings { lease: Duration::from_secs(24 * 3600), ..settings("w") };
    let (worker, handlers) = (store.clone(), handlers(model));
    let (_keep, stop) = watch::channel(false);
    let working = tokio::spawn(async move { work(&worker, &handlers, &settings, stop).await });
    stuck.notified().await;
    // As another process would: nothing in this one is told.
    let other = Store::open(&Location::file(folder.path().join("x.db"))).await.unwrap();
    assert_eq!(other.cancel("r").await.unwrap(), Cancelled::Asked);
    assert_eq!(working.await.unwrap(), Tally { cancelled: 1, ..Tally::default() });
    let record = store.run(&"r".into()).await.unwrap().unwrap();
    assert_eq!(record.summary.status, RunStatus::Interrupted);
    let events = events_of(&store, "r").await;
    assert_eq!(events.last().unwrap().kind, END);
    assert_eq!(events[events.len() - 2].event, closing("the run was cancelled")[0].event);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_whose_lease_is_taken_stops_at_once() {
    let (_folder, store) = place().await;
    ask(&store, "r", Mode::Quick).await;
    let stuck = Arc::new(Notify::new());
    let model = stuck_at(ModelTask::Plan, Arc::clone(&stuck));
    let mut first = settings("first");
    first.lease = Duration::from_millis(400);
    let (worker, handlers) = (store.clone(), handlers(model));
    let (_keep, stop) = watch::channel(false);
    let working = tokio::spawn(async move { work(&worker, &handlers, &first, stop).await });
    stuck.notified().await;
    // Deleting the run takes the lease away under the worker's hands.
    assert!(store.delete_run(&"r".into()).await.unwrap());
    assert_eq!(working.await.unwrap(), Tally { lost: 1, ..Tally::default() });
}

#[tokio::test]
async fn a_run_that_cannot_be_read_is_not_tried_again_and_again() {
    let (_folder, store) = place().await;
    let run = NewRun {
        id: &"odd".into(),
        question: "?",
        mode: "quick",
        spec: "{\"from\": \"elsewhere\"}",
        asked_at: probity_core::Timestamp(1),
    };
    store.enqueue_run(&run, &RunJob::of("ada"), LIMITS).await.unwrap();
    let tally = until_empty(&store, Arc::new(ScriptedModel::well_behaved()), "w").await;
    assert_eq!(tally, Tally { failed: 1, ..Tally::default() });
    let job = store.job("odd").await.unwrap().unwrap();
    assert_eq!((job.state, job.attempt), (JobState::Dead, 1));
    let record = store.run(&"odd".into()).await.unwrap().unwrap();
    assert_eq!(record.summary.status, RunStatus::Failed);
    assert!(record.summary.error.unwrap().contains("damaged"));
    assert_eq!(events_of(&store, "odd").await.last().unwrap().kind, END);
}
