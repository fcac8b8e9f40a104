//! `probity outlets resolve`: addresses, feed items and saved pages.

use serde_json::{Value, json};

use crate::program::Program;

const OPAQUE: &str = "https://news.google.com/rss/articles/CBMiBkFVX3lxTA?oc=5";

fn with_file(text: &str, args: &[&str]) -> Value {
    let program = Program::new();
    let file = program.home.path().join("item");
    std::fs::write(&file, text).unwrap();
    let mut all = vec!["outlets", "resolve", "--json", "--feed-item", file.to_str().unwrap()];
    all.extend(args);
    program.run(&all).json()
}

#[test]
fn an_address_is_resolved_with_the_documented_fields() {
    let program = Program::new();
    let click = "https://www.google.com/url?q=https%3A%2F%2Fwww.nature.com%2Fx&sa=U";
    let found = program.run(&["outlets", "resolve", click, "--json"]).json();
    assert_eq!(
        found,
        json!({
            "publisher_url": "https://www.nature.com/x",
            "outlet": "nature.com",
            "method": "offline",
            "resolved": true,
            "hops": 1,
            "reason": "the address holds the publisher's",
        })
    );
    let text = program.run(&["outlets", "resolve", click]).ok();
    assert!(text.contains("outlet  nature.com") && text.contains("offline, 1 hop"), "{text}");
}

#[test]
fn an_address_without_an_outlet_is_an_answer() {
    let program = Program::new();
    let found = program.run(&["outlets", "resolve", "https://t.co/AbC", "--json"]).json();
    assert_eq!(found["publisher_url"], Value::Null);
    assert_eq!(found["outlet"], Value::Null);
    assert_eq!((&found["method"], &found["resolved"]), (&json!("network"), &json!(false)));
    let text = program.run(&["outlets", "resolve", "https://t.co/AbC"]).ok();
    assert!(text.contains("none (unresolved)"), "{text}");
}

#[test]
fn a_feed_item_is_read_from_a_file_or_stdin() {
    let item = format!(
        r#"<item><link>{OPAQUE}</link><source url="https://www.reuters.com">R</source></item>"#
    );
    let found = with_file(&item, &[]);
    assert_eq!((&found["outlet"], &found["method"]), (&json!("reuters.com"), &json!("feed-field")));
    let source = r#"<item><source url="https://www.reuters.com">R</source></item>"#;
    assert_eq!(with_file(source, &[OPAQUE])["outlet"], "reuters.com");
    assert_eq!(
        with_file(r#"{"external_url":"https://apnews.com/x"}"#, &[])["outlet"],
        "apnews.com"
    );
    let args = ["outlets", "resolve", "--json", "--feed-item", "-"];
    let found = Program::new().run_with(&args, item.as_bytes()).json();
    assert_eq!(found["outlet"], "reuters.com");
}

#[test]
fn a_saved_page_is_read_too() {
    let shell = r#"<script>redirectToUrlAfterTimeout("https://www.theatlantic.com/x", 0)</script>"#;
    let found = with_file(shell, &["https://apple.news/AO2hZXoB8QpCgyvUs7uIaKw"]);
    assert_eq!(found["publisher_url"], "https://www.theatlantic.com/x");
    assert_eq!(found["method"], "page-field");
}

#[test]
fn configured_aliases_count() {
    let program = Program::new();
    let rules = "[credibility.outlets]\naliases = { \"kurier.example\" = \"gazette.example\" }\n";
    std::fs::write(program.config(), rules).unwrap();
    let found = program.run(&["outlets", "resolve", "https://kurier.example/x", "--json"]).json();
    assert_eq!(found["outlet"], "gazette.example");
    let chain = "[credibility.outlets]\naliases = { \"a.example\" = \"b.example\", \"b.example\" = \"c.example\" }\n";
    std::fs::write(program.config(), chain).unwrap();
    let ran = program.run(&["outlets", "resolve", "https://a.example/x"]);
    assert_ne!(ran.code(), 0);
    assert!(ran.stderr().contains("write `c.example` directly"), "{}", ran.stderr());
}

#[test]
fn what_cannot_be_read_is_refused_with_a_hint() {
    let program = Program::new();
    let long = format!("https://a.example/{}", "x".repeat(100_000));
    for (args, says) in [
        (vec!["outlets", "resolve", "reuters.com"], "not an absolute URL"),
        (vec!["outlets", "resolve", "javascript:alert(1)"], "not http or https"),
        (vec!["outlets", "resolve", "https://"], "no host"),
        (vec!["outlets", "resolve", long.as_str()], "bytes long"),
        (vec!["outlets", "resolve", "x\u{1b}[31m"], "not an absolute URL"),
        (vec!["outlets", "resolve"], "URL"),
    ] {
        let ran = program.run(&args);
        ran.fails(2, says);
        assert_eq!(ran.stdout(), "");
        assert!(!ran.stderr().contains("\u{1b}[31m"), "a control character reached the terminal");
    }
    program.run(&["outlets", "resolve", "--feed-item", "nowhere.xml"]).fails(2, "nowhere.xml");
    let bomb = r#"<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><item/>"#;
    let args = ["outlets", "resolve", "--feed-item", "-"];
    program.run_with(&args, bomb.as_bytes()).fails(2, "entities");
}
