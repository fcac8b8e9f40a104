//! `probity news fetch`: one round over the feeds that are due.

use std::process::ExitCode;
use std::sync::Arc;

use probity_news::schedule::Until;

use super::run::{Teller, summary};
use crate::app::App;
use crate::command::worker::{name, stop_switch};
use crate::newsroom::{NO_FEEDS, OpenHosts, poller, schedule};
use crate::output;

/// What may be typed after `probity news fetch`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Poll all feeds that are switched on, whether they are due or not.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    open: OpenHosts,
    /// Only show the result.
    #[arg(long, short)]
    quiet: bool,
}

/// Runs `probity news fetch`.
pub(crate) async fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let room = store.newsroom().await?;
    if room.feeds == 0 {
        output::note(NO_FEEDS);
    }
    if args.all {
        store.poll_now(None).await?;
    }
    let poller = poller(app, &args.open.allow_host).await?;
    let schedule = schedule(name()?, Until::NothingDue, app);
    let stop = stop_switch();
    let total = if args.all { room.enabled } else { room.due };
    let teller = Teller::new(app, args.quiet, Some(total));
    let tell = |event: &_| teller.tell(event);
    let totals =
        probity_news::schedule::run(&store, Arc::new(poller), &schedule, stop.clone(), &tell).await;
    teller.end();
    let totals = totals?;
    if app.json {
        if args.quiet {
            output::print_json(&totals)?;
        }
    } else {
        output::print_line(&summary(&totals))?;
    }
    let interrupted = *stop.borrow();
    Ok(if interrupted { ExitCode::from(130) } else { ExitCode::SUCCESS })
}
