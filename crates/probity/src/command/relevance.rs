//! `probity relevance`: does a text answer a question?

mod pairs;

use std::io::{BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use probity_core::printable;
use probity_reader::Stop;
use probity_research::analyst::embedded::gate::judge_text;
use probity_research::analyst::embedded::read::CachedReader;

use crate::app::App;
use crate::failure::usage;
use crate::json_lines::open;
use crate::output;

/// The longest text that is judged, in bytes.
const TEXT_BYTES: usize = 4_000_000;

/// What may be typed after `probity relevance`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The question.
    #[arg(long, short, value_name = "TEXT", required_unless_present = "pairs")]
    question: Option<String>,
    /// The text to judge.
    #[arg(long, value_name = "TEXT", required_unless_present_any = ["file", "pairs"], conflicts_with = "file")]
    text: Option<String>,
    /// A file with the text to judge; `-` is stdin.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// The title of the text.
    #[arg(long, value_name = "TEXT", default_value = "")]
    title: String,
    /// Judge JSON lines {id, question, text, title} from a file (`-` is stdin) and write a line
    /// {id, score, value, why} for each, or {id, line, error} for one that cannot be judged.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["question", "text", "file", "title"])]
    pairs: Option<PathBuf>,
}

/// Runs `probity relevance`.
pub(crate) fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    if let Some(path) = &args.pairs {
        let reading = CachedReader::new(app.reader()?);
        return pairs::judge_lines(BufReader::new(open(path)?), output::stdout(), &reading);
    }
    let question = args.question.unwrap_or_default();
    let text = match (args.text, &args.file) {
        (Some(text), _) => text,
        (None, Some(path)) => read(path)?,
        (None, None) => return Err(usage("name a text: --text or --file")),
    };
    let reading = CachedReader::new(app.reader()?);
    let judged = judge_text(&question, &args.title, &text, &reading, &Stop::never())?;
    let mut out = output::stdout();
    if app.json {
        serde_json::to_writer(&mut out, &judged)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{}/5  {}", judged.score, printable::line(&judged.why))?;
        let (answerable, topic) = (judged.answerable, judged.topic);
        writeln!(
            out,
            "     value {:.3}, answers {answerable:.2}, on topic {topic:.2}",
            judged.value
        )?;
        if let Some(passage) = judged.evidence.and_then(|range| text.get(range)) {
            writeln!(out, "     nearest passage: {}", printable::brief(passage, 300))?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Reads as much of a file as is judged.
fn read(path: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    open(path)?
        .take(TEXT_BYTES as u64)
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read {}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
