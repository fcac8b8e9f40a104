//! Categories: what readers want to know about, kept by editors.

use axum::extract::State;
use axum::response::IntoResponse as _;
use http::StatusCode;
use probity_core::CategoryId;
use probity_store::topics::{
    Category, CategoryChange, FIELD_CHARS, NAME_CHARS, NewCategory, TEXTS_MOST,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::ledger::instant;
use super::{Cursor, Listed, Reply, json, rows};
use crate::access::Caller;
use crate::problem::Problem;
use crate::read::{Json, Part, Query, texts};
use crate::state::Server;

/// A category as it is.
#[derive(Serialize, ToSchema)]
pub struct CategoryView {
    /// Its number.
    #[schema(value_type = i64)]
    pub id: CategoryId,
    /// What it is called.
    pub name: String,
    /// What belongs to it.
    pub description: String,
    /// Headlines that belong to it.
    pub examples: Vec<String>,
    /// Words that point to it.
    pub keywords: Vec<String>,
    /// Whether its articles are wanted in full.
    pub wants_full_text: bool,
    /// Counts on when its words change.
    pub revision: i64,
    /// When it was added.
    pub added_at: String,
    /// When it last changed.
    pub changed_at: String,
}

impl From<Category> for CategoryView {
    fn from(category: Category) -> Self {
        Self {
            id: category.id,
            name: category.name,
            description: category.description,
            examples: category.examples,
            keywords: category.keywords,
            wants_full_text: category.wants_full_text,
            revision: category.revision,
            added_at: instant(category.added_at),
            changed_at: instant(category.changed_at),
        }
    }
}

/// Which part of a list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PartParams {
    /// How many to give.
    #[param(minimum = 1, maximum = 200)]
    #[serde(default, deserialize_with = "texts::optional")]
    limit: Option<i64>,
    /// Where to begin: the `next` of the part before.
    cursor: Option<String>,
}

impl PartParams {
    /// Cuts the part out of a whole list, which is short. A change between two parts may shift the next.
    pub(crate) fn cut<T>(&self, all: impl IntoIterator<Item = T>) -> Result<Listed<T>, Problem> {
        let (limit, begin) = (rows(self.limit)?, self.begin()?);
        let skipped = all.into_iter().skip(usize::try_from(begin).unwrap_or(usize::MAX));
        let items = skipped.take(usize::try_from(limit + 1).unwrap_or(0)).collect();
        Ok(Listed::cut(items, limit, |_| Cursor::write(&(begin + limit))))
    }

    /// How many rows have to be read to cut the part out.
    pub(crate) fn reach(&self) -> Result<i64, Problem> {
        Ok(self.begin()?.saturating_add(rows(self.limit)?).saturating_add(1))
    }

    fn begin(&self) -> Result<i64, Problem> {
        Ok(Cursor::read::<i64>(self.cursor.as_deref())?.unwrap_or(0).max(0))
    }
}

/// Lists categories by name.
#[utoipa::path(get, path = "/api/categories", tag = "news", params(PartParams),
    responses((status = 200, body = Listed<CategoryView>)))]
pub(crate) async fn list(State(server): State<Server>, Query(asked): Query<PartParams>) -> Reply {
    let categories = server.store.categories().await?;
    Ok(json(&asked.cut(categories.into_iter().map(CategoryView::from))?))
}

/// The category of a number.
pub(crate) async fn find(server: &Server, id: &str) -> Result<Category, Problem> {
    let missing = || Problem::not_found("there is no such category");
    let id: CategoryId = id.parse().map_err(|_| missing())?;
    let all = server.store.categories().await?;
    all.into_iter().find(|category| category.id == id).ok_or_else(missing)
}

/// Shows a category.
#[utoipa::path(get, path = "/api/categories/{id}", tag = "news",
    params(("id" = i64, Path, description = "The category's number")),
    responses((status = 200, body = CategoryView)))]
pub(crate) async fn show(State(server): State<Server>, Part(id): Part) -> Reply {
    Ok(json(&CategoryView::from(find(&server, &id).await?)))
}

/// A category to be added.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CategoryBody {
    /// What it is called: letters, digits, spaces, `-`, `_`, `&` and `/`.
    #[schema(min_length = 1, max_length = 60, example = "Harbour")]
    pub name: String,
    /// What belongs to it, in a sentence or two.
    #[schema(min_length = 1, max_length = 4000, example = "Ships, ferries and ports")]
    pub description: String,
    /// Headlines that belong to it.
    #[serde(default)]
    #[schema(max_items = 100)]
    pub examples: Vec<String>,
    /// Words that point to it.
    #[serde(default)]
    #[schema(max_items = 100)]
    pub keywords: Vec<String>,
    /// Whether its articles are wanted in full.
    #[serde(default)]
    pub wants_full_text: bool,
}

/// Adds a category.
#[utoipa::path(post, path = "/api/categories", tag = "news", request_body = CategoryBody,
    responses((status = 201, body = CategoryView)))]
pub(crate) async fn create(
    State(server): State<Server>,
    caller: Caller,
    Json(body): Json<CategoryBody>,
) -> Reply {
    let category = add(&server, &caller, body).await?;
    Ok((StatusCode::CREATED, json(&CategoryView::from(category))).into_response())
}

/// Adds a category that was checked.
pub(crate) async fn add(
    server: &Server,
    caller: &Caller,
    body: CategoryBody,
) -> Result<Category, Problem> {
    check_text("name", &body.name, NAME_CHARS)?;
    check_text("description", &body.description, FIELD_CHARS)?;
    check_list("examples", &body.examples)?;
    check_list("keywords", &body.keywords)?;
    let CategoryBody { name, description, examples, keywords, wants_full_text } = body;
    let new = NewCategory { name, description, examples, keywords, wants_full_text };
    let category = server.store.add_category(&new).await?;
    server.store.note(&caller.name, "category added", &category.name).await?;
    Ok(category)
}

/// What to change about a category; what is absent stays.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CategoryPatch {
    /// Another name.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 60)]
    pub name: Option<String>,
    /// Another description.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 4000)]
    pub description: Option<String>,
    /// Other examples.
    #[serde(default)]
    #[schema(max_items = 100)]
    pub examples: Option<Vec<String>>,
    /// Other keywords.
    #[serde(default)]
    #[schema(max_items = 100)]
    pub keywords: Option<Vec<String>>,
    /// Whether its articles are wanted in full.
    #[serde(default)]
    pub wants_full_text: Option<bool>,
}

/// Changes a category. If its words change, its articles are judged again.
#[utoipa::path(patch, path = "/api/categories/{id}", tag = "news",
    params(("id" = i64, Path, description = "The category's number")),
    request_body = CategoryPatch, responses((status = 200, body = CategoryView)))]
pub(crate) async fn change(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    Json(body): Json<CategoryPatch>,
) -> Reply {
    Ok(json(&CategoryView::from(edit(&server, &caller, &id, body).await?)))
}

/// Changes a category.
pub(crate) async fn edit(
    server: &Server,
    caller: &Caller,
    id: &str,
    body: CategoryPatch,
) -> Result<Category, Problem> {
    let category = find(server, id).await?;
    for (field, text, most) in
        [("name", &body.name, NAME_CHARS), ("description", &body.description, FIELD_CHARS)]
    {
        text.as_deref().map_or(Ok(()), |text| check_text(field, text, most))?;
    }
    for (field, list) in [("examples", &body.examples), ("keywords", &body.keywords)] {
        list.as_deref().map_or(Ok(()), |list| check_list(field, list))?;
    }
    let CategoryPatch { name, description, examples, keywords, wants_full_text } = body;
    let change = CategoryChange { name, description, examples, keywords, wants_full_text };
    let changed = server.store.edit_category(&category.name, &change).await?;
    server.store.note(&caller.name, "category changed", &changed.name).await?;
    Ok(changed)
}

/// Removes a category, with what was judged and decided for it.
#[utoipa::path(delete, path = "/api/categories/{id}", tag = "news",
    params(("id" = i64, Path, description = "The category's number")),
    responses((status = 204, description = "The category is deleted")))]
pub(crate) async fn delete(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    remove(&server, &caller, &id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Removes a category.
pub(crate) async fn remove(server: &Server, caller: &Caller, id: &str) -> Result<(), Problem> {
    let category = find(server, id).await?;
    server.store.remove_category(&category.name).await?;
    Ok(server.store.note(&caller.name, "category removed", &category.name).await?)
}

/// Texts are said to be too long rather than cut, and hold nothing that no screen shows.
fn check_text(field: &'static str, text: &str, most: usize) -> Result<(), Problem> {
    if text.chars().count() > most {
        return Err(Problem::field(field, format!("it has at most {most} characters")));
    }
    if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return Err(Problem::field(field, "control characters are not accepted"));
    }
    Ok(())
}

fn check_list(field: &'static str, list: &[String]) -> Result<(), Problem> {
    if list.len() > TEXTS_MOST {
        return Err(Problem::field(field, format!("at most {TEXTS_MOST} are accepted")));
    }
    list.iter().try_for_each(|text| check_text(field, text, FIELD_CHARS))
}
