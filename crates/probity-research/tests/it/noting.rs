//! What a run notes of the outlets that it reads, from the page to the explanation.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use probity_core::{Clock, Mode, Outlet, SearchHit, WebUrl};
use probity_credibility::{Policy, Scorer};
use probity_reader::TextReader;
use probity_research::execute::{Execution, RunEnvironment};
use probity_research::live_gatherer::{LiveGatherer, Opening};
use probity_research::run::{RunSpec, Where};
use probity_store::{Location, NewRun, Store};
use probity_testkit::bad_web::{BadWeb, Reply};
use probity_web::fetch::{FetchSettings, Resolver};
use probity_web::search::{LocalProvider, SearchSettings};
use serde_json::Value;

use crate::scripted::{QUESTION, spec};
use crate::web::program;

/// An outlet of which neither tier, kind nor ledger says anything, and one that is rated.
const UNKNOWN: &str = "ellery-harbour-weekly.com";
const RATED: &str = "reuters.com";

/// Every name lies on this machine.
struct Here(SocketAddr);

impl Resolver for Here {
    fn resolve(&self, _: &str) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> {
        futures::future::ready(Ok(vec![self.0])).boxed()
    }
}

const PAGE: &str = "<html><head><title>Outdoor music at night in Port Ellery</title>\
    <meta name='author' content='Ada Quill'><meta property='article:published_time' content='2026-03-01'></head>\
    <body><article><h1>Outdoor music at night in Port Ellery</h1>\
    <p>Outdoor music in Port Ellery may be as loud as 55 decibels until ten at night, says the ordinance of the \
    council. After ten at night outdoor music must stop altogether, and the harbour office sends a boat round. \
    <a href='https://www.nature.com/articles/noise'>A study</a> had asked for that.</p>\
    <p>Whoever plays on pays a fine of 200 crowns. The council keeps the list of those who paid.</p></article>\
    <footer><a href='/corrections'>Corrections</a> <a href='/who'>Who owns us</a></footer></body></html>";

async fn web() -> BadWeb {
    let web = BadWeb::start(|asked| match asked.page() {
        "/robots.txt" => Reply::status(404),
        "/trust.txt" => Reply::text("belongto=https://press.example/\n"),
        "/ads.txt" => {
            Reply::text("OWNERDOMAIN=ellery-harbour-weekly.com\nads.example, 1, DIRECT\n")
        }
        _ => Reply::html(PAGE),
    });
    web.await.unwrap()
}

/// Carries a run out over two pages of the unknown outlet and one of the rated one.
async fn research(web: &BadWeb, store: &Store, id: &str, keep: bool) {
    let port = web.address().port();
    let urls = [
        format!("http://www.{UNKNOWN}:{port}/a"),
        format!("http://{UNKNOWN}:{port}/b"),
        format!("http://www.{RATED}:{port}/c"),
    ];
    let hit = |url: &String| SearchHit {
        url: WebUrl::parse(url).unwrap(),
        title: QUESTION.to_owned(),
        snippet: "2026".to_owned(),
        published: None,
        providers: vec!["paper".to_owned()],
    };
    let hits: Vec<SearchHit> = urls.iter().map(hit).collect();
    let paper = LocalProvider::new("paper", move |_| futures::future::ready(Ok(hits.clone())));
    let open = |host: &str| format!("{host}:{port}").parse().unwrap();
    let hosts = [format!("www.{UNKNOWN}"), UNKNOWN.to_owned(), format!("www.{RATED}")];
    let scorer = Scorer::new(Policy::default(), Default::default(), "2026-11-15".parse().unwrap());
    let opening = Opening {
        search: &SearchSettings::default(),
        fetch: FetchSettings {
            delay: Duration::ZERO,
            allow_hosts: hosts.iter().map(|host| open(host)).collect(),
            resolver: Arc::new(Here(web.address())),
            ..FetchSettings::default()
        },
        clock: Clock::System,
        store: Some(store.clone()),
        shared: None,
        scorer: scorer.unwrap(),
        indexes: None,
        own: vec![paper],
    };
    let place = Where { search: Some("paper".to_owned()), ..Where::default() };
    let (gatherer, _) = LiveGatherer::open(opening, &place).await.unwrap();
    let gatherer = gatherer.noting(keep.then(|| store.clone()));
    let spec = RunSpec {
        run_id: id.to_owned().into(),
        analyst: "embedded".to_owned(),
        place,
        ..spec(Mode::Standard)
    };
    let written = serde_json::to_string(&spec).unwrap();
    let run = NewRun {
        id: &id.into(),
        question: spec.question.as_str(),
        mode: spec.mode.as_str(),
        spec: &written,
        asked_at: spec.asked_at,
    };
    store.create_run(&run).await.unwrap();
    let environment = RunEnvironment {
        gatherer: Box::new(gatherer),
        model_set: None,
        reader: TextReader::Embedded,
        problems: Vec::new(),
    };
    let execution = Execution::unattended(&spec, Clock::System);
    let finished = execution.keeping(environment, store.clone()).await.unwrap();
    let read = finished.facts().candidates.iter().filter(|c| c.outcome.as_deref() == Some("read"));
    assert_ne!(read.count(), 0, "{:?}", finished.facts().candidates);
}

/// What the program explains of an outlet, by that store.
fn explain(store: &Path, outlet: &str) -> Value {
    let home = tempfile::tempdir().unwrap();
    let config = home.path().join("config.toml");
    std::fs::write(&config, "").unwrap();
    let output = Command::new(program())
        .args(["outlets", "explain", outlet, "--json"])
        .env_clear()
        .env("HOME", home.path())
        .env("PROBITY_HOME", home.path())
        .env("PROBITY_CONFIG", config)
        .env("PROBITY_STORE", store)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn part<'a>(explained: &'a Value, name: &str) -> Option<&'a Value> {
    explained["parts"].as_array().unwrap().iter().find(|part| part["part"] == name)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_notes_what_pages_show_and_the_explanation_shows_it() {
    let web = web().await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    let store = Store::open(&Location::file(&path)).await.unwrap();
    let before = explain(&path, UNKNOWN);
    assert_eq!(part(&before, "pages"), None);

    research(&web, &store, "20261115-first1", true).await;
    let after = explain(&path, UNKNOWN);
    let pages = part(&after, "pages").unwrap_or_else(|| panic!("{after:#}"));
    let why = pages["why"].as_str().unwrap();
    for mark in [
        "links corrections +0.02",
        "names its authors +0.01",
        "trust.txt names its association +0.01",
        "trust.txt or ads.txt names its owner +0.01",
    ] {
        assert!(why.contains(mark), "{mark}: {why}");
    }
    let worth = |explained: &Value| explained["research"]["authority"].as_f64().unwrap();
    let moved = pages["value"].as_f64().unwrap() * pages["weight"].as_f64().unwrap();
    assert!(moved > 0.0 && (worth(&after) - worth(&before) - moved).abs() < 1e-9, "{after:#}");
    let cited =
        store.known_of(&[Outlet::new("nature.com").unwrap()], &Policy::default()).await.unwrap();
    assert_eq!(cited.values().map(|known| known.cited_by).sum::<u32>(), 1, "by the rated outlet");

    let files = || ["/trust.txt", "/ads.txt"].map(|file| web.count(file));
    assert_eq!(files(), [1, 1], "once for both pages, and not for an outlet that is rated");
    research(&web, &store, "20261115-second", true).await;
    assert_eq!(files(), [1, 1], "not again so soon");
    assert_eq!(explain(&path, UNKNOWN)["parts"], after["parts"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_is_not_kept_leaves_no_note_and_asks_for_no_files() {
    let web = web().await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    let store = Store::open(&Location::file(&path)).await.unwrap();
    research(&web, &store, "20261115-unkept", false).await;
    assert_eq!(part(&explain(&path, UNKNOWN), "pages"), None);
    assert_eq!(web.count("/ads.txt") + web.count("/trust.txt"), 0);
}
