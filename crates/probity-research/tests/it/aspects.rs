//! The gate on passages that answer, and on passages that only share the question's words.

use probity_reader::{Stop, TextReader};
use probity_research::analyst::embedded::gate::judge_text;
use probity_research::analyst::embedded::read::CachedReader;
use serde_json::Value;

#[test]
fn answers_are_kept_and_nearly_all_that_share_only_words_are_dropped() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("../data/aspect_dev.json")).unwrap();
    let reading = CachedReader::new(TextReader::Embedded);
    let (mut lost, mut strays) = (Vec::new(), Vec::new());
    for case in &cases {
        let question = case["question"].as_str().unwrap();
        for passage in case["passages"].as_array().unwrap() {
            let text = passage["text"].as_str().unwrap();
            let judged = judge_text(question, "", text, &reading, &Stop::never()).unwrap();
            match (passage["label"].as_str().unwrap(), judged.score >= 3) {
                ("answers", false) => lost.push(text),
                ("drop", true) => strays.push(text),
                _ => {}
            }
        }
    }
    assert!(lost.is_empty() && strays.len() <= 1, "lost {lost:#?}, strays {strays:#?}");
}
