//! `probity news route`: the outcome for each category, and on which numbers.

use std::io::Write as _;
use std::process::ExitCode;

use probity_core::printable;
use probity_news::topic_view::{Decided, why_routed};
use probity_server::api::routing::RoutingView;
use probity_store::topics::Category;

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

/// Runs `probity news route`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let categories: Vec<Category> = match &args.category {
        Some(name) => vec![store.category(name).await.map_err(explain)?],
        None => store.categories().await?,
    };
    let mut decided = Vec::with_capacity(categories.len());
    for category in categories {
        let limit = if args.explain { HISTORY } else { 1 };
        let decisions = store.routings(category.id, limit).await?;
        decided.push(Decided { category, decisions });
    }
    if app.json {
        let views: Vec<RoutingView> =
            decided.iter().map(|one| RoutingView::new(one, args.explain)).collect();
        output::print_json(&views)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = output::stdout();
    for Decided { category, decisions: all } in &decided {
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
            writeln!(out, "    {}", why_routed(last))?;
            for one in all {
                let mean = one.mean.map_or("-".to_owned(), |mean| format!("{mean:.3}"));
                writeln!(out, "    {}  {:<10}  mean {mean}", one.at, one.action.as_str())?;
            }
        }
    }
    out.flush()?;
    if decided.is_empty() {
        output::note("There are no categories; `probity news categories add` adds one.");
    }
    Ok(ExitCode::SUCCESS)
}
