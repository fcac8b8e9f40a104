//! `probity outlets code --stdin`: one coding a line, each acknowledged once it is kept.

use std::io::{BufRead as _, Read as _, Write as _};
use std::process::ExitCode;

use anyhow::Context as _;
use probity_core::limits;
use probity_store::Store;
use probity_store::ledger::{Intent, LedgerError};
use serde::{Deserialize, Serialize};

use super::change::{self, ChangeView, Research};
use super::code::{Asked, read};
use crate::app::App;
use crate::failure::WithHint as _;
use crate::output;

/// What holds for every line that does not say otherwise.
pub(crate) struct Defaults {
    pub(crate) by: Option<String>,
    pub(crate) alpha: Option<f64>,
    pub(crate) new: bool,
    pub(crate) intent: Intent,
}

/// A line of stdin.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    target: String,
    codes: Vec<String>,
    by: Option<String>,
    note: Option<String>,
    alpha: Option<f64>,
    run: Option<String>,
}

/// What is written for a line that was refused, so that lines out match lines in.
#[derive(Serialize)]
struct Refused {
    line: u64,
    error: String,
}

/// Reads to the end. A line that is refused does not stop the others; a store that fails does.
pub(crate) async fn run(defaults: &Defaults, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let mut input = std::io::stdin().lock();
    let (mut buffer, mut number, mut refused) = (Vec::new(), 0u64, 0u64);
    loop {
        buffer.clear();
        let limit = limits::JSON_LINE_BYTES as u64 + 1;
        let taken = input.by_ref().take(limit).read_until(b'\n', &mut buffer);
        if taken.context("cannot read stdin")? == 0 {
            break;
        }
        number += 1;
        let coded = if buffer.last() != Some(&b'\n') && buffer.len() as u64 >= limit {
            input.skip_until(b'\n').context("cannot read stdin")?;
            Err(format!("the line is longer than {} bytes", limits::JSON_LINE_BYTES))
        } else if buffer.trim_ascii().is_empty() {
            continue;
        } else {
            code_line(&buffer, defaults, &store, app).await?
        };
        let answer = match coded {
            Ok(answer) => answer,
            Err(error) => {
                refused += 1;
                serde_json::to_string(&Refused { line: number, error })?
            }
        };
        // Written at once: the line is the promise that the coding is kept.
        let mut out = output::stdout();
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    if refused > 0 {
        return Err(anyhow::anyhow!("{refused} of {number} lines were refused"))
            .hint("each has an `error` field in the output that says why");
    }
    Ok(ExitCode::SUCCESS)
}

/// Makes one coding; the inner error is the line's own fault.
async fn code_line(
    line: &[u8],
    defaults: &Defaults,
    store: &Store,
    app: &App,
) -> anyhow::Result<Result<String, String>> {
    let line: Line = match serde_json::from_slice(line) {
        Ok(line) => line,
        Err(error) => return Ok(Err(format!("not a coding: {error}"))),
    };
    let Some(by) = line.by.as_deref().or(defaults.by.as_deref()) else {
        return Ok(Err("`by` is missing: say who codes, here or with --by".to_owned()));
    };
    let asked = Asked {
        target: &line.target,
        outlet: None,
        codes: &line.codes,
        by,
        note: line.note.as_deref(),
        alpha: line.alpha.or(defaults.alpha),
        run: line.run.as_deref(),
        new: defaults.new,
    };
    let (request, newcomer) = match read(&asked, app) {
        Ok(read) => read,
        Err(error) => return Ok(Err(error.root_cause().to_string())),
    };
    match store.code(request, newcomer, defaults.intent).await {
        Ok(event) => {
            let research = Research::after(&event, app).await?;
            let view = ChangeView::new(&event, defaults.intent, Some(research));
            Ok(Ok(serde_json::to_string(&view)?))
        }
        Err(error @ (LedgerError::Store(_) | LedgerError::Tampered(_))) => {
            Err(change::explain(error))
        }
        Err(error) => Ok(Err(error.to_string())),
    }
}
