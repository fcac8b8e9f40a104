//! `probity outlets export`: all scores, or the whole log.

use std::io::Write;
use std::process::ExitCode;

use probity_server::api::ledger::EventView;
use probity_server::api::outlets::OutletView;
use probity_store::Store;
use probity_store::ledger::{EventQuery, OutletEntry, OutletOrder, OutletQuery, PAGE_ROWS};

use crate::app::App;
use crate::output;

/// What may be typed after `probity outlets export`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The whole log as JSON lines, enough to verify it without Probity.
    #[arg(long)]
    events: bool,
}

/// Runs `probity outlets export`. CSV as `import` takes it; with --json, one JSON line an outlet.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let mut out = output::stdout();
    if args.events {
        write_events(&store, &mut out).await?;
    } else if app.json {
        for entry in outlets(&store).await? {
            serde_json::to_writer(&mut out, &OutletView::from(entry))?;
            writeln!(out)?;
        }
    } else {
        let mut table = csv::Writer::from_writer(&mut out);
        table.write_record(["domain", "score", "name"])?;
        for entry in outlets(&store).await? {
            let score = entry.score.to_string();
            table.write_record([
                entry.outlet.as_str(),
                score.as_str(),
                entry.name.as_deref().unwrap_or_default(),
            ])?;
        }
        table.flush()?;
        drop(table);
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

async fn outlets(store: &Store) -> anyhow::Result<Vec<OutletEntry>> {
    let mut all = Vec::new();
    loop {
        let query = OutletQuery {
            order: OutletOrder::Domain,
            limit: Some(PAGE_ROWS),
            offset: i64::try_from(all.len())?,
            ..OutletQuery::default()
        };
        let page = store.outlets(&query).await?;
        if page.items.is_empty() {
            return Ok(all);
        }
        all.extend(page.items);
    }
}

async fn write_events(store: &Store, out: &mut impl Write) -> anyhow::Result<()> {
    let mut after = 0;
    loop {
        let query = EventQuery { after: Some(after), ..EventQuery::default() };
        let page = store.events(&query).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = last.seq;
        for record in &page {
            serde_json::to_writer(&mut *out, &EventView::new(record))?;
            writeln!(out)?;
        }
    }
}
