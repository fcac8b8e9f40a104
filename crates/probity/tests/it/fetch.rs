//! `probity fetch`: one page as it was read, or why it was not.

use probity_testkit::bad_web::cases::GOOD;
use probity_testkit::bad_web::{BadWeb, Reply, walls};
use serde_json::Value;

use crate::program::{Program, Ran, runtime};

/// A site on the loopback address: a good page, a closed one, a wall, and what is missing.
struct Site {
    program: Program,
    web: BadWeb,
    // Dropped last: the server lives in it.
    _runtime: tokio::runtime::Runtime,
}

impl Site {
    fn new() -> Self {
        let runtime = runtime();
        let web = runtime.block_on(BadWeb::start(|asked| match asked.page() {
            "/robots.txt" => Reply::text("User-agent: probity\nDisallow: /closed\n"),
            "/good" | "/closed" => Reply::html(GOOD),
            "/moved" => Reply::redirect(301, "/good"),
            "/away" => Reply::redirect(302, "http://10.0.0.1/"),
            "/wall" => Reply::html(walls::page("cloudflare").unwrap()),
            "/escape" => {
                Reply::text("a line with \u{1b}[31mcolour\u{1b}[0m and a bell \u{7} in it")
            }
            _ => Reply::status(404),
        }));
        Self { program: Program::new(), web: web.unwrap(), _runtime: runtime }
    }

    /// Fetches a path with the site opened.
    fn fetch(&self, path: &str, more: &[&str]) -> Ran {
        let (url, host) = (self.web.url(path), self.web.address().to_string());
        let mut args = vec!["fetch", &url, "--allow-host", &host];
        args.extend(more);
        self.program.run(&args)
    }

    fn json(&self, path: &str, more: &[&str]) -> (i32, Value) {
        let ran = self.fetch(path, &[more, &["--json"]].concat());
        (ran.code(), serde_json::from_str(&ran.stdout()).unwrap())
    }
}

#[test]
fn a_page_that_was_read_comes_with_every_field() {
    let site = Site::new();
    let (code, page) = site.json("/moved", &[]);
    assert_eq!(code, 0);
    let names: Vec<&String> = page.as_object().unwrap().keys().collect();
    let mut expected = [
        "url",
        "final_url",
        "status",
        "outcome",
        "reason",
        "content_type",
        "bytes",
        "title",
        "published",
        "lang",
        "archived",
        "text",
    ];
    let mut sorted = names.clone();
    sorted.sort();
    expected.sort_unstable();
    assert_eq!(sorted, expected);
    assert_eq!(page["url"], site.web.url("/moved"));
    assert_eq!(page["final_url"], site.web.url("/good"));
    assert_eq!(page["status"], 200);
    assert_eq!(page["outcome"], "read");
    assert_eq!(page["bytes"], GOOD.len());
    assert!(page["text"].as_str().unwrap().contains("highest since the gauge was set"));
}

#[test]
fn only_a_page_that_was_read_ends_well() {
    let site = Site::new();
    for (path, outcome) in [
        ("/missing", "not-found"),
        ("/closed", "robots"),
        ("/wall", "bot-wall"),
        ("/away", "blocked-by-address"),
    ] {
        let (code, page) = site.json(path, &[]);
        assert_eq!((code, page["outcome"].as_str()), (1, Some(outcome)), "{path}");
        assert_eq!(page["text"], Value::Null, "{path}");
        assert!(!page["reason"].as_str().unwrap().is_empty(), "{path}");
    }
    assert_eq!(site.json("/closed", &["--no-robots"]).0, 0);
}

#[test]
fn nothing_is_sent_to_a_private_address_that_was_not_opened() {
    let site = Site::new();
    let url = site.web.url("/good");
    let ran = site.program.run(&["fetch", &url, "--json"]);
    assert_eq!(ran.code(), 1);
    let page: Value = serde_json::from_str(&ran.stdout()).unwrap();
    assert_eq!(page["outcome"], "blocked-by-address");
    let other = format!("127.0.0.1:{}", site.web.address().port() ^ 1);
    assert_eq!(site.program.run(&["fetch", &url, "--allow-host", &other]).code(), 1);
    assert!(site.web.requests().is_empty());
}

#[test]
fn the_text_alone_goes_to_stdout() {
    let site = Site::new();
    let ran = site.fetch("/good", &[]);
    assert_eq!(ran.code(), 0);
    assert!(ran.stdout().contains("highest since the gauge was set"));
    assert!(!ran.stdout().contains("status"), "{}", ran.stdout());
    assert!(ran.stderr().starts_with("read"), "{}", ran.stderr());
    let missing = site.fetch("/missing", &[]);
    assert_eq!(missing.stdout(), "");
    assert!(missing.stderr().starts_with("not-found: "), "{}", missing.stderr());
}

#[test]
fn a_page_cannot_colour_the_terminal() {
    let ran = Site::new().fetch("/escape", &[]);
    assert!(ran.stdout().contains("a line with"));
    assert!(!ran.stdout().contains(['\u{1b}', '\u{7}']), "{:?}", ran.stdout());
}

#[test]
fn what_cannot_be_an_address_is_wrong_usage() {
    let program = Program::new();
    for args in [
        &["fetch", "example.org/page"][..],
        &["fetch", "ftp://example.org/"],
        &["fetch", "http://example.org/", "--allow-host", "intranet"],
        &["fetch"],
    ] {
        assert_eq!(program.run(args).code(), 2, "{args:?}");
    }
}

#[test]
fn a_research_run_reads_the_addresses_it_was_handed() {
    let site = Site::new();
    let (list, host) = (site.program.config().with_file_name("list.txt"), site.web.address());
    let lines = ["/good", "/closed", "/missing"].map(|path| site.web.url(path));
    std::fs::write(&list, lines.join("\n")).unwrap();
    let ran = site.program.run(&[
        "research",
        "When does the harbour ferry leave?",
        "--quick",
        "--urls",
        list.to_str().unwrap(),
        "--allow-host",
        &host.to_string(),
        "--json",
    ]);
    let report: Value = serde_json::from_str(&ran.stdout()).unwrap();
    let candidates = report["candidates"].as_array().unwrap();
    assert_eq!(candidates.len(), 3, "{report}");
    let verdict = |path: &str| {
        let url = site.web.url(path);
        let found = candidates.iter().find(|one| one["url"] == url.as_str()).unwrap();
        found["outcome"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(verdict("/good"), "read", "{report}");
    // Without a title or a snippet its score is low, and it is read all the same.
    let why = candidates[0]["explanation"].as_str().unwrap();
    assert!(why.ends_with("0.5: read all the same, it was handed over"), "{why}");
    assert_eq!(verdict("/closed"), "robots", "{report}");
    assert_eq!(verdict("/missing"), "not-found", "{report}");
}
