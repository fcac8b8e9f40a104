//! `probity cite-check`: does a source say what a claim says?

use std::io::{BufReader, Read as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use probity_core::printable;
use probity_report::check::{Check, SOURCE_BYTES, Support, check_claim};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::failure::usage;
use crate::output;
use crate::pairs::{self, open};

/// How much of a passage is shown on a terminal, in characters.
const PASSAGE_CHARS: usize = 400;

/// What may be typed after `probity cite-check`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The claim.
    #[arg(long, short, value_name = "TEXT", required_unless_present = "pairs")]
    claim: Option<String>,
    /// A file with the text of the source; `-` is stdin.
    #[arg(long, value_name = "FILE", required_unless_present = "pairs")]
    source: Option<PathBuf>,
    /// Check JSON lines {id, claim, source} from a file (`-` is stdin), where the source is the text
    /// itself, and write a line {id, support, value, passage} for each, or {id, line, error} for one
    /// that cannot be checked.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["claim", "source"])]
    pairs: Option<PathBuf>,
}

/// A line of `--pairs`.
#[derive(Deserialize)]
struct Pair {
    claim: String,
    source: String,
}

/// What is written for it.
#[derive(Serialize)]
struct Checked {
    support: Support,
    value: f64,
    passage: Option<String>,
}

/// Runs `probity cite-check`.
pub(crate) fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    if let Some(path) = &args.pairs {
        return pairs::judge_lines(BufReader::new(open(path)?), output::stdout(), |pair: Pair| {
            let check = check_claim(&pair.claim, &pair.source);
            Checked {
                support: check.support,
                value: check.value,
                passage: check.passage.map(|passage| passage.text),
            }
        });
    }
    let (Some(claim), Some(path)) = (args.claim, &args.source) else {
        return Err(usage("name a claim and a source: --claim and --source"));
    };
    let check = check_claim(&claim, &read(path)?);
    let mut out = output::stdout();
    if app.json {
        serde_json::to_writer(&mut out, &check)?;
        writeln!(out)?;
    } else {
        show(&mut out, &check)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn show(out: &mut impl Write, check: &Check) -> anyhow::Result<()> {
    let word = match check.support {
        Support::Supported => "supported",
        Support::Partly => "partly",
        Support::Unsupported => "unsupported",
    };
    writeln!(out, "{word}  value {:.2}", check.value)?;
    for reason in &check.reasons {
        writeln!(out, "  - {}", printable::line(reason))?;
    }
    if let Some(passage) = &check.passage {
        writeln!(
            out,
            "  passage ({}–{}): {}",
            passage.start,
            passage.end,
            printable::brief(&passage.text, PASSAGE_CHARS)
        )?;
    }
    Ok(())
}

/// Reads as much of a file as is checked.
fn read(path: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let read = open(path)?.take(SOURCE_BYTES as u64).read_to_end(&mut bytes);
    read.with_context(|| format!("cannot read {}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
