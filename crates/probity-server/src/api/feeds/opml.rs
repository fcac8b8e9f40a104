//! All feeds as one list, handed on to other readers and taken over from them.

use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderValue, header};
use probity_news::opml::{self, OPML_BYTES};
use probity_news::subscribe::{self, Imported};
use serde::Serialize;
use utoipa::ToSchema;

use crate::access::Caller;
use crate::api::{Reply, json};
use crate::problem::Problem;
use crate::read;
use crate::state::Server;

/// What a list of feeds is sent and given as.
const OPML: &str = "text/x-opml; charset=utf-8";

/// Gives all feeds as an OPML list, for other readers.
#[utoipa::path(get, path = "/api/feeds/opml", tag = "news",
    responses((status = 200, description = "The list", body = String, content_type = "text/x-opml")))]
pub(crate) async fn export(State(server): State<Server>) -> Reply {
    let entries = subscribe::entries(&server.store).await?;
    let mut response: Response = opml::write("Probity's feeds", &entries).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(OPML));
    let name = HeaderValue::from_static("attachment; filename=\"feeds.opml\"");
    headers.insert(header::CONTENT_DISPOSITION, name);
    Ok(response)
}

/// The result of a list.
#[derive(Serialize, ToSchema)]
pub struct ImportView {
    /// Feeds that are new.
    pub added: usize,
    /// Feeds that were there already.
    pub known: usize,
    /// Feeds that there was no room for.
    pub refused: usize,
    /// What is wrong with entries that were left out.
    pub problems: Vec<String>,
}

/// Adds the feeds of an OPML list, which is the body; its folders become categories.
#[utoipa::path(post, path = "/api/feeds/opml", tag = "news",
    request_body(content = String, content_type = "text/x-opml"),
    responses((status = 200, body = ImportView)))]
pub(crate) async fn import(
    State(server): State<Server>,
    caller: Caller,
    request: Request,
) -> Reply {
    let bytes = read::body_within(request, OPML_BYTES).await?;
    let Imported { added, known, refused, problems } = take_over(&server, &caller, &bytes).await?;
    Ok(json(&ImportView { added, known, refused, problems }))
}

/// Adds the feeds of a list.
pub(crate) async fn take_over(
    server: &Server,
    caller: &Caller,
    list: &[u8],
) -> Result<Imported, Problem> {
    let list = opml::read(list).map_err(|error| Problem::field("opml", error.to_string()))?;
    let imported = subscribe::import(&server.store, list, &[]).await?;
    let what = format!("{} added, {} known", imported.added, imported.known);
    server.store.note(&caller.name, "feeds imported", &what).await?;
    Ok(imported)
}
