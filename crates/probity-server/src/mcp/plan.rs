//! `plan_research` and `approve_plan`: a plan before a run, and the run once the plan is right.

use rmcp::model::JsonObject;
use rmcp::service::{RequestContext, RoleServer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Agent;
use super::answer::{ToolAnswer, read};
use super::research::{Input, Output, Until, Waited, asked, finished, given_up, watch};
use crate::access::Caller;
use crate::api::plan::{Approval, OfferView, PlanState, PlanView, give, waiting};
use crate::api::research::ask;
use crate::backend::Ask;
use crate::problem::Problem;

/// What `approve_plan` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ApproveInput {
    /// The run that waits, by its id.
    #[schemars(length(max = 100))]
    run_id: String,
    /// The plan to follow instead of the one that was offered.
    plan: Option<PlanView>,
    /// The answer to what was asked back; the plan is made again with it.
    #[schemars(length(max = 1000))]
    answer: Option<String>,
}

/// What `plan_research` gives.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PlanOutput {
    /// The run's id, for `approve_plan`.
    run_id: String,
    #[serde(flatten)]
    offer: OfferView,
}

/// What `approve_plan` gives.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ApproveOutput {
    /// The report, where the run has come to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<Output>,
    /// The plan that waits now, where an answer led to another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    offer: Option<PlanOutput>,
}

/// Plans a run and stops before anything is searched for.
pub(super) async fn plan_research(
    agent: &Agent,
    caller: &Caller,
    arguments: JsonObject,
    context: &RequestContext<RoleServer>,
) -> Result<ToolAnswer, Problem> {
    let input: Input = read(arguments)?;
    let asked = Ask { approve: true, clarify: true, ..asked(input) };
    let id = ask(&agent.server, caller, &asked).await?;
    match watch(agent, &id, context, Until::Offer(1)).await {
        Waited::Offered => {
            let output = offered(agent, &id).await?;
            ToolAnswer::new(summary(&output), &output)
        }
        Waited::Ended => Err(finished(agent, &id).await.err().unwrap_or_else(|| {
            Problem::conflict(format!("run {id} ended without a plan to approve"))
        })),
        other => Err(given_up(agent, &id, other).await),
    }
}

/// Has a run go on with its plan, and follows it to its end.
pub(super) async fn approve_plan(
    agent: &Agent,
    caller: &Caller,
    arguments: JsonObject,
    context: &RequestContext<RoleServer>,
) -> Result<ToolAnswer, Problem> {
    let ApproveInput { run_id: id, plan, answer } = read(arguments)?;
    let was = give(&agent.server, caller, &id, Approval { plan, answer }).await?;
    match watch(agent, &id, context, Until::Offer(was.number + 1)).await {
        Waited::Offered => {
            let output = offered(agent, &id).await?;
            let text = summary(&output);
            ToolAnswer::new(text, &ApproveOutput { report: None, offer: Some(output) })
        }
        Waited::Ended => {
            let (text, output) = finished(agent, &id).await?;
            ToolAnswer::new(text, &ApproveOutput { report: Some(output), offer: None })
        }
        other => Err(given_up(agent, &id, other).await),
    }
}

async fn offered(agent: &Agent, id: &str) -> Result<PlanOutput, Problem> {
    let offer = waiting(&agent.server, id).await?;
    Ok(PlanOutput { run_id: id.to_owned(), offer: offer.into() })
}

/// An offer in a few lines.
fn summary(output: &PlanOutput) -> String {
    let id = &output.run_id;
    let OfferView { state: PlanState::Waiting, plan: Some(plan), clarify, until } = &output.offer
    else {
        return format!("Nothing of run {id} waits for approval.");
    };
    let back = clarify.as_ref().map(|back| format!("\nIt asks back: {back}\n"));
    let plan = probity_research::plan_file::write(&plan.clone().into());
    format!(
        "Run {id} waits until {} with this plan:\n\n{plan}{}\n`approve_plan` continues it.",
        until.as_deref().unwrap_or("it is approved"),
        back.unwrap_or_default()
    )
}
