//! The newsroom's pages: the latest articles, and the feeds that bring them.

use askama::Template;
use axum::extract::State;
use probity_store::news::{ArticleQuery, FeedQuery, FeedRecord, FeedState, Latest, Newsroom};
use serde::Deserialize;

use super::{Bar, Frame, Tab, When, go, page};
use crate::access::Caller;
use crate::api::news::{ArticleView, FeedBody, add, found, switch};
use crate::api::{Cursor, Listed, Reply};
use crate::limits;
use crate::problem::Problem;
use crate::read::{Form, Part, Query};
use crate::state::Server;

pub(super) struct ArticleRow {
    pub(super) title: String,
    pub(super) href: Option<String>,
    pub(super) summary: String,
    pub(super) outlet: Option<String>,
    pub(super) resolved: bool,
    pub(super) bar: Bar,
    pub(super) at: When,
}

impl ArticleRow {
    pub(super) fn new(view: ArticleView, now: probity_core::Timestamp) -> Self {
        let at = view.published_at.as_deref().unwrap_or(&view.seen_at).parse();
        Self {
            href: link(view.url.as_deref()),
            title: view.title,
            summary: probity_core::printable::brief(&view.summary, 240),
            outlet: view.outlet,
            resolved: view.resolved,
            bar: Bar::new(view.credibility),
            at: When::new(at.unwrap_or(now), now),
        }
    }
}

#[derive(Template)]
#[template(path = "news.html")]
struct NewsPage {
    frame: Frame,
    q: String,
    articles: Vec<ArticleRow>,
    next: Option<String>,
    room: Newsroom,
}

/// What to look for, and where to begin.
#[derive(Deserialize)]
pub(crate) struct Asked {
    q: Option<String>,
    cursor: Option<String>,
}

/// Only an address of the web becomes a link.
pub(super) fn link(url: Option<&str>) -> Option<String> {
    let url = probity_core::WebUrl::parse(url?).ok()?;
    Some(url.as_str().to_owned())
}

/// `GET /news`.
pub(crate) async fn articles(
    State(server): State<Server>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Reply {
    let now = server.clock.now();
    let views = async {
        match &asked.q {
            Some(words) => Ok((found(&server, words, None).await?, None)),
            None => latest(&server, asked.cursor.as_deref()).await,
        }
    };
    let room = async { Ok(server.store.newsroom().await?) };
    let ((views, next), room) = tokio::try_join!(views, room)?;
    page(&NewsPage {
        frame: Frame::new(&server, &caller, "News", Tab::News),
        q: asked.q.unwrap_or_default(),
        articles: views.into_iter().map(|view| ArticleRow::new(view, now)).collect(),
        next,
        room,
    })
}

async fn latest(
    server: &Server,
    cursor: Option<&str>,
) -> Result<(Vec<ArticleView>, Option<String>), Problem> {
    let limit = limits::USUAL_ROWS;
    let query = ArticleQuery {
        before: Cursor::read(cursor)?,
        limit: Some(limit + 1),
        ..ArticleQuery::default()
    };
    let (articles, scores) =
        tokio::try_join!(server.store.articles(&query), server.store.scores())?;
    let Listed { items, next } =
        Listed::cut(articles, limit, |last| Cursor::write(&Latest::after(last)));
    let views = items.into_iter().map(|article| ArticleView::new(article, &scores));
    Ok((views.collect(), next))
}

struct FeedRow {
    id: i64,
    name: String,
    url: String,
    cred: String,
    aggregator: bool,
    health: String,
    class: &'static str,
    on: bool,
    brought: i64,
    ok: Option<When>,
    categories: String,
}

impl FeedRow {
    fn new(feed: FeedRecord, now: probity_core::Timestamp) -> Self {
        let on = feed.state == FeedState::Enabled;
        let (health, class) = match (&feed.last_error, on) {
            (_, false) => {
                let why = feed.state_reason.clone().unwrap_or_default();
                (format!("{} {why}", feed.state.as_str()), "")
            }
            (Some(error), true) => (error.clone(), "failure"),
            (None, true) if feed.ok_at.is_none() => ("not polled yet".to_owned(), ""),
            (None, true) => ("ok".to_owned(), "ok"),
        };
        Self {
            id: feed.id,
            name: feed.name().to_owned(),
            cred: format!("{:.2}", feed.credibility_score),
            aggregator: feed.aggregator,
            health,
            class,
            on,
            brought: feed.brought,
            ok: feed.ok_at.map(|at| When::new(at, now)),
            categories: feed.categories.join(", "),
            url: feed.url,
        }
    }
}

#[derive(Template)]
#[template(path = "feeds.html")]
struct FeedsPage {
    frame: Frame,
    feeds: Vec<FeedRow>,
    next: Option<String>,
    url: String,
    problem: Option<String>,
}

async fn list(
    server: &Server,
    caller: &Caller,
    cursor: Option<&str>,
    url: String,
    problem: Option<String>,
) -> Reply {
    let (limit, now) = (limits::PAGE_ROWS, server.clock.now());
    let query = FeedQuery {
        after: Cursor::read(cursor)?.unwrap_or(0),
        limit: Some(limit + 1),
        ..FeedQuery::default()
    };
    let feeds = server.store.feeds(&query).await?;
    let rows: Vec<FeedRow> = feeds.into_iter().map(|feed| FeedRow::new(feed, now)).collect();
    let Listed { items, next } = Listed::cut(rows, limit, |last| Cursor::write(&last.id));
    let frame = Frame::new(server, caller, "Feeds", Tab::News);
    page(&FeedsPage { frame, feeds: items, next, url, problem })
}

/// `GET /feeds`.
pub(crate) async fn feeds(
    State(server): State<Server>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Reply {
    list(&server, &caller, asked.cursor.as_deref(), String::new(), None).await
}

/// What the form holds.
#[derive(Deserialize)]
pub(crate) struct NewFeedForm {
    #[serde(default)]
    url: String,
}

/// `POST /feeds`.
pub(crate) async fn add_feed(
    State(server): State<Server>,
    caller: Caller,
    Form(asked): Form<NewFeedForm>,
) -> Reply {
    let body = FeedBody { url: asked.url.clone(), ..FeedBody::default() };
    match add(&server, &caller, &body).await {
        Ok(_) => go("/feeds"),
        Err(problem) if problem.status().is_client_error() => {
            let why = problem.detail().to_owned();
            list(&server, &caller, None, asked.url, Some(why)).await
        }
        Err(problem) => Err(problem),
    }
}

/// `POST /feeds/{id}/enable`.
pub(crate) async fn enable(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    switch(&server, &caller, &id, true).await?;
    go("/feeds")
}

/// `POST /feeds/{id}/disable`.
pub(crate) async fn disable(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    switch(&server, &caller, &id, false).await?;
    go("/feeds")
}
