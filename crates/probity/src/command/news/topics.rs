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
    #[command(flatten)]
    which: Which,
    /// List at most N.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
}

/// Which topics are looked at.
#[derive(clap::Args)]
pub(super) struct Which {
    /// Only topics of this category.
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    /// Only topics with an article since then: 24h, 7d, a day or an instant; the window by default.
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
}

impl Which {
    /// Finds these topics.
    pub(super) async fn find(&self, app: &App) -> anyhow::Result<Topics> {
        let now = app.clock.now();
        let since = match &self.since {
            Some(text) => since(text, now)?,
            None => app.settings.news.window_start(now),
        };
        let category = self.category.as_deref();
        topic_view::topics(&app.store().await?, category, since).await.map_err(explain)
    }
}

/// Runs `probity news topics`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let found = args.which.find(app).await?;
    let by_category = found.category.is_some();
    let shown = found.ranked.iter().take(usize::try_from(args.limit).unwrap_or(usize::MAX));
    if app.json {
        let lines: Vec<TopicLine> =
            shown.map(|ranked| TopicLine::new(ranked, by_category)).collect();
        output::print_json(&lines)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = output::stdout();
    for ranked in shown {
        let Some(first) = ranked.representative() else { continue };
        let outlet = first.outlet.as_ref().map_or("unresolved", |outlet| outlet.as_str());
        let line = format!(
            "{:>6}  {:.2}  {:>3} articles, {:>2} outlets  {:.2} {outlet:<20}  {}",
            ranked.topic,
            ranked.value,
            ranked.articles.len(),
            ranked.outlets,
            credibility(first),
            first.title,
        );
        writeln!(out, "{}", printable::brief(&line, app.style.width().max(80)))?;
    }
    out.flush()?;
    if found.ranked.is_empty() {
        output::note("No topics; `probity news consolidate` groups the articles of the feeds.");
    } else if found.factor < 1.0 {
        output::note(&format!(
            "Ranks are multiplied by {:.2}: `probity news route --explain` says why.",
            found.factor
        ));
    }
    Ok(ExitCode::SUCCESS)
}
