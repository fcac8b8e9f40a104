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
fn a_page_is_no_feed() {
    let ran = Program::new().run_with(&["feeds", "parse", "-"], b"<html><body>Hello</body></html>");
    ran.fails(1, "no feed");
}
