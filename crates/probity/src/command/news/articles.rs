//! `probity news articles`: stored articles, the latest first, with what their outlets are worth now.

use std::collections::HashMap;
use std::io::Write as _;
use std::process::ExitCode;

use probity_core::{ArticleId, Outlet, Timestamp, printable};
use probity_store::news::{Article, ArticleQuery, Latest};
use serde::Serialize;

use crate::app::App;
use crate::failure::usage;
use crate::newsroom::{pick, since};
use crate::output;

/// What may be typed after `probity news articles`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only articles of this feed: its number or its address.
    #[arg(long, value_name = "FEED")]
    feed: Option<String>,
    /// Only articles of this outlet.
    #[arg(long, value_name = "DOMAIN")]
    outlet: Option<String>,
    /// Only articles seen since then: 24h, 7d, a day or an instant.
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Only articles whose publisher is not known.
    #[arg(long)]
    unresolved: bool,
    /// List at most N.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(i64).range(1..=10_000))]
    limit: i64,
    /// Go on before the article of this number: the last one of the list before.
    #[arg(long, value_name = "ID")]
    before: Option<ArticleId>,
}

/// An article as JSON, with the current credibility of its outlet.
#[derive(Serialize)]
pub(super) struct Line<'a> {
    #[serde(flatten)]
    pub(super) article: &'a Article,
    pub(super) credibility: f64,
    pub(super) published: Option<String>,
}

impl<'a> Line<'a> {
    /// An article joined with the ledger.
    pub(super) fn new(article: &'a Article, ledger: &HashMap<Outlet, f64>) -> Self {
        let published = article.published_at.map(|at| at.to_string());
        Self { article, credibility: credibility(article, ledger), published }
    }
}

/// The current credibility of an article's outlet; neutral if it has no score.
pub(super) fn credibility(article: &Article, ledger: &HashMap<Outlet, f64>) -> f64 {
    let known = article.outlet.as_ref().and_then(|outlet| ledger.get(outlet));
    known.copied().unwrap_or(probity_news::NEUTRAL)
}

/// Runs `probity news articles`.
pub(crate) async fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let feed = match &args.feed {
        Some(name) => Some(pick(&store, name).await?.id),
        None => None,
    };
    let outlet = args.outlet.as_deref().map(Outlet::new).transpose();
    let before = match args.before {
        Some(id) => store.article(id).await?.as_ref().map(Latest::after),
        None => None,
    };
    let since = args.since.as_deref().map(|text| since(text, app.clock.now())).transpose()?;
    let query = ArticleQuery {
        feed,
        outlet: outlet.map_err(|error| usage(format!("--outlet: {error}")))?,
        since,
        unresolved: args.unresolved,
        before,
        shelf: None,
        limit: Some(args.limit),
    };
    let articles = store.articles(&query).await?;
    let ledger = app.ledger().await?;
    if app.json {
        let lines: Vec<Line<'_>> = articles.iter().map(|a| Line::new(a, &ledger)).collect();
        output::print_json(&lines)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = output::stdout();
    for article in &articles {
        writeln!(out, "{}", text(article, &ledger, app.style.width()))?;
    }
    out.flush()?;
    if articles.is_empty() {
        output::note("No such article; `probity news fetch` polls the feeds.");
    }
    Ok(ExitCode::SUCCESS)
}

/// An article in a line.
pub(super) fn text(article: &Article, ledger: &HashMap<Outlet, f64>, width: usize) -> String {
    let outlet = match (&article.outlet, article.resolved) {
        (Some(outlet), true) => outlet.as_str(),
        _ => "unresolved",
    };
    let day = article.published_at.map(|at: Timestamp| at.date().to_string());
    let day = day.unwrap_or_else(|| "no date".to_owned());
    let title = printable::brief(&article.title, 160);
    let score = credibility(article, ledger);
    let line = format!("{:>7}  {day:<10}  {score:.2}  {outlet:<24}  {title}", article.id);
    printable::brief(&line, width.max(80))
}
