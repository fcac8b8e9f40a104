//! Categories and routing: what readers want to know, and its outcome by who reports it.

use askama::Template;
use axum::extract::State;
use probity_core::{CategoryId, Timestamp};
use probity_news::rank::RankedTopic;
use probity_news::topic_view::{self, why_routed};
use probity_store::topics::{Action, Category, RoutingRecord};
use serde::Deserialize;

use super::strip::Strip;
use super::{Bar, Frame, Tab, When, go, page};
use crate::access::Caller;
use crate::api::Reply;
use crate::api::categories::{CategoryBody, CategoryPatch, add, edit, find, remove};
use crate::problem::Problem;
use crate::read::{Form, Part};
use crate::state::Server;

/// How many decisions the page of a category lists.
const HISTORY: i64 = 50;

/// A decision as pages show it.
struct Decision {
    words: &'static str,
    class: &'static str,
    mean: Option<Bar>,
    of: i64,
    factor: String,
    at: When,
    retry: Option<When>,
    was_retry: bool,
    why: String,
}

impl Decision {
    fn new(made: &RoutingRecord, now: Timestamp) -> Self {
        let (words, class) = match made.action {
            Action::Scored => ("scored as usual", "ok"),
            Action::Downranked => ("ranked lower", "warning"),
            Action::Skipped => ("skipped", "failure"),
        };
        Self {
            words,
            class,
            mean: made.mean.map(Bar::new),
            of: made.representatives,
            factor: format!("{:.2}", made.factor),
            at: When::new(made.at, now),
            retry: made.retry_at.map(|at| When::new(at, now)),
            was_retry: made.was_retry,
            why: why_routed(made),
        }
    }
}

/// What the form of a category holds.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Filled {
    #[serde(default)]
    name: String,
    #[serde(default)]
    description: String,
    /// Words with commas or lines between them.
    #[serde(default)]
    keywords: String,
    /// Headlines, one to a line.
    #[serde(default)]
    examples: String,
    /// There if the box is ticked.
    #[serde(default)]
    wants_full_text: Option<String>,
}

impl Filled {
    fn of(category: &Category) -> Self {
        Self {
            name: category.name.clone(),
            description: category.description.clone(),
            keywords: category.keywords.join(", "),
            examples: category.examples.join("\n"),
            wants_full_text: category.wants_full_text.then(|| "yes".to_owned()),
        }
    }

    fn body(&self) -> CategoryBody {
        let kept = |text: &str| {
            let text = text.trim();
            (!text.is_empty()).then(|| text.to_owned())
        };
        CategoryBody {
            name: self.name.trim().to_owned(),
            description: self.description.replace("\r\n", "\n").trim().to_owned(),
            keywords: self.keywords.split([',', '\n']).filter_map(kept).collect(),
            examples: self.examples.lines().filter_map(kept).collect(),
            wants_full_text: self.wants_full_text.is_some(),
        }
    }

    fn patch(&self) -> CategoryPatch {
        let CategoryBody { name, description, examples, keywords, wants_full_text } = self.body();
        CategoryPatch {
            name: Some(name),
            description: Some(description),
            examples: Some(examples),
            keywords: Some(keywords),
            wants_full_text: Some(wants_full_text),
        }
    }
}

struct CategoryRow {
    id: CategoryId,
    name: String,
    description: String,
    decision: Option<Decision>,
}

#[derive(Template)]
#[template(path = "categories.html")]
struct CategoriesPage {
    frame: Frame,
    categories: Vec<CategoryRow>,
    keep: f64,
    skip: f64,
    filled: Filled,
    problem: Option<String>,
}

/// `GET /categories`.
pub(crate) async fn list(State(server): State<Server>, caller: Caller) -> Reply {
    show_list(&server, &caller, Filled::default(), None).await
}

async fn show_list(
    server: &Server,
    caller: &Caller,
    filled: Filled,
    problem: Option<String>,
) -> Reply {
    let now = server.clock.now();
    let decided = topic_view::routing(&server.store).await?;
    let rows = decided.into_iter().map(|one| CategoryRow {
        id: one.category.id,
        name: one.category.name,
        description: one.category.description,
        decision: one.decisions.first().map(|made| Decision::new(made, now)),
    });
    let lines = server.backend.constants().news.routing;
    page(&CategoriesPage {
        frame: Frame::new(server, caller, "Categories", Tab::News),
        categories: rows.collect(),
        keep: lines.keep,
        skip: lines.skip,
        filled,
        problem,
    })
}

/// What can be fixed in the form comes back with it.
fn mendable(problem: Problem) -> Result<String, Problem> {
    match problem.status().is_client_error() && problem.status().as_u16() != 404 {
        true => Ok(problem.detail().to_owned()),
        false => Err(problem),
    }
}

/// `POST /categories`.
pub(crate) async fn create(
    State(server): State<Server>,
    caller: Caller,
    Form(filled): Form<Filled>,
) -> Reply {
    match add(&server, &caller, filled.body()).await {
        Ok(category) => go(&format!("/categories/{}", category.id)),
        Err(problem) => {
            let why = mendable(problem)?;
            show_list(&server, &caller, filled, Some(why)).await
        }
    }
}

#[derive(Template)]
#[template(path = "category.html")]
struct CategoryPage {
    frame: Frame,
    id: CategoryId,
    name: String,
    description: String,
    keywords: Vec<String>,
    examples: Vec<String>,
    wants_full_text: bool,
    changed: When,
    decision: Option<Decision>,
    strip: Option<Strip>,
    history: Vec<Decision>,
    keep: f64,
    skip: f64,
    filled: Filled,
    problem: Option<String>,
}

/// `GET /categories/{id}`.
pub(crate) async fn show(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    let category = find(&server, &id).await?;
    let filled = Filled::of(&category);
    show_one(&server, &caller, category, filled, None).await
}

async fn show_one(
    server: &Server,
    caller: &Caller,
    category: Category,
    filled: Filled,
    problem: Option<String>,
) -> Reply {
    let (now, constants) = (server.clock.now(), server.backend.constants());
    let news = &constants.news;
    let made = server.store.routings(category.id, HISTORY).await?;
    let speaking = speaking(server, &category, news.window_start(now)).await?;
    page(&CategoryPage {
        frame: Frame::new(server, caller, &category.name, Tab::News),
        decision: made.first().map(|made| Decision::new(made, now)),
        strip: Strip::draw(&speaking, news.routing),
        history: made.iter().map(|made| Decision::new(made, now)).collect(),
        keep: news.routing.keep,
        skip: news.routing.skip,
        id: category.id,
        name: category.name,
        description: category.description,
        keywords: category.keywords,
        examples: category.examples,
        wants_full_text: category.wants_full_text,
        changed: When::new(category.changed_at, now),
        filled,
        problem,
    })
}

/// What speaks for a category's topics now: credibility, and what is said of it.
async fn speaking(
    server: &Server,
    category: &Category,
    since: Timestamp,
) -> Result<Vec<(f64, String)>, Problem> {
    let _room = server.tellings.acquire().await.map_err(|error| Problem::internal(&error))?;
    let topics = topic_view::topics(&server.store, Some(&category.name), since).await?;
    let said = |ranked: &RankedTopic| {
        let first = ranked.representative()?;
        let outlet = first.outlet.as_ref().map_or("unresolved", |outlet| outlet.as_str());
        let title = probity_core::printable::brief(&first.title, 120);
        Some((first.credibility?, format!("{outlet}: {title}")))
    };
    Ok(topics.ranked.iter().filter_map(said).collect())
}

/// `POST /categories/{id}`.
pub(crate) async fn change(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    Form(filled): Form<Filled>,
) -> Reply {
    match edit(&server, &caller, &id, filled.patch()).await {
        Ok(category) => go(&format!("/categories/{}", category.id)),
        Err(problem) => {
            let why = mendable(problem)?;
            let category = find(&server, &id).await?;
            show_one(&server, &caller, category, filled, Some(why)).await
        }
    }
}

/// `POST /categories/{id}/remove`.
pub(crate) async fn delete(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    remove(&server, &caller, &id).await?;
    go("/categories")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_read_as_people_fill_it() {
        let filled = Filled {
            name: " Harbour ".to_owned(),
            description: "Ships,\r\nferries".to_owned(),
            keywords: "ferry, port ,\nquay,,".to_owned(),
            examples: "One, with a comma\r\n\r\n Two ".to_owned(),
            wants_full_text: None,
        };
        let body = filled.body();
        assert_eq!((body.name.as_str(), body.description.as_str()), ("Harbour", "Ships,\nferries"));
        assert_eq!(body.keywords, ["ferry", "port", "quay"]);
        assert_eq!(body.examples, ["One, with a comma", "Two"]);
    }
}
