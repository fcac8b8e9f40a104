//! JSON lines in, scored lines out: a million of them in constant memory.

use std::borrow::Cow;
use std::fmt;
use std::io::{BufRead, Read as _, Write};
use std::process::ExitCode;

use anyhow::Context as _;
use jiff::civil::Date;
use probity_core::{WebUrl, limits};
use probity_credibility::score::QuestionScorer;
use probity_credibility::{Discovery, Scored};
use serde::de::{Deserialize, Deserializer, Visitor};
use serde::{Deserialize as ReadFields, Serialize};

use crate::failure::WithHint as _;

/// A line that is read.
#[derive(ReadFields)]
struct Line<'a> {
    #[serde(borrow)]
    url: Text<'a>,
    #[serde(borrow, default)]
    title: Text<'a>,
    #[serde(borrow, default)]
    snippet: Text<'a>,
    #[serde(default)]
    date: Option<Date>,
}

/// A text that is borrowed from the line where nothing in it is escaped. `null` is an empty one.
#[derive(Default)]
struct Text<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reading;
        impl<'de> Visitor<'de> for Reading {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }

            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Text::default())
            }
        }
        deserializer.deserialize_any(Reading)
    }
}

/// What is written for a line that cannot be scored, so that lines out match lines in.
#[derive(Serialize)]
struct Unscored {
    line: u64,
    error: String,
}

/// Scores line by line. A bad line becomes an error line and the exit code 1.
pub(super) fn score_lines(
    scorer: &mut QuestionScorer<'_>,
    mut input: impl BufRead,
    mut out: impl Write,
) -> anyhow::Result<ExitCode> {
    let (mut line, mut written) = (Vec::new(), Vec::new());
    let (mut number, mut bad) = (0u64, 0u64);
    while read_line(&mut input, &mut line)? {
        number += 1;
        if line.trim_ascii().is_empty() {
            continue;
        }
        written.clear();
        if let Err(error) = score_line(scorer, &line, &mut written) {
            bad += 1;
            written.clear();
            serde_json::to_writer(&mut written, &Unscored { line: number, error })?;
        }
        written.push(b'\n');
        out.write_all(&written)?;
    }
    out.flush()?;
    if bad > 0 {
        return Err(anyhow::anyhow!("{bad} of {number} lines could not be scored"))
            .hint("each has an `error` field in the output that says why");
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads one line, and of a line that is too long one byte more than is accepted.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> anyhow::Result<bool> {
    line.clear();
    let limit = limits::JSON_LINE_BYTES as u64 + 1;
    let read = input.by_ref().take(limit).read_until(b'\n', line).context("cannot read stdin")?;
    if line.len() > limits::JSON_LINE_BYTES && line.last() != Some(&b'\n') {
        input.skip_until(b'\n').context("cannot read stdin")?;
    }
    Ok(read > 0)
}

/// Writes one scored line; an error is the line's own fault.
fn score_line(
    scorer: &mut QuestionScorer<'_>,
    line: &[u8],
    out: &mut Vec<u8>,
) -> Result<(), String> {
    if line.len() > limits::JSON_LINE_BYTES {
        return Err(format!("the line is longer than {} bytes", limits::JSON_LINE_BYTES));
    }
    // Without this, an array would do for an object.
    if !line.trim_ascii_start().starts_with(b"{") {
        return Err("not a JSON object with a url".to_owned());
    }
    let line: Line<'_> = serde_json::from_slice(line)
        .map_err(|error| format!("not a JSON object with a url: {error}"))?;
    let url = WebUrl::parse(&line.url.0).map_err(|error| error.to_string())?;
    let assessment = scorer.assess(Discovery {
        url: &url,
        title: &line.title.0,
        snippet: &line.snippet.0,
        published: line.date,
    });
    serde_json::to_writer(out, &Scored::new(&url, &assessment)).map_err(|error| error.to_string())
}
