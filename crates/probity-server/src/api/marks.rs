//! Stars and tags of runs, and several reports at once.

use std::collections::BTreeSet;
use std::io::{Cursor, Write as _};

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderValue, header};
use probity_report::format::{Choices, Format, render};
use probity_store::runs::marks::TAGS;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use zip::write::{SimpleFileOptions, ZipWriter};

use super::runs::{find, report};
use super::{Reply, json};
use crate::access::Caller;
use crate::problem::Problem;
use crate::read::{Json, Part};
use crate::state::Server;

/// The longest tag, in characters.
const TAG_CHARS: usize = 40;
/// The most reports that are exported together.
pub(crate) const EXPORTED: usize = 50;

/// What is to be changed; what is not named stays.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Marking {
    /// Whether it has a star.
    #[serde(default)]
    starred: Option<bool>,
    /// Its tags, and no others: at most 20 of at most 40 characters.
    #[serde(default)]
    tags: Option<Vec<String>>,
}

/// How a run is marked.
#[derive(Serialize, ToSchema)]
pub struct Marked {
    /// Whether it has a star.
    pub starred: bool,
    /// Its tags.
    pub tags: Vec<String>,
}

/// Gives a run a star or tags, or takes them away.
#[utoipa::path(patch, path = "/api/runs/{id}", tag = "runs", request_body = Marking,
    params(("id" = String, Path, description = "The run's id")),
    responses((status = 200, body = Marked)))]
pub(crate) async fn mark(
    State(server): State<Server>,
    _: Caller,
    Part(id): Part,
    Json(marking): Json<Marking>,
) -> Reply {
    find(&server, &id).await?;
    if let Some(starred) = marking.starred {
        server.store.star(&id.as_str().into(), starred).await?;
    }
    if let Some(tags) = marking.tags {
        server.store.tag(&id.as_str().into(), &cleaned(tags.iter().map(String::as_str))?).await?;
    }
    let mut marks = server.store.run_marks(&[&id.as_str().into()]).await?;
    let marks = marks.remove(id.as_str()).unwrap_or_default();
    Ok(json(&Marked { starred: marks.starred, tags: marks.tags.into_iter().collect() }))
}

/// Tags as they are kept: small letters, single spaces, each once.
pub(crate) fn cleaned<'a>(
    tags: impl Iterator<Item = &'a str>,
) -> Result<BTreeSet<String>, Problem> {
    let mut kept = BTreeSet::new();
    for tag in tags {
        let tag = tag.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        if tag.chars().count() > TAG_CHARS || tag.chars().any(char::is_control) {
            let why = format!("a tag has at most {TAG_CHARS} characters that can be shown");
            return Err(Problem::field("tags", why));
        }
        if !tag.is_empty() {
            kept.insert(tag);
        }
    }
    match kept.len() > TAGS {
        true => Err(Problem::field("tags", format!("a run has at most {TAGS} tags"))),
        false => Ok(kept),
    }
}

/// Which reports to write, and how.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Exporting {
    /// The runs, at most 50.
    #[schema(max_items = 50)]
    runs: Vec<String>,
    /// `md`, `html`, `pdf`, `docx`, `json`, `bibtex` or `ris`; Markdown if nothing is said.
    #[serde(default)]
    #[schema(pattern = "^(md|html|pdf|docx|json|bibtex|ris)$")]
    format: Option<String>,
}

/// Writes several reports into one archive.
#[utoipa::path(post, path = "/api/runs/export", tag = "runs", request_body = Exporting,
    responses((status = 200, description = "The reports", body = String, content_type = "application/zip")))]
pub(crate) async fn export(
    State(server): State<Server>,
    Json(exporting): Json<Exporting>,
) -> Reply {
    let runs: Vec<&str> = exporting.runs.iter().map(String::as_str).collect();
    archive(&server, &runs, exporting.format.as_deref().unwrap_or("md")).await
}

/// The reports of runs as one archive.
pub(crate) async fn archive(
    server: &Server,
    runs: &[&str],
    format: &str,
) -> Result<Response, Problem> {
    let format = format.parse::<Format>();
    let format = format.map_err(|error| Problem::field("format", error.to_string()))?;
    if runs.is_empty() || runs.len() > EXPORTED {
        return Err(Problem::field(
            "runs",
            format!("1 to {EXPORTED} reports are exported together"),
        ));
    }
    let mut reports = Vec::new();
    for id in runs {
        let record = find(server, id).await?;
        reports.push((record.summary.id.clone(), report(&record)?));
    }
    // Laying out pages takes its time, and is not to hold up other answers.
    let written = tokio::task::spawn_blocking(move || -> Result<Vec<u8>, String> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        let choices = Choices { appendix: false, system_fonts: true };
        for (id, report) in reports {
            let written = render(&report, format, choices).map_err(|error| error.to_string())?;
            let plain: String =
                id.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
            let name = format!("probity-{plain}.{format}");
            let started = archive.start_file(name, SimpleFileOptions::default());
            started.map_err(|error| error.to_string())?;
            archive.write_all(&written.bytes).map_err(|error| error.to_string())?;
        }
        let done = archive.finish().map_err(|error| error.to_string())?;
        Ok(done.into_inner())
    });
    let written = written.await.map_err(|error| Problem::internal(&error))?;
    let mut response = written.map_err(Problem::conflict)?.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    let name = HeaderValue::from_static("attachment; filename=\"probity-reports.zip\"");
    headers.insert(header::CONTENT_DISPOSITION, name);
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_few_short_and_each_there_once() {
        let kept = cleaned(["Town  Council", "town council", " ", "noise"].into_iter()).unwrap();
        assert_eq!(kept.into_iter().collect::<Vec<_>>(), ["noise", "town council"]);
        assert!(cleaned(["x".repeat(41).as_str()].into_iter()).is_err());
        let many: Vec<String> = (0..21).map(|n| n.to_string()).collect();
        assert!(cleaned(many.iter().map(String::as_str)).is_err());
    }
}
