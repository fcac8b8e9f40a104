//! `probity feeds show`: all that is known of a feed, and what went wrong with it.

use std::io::Write as _;
use std::process::ExitCode;

use probity_core::{Timestamp, counted, printable};
use probity_store::news::{FeedError, FeedRecord};
use serde::Serialize;

use super::list::trouble;
use crate::app::App;
use crate::newsroom::{pick, span};
use crate::output;

/// What may be typed after `probity feeds show`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The feed: its number or its address.
    #[arg(value_name = "FEED")]
    feed: String,
}

/// A feed as JSON.
#[derive(Serialize)]
struct Output<'a> {
    #[serde(flatten)]
    feed: &'a FeedRecord,
    agg: bool,
    errors: &'a [FeedError],
}

/// How many errors are shown as text; JSON has all that are kept.
const ERRORS: usize = 10;

/// Runs `probity feeds show`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let feed = pick(&store, &args.feed).await?;
    let errors = store.feed_errors(feed.id).await?;
    if app.json {
        output::print_json(&Output { feed: &feed, agg: feed.aggregator, errors: &errors })?;
    } else {
        write_text(&feed, &errors)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write_text(feed: &FeedRecord, errors: &[FeedError]) -> anyhow::Result<()> {
    let mut out = output::stdout();
    let agg = if feed.aggregator { "  agg" } else { "" };
    writeln!(out, "{}{agg}", printable::brief(feed.name(), 160))?;
    let mut fact = |name: &str, value: Option<String>| match value {
        Some(value) => writeln!(out, "  {name:<12} {}", printable::line(&value)),
        None => Ok(()),
    };
    let time = |at: Option<Timestamp>| at.map(|at| at.to_string());
    fact("id", Some(feed.id.to_string()))?;
    fact("url", Some(feed.url.clone()))?;
    fact("site", feed.site_url.clone())?;
    fact(
        "moved to",
        feed.moved_to
            .clone()
            .map(|to| format!("{to} ({})", counted(feed.moved_times, "time", "times"))),
    )?;
    fact("categories", Some(feed.categories.join(", ")).filter(|names| !names.is_empty()))?;
    let legacy = format!("{:.2} (legacy: without effect; outlets count)", feed.credibility_score);
    fact("cred.", Some(legacy))?;
    fact("state", Some(trouble(feed).unwrap_or_else(|| feed.state.as_str().to_owned())))?;
    let brought = counted(feed.brought, "article", "articles");
    fact("polls", Some(format!("{}, {brought}", feed.polls)))?;
    fact("pace", feed.per_day.map(|rate| format!("{rate:.1} new items a day")))?;
    fact("interval", feed.interval_ms.map(|ms| format!("every {}, as set", span(ms))))?;
    fact("asks for", feed.floor_ms.map(|ms| format!("a poll every {} at most", span(ms))))?;
    fact("last poll", time(feed.polled_at))?;
    fact("last ok", time(feed.ok_at))?;
    fact("last new", time(feed.new_at))?;
    fact("next poll", time(feed.next_at))?;
    for error in errors.iter().take(ERRORS) {
        let status = error.status.map(|status| format!(" {status}")).unwrap_or_default();
        let reason = printable::brief(&error.reason, 160);
        writeln!(out, "  {}  {}{status}: {reason}", error.at, error.kind)?;
    }
    Ok(out.flush()?)
}
