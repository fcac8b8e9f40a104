//! `probity runs code`: an editor's codes on a source of a report.

use std::process::ExitCode;

use crate::app::App;
use crate::command::export::load;
use crate::command::outlets::change;
use crate::command::outlets::code::Codes;
use crate::failure::{WithHint as _, usage};

/// What may be typed after `probity runs code`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The run: its id, the beginning of it, or `last`.
    run: String,
    /// The number of the source in the report.
    #[arg(value_name = "N")]
    source: usize,
    #[command(flatten)]
    codes: Codes,
}

/// Runs `probity runs code`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let report = load(&args.run, app).await?;
    let source = report.sources().find(|(n, _)| *n == args.source);
    let Some((_, source)) = source else {
        return Err(usage(format!("the report has no source {}", args.source)))
            .hint(format!("`probity runs show {}` lists its sources", args.run));
    };
    let (outlet, run) = (source.outlet.as_ref(), Some(report.facts().run_id.as_str()));
    let made = args.codes.apply(source.url.as_str(), outlet, run, app).await?;
    change::print(&made, args.codes.signed.intent(), app).await
}
