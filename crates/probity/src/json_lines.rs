//! JSON lines in, JSON lines out: judged on all cores, in their order, in constant memory.

use std::io::{BufRead, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::thread;

use anyhow::Context as _;
use probity_core::limits;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::failure::{WithHint as _, cannot_read};

/// How many lines are held at once.
const BATCH: usize = 256;

/// A line that is read: whatever is judged, and what the line calls itself.
#[derive(Deserialize)]
struct Line<P> {
    #[serde(default)]
    id: Value,
    #[serde(flatten)]
    pair: P,
}

/// A line that is written.
#[derive(Serialize)]
struct Judged<R> {
    id: Value,
    #[serde(flatten)]
    result: R,
}

/// What is written for a line that cannot be judged, so that lines out match lines in.
#[derive(Serialize)]
struct Unjudged {
    id: Value,
    line: u64,
    error: String,
}

/// Opens a file; `-` is stdin.
pub(crate) fn open(path: &Path) -> anyhow::Result<Box<dyn Read>> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    let file = std::fs::File::open(path)
        .map_err(|error| cannot_read(path, error))
        .hint("name a file that exists, or - for stdin")?;
    Ok(Box::new(file))
}

/// Judges line by line. A bad line becomes an error line and the exit code 1.
pub(crate) fn judge_lines<P, R>(
    mut input: impl BufRead,
    mut out: impl Write,
    judge: impl Fn(P) -> R + Sync,
) -> anyhow::Result<ExitCode>
where
    P: DeserializeOwned,
    R: Serialize,
{
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
        for judged in judge_batch(&batch, &judge)? {
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
pub(crate) fn read_line(input: &mut impl BufRead) -> anyhow::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let limit = limits::JSON_LINE_BYTES as u64 + 1;
    let read =
        input.by_ref().take(limit).read_until(b'\n', &mut line).context("cannot read the lines")?;
    if read as u64 == limit && line.last() != Some(&b'\n') {
        input.skip_until(b'\n').context("cannot read the lines")?;
    }
    Ok((read > 0).then_some(line))
}

type Written = Result<Vec<u8>, Vec<u8>>;

/// Judges some lines on all cores, in their order.
fn judge_batch<P, R>(
    batch: &[(u64, Vec<u8>)],
    judge: &(impl Fn(P) -> R + Sync),
) -> anyhow::Result<Vec<Written>>
where
    P: DeserializeOwned,
    R: Serialize,
{
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let share = batch.len().div_ceil(workers).max(1);
    thread::scope(|scope| {
        let each = |part: &[(u64, Vec<u8>)]| {
            part.iter().map(|(number, line)| judge_line(*number, line, judge)).collect::<Vec<_>>()
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

fn judge_line<P, R>(
    number: u64,
    line: &[u8],
    judge: &impl Fn(P) -> R,
) -> Result<Written, serde_json::Error>
where
    P: DeserializeOwned,
    R: Serialize,
{
    let refuse = |id: Value, error: String| {
        serde_json::to_vec(&Unjudged { id, line: number, error }).map(Err)
    };
    if line.len() > limits::JSON_LINE_BYTES {
        return refuse(
            Value::Null,
            format!("the line is longer than {} bytes", limits::JSON_LINE_BYTES),
        );
    }
    match serde_json::from_slice::<Line<P>>(line) {
        Ok(Line { id, pair }) => serde_json::to_vec(&Judged { id, result: judge(pair) }).map(Ok),
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
    use serde_json::json;

    use super::*;

    #[derive(Deserialize)]
    struct Sum {
        a: u64,
        b: u64,
    }

    fn sums(input: &str) -> (Vec<Value>, ExitCode) {
        let mut out = Vec::new();
        let code =
            judge_lines(input.as_bytes(), &mut out, |sum: Sum| json!({ "sum": sum.a + sum.b }))
                .unwrap();
        let text = String::from_utf8(out).unwrap();
        (text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), code)
    }

    #[test]
    fn lines_come_out_in_the_order_they_went_in() {
        let input: String =
            (0..1_000).map(|id| format!("{{\"id\":{id},\"a\":{id},\"b\":1}}\n")).collect();
        let (lines, code) = sums(&input);
        assert_eq!(code, ExitCode::SUCCESS);
        assert_eq!(lines.len(), 1_000);
        for (id, line) in (0_u64..).zip(&lines) {
            assert_eq!(*line, json!({ "id": id, "sum": id + 1 }));
        }
    }

    #[test]
    fn a_bad_line_is_named_and_the_others_are_judged() {
        let (lines, code) =
            sums("not json\n\n{\"id\":\"a\",\"a\":1}\n{\"id\":\"b\",\"a\":1,\"b\":2}");
        assert_eq!(code, ExitCode::FAILURE);
        assert_eq!(lines.len(), 3);
        assert_eq!((&lines[0]["line"], &lines[1]["line"]), (&json!(1), &json!(3)));
        assert_eq!((&lines[1]["id"], &lines[2]), (&json!("a"), &json!({ "id": "b", "sum": 3 })));
    }

    #[test]
    fn a_line_that_is_too_long_is_refused_and_the_next_is_read() {
        let long = format!(
            "{{\"id\":1,\"a\":1,\"b\":1,\"c\":\"{}\"}}\n{{\"id\":2,\"a\":1,\"b\":1}}\n",
            "x".repeat(limits::JSON_LINE_BYTES)
        );
        let (lines, code) = sums(&long);
        assert_eq!(code, ExitCode::FAILURE);
        assert!(lines[0]["error"].as_str().unwrap().contains("longer than"));
        assert_eq!(lines[1]["sum"], 2);
    }
}
