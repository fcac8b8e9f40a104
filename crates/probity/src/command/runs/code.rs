//! `probity runs code`: an editor's codes on a source of a report.

use std::process::ExitCode;

use crate::app::App;
use crate::command::export::load;
use crate::command::outlets::change::Signed;
use crate::command::outlets::{change, code};
use crate::failure::{WithHint as _, usage};

/// What may be typed after `probity runs code`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The run: its id, the beginning of it, or `last`.
    run: String,
    /// The number of the source in the report.
    #[arg(value_name = "N")]
    source: usize,
    /// A code from the codebook; give more for more.
    #[arg(value_name = "CODE", required = true)]
    codes: Vec<String>,
    #[command(flatten)]
    signed: Signed,
    /// How far the score moves towards its target, from 0 to 1; the configured step by default.
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    alpha: Option<f64>,
}

/// Runs `probity runs code`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let report = load(&args.run, app).await?;
    let source = report.sources().find(|(n, _)| *n == args.source);
    let Some((_, source)) = source else {
        return Err(usage(format!("the report has no source {}", args.source)))
            .hint(format!("`probity runs show {}` lists its sources", args.run));
    };
    let asked = code::Asked {
        target: source.url.as_str(),
        outlet: source.outlet.as_ref(),
        codes: &args.codes,
        by: &args.signed.by,
        note: args.signed.note.as_deref(),
        alpha: args.alpha,
        run: Some(&report.facts().run_id),
        new: true,
    };
    let intent = args.signed.intent();
    let (request, newcomer) = code::read(&asked, app)?;
    let made = app.store().await?.code(request, newcomer, intent).await;
    change::print(&made.map_err(change::explain)?, intent, app).await
}
