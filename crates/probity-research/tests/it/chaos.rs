//! Real worker processes on a real server, while everything that can be taken away is.
//!
//! `PROBITY_CHAOS="RUNS KILLS RESTARTS SERVER-PAUSES WORKER-PAUSES"` sets the size; `scripts/chaos`
//! runs it at full size. What is done next comes after some progress, not after some time.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use probity_core::{Mode, Outlet};
use probity_credibility::ledger::{Alpha, CodeName, CodingRequest, Signature, Subject};
use probity_model::model::Heard;
use probity_model::table::Facts;
use probity_model::{Asking, Model, ModelName, Request};
use probity_research::work::{WorkSettings, work};
use probity_store::events::{END, RunEvent};
use probity_store::ledger::{Intent, Newcomer, Verification};
use probity_store::{Location, RunStatus, Store, StoreError};
use probity_testkit::model::ScriptedModel;
use probity_testkit::server::PrivateServer;
use tokio::sync::watch;

use crate::work::{ask_about, handlers, told};

const URL: &str = "PROBITY_TEST_CHAOS_URL";
const LOG: &str = "PROBITY_TEST_CHAOS_LOG";
const WORKERS: usize = 3;
/// Short, so that a test does not wait long for what a dead worker had.
const LEASE: Duration = Duration::from_secs(3);
/// How long everything may take in all, so that a failure is one.
const PATIENCE: Duration = Duration::from_secs(1_500);

/// A model that writes every request down before it answers, with the time.
struct Logged {
    model: ScriptedModel,
    log: PathBuf,
}

impl Model for Logged {
    fn name(&self) -> &ModelName {
        self.model.name()
    }

    fn facts(&self) -> Facts {
        self.model.facts()
    }

    fn keeps_to_schema(&self) -> bool {
        true
    }

    fn ask<'a>(
        &'a self,
        request: &'a Request,
        deadline: tokio::time::Instant,
        heard: Heard<'a>,
    ) -> Asking<'a> {
        let line = format!("{} {}\n", request.digest(), millis());
        let mut log = OpenOptions::new().append(true).create(true).open(&self.log).unwrap();
        log.write_all(line.as_bytes()).unwrap();
        self.model.ask(request, deadline, heard)
    }
}

fn millis() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(since.as_millis()).unwrap()
}

/// Not a test of its own: a worker process of the test below.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_worker_process() {
    let (Ok(url), Some(log)) = (std::env::var(URL), std::env::var_os(LOG)) else { return };
    let store = loop {
        match Store::open(&Location::parse(&url).unwrap()).await {
            Ok(store) => break store,
            // The server may be away just now.
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    };
    let thinking = std::env::var(THINKING).ok().and_then(|millis| millis.parse().ok());
    let model = ScriptedModel::well_behaved().after(Duration::from_millis(thinking.unwrap_or(15)));
    let model = Arc::new(Logged { model, log: PathBuf::from(log) });
    let settings = WorkSettings {
        lease: LEASE,
        idle: Duration::from_millis(200),
        retry: Duration::from_millis(100),
        // A measurement compares processes, not what one does at once.
        concurrency: if thinking.is_some() { 1 } else { 4 },
        ..WorkSettings::new(format!("w{}", std::process::id()))
    };
    let (switch, stop) = watch::channel(false);
    tokio::spawn(async move {
        use tokio::signal::unix::{SignalKind, signal};
        signal(SignalKind::terminate()).unwrap().recv().await;
        switch.send_replace(true);
    });
    work(&store, &handlers(model), &settings, stop).await;
}

fn start(url: &str, log: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "chaos::the_worker_process"])
        .env(URL, url)
        .env(LOG, log)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn signal(child: &Child, signal: &str) {
    Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
}

/// What may go wrong, in a random order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blow {
    Kill,
    Restart,
    PauseServer,
    PauseWorker,
}

struct Size {
    runs: usize,
    blows: Vec<Blow>,
}

fn size() -> Size {
    let text = std::env::var("PROBITY_CHAOS").unwrap_or_else(|_| "20 8 1 1 1".to_owned());
    let numbers: Vec<usize> = text.split(' ').map(|number| number.parse().unwrap()).collect();
    let [runs, kills, restarts, server_pauses, worker_pauses] = numbers[..] else {
        panic!("PROBITY_CHAOS is `{text}`")
    };
    let mut blows = vec![Blow::Kill; kills];
    blows.extend(vec![Blow::Restart; restarts]);
    blows.extend(vec![Blow::PauseServer; server_pauses]);
    blows.extend(vec![Blow::PauseWorker; worker_pauses]);
    fastrand::shuffle(&mut blows);
    Size { runs, blows }
}

/// How many requests models have had.
fn requests(log: &Path) -> usize {
    std::fs::read(log).map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count())
}

/// Waits until something holds, or for so long that it never will.
async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds().await {
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn is_over(store: &Store) -> bool {
    store.queue_counts().await.is_ok_and(|counts| counts.queued + counts.leased == 0)
}

/// Watches every run as a server would, with connections of its own.
async fn watch_all(url: &str, runs: &[String]) -> Vec<tokio::task::JoinHandle<Vec<RunEvent>>> {
    let server = Store::open(&Location::parse(url).unwrap()).await.unwrap();
    let watch = |id: &String| {
        let mut feed = server.follow(id, 0);
        tokio::spawn(async move {
            let mut seen = Vec::new();
            while let Some(event) = feed.next().await {
                seen.push(event);
            }
            seen
        })
    };
    runs.iter().map(watch).collect()
}

/// Codes an outlet, as an editor would while all this goes on.
async fn code(store: &Store) {
    let request = CodingRequest {
        outlet: Outlet::new("reuters.com").unwrap(),
        subject: Subject::outlet(),
        codes: vec![CodeName::new("high-quality-source").unwrap()],
        alpha: Alpha::DEFAULT,
        signature: Signature::new("Ada", None).unwrap(),
    };
    // The server may be away; then the editor comes back another time.
    let _ = store.code(request, Newcomer::Refuse, Intent::Apply).await;
}

struct Scene<'a> {
    server: &'a PrivateServer,
    store: &'a Store,
    url: String,
    log: PathBuf,
    workers: Vec<Child>,
}

impl Drop for Scene<'_> {
    /// A test that fails leaves no process behind.
    fn drop(&mut self) {
        for worker in &mut self.workers {
            let _ = worker.kill();
            let _ = worker.wait();
        }
    }
}

impl Scene<'_> {
    async fn strike(&mut self, blow: Blow) {
        let victim = fastrand::usize(..self.workers.len());
        match blow {
            Blow::Kill => {
                self.workers[victim].kill().unwrap();
                self.workers[victim].wait().unwrap();
                self.workers[victim] = start(&self.url, &self.log);
            }
            Blow::Restart => self.server.restart().unwrap(),
            Blow::PauseServer => {
                self.server.pause().unwrap();
                // Beyond every lease: by then each worker has let go of what it had.
                tokio::time::sleep(LEASE + Duration::from_millis(500)).await;
                self.server.resume().unwrap();
            }
            Blow::PauseWorker => {
                signal(&self.workers[victim], "-STOP");
                let before = self.lost().await;
                // Until the others have taken up what it had, or it turns out that it had nothing.
                until("another worker takes over", async || {
                    self.lost().await > before || is_over(self.store).await
                })
                .await;
                signal(&self.workers[victim], "-CONT");
            }
        }
    }

    /// How many leases have run out so far.
    async fn lost(&self) -> i64 {
        loop {
            if let Ok(jobs) = self.store.jobs(None).await {
                return jobs.iter().map(|job| job.failures).sum();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_run_ends_once_whatever_is_killed_stopped_or_paused() {
    let Some(server) = PrivateServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (url, log) = (server.url(), folder.path().join("requests"));
    let store = Store::open(&Location::parse(&url).unwrap()).await.unwrap();
    let Size { runs, blows } = size();
    let ids: Vec<String> = (0..runs).map(|n| format!("run-{n:04}")).collect();
    for (n, id) in ids.iter().enumerate() {
        let question = format!("How loud may outdoor music be at night in Port Ellery, case {n}?");
        ask_about(&store, id, Mode::Quick, &question).await;
    }
    let watchers = [watch_all(&url, &ids).await, watch_all(&url, &ids).await];
    let began = Instant::now();
    let workers = (0..WORKERS).map(|_| start(&url, &log)).collect();
    let mut scene = Scene { server: &server, store: &store, url, log, workers };

    // About nine requests make a run; the blows fall over the first two thirds of them.
    let apart = (runs * 8) / blows.len().max(1);
    let mut next = apart;
    for blow in &blows {
        until("the runs go on", async || requests(&scene.log) >= next || is_over(&store).await)
            .await;
        next = requests(&scene.log) + apart / 2 + fastrand::usize(0..=apart / 2);
        scene.strike(*blow).await;
        code(&store).await;
    }
    until("every run ends", async || is_over(&store).await).await;
    let seconds = began.elapsed().as_secs_f64();
    for worker in &mut scene.workers {
        signal(worker, "-TERM");
        let status = worker.wait().unwrap();
        // One that had only just been started may not have been listening yet.
        let stopped = status.success() || status.signal() == Some(15);
        assert!(stopped, "a worker did not stop as it should: {status}");
    }
    let repeated = check(&store, &ids, &scene.log, watchers).await;
    println!(
        "{runs} runs, {blows} blows, {} requests, {repeated} of them made again because no answer \
         had been written down, {seconds:.1} s",
        requests(&scene.log),
        blows = blows.len(),
    );
}

/// Checks everything that has to hold. Gives how many requests were made a second time.
async fn check(
    store: &Store,
    ids: &[String],
    log: &Path,
    watchers: [Vec<tokio::task::JoinHandle<Vec<RunEvent>>>; 2],
) -> usize {
    let mut asked: HashMap<String, Vec<i64>> = HashMap::new();
    for line in std::fs::read_to_string(log).unwrap().lines() {
        let (digest, at) = line.split_once(' ').unwrap();
        asked.entry(digest.to_owned()).or_default().push(at.parse().unwrap());
    }
    let mut answered = 0;
    for id in ids {
        let record = store.run(id).await.unwrap().unwrap();
        assert_eq!(record.summary.status, RunStatus::Finished, "{id}: {:?}", record.summary.error);
        assert!(record.report.is_some(), "{id}");
        let events = told(store, id).await;
        assert_eq!(events.iter().filter(|event| event.kind == END).count(), 1, "{id}");
        assert_eq!(events.last().map(|event| event.kind.as_str()), Some(END), "{id}");
        assert_eq!(events.iter().filter(|event| event.kind == "report").count(), 1, "{id}");
        for entry in store.journal(id).await.unwrap().iter().filter(|entry| entry.kind == "model") {
            let (_, _, digest): (String, String, String) =
                serde_json::from_str(&entry.inputs).unwrap();
            let again = asked[&digest].iter().filter(|at| **at > entry.at.0).count();
            assert_eq!(again, 0, "{id}: a call that was answered and kept was made again");
            answered += 1;
        }
    }
    for watching in watchers {
        for (seen, id) in watching.into_iter().zip(ids) {
            assert_eq!(seen.await.unwrap(), told(store, id).await, "{id}: a watcher saw otherwise");
        }
    }
    match store.verify(None).await.unwrap() {
        Verification::Sound(_) => {}
        Verification::Broken(fault) => panic!("the ledger does not verify: {fault}"),
    }
    assert!(answered > ids.len(), "hardly anything was asked");
    asked.values().map(Vec::len).sum::<usize>() - answered
}

#[tokio::test]
async fn a_server_that_is_away_is_a_passing_trouble() {
    let Some(server) = PrivateServer::start() else { return };
    let store = Store::open(&Location::parse(&server.url()).unwrap()).await.unwrap();
    assert!(store.run("none").await.unwrap().is_none());
    // The connections that the store keeps are dead after this; what was asked over one of them
    // may fail once, for a reason that passes, and is answered then.
    server.restart().unwrap();
    let mut answer: Result<_, StoreError> = store.run("none").await;
    for _ in 0..20 {
        match &answer {
            Ok(run) => return assert!(run.is_none()),
            Err(error) => assert!(error.is_passing(), "{error:?}"),
        }
        answer = store.run("none").await;
    }
    answer.unwrap();
}

/// How long a model takes in the measurement, in milliseconds.
const THINKING: &str = "PROBITY_TEST_THINKING";

/// Not a check but a measurement, for `scripts/bench-workers`: how long one worker and four take for
/// runs that mostly wait for a model.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures, and takes a while"]
async fn throughput_of_one_worker_and_of_four() {
    let Some(server) = PrivateServer::start() else { return };
    let store = Store::open(&Location::parse(&server.url()).unwrap()).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut seconds = Vec::new();
    for workers in [1, 4] {
        let log = folder.path().join(format!("requests-{workers}"));
        let runs = 6 * workers;
        let mut children: Vec<Child> = (0..workers).map(|_| start(&server.url(), &log)).collect();
        // Everybody is there and has done something before the clock starts.
        for n in 0..workers * 2 {
            ask_about(&store, &format!("warm-{workers}-{n}"), Mode::Quick, "How loud is it?").await;
        }
        until("the workers are warm", async || is_over(&store).await).await;
        let began = Instant::now();
        for n in 0..runs {
            ask_about(&store, &format!("run-{workers}-{n}"), Mode::Quick, "How loud is it?").await;
        }
        until("every run ends", async || is_over(&store).await).await;
        let took = began.elapsed().as_secs_f64();
        seconds.push(took / runs as f64);
        println!(
            "{workers} workers: {runs} runs in {took:.1} s, {:.2} a second",
            runs as f64 / took
        );
        for child in &mut children {
            signal(child, "-TERM");
            child.wait().unwrap();
        }
    }
    println!("ratio {:.2}", seconds[0] / seconds[1]);
}
