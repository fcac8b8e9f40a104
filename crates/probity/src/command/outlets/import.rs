//! `probity outlets import`: scores from a CSV file, all of them or none.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use probity_core::{counted, printable};
use probity_credibility::ledger::{Alpha, ImportRow, Name, Provenance, RATINGS_BYTES, Ratings};
use probity_credibility::outlet::Resolver;
use probity_store::ledger::{Conflict, Imported, Intent};
use serde::Serialize;

use super::change::{self, ChangeView};
use crate::app::App;
use crate::failure::{WithHint as _, cannot_read, usage};
use crate::output;

/// How many bad rows are named.
const BAD_ROWS: usize = 5;

/// What may be typed after `probity outlets import`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A CSV file with the columns domain, score and, if you like, name, or a JSON list of objects with
    /// these fields; `-` reads stdin.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where the scores come from; the name of the file by default.
    #[arg(long, value_name = "LABEL", visible_alias = "label")]
    provenance: Option<String>,
    /// How far scores that outlets have already move to the list's, from 0 to 1: all the way by default.
    /// A list of less weight counts once.
    #[arg(long, value_name = "NUMBER", default_value_t = 1.0, allow_negative_numbers = true)]
    weight: f64,
    /// Who imports them.
    #[arg(long, value_name = "NAME", default_value = "import")]
    by: String,
    /// Why, in one line.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Show what would happen, and write nothing.
    #[arg(long)]
    dry_run: bool,
}

#[derive(Serialize)]
struct ImportView<'a> {
    dry_run: bool,
    provenance: &'a str,
    changed: usize,
    unchanged: usize,
    conflicts: Vec<ConflictView<'a>>,
    events: Vec<ChangeView>,
}

/// An outlet that the list sees quite differently.
#[derive(Serialize)]
struct ConflictView<'a> {
    outlet: &'a str,
    had: f64,
    rated: f64,
}

/// Runs `probity outlets import`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let signature = change::signature(&args.by, args.note.as_deref())?;
    let label = args.provenance.clone().unwrap_or_else(|| file_name(&args.file));
    let label = Name::new(&label)
        .map_err(|error| usage(error.to_string().replace("the name", "the provenance")))?;
    let text = read(&args.file)?;
    let resolver = Resolver::new(&app.settings.credibility.outlets)
        .context("the configuration of outlets cannot be used")?;
    let weight = Alpha::new(args.weight)
        .map_err(|error| usage(error.to_string().replace("an alpha", "a weight")))?;
    let rows = parse(&text, &resolver).map_err(|problem| {
        usage(format!("{}: {problem}", printable::line(&args.file.display().to_string())))
    });
    let rows = rows.hint("nothing was imported; fix these rows and import the file again")?;
    let provenance = Provenance { label, signature };
    let intent = if args.dry_run { Intent::Preview } else { Intent::Apply };
    let done = app.store().await?.import_scores(&rows, &provenance, weight, intent).await;
    print(&done.map_err(change::explain)?, &provenance, intent, app)?;
    Ok(ExitCode::SUCCESS)
}

fn file_name(file: &Path) -> String {
    match file.file_name() {
        Some(name) if name != "-" => name.to_string_lossy().into_owned(),
        _ => "stdin".to_owned(),
    }
}

fn read(file: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let cannot = |error| cannot_read(file, error);
    let mut source: Box<dyn std::io::Read> = match file.to_str() {
        Some("-") => Box::new(std::io::stdin().lock()),
        _ => Box::new(std::fs::File::open(file).map_err(cannot)?),
    };
    source.by_ref().take(RATINGS_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() > RATINGS_BYTES {
        return Err(usage(format!("{} is larger than {RATINGS_BYTES} bytes", file.display())));
    }
    String::from_utf8(bytes).map_err(|error| {
        let before = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        usage(format!("{}: line {line} is not UTF-8", file.display()))
    })
}

/// Every row of the list; one bad line keeps all of them out.
fn parse(text: &str, resolver: &Resolver) -> Result<Vec<ImportRow>, String> {
    let Ratings { rows, bad } = Ratings::read(text, resolver).map_err(|error| error.to_string())?;
    if bad.is_empty() {
        return Ok(rows);
    }
    let more = bad.len().saturating_sub(BAD_ROWS);
    let named: Vec<String> = bad.iter().take(BAD_ROWS).map(ToString::to_string).collect();
    let tail = if more > 0 { format!("; and {more} more") } else { String::new() };
    Err(format!("{}{tail}", named.join("; ")))
}

fn print(
    imported: &Imported,
    provenance: &Provenance,
    intent: Intent,
    app: &App,
) -> anyhow::Result<()> {
    let (changed, unchanged) = (imported.events.len(), imported.unchanged);
    if app.json {
        let events = imported.events.iter();
        let events = events.map(|event| ChangeView::new(event, intent, None)).collect();
        return output::print_json(&ImportView {
            dry_run: intent == Intent::Preview,
            provenance: provenance.label.as_str(),
            changed,
            unchanged,
            conflicts: imported.conflicts.iter().map(conflict).collect(),
            events,
        });
    }
    let mut out = output::stdout();
    for event in &imported.events {
        writeln!(out, "{}", change::describe(event, intent, app))?;
    }
    for one in &imported.conflicts {
        let Conflict { outlet, had, rated } = one;
        writeln!(out, "conflict: {outlet} had {had:.2}, the list says {rated:.2}")?;
    }
    let verb = if intent == Intent::Preview { "would change" } else { "changed" };
    let changed = counted(changed, "outlet", "outlets");
    writeln!(out, "{changed} {verb}, {unchanged} already had that score")?;
    Ok(out.flush()?)
}

fn conflict(one: &Conflict) -> ConflictView<'_> {
    ConflictView { outlet: one.outlet.as_str(), had: one.had, rated: one.rated }
}
