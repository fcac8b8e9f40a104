//! Feeds: looked at before they are added, changed, switched off, removed, taken over as a list.

pub mod look;
pub mod opml;

use std::time::Duration;

use axum::extract::State;
use axum::response::IntoResponse as _;
use http::StatusCode;
use probity_core::{FeedId, WebUrl, limits as core_limits};
use probity_store::news::{
    Added, FeedChange, FeedError, FeedQuery, FeedRecord, FeedState, NewFeed,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use self::look::{address, found, look};
use super::ledger::instant;
use super::{Cursor, Listed, Reply, json, rows};
use crate::access::Caller;
use crate::problem::Problem;
use crate::read::{Json, Part, Query, texts};
use crate::state::Server;

/// The most categories of a feed.
const CATEGORIES: usize = 50;
/// How often a feed may be polled, in minutes.
const MINUTES: std::ops::RangeInclusive<u32> = 1..=43_200;

/// A feed.
#[derive(Serialize, ToSchema)]
pub struct FeedView {
    /// Its id.
    #[schema(value_type = i64)]
    pub id: FeedId,
    /// Its address.
    pub url: String,
    /// What to call it.
    pub name: String,
    /// The page it belongs to.
    pub site_url: Option<String>,
    /// The categories its articles belong to by default.
    pub categories: Vec<String>,
    /// A legacy number that has no effect.
    pub credibility_score: f64,
    /// Whether most of its items belong to other publishers.
    pub aggregator: bool,
    /// `enabled`, `disabled` or `gone`.
    pub state: &'static str,
    /// Why it is not polled.
    pub state_reason: Option<String>,
    /// How many articles it brought.
    pub brought: i64,
    /// Polls in a row that failed.
    pub failures: i64,
    /// When it was last polled.
    pub polled_at: Option<String>,
    /// When that last went well.
    pub ok_at: Option<String>,
    /// When it is polled next.
    pub next_at: Option<String>,
    /// What went wrong last, while it is going wrong.
    pub last_error: Option<String>,
    /// How often its reader wants it polled, in minutes; none lets it find its own pace.
    pub every_minutes: Option<i64>,
}

impl From<FeedRecord> for FeedView {
    fn from(feed: FeedRecord) -> Self {
        Self {
            name: feed.name().to_owned(),
            id: feed.id,
            url: feed.url,
            site_url: feed.site_url,
            categories: feed.categories,
            credibility_score: feed.credibility_score,
            aggregator: feed.aggregator,
            state: feed.state.as_str(),
            state_reason: feed.state_reason,
            brought: feed.brought,
            failures: feed.failures,
            polled_at: feed.polled_at.map(instant),
            ok_at: feed.ok_at.map(instant),
            next_at: feed.next_at.map(instant),
            last_error: feed.last_error,
            every_minutes: feed.interval_ms.map(|millis| millis / 60_000),
        }
    }
}

/// Which feeds to list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct FeedParams {
    /// Only those whose last poll failed.
    #[serde(default, deserialize_with = "texts::optional")]
    failing: Option<bool>,
    /// How many to give.
    #[param(minimum = 1, maximum = 200)]
    #[serde(default, deserialize_with = "texts::optional")]
    limit: Option<i64>,
    /// Where to begin: the `next` of the part before.
    cursor: Option<String>,
}

/// Lists feeds, the oldest first.
#[utoipa::path(get, path = "/api/feeds", tag = "news", params(FeedParams),
    responses((status = 200, body = Listed<FeedView>)))]
pub(crate) async fn feeds(State(server): State<Server>, Query(asked): Query<FeedParams>) -> Reply {
    let limit = rows(asked.limit)?;
    let query = FeedQuery {
        failing: asked.failing.unwrap_or(false),
        after: Cursor::read(asked.cursor.as_deref())?.unwrap_or_default(),
        limit: Some(limit + 1),
        ..FeedQuery::default()
    };
    let feeds = server.store.feeds(&query).await?;
    let items: Vec<FeedView> = feeds.into_iter().map(FeedView::from).collect();
    Ok(json(&Listed::cut(items, limit, |last| Cursor::write(&last.id))))
}

pub(crate) async fn find_feed(server: &Server, id: &str) -> Result<FeedRecord, Problem> {
    let missing = || Problem::not_found("there is no such feed");
    let id: FeedId = id.parse().map_err(|_| missing())?;
    server.store.feed(id).await?.ok_or_else(missing)
}

/// Shows a feed.
#[utoipa::path(get, path = "/api/feeds/{id}", tag = "news",
    params(("id" = i64, Path, description = "The feed's id")),
    responses((status = 200, body = FeedDetail)))]
pub(crate) async fn feed(State(server): State<Server>, Part(id): Part) -> Reply {
    let feed = find_feed(&server, &id).await?;
    let errors = server.store.feed_errors(feed.id).await?;
    let errors = errors.into_iter().map(FeedTrouble::from).collect();
    Ok(json(&FeedDetail { feed: FeedView::from(feed), errors }))
}

/// A feed with what went wrong with it.
#[derive(Serialize, ToSchema)]
pub struct FeedDetail {
    /// What lists show.
    #[serde(flatten)]
    pub feed: FeedView,
    /// What went wrong, the latest first, at most 50.
    pub errors: Vec<FeedTrouble>,
}

/// Something that went wrong with a feed.
#[derive(Serialize, ToSchema)]
pub struct FeedTrouble {
    /// When.
    pub at: String,
    /// What kind of failure it was.
    pub kind: String,
    /// What the server answered with.
    pub status: Option<i64>,
    /// What happened.
    pub reason: String,
}

impl From<FeedError> for FeedTrouble {
    fn from(error: FeedError) -> Self {
        let FeedError { at, kind, status, reason } = error;
        Self { at: instant(at), kind, status, reason }
    }
}

/// A feed to be polled.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FeedBody {
    /// The feed's address, or that of a page that offers one feed.
    #[schema(example = "https://example.org/feed.xml")]
    pub url: String,
    /// What to call it.
    #[serde(default)]
    #[schema(max_length = 200)]
    pub label: Option<String>,
    /// The categories its articles belong to by default.
    #[serde(default)]
    #[schema(max_items = 50)]
    pub categories: Vec<String>,
    /// How often it is polled, in minutes, instead of at a pace of its own.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 43200)]
    pub every_minutes: Option<u32>,
    /// Adds the address as it is, without looking whether a feed is there.
    #[serde(default)]
    pub unseen: bool,
}

/// Adds a feed, which is polled soon. An address where no feed is found is refused.
#[utoipa::path(post, path = "/api/feeds", tag = "news", request_body = FeedBody,
    responses((status = 201, body = FeedView)))]
pub(crate) async fn add_feed(
    State(server): State<Server>,
    caller: Caller,
    Json(mut body): Json<FeedBody>,
) -> Reply {
    if !body.unseen {
        check(body.label.as_deref(), Some(&body.categories), body.every_minutes)?;
        body.url = found(look(&server, &body.url).await?)?;
    }
    let id = add(&server, &caller, &body).await?;
    let feed = find_feed(&server, &id.to_string()).await?;
    Ok((StatusCode::CREATED, json(&FeedView::from(feed))).into_response())
}

/// Whether what a reader decides of a feed can be kept.
fn check(
    label: Option<&str>,
    categories: Option<&[String]>,
    every: Option<u32>,
) -> Result<(), Problem> {
    let is_long = |text: &str| text.chars().count() > core_limits::NAME_CHARS;
    if label.is_some_and(is_long) {
        return Err(Problem::field("label", "a label has at most 200 characters"));
    }
    let names = categories.unwrap_or_default();
    if names.len() > CATEGORIES || names.iter().any(|name| is_long(name) || name.trim().is_empty())
    {
        let why = "at most 50 categories, of 1 to 200 characters each, are accepted";
        return Err(Problem::field("categories", why));
    }
    if every.is_some_and(|minutes| !MINUTES.contains(&minutes)) {
        let why = "a feed is polled every 1 to 43,200 minutes, or at its own pace";
        return Err(Problem::field("every_minutes", why));
    }
    Ok(())
}

fn minutes(count: u32) -> Duration {
    Duration::from_secs(u64::from(count) * 60)
}

/// Adds a feed; gives its id.
pub(crate) async fn add(
    server: &Server,
    caller: &Caller,
    body: &FeedBody,
) -> Result<FeedId, Problem> {
    let url = address(&body.url)?;
    check(body.label.as_deref(), Some(&body.categories), body.every_minutes)?;
    let new = NewFeed {
        url: url.as_str(),
        host: url.dns_host(),
        label: body.label.as_deref(),
        categories: &body.categories,
        interval: body.every_minutes.map(minutes),
        after: Duration::ZERO,
        ..NewFeed::default()
    };
    match server.store.add_feed(&new).await? {
        Added::New(id) => {
            server.store.note(&caller.name, "feed added", url.as_str()).await?;
            Ok(id)
        }
        Added::Exists(id) => Err(Problem::conflict(format!("feed {id} has this address already"))),
        Added::Full => Err(Problem::conflict("there are as many feeds as a store polls")),
    }
}

/// What to change of a feed; what is absent stays as it is.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FeedChangeBody {
    /// What to call it; an empty text gives it back its own title.
    #[serde(default)]
    #[schema(max_length = 200)]
    pub label: Option<String>,
    /// The categories its articles belong to by default.
    #[serde(default)]
    #[schema(max_items = 50)]
    pub categories: Option<Vec<String>>,
    /// How often it is polled, in minutes; 0 lets it find its own pace.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 43200)]
    pub every_minutes: Option<u32>,
}

/// Changes what a feed is called, where its articles belong and how often it is polled.
#[utoipa::path(patch, path = "/api/feeds/{id}", tag = "news",
    params(("id" = i64, Path, description = "The feed's id")),
    request_body = FeedChangeBody, responses((status = 200, body = FeedView)))]
pub(crate) async fn change_feed(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    Json(body): Json<FeedChangeBody>,
) -> Reply {
    let id = change(&server, &caller, &id, &body).await?;
    Ok(json(&FeedView::from(find_feed(&server, &id.to_string()).await?)))
}

/// Changes a feed; gives its id.
pub(crate) async fn change(
    server: &Server,
    caller: &Caller,
    id: &str,
    body: &FeedChangeBody,
) -> Result<FeedId, Problem> {
    let feed = find_feed(server, id).await?;
    let every = body.every_minutes.filter(|minutes| *minutes > 0);
    check(body.label.as_deref(), body.categories.as_deref(), every)?;
    let change = FeedChange {
        label: body.label.as_deref().map(str::trim),
        categories: body.categories.as_deref(),
        interval: body.every_minutes.map(|_| every.map(minutes)),
    };
    server.store.change_feed(feed.id, &change).await?;
    server.store.note(&caller.name, "feed changed", &feed.url).await?;
    Ok(feed.id)
}

/// Whether a feed's articles go with it.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct RemoveParams {
    /// Removes its articles too, except those that a reader starred or something refers to.
    #[serde(default, deserialize_with = "texts::optional")]
    articles: Option<bool>,
}

/// Removes a feed; its articles stay by default.
#[utoipa::path(delete, path = "/api/feeds/{id}", tag = "news",
    params(("id" = i64, Path, description = "The feed's id"), RemoveParams),
    responses((status = 204, description = "The feed is removed")))]
pub(crate) async fn remove_feed(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    Query(asked): Query<RemoveParams>,
) -> Reply {
    remove(&server, &caller, &id, asked.articles.unwrap_or(false)).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Removes a feed.
pub(crate) async fn remove(
    server: &Server,
    caller: &Caller,
    id: &str,
    articles: bool,
) -> Result<(), Problem> {
    let feed = find_feed(server, id).await?;
    server.store.remove_feed(feed.id, articles).await?;
    let what = if articles { "feed removed with its articles" } else { "feed removed" };
    Ok(server.store.note(&caller.name, what, &feed.url).await?)
}

/// Makes a feed due at once, so that the next free worker polls it.
#[utoipa::path(post, path = "/api/feeds/{id}/poll", tag = "news",
    params(("id" = i64, Path, description = "The feed's id")),
    responses((status = 202, body = FeedView)))]
pub(crate) async fn poll_feed(State(server): State<Server>, Part(id): Part) -> Reply {
    let feed = poll(&server, &id).await?;
    Ok((StatusCode::ACCEPTED, json(&FeedView::from(feed))).into_response())
}

/// Makes a feed due at once.
pub(crate) async fn poll(server: &Server, id: &str) -> Result<FeedRecord, Problem> {
    let feed = find_feed(server, id).await?;
    if feed.state != FeedState::Enabled {
        return Err(Problem::conflict("this feed is switched off; switch it on first"));
    }
    server.store.poll_now(Some(feed.id)).await?;
    find_feed(server, id).await
}

/// What a feed shall be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FeedStateBody {
    /// Whether it is polled.
    pub enabled: bool,
}

/// Switches a feed on or off.
#[utoipa::path(put, path = "/api/feeds/{id}/state", tag = "news",
    params(("id" = i64, Path, description = "The feed's id")),
    request_body = FeedStateBody, responses((status = 200, body = FeedView)))]
pub(crate) async fn switch_feed(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    Json(body): Json<FeedStateBody>,
) -> Reply {
    let id = switch(&server, &caller, &id, body.enabled).await?;
    Ok(json(&FeedView::from(find_feed(&server, &id.to_string()).await?)))
}

/// Switches a feed on or off; gives its id.
pub(crate) async fn switch(
    server: &Server,
    caller: &Caller,
    id: &str,
    on: bool,
) -> Result<FeedId, Problem> {
    let feed = find_feed(server, id).await?;
    let host = WebUrl::parse(&feed.url).map(|url| url.dns_host().to_owned()).unwrap_or_default();
    if (feed.state == FeedState::Enabled) != on {
        server.store.switch_feed(feed.id, &host, on).await?;
        let what = if on { "feed enabled" } else { "feed disabled" };
        server.store.note(&caller.name, what, &feed.url).await?;
    }
    Ok(feed.id)
}
