//! `probity outlets show`: one outlet, and how its score came about.

use std::io::Write as _;
use std::process::ExitCode;

use anstyle::Style as Ansi;
use probity_core::{Band, Outlet, printable};
use probity_store::Store;
use probity_store::ledger::{EventQuery, LedgerError, OutletEntry};
use serde::Serialize;

use super::view::{EventView, OutletView, event_line};
use super::{change, target};
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
struct ShowView<'a> {
    #[serde(flatten)]
    outlet: OutletView<'a>,
    latest: Vec<EventView<'a>>,
}

/// Runs `probity outlets show`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let outlet = target::read(&args.outlet, app)?.outlet;
    let store = app.store().await?;
    let entry = known(&store, &outlet).await?;
    let query = EventQuery {
        outlet: Some(outlet),
        newest_first: true,
        limit: Some(LATEST),
        ..EventQuery::default()
    };
    let latest = store.events(&query).await?;
    if app.json {
        let latest = latest.iter().map(EventView::new).collect();
        output::print_json(&ShowView { outlet: OutletView::new(&entry), latest })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = output::stdout();
    writeln!(out, "{}", app.style.stdout(Ansi::new().bold(), entry.outlet.as_str()))?;
    if let Some(name) = &entry.name {
        writeln!(out, "  name    {}", printable::line(name))?;
    }
    writeln!(out, "  score   {:.3}  {}", entry.score, Band::of(entry.score).words())?;
    match entry.seeded {
        Some(seeded) => writeln!(out, "  seeded  {seeded:.3}")?,
        None => writeln!(out, "  since   {}", entry.first_seen.date())?,
    }
    writeln!(out, "  events  {}", entry.events)?;
    for event in &latest {
        writeln!(out, "  {}", event_line(event, app))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// An outlet that has a row.
pub(crate) async fn known(store: &Store, outlet: &Outlet) -> anyhow::Result<OutletEntry> {
    match store.outlet(outlet).await? {
        Some(entry) => Ok(entry),
        None => Err(change::unknown(LedgerError::UnknownOutlet(outlet.clone()))),
    }
}
