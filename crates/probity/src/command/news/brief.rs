//! `probity news brief`: a dated digest of the top topics in the shape of a report.

use std::path::PathBuf;
use std::process::ExitCode;

use probity_server::brief::{Wanted, brief};

use super::categories::explain;
use crate::app::App;
use crate::format::{self, Form};
use crate::newsroom::since;
use crate::output;

/// What may be typed after `probity news brief`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only topics of this category.
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    /// Only topics with an article since then: 24h, 7d, a day or an instant.
    #[arg(long, value_name = "TIME", default_value = "24h")]
    since: String,
    /// Show at most N topics.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=50))]
    topics: u32,
    #[command(flatten)]
    form: Form,
    /// Write to a file instead of stdout.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The exit code of a command that has nothing to report.
const NOTHING: u8 = 3;

/// Runs `probity news brief`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    args.form.check(args.output.as_deref(), app)?;
    let now = app.clock.now();
    let wanted = Wanted {
        category: args.category.as_deref(),
        since: since(&args.since, now)?,
        topics: usize::try_from(args.topics)?,
    };
    let Some(report) =
        brief(&app.store().await?, wanted, now, &app.reader()?).await.map_err(explain)?
    else {
        output::note("There is nothing to brief on: no topics since then.");
        return Ok(ExitCode::from(NOTHING));
    };
    if let Some(note) = format::write(&report, &args.form, args.output.as_deref(), app)? {
        output::note(&note);
    }
    Ok(ExitCode::SUCCESS)
}
