//! `probity feeds` and `probity news` as a user meets them: feeds from a loopback server, articles
//! with what their outlets are worth, a scheduler that stops when it is told to.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;

use probity_testkit::bad_web::{BadWeb, Reply};
use serde_json::Value;

use crate::program::{Program, Ran, runtime, tree};

const XML: (&str, &str) = ("content-type", "application/rss+xml");

/// A site with feeds, its program, and the runtime that the site lives in.
struct Room {
    program: Program,
    web: BadWeb,
    // Dropped last: the server lives in it.
    _runtime: tokio::runtime::Runtime,
}

fn feed(items: &[(&str, &str)]) -> Reply {
    let items: String = items
        .iter()
        .map(|(title, link)| {
            format!(
                "<item><title>{title}</title><link>{link}</link><guid isPermaLink='false'>{title}</guid>\
                 <pubDate>Sat, 14 Nov 2026 08:00:00 GMT</pubDate></item>"
            )
        })
        .collect();
    let text = format!("<rss version='2.0'><channel><title>Local</title>{items}</channel></rss>");
    Reply::with(200, &[XML], text)
}

impl Room {
    fn new() -> Self {
        let runtime = runtime();
        let web = runtime.block_on(BadWeb::start(|asked| {
            let here = format!("http://{}", asked.server);
            match asked.page() {
                "/" => Reply::html("<html><head><link rel=alternate type='application/rss+xml' href='/feed.xml'></head></html>"),
                "/feed.xml" => feed(&[
                    ("Ferry aground", "https://www.reuters.com/world/ferry"),
                    ("Storm ahead", &format!("{here}/storm")),
                ]),
                "/gone.xml" if asked.nth > 0 => Reply::status(410),
                "/gone.xml" => feed(&[("Last words", "https://www.wsj.com/last")]),
                "/storm" => Reply::html(
                    "<html><head><title>Storm ahead</title></head><body><article><h1>Storm ahead</h1>\
                     <p>The harbour master of Port Ellery closed the quay on Friday because a storm of \
                     force eleven is expected to reach the coast before midnight.</p>\
                     <p>Ferries stay in port until the wind has dropped below forty knots, he said, and \
                     the fish market moves indoors for the weekend.</p></article></body></html>",
                ),
                _ => Reply::status(404),
            }
        }));
        Self { program: Program::new(), web: web.unwrap(), _runtime: runtime }
    }

    fn run(&self, args: &[&str]) -> Ran {
        self.program.run(args)
    }

    /// Runs a command that fetches, with the site opened.
    fn fetching(&self, args: &[&str]) -> Ran {
        let host = self.web.address().to_string();
        self.program.run(&[args, &["--allow-host", &host]].concat())
    }
}

#[test]
fn a_page_leads_to_its_feed_and_the_feed_to_its_articles() {
    let room = Room::new();
    let added = room.fetching(&["feeds", "add", &room.web.url("/"), "--category", "Sea", "--json"]);
    let added = added.json();
    assert_eq!(added[0]["feed"]["url"], room.web.url("/feed.xml"));
    assert_eq!(added[0]["polled"]["new"], 2);
    let again = room.fetching(&["feeds", "add", &room.web.url("/feed.xml")]).ok();
    assert!(again.contains("already exists"), "{again}");

    let articles = room.run(&["news", "articles", "--json"]).json();
    let titled = |title: &str| {
        articles.as_array().unwrap().iter().find(|a| a["title"] == title).unwrap().clone()
    };
    let ferry = titled("Ferry aground");
    assert_eq!((&ferry["outlet"], &ferry["credibility"]), (&"reuters.com".into(), &0.92.into()));
    assert_eq!(ferry["published"], "2026-11-14T08:00:00Z");

    let list = room.run(&["feeds", "list", "--json"]).json();
    assert_eq!(list[0]["credibility_score"], 0.5);
    assert_eq!(list[0]["categories"][0], "Sea");
    let shown = room.run(&["feeds", "list"]).ok();
    assert!(shown.contains("cred.") && shown.contains("0.50"), "{shown}");

    // A coding shows at once, because the score is joined when someone asks.
    room.run(&["outlets", "set", "reuters.com", "0.4", "--by", "Ada", "--note", "test"]).ok();
    let found = room.run(&["news", "search", "ferries", "aground", "--json"]).json();
    assert_eq!(found["hits"][0]["title"], "Ferry aground");
    assert_eq!(found["hits"][0]["credibility"], 0.4);
}

#[test]
fn the_text_of_an_article_is_fetched_when_it_is_wanted() {
    let room = Room::new();
    room.fetching(&["feeds", "add", &room.web.url("/feed.xml")]).ok();
    let articles = room.run(&["news", "articles", "--json"]).json();
    let storm = articles.as_array().unwrap().iter().find(|a| a["title"] == "Storm ahead").unwrap();
    let id = storm["id"].to_string();
    assert!(
        room.run(&["news", "search", "fish market", "--json"]).json()["hits"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    let shown = room.fetching(&["news", "show", &id, "--fetch"]).ok();
    assert!(shown.contains("force eleven"), "{shown}");
    // From now on it is kept and found by its text; no one is asked again.
    let asked = room.web.count("/storm");
    room.fetching(&["news", "show", &id, "--fetch"]).ok();
    assert_eq!(room.web.count("/storm"), asked);
    let found = room.run(&["news", "search", "fish", "market", "--json"]).json();
    assert_eq!(found["hits"][0]["id"], storm["id"]);
    room.run(&["news", "show", "999"]).fails(2, "no article 999");
}

#[test]
fn one_round_polls_what_is_due_and_tells_of_each() {
    let room = Room::new();
    for path in ["/feed.xml", "/gone.xml"] {
        room.fetching(&["feeds", "add", &room.web.url(path)]).ok();
    }
    let nothing = room.fetching(&["news", "fetch"]).ok();
    assert!(nothing.contains("0 feeds polled"), "{nothing}");
    let lines = room.fetching(&["news", "fetch", "--all", "--json"]).ok();
    let events: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ended = |path: &str| {
        let url = room.web.url(path);
        let event = events.iter().find(|event| event["url"] == url.as_str()).unwrap();
        event["ended"].as_str().unwrap().to_owned()
    };
    assert_eq!((ended("/feed.xml").as_str(), ended("/gone.xml").as_str()), ("unchanged", "gone"));
    let last = events.last().unwrap();
    assert_eq!((&last["event"], &last["polls"]), (&"counts".into(), &2.into()));

    let off = room.run(&["feeds", "list", "--off"]).ok();
    assert!(off.contains("gone") && off.contains("off"), "{off}");
    let shown = room.run(&["feeds", "show", "2", "--json"]).json();
    assert_eq!((&shown["state"], &shown["errors"][0]["status"]), (&"gone".into(), &410.into()));
    room.run(&["feeds", "enable", "2"]).ok();
    assert_eq!(room.run(&["feeds", "show", "2", "--json"]).json()["state"], "enabled");
    room.fetching(&["feeds", "fetch", "2"]).fails(1, "");
    room.run(&["feeds", "remove", "2", "--articles"]).ok();
    assert_eq!(room.run(&["news", "articles", "--json"]).json().as_array().unwrap().len(), 2);
    room.run(&["feeds", "show", "2"]).fails(2, "there is no feed 2");
}

#[test]
fn a_private_feed_is_opened_for_good_by_the_configuration() {
    let room = Room::new();
    room.fetching(&["feeds", "add", &room.web.url("/feed.xml")]).ok();
    let refused = room.run(&["feeds", "fetch", "1"]);
    assert_eq!(refused.code(), 1);
    assert!(refused.stdout().contains("`allow_hosts` below [fetch]"), "{}", refused.stdout());
    let settings = format!("[fetch]\nallow_hosts = [\"{}\"]", room.web.address());
    std::fs::write(room.program.config(), settings).unwrap();
    room.run(&["feeds", "fetch", "1"]).ok();
    assert!(room.run(&["news", "fetch", "--all"]).ok().starts_with("1 feed polled"));
}

#[test]
fn a_google_news_feed_shows_agg_and_its_reuters_story_counts_as_reuters() {
    let program = Program::new();
    let file = tree().join("examples/news/google-news.xml");
    let url = "https://news.google.com/rss/search?q=port+ellery";
    program.run(&["feeds", "add", url, "--from", file.to_str().unwrap()]).ok();
    let list = program.run(&["feeds", "list", "--json"]).json();
    assert_eq!((&list[0]["agg"], &list[0]["credibility_score"]), (&true.into(), &0.5.into()));
    let text = program.run(&["feeds", "list"]).ok();
    assert!(text.lines().any(|line| line.contains("0.50") && line.contains("agg")), "{text}");
    let outlet = program.run(&["news", "articles", "--outlet", "reuters.com", "--json"]).json();
    assert_eq!(outlet.as_array().unwrap().len(), 1);
    assert_eq!(outlet[0]["credibility"], 0.92);
}

#[test]
fn lists_of_feeds_go_in_and_out() {
    let program = Program::new();
    let list = tree().join("examples/news/feeds.opml");
    let imported = program.run(&["feeds", "import", list.to_str().unwrap(), "--json"]).json();
    assert_eq!((&imported["added"], &imported["known"]), (&3.into(), &0.into()));
    let again = program.run(&["feeds", "import", list.to_str().unwrap()]).ok();
    assert!(again.contains("0 feeds added, 3 known"), "{again}");
    let feeds = program.run(&["feeds", "list", "--json"]).json();
    assert_eq!(feeds[1]["categories"], serde_json::json!(["Harbour", "Weather"]));
    let opml = program.run(&["feeds", "export"]).ok();
    let other = Program::new();
    let imported = other.run_with(&["feeds", "import", "-", "--json"], opml.as_bytes()).json();
    assert_eq!(imported["added"], 3);
    let urls = |program: &Program| {
        let feeds = program.run(&["feeds", "list", "--json"]).json();
        let mut urls: Vec<String> = feeds
            .as_array()
            .unwrap()
            .iter()
            .map(|f| format!("{} {}", f["url"], f["categories"]))
            .collect();
        urls.sort();
        urls
    };
    assert_eq!(urls(&program), urls(&other));
    let bomb = b"<!DOCTYPE o [<!ENTITY a 'a'>]><opml/>";
    program.run_with(&["feeds", "import", "-"], bomb).fails(1, "entities");
}

#[test]
fn the_scheduler_stops_when_it_is_told_to() {
    let room = Room::new();
    room.fetching(&["feeds", "add", &room.web.url("/feed.xml")]).ok();
    room.run(&["feeds", "disable", "1"]).ok();
    room.run(&["feeds", "enable", "1"]).ok();
    let host = room.web.address().to_string();
    let mut command = room.program.command(&["news", "run", "--json", "--allow-host", &host]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!((&first["event"], &first["feed"]), (&"polled".into(), &1.into()));
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    assert!(rest.iter().any(|line| line.contains("stopping")), "{rest:?}");
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert!(child.wait().unwrap().success(), "{errors}");
}

#[test]
fn research_reads_stored_articles() {
    let room = Room::new();
    room.fetching(&["feeds", "add", &room.web.url("/feed.xml")]).ok();
    let articles = room.run(&["news", "articles", "--json"]).json();
    let storm = articles.as_array().unwrap().iter().find(|a| a["title"] == "Storm ahead").unwrap();
    room.fetching(&["news", "show", &storm["id"].to_string(), "--fetch"]).ok();
    let asked = room.web.count("/storm");
    let ran = room.run(&[
        "research",
        "--json",
        "--no-save",
        "--quick",
        "--search",
        "news",
        "Why did the harbour master close the quay before the storm ahead?",
    ]);
    assert!(matches!(ran.code(), 0 | 3), "{}", ran.stderr());
    let report = ran.stdout();
    assert!(report.contains("/storm"), "the stored article was not found: {}", ran.stderr());
    assert_eq!(room.web.count("/storm"), asked, "a text that is kept is not fetched again");
}
