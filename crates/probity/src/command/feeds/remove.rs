//! `probity feeds remove`: a feed is forgotten; its articles stay by default.

use std::process::ExitCode;

use crate::app::App;
use crate::newsroom::pick;
use crate::output;

/// What may be typed after `probity feeds remove`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The feed: its number or its address.
    #[arg(value_name = "FEED")]
    feed: String,
    /// Remove its articles too, except those that something refers to.
    #[arg(long)]
    articles: bool,
}

/// Runs `probity feeds remove`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let feed = pick(&store, &args.feed).await?;
    let removed = store.remove_feed(feed.id, args.articles).await?;
    if app.json {
        output::print_json(&serde_json::json!({"feed": feed.id, "removed": removed}))?;
    } else {
        let name = probity_core::printable::brief(feed.name(), 100);
        output::print_line(&format!("Feed {} removed: {name}", feed.id))?;
    }
    Ok(ExitCode::SUCCESS)
}
