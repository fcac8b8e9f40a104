//! `probity news search`: which stored articles a query finds, and what they say on it.

use std::io::Write as _;
use std::process::ExitCode;

use anstyle::Style as Ansi;
use probity_core::printable;
use probity_store::library::HITS;
use serde::Serialize;

use super::articles::{Line, credibility};
use crate::app::App;
use crate::failure::usage;
use crate::newsroom::since;
use crate::output;

/// What may be typed after `probity news search`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// What to search for: words or a whole question.
    #[arg(value_name = "WORDS", required = true)]
    words: Vec<String>,
    /// Only articles seen since then: 24h, 7d, a day or an instant.
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// How many articles to show.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10)]
    limit: usize,
}

/// The results as JSON.
#[derive(Serialize)]
struct Output<'a> {
    query: &'a str,
    hits: Vec<Hit<'a>>,
}

#[derive(Serialize)]
struct Hit<'a> {
    #[serde(flatten)]
    line: Line<'a>,
    score: f64,
    snippet: &'a str,
}

/// Runs `probity news search`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    if !(1..=HITS).contains(&args.limit) {
        return Err(usage(format!("--limit must be 1 to {HITS}, not {}", args.limit)));
    }
    let query = args.words.join(" ");
    let since = args.since.as_deref().map(|text| since(text, app.clock.now())).transpose()?;
    let found = match app.existing_store().await? {
        Some(store) => store.news_search(&query, since, args.limit).await?,
        None => Vec::new(),
    };
    let ledger = app.ledger().await?;
    if app.json {
        let hits = found.iter().map(|hit| Hit {
            line: Line::new(&hit.article, &ledger),
            score: hit.score,
            snippet: &hit.snippet,
        });
        output::print_json(&Output { query: &query, hits: hits.collect() })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = output::stdout();
    for (index, hit) in found.iter().enumerate() {
        let article = &hit.article;
        let title = printable::line(&article.title).into_owned();
        writeln!(out, "{:>3}. {}", index + 1, app.style.stdout(Ansi::new().bold(), &title))?;
        if let Some(address) = article.address() {
            writeln!(out, "     {}", printable::line(address))?;
        }
        let outlet = article.outlet.as_ref().map_or("unresolved", |outlet| outlet.as_str());
        let score = credibility(article, &ledger);
        let about = format!("{} · {outlet} {score:.2} · {}", article.id, article.time().date());
        writeln!(out, "     {}", app.style.stdout(Ansi::new().dimmed(), &about))?;
        writeln!(out, "     {}", printable::line(&hit.snippet))?;
    }
    out.flush()?;
    if found.is_empty() {
        let query = printable::brief(&query, 80);
        output::note(&format!("No stored article contains a word of \"{query}\"."));
    }
    Ok(ExitCode::SUCCESS)
}
