//! `probity outlets list`: outlets with their scores.

use std::io::Write as _;
use std::process::ExitCode;

use clap::ValueEnum;
use probity_core::{Band, printable};
use probity_server::api::outlets::OutletView;
use probity_store::ledger::{OutletOrder, OutletQuery};
use serde::Serialize;

use crate::app::App;
use crate::failure::usage;
use crate::output;

/// How many outlets are listed by default.
const LIMIT: i64 = 100;

/// What may be typed after `probity outlets list`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only outlets with this text in their domain or name.
    #[arg(value_name = "TEXT")]
    text: Option<String>,
    /// Only outlets with at least this score.
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true)]
    min: Option<f64>,
    /// Only outlets with a score below this.
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true)]
    below: Option<f64>,
    /// What to sort by.
    #[arg(long, value_name = "ORDER", default_value = "score")]
    sort: Sort,
    /// Sort the other way round.
    #[arg(long)]
    reverse: bool,
    /// List at most N.
    #[arg(long, value_name = "N", default_value_t = LIMIT, value_parser = clap::value_parser!(i64).range(1..=10_000))]
    limit: i64,
    /// Skip the first N.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(i64).range(0..))]
    offset: i64,
}

/// What a list is sorted by.
#[derive(Clone, Copy, ValueEnum)]
enum Sort {
    /// The highest score first.
    Score,
    /// By domain.
    Domain,
    /// The latest change first.
    Changed,
    /// The most events first.
    Events,
}

#[derive(Serialize)]
struct ListView {
    total: i64,
    offset: i64,
    outlets: Vec<OutletView>,
}

/// Runs `probity outlets list`.
pub(crate) async fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    for bound in [args.min, args.below].into_iter().flatten() {
        if !(0.0..=1.0).contains(&bound) {
            return Err(usage(format!("a score of {bound} is outside 0 to 1")));
        }
    }
    let query = OutletQuery {
        text: args.text,
        at_least: args.min,
        below: args.below,
        order: match args.sort {
            Sort::Score => OutletOrder::Score,
            Sort::Domain => OutletOrder::Domain,
            Sort::Changed => OutletOrder::Changed,
            Sort::Events => OutletOrder::Events,
        },
        reversed: args.reverse,
        limit: Some(args.limit),
        offset: args.offset,
    };
    let page = app.store().await?.outlets(&query).await?;
    if app.json {
        let outlets = page.items.into_iter().map(OutletView::from).collect();
        output::print_json(&ListView { total: page.total, offset: args.offset, outlets })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = output::stdout();
    let widest =
        page.items.iter().map(|entry| entry.outlet.as_str().len()).max().unwrap_or(6).min(40);
    let header = format!("score  {:<widest$}  events  {:<20}  name", "outlet", "reading");
    writeln!(out, "{}", app.style.stdout(anstyle::Style::new().bold(), &header))?;
    for entry in &page.items {
        let line = format!(
            "{:.3}  {:<widest$}  {:>6}  {:<20}  {}",
            entry.score,
            entry.outlet.as_str(),
            entry.events,
            Band::of(entry.score).words(),
            entry.name.as_deref().unwrap_or(""),
        );
        writeln!(out, "{}", printable::brief(line.trim_end(), app.style.width().max(60)))?;
    }
    let shown = i64::try_from(page.items.len()).unwrap_or(i64::MAX);
    if shown < page.total {
        writeln!(out, "{shown} of {} outlets; --limit and --offset show others", page.total)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
