//! A feed: what it brought, how it is, and what its reader decides of it.

use askama::Template;
use axum::extract::State;
use probity_core::FeedId;
use probity_store::news::{FeedError, FeedRecord, FeedState};
use serde::Deserialize;

use super::feeds::{health, names};
use super::news::{ArticleList, Asked, link};
use super::show::due;
use super::{Frame, Tab, When, go, page};
use crate::access::Caller;
use crate::api::Reply;
use crate::api::feeds::{self as api, FeedChangeBody};
use crate::problem::Problem;
use crate::read::{Form, Part, Query, texts};
use crate::state::Server;

struct Trouble {
    at: When,
    reason: String,
}

#[derive(Template)]
#[template(path = "feed.html")]
struct FeedPage {
    frame: Frame,
    id: FeedId,
    name: String,
    href: Option<String>,
    url: String,
    site: Option<String>,
    aggregator: bool,
    on: bool,
    health: String,
    class: &'static str,
    brought: i64,
    per_day: Option<String>,
    polled: Option<When>,
    ok: Option<When>,
    next: Option<String>,
    failures: i64,
    troubles: Vec<Trouble>,
    label: String,
    categories: String,
    every: Option<i64>,
    problem: Option<String>,
    list: ArticleList,
}

async fn draw(
    server: &Server,
    caller: &Caller,
    feed: FeedRecord,
    asked: &Asked,
    problem: Option<String>,
) -> Reply {
    let now = server.clock.now();
    let path = format!("/feeds/{}", feed.id);
    let troubles = server.store.feed_errors(feed.id).await?;
    let trouble = |error: FeedError| Trouble { at: When::new(error.at, now), reason: error.reason };
    let (health, class) = health(&feed);
    page(&FeedPage {
        list: ArticleList::latest(server, caller, Some(feed.id), asked, path).await?,
        frame: Frame::new(server, caller, feed.name(), Tab::News),
        id: feed.id,
        name: feed.name().to_owned(),
        href: link(Some(&feed.url)),
        site: link(feed.site_url.as_deref()),
        aggregator: feed.aggregator,
        on: feed.state == FeedState::Enabled,
        health,
        class,
        brought: feed.brought,
        per_day: feed.per_day.map(|rate| format!("{rate:.1}")),
        polled: feed.polled_at.map(|at| When::new(at, now)),
        ok: feed.ok_at.map(|at| When::new(at, now)),
        next: feed.next_at.map(|at| due(at, now)),
        failures: feed.failures,
        troubles: troubles.into_iter().map(trouble).collect(),
        label: feed.label.unwrap_or_default(),
        categories: feed.categories.join(", "),
        every: feed.interval_ms.map(|millis| millis / 60_000),
        url: feed.url,
        problem,
    })
}

/// `GET /feeds/{id}`.
pub(crate) async fn show(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    Query(asked): Query<Asked>,
) -> Reply {
    let feed = api::find_feed(&server, &id).await?;
    draw(&server, &caller, feed, &asked, None).await
}

/// What the form holds. What it leaves empty is meant to be empty.
#[derive(Deserialize)]
pub(crate) struct ChangeForm {
    label: Option<String>,
    categories: Option<String>,
    #[serde(default, deserialize_with = "texts::optional")]
    every_minutes: Option<u32>,
}

/// `POST /feeds/{id}`.
pub(crate) async fn change(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    Form(asked): Form<ChangeForm>,
) -> Reply {
    let body = FeedChangeBody {
        label: Some(asked.label.unwrap_or_default()),
        categories: Some(names(asked.categories.as_deref().unwrap_or_default())),
        every_minutes: Some(asked.every_minutes.unwrap_or(0)),
    };
    match api::change(&server, &caller, &id, &body).await {
        Ok(id) => go(&format!("/feeds/{id}")),
        Err(problem) if problem.field_name().is_some() => {
            let feed = api::find_feed(&server, &id).await?;
            let why = Some(problem.detail().to_owned());
            draw(&server, &caller, feed, &Asked::default(), why).await
        }
        Err(problem) => Err(problem),
    }
}

async fn switch(server: &Server, caller: &Caller, id: &str, on: bool) -> Reply {
    let id = api::switch(server, caller, id, on).await?;
    go(&format!("/feeds/{id}"))
}

/// `POST /feeds/{id}/enable`.
pub(crate) async fn enable(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    switch(&server, &caller, &id, true).await
}

/// `POST /feeds/{id}/disable`.
pub(crate) async fn disable(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    switch(&server, &caller, &id, false).await
}

/// `POST /feeds/{id}/poll`.
pub(crate) async fn poll(State(server): State<Server>, Part(id): Part) -> Reply {
    let feed = api::poll(&server, &id).await?;
    go(&format!("/feeds/{}", feed.id))
}

/// Whether the articles go too.
#[derive(Deserialize)]
pub(crate) struct RemoveForm {
    articles: Option<String>,
}

/// `POST /feeds/{id}/remove`.
pub(crate) async fn remove(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    Form(asked): Form<RemoveForm>,
) -> Result<axum::response::Response, Problem> {
    api::remove(&server, &caller, &id, asked.articles.is_some()).await?;
    go("/feeds")
}
