//! `probity extract`: local files as Probity reads them, thousands at a time.
//!
//! ```text
//! files and folders → walk → read in parallel → one row each, in the order given
//! ```

mod row;
mod walk;

use std::io::{IsTerminal as _, Read as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style as Ansi};
use bytes::Bytes;
use futures::StreamExt as _;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use probity_core::limits::BODY_BYTES;
use probity_core::{WebUrl, printable};
use probity_web::extract::in_time::{EXTRACT_TIME, places};
use probity_web::extract::{ExtractError, Extracted, extract_in_time, named};

use self::row::Row;
use crate::app::App;
use crate::config::env;
use crate::failure::{EXIT_USAGE, WithHint as _, usage};
use crate::output;

/// What may be typed after `probity extract`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files to read (HTML, PDF, DOCX, Markdown, text), folders to walk, or `-` for stdin.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Where a single file came from: dates and relative links are read from it.
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Write one JSON object per file, one per line.
    #[arg(long, conflicts_with = "json")]
    jsonl: bool,
    /// How many files to read in parallel; by default one per core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: Option<u16>,
}

/// Why a file has no text.
#[derive(Debug, thiserror::Error)]
enum FileError {
    /// It could not be opened or read.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// Nothing could be made of its bytes.
    #[error(transparent)]
    Extract(#[from] ExtractError),
}

/// Runs `probity extract`.
pub(crate) async fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    let files = walk::files(&args.files);
    if files.is_empty() {
        return Err(usage("there are no files in the named folders"))
            .hint("hidden files are skipped; name them to read them");
    }
    let url = match &args.url {
        Some(url) if files.len() == 1 => Some(parse_url(url)?),
        Some(_) => {
            return Err(usage(format!("--url works with one file; {} were given", files.len())));
        }
        None => None,
    };
    let jobs = args.jobs.map_or_else(default_jobs, usize::from).min(places());
    let bar = (files.len() > 1).then(progress_bar).flatten();
    if let Some(bar) = &bar {
        bar.set_length(files.len() as u64);
    }
    let shape = Shape::new(&args, app, files.len());
    let mut writer = Writer { out: output::stdout(), shape, app, written: 0, empty: 0, failed: 0 };
    let mut rows = futures::stream::iter(files)
        .map(|file| {
            let url = url.clone();
            async move {
                let result = read(&file, url).await;
                (file, result)
            }
        })
        .buffered(jobs);
    writer.begin()?;
    while let Some((file, result)) = rows.next().await {
        writer.write(&file, result)?;
        if let Some(bar) = &bar {
            bar.inc(1);
        }
    }
    writer.end()?;
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    // Of many files some hold no text, which is an answer; of one it is a failure.
    let failed = writer.failed > 0 || writer.empty == writer.written;
    let absent = |file: &PathBuf| file != Path::new("-") && !file.exists();
    Ok(match failed {
        false => ExitCode::SUCCESS,
        true if args.files.iter().any(absent) => ExitCode::from(EXIT_USAGE),
        true => ExitCode::FAILURE,
    })
}

fn parse_url(text: &str) -> anyhow::Result<WebUrl> {
    WebUrl::parse(text)
        .map_err(|error| usage(format!("{}: {error}", printable::brief(text, 80))))
        .hint("give the whole address, for example https://www.reuters.com/world/")
}

fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(2, std::num::NonZero::get)
}

/// Reads one file, or stdin for `-`.
async fn read(file: &Path, url: Option<WebUrl>) -> Result<Extracted, FileError> {
    let path = file.to_owned();
    let bytes = tokio::task::spawn_blocking(move || read_bytes(&path))
        .await
        .map_err(std::io::Error::other)??;
    let kind = named(file).map(str::to_owned);
    Ok(extract_in_time(Bytes::from(bytes), kind, url, EXTRACT_TIME).await?)
}

/// Reads no more than is extracted, and one byte to tell that there is more.
fn read_bytes(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = BODY_BYTES.saturating_add(1);
    if file == Path::new("-") {
        std::io::stdin().lock().take(most).read_to_end(&mut bytes)?;
    } else {
        std::fs::File::open(file)?.take(most).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// How rows are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// One object a line.
    Lines,
    /// One indented object.
    Object,
    /// A list of objects.
    List,
    /// The text of one file alone.
    Text,
    /// The texts of several files, each below its name.
    Texts,
}

impl Shape {
    fn new(args: &Args, app: &App, files: usize) -> Shape {
        match (args.jsonl, app.json, files) {
            (true, _, _) => Shape::Lines,
            (_, true, 1) => Shape::Object,
            (_, true, _) => Shape::List,
            (_, _, 1) => Shape::Text,
            _ => Shape::Texts,
        }
    }
}

/// Writes rows in order and counts those without text.
struct Writer<'a, W: Write> {
    out: W,
    shape: Shape,
    app: &'a App,
    written: usize,
    empty: usize,
    failed: usize,
}

impl<W: Write> Writer<'_, W> {
    fn begin(&mut self) -> anyhow::Result<()> {
        if self.shape == Shape::List {
            write!(self.out, "[")?;
        }
        Ok(())
    }

    fn write(&mut self, file: &Path, result: Result<Extracted, FileError>) -> anyhow::Result<()> {
        let path = file.to_string_lossy();
        if let Err(error) = &result {
            let is_empty = matches!(error, FileError::Extract(ExtractError::Empty));
            let count = if is_empty { &mut self.empty } else { &mut self.failed };
            *count = count.saturating_add(1);
            let label = self.app.style.stderr(
                Ansi::new().bold().fg_color(Some(AnsiColor::Red.into())),
                &printable::line(&path),
            );
            let _ = writeln!(std::io::stderr(), "{label}: {}", printable::line(&error.to_string()));
        }
        let row = Row::new(&path, &result);
        match self.shape {
            Shape::Lines => {
                serde_json::to_writer(&mut self.out, &row).map_err(std::io::Error::from)?;
                writeln!(self.out)?;
            }
            Shape::Object => {
                serde_json::to_writer_pretty(&mut self.out, &row).map_err(std::io::Error::from)?;
                writeln!(self.out)?;
            }
            Shape::List => {
                writeln!(self.out, "{}", if self.written == 0 { "" } else { "," })?;
                serde_json::to_writer(&mut self.out, &row).map_err(std::io::Error::from)?;
            }
            Shape::Text => row.write_text(&mut self.out)?,
            Shape::Texts => {
                let name = self.app.style.stdout(Ansi::new().bold(), &printable::line(&path));
                writeln!(self.out, "{}{name}", if self.written == 0 { "" } else { "\n" })?;
                row.write_text(&mut self.out)?;
            }
        }
        self.written = self.written.saturating_add(1);
        Ok(())
    }

    fn end(&mut self) -> anyhow::Result<()> {
        if self.shape == Shape::List {
            writeln!(self.out, "\n]")?;
        }
        Ok(self.out.flush()?)
    }
}

/// A bar on a terminal, nothing in a pipe.
fn progress_bar() -> Option<ProgressBar> {
    let live = std::io::stderr().is_terminal() && env::TERM.get().as_deref() != Some("dumb");
    if !live {
        return None;
    }
    let bar = ProgressBar::new(0);
    bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
    if let Ok(shape) =
        ProgressStyle::with_template("{bar:30} {pos}/{len} files, {per_sec}, {eta} left")
    {
        bar.set_style(shape.progress_chars("━╸─"));
    }
    Some(bar)
}
