//! How PostgreSQL goes about what is asked often: by index, however much there is.
//!
//! The server itself tells its plan of every statement that the store really sends, so nothing here can
//! differ from it. `scripts/bench-store` does the same with a million articles and prints a table.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use probity_core::{ArticleId, CategoryId, FeedId, Outlet, Timestamp, TopicId};
use probity_store::news::{ArticleQuery, Latest, Place as Shelf, Wanted};
use probity_store::queue::{JobState, RESEARCH};
use probity_store::topics::CoverageQuery;
use probity_store::{RunQuery, RunStatus, Store};
use serde_json::Value;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::place::Place;

/// Tables that grow with use.
const BIG: [&str; 8] = [
    "runs",
    "journal",
    "run_events",
    "jobs",
    "articles",
    "article_relevance",
    "topic_members",
    "topics",
];

/// When everything here happens, in milliseconds, and how long it goes back.
const NOW: i64 = 1_790_000_000_000;
const DAY: i64 = 86_400_000;
const DAYS: i64 = 90;
/// A server rightly reads a table whole that has no more rows, if it needs enough of them. What a
/// question may look at is limited all the same.
const SMALL: f64 = 30_000.0;
/// Asks a question often enough that the server may settle on one plan for all values.
const TIMES: u32 = 7;

/// How much there is: more where a measurement asks for it.
struct Size {
    runs: i64,
    articles: i64,
    is_measured: bool,
}

fn size() -> Size {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let (runs, articles) = (number("PROBITY_TEST_ROWS"), number("PROBITY_TEST_ARTICLES"));
    let is_measured = runs.is_some() || articles.is_some();
    Size { runs: runs.unwrap_or(20_000), articles: articles.unwrap_or(40_000), is_measured }
}

async fn fill(place: &Place, size: &Size) {
    let numbers = [
        ("{NOW}", NOW),
        ("{AGE}", DAYS * DAY),
        ("{RUNS}", size.runs),
        ("{ARTICLES}", size.articles),
        ("{FEEDS}", (size.articles / 20).min(50_000)),
        ("{TOPICS}", size.articles / 4 + 1),
    ];
    for statements in [include_str!("plans/fill.sql"), "ANALYZE", include_str!("plans/explain.sql")]
    {
        let mut text = statements.to_owned();
        for (name, number) in numbers {
            text = text.replace(name, &number.to_string());
        }
        place.raw(&text).await.unwrap();
    }
}

/// Keeps what the server tells.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<Vec<String>>>);

struct Message<'a>(&'a Told);

impl Visit for Message<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.record_str(field, &format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "message" {
            self.0.0.lock().unwrap().push(value.to_owned());
        }
    }
}

impl Subscriber for Told {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "sqlx::postgres::notice"
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut Message(self));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// What the server did for one question: how it reached each table, and what that took.
#[derive(Default)]
struct Plan {
    /// `Index Scan runs_by_time`, and the most rows that it looked at.
    ways: BTreeMap<String, f64>,
    /// Big tables that were read from one end to the other.
    whole: Vec<String>,
    millis: f64,
    statements: usize,
}

impl Plan {
    fn read(logged: &Told) -> Self {
        let mut plan = Self::default();
        for text in std::mem::take(&mut *logged.0.lock().unwrap()) {
            let Some((head, json)) = text.split_once("plan:") else { continue };
            let json: Value = serde_json::from_str(json).unwrap();
            let millis = head.trim().trim_start_matches("duration:").trim().trim_end_matches("ms");
            plan.millis += millis.trim().parse::<f64>().unwrap();
            plan.statements += 1;
            plan.look(&json["Plan"]);
        }
        plan
    }

    fn look(&mut self, node: &Value) {
        let text = |name: &str| node[name].as_str().unwrap_or_default();
        let number = |name: &str| node[name].as_f64().unwrap_or(0.0);
        let (kind, table, index) = (text("Node Type"), text("Relation Name"), text("Index Name"));
        let passed_over = ["Rows Removed by Filter", "Rows Removed by Index Recheck"];
        let looked_at = number("Actual Rows") + passed_over.map(number).iter().sum::<f64>();
        let name = if index.is_empty() { table } else { index };
        if kind.contains("Scan") && !name.is_empty() {
            let most = self.ways.entry(format!("{kind} {name}")).or_default();
            *most = most.max(looked_at * number("Actual Loops").max(1.0));
            if kind == "Seq Scan" && BIG.contains(&table) && looked_at > SMALL {
                self.whole.push(table.to_owned());
            }
        }
        for below in node["Plans"].as_array().into_iter().flatten() {
            self.look(below);
        }
    }

    fn most(&self) -> f64 {
        self.ways.values().copied().fold(0.0, f64::max)
    }

    fn show(&self, name: &str, times: u32) {
        let ways: Vec<&str> = self.ways.keys().map(String::as_str).collect();
        let (most, millis) = (self.most(), self.millis / f64::from(times));
        println!("| {name} | {} | {most:.0} | {millis:.1} ms |", ways.join(", "));
    }
}

/// What is asked often, by name; each is asked of the store as its users do.
async fn ask(store: &Store, name: &str) {
    let lease = Duration::from_secs(60);
    let since = Timestamp(NOW - 3 * DAY);
    match name {
        "claim" => {
            let taken = store.claim("w", &[RESEARCH, "upkeep"], lease).await.unwrap().unwrap();
            store.heartbeat(&taken.fence, lease).await.unwrap();
        }
        "feeds due" => {
            store.claim_sparing("w", "feeds", lease, &["f3.example"]).await.unwrap().unwrap();
        }
        "queue counts" => assert!(store.queue_counts().await.unwrap().dead > 0),
        "queue place" => assert!(store.queue_place("waits-33").await.unwrap().is_some()),
        "jobs list" => assert_eq!(store.jobs(None).await.unwrap().len(), 1_000),
        "jobs that are dead" => {
            assert!(!store.jobs(Some(JobState::Dead)).await.unwrap().is_empty());
        }
        "events after" => {
            assert_eq!(store.events_after(&"old-17".into(), 3, 500).await.unwrap().len(), 7);
        }
        name if name.starts_with("runs") => ask_for_runs(store, name).await,
        name if name.starts_with("articles") => ask_for_articles(store, name, since).await,
        "news search" => {
            assert_eq!(store.news_search("flood budget", None, 10).await.unwrap().len(), 10);
        }
        "news search of three days" => {
            let hits = store.news_search("harbor flood budget", Some(since), 10).await.unwrap();
            assert_eq!(hits.len(), 10);
        }
        "coverage of a topic" => {
            let query = CoverageQuery {
                topic: Some(TopicId(99)),
                category: Some(CategoryId(1)),
                since: None,
            };
            assert_eq!(store.coverage(&query).await.unwrap().len(), 4);
        }
        "coverage of three days" => {
            let query =
                CoverageQuery { since: Some(since), category: Some(CategoryId(1)), topic: None };
            assert!(!store.coverage(&query).await.unwrap().is_empty());
        }
        "topics of three days" => assert!(!store.topics(since).await.unwrap().is_empty()),
        other => panic!("{other} is not known"),
    }
}

async fn ask_for_runs(store: &Store, name: &str) {
    let page = RunQuery { limit: Some(50), ..RunQuery::default() };
    let far = Some((Timestamp(NOW - 80 * DAY), "x".into()));
    let query = match name {
        "runs list" => page,
        "runs list, far on" => RunQuery { after: far, ..page },
        "runs that failed" => RunQuery { status: Some(RunStatus::Failed), ..page },
        other => panic!("{other} is not known"),
    };
    assert!(!store.runs(&query).await.unwrap().is_empty());
}

async fn ask_for_articles(store: &Store, name: &str, since: Timestamp) {
    let page = ArticleQuery { limit: Some(50), ..ArticleQuery::default() };
    let far = Some(Latest { at: Timestamp(NOW - 80 * DAY), id: ArticleId(i64::MAX) });
    let outlet = Some(Outlet::new("outlet7.example").unwrap());
    let found = match name {
        "articles list" => store.articles(&page).await.unwrap().len(),
        "articles list, far on" => {
            store.articles(&ArticleQuery { before: far, ..page }).await.unwrap().len()
        }
        "articles of a feed" => {
            store.articles(&ArticleQuery { feed: Some(FeedId(7)), ..page }).await.unwrap().len()
        }
        "articles of an outlet" => {
            store.articles(&ArticleQuery { outlet, ..page }).await.unwrap().len()
        }
        "articles after" => {
            let place = Shelf { seen_at: Timestamp(NOW - DAY), id: ArticleId(0) };
            store.articles_after(place, 100).await.unwrap().len()
        }
        "articles to follow" => {
            store.take_unresolved(None, 20, Duration::ZERO).await.unwrap().len()
        }
        "articles to judge" => {
            let category = store.category("c1").await.unwrap();
            store.unjudged(&category, since, 100).await.unwrap().len()
        }
        "articles whose text is wanted" => {
            // None is, which takes longest to find out.
            let again = Duration::from_secs(3600);
            let wanted = Wanted { since, relevant: 0.5, tries: 3, again, limit: 20 };
            store.take_wanted(&wanted).await.unwrap().len() + 1
        }
        "articles of the window" => store.window_articles(since).await.unwrap().len(),
        other => panic!("{other} is not known"),
    };
    assert!(found > 0, "{name} finds nothing");
}

/// What is asked, and the share of the runs or articles that may at most be looked at for it: of what
/// spans three days in ninety, a part of that kind; of what finds a few, hardly any.
const QUESTIONS: [(&str, f64); 24] = [
    ("claim", 0.05),
    ("feeds due", 0.05),
    ("queue counts", 0.05),
    ("queue place", 0.05),
    ("jobs list", 0.1),
    ("jobs that are dead", 0.1),
    ("runs list", 0.05),
    ("runs list, far on", 0.05),
    ("runs that failed", 0.05),
    ("events after", 0.05),
    ("articles list", 0.05),
    ("articles list, far on", 0.05),
    ("articles of a feed", 0.05),
    ("articles of an outlet", 0.05),
    ("articles after", 0.05),
    ("articles to follow", 0.05),
    ("articles to judge", 0.1),
    ("articles whose text is wanted", 0.1),
    ("articles of the window", 0.1),
    ("news search", 0.5),
    ("news search of three days", 0.5),
    ("coverage of a topic", 0.05),
    ("coverage of three days", 0.1),
    ("topics of three days", 0.3),
];

/// Forgets a tenth of what there is, as upkeep does, and says what that took.
async fn forget(store: &Store, logged: &Told, size: &Size) {
    let before = Timestamp(NOW - (DAYS - 9) * DAY);
    for name in ["forget events", "forget jobs", "forget articles"] {
        let began = Instant::now();
        let gone = match name {
            "forget events" => store.forget_events(before).await.unwrap(),
            "forget jobs" => store.forget_jobs(before).await.unwrap(),
            _ => store.prune_articles(before).await.unwrap().articles,
        };
        let took = began.elapsed();
        let plan = Plan::read(logged);
        if size.is_measured {
            plan.show(name, 1);
            println!("{name}: {gone} rows in {:.1} s", took.as_secs_f64());
        }
        assert!(gone > 0, "{name}: nothing went");
        assert_eq!(plan.whole, [""; 0], "{name} reads whole tables");
    }
}

#[tokio::test]
async fn what_is_asked_often_goes_by_index() {
    let places = Place::on_each_engine().await;
    let Some(place) = places.into_iter().find(|place| !place.is_sqlite()) else { return };
    place.open().await.close().await;
    let size = size();
    fill(&place, &size).await;
    let logged = Told::default();
    let _guard = tracing::subscriber::set_default(logged.clone());
    let store = place.open().await;
    let mut faults = Vec::new();
    for (name, share) in QUESTIONS {
        Plan::read(&logged);
        for _ in 0..TIMES {
            ask(&store, name).await;
        }
        let plan = Plan::read(&logged);
        assert!(plan.statements > 0, "the server told nothing about {name}");
        if size.is_measured {
            plan.show(name, TIMES);
        }
        let of_news = ["articles", "news", "coverage", "topics"].iter();
        let of_news = of_news.into_iter().any(|beginning| name.starts_with(beginning));
        let rows = if of_news { size.articles } else { size.runs };
        // Of few articles a server rightly reads all for this one.
        let is_excused = !size.is_measured && name == "coverage of three days";
        if !is_excused && (!plan.whole.is_empty() || plan.most() > share * rows as f64) {
            faults.push(format!("{name} looks at {:.0} rows: {:?}", plan.most(), plan.ways));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    Plan::read(&logged);
    forget(&store, &logged, &size).await;
}
