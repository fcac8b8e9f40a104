//! Resources: runs, reports, outlets and the audit log, each at an address of its own.

use rmcp::model::{
    ListResourcesResult, ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::api::outlets::{OutletView, history, resolve};
use crate::api::runs::{RunView, find, listed, report};
use crate::api::{Cursor, Listed};
use crate::limits;
use crate::problem::Problem;
use crate::state::Server;
use crate::worth::{self, Research};
use probity_core::printable;
use probity_report::markdown::markdown;
use probity_store::RunQuery;
use probity_store::ledger::{OutletOrder, OutletQuery};

const SCHEME: &str = "probity://";
const AUDIT: &str = "probity://audit";
const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown";
/// How many runs or outlets one part of the list has.
const PART: i64 = 50;

/// Where in the list a part begins.
#[derive(Debug, Serialize, Deserialize)]
enum Place {
    /// Among the runs, after this one.
    Runs(Option<String>),
    /// Among the outlets, after this many.
    Outlets(i64),
}

/// What can be asked for by filling something in.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let template = |uri: &str, name: &str, about: &str, media: &str| {
        ResourceTemplate::new(uri, name).with_description(about).with_mime_type(media)
    };
    vec![
        template("probity://runs/{id}", "run", "A run: its question and its state", JSON),
        template("probity://reports/{id}", "report", "The report of a finished run", MARKDOWN),
        template(
            "probity://outlets/{domain}",
            "outlet",
            "A publisher: its score, and what moved it",
            JSON,
        ),
        template(
            "probity://audit{?cursor}",
            "audit",
            "The ledger's log, the latest first; `next` is the cursor of the part that follows",
            JSON,
        ),
    ]
}

/// Lists what is there: the log, runs with their reports, outlets.
pub(super) async fn list(
    server: &Server,
    cursor: Option<&str>,
) -> Result<ListResourcesResult, Problem> {
    let place = Cursor::read::<Place>(cursor)?;
    let mut resources = Vec::new();
    if place.is_none() {
        let log = Resource::new(AUDIT, "audit").with_title("The ledger's log");
        resources.push(log.with_mime_type(JSON));
    }
    let next = match place.unwrap_or(Place::Runs(None)) {
        Place::Runs(after) => {
            let Listed { items, next } =
                listed(server, RunQuery::default(), PART, after.as_deref()).await?;
            resources.extend(items.iter().flat_map(of_run));
            Some(next.map_or(Place::Outlets(0), |next| Place::Runs(Some(next))))
        }
        Place::Outlets(offset) => {
            let offset = offset.max(0);
            let query = OutletQuery {
                text: None,
                at_least: None,
                below: None,
                order: OutletOrder::Domain,
                reversed: false,
                limit: Some(PART + 1),
                offset,
            };
            let page = server.store.outlets(&query).await?;
            let outlets: Vec<_> = page.items.iter().map(|entry| &entry.outlet).collect();
            let more = i64::try_from(outlets.len()).unwrap_or(0) > PART;
            let part = outlets.into_iter().take(usize::try_from(PART).unwrap_or(0));
            resources.extend(part.map(|outlet| {
                Resource::new(format!("{SCHEME}outlets/{outlet}"), outlet.as_str())
                    .with_mime_type(JSON)
            }));
            more.then_some(Place::Outlets(offset + PART))
        }
    };
    let mut result = ListResourcesResult::with_all_items(resources);
    result.next_cursor = next.and_then(|place| Cursor::write(&place));
    Ok(result)
}

/// A run, and its report if it has one.
fn of_run(run: &RunView) -> Vec<Resource> {
    let question = printable::brief(&run.question, 120);
    let itself = Resource::new(format!("{SCHEME}runs/{}", run.id), format!("run {}", run.id))
        .with_title(question.clone())
        .with_mime_type(JSON);
    let title = run.title.as_deref().map_or(question, |title| printable::brief(title, 120));
    let report = run.decision.is_some().then(|| {
        let uri = format!("{SCHEME}reports/{}", run.id);
        Resource::new(uri, format!("report {}", run.id)).with_title(title).with_mime_type(MARKDOWN)
    });
    std::iter::once(itself).chain(report).collect()
}

/// Reads what is at an address.
pub(super) async fn read(server: &Server, uri: &str) -> Result<ReadResourceResult, Problem> {
    let missing = || {
        let shown = printable::brief(uri, 120);
        Problem::not_found(format!(
            "nothing is at {shown}; there are probity://runs/ID, probity://reports/ID, \
             probity://outlets/DOMAIN and probity://audit"
        ))
    };
    let place = uri.strip_prefix(SCHEME).ok_or_else(missing)?;
    let (kind, rest) = place.split_once('/').unwrap_or((place, ""));
    let (text, media) = match (kind, rest) {
        ("runs", id) if !id.is_empty() => (run(server, id).await?, JSON),
        ("reports", id) if !id.is_empty() => {
            (markdown(&report(&find(server, id).await?)?), MARKDOWN)
        }
        ("outlets", domain) if !domain.is_empty() => (outlet(server, domain).await?, JSON),
        (audit, "") => {
            let cursor = match audit.strip_prefix("audit").ok_or_else(missing)? {
                "" => None,
                asked => Some(asked.strip_prefix("?cursor=").ok_or_else(missing)?),
            };
            (log(server, cursor).await?, JSON)
        }
        _ => return Err(missing()),
    };
    let contents = ResourceContents::text(text, uri).with_mime_type(media);
    Ok(ReadResourceResult::new(vec![contents]))
}

async fn run(server: &Server, id: &str) -> Result<String, Problem> {
    let view = RunView::from(find(server, id).await?.summary);
    serde_json::to_string_pretty(&view).map_err(|error| Problem::internal(&error))
}

async fn outlet(server: &Server, domain: &str) -> Result<String, Problem> {
    let outlet = resolve(server, domain)?;
    let view = OutletView::of(&outlet, server.store.outlet(&outlet).await?);
    let research = Research::from(worth::now(server, &outlet).await?);
    let events = history(server, Some(outlet), limits::USUAL_ROWS, None).await?;
    let value = json!({ "outlet": view, "research": research, "events": events.items });
    serde_json::to_string_pretty(&value).map_err(|error| Problem::internal(&error))
}

async fn log(server: &Server, cursor: Option<&str>) -> Result<String, Problem> {
    let part = history(server, None, limits::USUAL_ROWS, cursor).await?;
    serde_json::to_string_pretty(&part).map_err(|error| Problem::internal(&error))
}
