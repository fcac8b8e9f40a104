//! The prompts: files, and the one way to write them.

use std::sync::LazyLock;

use probity_model::prompt::{Prompts, RULES};
use probity_model::{Request, Schema, Task};
use serde::Serialize;
use serde_json::json;

use super::super::AnalystError;
use crate::run::RunSpec;

/// How statements are written, for every prompt that asks for some.
const STATEMENTS: &str = include_str!("../../../prompts/statements.txt");
/// What is said of an answer that could not be used.
const REPAIR: &str = include_str!("../../../prompts/repair.txt");

/// The prompt that has several sources scored at once.
pub(super) const SCORE_BATCH: &str = "score_batch";

const FILES: &[(&str, &str)] = &[
    ("plan", include_str!("../../../prompts/plan.txt")),
    ("gather", include_str!("../../../prompts/gather.txt")),
    ("summarise", include_str!("../../../prompts/summarise.txt")),
    ("gaps", include_str!("../../../prompts/gaps.txt")),
    ("score", include_str!("../../../prompts/score.txt")),
    (SCORE_BATCH, include_str!("../../../prompts/score_batch.txt")),
    ("synthesise", include_str!("../../../prompts/synthesise.txt")),
    ("outline", include_str!("../../../prompts/outline.txt")),
    ("section", include_str!("../../../prompts/section.txt")),
    ("lead", include_str!("../../../prompts/lead.txt")),
    ("explain", include_str!("../../../prompts/explain.txt")),
    ("criticise", include_str!("../../../prompts/criticise.txt")),
    ("check", include_str!("../../../prompts/check.txt")),
];

static PROMPTS: LazyLock<Result<Prompts, String>> =
    LazyLock::new(|| Prompts::new(RULES, FILES).map_err(|error| error.to_string()));

/// What every prompt of a run knows. It comes before what differs from call to call, so that providers which
/// keep what requests begin with have it already.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    today: String,
    language: String,
    style: &'static str,
}

impl Frame {
    /// What the prompts of a run know.
    pub(super) fn of(spec: &RunSpec) -> Self {
        let language = spec.shape.language.as_ref().map(ToString::to_string);
        Self {
            today: spec.asked_at.date().to_string(),
            language: language.unwrap_or_else(|| "the language of the question".to_owned()),
            style: spec.shape.style.instruction(),
        }
    }

    /// A request that the prompt of a task makes; its answer has a shape where one is given.
    pub(super) fn request(
        &self,
        task: Task,
        values: impl Serialize,
        schema: Option<Schema>,
    ) -> Result<Request, AnalystError> {
        self.request_by(task.as_str(), task, values, schema)
    }

    /// A request that another prompt of a task makes.
    pub(super) fn request_by(
        &self,
        name: &str,
        task: Task,
        values: impl Serialize,
        schema: Option<Schema>,
    ) -> Result<Request, AnalystError> {
        let failed = |error: String| AnalystError::Failed(error);
        let prompts = PROMPTS.as_ref().map_err(|error| failed(error.clone()))?;
        let mut values = serde_json::to_value(values).map_err(|error| failed(error.to_string()))?;
        if let Some(values) = values.as_object_mut() {
            values.insert("today".to_owned(), json!(self.today));
            values.insert("language".to_owned(), json!(self.language));
            values.insert("style".to_owned(), json!(self.style));
            values.insert("statements".to_owned(), json!(STATEMENTS.trim()));
        }
        let request = prompts.request(name, task, values, schema);
        request.map_err(|error| failed(error.to_string()))
    }
}

/// What is said of an answer that could not be used.
pub(super) fn repair(problem: &str) -> String {
    REPAIR.trim().replace("{{ problem }}", &probity_model::untrusted::escape(problem))
}
