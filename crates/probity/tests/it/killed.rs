//! Runs with a language model that are killed at any moment and taken up again: what was answered is rarely paid for twice.
//!
//! `PROBITY_KILLS=120` sets how many runs are killed on each engine; `scripts/kills` measures at full size.

use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use probity_testkit::fake_api::FakeApi;
use probity_testkit::model;
use probity_testkit::postgres::TestDatabase;
use serde_json::Value;

use crate::program::{Program, Ran};

/// From so many kills on a share can be told from chance.
const ENOUGH: usize = 100;
/// The share of calls that may be made again, one in so many.
const ONE_IN: usize = 100;
/// How long a run may take before it counts as stuck.
const PATIENCE: Duration = Duration::from_secs(120);

struct Scene {
    program: Program,
    api: FakeApi,
    answered: Arc<AtomicUsize>,
    store: String,
}

impl Scene {
    async fn on(store: Option<&TestDatabase>) -> Self {
        let answered = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&answered);
        let api = FakeApi::start(move |request| {
            if request.method == "POST" {
                count.fetch_add(1, Ordering::SeqCst);
            }
            model::chat(&request.json(), |_, said| said)
        });
        let program = Program::new();
        let file = program.home.path().join("data/probity.db");
        let store = store.map_or_else(|| file.display().to_string(), TestDatabase::url);
        Self { program, api: api.await, answered, store }
    }

    fn start(&self, args: &[&str]) -> Child {
        let mut command = self.program.command(args);
        command
            .env("PROBITY_STORE", &self.store)
            .env("PROBITY_MODEL_URL", format!("{}/v1", self.api.url()))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    async fn run(&self, args: &[&str]) -> Ran {
        let child = self.start(args);
        tokio::task::spawn_blocking(move || Ran(child.wait_with_output().unwrap())).await.unwrap()
    }

    fn research(&self) -> Child {
        let question = "What are the most popular first dance songs at Port Ellery weddings?";
        let model = ["--model", "compatible:tiny"];
        self.start(&["research", "--library", "examples/library", model[0], model[1], question])
    }

    async fn ids(&self) -> Vec<String> {
        let listed: Value = self.run(&["runs", "list", "--json", "--limit", "1000"]).await.json();
        let runs = listed.as_array().unwrap_or_else(|| panic!("{listed}")).iter();
        runs.map(|run| run["id"].as_str().unwrap().to_owned()).collect()
    }

    /// How many model calls a run's journal holds.
    async fn kept(&self, id: &str) -> usize {
        let exported = self.run(&["runs", "export", id, "--journal"]).await.json();
        let journal = exported["journal"].as_array().unwrap_or_else(|| panic!("{exported}"));
        journal.iter().filter(|entry| entry["kind"] == "model").count()
    }
}

/// Kills so many runs, each at a moment drawn from the length of a whole one, and takes them up again.
/// Gives how many calls were made and how many of them a second time.
async fn kill(scene: &Scene, kills: usize) -> (usize, usize) {
    let began = Instant::now();
    let whole = scene.research();
    tokio::task::spawn_blocking(move || Ran(whole.wait_with_output().unwrap()).ok()).await.unwrap();
    let length = began.elapsed();
    for _ in 0..kills {
        let mut child = scene.research();
        tokio::time::sleep(length.mul_f64(fastrand::f64())).await;
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let mut kept = 0;
    for id in scene.ids().await {
        let resumed = tokio::time::timeout(PATIENCE, scene.run(&["runs", "resume", &id])).await;
        resumed.expect("a run that was taken up again is stuck").ok();
        kept += scene.kept(&id).await;
    }
    let made = scene.answered.load(Ordering::SeqCst);
    (made, made - kept)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_answered_before_a_kill_is_rarely_paid_for_twice() {
    let kills = std::env::var("PROBITY_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    let database = TestDatabase::create().await;
    let engines = [Some(("SQLite", None)), database.as_ref().map(|own| ("PostgreSQL", Some(own)))];
    for (engine, store) in engines.into_iter().flatten() {
        let scene = Scene::on(store).await;
        let (made, again) = kill(&scene, kills).await;
        println!("{engine}: {kills} kills, {made} calls, {again} of them made again");
        assert!(made > kills, "hardly anything was asked");
        // The run that no one killed is kept as a whole, so that most calls are.
        assert!(again * 2 < made, "{engine}: {again} of {made}: nothing is counted as kept");
        assert!(kills < ENOUGH || again * ONE_IN <= made, "{engine}: {again} of {made}");
    }
}
