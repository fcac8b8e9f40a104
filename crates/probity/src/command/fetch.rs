//! `probity fetch`: one page as Probity reads it, or why it cannot be read.

use std::io::Write as _;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style as Ansi};
use anyhow::Context as _;
use jiff::civil::Date;
use probity_core::{WebUrl, printable};
use probity_credibility::Permit;
use probity_web::fetch::{FetchOutcome, Fetcher, Page};
use serde::Serialize;

use crate::app::App;
use crate::failure::{WithHint as _, usage};
use crate::output;

/// What may be typed after `probity fetch`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The page to fetch.
    #[arg(value_name = "URL")]
    url: String,
    /// Open exactly this host and port, even if its address is private. May be repeated.
    #[arg(long, value_name = "HOST:PORT")]
    allow_host: Vec<String>,
    /// Ignore robots.txt, for documents that you are entitled to read.
    #[arg(long)]
    no_robots: bool,
}

/// A page as JSON. The order of the fields is part of the format.
#[derive(Serialize)]
struct Output<'a> {
    url: &'a str,
    final_url: &'a str,
    status: Option<u16>,
    outcome: FetchOutcome,
    reason: &'a str,
    content_type: Option<&'a str>,
    bytes: u64,
    title: Option<&'a str>,
    published: Option<Date>,
    lang: Option<&'a str>,
    archived: Option<Date>,
    text: Option<&'a str>,
}

impl<'a> Output<'a> {
    fn new(page: &'a Page) -> Self {
        let document = page.document.as_ref();
        Self {
            url: page.url.as_str(),
            final_url: page.final_url.as_str(),
            status: page.status,
            outcome: page.outcome,
            reason: &page.reason,
            content_type: page.content_type.as_deref(),
            bytes: page.bytes,
            title: document.map(|document| document.title.as_str()),
            published: document.and_then(probity_core::Document::stated_day),
            lang: document.and_then(|document| document.lang.as_deref()),
            archived: page.archived,
            text: document.map(|document| document.text.as_str()),
        }
    }
}

/// Runs `probity fetch`.
pub(crate) async fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    let url = WebUrl::parse(&args.url)
        .map_err(|error| usage(format!("{}: {error}", printable::brief(&args.url, 80))))
        .hint("give the whole address, for example https://www.reuters.com/world/")?;
    let mut settings = app.fetch_settings(&args.allow_host)?;
    settings.robots &= !args.no_robots;
    let fetcher = Fetcher::new(settings).context("cannot prepare the fetcher")?;
    let page = fetcher.fetch(&Permit::by_user(url)).await;
    if app.json {
        output::print_json(&Output::new(&page))?;
    } else {
        write_text(&page, app)?;
    }
    Ok(if page.outcome.is_read() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What is known of the page on stderr, its text alone on stdout.
fn write_text(page: &Page, app: &App) -> anyhow::Result<()> {
    let color = if page.outcome.is_read() { AnsiColor::Green } else { AnsiColor::Red };
    let style = Ansi::new().bold().fg_color(Some(color.into()));
    let mut facts = std::io::stderr().lock();
    let outcome = app.style.stderr(style, page.outcome.as_str());
    let is_plain = page.reason == page.outcome.as_str();
    let reason = if is_plain { String::new() } else { format!(": {}", page.reason) };
    writeln!(facts, "{outcome}{}", printable::line(&reason))?;
    let mut fact = |name: &str, value: Option<String>| match value {
        Some(value) => writeln!(facts, "  {name:<10} {}", printable::line(&value)),
        None => Ok(()),
    };
    let moved = page.final_url != page.url;
    fact("url", Some(page.url.to_string()))?;
    fact("final url", moved.then(|| page.final_url.to_string()))?;
    fact("status", page.status.map(|status| status.to_string()))?;
    fact("type", page.content_type.clone())?;
    fact("bytes", (page.bytes > 0).then(|| page.bytes.to_string()))?;
    let Some(document) = &page.document else { return Ok(()) };
    fact("title", Some(document.title.clone()).filter(|title| !title.is_empty()))?;
    fact("published", document.stated_day().map(|day| day.to_string()))?;
    fact("language", document.lang.clone())?;
    let mut out = output::stdout();
    writeln!(out, "{}", printable::block(&document.text))?;
    Ok(out.flush()?)
}
