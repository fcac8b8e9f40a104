//! The newsroom: feeds, and the articles that they brought.

use std::collections::HashMap;
use std::time::Duration;

use axum::extract::State;
use axum::response::IntoResponse as _;
use http::StatusCode;
use probity_core::{Band, Outlet, Timestamp, WebUrl, limits as core_limits};
use probity_news::NEUTRAL;
use probity_store::news::{
    Added, Article, ArticleQuery, FeedQuery, FeedRecord, FeedState, Latest, NewFeed,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::ledger::instant;
use super::{Cursor, Listed, Reply, json, rows};
use crate::access::Caller;
use crate::problem::Problem;
use crate::read::{Json, Part, Query, texts};
use crate::state::Server;

/// The most categories of a feed.
const CATEGORIES: usize = 50;

/// A feed as it stands.
#[derive(Serialize, ToSchema)]
pub struct FeedView {
    /// Its id.
    pub id: i64,
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
    /// Whether most of its items belong to somebody else.
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
        after: Cursor::read(asked.cursor.as_deref())?.unwrap_or(0),
        limit: Some(limit + 1),
        ..FeedQuery::default()
    };
    let feeds = server.store.feeds(&query).await?;
    let items: Vec<FeedView> = feeds.into_iter().map(FeedView::from).collect();
    Ok(json(&Listed::cut(items, limit, |last| Cursor::write(&last.id))))
}

async fn find_feed(server: &Server, id: &str) -> Result<FeedRecord, Problem> {
    let missing = || Problem::not_found("there is no such feed");
    let id: i64 = id.parse().map_err(|_| missing())?;
    server.store.feed(id).await?.ok_or_else(missing)
}

/// Shows a feed.
#[utoipa::path(get, path = "/api/feeds/{id}", tag = "news",
    params(("id" = i64, Path, description = "The feed's id")),
    responses((status = 200, body = FeedView)))]
pub(crate) async fn feed(State(server): State<Server>, Part(id): Part) -> Reply {
    Ok(json(&FeedView::from(find_feed(&server, &id).await?)))
}

/// A feed to be polled.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FeedBody {
    /// The feed's address.
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
}

/// Adds a feed, which is polled soon.
#[utoipa::path(post, path = "/api/feeds", tag = "news", request_body = FeedBody,
    responses((status = 201, body = FeedView)))]
pub(crate) async fn add_feed(
    State(server): State<Server>,
    caller: Caller,
    Json(body): Json<FeedBody>,
) -> Reply {
    let id = add(&server, &caller, &body).await?;
    let feed = find_feed(&server, &id.to_string()).await?;
    Ok((StatusCode::CREATED, json(&FeedView::from(feed))).into_response())
}

/// Adds a feed; gives its id.
pub(crate) async fn add(server: &Server, caller: &Caller, body: &FeedBody) -> Result<i64, Problem> {
    let url = WebUrl::parse(body.url.trim());
    let url = url.map_err(|error| Problem::field("url", error.to_string()))?;
    let is_long = |text: &str| text.chars().count() > core_limits::NAME_CHARS;
    if body.label.as_deref().is_some_and(is_long) {
        return Err(Problem::field("label", "a label has at most 200 characters"));
    }
    let too_many = body.categories.len() > CATEGORIES;
    if too_many || body.categories.iter().any(|name| is_long(name) || name.trim().is_empty()) {
        let why = "at most 50 categories, of 1 to 200 characters each, are accepted";
        return Err(Problem::field("categories", why));
    }
    let new = NewFeed {
        url: url.as_str(),
        host: url.host(),
        label: body.label.as_deref(),
        categories: &body.categories,
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
) -> Result<i64, Problem> {
    let feed = find_feed(server, id).await?;
    let host = WebUrl::parse(&feed.url).map(|url| url.host().to_owned()).unwrap_or_default();
    if (feed.state == FeedState::Enabled) != on {
        server.store.switch_feed(feed.id, &host, on).await?;
        let what = if on { "feed enabled" } else { "feed disabled" };
        server.store.note(&caller.name, what, &feed.url).await?;
    }
    Ok(feed.id)
}

/// An article with what its outlet is worth today.
#[derive(Serialize, ToSchema)]
pub struct ArticleView {
    /// Its id.
    pub id: i64,
    /// Its headline.
    pub title: String,
    /// What it says of itself.
    pub summary: String,
    /// The address to open.
    pub url: Option<String>,
    /// Whose it is.
    pub outlet: Option<String>,
    /// Whether that is known for good.
    pub resolved: bool,
    /// What the outlet is worth today; neutral where it is not known.
    pub credibility: f64,
    /// How to read that.
    pub band: &'static str,
    /// The feed that brought it.
    pub feed: Option<i64>,
    /// When it was published.
    pub published_at: Option<String>,
    /// When it was first seen.
    pub seen_at: String,
}

impl ArticleView {
    pub(crate) fn new(article: Article, scores: &HashMap<Outlet, f64>) -> Self {
        let known = article.outlet.as_ref().filter(|_| article.resolved);
        let credibility = known.and_then(|outlet| scores.get(outlet)).copied().unwrap_or(NEUTRAL);
        Self {
            id: article.id,
            url: article.address().map(str::to_owned),
            title: article.title,
            summary: article.summary,
            outlet: article.outlet.map(|outlet| outlet.as_str().to_owned()),
            resolved: article.resolved,
            credibility,
            band: Band::of(credibility).words(),
            feed: article.feed_id,
            published_at: article.published_at.map(instant),
            seen_at: instant(article.seen_at),
        }
    }
}

/// Which articles to list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ArticleParams {
    /// Only those of this feed.
    #[serde(default, deserialize_with = "texts::optional")]
    feed: Option<i64>,
    /// Only those of this outlet.
    outlet: Option<String>,
    /// Only those whose publisher is not known for good.
    #[serde(default, deserialize_with = "texts::optional")]
    unresolved: Option<bool>,
    /// How many to give.
    #[param(minimum = 1, maximum = 200)]
    #[serde(default, deserialize_with = "texts::optional")]
    limit: Option<i64>,
    /// Where to begin: the `next` of the part before.
    cursor: Option<String>,
}

/// Lists articles, the latest first.
#[utoipa::path(get, path = "/api/articles", tag = "news", params(ArticleParams),
    responses((status = 200, body = Listed<ArticleView>)))]
pub(crate) async fn articles(
    State(server): State<Server>,
    Query(asked): Query<ArticleParams>,
) -> Reply {
    let limit = rows(asked.limit)?;
    let outlet = asked.outlet.as_deref().map(Outlet::new).transpose();
    let query = ArticleQuery {
        feed: asked.feed,
        outlet: outlet.map_err(|error| Problem::field("outlet", error.to_string()))?,
        unresolved: asked.unresolved.unwrap_or(false),
        before: Cursor::read(asked.cursor.as_deref())?,
        limit: Some(limit + 1),
        ..ArticleQuery::default()
    };
    let articles = server.store.articles(&query).await?;
    let Listed { items, next } =
        Listed::cut(articles, limit, |last| Cursor::write(&Latest::after(last)));
    let scores = server.store.scores().await?;
    let items = items.into_iter().map(|article| ArticleView::new(article, &scores));
    Ok(json(&Listed { items: items.collect::<Vec<_>>(), next }))
}

/// An article with its text.
#[derive(Serialize, ToSchema)]
pub struct ArticleDetail {
    /// What lists show.
    #[serde(flatten)]
    pub article: ArticleView,
    /// Its full text, where that was read.
    pub text: Option<String>,
}

/// Shows an article.
#[utoipa::path(get, path = "/api/articles/{id}", tag = "news",
    params(("id" = i64, Path, description = "The article's id")),
    responses((status = 200, body = ArticleDetail)))]
pub(crate) async fn article(State(server): State<Server>, Part(id): Part) -> Reply {
    let missing = || Problem::not_found("there is no such article");
    let id: i64 = id.parse().map_err(|_| missing())?;
    let article = server.store.article(id).await?.ok_or_else(missing)?;
    let text = server.store.article_text(id).await?.and_then(|text| text.document);
    let scores = server.store.scores().await?;
    Ok(json(&ArticleDetail {
        article: ArticleView::new(article, &scores),
        text: text.map(|document| document.text),
    }))
}

/// What to search for.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct SearchParams {
    /// Words, or a question.
    #[param(min_length = 1, max_length = 2000)]
    q: String,
    /// Only articles seen since then.
    #[serde(default, deserialize_with = "texts::optional")]
    #[param(value_type = Option<String>, format = Date)]
    since: Option<Timestamp>,
}

/// Searches the articles, the best first.
#[utoipa::path(get, path = "/api/articles/search", tag = "news", params(SearchParams),
    responses((status = 200, body = Vec<ArticleView>)))]
pub(crate) async fn search(
    State(server): State<Server>,
    Query(asked): Query<SearchParams>,
) -> Reply {
    super::library::check_words(&asked.q)?;
    Ok(json(&found(&server, &asked.q, asked.since).await?))
}

/// Articles that fit.
pub(crate) async fn found(
    server: &Server,
    words: &str,
    since: Option<Timestamp>,
) -> Result<Vec<ArticleView>, Problem> {
    let hits = server.store.news_search(words, since, 30).await?;
    let scores = server.store.scores().await?;
    let view = |hit: probity_store::news::NewsHit| ArticleView {
        summary: hit.snippet,
        ..ArticleView::new(hit.article, &scores)
    };
    Ok(hits.into_iter().map(view).collect())
}
