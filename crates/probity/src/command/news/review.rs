//! `probity news review`: the outlets whose coding would change most.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::process::ExitCode;

use probity_core::{Outlet, counted, printable};
use probity_news::rank::RankedTopic;
use probity_news::review::{Uncertain, queue};
use probity_store::ledger::OutletQuery;
use serde::Serialize;

use super::topics::Which;
use crate::app::App;
use crate::output;

/// What may be typed after `probity news review`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// List at most N.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    limit: u32,
}

#[derive(Serialize)]
struct View {
    /// Articles whose publisher is not known.
    unresolved: usize,
    outlets: Vec<Uncertain>,
}

/// Runs `probity news review`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let found = args.which.find(app).await?;
    let known = app.store().await?.outlets(&OutletQuery::default()).await?;
    let codings: BTreeMap<Outlet, i64> =
        known.items.into_iter().map(|entry| (entry.outlet, entry.events)).collect();
    let (lines, alpha) = (app.settings.news.routing, app.settings.ledger.alpha);
    let cited = cited(&found.ranked, app).await?;
    let mut outlets =
        queue(&found.ranked, found.category.is_some(), &codings, &cited, lines, alpha);
    outlets.truncate(usize::try_from(args.limit).unwrap_or(usize::MAX));
    let articles = found.ranked.iter().flat_map(|ranked| &ranked.articles);
    let unresolved = articles.filter(|article| article.outlet.is_none()).count();
    if app.json {
        output::print_json(&View { unresolved, outlets })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = output::stdout();
    if !outlets.is_empty() {
        let header = "impact  score  codings  speaks for  gains  losses  outlet";
        writeln!(out, "{}", app.style.stdout(anstyle::Style::new().bold(), header))?;
    }
    for one in &outlets {
        let line = format!(
            "{:>6.2}  {:.2}  {:>8}  {:>10}  {:>5}  {:>6}  {}{}",
            one.impact,
            one.score,
            one.codings,
            one.speaks_for,
            one.gains,
            one.losses,
            one.outlet,
            match (one.known, one.cited_by) {
                (true, _) => String::new(),
                (false, 0) => "  (not in the ledger)".to_owned(),
                (false, count) => {
                    let by = counted(count, "credible outlet", "credible outlets");
                    format!("  (not in the ledger; cited by {by})")
                }
            },
        );
        writeln!(out, "{}", printable::brief(&line, app.style.width().max(80)))?;
    }
    out.flush()?;
    if outlets.is_empty() {
        output::note("Nothing to review: no coding would change the representative of a topic.");
    }
    if unresolved > 0 {
        let count = counted(unresolved, "article has", "articles have");
        output::note(&format!("{count} no known publisher, which counts as 0.5."));
    }
    Ok(ExitCode::SUCCESS)
}

/// How many credible outlets cite each unrated one.
async fn cited(ranked: &[RankedTopic], app: &App) -> anyhow::Result<BTreeMap<Outlet, u32>> {
    let articles = ranked.iter().flat_map(|ranked| &ranked.articles);
    let unrated = articles.filter(|article| article.credibility.is_none());
    let outlets: BTreeSet<Outlet> = unrated.filter_map(|article| article.outlet.clone()).collect();
    let outlets: Vec<Outlet> = outlets.into_iter().collect();
    let known = app.store().await?.known_of(&outlets, &app.settings.credibility).await?;
    Ok(known.into_iter().map(|(outlet, known)| (outlet, known.cited_by)).collect())
}
