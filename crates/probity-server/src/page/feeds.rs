//! The feeds: listed with their health, looked at before they are added, taken over as a list.

use std::collections::HashMap;

use askama::Template;
use axum::extract::State;
use probity_core::{FeedId, Timestamp, counted};
use probity_news::subscribe::Imported;
use probity_store::news::{FeedQuery, FeedRecord, FeedState};
use serde::Deserialize;

use super::news::link;
use super::{Frame, Tab, When, go, page};
use crate::access::Caller;
use crate::api::feeds::look::look;
use crate::api::feeds::opml::take_over;
use crate::api::feeds::{self as api, FeedBody};
use crate::api::{Cursor, Listed, Reply};
use crate::backend::{FeedPreview, Look, OfferedFeed};
use crate::limits;
use crate::problem::Problem;
use crate::read::{Form, Query, texts};
use crate::state::Server;

/// How a feed is, in a word or what went wrong, and how that looks.
pub(super) fn health(feed: &FeedRecord) -> (String, &'static str) {
    let on = feed.state == FeedState::Enabled;
    match (&feed.last_error, on) {
        (_, false) => {
            let why = feed.state_reason.clone().unwrap_or_default();
            (format!("{} {why}", feed.state.as_str()), "")
        }
        (Some(error), true) => (error.clone(), "failure"),
        (None, true) if feed.ok_at.is_none() => ("not polled yet".to_owned(), ""),
        (None, true) => ("ok".to_owned(), "ok"),
    }
}

struct FeedRow {
    id: FeedId,
    name: String,
    url: String,
    cred: String,
    aggregator: bool,
    health: String,
    class: &'static str,
    on: bool,
    brought: i64,
    unread: i64,
    ok: Option<When>,
    categories: String,
}

impl FeedRow {
    fn new(feed: FeedRecord, unread: &HashMap<FeedId, i64>, now: Timestamp) -> Self {
        let (health, class) = health(&feed);
        Self {
            id: feed.id,
            name: feed.name().to_owned(),
            cred: format!("{:.2}", feed.credibility_score),
            aggregator: feed.aggregator,
            health,
            class,
            on: feed.state == FeedState::Enabled,
            brought: feed.brought,
            unread: unread.get(&feed.id).copied().unwrap_or(0),
            ok: feed.ok_at.map(|at| When::new(at, now)),
            categories: feed.categories.join(", "),
            url: feed.url,
        }
    }
}

/// What was found at an address that a user typed.
struct Shown {
    feed: Option<FeedPreview>,
    offered: Vec<OfferedFeed>,
}

impl Shown {
    fn link(url: &Option<String>) -> Option<String> {
        link(url.as_deref())
    }
}

/// What a page of feeds tells besides the list.
#[derive(Default)]
struct Notice {
    url: String,
    problem: Option<String>,
    good: Option<String>,
    /// Entries of a list that could not be taken over.
    bad: Vec<String>,
    shown: Option<Shown>,
}

#[derive(Template)]
#[template(path = "feeds.html")]
struct FeedsPage {
    frame: Frame,
    feeds: Vec<FeedRow>,
    next: Option<String>,
    notice: Notice,
}

/// Where in the list to begin.
#[derive(Deserialize)]
pub(crate) struct From {
    cursor: Option<String>,
}

async fn draw(server: &Server, caller: &Caller, cursor: Option<&str>, notice: Notice) -> Reply {
    let (limit, now) = (limits::PAGE_ROWS, server.clock.now());
    let query = FeedQuery {
        after: Cursor::read(cursor)?.unwrap_or_default(),
        limit: Some(limit + 1),
        ..FeedQuery::default()
    };
    let (feeds, unread) =
        tokio::try_join!(server.store.feeds(&query), server.store.unread_by_feed(&caller.name))?;
    let rows = feeds.into_iter().map(|feed| FeedRow::new(feed, &unread, now)).collect();
    let Listed { items, next } = Listed::cut(rows, limit, |last: &FeedRow| Cursor::write(&last.id));
    let frame = Frame::new(server, caller, "Feeds", Tab::News);
    page(&FeedsPage { frame, feeds: items, next, notice })
}

/// `GET /feeds`.
pub(crate) async fn list(
    State(server): State<Server>,
    caller: Caller,
    Query(from): Query<From>,
) -> Reply {
    draw(&server, &caller, from.cursor.as_deref(), Notice::default()).await
}

/// What the form holds.
#[derive(Deserialize)]
pub(crate) struct AddForm {
    #[serde(default)]
    url: String,
    label: Option<String>,
    /// Names with commas between them.
    categories: Option<String>,
    #[serde(default, deserialize_with = "texts::optional")]
    every_minutes: Option<u32>,
    /// `add`, or anything else to see first what is there.
    step: Option<String>,
}

/// Names as a field has them: with commas between them.
pub(super) fn names(text: &str) -> Vec<String> {
    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

/// `POST /feeds`.
pub(crate) async fn add(
    State(server): State<Server>,
    caller: Caller,
    Form(asked): Form<AddForm>,
) -> Reply {
    let notice = match asked.step.as_deref() {
        Some("add") => {
            let body = FeedBody {
                url: asked.url.clone(),
                label: asked.label,
                categories: names(asked.categories.as_deref().unwrap_or_default()),
                every_minutes: asked.every_minutes,
                unseen: true,
            };
            match api::add(&server, &caller, &body).await {
                Ok(id) => return go(&format!("/feeds/{id}")),
                Err(problem) => refused(problem)?,
            }
        }
        _ => match look(&server, &asked.url).await {
            Ok(Look::Feed(feed)) => shown(Some(*feed), Vec::new()),
            Ok(Look::Page(offered)) => shown(None, offered),
            Err(problem) => refused(problem)?,
        },
    };
    draw(&server, &caller, None, Notice { url: asked.url, ..notice }).await
}

fn shown(feed: Option<FeedPreview>, offered: Vec<OfferedFeed>) -> Notice {
    Notice { shown: Some(Shown { feed, offered }), ..Notice::default() }
}

/// What a person can fix is shown on the page where they can.
fn refused(problem: Problem) -> Result<Notice, Problem> {
    match problem.status().is_client_error() {
        true => Ok(Notice { problem: Some(problem.detail().to_owned()), ..Notice::default() }),
        false => Err(problem),
    }
}

/// What the form of a list holds.
#[derive(Deserialize)]
pub(crate) struct ImportForm {
    #[serde(default)]
    opml: String,
}

/// `POST /feeds/import`.
pub(crate) async fn import(
    State(server): State<Server>,
    caller: Caller,
    Form(asked): Form<ImportForm>,
) -> Reply {
    let notice = match take_over(&server, &caller, asked.opml.as_bytes()).await {
        Ok(Imported { added, known, refused, problems }) => {
            let added = counted(added, "feed was added", "feeds were added");
            let known = counted(known, "was", "were");
            let more = match refused {
                0 => String::new(),
                refused => format!("; for {refused} more there is no room"),
            };
            let good = Some(format!("{added}, {known} there already{more}."));
            Notice { good, bad: problems, ..Notice::default() }
        }
        Err(problem) => refused(problem)?,
    };
    draw(&server, &caller, None, notice).await
}
