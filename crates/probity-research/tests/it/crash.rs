//! Death at every step: whoever takes a run up repeats nothing and ends with the same report.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use probity_core::{Mode, RunId};
use probity_reader::TextReader;
use probity_report::json::ReportJson;
use probity_research::analyst::embedded::Embedded;
use probity_research::driver::{Cancel, Parts};
use probity_research::event::Unwatched;
use probity_research::gather::Nowhere;
use probity_research::journal::{Entry, Keep, Keeping};
use probity_research::{Finished, Journal, JournalError, RunError, RunSpec, research};
use probity_store::{Location, NewRun, Store};

use crate::scripted::{Paper, Scripted, clock, run_with, sheet, spec};

fn gatherer() -> Paper {
    let first = (0..5).map(|i| sheet(&format!("a{i}"), 1 + i)).collect();
    Paper::new(first, vec![sheet("b0", 4), sheet("b1", 5)])
}

fn json(finished: &Finished) -> String {
    serde_json::to_string(&ReportJson::new(&finished.report)).unwrap()
}

/// A store in a folder, with a run in it.
pub(crate) async fn store(folder: &Path, spec: &RunSpec) -> Store {
    let store = Store::open(&Location::file(folder.join("runs.db"))).await.unwrap();
    let new = NewRun {
        id: &spec.run_id,
        question: spec.question.as_str(),
        mode: "standard",
        spec: "{}",
        asked_at: spec.asked_at,
    };
    store.create_run(&new).await.unwrap();
    store
}

/// Keeps entries in a store, and after so many deadly ones kills its own process as nothing but a power cut could do
/// better.
pub(crate) struct Dies<D> {
    pub(crate) store: Store,
    pub(crate) left: AtomicUsize,
    /// Which entries count.
    pub(crate) deadly: D,
}

impl<D: Fn(&Entry) -> bool + Send + Sync> Keep for Dies<D> {
    fn append<'a>(&'a self, run: &'a RunId, entry: &'a Entry) -> Keeping<'a> {
        Box::pin(async move {
            self.store.append_step(run, entry).await.map_err(|e| e.to_string())?;
            if (self.deadly)(entry) && self.left.fetch_sub(1, Ordering::SeqCst) == 1 {
                let pid = std::process::id().to_string();
                Command::new("kill").args(["-9", &pid]).status().unwrap();
                std::future::pending::<()>().await;
            }
            Ok(())
        })
    }
}

const FOLDER: &str = "PROBITY_TEST_CRASH_FOLDER";
const STEPS: &str = "PROBITY_TEST_CRASH_STEPS";

/// Not a test of its own: the process that `every_step_can_be_the_last` starts and that dies.
#[tokio::test]
async fn the_process_that_dies() {
    let (Some(folder), Ok(steps)) = (std::env::var_os(FOLDER), std::env::var(STEPS)) else {
        return;
    };
    let folder = PathBuf::from(folder);
    let spec = in_sequence();
    let store = store(&folder, &spec).await;
    let gatherer = gatherer();
    let mut analyst = Scripted::new(&gatherer);
    analyst.file = Some(folder.join("requests"));
    let entries = store.journal(&spec.run_id).await.unwrap();
    let left = AtomicUsize::new(steps.parse().unwrap());
    let keep = Dies { store, left, deadly: |_: &Entry| true };
    let finished = run_with(&spec, &analyst, &gatherer, entries, keep).await.unwrap();
    std::fs::write(folder.join("report"), json(&finished)).unwrap();
}

fn start(folder: &Path, steps: usize) -> std::process::ExitStatus {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::the_process_that_dies"])
        .env(FOLDER, folder)
        .env(STEPS, steps.to_string())
        .output()
        .unwrap()
        .status
}

#[tokio::test]
async fn every_step_can_be_the_last() {
    use std::os::unix::process::ExitStatusExt as _;

    let whole = tempfile::tempdir().unwrap();
    assert!(start(whole.path(), usize::MAX).success());
    let expected = std::fs::read_to_string(whole.path().join("report")).unwrap();
    let steps = store(whole.path(), &in_sequence())
        .await
        .journal(&"20261115-tester".into())
        .await
        .unwrap()
        .len();
    assert!(steps > 20, "only {steps} steps");

    for deadly in 1..=steps {
        let folder = tempfile::tempdir().unwrap();
        let died = start(folder.path(), deadly);
        assert_eq!(died.signal(), Some(9), "the process outlived step {deadly}");
        assert!(start(folder.path(), usize::MAX).success(), "not resumed after step {deadly}");
        let report = std::fs::read_to_string(folder.path().join("report")).unwrap();
        assert_eq!(report, expected, "another report after dying at step {deadly}");
        let requests = std::fs::read_to_string(folder.path().join("requests")).unwrap();
        let asked: Vec<&str> = requests.lines().collect();
        let distinct: std::collections::HashSet<&str> = asked.iter().copied().collect();
        assert_eq!(
            asked.len(),
            distinct.len(),
            "paid twice after dying at step {deadly}: {asked:?}"
        );
    }
}

/// A run that asks one thing after the other, so that nothing is in progress when it dies.
fn in_sequence() -> RunSpec {
    let mut spec = spec(Mode::Standard);
    spec.limits.parallel_judgements = 1;
    spec
}

#[tokio::test]
async fn a_replay_is_the_same_to_the_byte_and_touches_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let spec = spec(Mode::Standard);
    let store = store(folder.path(), &spec).await;
    let gatherer = gatherer();
    let first =
        run_with(&spec, &Scripted::new(&gatherer), &gatherer, vec![], store.clone()).await.unwrap();

    let journal =
        Journal::replaying(&spec.run_id, store.journal(&spec.run_id).await.unwrap()).unwrap();
    let mute = Scripted::new(&Paper::default());
    // What was read is in the journal; another reader would decide otherwise.
    let embedded = Embedded::new(TextReader::Lexical);
    let parts = Parts::unattended(&spec, &journal, &mute, &embedded, &Nowhere);
    let again = research(parts).await.unwrap();
    assert_eq!(json(&again), json(&first));
    assert!(mute.asked().is_empty());
}

#[tokio::test]
async fn a_run_told_to_stop_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let (spec, gatherer) = (spec(Mode::Standard), gatherer());
    let store = store(folder.path(), &spec).await;
    let analyst = Scripted::new(&gatherer);
    let (switch, cancel) = Cancel::new();
    let watcher = move |event: &probity_research::Event| {
        if matches!(event, probity_research::Event::Gaps { .. }) {
            switch.send(true).unwrap();
        }
    };
    let journal = Journal::recording(&spec.run_id, vec![], store.clone(), clock()).unwrap();
    let embedded = Embedded::new(TextReader::Embedded);
    let parts = Parts {
        watcher: &watcher,
        cancel,
        ..Parts::unattended(&spec, &journal, &analyst, &embedded, &gatherer)
    };
    let stopped = research(parts).await;
    assert!(matches!(stopped, Err(RunError::Journal(JournalError::Interrupted))));
    let asked = analyst.asked().len();

    let entries = store.journal(&spec.run_id).await.unwrap();
    let finished = run_with(&spec, &analyst, &gatherer, entries, store).await.unwrap();
    assert_eq!(finished.facts().read(), 7);
    let repeated = analyst.asked()[asked..].iter().filter(|r| *r == "plan" || *r == "gaps").count();
    assert_eq!(repeated, 0);
}

#[tokio::test]
async fn a_damaged_journal_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (spec, gatherer) = (spec(Mode::Standard), gatherer());
    let store = store(folder.path(), &spec).await;
    run_with(&spec, &Scripted::new(&gatherer), &gatherer, vec![], store.clone()).await.unwrap();
    let entries = store.journal(&spec.run_id).await.unwrap();
    let damage = |change: &dyn Fn(&mut Entry)| {
        let mut entries = entries.clone();
        change(&mut entries[2]);
        Journal::replaying(&spec.run_id, entries).err().unwrap().to_string()
    };
    assert!(damage(&|entry| entry.output.push(' ')).contains("damaged at step 3"));
    assert!(damage(&|entry| entry.inputs.push(' ')).contains("its inputs"));
    assert!(damage(&|entry| entry.kind = "judge".to_owned()).contains("step 3"));
    let mut short = entries.clone();
    short.truncate(5);
    let journal = Journal::replaying(&spec.run_id, short).unwrap();
    let mute = Scripted::new(&Paper::default());
    let (watcher, cancel) = (&Unwatched, Cancel::never());
    let embedded = Embedded::new(TextReader::Embedded);
    let parts =
        Parts { watcher, cancel, ..Parts::unattended(&spec, &journal, &mute, &embedded, &Nowhere) };
    let error = research(parts).await.err().unwrap().to_string();
    assert!(error.contains("was not finished"), "{error}");
}
