//! The articles that the feeds brought, and what each reader did with them.

use std::collections::HashMap;

use axum::extract::State;
use probity_core::{ArticleId, Band, FeedId, Outlet, Timestamp};
use probity_news::NEUTRAL;
use probity_store::news::{Article, ArticleQuery, Latest, Marking, Marks, Shelf};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::ledger::instant;
use super::{Cursor, Listed, Reply, json, rows};
use crate::access::Caller;
use crate::problem::Problem;
use crate::read::{Json, Part, Query, texts};
use crate::state::Server;

/// An article with the current credibility of its outlet.
#[derive(Serialize, ToSchema)]
pub struct ArticleView {
    /// Its id.
    #[schema(value_type = i64)]
    pub id: ArticleId,
    /// Its headline.
    pub title: String,
    /// What it says of itself.
    pub summary: String,
    /// The address to open.
    pub url: Option<String>,
    /// Whose it is.
    pub outlet: Option<String>,
    /// Whether that is final.
    pub resolved: bool,
    /// The current credibility of the outlet; neutral where it is not known.
    pub credibility: f64,
    /// How to read that.
    pub band: &'static str,
    /// The feed that brought it.
    #[schema(value_type = Option<i64>)]
    pub feed: Option<FeedId>,
    /// When it was published.
    pub published_at: Option<String>,
    /// When it was first seen.
    pub seen_at: String,
    /// Whether the caller has read it.
    pub read: bool,
    /// Whether the caller starred it.
    pub starred: bool,
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
            read: false,
            starred: false,
        }
    }

    fn marked(self, marks: Marks) -> Self {
        Self { read: marks.read, starred: marks.starred, ..self }
    }
}

/// Articles as a reader sees them: with what their outlets are worth today, and the reader's marks.
pub(crate) async fn seen_by(
    server: &Server,
    reader: &str,
    articles: Vec<Article>,
) -> Result<Vec<ArticleView>, Problem> {
    let ids: Vec<ArticleId> = articles.iter().map(|article| article.id).collect();
    let (scores, marks) =
        tokio::try_join!(server.store.scores(), server.store.marks(reader, &ids))?;
    let view = |article: Article| {
        let marks = marks.get(&article.id).copied().unwrap_or_default();
        ArticleView::new(article, &scores).marked(marks)
    };
    Ok(articles.into_iter().map(view).collect())
}

/// A part of the articles that is the caller's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ShelfName {
    /// What they have not read.
    Unread,
    /// What they starred.
    Starred,
}

impl ShelfName {
    /// The shelf of a reader.
    pub(crate) fn of(self, reader: &str) -> (String, Shelf) {
        let shelf = match self {
            Self::Unread => Shelf::Unread,
            Self::Starred => Shelf::Starred,
        };
        (reader.to_owned(), shelf)
    }
}

/// Which articles to list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ArticleParams {
    /// Only those of this feed.
    #[serde(default, deserialize_with = "texts::optional")]
    #[param(value_type = Option<i64>)]
    feed: Option<FeedId>,
    /// Only those of this outlet.
    outlet: Option<String>,
    /// Only those whose publisher is not final.
    #[serde(default, deserialize_with = "texts::optional")]
    unresolved: Option<bool>,
    /// Only what the caller has not read, or starred.
    #[param(inline)]
    shelf: Option<ShelfName>,
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
    caller: Caller,
    Query(asked): Query<ArticleParams>,
) -> Reply {
    let limit = rows(asked.limit)?;
    let outlet = asked.outlet.as_deref().map(Outlet::new).transpose();
    let query = ArticleQuery {
        feed: asked.feed,
        outlet: outlet.map_err(|error| Problem::field("outlet", error.to_string()))?,
        unresolved: asked.unresolved.unwrap_or(false),
        shelf: asked.shelf.map(|shelf| shelf.of(&caller.name)),
        ..ArticleQuery::default()
    };
    Ok(json(&latest(&server, &caller.name, asked.cursor.as_deref(), limit, query).await?))
}

/// One part of the articles that a query finds, as a reader sees them.
pub(crate) async fn latest(
    server: &Server,
    reader: &str,
    cursor: Option<&str>,
    limit: i64,
    query: ArticleQuery,
) -> Result<Listed<ArticleView>, Problem> {
    let query = ArticleQuery { before: Cursor::read(cursor)?, limit: Some(limit + 1), ..query };
    let articles = server.store.articles(&query).await?;
    let Listed { items, next } =
        Listed::cut(articles, limit, |last| Cursor::write(&Latest::after(last)));
    Ok(Listed { items: seen_by(server, reader, items).await?, next })
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
pub(crate) async fn article(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    let found = find(&server, &id).await?;
    let text = server.store.article_text(found.id).await?.and_then(|text| text.document);
    let mut seen = seen_by(&server, &caller.name, vec![found]).await?;
    let article = seen.pop().ok_or_else(missing)?;
    Ok(json(&ArticleDetail { article, text: text.map(|document| document.text) }))
}

fn missing() -> Problem {
    Problem::not_found("there is no such article")
}

async fn find(server: &Server, id: &str) -> Result<Article, Problem> {
    let id: ArticleId = id.parse().map_err(|_| missing())?;
    server.store.article(id).await?.ok_or_else(missing)
}

/// What the caller does with an article; what is absent stays as it is.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MarkBody {
    /// Whether it is read.
    #[serde(default)]
    pub read: Option<bool>,
    /// Whether it is starred, so that it is never forgotten.
    #[serde(default)]
    pub starred: Option<bool>,
}

/// Marks an article as read or starred, or no longer, for the caller alone.
#[utoipa::path(put, path = "/api/articles/{id}/marks", tag = "news",
    params(("id" = i64, Path, description = "The article's id")),
    request_body = MarkBody, responses((status = 200, body = ArticleView)))]
pub(crate) async fn mark(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    Json(body): Json<MarkBody>,
) -> Reply {
    let article = mark_one(&server, &caller, &id, &body).await?;
    let mut seen = seen_by(&server, &caller.name, vec![article]).await?;
    Ok(json(&seen.pop().ok_or_else(missing)?))
}

/// Marks an article for the caller.
pub(crate) async fn mark_one(
    server: &Server,
    caller: &Caller,
    id: &str,
    body: &MarkBody,
) -> Result<Article, Problem> {
    let article = find(server, id).await?;
    let marking = Marking { read: body.read, starred: body.starred };
    server.store.mark_articles(&caller.name, &[article.id], marking).await?;
    Ok(article)
}

/// What the caller has read all of.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadBody {
    /// Only articles of this feed.
    #[serde(default)]
    #[schema(value_type = Option<i64>)]
    pub feed: Option<FeedId>,
    /// Only articles seen until then; now, if nothing is said.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub until: Option<String>,
}

/// How many articles changed.
#[derive(Serialize, ToSchema)]
pub struct ReadView {
    /// Articles that were not read before.
    pub marked: u64,
}

/// Marks all articles as read, of one feed or of all, for the caller alone.
#[utoipa::path(post, path = "/api/articles/read", tag = "news", request_body = ReadBody,
    responses((status = 200, body = ReadView)))]
pub(crate) async fn read_all(
    State(server): State<Server>,
    caller: Caller,
    Json(body): Json<ReadBody>,
) -> Reply {
    Ok(json(&ReadView { marked: read_until(&server, &caller, &body).await? }))
}

/// Marks all articles as read for the caller; gives how many were not.
pub(crate) async fn read_until(
    server: &Server,
    caller: &Caller,
    body: &ReadBody,
) -> Result<u64, Problem> {
    let until = match body.until.as_deref() {
        None => server.clock.now(),
        Some(text) => text
            .parse::<Timestamp>()
            .map_err(|_| Problem::field("until", "give an instant such as 2026-03-01T12:00:00Z"))?,
    };
    Ok(server.store.mark_all_read(&caller.name, body.feed, until).await?)
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
    caller: Caller,
    Query(asked): Query<SearchParams>,
) -> Reply {
    super::library::check_words(&asked.q)?;
    Ok(json(&found(&server, &caller.name, &asked.q, asked.since).await?))
}

/// Articles that fit, as a reader sees them: what was found in each stands for its summary.
pub(crate) async fn found(
    server: &Server,
    reader: &str,
    words: &str,
    since: Option<Timestamp>,
) -> Result<Vec<ArticleView>, Problem> {
    let hits = server.store.news_search(words, since, 30).await?;
    let quoted =
        |hit: probity_store::news::NewsHit| Article { summary: hit.snippet, ..hit.article };
    seen_by(server, reader, hits.into_iter().map(quoted).collect()).await
}
