//! `probity bench credibility`: how well authority agrees with ratings from elsewhere.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use probity_core::{WebUrl, printable};
use probity_credibility::Scorer;
use probity_credibility::evaluate::{Figures, RELIABLE, Rated, figures};
use serde::Serialize;

use crate::app::App;
use crate::failure::{WithHint as _, cannot_read, usage};
use crate::output;

/// The largest file that is read.
const FILE_BYTES: u64 = 64 * 1024 * 1024;
/// Columns that name the outlet, and those that rate it.
const HOST: [&str; 3] = ["host", "domain", "outlet"];
const RATING: [&str; 4] = ["rating", "score", "pc1", "label"];

/// What may be typed after `probity bench credibility`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A CSV file with the columns host and rating (0 to 1), or label (1 reliable, -1 not, 0 left out).
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Leave the ledger out.
    #[arg(long)]
    no_ledger: bool,
}

#[derive(Serialize)]
struct View {
    #[serde(flatten)]
    figures: Figures,
    /// How many outlets each source of authority speaks for.
    coverage: BTreeMap<String, usize>,
    /// Rows that name no outlet or no rating.
    passed_over: usize,
}

/// Runs `probity bench credibility`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let scorer = match args.no_ledger {
        true => app.scorer_without_ledger()?,
        false => app.scorer().await?,
    };
    let view = compare(args, &scorer)?;
    if app.json {
        output::print_json(&view)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = output::stdout();
    let Figures { outlets, reliable, auc, spearman, error, calibration } = &view.figures;
    let shown = |value: &Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.3}"));
    writeln!(out, "outlets      {outlets}, {reliable} of them rated {RELIABLE} or more")?;
    writeln!(out, "AUC          {}", shown(auc))?;
    writeln!(out, "Spearman     {}", shown(spearman))?;
    writeln!(out, "error        {error:.3}")?;
    let groups = calibration.iter().map(|one| format!("{:.2}→{:.2}", one.predicted, one.rated));
    writeln!(out, "calibration  {}", groups.collect::<Vec<_>>().join("  "))?;
    let parts = view.coverage.iter().map(|(source, count)| format!("{source} {count}"));
    writeln!(out, "coverage     {}", parts.collect::<Vec<_>>().join(", "))?;
    if view.passed_over > 0 {
        writeln!(out, "skipped      {}", view.passed_over)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn compare(args: &Args, scorer: &Scorer) -> anyhow::Result<View> {
    let file = &args.file;
    let size = std::fs::metadata(file).map_err(|error| cannot_read(file, error))?.len();
    if size > FILE_BYTES {
        return Err(usage(format!("{} is larger than {FILE_BYTES} bytes", file.display())));
    }
    let broken = |error: csv::Error| {
        usage(format!("{}: {}", file.display(), printable::line(&error.to_string())))
    };
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_path(file).map_err(broken)?;
    let header = reader.headers().map_err(broken)?.clone();
    let column = |names: &[&str]| {
        let place = |name: &&str| header.iter().position(|own| own.eq_ignore_ascii_case(name));
        names.iter().find_map(place)
    };
    let (Some(host), Some(rating)) = (column(&HOST), column(&RATING)) else {
        return Err(usage(format!("{} has no columns host and rating", file.display())))
            .hint("the first line names the columns: host,rating");
    };
    let is_label = header.get(rating).is_some_and(|name| name.eq_ignore_ascii_case("label"));
    let (mut pairs, mut coverage, mut passed_over) = (Vec::new(), BTreeMap::new(), 0);
    for record in reader.records() {
        let record = record.map_err(broken)?;
        let url = record
            .get(host)
            .and_then(|host| WebUrl::parse(&format!("https://{}/", host.trim())).ok());
        let rated = record.get(rating).and_then(|text| read_rating(text, is_label));
        let (Some(url), Some(rated)) = (url, rated) else {
            passed_over += 1;
            continue;
        };
        let authority = scorer.authority(&url);
        let source = serde_json::to_value(authority.source())?;
        let source = source.as_str().unwrap_or_default().to_owned();
        *coverage.entry(source).or_insert(0) += 1;
        pairs.push(Rated { predicted: authority.value, rated });
    }
    Ok(View { figures: figures(&pairs), coverage, passed_over })
}

fn read_rating(text: &str, is_label: bool) -> Option<f64> {
    let number: f64 = text.trim().parse().ok()?;
    match is_label {
        true if number > 0.0 => Some(1.0),
        true if number < 0.0 => Some(0.0),
        true => None,
        false => (0.0..=1.0).contains(&number).then_some(number),
    }
}
