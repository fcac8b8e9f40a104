//! `probity outlets explain`: the authority of an outlet, and everything that says so.

use std::io::Write as _;
use std::process::ExitCode;

use probity_core::{Band, printable};
use probity_credibility::Part;
use probity_credibility::kind::OutletKind;
use probity_credibility::ledger::Credibility;
use probity_store::ledger::EventQuery;
use serde::Serialize;

use super::change::Research;
use super::target;
use crate::app::App;
use crate::output;

/// What may be typed after `probity outlets explain`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The outlet's domain, or the address of one of its pages.
    #[arg(value_name = "OUTLET|URL")]
    outlet: String,
}

/// A list that gave or moved the outlet's score. A list of less weight moves it part of the way.
#[derive(Serialize)]
struct List {
    label: String,
    before: f64,
    score: f64,
    on: String,
}

#[derive(Serialize)]
struct View {
    outlet: String,
    /// What it is, where that is known.
    kind: Option<&'static str>,
    research: Research,
    parts: Vec<Part>,
    newsroom: f64,
    band: &'static str,
    /// Why research and newsroom differ, where they do.
    difference: Option<&'static str>,
    lists: Vec<List>,
}

/// Runs `probity outlets explain`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let target = target::read(&args.outlet, app)?;
    let store = app.store().await?;
    let mut scorer = app.scorer_without_ledger()?;
    let asked = std::slice::from_ref(&target.outlet);
    scorer.learn(store.known_of(asked, scorer.policy()).await?);
    // An address tells more than a domain where authors publish below paths.
    let authority = match &target.url {
        Some(url) => scorer.authority(url),
        None => scorer.authority_of(&target.outlet),
    };
    let entry = store.outlet(&target.outlet).await?;
    let newsroom = entry.map_or(Credibility::NEUTRAL.get(), |entry| entry.score);
    let query = EventQuery { outlet: Some(target.outlet.clone()), ..EventQuery::default() };
    let events = store.events(&query).await?;
    let lists = events.iter().filter_map(|event| {
        let label = event.provenance.clone()?;
        let (before, score) = (event.before, event.after);
        Some(List { label, before, score, on: event.at.date().to_string() })
    });
    let view = View {
        outlet: target.outlet.to_string(),
        difference: authority.difference(newsroom),
        kind: authority.kind().map(OutletKind::words),
        research: Research::new(&authority),
        parts: authority.parts(),
        band: Band::of(newsroom).words(),
        newsroom,
        lists: lists.collect(),
    };
    if app.json {
        output::print_json(&view)?;
    } else {
        print_text(&view, app)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_text(view: &View, app: &App) -> anyhow::Result<()> {
    let mut out = output::stdout();
    writeln!(out, "{}", app.style.stdout(anstyle::Style::new().bold(), &view.outlet))?;
    let Research { authority, explanation } = &view.research;
    writeln!(out, "  research   {authority:.2}  {explanation}")?;
    for Part { part, value, weight, why } in &view.parts {
        let why = printable::brief(why, app.style.width().max(80) * 2);
        writeln!(out, "    {part:<9} {value:>5.2} × {weight:.1}  {why}")?;
    }
    writeln!(out, "  newsroom   {:.2}  {}", view.newsroom, view.band)?;
    if let Some(difference) = view.difference {
        writeln!(out, "             {difference}")?;
    }
    for List { label, before, score, on } in &view.lists {
        let label = printable::line(label);
        writeln!(out, "  list       {score:.2}  {label}, {on}, from {before:.2}")?;
    }
    Ok(out.flush()?)
}
