//! One search over everything that is kept: runs, outlets, documents, topics, articles.

use std::collections::BTreeSet;

use askama::Template;
use axum::extract::State;
use probity_core::{ArticleId, TopicId};
use probity_news::rank::RankedTopic;
use probity_store::RunQuery;
use probity_store::ledger::OutletQuery;
use probity_store::library::Library;
use serde::Deserialize;

use super::news::ArticleRow;
use super::{Frame, Tab, outlets, page, runs};
use crate::access::Caller;
use crate::api::Reply;
use crate::api::library::{Found, find};
use crate::api::news::{self, ArticleView};
use crate::api::topics::ranking;
use crate::limits;
use crate::problem::Problem;
use crate::read::Query;
use crate::state::Server;

/// How many of each kind are shown.
const EACH: i64 = 10;
/// How far back topics are looked for, and among how many.
const TOPICS_BACK: &str = "30d";
const TOPICS_MOST: i64 = 10_000;

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage {
    frame: Frame,
    q: String,
    runs: Vec<runs::Row>,
    outlets: Vec<outlets::Row>,
    documents: Vec<Found>,
    topics: Vec<(TopicId, String)>,
    articles: Vec<ArticleRow>,
}

/// What to look for.
#[derive(Deserialize)]
pub(crate) struct Asked {
    q: Option<String>,
}

/// `GET /search`.
pub(crate) async fn show(
    State(server): State<Server>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Reply {
    let q = asked.q.unwrap_or_default();
    let mut frame = Frame::new(&server, &caller, "Search", Tab::None);
    frame.searched.clone_from(&q);
    let mut found = SearchPage {
        frame,
        q,
        runs: Vec::new(),
        outlets: Vec::new(),
        documents: Vec::new(),
        topics: Vec::new(),
        articles: Vec::new(),
    };
    if found.q.trim().is_empty() {
        return page(&found);
    }
    let (now, wanted) = (server.clock.now(), found.q.to_lowercase());
    let latest = RunQuery { limit: Some(limits::PAGE_ROWS), ..RunQuery::default() };
    let runs = server.store.runs(&latest).await?.into_iter().filter(|run| {
        let title = run.title.as_deref().unwrap_or_default();
        format!("{} {title}", run.question).to_lowercase().contains(&wanted)
    });
    let each = usize::try_from(EACH).unwrap_or(0);
    found.runs = runs.take(each).map(|run| runs::Row::new(run, now)).collect();
    let query =
        OutletQuery { text: Some(found.q.clone()), limit: Some(EACH), ..OutletQuery::default() };
    found.outlets =
        server.store.outlets(&query).await?.items.iter().map(outlets::Row::new).collect();
    found.documents = find(&Library::of(&server.store), &found.q, EACH).await?;
    let articles = news::found(&server, &caller.name, &found.q, None).await?;
    found.topics = topics_of(&server, &articles).await?;
    found.articles =
        articles.into_iter().take(each).map(|view| ArticleRow::new(view, now)).collect();
    page(&found)
}

/// The topics that articles belong to, the one worth most first: its number and its headline.
async fn topics_of(
    server: &Server,
    articles: &[ArticleView],
) -> Result<Vec<(TopicId, String)>, Problem> {
    if articles.is_empty() {
        return Ok(Vec::new());
    }
    let ids: BTreeSet<ArticleId> = articles.iter().map(|article| article.id).collect();
    let ranked = ranking(server, None, Some(TOPICS_BACK), TOPICS_MOST, None).await?;
    let fits = |ranked: &&RankedTopic| ranked.articles.iter().any(|one| ids.contains(&one.article));
    let fitting = ranked.items.iter().filter(fits);
    let named =
        fitting.filter_map(|ranked| Some((ranked.topic, ranked.representative()?.title.clone())));
    Ok(named.take(usize::try_from(EACH).unwrap_or(0)).collect())
}
