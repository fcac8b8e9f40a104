//! `probity feeds parse`: a feed from a file, item by item.

use std::collections::HashMap;
use std::io::{Read as _, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use probity_core::{Outlet, Timestamp, WebUrl, printable};
use probity_credibility::outlet::{Method, Resolution, Resolver};
use probity_news::feed::{self, FEED_BYTES, Feed, Format, Item};
use probity_news::ingest;
use serde::Serialize;

use crate::app::App;
use crate::failure::{WithHint as _, usage};
use crate::json_lines::open;
use crate::output;

/// What may be typed after `probity feeds parse`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The feed: RSS, Atom or JSON Feed; `-` is stdin.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The address of the feed, from which relative links are read.
    #[arg(long, value_name = "URL")]
    url: Option<String>,
}

/// A feed as JSON. The order of the fields is part of the format.
#[derive(Serialize)]
struct Output<'a> {
    title: &'a str,
    format: Format,
    agg: bool,
    items: Vec<Line<'a>>,
    problem: Option<&'a str>,
}

#[derive(Serialize)]
struct Line<'a> {
    guid: Option<&'a str>,
    title: &'a str,
    published: Option<String>,
    link: Option<&'a str>,
    url: Option<WebUrl>,
    outlet: Option<Outlet>,
    resolved: bool,
    method: Method,
    credibility: f64,
    summary: &'a str,
}

/// Runs `probity feeds parse`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let base = args.url.as_deref().map(WebUrl::parse).transpose();
    let base = base.map_err(|error| usage(format!("--url: {error}")))?;
    let mut bytes = Vec::new();
    open(&args.file)?
        .take(FEED_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read {}", args.file.display()))?;
    let feed = feed::read(&bytes, base.as_ref(), app.clock.now())
        .with_context(|| format!("cannot read {}", args.file.display()))
        .hint("give the file of an RSS, Atom or JSON feed")?;
    let resolver = Resolver::new(&app.settings.credibility.outlets)
        .context("the configuration of outlets cannot be used")?;
    let ledger = app.ledger().await?;
    let output = describe(&feed, &resolver, &ledger, base.as_ref());
    if app.json {
        output::print_json(&output)?;
    } else {
        write_text(&mut output::stdout(), &output)?;
    }
    Ok(if feed.broken().is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn describe<'a>(
    feed: &'a Feed,
    resolver: &Resolver,
    ledger: &HashMap<Outlet, f64>,
    base: Option<&WebUrl>,
) -> Output<'a> {
    let found: Vec<Resolution> =
        feed.items.iter().map(|item| resolver.resolve_item(&item.addresses)).collect();
    let homes = ingest::homes(feed, base, resolver);
    let agg = ingest::aggregates(&feed.items, &found, &homes, resolver);
    let lines = feed.items.iter().zip(found).map(|(item, found)| line(item, found, ledger));
    Output {
        title: &feed.title,
        format: feed.format,
        agg: agg.unwrap_or(false),
        items: lines.collect(),
        problem: feed.problem.as_deref(),
    }
}

fn line<'a>(item: &'a Item, found: Resolution, ledger: &HashMap<Outlet, f64>) -> Line<'a> {
    // What cannot be unwrapped has no outlet, never the aggregator's.
    let outlet = found.outlet.filter(|_| found.resolved);
    let known = outlet.as_ref().and_then(|outlet| ledger.get(outlet)).copied();
    Line {
        guid: item.guid.as_deref(),
        title: &item.title,
        published: item.published.map(|at: Timestamp| at.to_string()),
        link: ingest::link(item),
        url: found.publisher_url,
        outlet,
        resolved: found.resolved,
        method: found.method,
        credibility: known.unwrap_or(probity_news::NEUTRAL),
        summary: &item.summary,
    }
}

fn write_text(out: &mut impl Write, feed: &Output<'_>) -> anyhow::Result<()> {
    let badge = if feed.agg { "  agg" } else { "" };
    let title = if feed.title.is_empty() { "(no title)" } else { feed.title };
    writeln!(out, "{}{badge}", printable::brief(title, 160))?;
    for line in &feed.items {
        let outlet = line.outlet.as_ref().map_or("unresolved", Outlet::as_str);
        let day = line.published.as_deref().and_then(|text| text.get(..10)).unwrap_or("no date   ");
        let title = printable::brief(line.title, 120);
        writeln!(out, "  {day}  {:.2}  {outlet:<24}  {title}", line.credibility)?;
    }
    out.flush()?;
    if let Some(problem) = feed.problem {
        output::note(&format!("Not everything was read: {problem}"));
    }
    Ok(())
}
