//! Real worker processes and real web servers on a real PostgreSQL, while everything that can be taken
//! away is.
//!
//! `PROBITY_CHAOS="RUNS KILLS RESTARTS PAUSES WORKER-PAUSES WEB-RESTARTS"` sets the size: how many runs,
//! how often a worker is killed, PostgreSQL restarted and paused, a worker paused, a web server killed;
//! `scripts/chaos` runs it at full size. What is done next comes after some progress, not after some
//! time.

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
use probity_model::model::Asker;
use probity_model::table::Facts;
use probity_model::{Asking, Model, ModelName, Request};
use probity_research::work::{WorkSettings, work};
use probity_store::events::END;
use probity_store::ledger::{Intent, Newcomer, Verification};
use probity_store::{Location, RunStatus, Store, StoreError};
use probity_testkit::model::ScriptedModel;
use probity_testkit::server::PrivateServer;
use tokio::sync::watch as switch;
use tokio::task::JoinHandle;

use crate::web::{Ports, Seen, Watched, Web, watch};
use crate::work::{ask_about, events_of, handlers};

const URL: &str = "PROBITY_TEST_CHAOS_URL";
const LOG: &str = "PROBITY_TEST_CHAOS_LOG";
const WORKERS: usize = 3;
const WEBS: usize = 2;
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

    fn ask<'a>(
        &'a self,
        request: &'a Request,
        deadline: tokio::time::Instant,
        asker: &'a dyn Asker,
    ) -> Asking<'a> {
        let line = format!("{} {}\n", request.digest(), millis());
        let mut log = OpenOptions::new().append(true).create(true).open(&self.log).unwrap();
        log.write_all(line.as_bytes()).unwrap();
        self.model.ask(request, deadline, asker)
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
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u32>().ok());
    let thinking = Duration::from_millis(number(THINKING).unwrap_or(15).into());
    let model = ScriptedModel::well_behaved().after(thinking);
    let model = Arc::new(Logged { model, log: PathBuf::from(log) });
    let settings = WorkSettings {
        lease: LEASE,
        idle: Duration::from_millis(200),
        retry: Duration::from_millis(100),
        concurrency: number(PLACES).unwrap_or(4) as usize,
        ..WorkSettings::new(format!("w{}", std::process::id()))
    };
    let (switch, stop) = switch::channel(false);
    tokio::spawn(async move {
        use tokio::signal::unix::{SignalKind, signal};
        signal(SignalKind::terminate()).unwrap().recv().await;
        switch.send_replace(true);
    });
    work(&store, &handlers(model), &settings, stop).await;
}

fn start(url: &str, log: &Path) -> Child {
    command(url, log, None).spawn().unwrap()
}

/// A worker process; for a measurement, with how long its model thinks and how much it does at once.
fn command(url: &str, log: &Path, measured: Option<(u64, usize)>) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "chaos::the_worker_process"])
        .env(URL, url)
        .env(LOG, log)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Some((thinking, places)) = measured {
        command.env(THINKING, thinking.to_string()).env(PLACES, places.to_string());
    }
    command
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
    RestartWeb,
}

struct Size {
    runs: usize,
    blows: Vec<Blow>,
}

fn size() -> Size {
    let text = std::env::var("PROBITY_CHAOS").unwrap_or_else(|_| "20 8 1 1 1 1".to_owned());
    let numbers: Vec<usize> = text.split(' ').map(|number| number.parse().unwrap()).collect();
    let [runs, kills, restarts, server_pauses, worker_pauses, web_restarts] = numbers[..] else {
        panic!("PROBITY_CHAOS is `{text}`")
    };
    let mut blows = vec![Blow::Kill; kills];
    blows.extend(vec![Blow::Restart; restarts]);
    blows.extend(vec![Blow::PauseServer; server_pauses]);
    blows.extend(vec![Blow::PauseWorker; worker_pauses]);
    blows.extend(vec![Blow::RestartWeb; web_restarts]);
    fastrand::shuffle(&mut blows);
    Size { runs, blows }
}

/// How many requests models have had.
fn requests(log: &Path) -> usize {
    std::fs::read(log).map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count())
}

/// Waits until something holds, or for a time that it never will.
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
    let _ = store.code(request, Newcomer::Guard, Intent::Apply).await;
}

struct Scene<'a> {
    server: &'a PrivateServer,
    store: &'a Store,
    url: String,
    log: PathBuf,
    workers: Vec<Child>,
    webs: Vec<Web>,
    ports: Ports,
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
            Blow::RestartWeb => self.restart_web().await,
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

    /// Ends a web server, with warning or without, and starts another in its place.
    async fn restart_web(&mut self) {
        let which = fastrand::usize(..self.webs.len());
        let web = self.webs.remove(which);
        match fastrand::bool() {
            true => web.kill(),
            false => web.terminate(),
        }
        let web = Web::start(&self.url);
        self.ports.set(which, web.port);
        self.webs.insert(which, web);
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
    let webs: Vec<Web> = (0..WEBS).map(|_| Web::start(&url)).collect();
    let ports = Ports::of(&webs);
    let watchers: Vec<_> = ids
        .iter()
        .enumerate()
        .map(|(n, id)| tokio::spawn(watch(ports.clone(), n, id.clone())))
        .collect();
    let began = Instant::now();
    let workers = (0..WORKERS).map(|_| start(&url, &log)).collect();
    let mut scene = Scene { server: &server, store: &store, url, log, workers, webs, ports };

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
    let connections = check_watchers(&store, &ids, watchers).await;
    let repeated = check(&store, &ids, &scene.log).await;
    println!(
        "{runs} runs, {blows} blows, {} requests, {repeated} of them made again because no answer \
         had been written down, {connections} connections of {runs} watchers, {seconds:.1} s",
        requests(&scene.log),
        blows = blows.len(),
    );
}

/// Checks that every watcher saw what is stored, once each and in order. Gives how many connections
/// that took.
async fn check_watchers(
    store: &Store,
    ids: &[String],
    watchers: Vec<JoinHandle<Watched>>,
) -> usize {
    let mut connections = 0;
    for (watched, id) in watchers.into_iter().zip(ids) {
        let watched = tokio::time::timeout(PATIENCE, watched).await;
        let watched = watched.unwrap_or_else(|_| panic!("{id}: its stream never ended")).unwrap();
        let stored: Vec<Seen> = events_of(store, id).await.iter().map(Seen::from).collect();
        assert_eq!(watched.seen, stored, "{id}: a watcher saw otherwise");
        connections += watched.connections;
    }
    connections
}

/// Checks everything that has to hold. Gives how many requests were made a second time.
async fn check(store: &Store, ids: &[String], log: &Path) -> usize {
    let mut asked: HashMap<String, Vec<i64>> = HashMap::new();
    for line in std::fs::read_to_string(log).unwrap().lines() {
        let (digest, at) = line.split_once(' ').unwrap();
        asked.entry(digest.to_owned()).or_default().push(at.parse().unwrap());
    }
    let mut answered = 0;
    for id in ids {
        let record = store.run(&id.as_str().into()).await.unwrap().unwrap();
        assert_eq!(record.summary.status, RunStatus::Finished, "{id}: {:?}", record.summary.error);
        assert!(record.report.is_some(), "{id}");
        let events = events_of(store, id).await;
        assert_eq!(events.iter().filter(|event| event.kind == END).count(), 1, "{id}");
        assert_eq!(events.last().map(|event| event.kind.as_str()), Some(END), "{id}");
        assert_eq!(events.iter().filter(|event| event.kind == "report").count(), 1, "{id}");
        for entry in store
            .journal(&id.as_str().into())
            .await
            .unwrap()
            .iter()
            .filter(|entry| entry.kind == "model")
        {
            let (_, _, digest): (String, String, String) =
                serde_json::from_str(&entry.inputs).unwrap();
            let again = asked[&digest].iter().filter(|at| **at > entry.at.0).count();
            assert_eq!(again, 0, "{id}: a call that was answered and kept was made again");
            answered += 1;
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
    assert!(store.run(&"none".into()).await.unwrap().is_none());
    // The connections that the store keeps are dead after this; what was asked over one of them
    // may fail once, for a reason that passes, and is answered then.
    server.restart().unwrap();
    let mut answer: Result<_, StoreError> = store.run(&"none".into()).await;
    for _ in 0..20 {
        match &answer {
            Ok(run) => return assert!(run.is_none()),
            Err(error) => assert!(error.is_passing(), "{error:?}"),
        }
        answer = store.run(&"none".into()).await;
    }
    answer.unwrap();
}

/// How long a model takes in the measurement, in milliseconds.
const THINKING: &str = "PROBITY_TEST_THINKING";
/// How many runs a worker of the measurement carries out at once.
const PLACES: &str = "PROBITY_TEST_PLACES";

/// What is measured: workers, runs that each carries out at once, how long the model thinks in
/// milliseconds, and how many runs there are.
const MEASURED: [(usize, usize, u64, usize); 4] =
    [(1, 1, 1_000, 6), (1, 4, 15, 60), (4, 1, 1_000, 24), (3, 4, 15, 300)];

/// Not a check but a measurement, for `scripts/bench-workers`: how many runs a second one worker and
/// several carry out, when they mostly wait for a model and when they hardly do.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures, and takes a while"]
async fn throughput_of_one_worker_and_of_several() {
    let Some(server) = PrivateServer::start() else { return };
    let store = Store::open(&Location::parse(&server.url()).unwrap()).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut a_second = Vec::new();
    for (workers, places, thinking, runs) in MEASURED {
        let point = format!("{workers}-{places}-{thinking}");
        let log = folder.path().join(&point);
        let start = || command(&server.url(), &log, Some((thinking, places))).spawn().unwrap();
        let mut children: Vec<Child> = (0..workers).map(|_| start()).collect();
        // Everybody is there and has done something before the clock starts.
        for n in 0..workers * places * 2 {
            ask_about(&store, &format!("warm-{point}-{n}"), Mode::Quick, "How loud is it?").await;
        }
        until("the workers are warm", async || is_over(&store).await).await;
        let began = Instant::now();
        for n in 0..runs {
            ask_about(&store, &format!("run-{point}-{n}"), Mode::Quick, "How loud is it?").await;
        }
        until("every run ends", async || is_over(&store).await).await;
        let took = began.elapsed().as_secs_f64();
        a_second.push(runs as f64 / took);
        println!(
            "{workers} workers, {places} runs at once each, a model of {thinking} ms: {runs} runs \
             in {took:.1} s, {:.2} a second",
            runs as f64 / took
        );
        for child in &mut children {
            signal(child, "-TERM");
            child.wait().unwrap();
        }
    }
    println!("ratio {:.2}", a_second[2] / a_second[0]);
}
