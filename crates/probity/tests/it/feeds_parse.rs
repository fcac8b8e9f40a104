//! `probity feeds parse`: whose items a feed holds, and what they are worth.

use crate::program::{Program, tree};

#[test]
fn a_reuters_story_in_google_news_is_worth_what_reuters_is() {
    let file = tree().join("examples/news/google-news.xml");
    let feed = Program::new().run(&["feeds", "parse", file.to_str().unwrap(), "--json"]).json();
    assert_eq!((&feed["agg"], &feed["format"]), (&true.into(), &"rss".into()));
    let items = feed["items"].as_array().unwrap();
    assert_eq!(items[0]["outlet"], "reuters.com");
    assert_eq!(items[0]["credibility"], 0.92);
    assert_eq!(items[0]["published"], "2026-11-14T08:00:00Z");
    assert_eq!(items[0]["guid"], "CBMiBkFVX3lxTA");
    assert_eq!(items[1]["url"], "https://www.axios.com/2026/01/02/x");
}

#[test]
fn an_entity_bomb_is_refused() {
    let bomb = b"<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><rss><channel>&b;</channel></rss>";
    let ran = Program::new().run_with(&["feeds", "parse", "-"], bomb);
    ran.fails(1, "entities");
}

#[test]
fn a_feed_that_breaks_off_says_so_wherever_it_is_read() {
    let program = Program::new();
    let nothing = b"<rss><channel><item><title>x";
    let ran = program.run_with(&["feeds", "parse", "-"], nothing);
    ran.fails(1, "breaks off within an item");
    let ran = program.run_with(&["feeds", "parse", "-", "--json"], nothing);
    assert_eq!(ran.code(), 1);
    let parsed: serde_json::Value = serde_json::from_str(&ran.stdout()).unwrap();
    assert!(parsed["problem"].as_str().unwrap().contains("breaks off"), "{parsed}");
    let add = ["feeds", "add", "https://a.example/feed", "--from", "-"];
    program.run_with(&add, nothing).fails(1, "breaks off");
    assert_eq!(program.run(&["feeds", "list", "--json"]).json().as_array().unwrap().len(), 0);

    let half = b"<rss><channel><title>Half</title><item><title>One</title>\
        <link>https://a.example/1</link></item><item><title>Tw";
    let ran = program.run_with(&["feeds", "parse", "-"], half);
    assert!(ran.ok().contains("One"), "{}", ran.stdout());
    assert!(ran.stderr().contains("after 1 whole item"), "{}", ran.stderr());
    let ran = program.run_with(&add, half);
    assert!(ran.ok().contains("Half"), "{}", ran.stdout());
    assert!(ran.stderr().contains("Not everything was read"), "{}", ran.stderr());
    let whole = b"<rss><channel><title>Empty</title></channel></rss>";
    assert_eq!(program.run_with(&["feeds", "parse", "-"], whole).stderr(), "");
}

#[test]
fn a_page_is_no_feed() {
    let ran = Program::new().run_with(&["feeds", "parse", "-"], b"<html><body>Hello</body></html>");
    ran.fails(1, "not a feed");
}
