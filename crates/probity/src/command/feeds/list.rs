//! `probity feeds list`: the feeds with their health.

use std::io::Write as _;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style as Ansi};
use probity_core::{FeedId, Timestamp, printable};
use probity_store::news::{FeedQuery, FeedRecord, FeedState};
use serde::Serialize;

use crate::app::App;
use crate::newsroom::{NO_FEEDS, span};
use crate::output;

/// What may be typed after `probity feeds list`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only feeds whose last poll failed.
    #[arg(long)]
    failing: bool,
    /// Only feeds that are not polled.
    #[arg(long)]
    off: bool,
    /// List at most N.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(i64).range(1..=50_000))]
    limit: i64,
    /// Go on after the feed of this number: the last one of the list before.
    #[arg(long, value_name = "ID", default_value_t = FeedId(0))]
    after: FeedId,
}

/// A feed as JSON: what is kept of it, and the badge.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    feed: &'a FeedRecord,
    agg: bool,
}

/// Runs `probity feeds list`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let query = FeedQuery {
        failing: args.failing,
        limit: Some(args.limit),
        after: args.after,
        ..FeedQuery::default()
    };
    let mut feeds = match app.existing_store().await? {
        Some(store) => store.feeds(&query).await?,
        None => Vec::new(),
    };
    feeds.retain(|feed| !args.off || feed.state != FeedState::Enabled);
    if app.json {
        let lines: Vec<Line<'_>> =
            feeds.iter().map(|feed| Line { feed, agg: feed.aggregator }).collect();
        output::print_json(&lines)?;
        return Ok(ExitCode::SUCCESS);
    }
    if feeds.is_empty() {
        output::note(if args.failing || args.off { "No such feed." } else { NO_FEEDS });
        return Ok(ExitCode::SUCCESS);
    }
    write_table(&feeds, app)?;
    Ok(ExitCode::SUCCESS)
}

fn write_table(feeds: &[FeedRecord], app: &App) -> anyhow::Result<()> {
    let now = app.clock.now();
    let mut out = output::stdout();
    let header = "   id  cred.* agg  items  last ok   next      title";
    writeln!(out, "{}", app.style.stdout(Ansi::new().bold(), header))?;
    for feed in feeds {
        let agg = if feed.aggregator { "agg" } else { "" };
        let ok = feed.ok_at.map_or_else(|| "never".to_owned(), |at| ago(now, at));
        let title = printable::brief(feed.name(), 60);
        let line = format!(
            "{:>5}  {:.2}   {agg:<3}  {:>5}  {ok:<8}  {:<8}  {title}",
            feed.id,
            feed.credibility_score,
            feed.brought,
            next(feed, now),
        );
        writeln!(out, "{line}")?;
        if let Some(trouble) = trouble(feed) {
            let style = Ansi::new().fg_color(Some(AnsiColor::Yellow.into()));
            let trouble = printable::brief(&trouble, app.style.width().saturating_sub(7).max(40));
            writeln!(out, "       {}", app.style.stdout(style, &trouble))?;
        }
    }
    out.flush()?;
    output::note("* cred. is inert: what counts is the score of each article's outlet.");
    Ok(())
}

/// What is wrong with a feed, in a line.
pub(super) fn trouble(feed: &FeedRecord) -> Option<String> {
    if feed.state != FeedState::Enabled {
        let why = feed.state_reason.as_deref().unwrap_or("no reason given");
        return Some(format!("{}: {why}", feed.state.as_str()));
    }
    let times = match feed.failures {
        0 => return None,
        1 => "failed once".to_owned(),
        n => format!("failed {n} times"),
    };
    Some(format!("{times}: {}", feed.last_error.as_deref().unwrap_or("no reason given")))
}

fn ago(now: Timestamp, at: Timestamp) -> String {
    span(now.0.saturating_sub(at.0).max(0))
}

fn next(feed: &FeedRecord, now: Timestamp) -> String {
    match feed.next_at {
        _ if feed.state != FeedState::Enabled => "off".to_owned(),
        _ if feed.polling => "now".to_owned(),
        Some(at) if at <= now => "due".to_owned(),
        Some(at) => span(at.0.saturating_sub(now.0)),
        // Its polls ended in the death of too many processes.
        None => "given up".to_owned(),
    }
}
