//! How near a run comes to its critical path: prints the wall time of a standard run with a model
//! that takes 200 ms for everything, the time of the calls that have to wait for each other, and
//! the ratio of the two.
//!
//! ```text
//! cargo bench -p probity-research --bench critical_path
//! ```
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and cannot go on without its parts"
)]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use probity_core::{Clock, Document, Mode, Modes, Outlet, SearchHit, WebUrl};
use probity_credibility::{Known, Policy, Question};
use probity_model::{Lineup, Task};
use probity_reader::TextReader;
use probity_report::OnUnverified;
use probity_research::analyst::embedded::Embedded;
use probity_research::analyst::llm::Llm;
use probity_research::driver::{Cancel, Parts};
use probity_research::event::Unwatched;
use probity_research::gather::*;
use probity_research::journal::Forget;
use probity_research::run::{RunSpec, Where};
use probity_research::{Journal, research};
use probity_testkit::model::ScriptedModel;
use probity_web::fetch::{FetchOutcome, Page};

/// How long the model takes for an answer.
const MODEL: Duration = Duration::from_millis(200);
/// The calls that have to wait for each other: plan, summaries, gaps, summaries, scores, synthesis.
const DEPTH: u32 = 6;
/// How often a run is measured; the best counts, since noise only adds.
const RUNS: usize = 3;

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
        let filler = "The harbour of the town is old and its walls are built of stone.\n";
        let text = format!(
            "The page {} is about the town.\nOutdoor music in Port Ellery must stop at 10 pm at night.\n{}",
            target.url(),
            filler.repeat(60)
        );
        let mut page = Page::unasked(target.url().clone(), FetchOutcome::Read, "read");
        page.document = Some(Document { text, ..Document::default() });
        Box::pin(async { page })
    }

    fn ledger<'a>(
        &'a self,
        _: &'a [Outlet],
    ) -> Gathered<'a, Result<BTreeMap<Outlet, Known>, String>> {
        Box::pin(async { Ok(BTreeMap::new()) })
    }
}

fn spec() -> RunSpec {
    let mode = Mode::Standard;
    RunSpec {
        run_id: "bench".to_owned(),
        question: Question::new("How loud may outdoor music be at night in Port Ellery?").unwrap(),
        mode,
        numbers: Modes::default().of(mode),
        policy: Policy::default(),
        gathering: Default::default(),
        place: Where::default(),
        analyst: "scripted".to_owned(),
        on_unverified: OnUnverified::Mark,
        asked_at: "2026-11-15".parse().unwrap(),
        shape: Default::default(),
        limits: Default::default(),
        model: Default::default(),
    }
}

async fn run(spec: &RunSpec) -> (Duration, Arc<ScriptedModel>) {
    let model = Arc::new(ScriptedModel::well_behaved().after(MODEL));
    let clock = Clock::Fixed(spec.asked_at);
    let journal = Journal::recording(&spec.run_id, Vec::new(), Forget, clock).unwrap();
    let lineup = Lineup::of_one(Arc::clone(&model) as Arc<dyn probity_model::Model>);
    let analyst = Llm::new(lineup, spec, &journal, &Unwatched, Embedded::new(TextReader::Embedded));
    let began = Instant::now();
    let parts = Parts {
        spec,
        journal: &journal,
        analyst: &analyst,
        embedded: &Embedded::new(TextReader::Embedded),
        world: &Instantly,
        watcher: &Unwatched,
        cancel: Cancel::never(),
    };
    research(parts).await.unwrap();
    (began.elapsed(), model)
}

#[tokio::main]
async fn main() {
    let spec = spec();
    // The first run loads the embeddings.
    run(&spec).await;
    let mut best: Option<(Duration, Arc<ScriptedModel>)> = None;
    for _ in 0..RUNS {
        let one = run(&spec).await;
        if best.as_ref().is_none_or(|(wall, _)| one.0 < *wall) {
            best = Some(one);
        }
    }
    let (wall, model) = best.unwrap();
    let path = MODEL * DEPTH;
    let ratio = wall.as_secs_f64() / path.as_secs_f64();
    println!("wall {wall:.2?}, critical path {path:.2?}, ratio {ratio:.3}");
    let count = |task: Task| format!("{task} {}", model.count(task));
    let counts: Vec<String> = Task::ALL.into_iter().map(count).collect();
    println!("{} calls: {}", model.asked().len(), counts.join(", "));
}
