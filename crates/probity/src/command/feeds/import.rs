//! `probity feeds import`: the feeds of an OPML list.

use std::io::Read as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use probity_core::counted;
use probity_news::opml::{self, Entry, OPML_BYTES};
use probity_store::news::{Added, NewFeed};
use serde::Serialize;

use crate::app::App;
use crate::failure::WithHint as _;
use crate::output;
use crate::pairs::open;

/// What may be typed after `probity feeds import`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The list: an OPML file; `-` is stdin.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A category for all of them, in addition to their folders. May be repeated.
    #[arg(long, value_name = "NAME")]
    category: Vec<String>,
}

/// What was imported, as JSON.
#[derive(Serialize)]
struct Output {
    added: usize,
    known: usize,
    refused: usize,
    problems: Vec<String>,
}

/// The first polls of a long list are spread over this long, so that they do not all come at once.
const SPREAD: Duration = Duration::from_secs(10 * 60);
/// How many feeds are added in one transaction.
const BATCH: usize = 500;
/// Lists up to this length are due at once.
const AT_ONCE: usize = 100;

/// Runs `probity feeds import`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let mut bytes = Vec::new();
    open(&args.file)?
        .take(OPML_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read {}", args.file.display()))?;
    let list = opml::read(&bytes)
        .with_context(|| format!("cannot read {}", args.file.display()))
        .hint("give an OPML file, as feed readers export it")?;
    let store = app.store().await?;
    let mut output = Output { added: 0, known: 0, refused: 0, problems: list.problems };
    let many = u32::try_from(list.entries.len().saturating_sub(AT_ONCE).max(1))?;
    let mut number = 0_u32;
    for entries in list.entries.chunks(BATCH) {
        let categories: Vec<Vec<String>> = entries
            .iter()
            .map(|entry| args.category.iter().chain(&entry.categories).cloned().collect())
            .collect();
        let mut feeds = Vec::with_capacity(entries.len());
        for (entry, categories) in entries.iter().zip(&categories) {
            let late = number.saturating_sub(u32::try_from(AT_ONCE)?);
            feeds.push(new_feed(
                entry,
                categories,
                SPREAD.mul_f64(f64::from(late) / f64::from(many)),
            ));
            number += 1;
        }
        for added in store.add_feeds(&feeds).await? {
            match added {
                Added::New(_) => output.added += 1,
                Added::Exists(_) => output.known += 1,
                Added::Full => output.refused += 1,
            }
        }
    }
    if app.json {
        output::print_json(&output)?;
    } else {
        for problem in &output.problems {
            output::note(problem);
        }
        let Output { added, known, refused, problems } = &output;
        let more = if *refused > 0 { format!(", {refused} too many") } else { String::new() };
        let added = counted(*added, "feed", "feeds");
        let bad = counted(problems.len(), "bad entry", "bad entries");
        let text = format!("{added} added, {known} known, {bad}{more}.");
        output::print_line(&text)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn new_feed<'a>(entry: &'a Entry, categories: &'a [String], after: Duration) -> NewFeed<'a> {
    NewFeed {
        url: entry.url.as_str(),
        host: entry.url.dns_host(),
        site_url: entry.site.as_deref(),
        title: &entry.title,
        label: Some(entry.title.as_str()).filter(|title| !title.is_empty()),
        categories,
        interval: None,
        after,
    }
}
