//! Pairs of a question and a text in, judgements out: on all cores, in order, in constant memory.

use std::io::{BufRead, Read as _, Write};
use std::process::ExitCode;
use std::thread;

use anyhow::Context as _;
use probity_core::limits;
use probity_text::relevance::judge;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How many lines are held at once.
const BATCH: usize = 256;

/// A line that is read.
#[derive(Deserialize)]
struct Pair {
    #[serde(default)]
    id: Value,
    question: String,
    text: String,
    #[serde(default)]
    title: Option<String>,
}

/// A line that is written.
#[derive(Serialize)]
struct Judged {
    id: Value,
    score: u8,
    value: f64,
    why: String,
}

/// What is written for a line that cannot be judged, so that lines out match lines in.
#[derive(Serialize)]
struct Unjudged {
    id: Value,
    line: u64,
    error: String,
}

/// Judges line by line. A bad line becomes an error line and the exit code 1.
pub(super) fn judge_lines(
    mut input: impl BufRead,
    mut out: impl Write,
) -> anyhow::Result<ExitCode> {
    let (mut number, mut bad) = (0, 0);
    loop {
        let mut batch = Vec::with_capacity(BATCH);
        while batch.len() < BATCH {
            let Some(line) = read_line(&mut input)? else { break };
            number += 1;
            if !line.trim_ascii().is_empty() {
                batch.push((number, line));
            }
        }
        if batch.is_empty() {
            break;
        }
        for judged in judge_batch(&batch)? {
            bad += u64::from(judged.is_err());
            let (Ok(line) | Err(line)) = judged;
            out.write_all(&line)?;
            out.write_all(b"\n")?;
        }
        out.flush()?;
    }
    Ok(if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The next line without its end, or none at the end. Of a line that is too long one byte more than
/// the limit is kept, and the rest is skipped.
fn read_line(input: &mut impl BufRead) -> anyhow::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let limit = limits::JSON_LINE_BYTES as u64 + 1;
    let read =
        input.by_ref().take(limit).read_until(b'\n', &mut line).context("cannot read the pairs")?;
    if read as u64 == limit && line.last() != Some(&b'\n') {
        input.skip_until(b'\n').context("cannot read the pairs")?;
    }
    Ok((read > 0).then_some(line))
}

type Written = Result<Vec<u8>, Vec<u8>>;

/// Judges some lines on all cores, in their order.
fn judge_batch(batch: &[(u64, Vec<u8>)]) -> anyhow::Result<Vec<Written>> {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let share = batch.len().div_ceil(workers).max(1);
    thread::scope(|scope| {
        let each = |part: &[(u64, Vec<u8>)]| {
            part.iter().map(|(number, line)| judge_line(*number, line)).collect::<Vec<_>>()
        };
        let running: Vec<_> =
            batch.chunks(share).map(|part| scope.spawn(move || each(part))).collect();
        let mut judged = Vec::with_capacity(batch.len());
        for worker in running {
            let part =
                worker.join().map_err(|_| anyhow::anyhow!("a worker that judged pairs stopped"))?;
            judged.extend(part.into_iter().collect::<Result<Vec<_>, _>>()?);
        }
        Ok(judged)
    })
}

fn judge_line(number: u64, line: &[u8]) -> Result<Written, serde_json::Error> {
    let refuse = |id: Value, error: String| {
        serde_json::to_vec(&Unjudged { id, line: number, error }).map(Err)
    };
    if line.len() > limits::JSON_LINE_BYTES {
        return refuse(
            Value::Null,
            format!("the line is longer than {} bytes", limits::JSON_LINE_BYTES),
        );
    }
    match serde_json::from_slice::<Pair>(line) {
        Ok(pair) => {
            let judged =
                judge(&pair.question, pair.title.as_deref().unwrap_or_default(), &pair.text);
            serde_json::to_vec(&Judged {
                id: pair.id,
                score: judged.score,
                value: judged.value,
                why: judged.why,
            })
            .map(Ok)
        }
        Err(error) => {
            let id = serde_json::from_slice::<Value>(line)
                .ok()
                .and_then(|value| value.get("id").cloned());
            refuse(id.unwrap_or_default(), error.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &str) -> Vec<Value> {
        let mut out = Vec::new();
        judge_lines(input.as_bytes(), &mut out).unwrap();
        String::from_utf8(out)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    #[test]
    fn lines_come_out_in_the_order_they_went_in() {
        let input: String = (0..600)
            .map(|id| format!("{{\"id\":{id},\"question\":\"When does the pool open?\",\"text\":\"The pool opens in May.\"}}\n"))
            .collect();
        let ids: Vec<u64> = lines(&input).iter().filter_map(|line| line["id"].as_u64()).collect();
        assert_eq!(ids, (0..600).collect::<Vec<_>>());
    }

    #[test]
    fn a_bad_line_is_named_and_the_others_are_judged() {
        let out = lines(
            "not json\n\n{\"id\":\"a\",\"question\":\"q\"}\n{\"id\":\"b\",\"question\":\"Why?\",\"text\":\"So.\"}\n",
        );
        assert_eq!(out.len(), 3);
        assert_eq!((out[0]["line"].as_u64(), out[1]["line"].as_u64()), (Some(1), Some(3)));
        assert_eq!((out[1]["id"].as_str(), out[2]["score"].as_u64()), (Some("a"), Some(1)));
    }
}
