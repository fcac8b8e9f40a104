//! `probity runs plan` and `probity runs approve`: the plan of a run that waits for a word about it.

use std::path::PathBuf;
use std::process::ExitCode;

use probity_research::approve::{self, Approved, Offer, open_offer};
use probity_research::plan_file;
use probity_store::queue::{Requeued, RunJob};

use super::find;
use super::repeat::spec_of;
use crate::app::App;
use crate::command::research::owner;
use crate::failure::{WithHint as _, usage};
use crate::output;
use crate::plan;

/// What may be typed after `probity runs plan`.
#[derive(clap::Args)]
pub(crate) struct PlanArgs {
    /// The run: its id, the beginning of it, or `last`.
    run: String,
}

/// What may be typed after `probity runs approve`.
#[derive(clap::Args)]
pub(crate) struct ApproveArgs {
    /// The run: its id, the beginning of it, or `last`.
    run: String,
    /// Follow the plan of this file (`-` for stdin) instead of the one that is offered.
    #[arg(long, value_name = "FILE", conflicts_with = "answer")]
    plan_file: Option<PathBuf>,
    /// Answer the model's question; it then plans again.
    #[arg(long, value_name = "TEXT")]
    answer: Option<String>,
}

/// Shows the plan that waits.
pub(crate) async fn show(args: &PlanArgs, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let record = find(&store, &args.run).await?;
    let spec = spec_of(&record)?;
    let entries = store.journal(&spec.run_id).await?;
    let Some(offer) = open_offer(spec.question.as_str(), &entries) else {
        return Err(usage(format!("no plan of run {} waits for approval", spec.run_id)));
    };
    if app.json {
        output::print_json(&offer)?;
        return Ok(ExitCode::SUCCESS);
    }
    let Offer { plan, clarify, until, .. } = offer;
    output::print_line(plan_file::write(&plan).trim_end())?;
    if !clarify.is_empty() {
        output::note(&format!("The model asks back: {clarify}"));
    }
    output::note(&format!(
        "It waits until {until}; approve it with: probity runs approve {}",
        spec.run_id
    ));
    Ok(ExitCode::SUCCESS)
}

/// Approves the plan that waits, as it is, changed, or with an answer.
pub(crate) async fn approve(args: &ApproveArgs, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let record = find(&store, &args.run).await?;
    let spec = spec_of(&record)?;
    let plan = args.plan_file.as_deref().map(plan::read).transpose()?;
    let approved = Approved { plan, answer: args.answer.clone() };
    let question = spec.question.as_str();
    let given = approve::give(&store, &spec.run_id, question, approved, app.clock.now()).await;
    given.map_err(|error| usage(error.to_string()))?;
    let id = &spec.run_id;
    if store.job(id).await?.is_none() {
        output::print_line(&format!("Approved; continue with: probity runs resume {id}"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let owner = owner();
    let settings = &app.settings.queue;
    let job = RunJob { failures_most: settings.failures_most, ..RunJob::of(&owner) };
    match store.requeue_run(id, &job, settings.limits()).await? {
        Requeued::Queued | Requeued::Open => {
            output::print_line(&format!("Approved; a worker continues run {id}"))?;
            Ok(ExitCode::SUCCESS)
        }
        Requeued::Finished | Requeued::Unknown => Err(usage(format!("run {id} has ended"))),
        Requeued::Full => Err(anyhow::anyhow!(
            "the plan of {id} is approved, but too many runs wait"
        ))
        .hint(
            "start more workers, wait, or raise the limits in [queue]; then: probity runs resume",
        ),
    }
}
