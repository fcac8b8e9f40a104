//! Collections on the page: ticked documents put in and taken out, names, and the end of one.

use axum::extract::{Request, State};
use serde::Deserialize;

use super::go;
use super::run::encode;
use crate::access::Caller;
use crate::api::Reply;
use crate::api::collections::{self as api, CollectionChange};
use crate::problem::Problem;
use crate::read::{self, Form, FormPairs, Part};
use crate::state::Server;

/// `POST /library/collections`: puts the documents that were ticked into a collection, which may be new, or takes them
/// out of one.
pub(crate) async fn gather(
    State(server): State<Server>,
    caller: Caller,
    request: Request,
) -> Reply {
    let FormPairs(pairs) = read::form_pairs(request).await?;
    let value = |name: &str| {
        let found = pairs.iter().find(|(known, _)| known == name).map(|(_, value)| value.trim());
        found.filter(|value| !value.is_empty())
    };
    let documents: Vec<String> =
        pairs.iter().filter(|(name, _)| name == "document").map(|(_, id)| id.clone()).collect();
    let collection = match (value("do"), value("name"), value("collection")) {
        // A collection may be made before there is anything to put in.
        (Some("put"), Some(name), _) => api::make(&server, &caller, name, &documents).await?,
        _ if documents.is_empty() => {
            return Err(Problem::field("document", "tick documents, then press again"));
        }
        (Some("put"), None, Some(into)) => {
            let change = CollectionChange { add: documents, ..CollectionChange::default() };
            api::alter(&server, &caller, into, &change).await?
        }
        (Some("out"), _, Some(from)) => {
            let change = CollectionChange { remove: documents, ..CollectionChange::default() };
            api::alter(&server, &caller, from, &change).await?
        }
        _ => return Err(Problem::field("name", "choose a collection, or name a new one")),
    };
    // From a document's page one comes back to it.
    match value("back") {
        Some(document) => go(&format!("/library/{}", encode(document))),
        None => go(&format!("/library?collection={}", collection.id)),
    }
}

/// What the form of a collection holds.
#[derive(Deserialize)]
pub(crate) struct NameForm {
    #[serde(default)]
    name: String,
}

/// `POST /library/collections/{id}`.
pub(crate) async fn rename(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    Form(asked): Form<NameForm>,
) -> Reply {
    let change = CollectionChange { name: Some(asked.name), ..CollectionChange::default() };
    let collection = api::alter(&server, &caller, &id, &change).await?;
    go(&format!("/library?collection={}", collection.id))
}

/// `POST /library/collections/{id}/remove`.
pub(crate) async fn remove(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    api::remove(&server, &caller, &id).await?;
    go("/library")
}
