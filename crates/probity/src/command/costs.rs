//! `probity costs`: what the stored runs spent on language models.

use std::collections::BTreeMap;
use std::process::ExitCode;

use probity_core::counted;
use probity_report::facts::Usage;
use probity_research::analyst::llm::spent_in;
use probity_store::{RunQuery, RunSummary, Store};
use serde::Serialize;
use serde_json::Value;

use crate::app::App;
use crate::output;

/// What may be typed after `probity costs`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only the latest N runs.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 100)]
    limit: i64,
    /// Also runs that spent nothing.
    #[arg(long)]
    all: bool,
}

#[derive(Serialize)]
struct Cost {
    run_id: String,
    day: String,
    author: String,
    usage: Usage,
}

#[derive(Default, Serialize)]
struct Costs {
    runs: Vec<Cost>,
    by_author: BTreeMap<String, Usage>,
    total: Usage,
}

/// Runs `probity costs`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let mut costs = Costs::default();
    if let Some(store) = app.existing_store().await? {
        let query = RunQuery { limit: Some(args.limit.max(0)), ..RunQuery::default() };
        for run in store.runs(&query).await? {
            let (author, usage) = spent(&store, &run).await?;
            if usage.model_calls == 0 && !args.all {
                continue;
            }
            costs.total.add(&usage);
            let sum = Usage { by_task: BTreeMap::new(), ..usage.clone() };
            costs.by_author.entry(author.clone()).or_default().add(&sum);
            let day = run.asked_at.date().to_string();
            costs.runs.push(Cost { run_id: run.id.into(), day, author, usage });
        }
    }
    if app.json {
        output::print_json(&costs)?;
    } else {
        output::print_line(&table(&costs))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Who wrote a run's report and what the run spent: by its report, or by its journal as long as
/// it has none.
async fn spent(store: &Store, run: &RunSummary) -> anyhow::Result<(String, Usage)> {
    let report = store.run(&run.id).await?.and_then(|record| record.report);
    let report: Value =
        report.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let usage: Option<Usage> =
        report.get("usage").and_then(|usage| serde_json::from_value(usage.clone()).ok());
    match (usage, report.get("author").and_then(Value::as_str)) {
        (Some(usage), Some(author)) => Ok((author.to_owned(), usage)),
        _ => Ok((run.status.as_str().to_owned(), spent_in(&store.journal(&run.id).await?))),
    }
}

fn table(costs: &Costs) -> String {
    if costs.runs.is_empty() {
        return "No stored run has asked a language model.".to_owned();
    }
    let line = |name: &str, day: &str, author: &str, usage: &Usage| {
        let tokens = format!("{} in, {} out", usage.input_tokens, usage.output_tokens);
        format!(
            "{name:<24}  {day:<10}  {author:<34}  {:>4} calls  {tokens:<24}  {}",
            usage.model_calls,
            money(usage)
        )
    };
    let runs = costs.runs.iter().map(|c| line(&c.run_id, &c.day, &c.author, &c.usage));
    let mut lines: Vec<String> = runs.collect();
    lines.push(line("total", "", "", &costs.total));
    for (task, usage) in &costs.total.by_task {
        lines.push(line(&format!("  {task}"), "", "", usage));
    }
    lines.join("\n")
}

/// What was spent, in dollars, with what is not known.
pub(crate) fn money(usage: &Usage) -> String {
    match usage.unpriced_calls {
        0 => format!("${:.4}", usage.cost_usd),
        unknown if unknown >= usage.model_calls => "price not known".to_owned(),
        unknown => {
            let calls = counted(unknown, "call", "calls");
            format!("${:.4} and {calls} of unknown price", usage.cost_usd)
        }
    }
}
