//! The prompts: files, and the one way to write them.

use std::sync::LazyLock;

use probity_model::prompt::{Prompts, RULES};
use probity_model::{Request, Schema, Task};
use serde::Serialize;

use super::super::AnalystError;

/// What is said of an answer that could not be used.
const REPAIR: &str = include_str!("../../../prompts/repair.txt");

const FILES: &[(&str, &str)] = &[
    ("plan", include_str!("../../../prompts/plan.txt")),
    ("gather", include_str!("../../../prompts/gather.txt")),
    ("summarise", include_str!("../../../prompts/summarise.txt")),
    ("gaps", include_str!("../../../prompts/gaps.txt")),
    ("score", include_str!("../../../prompts/score.txt")),
    ("synthesise", include_str!("../../../prompts/synthesise.txt")),
    ("explain", include_str!("../../../prompts/explain.txt")),
    ("criticise", include_str!("../../../prompts/criticise.txt")),
    ("check", include_str!("../../../prompts/check.txt")),
];

static PROMPTS: LazyLock<Result<Prompts, String>> =
    LazyLock::new(|| Prompts::new(RULES, FILES).map_err(|error| error.to_string()));

/// A request that a prompt makes; its answer has a shape where one is given.
pub(super) fn request(
    task: Task,
    values: impl Serialize,
    schema: Option<Schema>,
) -> Result<Request, AnalystError> {
    let prompts = PROMPTS.as_ref().map_err(|error| AnalystError::Failed(error.clone()))?;
    let request = prompts.request(task.as_str(), task, values, schema);
    request.map_err(|error| AnalystError::Failed(error.to_string()))
}

/// What is said of an answer that could not be used.
pub(super) fn repair(problem: &str) -> String {
    REPAIR.trim().replace("{{ problem }}", &probity_model::untrusted::escape(problem))
}
