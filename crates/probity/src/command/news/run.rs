//! `probity news run`: the scheduler, until it is stopped.

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use probity_core::{counted, printable};
use probity_news::poll::Ended;
use probity_news::schedule::{Event, Totals, Until};

use crate::app::App;
use crate::command::feeds::fetch::line;
use crate::command::worker::{name, stop_switch};
use crate::config::env;
use crate::newsroom::{self, OpenHosts, shared_poller};
use crate::output;

/// What may be typed after `probity news run`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    open: OpenHosts,
    /// Show only failures and counts, not every poll.
    #[arg(long, short)]
    quiet: bool,
}

/// Runs `probity news run`.
pub(crate) async fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let poller = shared_poller(app, &args.open.allow_host).await?;
    let schedule = newsroom::schedule(name()?, Until::Stopped, app);
    let stop = stop_switch();
    if !app.json {
        let room = store.newsroom().await?;
        output::note(&format!(
            "{} of {} feeds are polled, {} are due; Ctrl-C stops.",
            room.enabled, room.feeds, room.due
        ));
    }
    let teller = Teller::new(app, args.quiet, None);
    let tell = |event: &_| teller.tell(event);
    let totals = newsroom::poll_and_consolidate(app, poller, &schedule, stop, &tell).await;
    teller.end();
    let totals = totals?;
    if !app.json {
        output::note(&summary(&totals));
    }
    Ok(ExitCode::SUCCESS)
}

/// What a round came to, in a line.
pub(crate) fn summary(totals: &Totals) -> String {
    let Totals { polls, new, changed, unchanged, failed, gone, .. } = totals;
    let polls = counted(*polls, "feed", "feeds");
    let new = counted(*new, "new article", "new articles");
    let mut text = format!("{polls} polled: {new}, {changed} changed");
    for (count, word) in [(unchanged, "unchanged"), (failed, "failed"), (gone, "gone")] {
        if *count > 0 {
            text.push_str(&format!(", {count} {word}"));
        }
    }
    text.push('.');
    text
}

/// Shows what a scheduler does: JSON lines on stdout, or lines and a bar on stderr.
pub(super) struct Teller {
    json: bool,
    quiet: bool,
    bar: Option<ProgressBar>,
}

impl Teller {
    /// A teller for this terminal or pipe. With a total there is a bar instead of lines.
    pub(super) fn new(app: &App, quiet: bool, total: Option<i64>) -> Self {
        let live = std::io::stderr().is_terminal() && env::TERM.get().as_deref() != Some("dumb");
        let total = total.and_then(|total| u64::try_from(total).ok());
        let bar = total.filter(|_| live && !app.json && !quiet).map(|total| {
            let bar = ProgressBar::new(total);
            bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
            if let Ok(shape) =
                ProgressStyle::with_template("{spinner} {bar:20} {pos}/{len} {elapsed} {wide_msg}")
            {
                bar.set_style(shape.progress_chars("━╸─"));
            }
            bar
        });
        Self { json: app.json, quiet, bar }
    }

    /// Tells of an event.
    pub(super) fn tell(&self, event: &Event) {
        if self.json {
            if !self.quiet
                && let Ok(text) = serde_json::to_string(event)
            {
                // A reader that went away is no reason to stop polling.
                let _ = writeln!(std::io::stdout().lock(), "{text}");
            }
            return;
        }
        match event {
            Event::Polled { polled, .. } => {
                let failed = matches!(polled.ended, Ended::Failed | Ended::Gone);
                if failed || (!self.quiet && self.bar.is_none()) {
                    self.say(&line(polled));
                }
                if let Some(bar) = &self.bar {
                    bar.inc(1);
                    bar.set_message(printable::brief(&polled.url, 60));
                }
            }
            Event::Lost { feed } => self.say(&format!("feed {feed}: another process continues")),
            Event::Counts { totals, under_way } if self.bar.is_none() && *under_way > 0 => {
                self.say(&format!("{} {under_way} in progress.", summary(totals)));
            }
            Event::Counts { .. } => {}
            Event::Pruned { articles } => {
                let count = counted(*articles, "old article", "old articles");
                self.say(&format!("{count} deleted"));
            }
            Event::Stopping { under_way } if *under_way > 0 => {
                let count = counted(*under_way, "feed is", "feeds are");
                self.say(&format!("Stopping; {count} still being polled."));
            }
            Event::Stopping { .. } => {}
        }
    }

    fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(printable::line(text)),
            None => output::note(text),
        }
    }

    /// Takes the bar away.
    pub(super) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
