//! `probity export`: a stored report in any format.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use probity_report::{CheckedReport, restore};

use super::runs::find;
use crate::app::App;
use crate::failure::{WithHint as _, usage};
use crate::format::{self, Form};
use crate::output;

/// What may be typed after `probity export`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The run: its id, the beginning of it, or `last`.
    run: String,
    #[command(flatten)]
    form: Form,
    /// Write to a file instead of stdout.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs `probity export`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    write(&args.run, &args.form, args.output.as_deref(), app).await
}

/// Writes the stored report of a run.
pub(crate) async fn write(
    run: &str,
    form: &Form,
    path: Option<&Path>,
    app: &App,
) -> anyhow::Result<ExitCode> {
    form.check(path, app)?;
    let report = load(run, app).await?;
    if let Some(note) = format::write(&report, form, path, app)? {
        output::note(&note);
    }
    Ok(ExitCode::SUCCESS)
}

/// The stored report of a run.
pub(crate) async fn load(run: &str, app: &App) -> anyhow::Result<CheckedReport> {
    let store = app.store().await?;
    let record = find(&store, run).await?;
    let id = &record.summary.id;
    let Some(json) = &record.report else {
        return Err(usage(format!("run {id} has no report yet")))
            .hint(format!("probity runs resume {id}"));
    };
    restore(json)
        .map_err(|error| anyhow::anyhow!("the stored report of {id} cannot be used: {error}"))
        .hint(format!("rebuild it from its journal: probity runs replay {id}"))
}
