//! `probity feeds export`: the feeds as an OPML list.

use std::path::PathBuf;
use std::process::ExitCode;

use probity_core::WebUrl;
use probity_news::opml::{self, Entry};
use probity_store::news::{FEEDS_MOST, FeedQuery, FeedRecord};

use crate::app::App;
use crate::{output, write};

/// What may be typed after `probity feeds export`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write to this file instead of stdout.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs `probity feeds export`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let query = FeedQuery { limit: Some(FEEDS_MOST), ..FeedQuery::default() };
    let feeds = match app.existing_store().await? {
        Some(store) => store.feeds(&query).await?,
        None => Vec::new(),
    };
    let entries: Vec<Entry> = feeds.iter().filter_map(entry).collect();
    if app.json {
        output::print_json(&entries)?;
        return Ok(ExitCode::SUCCESS);
    }
    let text = opml::write("Probity's feeds", &entries);
    match &args.output {
        Some(path) => write::file(path, text.as_bytes())?,
        None => output::print_line(text.trim_end())?,
    }
    Ok(ExitCode::SUCCESS)
}

fn entry(feed: &FeedRecord) -> Option<Entry> {
    Some(Entry {
        url: WebUrl::parse(&feed.url).ok()?,
        title: feed.label.clone().unwrap_or_else(|| feed.title.clone()),
        site: feed.site_url.clone(),
        categories: feed.categories.clone(),
    })
}
