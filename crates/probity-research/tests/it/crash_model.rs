//! Death in every stage of a run with a language model: whoever takes it up pays for no call twice, and ends with the
//! same report, which a replay gives again to the byte.

use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use probity_core::{Mode, Outlet, RunId};
use probity_credibility::Known;
use probity_model::{ModelSet, Request, Task};
use probity_reader::TextReader;
use probity_report::json::ReportJson;
use probity_research::analyst::embedded::Embedded;
use probity_research::analyst::llm::Llm;
use probity_research::driver::Parts;
use probity_research::event::Unwatched;
use probity_research::gather::{Gathered, Gatherer, Nowhere, SearchAnswer, Target};
use probity_research::journal::{Entry, Keep, Keeping};
use probity_research::recall::Recalled;
use probity_research::run::Gathering;
use probity_research::{Finished, Journal, RunSpec, research};
use probity_testkit::model::{Act, ScriptedModel, well};
use probity_web::fetch::Page;
use serde_json::{Value, json};

use crate::crash::{Dies, store};
use crate::models::{gatherer, run_kept};
use crate::paid_once::question;
use crate::scripted::{clock, spec};

const FOLDER: &str = "PROBITY_TEST_MODEL_CRASH_FOLDER";
const WAY: &str = "PROBITY_TEST_MODEL_CRASH_WAY";
const KIND: &str = "PROBITY_TEST_MODEL_CRASH_KIND";
const COUNT: &str = "PROBITY_TEST_MODEL_CRASH_COUNT";
/// The stage at which nothing dies.
const NEVER: &str = "never";

/// A way to go through a run, and the stages that only it has.
#[derive(Clone, Copy)]
struct Way {
    name: &'static str,
    stages: &'static [&'static str],
}

const WAYS: [Way; 4] = [
    Way {
        name: "sections",
        stages: &[
            "plan",
            "summarise",
            "gaps",
            "judge",
            "score",
            "outline",
            "section",
            "lead",
            "read",
            "criticise",
        ],
    },
    Way { name: "draft", stages: &["synthesise", "section", "criticise"] },
    Way { name: "agentic", stages: &["gather"] },
    Way { name: "follow-up", stages: &["plan", "fetch", "summarise", "score", "synthesise"] },
];

/// One question after the other, so that no call is in progress when the process dies: no one knows the outcome of such
/// a call, and it has to be made again.
fn spec_of(way: &str) -> RunSpec {
    let mut spec = spec(Mode::Quick);
    spec.limits.parallel_judgements = 1;
    spec.model.skeptic = true;
    match way {
        "sections" => {
            spec.shape.outline = ["Part 1", "Part 2", "Part 3"].map(str::to_owned).to_vec();
        }
        "agentic" => spec.gathering = Gathering::Agentic,
        _ => {}
    }
    spec
}

/// A model that notes what it is asked, has to write once more what it wrote, and says what is in doubt.
fn noting(file: PathBuf) -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::new(move |request: &Request| {
        let mut asked = std::fs::File::options().create(true).append(true).open(&file).unwrap();
        writeln!(asked, "{}", json!(question(request))).unwrap();
        let Act::Say(said) = well(request) else { return well(request) };
        let again = request.texts().any(|text| text.contains("It was written before"));
        let mut value: Value = serde_json::from_str(&said).unwrap();
        let statements = match request.task {
            Task::Section => value["statements"].as_array_mut(),
            Task::Synthesise => value["findings"][0]["statements"].as_array_mut(),
            _ => return Act::Say(said),
        };
        let statements = statements.unwrap();
        let mut doubtful = statements[0].clone();
        doubtful["text"] = json!("Outdoor music must stop at 10 pm at night, says Zebulon Quirk.");
        statements.push(doubtful);
        let said = value.to_string();
        Act::Say(if again { said } else { said.replace("10 pm", "4 am") })
    }))
}

/// What a step is: its kind, and for a call to a model the task. A call is kept before the judgement that it is for.
fn kinds(entry: &Entry) -> Vec<String> {
    let task = serde_json::from_str::<(Task, String, String)>(&entry.inputs).ok();
    let task = task.filter(|_| entry.kind == "model").map(|(task, ..)| task.to_string());
    [Some(entry.kind.clone()), task].into_iter().flatten().collect()
}

/// The sources of an earlier run as a world.
struct Earlier(Recalled);

impl Gatherer for Earlier {
    fn search<'a>(&'a self, query: &'a str, limit: usize) -> Gathered<'a, SearchAnswer> {
        let hits = self.0.search(query, limit);
        Box::pin(async { SearchAnswer { hits, ..SearchAnswer::default() } })
    }

    fn read<'a>(&'a self, target: &'a Target) -> Gathered<'a, Page> {
        let page = self.0.read(target.url()).unwrap();
        Box::pin(async { page })
    }

    fn ledger<'a>(
        &'a self,
        _: &'a [Outlet],
    ) -> Gathered<'a, Result<std::collections::BTreeMap<Outlet, Known>, String>> {
        Box::pin(async { Ok(std::collections::BTreeMap::new()) })
    }
}

/// The world that a run looks at: pages, or what an earlier run read.
async fn world(way: &str) -> Box<dyn Gatherer> {
    if way != "follow-up" {
        return Box::new(gatherer());
    }
    let kept = Arc::new(std::sync::Mutex::new(Vec::new()));
    let spec = spec(Mode::Standard);
    let model = Arc::new(ScriptedModel::well_behaved());
    let keep = Keeps(Arc::clone(&kept));
    let earlier = run_kept(&spec, &model, &gatherer(), Vec::new(), keep).await.finished;
    let entries = kept.lock().unwrap().clone();
    Box::new(Earlier(Recalled::of(earlier.facts(), &entries)))
}

/// Keeps entries in memory.
struct Keeps(Arc<std::sync::Mutex<Vec<Entry>>>);

impl Keep for Keeps {
    fn append<'a>(&'a self, _: &'a RunId, entry: &'a Entry) -> Keeping<'a> {
        self.0.lock().unwrap().push(entry.clone());
        Box::pin(async { Ok(()) })
    }
}

async fn run(
    spec: &RunSpec,
    journal: &Journal,
    model: &Arc<ScriptedModel>,
    gatherer: &dyn Gatherer,
) -> Finished {
    let model_set = ModelSet::of_one(Arc::clone(model) as Arc<dyn probity_model::Model>);
    let embedded = Embedded::new(TextReader::Embedded);
    let analyst = Llm::new(model_set, spec, journal, &Unwatched, embedded.clone());
    let parts = Parts::unattended(spec, journal, &analyst, &embedded, gatherer);
    research(parts).await.unwrap()
}

fn json_of(finished: &Finished) -> String {
    serde_json::to_string(&ReportJson::new(&finished.report)).unwrap()
}

/// Not a test of its own: the process that the test below starts and that dies.
#[tokio::test]
async fn the_process_that_dies() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let (way, kind) = (std::env::var(WAY).unwrap(), std::env::var(KIND).unwrap());
    let spec = spec_of(&way);
    let store = store(&folder, &spec).await;
    let entries = store.journal(&spec.run_id).await.unwrap();
    let left = AtomicUsize::new(std::env::var(COUNT).unwrap().parse().unwrap());
    let keep = Dies { store, left, deadly: move |entry: &Entry| kinds(entry).contains(&kind) };
    let journal = Journal::recording(&spec.run_id, entries, keep, clock()).unwrap();
    let model = noting(folder.join("requests"));
    let finished = run(&spec, &journal, &model, world(&way).await.as_ref()).await;
    std::fs::write(folder.join("report"), json_of(&finished)).unwrap();
}

/// Starts the process, which dies with the step of this kind that has this number.
fn start(folder: &Path, way: Way, kind: &str, count: usize) -> ExitStatus {
    let mut process = Command::new(std::env::current_exe().unwrap());
    process.args(["--exact", "crash_model::the_process_that_dies"]);
    process.env(FOLDER, folder).env(WAY, way.name).env(KIND, kind).env(COUNT, count.to_string());
    process.output().unwrap().status
}

/// The run of a way without any death: its report, and how many steps of each kind it has.
async fn whole(way: Way) -> (String, Vec<Entry>) {
    let folder = tempfile::tempdir().unwrap();
    assert!(start(folder.path(), way, NEVER, 1).success(), "{}", way.name);
    let spec = spec_of(way.name);
    let entries = store(folder.path(), &spec).await.journal(&spec.run_id).await.unwrap();
    (std::fs::read_to_string(folder.path().join("report")).unwrap(), entries)
}

async fn dies_in_every_stage(way: Way) {
    let (expected, entries) = whole(way).await;
    for stage in way.stages {
        let of_stage = |entry: &&Entry| kinds(entry).iter().any(|kind| kind == stage);
        let count = entries.iter().filter(of_stage).count();
        assert!(count > 0, "{}: nothing was done in the stage {stage}", way.name);
        for deadly in [1, count].into_iter().take(count) {
            let what = format!("{}, step {deadly} of {stage}", way.name);
            let folder = tempfile::tempdir().unwrap();
            let died = start(folder.path(), way, stage, deadly);
            assert_eq!(died.signal(), Some(9), "outlived {what}");
            assert!(start(folder.path(), way, NEVER, 1).success(), "not resumed after {what}");
            let report = std::fs::read_to_string(folder.path().join("report")).unwrap();
            assert_eq!(report, expected, "another report after {what}");
            assert_paid_once(folder.path(), &what);
            assert_replays(folder.path(), way, &expected, &what).await;
        }
    }
}

fn assert_paid_once(folder: &Path, what: &str) {
    let requests = std::fs::read_to_string(folder.join("requests")).unwrap();
    let mut asked: Vec<&str> = requests.lines().collect();
    let all = asked.len();
    asked.sort_unstable();
    asked.dedup();
    assert_eq!(all, asked.len(), "paid twice after {what}");
}

async fn assert_replays(folder: &Path, way: Way, expected: &str, what: &str) {
    let spec = spec_of(way.name);
    let entries = store(folder, &spec).await.journal(&spec.run_id).await.unwrap();
    let journal = Journal::replaying(&spec.run_id, entries).unwrap();
    let mute = Arc::new(ScriptedModel::new(|_| Act::Silence));
    let again = run(&spec, &journal, &mute, &Nowhere).await;
    assert_eq!(json_of(&again), expected, "another report in the replay after {what}");
    assert!(mute.asked().is_empty());
}

#[tokio::test]
async fn a_run_in_sections_may_die_in_every_stage() {
    dies_in_every_stage(WAYS[0]).await;
}

#[tokio::test]
async fn a_run_in_one_draft_may_die_while_it_is_written_and_criticised() {
    dies_in_every_stage(WAYS[1]).await;
}

#[tokio::test]
async fn a_run_in_which_the_model_gathers_may_die_between_its_tools() {
    dies_in_every_stage(WAYS[2]).await;
}

#[tokio::test]
async fn a_follow_up_to_an_earlier_run_may_die_in_every_stage() {
    dies_in_every_stage(WAYS[3]).await;
}
