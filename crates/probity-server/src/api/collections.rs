//! Collections of the library: documents under a name, to be searched and asked by themselves.

use axum::extract::State;
use axum::response::IntoResponse as _;
use http::StatusCode;
use probity_core::CollectionId;
use probity_store::library::{Collection, CollectionError, Library, Way};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ledger::instant;
use super::library::stored;
use super::{Reply, json};
use crate::access::Caller;
use crate::problem::Problem;
use crate::read::{Json, Part};
use crate::state::Server;

/// The most documents that one request moves.
pub(crate) const MOVED: usize = 200;

/// A collection as lists show it.
#[derive(Debug, Serialize, ToSchema)]
pub struct CollectionView {
    /// Its number.
    #[schema(value_type = i64)]
    pub id: CollectionId,
    /// Its name.
    pub name: String,
    /// How many documents are in it.
    pub documents: u64,
    /// When it was made.
    pub made_at: String,
}

impl From<Collection> for CollectionView {
    fn from(collection: Collection) -> Self {
        let Collection { id, name, documents, made_at } = collection;
        Self { id, name, documents, made_at: instant(made_at) }
    }
}

impl From<CollectionError> for Problem {
    fn from(error: CollectionError) -> Self {
        match error {
            CollectionError::Name => Self::field("name", error.to_string()),
            CollectionError::Taken(_) | CollectionError::TooMany => {
                Self::conflict(error.to_string())
            }
            CollectionError::Unknown(_) => Self::not_found(error.to_string()),
            CollectionError::Empty(_) => Self::field("collection", error.to_string()),
            CollectionError::Store(error) => error.into(),
        }
    }
}

/// A collection to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewCollection {
    /// Its name.
    #[schema(min_length = 1, max_length = 60, example = "Noise")]
    pub name: String,
    /// The ids of documents to put in.
    #[serde(default)]
    #[schema(max_items = 200)]
    pub documents: Vec<String>,
}

/// What is to change of a collection.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CollectionChange {
    /// Its name from now on.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 60)]
    pub name: Option<String>,
    /// The ids of documents to put in.
    #[serde(default)]
    #[schema(max_items = 200)]
    pub add: Vec<String>,
    /// The ids of documents to take out; the library keeps them.
    #[serde(default)]
    #[schema(max_items = 200)]
    pub remove: Vec<String>,
}

/// The collection of a name or number.
pub(crate) async fn find(server: &Server, named: &str) -> Result<Collection, Problem> {
    Ok(Library::of(&server.store).collection(named).await?)
}

/// A collection that can be asked.
pub(crate) async fn filled(server: &Server, named: &str) -> Result<Collection, Problem> {
    let found = Library::of(&server.store).collection(named).await;
    let found = found.map_err(|error| match error {
        // It is the question that names it, not the address.
        CollectionError::Unknown(_) => Problem::field("collection", error.to_string()),
        error => error.into(),
    })?;
    match found.documents {
        0 => Err(CollectionError::Empty(found.name).into()),
        _ => Ok(found),
    }
}

/// Lists the collections by name.
#[utoipa::path(get, path = "/api/library/collections", tag = "library",
    responses((status = 200, body = Vec<CollectionView>)))]
pub(crate) async fn list(State(server): State<Server>) -> Reply {
    let all = Library::of(&server.store).collections().await.map_err(Problem::from)?;
    Ok(json(&all.into_iter().map(CollectionView::from).collect::<Vec<_>>()))
}

/// Makes a collection.
#[utoipa::path(post, path = "/api/library/collections", tag = "library",
    request_body = NewCollection, responses((status = 201, body = CollectionView)))]
pub(crate) async fn create(
    State(server): State<Server>,
    caller: Caller,
    Json(new): Json<NewCollection>,
) -> Reply {
    let made = make(&server, &caller, &new.name, &new.documents).await?;
    Ok((StatusCode::CREATED, json(&CollectionView::from(made))).into_response())
}

/// Makes a collection of some documents.
pub(crate) async fn make(
    server: &Server,
    caller: &Caller,
    name: &str,
    documents: &[String],
) -> Result<Collection, Problem> {
    known(server, documents).await?;
    let made = Library::of(&server.store).make_collection(name).await?;
    server.store.note(&caller.name, "collection made", &made.name).await?;
    carry(server, made.id, documents, Way::In).await?;
    find(server, &made.id.to_string()).await
}

/// Renames a collection, puts documents in and takes documents out.
#[utoipa::path(patch, path = "/api/library/collections/{id}", tag = "library",
    params(("id" = String, Path, description = "The collection's number or name")),
    request_body = CollectionChange, responses((status = 200, body = CollectionView)))]
pub(crate) async fn change(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    Json(change): Json<CollectionChange>,
) -> Reply {
    Ok(json(&CollectionView::from(alter(&server, &caller, &id, &change).await?)))
}

/// Changes a collection.
pub(crate) async fn alter(
    server: &Server,
    caller: &Caller,
    id: &str,
    change: &CollectionChange,
) -> Result<Collection, Problem> {
    let collection = find(server, id).await?;
    known(server, &change.add).await?;
    if let Some(name) = &change.name {
        Library::of(&server.store).rename_collection(collection.id, name).await?;
        let what = format!("{} → {}", collection.name, name.trim());
        server.store.note(&caller.name, "collection renamed", &what).await?;
    }
    carry(server, collection.id, &change.add, Way::In).await?;
    carry(server, collection.id, &change.remove, Way::Out).await?;
    find(server, &collection.id.to_string()).await
}

/// Removes a collection; its documents stay in the library.
#[utoipa::path(delete, path = "/api/library/collections/{id}", tag = "library",
    params(("id" = String, Path, description = "The collection's number or name")),
    responses((status = 204, description = "The collection is deleted")))]
pub(crate) async fn delete(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    remove(&server, &caller, &id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Removes a collection.
pub(crate) async fn remove(server: &Server, caller: &Caller, id: &str) -> Result<(), Problem> {
    let collection = find(server, id).await?;
    Library::of(&server.store).remove_collection(collection.id).await?;
    server.store.note(&caller.name, "collection removed", &collection.name).await?;
    Ok(())
}

/// Makes sure that the library has all of these, by their ids alone: a path could name a whole folder.
async fn known(server: &Server, documents: &[String]) -> Result<(), Problem> {
    if documents.len() > MOVED {
        let why = format!("at most {MOVED} documents are moved at once");
        return Err(Problem::field("documents", why));
    }
    for id in documents {
        stored(server, id).await?;
    }
    Ok(())
}

async fn carry(
    server: &Server,
    collection: CollectionId,
    documents: &[String],
    way: Way,
) -> Result<(), Problem> {
    if documents.len() > MOVED {
        let why = format!("at most {MOVED} documents are moved at once");
        return Err(Problem::field("documents", why));
    }
    if documents.is_empty() {
        return Ok(());
    }
    let ids: Vec<&str> = documents.iter().map(String::as_str).collect();
    Library::of(&server.store).collect(collection, &ids, way).await?;
    Ok(())
}
