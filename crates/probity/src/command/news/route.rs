//! `probity news route`: what becomes of each category, and on which numbers.

use std::io::Write as _;
use std::process::ExitCode;

use probity_core::printable;
use probity_store::topics::{Action, Category, RoutingRecord};
use serde::Serialize;

use super::categories::explain;
use crate::app::App;
use crate::output;

/// What may be typed after `probity news route`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only this category.
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    /// Say how the decision came about, and show the ones before it.
    #[arg(long)]
    explain: bool,
}

/// How many decisions are shown with `--explain`.
const HISTORY: i64 = 10;

#[derive(Serialize)]
struct View<'a> {
    name: &'a str,
    #[serde(flatten)]
    decision: Option<&'a RoutingRecord>,
    why: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    history: Vec<&'a RoutingRecord>,
}

/// Runs `probity news route`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let categories: Vec<Category> = match &args.category {
        Some(name) => vec![store.category(name).await.map_err(explain)?],
        None => store.categories().await?,
    };
    let mut decided = Vec::with_capacity(categories.len());
    for category in &categories {
        let limit = if args.explain { HISTORY } else { 1 };
        decided.push((category, store.routings(category.id, limit).await?));
    }
    if app.json {
        let views: Vec<View<'_>> = decided
            .iter()
            .map(|(category, all)| View {
                name: &category.name,
                decision: all.first(),
                why: all.first().map(why).unwrap_or_default(),
                history: if args.explain { all.iter().collect() } else { Vec::new() },
            })
            .collect();
        output::print_json(&views)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = output::stdout();
    for (category, all) in &decided {
        let name = printable::line(&category.name);
        let Some(last) = all.first() else {
            writeln!(out, "{name:<20}  nothing decided yet")?;
            continue;
        };
        let mean = last.mean.map_or("-".to_owned(), |mean| format!("{mean:.3}"));
        writeln!(
            out,
            "{name:<20}  {:<10}  × {:.2}  mean {mean} of {}",
            last.action.as_str(),
            last.factor,
            last.representatives
        )?;
        if args.explain {
            writeln!(out, "    {}", why(last))?;
            for one in all {
                let mean = one.mean.map_or("-".to_owned(), |mean| format!("{mean:.3}"));
                writeln!(out, "    {}  {:<10}  mean {mean}", one.at, one.action.as_str())?;
            }
        }
    }
    out.flush()?;
    if categories.is_empty() {
        output::note("There are no categories; `probity news categories add` adds one.");
    }
    Ok(ExitCode::SUCCESS)
}

/// Why it was decided so, in a sentence.
fn why(made: &RoutingRecord) -> String {
    let RoutingRecord { keep, skip, representatives, factor, .. } = made;
    let Some(mean) = made.mean else {
        return "No article speaks for it yet, so nothing speaks against it.".to_owned();
    };
    let of = format!(
        "The {representatives} articles that speak for its topics have a mean credibility of {mean:.3}"
    );
    match made.action {
        Action::Scored => format!("{of}, at or above {keep}: scored as usual."),
        Action::Downranked => format!(
            "{of}, between {skip} and {keep}: ranks are multiplied by \
             ({mean:.3} − {skip}) / ({keep} − {skip}) = {factor:.2}."
        ),
        Action::Skipped => {
            let again = made.retry_at.map_or("in the next run".to_owned(), |at| at.to_string());
            format!(
                "{of}, below {skip}: its new articles are left aside until the mean recovers, and \
                 tried again at {again} (put off {} times).",
                made.retries
            )
        }
    }
}
