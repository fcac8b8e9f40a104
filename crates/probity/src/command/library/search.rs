//! `probity library search`: which documents a query finds, and what they say on it.

use std::io::Write as _;
use std::process::ExitCode;

use anstyle::Style as Ansi;
use probity_core::printable;
use probity_store::library::{HITS, LibraryHit};
use serde::Serialize;

use super::{EMPTY, existing, within};
use crate::app::App;
use crate::failure::usage;
use crate::output;

/// What may be typed after `probity library search`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// What to search for: words or a whole question.
    #[arg(value_name = "QUERY", required = true)]
    query: Vec<String>,
    /// Only in this collection.
    #[arg(long, value_name = "NAME")]
    collection: Option<String>,
    /// How many documents to show.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10)]
    limit: usize,
}

/// The results as JSON.
#[derive(Serialize)]
struct Output<'a> {
    query: &'a str,
    hits: &'a [LibraryHit],
}

/// Runs `probity library search`.
pub(crate) async fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    if !(1..=HITS).contains(&args.limit) {
        return Err(usage(format!("--limit must be 1 to {HITS}, not {}", args.limit)));
    }
    let query = args.query.join(" ");
    let library = match existing(app).await? {
        Some(library) => Some(within(library, args.collection.as_deref()).await?),
        None => None,
    };
    let hits = match &library {
        Some(library) => library.search(&query, args.limit).await?,
        None => Vec::new(),
    };
    if app.json {
        output::print_json(&Output { query: &query, hits: &hits })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = output::stdout();
    for (index, found) in hits.iter().enumerate() {
        let title = printable::line(&found.hit.title).into_owned();
        writeln!(out, "{:>3}. {}", index + 1, app.style.stdout(Ansi::new().bold(), &title))?;
        writeln!(out, "     {}", printable::line(found.hit.url.as_str()))?;
        let day = found.hit.published.map(|day| format!(" · {day}")).unwrap_or_default();
        let origin = format!("{}{day} · {}", found.id, printable::line(&found.origin));
        writeln!(out, "     {}", app.style.stdout(Ansi::new().dimmed(), &origin))?;
        writeln!(out, "     {}", printable::line(&found.hit.snippet))?;
    }
    out.flush()?;
    if hits.is_empty() {
        let empty = match &library {
            Some(library) => library.status().await?.documents == 0,
            None => true,
        };
        let query = printable::brief(&query, 80);
        let nothing = format!("No document contains a word of \"{query}\".");
        output::note(if empty { EMPTY } else { &nothing });
    }
    Ok(ExitCode::SUCCESS)
}
