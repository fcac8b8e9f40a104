//! Lists of ratings from elsewhere: looked at first, then imported, all of a list or nothing.

use axum::extract::{Request, State};
use probity_credibility::ledger::{
    Alpha, BadLine, Name, Provenance, RATINGS_BYTES, Ratings, RatingsError,
};
use probity_store::ledger::{Conflict, Imported, Intent};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::ledger::{EventView, Signed};
use super::outlets::resolver;
use super::{Reply, json, tidy};
use crate::access::Caller;
use crate::limits::PAGE_ROWS;
use crate::problem::Problem;
use crate::read::{self, Query, texts};
use crate::state::Server;

/// How many lines that cannot be read a problem names.
const NAMED: usize = 5;

/// Where a list comes from, and how it counts.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ImportParams {
    /// What the list is: a title, an edition, a file.
    #[param(required = true, max_length = 200, example = "Media survey 2026")]
    #[serde(default)]
    pub(crate) provenance: Option<String>,
    /// How far scores that outlets have already move to the list's: all the way by default. A list of less weight
    /// counts once.
    #[param(minimum = 0.0, maximum = 1.0)]
    #[serde(default, deserialize_with = "texts::optional")]
    pub(crate) weight: Option<f64>,
    /// Who imports it; where callers log in, always the caller.
    #[param(max_length = 200)]
    #[serde(default)]
    pub(crate) by: Option<String>,
    /// Why, in one line.
    #[param(max_length = 2000)]
    #[serde(default)]
    pub(crate) note: Option<String>,
    /// Show what would happen, and write nothing.
    #[serde(default, deserialize_with = "texts::optional")]
    pub(crate) dry_run: Option<bool>,
}

/// An outlet that a list sees quite differently.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConflictView {
    /// The outlet.
    pub outlet: String,
    /// The score that it was given before.
    pub had: f64,
    /// What the list says.
    pub rated: f64,
}

/// A line that cannot be read.
#[derive(Debug, Serialize, ToSchema)]
pub struct BadLineView {
    /// The line it begins on, from 1; in a JSON list the entry.
    pub line: u64,
    /// What is wrong with it.
    pub why: String,
}

/// What an import did, or would do.
#[derive(Serialize, ToSchema)]
pub struct RatingsView {
    /// Whether it was only shown.
    pub dry_run: bool,
    /// What the list is.
    pub provenance: String,
    /// How many outlets changed.
    pub changed: usize,
    /// How many stood that way already.
    pub unchanged: usize,
    /// How many lines cannot be read; while there is one, nothing is imported.
    pub unreadable: usize,
    /// The first 200 of them.
    pub bad_lines: Vec<BadLineView>,
    /// The first 200 outlets whose scores the list contradicts, by 0.3 or more.
    pub conflicts: Vec<ConflictView>,
    /// The first 200 events; the log has all of them.
    pub events: Vec<EventView>,
}

/// A list that was read, and what came or would come of it.
pub(crate) struct ListImport {
    pub(crate) label: Name,
    pub(crate) intent: Intent,
    pub(crate) imported: Imported,
    pub(crate) bad: Vec<BadLine>,
}

/// Reads a list and imports it, or shows what that would do. A list with a line that cannot be read is never imported.
pub(crate) async fn import_list(
    server: &Server,
    caller: &Caller,
    text: &str,
    asked: &ImportParams,
) -> Result<ListImport, Problem> {
    let label = Name::new(asked.provenance.as_deref().unwrap_or_default()).map_err(|error| {
        Problem::field("provenance", error.to_string().replace("the name", "the provenance"))
    })?;
    let weight = Alpha::new(asked.weight.unwrap_or(1.0)).map_err(|error| {
        Problem::field("weight", error.to_string().replace("an alpha", "a weight"))
    })?;
    let signed = Signed { by: asked.by.clone(), note: asked.note.clone(), ..Signed::default() };
    let signature = signed.signature(caller)?;
    let resolver = resolver(server)?;
    let Ratings { rows, bad } = Ratings::read(text, &resolver).map_err(|error| match error {
        RatingsError::TooLarge => Problem::too_large(error.to_string()),
        error => Problem::field("list", error.to_string()),
    })?;
    let intent = match asked.dry_run.unwrap_or(false) {
        true => Intent::Preview,
        false => Intent::Apply,
    };
    if intent == Intent::Apply && !bad.is_empty() {
        let named: Vec<String> = bad.iter().take(NAMED).map(ToString::to_string).collect();
        let more = match bad.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        let why = format!("{}{more}; nothing was imported", named.join("; "));
        return Err(Problem::field("list", why));
    }
    let provenance = Provenance { label, signature };
    let imported = server.store.import_scores(&rows, &provenance, weight, intent).await?;
    if intent == Intent::Apply {
        let (changed, label) = (imported.events.len(), provenance.label.as_str());
        let what = format!("{label}: {changed} changed, {} as before", imported.unchanged);
        server.store.note(&caller.name, "ratings imported", &what).await?;
    }
    Ok(ListImport { label: provenance.label, intent, imported, bad })
}

/// Imports a list of ratings, which is the body: CSV with the columns domain, score and perhaps name, or a JSON list of
/// objects with these fields. All of it is imported or, where a line cannot be read, nothing.
#[utoipa::path(post, path = "/api/outlets/import", tag = "outlets", params(ImportParams),
    request_body(content = serde_json::Value, content_type = "text/csv"),
    responses((status = 200, body = RatingsView)))]
pub(crate) async fn import(
    State(server): State<Server>,
    caller: Caller,
    Query(asked): Query<ImportParams>,
    request: Request,
) -> Reply {
    let bytes = read::body_within(request, RATINGS_BYTES).await?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|_| Problem::unreadable("the list is not UTF-8; save it as UTF-8"))?;
    let taken = import_list(&server, &caller, text, &asked).await?;
    Ok(json(&RatingsView::from(taken)))
}

impl From<ListImport> for RatingsView {
    fn from(taken: ListImport) -> Self {
        let ListImport { label, intent, imported, bad } = taken;
        let most = usize::try_from(PAGE_ROWS).unwrap_or(usize::MAX);
        let conflict = |Conflict { outlet, had, rated }: Conflict| ConflictView {
            outlet: outlet.as_str().to_owned(),
            had: tidy(had),
            rated,
        };
        let dry_run = intent == Intent::Preview;
        let event = |event: &probity_credibility::ledger::LedgerEvent| {
            let view = EventView::new(event.record());
            // What was not appended has no place in the log.
            match dry_run {
                true => EventView { seq: None, previous: None, hash: None, ..view },
                false => view,
            }
        };
        Self {
            dry_run,
            provenance: label.as_str().to_owned(),
            changed: imported.events.len(),
            unchanged: imported.unchanged,
            unreadable: bad.len(),
            bad_lines: bad
                .into_iter()
                .take(most)
                .map(|BadLine { line, why }| BadLineView { line, why })
                .collect(),
            conflicts: imported.conflicts.into_iter().take(most).map(conflict).collect(),
            events: imported.events.iter().take(most).map(event).collect(),
        }
    }
}
