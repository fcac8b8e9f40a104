//! `probity render`: a report's JSON in any format, without the run it came from.

use std::io::Read as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use probity_report::restore::MAX_BYTES;
use probity_report::{json, restore};

use crate::app::App;
use crate::failure::{WithHint as _, usage};
use crate::format::{self, Form};
use crate::json_lines::open;
use crate::output;

/// What may be typed after `probity render`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The JSON of a report, as --format json writes it; `-` is stdin.
    #[arg(value_name = "FILE", required_unless_present = "schema")]
    file: Option<PathBuf>,
    #[command(flatten)]
    form: Form,
    /// Write to a file instead of stdout.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print the JSON Schema of the format instead.
    #[arg(long, conflicts_with_all = ["file", "output"])]
    schema: bool,
}

/// Runs `probity render`.
pub(crate) fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let Some(path) = args.file.as_deref().filter(|_| !args.schema) else {
        output::print_line(json::SCHEMA.trim_end())?;
        return Ok(ExitCode::SUCCESS);
    };
    args.form.check(args.output.as_deref(), app)?;
    let mut text = String::new();
    // One byte more than may be, so that a file that is too large is noticed.
    open(path)?
        .take(MAX_BYTES as u64 + 1)
        .read_to_string(&mut text)
        .with_context(|| format!("cannot read {}", path.display()))?;
    let report = restore(&text)
        .map_err(|error| usage(format!("{}: {error}", path.display())))
        .hint("write such a file with: probity export RUN --format json")?;
    if let Some(note) = format::write(&report, &args.form, args.output.as_deref(), app)? {
        output::note(&note);
    }
    Ok(ExitCode::SUCCESS)
}
