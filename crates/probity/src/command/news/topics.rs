//! `probity news topics`: what is reported, by whom, and which article speaks for it.

use std::io::Write as _;
use std::process::ExitCode;

use probity_core::printable;
use probity_news::rank::credibility;
use probity_news::topic_view::{self, Topics};
use probity_server::api::topics::TopicLine;

use super::categories::explain;
use crate::app::App;
use crate::newsroom::since;
use crate::output;

/// What may be typed after `probity news topics`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only topics of this category.
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    /// Only topics with an article since then: 24h, 7d, a day or an instant; the window by default.
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// List at most N.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
}

/// Finds the topics of a category, or all, since a time.
pub(super) async fn find(
    category: Option<&str>,
    since_text: Option<&str>,
    app: &App,
) -> anyhow::Result<Topics> {
    let now = app.clock.now();
    let since = match since_text {
        Some(text) => since(text, now)?,
        None => app.settings.news.window_start(now),
    };
    topic_view::topics(&app.store().await?, category, since).await.map_err(explain)
}

/// Runs `probity news topics`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let found = find(args.category.as_deref(), args.since.as_deref(), app).await?;
    let by_category = found.category.is_some();
    let shown = found.told.iter().take(usize::try_from(args.limit).unwrap_or(usize::MAX));
    if app.json {
        let lines: Vec<TopicLine> = shown.map(|told| TopicLine::new(told, by_category)).collect();
        output::print_json(&lines)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = output::stdout();
    for told in shown {
        let Some(first) = told.representative() else { continue };
        let outlet = first.outlet.as_ref().map_or("unresolved", |outlet| outlet.as_str());
        let line = format!(
            "{:>6}  {:.2}  {:>3} articles, {:>2} outlets  {:.2} {outlet:<20}  {}",
            told.topic,
            told.value,
            told.articles.len(),
            told.outlets,
            credibility(first),
            first.title,
        );
        writeln!(out, "{}", printable::brief(&line, app.style.width().max(80)))?;
    }
    out.flush()?;
    if found.told.is_empty() {
        output::note("No topics; `probity news consolidate` groups what the feeds brought.");
    } else if found.factor < 1.0 {
        output::note(&format!(
            "Ranks are multiplied by {:.2}: `probity news route --explain` says why.",
            found.factor
        ));
    }
    Ok(ExitCode::SUCCESS)
}
