//! Pairs of a question and a text in, judgements out.

use std::io::{BufRead, Write};
use std::process::ExitCode;

use probity_reader::Stop;
use probity_research::analyst::embedded::gate::judge_text;
use probity_research::analyst::embedded::read::CachedReader;
use serde::{Deserialize, Serialize};

use crate::json_lines;

/// What a line asks.
#[derive(Deserialize)]
struct Pair {
    question: String,
    text: String,
    #[serde(default)]
    title: Option<String>,
}

/// What is answered.
#[derive(Serialize)]
struct Judged {
    score: u8,
    value: f64,
    why: String,
    answerable: f64,
    topic: f64,
}

/// Judges line by line. A bad line becomes an error line and the exit code 1.
pub(super) fn judge_lines(
    input: impl BufRead,
    out: impl Write,
    reading: &CachedReader,
) -> anyhow::Result<ExitCode> {
    json_lines::judge_lines(input, out, |pair: Pair| {
        let title = pair.title.as_deref().unwrap_or_default();
        let judged = judge_text(&pair.question, title, &pair.text, reading, &Stop::never());
        // This is never stopped.
        let judged = judged.unwrap_or_default();
        let (score, value, why) = (judged.score, judged.value, judged.why);
        Judged { score, value, why, answerable: judged.answerable, topic: judged.topic }
    })
}

#[cfg(test)]
mod tests {
    use probity_reader::TextReader;
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_line_is_judged_and_one_without_a_text_is_refused() {
        let input = "{\"id\":\"a\",\"question\":\"q\"}\n{\"id\":\"b\",\"question\":\"Why?\",\"text\":\"So.\"}\n";
        let mut out = Vec::new();
        judge_lines(input.as_bytes(), &mut out, &CachedReader::new(TextReader::Lexical)).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((lines[0]["id"].as_str(), lines[0]["line"].as_u64()), (Some("a"), Some(1)));
        assert_eq!((lines[1]["id"].as_str(), lines[1]["score"].as_u64()), (Some("b"), Some(1)));
    }
}
