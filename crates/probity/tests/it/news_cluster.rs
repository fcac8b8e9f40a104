//! `probity news cluster`: files of articles, as a stage tool.

use serde_json::Value;

use crate::program::{Program, tree};

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn each_article_gets_its_story_and_who_speaks_for_it() {
    let file = tree().join("examples/news/articles.jsonl");
    let out = Program::new().run(&["news", "cluster", file.to_str().unwrap(), "--json"]).ok();
    let found = lines(&out);
    let stories: Vec<&str> = found.iter().map(|line| line["cluster"].as_str().unwrap()).collect();
    assert_eq!(stories, ["a1", "a1", "a1", "a4", "a4", "a6"]);
    let speakers: Vec<&str> =
        found.iter().map(|line| line["representative"].as_str().unwrap()).collect();
    assert_eq!(speakers, ["a2", "a2", "a2", "a4", "a4", "a6"]);
    assert_eq!(found[1]["credibility"], 0.92);
    assert_eq!(
        (&found[2]["outlet"], &found[2]["credibility"]),
        (&"axios.com".into(), &0.78.into())
    );
    assert_eq!(found[3]["outlet"], Value::Null);
}

#[test]
fn a_nudge_changes_who_speaks_and_not_the_stories() {
    let program = Program::new();
    let file = tree().join("examples/news/articles.jsonl");
    let args = ["news", "cluster", file.to_str().unwrap(), "--json"];
    let before = lines(&program.run(&args).ok());
    program.run(&["outlets", "set", "reuters.com", "0.2", "--by", "Ada"]).ok();
    let after = lines(&program.run(&args).ok());
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before["cluster"], after["cluster"]);
    }
    assert_eq!(after[1]["representative"], "a3");
}

#[test]
fn ids_come_back_as_they_were_and_bad_lines_are_named() {
    let input = b"{\"id\":7,\"title\":\"Ferry sinks off Lorne\"}\n{\"id\":\"x\"}\n";
    let ran = Program::new().run_with(&["news", "cluster", "-", "--json"], input);
    assert_eq!(ran.code(), 1);
    let found = lines(&ran.stdout());
    assert_eq!((&found[0]["id"], &found[0]["cluster"]), (&7.into(), &7.into()));
    assert_eq!((&found[1]["id"], &found[1]["line"]), (&"x".into(), &2.into()));
    assert!(found[1]["error"].as_str().unwrap().contains("title"));
}

#[test]
fn thresholds_out_of_range_are_refused() {
    let run = Program::new().run_with(&["news", "cluster", "-", "--threshold", "2"], b"");
    run.fails(2, "--threshold");
}
