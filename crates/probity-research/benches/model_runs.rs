//! What runs with a language model take: calls and tokens by stage, how near the wall time comes to the critical path,
//! processor time with and without the reader, and the most memory.
//!
//! ```text
//! cargo bench -p probity-research --bench model_runs
//! ```
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and cannot go on without its parts"
)]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use probity_core::{Clock, Document, Mode, Modes, Outlet, SearchHit, WebUrl};

use probity_credibility::Question;
use probity_model::{ModelSet, tokens};
use probity_reader::TextReader;
use probity_report::facts::Usage;
use probity_research::analyst::embedded::Embedded;
use probity_research::analyst::llm::Llm;
use probity_research::driver::Parts;
use probity_research::event::{Event, Watcher};
use probity_research::gather::*;
use probity_research::journal::Forget;
use probity_research::run::{ModelUse, RunSpec};
use probity_research::{Journal, research};
use probity_testkit::model::ScriptedModel;
use probity_testkit::pages::long;
use probity_web::fetch::{FetchOutcome, Page};

/// How long the model takes for an answer.
const DELAYS: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(2)];
/// Ticks of a second in which Linux counts processor time.
const TICKS: f64 = 100.0;
/// From how many tokens on a prefix counts as kept, at the providers that keep the least and the most.
const KEPT: [usize; 2] = [64, 1_024];

/// A run that is measured: its name, its sources in each round, and the calls that have to wait for each other.
struct Measured {
    name: &'static str,
    mode: Mode,
    sources: (usize, usize),
    /// plan, pages, gaps, pages, scores, and then the draft, or outline, sections and lead.
    depth: u32,
}

const RUNS: [Measured; 2] = [
    Measured { name: "standard", mode: Mode::Standard, sources: (4, 3), depth: 6 },
    Measured { name: "deep, 20 sources", mode: Mode::Deep, sources: (12, 8), depth: 8 },
];

/// A world that answers at once: ten pages to a query, each of its own.
struct Instantly;

impl Gatherer for Instantly {
    fn search<'a>(&'a self, query: &'a str, _: usize) -> Gathered<'a, SearchAnswer> {
        let slug: String = query.chars().filter(char::is_ascii_alphanumeric).collect();
        let hits = (0..10).map(|n| FoundHit {
            origin: Origin::Web,
            outlet: None,
            hit: SearchHit {
                url: WebUrl::parse(&format!("https://h{n}.example.org/{slug}")).unwrap(),
                title: "Outdoor music at night in Port Ellery".to_owned(),
                snippet: "How loud may it be? 2026".to_owned(),
                published: None,
                providers: vec!["bench".to_owned()],
            },
        });
        let answer = SearchAnswer { hits: hits.collect(), ..SearchAnswer::default() };
        Box::pin(async { answer })
    }

    fn read<'a>(&'a self, target: &'a Target) -> Gathered<'a, Page> {
        let number = target.url().as_str().bytes().map(usize::from).sum();
        let text = long(target.url().as_str(), number);
        let mut page = Page::unasked(target.url().clone(), FetchOutcome::Read, "read");
        page.document = Some(Document { text, ..Document::default() });
        Box::pin(async { page })
    }

    fn ledger<'a>(
        &'a self,
        _: &'a [Outlet],
    ) -> Gathered<'a, Result<BTreeMap<Outlet, probity_credibility::Known>, String>> {
        Box::pin(async { Ok(BTreeMap::new()) })
    }
}

fn spec(run: &Measured) -> RunSpec {
    let mode = run.mode;
    let mut numbers = Modes::default().of(mode);
    (numbers.round1_sources, numbers.round2_sources) = run.sources;
    let question = Question::new("How loud may outdoor music be at night in Port Ellery?").unwrap();
    let model = ModelUse { skeptic: mode.is_deep(), ..ModelUse::default() };
    let usual = RunSpec::usual("bench", question, mode, "2026-11-15".parse().unwrap());
    RunSpec { numbers, model, analyst: "scripted".to_owned(), ..usual }
}

/// Notes when each stage begins.
struct Stages {
    began: Instant,
    steps: Mutex<Vec<(Duration, String)>>,
}

impl Stages {
    fn begin() -> Self {
        Self { began: Instant::now(), steps: Mutex::default() }
    }

    /// How long each stage took, in milliseconds.
    fn describe(self) -> String {
        let end = self.began.elapsed();
        let steps = self.steps.into_inner().unwrap();
        let ends = steps.iter().skip(1).map(|(at, _)| *at).chain([end]);
        let describe = steps.iter().zip(ends).map(|((at, title), end)| {
            format!("{} {}", title.split(':').next().unwrap_or(title), (end - *at).as_millis())
        });
        describe.collect::<Vec<_>>().join(", ")
    }
}

impl Watcher for Stages {
    fn watch(&self, event: &Event) {
        if let Event::Step { title, .. } = event {
            self.steps.lock().unwrap().push((self.began.elapsed(), title.clone()));
        }
    }
}

async fn run(spec: &RunSpec, delay: Duration, reader: TextReader) -> Took {
    let model = Arc::new(ScriptedModel::well_behaved().after(delay));
    let clock = Clock::Fixed(spec.asked_at);
    let journal = Journal::recording(&spec.run_id, Vec::new(), Forget, clock).unwrap();
    let model_set = ModelSet::of_one(Arc::clone(&model) as Arc<dyn probity_model::Model>);
    let embedded = Embedded::new(reader);
    let stages = Stages::begin();
    let analyst = Llm::new(model_set, spec, &journal, &stages, embedded.clone());
    let (began, busy) = (Instant::now(), processor());
    let parts = Parts {
        watcher: &stages,
        ..Parts::unattended(spec, &journal, &analyst, &embedded, &Instantly)
    };
    let finished = research(parts).await.unwrap();
    let usage = finished.facts().usage.clone();
    assert_eq!(finished.facts().read(), spec.numbers.max_sources());
    let (wall, processor) = (began.elapsed(), processor() - busy);
    drop(analyst);
    Took { wall, processor, usage, model, stages: stages.describe() }
}

/// What a run took.
struct Took {
    wall: Duration,
    processor: f64,
    usage: Usage,
    model: Arc<ScriptedModel>,
    /// How long each stage took.
    stages: String,
}

/// The seconds of processor time that this process has used.
fn processor() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after.split_whitespace().skip(11).take(2).filter_map(|n| n.parse::<f64>().ok());
    ticks.sum::<f64>() / TICKS
}

/// The most memory that this process has held, as the system words it.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.unwrap_or(" unknown").trim().to_owned()
}

/// How many of the tokens sent stood at the beginning of an earlier request too, where prefixes from so many on are kept.
fn repeated(model: &ScriptedModel, least: usize) -> usize {
    let texts: Vec<String> = model
        .asked()
        .iter()
        .map(|request| request.texts().collect::<Vec<_>>().join("\n"))
        .collect();
    let shared = |a: &str, b: &str| {
        let same = a.char_indices().zip(b.chars()).take_while(|((_, a), b)| a == b).last();
        same.map_or(0, |((at, c), _)| tokens::estimate(a.get(..at + c.len_utf8()).unwrap_or("")))
    };
    let longest = texts.iter().enumerate().map(|(index, text)| {
        texts.iter().take(index).map(|earlier| shared(text, earlier)).max().unwrap_or(0)
    });
    longest.filter(|tokens| *tokens >= least).sum()
}

#[tokio::main]
async fn main() {
    // Longest first: what is loaded once is no part of a run, and the most memory is its own.
    for measured in RUNS.iter().rev() {
        let spec = spec(measured);
        run(&spec, Duration::ZERO, TextReader::Embedded).await;
        let with = run(&spec, Duration::ZERO, TextReader::Embedded).await;
        let without = run(&spec, Duration::ZERO, TextReader::Lexical).await;
        println!(
            "{}: {} calls, {} tokens in, {} out",
            measured.name,
            with.usage.model_calls,
            with.usage.input_tokens,
            with.usage.output_tokens
        );
        for (task, usage) in &with.usage.by_task {
            println!(
                "  {task}: {} calls, {} in, {} out",
                usage.model_calls, usage.input_tokens, usage.output_tokens
            );
        }
        let kept =
            KEPT.map(|least| format!("{} from {least} tokens on", repeated(&with.model, least)));
        println!("  of the tokens in, repeated at the beginning: {}", kept.join(", "));
        println!(
            "  processor: {:.2} s without the reader, {:.2} s with it; memory {}",
            without.processor,
            with.processor,
            memory()
        );
        for delay in DELAYS {
            let Took { wall, stages, .. } = run(&spec, delay, TextReader::Embedded).await;
            let path = delay * measured.depth;
            let ratio = wall.as_secs_f64() / path.as_secs_f64();
            println!(
                "  {delay:?} a call: wall {wall:.2?}, critical path {path:.2?}, ratio {ratio:.2}"
            );
            println!("    milliseconds: {stages}");
        }
    }
}
