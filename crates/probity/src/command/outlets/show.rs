//! `probity outlets show`: one outlet, and how its score came about.

use std::io::Write as _;
use std::process::ExitCode;

use anstyle::Style as Ansi;
use probity_core::printable;
use probity_server::api::ledger::EventView;
use probity_server::api::outlets::OutletView;
use probity_store::ledger::{EventQuery, OutletEntry};
use serde::Serialize;

use super::change::Research;
use super::target;
use super::view::event_line;
use crate::app::App;
use crate::output;

/// How many of the latest events are shown.
const LATEST: i64 = 5;

/// What may be typed after `probity outlets show`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The outlet's domain, or the address of one of its pages.
    #[arg(value_name = "OUTLET")]
    outlet: String,
}

#[derive(Serialize)]
struct ShowView {
    #[serde(flatten)]
    outlet: OutletView,
    research: Research,
    latest: Vec<EventView>,
}

/// Runs `probity outlets show`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let outlet = target::read(&args.outlet, app)?.outlet;
    let store = app.store().await?;
    let query = EventQuery {
        outlet: Some(outlet.clone()),
        newest_first: true,
        limit: Some(LATEST),
        ..EventQuery::default()
    };
    let mut scorer = app.scorer_without_ledger()?;
    scorer.learn(store.known_of(std::slice::from_ref(&outlet), scorer.policy()).await?);
    let research = Research::new(&scorer.authority_of(&outlet));
    let (entry, latest) = (store.outlet(&outlet).await?, store.events(&query).await?);
    let view = OutletView::of(&outlet, entry.clone());
    if app.json {
        let latest = latest.iter().map(EventView::new).collect();
        output::print_json(&ShowView { outlet: view, research, latest })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = output::stdout();
    writeln!(out, "{}", app.style.stdout(Ansi::new().bold(), &view.outlet))?;
    if let Some(name) = &view.name {
        writeln!(out, "  name      {}", printable::line(name))?;
    }
    writeln!(out, "  score     {:.3}  {}", view.score, view.band)?;
    writeln!(out, "  research  {:.3}  {}", research.authority, research.explanation)?;
    match &entry {
        None => writeln!(out, "  codings   none: the ledger does not know it")?,
        Some(OutletEntry { seeded: Some(seeded), .. }) => writeln!(out, "  seeded    {seeded:.3}")?,
        Some(entry) => writeln!(out, "  since     {}", entry.first_seen.date())?,
    }
    if entry.is_some() {
        writeln!(out, "  events    {}", view.events)?;
    }
    for event in &latest {
        writeln!(out, "  {}", event_line(event, app))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
