//! `probity feeds fetch`: polls now, whether it is time or not.

use std::process::ExitCode;

use probity_core::printable;
use probity_news::poll::{Ended, Polled};

use crate::app::App;
use crate::newsroom::{OpenHosts, pick, poll_one, poller, span};
use crate::output;

/// What may be typed after `probity feeds fetch`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The feeds: their numbers or addresses.
    #[arg(value_name = "FEED", required = true)]
    feeds: Vec<String>,
    #[command(flatten)]
    open: OpenHosts,
}

/// Runs `probity feeds fetch`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let poller = poller(app, &args.open.allow_host).await?;
    let mut polls = Vec::new();
    for name in &args.feeds {
        let feed = pick(&store, name).await?;
        let polled = poll_one(&store, &poller, &feed, None).await?;
        if !app.json {
            output::print_line(&line(&polled))?;
        }
        polls.push(polled);
    }
    if app.json {
        output::print_json(&polls)?;
    }
    let well = polls.iter().all(|polled| matches!(polled.ended, Ended::Read | Ended::Unchanged));
    Ok(if well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A poll in a line.
pub(crate) fn line(polled: &Polled) -> String {
    let what = match polled.ended {
        Ended::Read => format!("{} new, {} changed", polled.new, polled.changed),
        Ended::Unchanged => "unchanged".to_owned(),
        Ended::Failed => "failed".to_owned(),
        Ended::Gone => "gone for good, switched off".to_owned(),
    };
    let next = polled.next_seconds.and_then(|seconds| i64::try_from(seconds).ok());
    let next = next.map(|s| format!(", next in {}", span(s * 1_000))).unwrap_or_default();
    let reason = polled.reason.as_deref().map(|reason| format!(" ({reason})")).unwrap_or_default();
    let line = format!("feed {}: {what}{next}{reason}  {}", polled.feed, polled.url);
    printable::brief(&line, 300)
}
