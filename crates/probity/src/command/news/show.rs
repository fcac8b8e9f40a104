//! `probity news show`: one article, with its full text.

use std::io::Write as _;
use std::process::ExitCode;

use probity_core::{ArticleId, printable};
use probity_store::news::{Article, ArticleText};
use serde::Serialize;

use super::articles::Line;
use crate::app::App;
use crate::failure::{WithHint as _, missing};
use crate::newsroom::poller;
use crate::output;

/// What may be typed after `probity news show`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The article: its number.
    #[arg(value_name = "ID")]
    id: ArticleId,
    /// Fetch its page and store the full text, unless it is already stored.
    #[arg(long)]
    fetch: bool,
    /// Show Markdown instead of plain text.
    #[arg(long)]
    markdown: bool,
    /// Open exactly this host and port, even if its address is private. May be repeated.
    #[arg(long, value_name = "HOST:PORT")]
    allow_host: Vec<String>,
}

/// An article as JSON.
#[derive(Serialize)]
struct Output<'a> {
    #[serde(flatten)]
    line: Line<'a>,
    relevance: &'a [Relevance],
    text: Option<&'a ArticleText>,
}

/// What a category makes of the article.
#[derive(Serialize)]
struct Relevance {
    category: String,
    value: f64,
    by: String,
}

/// Runs `probity news show`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let missing = || missing("article", args.id);
    let hint = "`probity news articles` lists them";
    let article = store.article(args.id).await?.ok_or_else(missing).hint(hint)?;
    let mut text = store.article_text(article.id).await?;
    if args.fetch && text.as_ref().is_none_or(|text| text.document.is_none()) {
        let poller = poller(app, &args.allow_host).await?;
        text = poller.fetch_text(&article).await?;
    }
    let article = store.article(args.id).await?.ok_or_else(missing).hint(hint)?;
    let ledger = app.ledger().await?;
    let line = Line::new(&article, &ledger);
    let relevance = store.relevance_of(article.id).await?.into_iter();
    let relevance: Vec<Relevance> =
        relevance.map(|(category, value, by)| Relevance { category, value, by }).collect();
    if app.json {
        output::print_json(&Output { line, relevance: &relevance, text: text.as_ref() })?;
    } else {
        write_facts(&article, line.credibility, &relevance, text.as_ref());
        write_text(&article, text.as_ref(), args.markdown)?;
    }
    let failed = args.fetch && text.is_none_or(|text| text.document.is_none());
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// What is known of the article, on stderr.
fn write_facts(
    article: &Article,
    credibility: f64,
    relevance: &[Relevance],
    text: Option<&ArticleText>,
) {
    let fact = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            output::note(&format!("{name:<12} {value}"));
        }
    };
    fact("title", Some(article.title.clone()));
    fact("url", article.address().map(str::to_owned));
    let outlet = article.outlet.as_ref().map(ToString::to_string);
    fact("outlet", Some(outlet.unwrap_or_else(|| "unresolved".to_owned())));
    fact("credibility", Some(format!("{credibility:.2}")));
    fact("by", article.author.clone());
    fact("published", article.published_at.map(|at| at.to_string()));
    fact("seen", Some(article.seen_at.to_string()));
    fact("feed", article.feed_id.map(|id| id.to_string()));
    for Relevance { category, value, by } in relevance {
        fact("relevance", Some(format!("{value:.2} to {category} (judged by {by})")));
    }
    fact("same as", article.duplicate_of.map(|id| format!("article {id}")));
    fact("no text", text.and_then(|text| text.problem.clone()));
}

/// The article's text alone, on stdout.
fn write_text(article: &Article, text: Option<&ArticleText>, markdown: bool) -> anyhow::Result<()> {
    let document = text.and_then(|text| text.document.as_ref());
    let body = match document {
        Some(document) if markdown => &document.markdown,
        Some(document) => &document.text,
        None => &article.summary,
    };
    let mut out = output::stdout();
    if !body.is_empty() {
        writeln!(out, "{}", printable::block(body))?;
    }
    Ok(out.flush()?)
}
