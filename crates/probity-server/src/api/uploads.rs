//! Documents that a user brings along for a question.

use axum::extract::{Request, State};
use axum::response::IntoResponse as _;
use http::StatusCode;
use probity_store::uploads::Upload;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Reply, json};
use crate::access::Caller;
use crate::problem::Problem;
use crate::read::Part;
use crate::state::Server;
use crate::upload::{FileView, Received, owned, receive};

/// The name of a pasted text that is given none.
pub(crate) const PASTED: &str = "Pasted text.txt";

/// What is sent: a form with files, a text, or both.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct Bringing {
    /// Files of up to 20 MB each, 100 MB and 200 files in one request.
    // In a form everything is bytes, so nothing is said of types.
    #[schema(value_type = serde_json::Value, required = false)]
    file: Option<Vec<Vec<u8>>>,
    /// A text that was pasted, of up to 1 MB.
    #[schema(value_type = serde_json::Value, required = false)]
    text: Option<String>,
    /// What that text is called.
    #[schema(value_type = serde_json::Value, required = false)]
    title: Option<String>,
}

/// The fields beside the files.
#[derive(Deserialize)]
pub(crate) struct Beside {
    #[serde(default)]
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) title: String,
}

impl Beside {
    /// Takes in the text, if there is one.
    pub(crate) async fn bring(&self, received: &mut Received) -> Result<(), Problem> {
        if self.text.trim().is_empty() {
            return Ok(());
        }
        let plain = |c: &char| !matches!(c, '/' | '\\') && !c.is_control();
        let title: String = self.title.trim().chars().filter(plain).take(80).collect();
        let name = match title.is_empty() {
            true => PASTED.to_owned(),
            false => format!("{title}.txt"),
        };
        received.paste(&name, self.text.clone()).await
    }
}

/// Documents that were uploaded.
#[derive(Serialize, ToSchema)]
pub struct UploadView {
    /// The id that a question names them by; none if nothing could be taken.
    pub upload: Option<String>,
    /// What was sent, each with its outcome.
    pub files: Vec<FileView>,
}

impl From<Upload> for UploadView {
    fn from(upload: Upload) -> Self {
        let files = upload.documents.into_iter().map(|document| FileView {
            name: document.name,
            place: Some(document.place),
            title: Some(document.title).filter(|title| !title.trim().is_empty()),
            words: Some(document.words),
            problem: None,
        });
        Self { files: files.collect(), upload: Some(upload.id) }
    }
}

async fn bring(server: &Server, caller: &Caller, request: Request, into: Option<&str>) -> Reply {
    let mut received = receive(server, caller, request, into).await?;
    received.form::<Beside>()?.bring(&mut received).await?;
    let Received { files, bundle, .. } = received;
    if files.is_empty() {
        return Err(Problem::field("file", "send at least one file, or a text"));
    }
    let status = match FileView::all_refused(&files) {
        true => StatusCode::UNPROCESSABLE_ENTITY,
        false => StatusCode::CREATED,
    };
    let upload = bundle.keep();
    Ok((status, json(&UploadView { upload, files })).into_response())
}

/// Brings documents along for a question. They are read at once and kept as texts; what no question asks
/// within a day is forgotten.
#[utoipa::path(post, path = "/api/uploads", tag = "uploads",
    request_body(content = Bringing, content_type = "multipart/form-data"),
    responses((status = 201, body = UploadView),
        (status = 422, description = "No file could be read; each says why",
            content((UploadView = "application/json"), (Problem = "application/problem+json")))))]
pub(crate) async fn create(
    State(server): State<Server>,
    caller: Caller,
    request: Request,
) -> Reply {
    bring(&server, &caller, request, None).await
}

/// Brings more documents along.
#[utoipa::path(post, path = "/api/uploads/{id}", tag = "uploads",
    params(("id" = String, Path, description = "The upload's id")),
    request_body(content = Bringing, content_type = "multipart/form-data"),
    responses((status = 201, body = UploadView),
        (status = 422, description = "No file could be read; each says why",
            content((UploadView = "application/json"), (Problem = "application/problem+json")))))]
pub(crate) async fn add(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    request: Request,
) -> Reply {
    owned(&server, &caller, &id).await?;
    bring(&server, &caller, request, Some(&id)).await
}

/// Shows what was uploaded.
#[utoipa::path(get, path = "/api/uploads/{id}", tag = "uploads",
    params(("id" = String, Path, description = "The upload's id")),
    responses((status = 200, body = UploadView)))]
pub(crate) async fn show(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    Ok(json(&UploadView::from(owned(&server, &caller, &id).await?)))
}

/// Takes documents back that no run asks.
#[utoipa::path(delete, path = "/api/uploads/{id}", tag = "uploads",
    params(("id" = String, Path, description = "The upload's id")),
    responses((status = 204, description = "The documents are deleted")))]
pub(crate) async fn delete(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    owned(&server, &caller, &id).await?;
    match server.store.delete_upload(&id).await? {
        true => Ok(StatusCode::NO_CONTENT.into_response()),
        false => Err(Problem::conflict("a run asks these documents; they go with the run")),
    }
}

/// Takes one document back.
#[utoipa::path(delete, path = "/api/uploads/{id}/documents/{seq}", tag = "uploads",
    params(("id" = String, Path, description = "The upload's id"),
           ("seq" = i64, Path, description = "The document's number in the upload")),
    responses((status = 204, description = "The document is deleted")))]
pub(crate) async fn remove(
    State(server): State<Server>,
    caller: Caller,
    axum::extract::Path((id, seq)): axum::extract::Path<(String, String)>,
) -> Reply {
    owned(&server, &caller, &id).await?;
    if server.store.upload_is_asked(&id).await? {
        return Err(Problem::conflict("a run asks these documents; they go with the run"));
    }
    // A number beyond all numbers is none of these documents either.
    let gone = match seq.parse() {
        Ok(seq) => server.store.take_out(&id, seq).await?,
        Err(_) => false,
    };
    match gone {
        true => Ok(StatusCode::NO_CONTENT.into_response()),
        false => Err(Problem::not_found("there is no such document in the upload")),
    }
}
