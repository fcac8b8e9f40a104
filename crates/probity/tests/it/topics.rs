//! `probity news` from articles to a briefing, as an editor meets it.

use serde_json::Value;

use crate::program::Program;

/// A day after the articles of [`FEED`].
const NOW: &str = "2026-11-15T08:00:00Z";

const FEED: &str = "<rss version='2.0'><channel><title>Local</title>
<item><title>Ferry sinks off Lorne Islands, 30 missing</title><link>https://www.reuters.com/world/ferry</link>
<description>A ferry sank off the Lorne Islands on Saturday and 30 people are missing. The coast guard searched all night.</description>
<pubDate>Sat, 14 Nov 2026 08:00:00 GMT</pubDate></item>
<item><title>Lorne Islands ferry sinks, 45 people missing</title><link>https://gazette.example/ferry</link>
<description>A ferry sank off the Lorne Islands on Saturday and 45 people are missing. Relatives wait at the harbour.</description>
<pubDate>Sat, 14 Nov 2026 09:00:00 GMT</pubDate></item>
<item><title>Kestrel Air to buy rival Norvia for $3.1 billion - WSJ</title><link>https://www.wsj.com/kestrel</link>
<description>Kestrel Air agreed to buy its rival Norvia for $3.1 billion in cash.</description>
<pubDate>Sat, 14 Nov 2026 10:00:00 GMT</pubDate></item>
</channel></rss>";

fn run(program: &Program, args: &[&str]) -> (i32, String) {
    let mut command = program.command(args);
    let ran = command.env("PROBITY_NOW", NOW).output().unwrap();
    let text = String::from_utf8(ran.stdout).unwrap();
    assert!(ran.status.code() != Some(101), "{}", String::from_utf8_lossy(&ran.stderr));
    (ran.status.code().unwrap(), text)
}

fn json(program: &Program, args: &[&str]) -> Value {
    let (code, text) = run(program, &[args, &["--json"]].concat());
    assert_eq!(code, 0, "{args:?}: {text}");
    serde_json::from_str(&text).unwrap()
}

/// A program whose store has the articles, in topics.
fn filled() -> Program {
    let program = Program::new();
    fill(&program);
    program
}

/// Takes the articles in, and groups them.
pub(crate) fn fill(program: &Program) {
    let file = program.config().with_file_name("feed.xml");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, FEED).unwrap();
    let from = file.to_str().unwrap();
    let (code, _) = run(program, &["feeds", "add", "https://local.example/f", "--from", from]);
    assert_eq!(code, 0);
    let add = [
        "news",
        "categories",
        "add",
        "Harbour",
        "Ships, ferries and islands",
        "--keyword",
        "ferry",
    ];
    assert_eq!(json(program, &add)["name"], "Harbour");
    let turn = json(program, &["news", "consolidate"]);
    assert_eq!((&turn["articles"], &turn["stories"]), (&3.into(), &2.into()), "{turn}");
}

#[test]
fn a_coding_of_an_article_changes_who_speaks() {
    let program = filled();
    let topics = json(&program, &["news", "topics", "--category", "harbour"]);
    assert_eq!(topics.as_array().unwrap().len(), 1, "{topics}");
    let first = &topics[0]["representative"];
    assert_eq!((&topics[0]["outlets"], &first["outlet"]), (&2.into(), &"reuters.com".into()));

    let article = first["article"].to_string();
    let down = ["news", "code", &article, "source-unreliable", "--by", "Ada", "--alpha", "1"];
    assert_eq!(json(&program, &down)["outlet"], "reuters.com");
    let topic = topics[0]["topic"].to_string();
    let topic = json(&program, &["news", "topic", &topic]);
    assert_eq!(topic["articles"][0]["outlet"], "gazette.example", "{topic}");
    assert_eq!(topic["events"][0]["kind"], "created");

    assert_eq!(json(&program, &["news", "route", "--explain"])[0]["action"], "scored");
    let turn = json(&program, &["news", "consolidate"]);
    // No one has rated the outlet that speaks now, so the category is kept.
    let routed = &turn["routed"][0];
    assert_eq!((&routed["action"], &routed["mean"]), (&"scored".into(), &Value::Null), "{turn}");
    let review = json(&program, &["news", "review"]);
    assert!(!review["outlets"].as_array().unwrap().is_empty(), "{review}");
    let (code, text) = run(&program, &["news", "route", "--explain"]);
    assert!(code == 0 && text.contains("is not rated, so it is kept"), "{text}");
}

#[test]
fn a_briefing_cites_what_it_says_and_leads_with_the_newest_figure() {
    let program = filled();
    let (code, text) = run(&program, &["news", "brief", "--since", "48h"]);
    assert_eq!(code, 0);
    for part in [
        "# News briefing of 2026-11-15",
        "## Main Findings",
        "## Conflicting Information",
        "## Sources",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(text.contains("https://www.reuters.com/world/ferry"), "{text}");
    assert!(!text.contains("[unverified]"), "{text}");
    let findings = text.split("## Main Findings").nth(1).unwrap();
    let newest = findings.find("45 people are missing").unwrap();
    let superseded = findings.find("### Superseded since 2026-11-14T09:00:00Z").unwrap();
    let older = findings.find("30 people are missing").unwrap();
    assert!(newest < superseded && superseded < older, "{findings}");
    let report = json(&program, &["news", "brief", "--since", "48h"]);
    // It says what is true of a briefing, and borrows nothing from research.
    for part in [
        "- **Subject:** News of all categories",
        "- **Window:** 2026-11-13T08:00:00Z",
        "- **Basis:** ",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    for borrowed in
        ["search quer", "blocked", "/5", "Initial Question", "answer the question", "round"]
    {
        assert!(!text.contains(borrowed), "{borrowed} in {text}");
    }
    let briefing = &report["briefing"];
    assert!(briefing["told"].as_u64().unwrap() >= 1, "{briefing}");
    assert_eq!(report["queries"].as_array().unwrap().len(), 0);
    let file = program.home.path().join("brief.json");
    let saved = ["news", "brief", "--since", "48h", "-o", file.to_str().unwrap()];
    assert_eq!(run(&program, &saved).0, 0);
    assert!(text.contains("Norvia for $3.1 billion") && !text.contains("- WSJ"), "{text}");
    assert_eq!(
        program.run(&["render", file.to_str().unwrap()]).ok(),
        text,
        "the same from its JSON"
    );
    let (code, _) = run(&program, &["news", "brief", "--since", "1h"]);
    assert_eq!(code, 3, "nothing is new since then");
}

#[test]
fn mistakes_are_said_with_the_way_out() {
    let program = Program::new();
    program.run(&["news", "categories", "show", "x"]).fails(2, "there is no category `x`");
    program.run(&["news", "categories", "add", "a\u{7}b", "x"]).fails(2, "is no name");
    program.run(&["news", "topic", "7"]).fails(2, "there is no topic 7");
    program.run(&["news", "code", "7", "x", "--by", "Ada"]).fails(2, "there is no article 7");
}
