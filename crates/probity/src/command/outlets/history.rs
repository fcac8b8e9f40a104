//! `probity outlets history`: how a score came about, as a table, a plot and an SVG.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use probity_core::{Band, counted};
use probity_credibility::ledger::{EventRecord, History};
use probity_server::api::ledger::EventView;
use probity_server::api::outlets::OutletView;
use probity_store::ledger::{EventQuery, OutletEntry, PAGE_ROWS};
use serde::Serialize;

use super::target;
use super::view::event_line;
use crate::app::App;
use crate::failure::{WithHint as _, usage};
use crate::{atomic_file, output};

/// The widest plot; a wider one is no more readable.
const PLOT_WIDTH: usize = 120;
/// How many events the table shows by default.
const LIMIT: i64 = 20;

/// What may be typed after `probity outlets history`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The outlet's domain, or the address of one of its pages.
    #[arg(value_name = "OUTLET")]
    outlet: String,
    /// Write the plot to a file as SVG.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Show at most N of the latest events; the plot shows up to 10,000.
    #[arg(long, value_name = "N", default_value_t = LIMIT, value_parser = clap::value_parser!(i64).range(1..=PAGE_ROWS))]
    limit: i64,
}

#[derive(Serialize)]
struct HistoryView {
    #[serde(flatten)]
    outlet: OutletView,
    history: Vec<EventView>,
}

/// Runs `probity outlets history`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let outlet = target::read(&args.outlet, app)?.outlet;
    let store = app.store().await?;
    let Some(entry) = store.outlet(&outlet).await? else {
        return Err(usage(format!("the ledger has no events for {outlet} yet")))
            .hint(format!("`probity outlets show {outlet}` says what it counts for"));
    };
    let query = EventQuery { outlet: Some(outlet), newest_first: true, ..EventQuery::default() };
    let mut events = store.events(&query).await?;
    events.reverse();
    let picture = History::new(entry.outlet.as_str(), entry.score, &events);
    if let Some(file) = &args.svg {
        atomic_file::file(file, picture.svg().as_bytes())?;
    }
    let shown = usize::try_from(args.limit).unwrap_or(usize::MAX);
    let shown = events.get(events.len().saturating_sub(shown)..).unwrap_or_default();
    if app.json {
        let history = shown.iter().map(EventView::new).collect();
        output::print_json(&HistoryView { outlet: OutletView::from(entry), history })?;
    } else {
        print_text(&entry, shown, &picture, app)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_text(
    entry: &OutletEntry,
    shown: &[EventRecord],
    picture: &History,
    app: &App,
) -> anyhow::Result<()> {
    let mut out = output::stdout();
    let outlet = app.style.stdout(anstyle::Style::new().bold(), entry.outlet.as_str());
    writeln!(out, "{outlet}  {:.3}  {}", entry.score, Band::of(entry.score).words())?;
    write!(out, "{}", picture.terminal(app.style.width().min(PLOT_WIDTH)))?;
    let left_out = entry.events - i64::try_from(shown.len()).unwrap_or(0);
    if left_out > 0 {
        let left_out = counted(left_out, "earlier event is", "earlier events are");
        writeln!(out, "{left_out} not listed; --limit shows more")?;
    }
    for event in shown {
        writeln!(out, "{}", event_line(event, app))?;
    }
    Ok(out.flush()?)
}
