//! `probity cite-check`: does a source say what a claim says?

use std::io::{BufReader, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use probity_core::printable;
use probity_reader::{Stop, TextReader};
use probity_report::check::{Check, Readings, SourceIndex, Support, check_claim, disown};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::failure::usage;
use crate::input_document;
use crate::json_lines::{self, open};
use crate::output;

/// How much of a passage is shown on a terminal, in characters.
const PASSAGE_CHARS: usize = 400;

/// What may be typed after `probity cite-check`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The claim.
    #[arg(long, short, value_name = "TEXT", required_unless_present = "pairs")]
    claim: Option<String>,
    /// The source: a file of text, or another kind that `probity extract` reads; `-` is stdin.
    #[arg(long, value_name = "FILE", required_unless_present = "pairs")]
    source: Option<PathBuf>,
    /// Check JSON lines {id, claim, source} from a file (`-` is stdin), where the source is the text
    /// itself, and write a line {id, support, value, contradicted, passage} for each, or {id, line, error} for one
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
    contradicted: bool,
    passage: Option<String>,
}

/// What is written for one claim with `--json`.
#[derive(Serialize)]
struct Report<'a> {
    support: Support,
    value: f64,
    contradicted: bool,
    passage: Option<Place<'a>>,
    reasons: &'a [String],
    /// Who read: the name of the weights, or `words` where there is no trained reader.
    reader: &'a str,
}

/// A passage, by the characters of the source's text.
#[derive(Serialize)]
struct Place<'a> {
    start: usize,
    end: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<usize>,
    text: &'a str,
}

/// Runs `probity cite-check`.
pub(crate) async fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    let reader = app.reader()?;
    if let Some(path) = &args.pairs {
        return json_lines::judge_lines(
            BufReader::new(open(path)?),
            output::stdout(),
            |pair: Pair| {
                let check = check_claim(&pair.claim, &pair.source, &reader, &Stop::never());
                check.ok().map(|check| Checked {
                    support: check.support,
                    value: check.value,
                    contradicted: check.opposed,
                    passage: check.passage.map(|passage| passage.text),
                })
            },
        );
    }
    let (Some(claim), Some(path)) = (args.claim, &args.source) else {
        return Err(usage("name a claim and a source: --claim and --source"));
    };
    let mut source = input_document::read_source(path).await?;
    let readings = Readings::of(disown::wanted(&source), &reader, &Stop::never())?;
    disown::disown(&mut source, &readings);
    let index = SourceIndex::paged(source.text.as_str(), &source.page_starts);
    let check = index.check(&claim, &reader, &Stop::never())?;
    let report = Report {
        support: check.support,
        value: check.value,
        contradicted: check.opposed,
        passage: place(&source.text, &check),
        reasons: &check.reasons,
        reader: reader.name(),
    };
    let mut out = output::stdout();
    if app.json {
        serde_json::to_writer(&mut out, &report)?;
        writeln!(out)?;
    } else {
        show(&mut out, &report)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Counts a passage's place in characters, as people and most languages do.
fn place<'a>(text: &str, check: &'a Check) -> Option<Place<'a>> {
    let passage = check.passage.as_ref()?;
    let start = text.get(..passage.start)?.chars().count();
    Some(Place {
        start,
        end: start + passage.text.chars().count(),
        page: passage.page,
        text: &passage.text,
    })
}

fn show(out: &mut impl Write, report: &Report<'_>) -> anyhow::Result<()> {
    let word = match report.support {
        Support::Supported => "supported",
        Support::Partly => "partly",
        Support::Unsupported => "unsupported",
    };
    writeln!(out, "{word}  value {:.2}", report.value)?;
    for reason in report.reasons {
        writeln!(out, "  - {}", printable::line(reason))?;
    }
    if report.reader == TextReader::LEXICAL {
        writeln!(
            out,
            "  - there is no trained reader; words, numbers, names and quotations were compared"
        )?;
    }
    if let Some(passage) = &report.passage {
        let page = passage.page.map_or_else(String::new, |page| format!(", page {page}"));
        writeln!(
            out,
            "  passage ({}–{}{page}): {}",
            passage.start,
            passage.end,
            printable::brief(passage.text, PASSAGE_CHARS)
        )?;
    }
    Ok(())
}
