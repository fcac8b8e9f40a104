//! Topics: what is reported, by whom, which article speaks for it and why.

use std::sync::Arc;

use axum::extract::State;
use probity_core::{ArticleId, Band, Timestamp, TopicId, printable};
use probity_news::consolidate::Turn;
use probity_news::rank::{RankedTopic, credibility, last_at, relevance};
use probity_news::topic_view::{self, Account, Topics};
use probity_store::topics::{CategoryError, Covered, TopicEvent};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::ledger::instant;
use super::routing::RoutingView;
use super::{Cursor, Listed, Reply, json, rows, tidy};
use crate::access::Caller;
use crate::limits;
use crate::problem::Problem;
use crate::read::{Part, Query, texts};
use crate::state::Server;

/// The most outlets that are named beside the one that speaks.
const ALSO: usize = 10;
/// The most articles of a topic that are listed.
const MEMBERS: usize = 500;

/// An article in its topic, with its current value.
#[derive(Serialize, ToSchema, JsonSchema)]
pub struct MemberView {
    /// The article.
    #[schema(value_type = i64)]
    #[schemars(with = "i64")]
    pub article: ArticleId,
    /// Its headline.
    pub title: String,
    /// What it says of itself.
    pub summary: String,
    /// Where it is.
    pub url: Option<String>,
    /// Who published it, where that is known.
    pub outlet: Option<String>,
    /// Its outlet's score in the ledger; none where the ledger does not know it.
    pub credibility: Option<f64>,
    /// The score that counts: the ledger's, or neutral.
    pub in_force: f64,
    /// How to read that.
    pub band: &'static str,
    /// How relevant it is to the category; none if none was named or it was not judged.
    pub relevance: Option<f64>,
    /// Relevance × credibility; without a category relevance counts as 1.
    pub worth: f64,
    /// When it was published.
    pub published_at: Option<String>,
    /// When it was seen.
    pub seen_at: String,
    /// The earlier article that it repeats.
    #[schema(value_type = Option<i64>)]
    #[schemars(with = "Option<i64>")]
    pub duplicate_of: Option<ArticleId>,
}

impl MemberView {
    /// An article as it is shown.
    pub fn new(one: &Covered, by_category: bool) -> Self {
        let in_force = credibility(one);
        Self {
            article: one.article,
            title: one.title.clone(),
            summary: one.summary.clone(),
            url: one.url.clone(),
            outlet: one.outlet.as_ref().map(ToString::to_string),
            credibility: one.credibility,
            in_force,
            band: Band::of(in_force).words(),
            relevance: one.relevance,
            worth: tidy(relevance(one, by_category) * in_force),
            published_at: one.published_at.map(instant),
            seen_at: instant(one.seen_at),
            duplicate_of: one.duplicate_of,
        }
    }
}

/// A topic in a list.
#[derive(Serialize, ToSchema, JsonSchema)]
pub struct TopicLine {
    /// Its number, which stays.
    #[schema(value_type = i64)]
    #[schemars(with = "i64")]
    pub topic: TopicId,
    /// What it is ranked by: the worth of the article that speaks, times the category's factor, times
    /// the binary logarithm of one more than its outlets.
    pub value: f64,
    /// How many articles it has.
    pub articles: usize,
    /// How many outlets cover it.
    pub outlets: usize,
    /// When its last article was published.
    pub last_at: Option<String>,
    /// The article that represents it.
    pub representative: Option<MemberView>,
    /// Who else covers it, the most credible first; at most ten.
    pub also: Vec<String>,
}

impl TopicLine {
    /// A topic as lists show it.
    pub fn new(ranked: &RankedTopic, by_category: bool) -> Self {
        Self {
            topic: ranked.topic,
            value: tidy(ranked.value),
            articles: ranked.articles.len(),
            outlets: ranked.outlets,
            last_at: last_at(ranked).map(instant),
            representative: ranked.representative().map(|one| MemberView::new(one, by_category)),
            also: ranked.others().into_iter().take(ALSO).map(ToString::to_string).collect(),
        }
    }
}

/// Something that happened to a topic.
#[derive(Serialize, ToSchema, JsonSchema)]
pub struct TopicEventView {
    /// The topic.
    #[schema(value_type = i64)]
    #[schemars(with = "i64")]
    pub topic: TopicId,
    /// `created`, `grown`, `merged`, `split`, `closed` or `reopened`.
    pub kind: &'static str,
    /// The topic that it was merged into or split from.
    #[schema(value_type = Option<i64>)]
    #[schemars(with = "Option<i64>")]
    pub other: Option<TopicId>,
    /// How many articles were concerned.
    pub articles: i64,
    /// When.
    pub at: String,
}

impl From<&TopicEvent> for TopicEventView {
    fn from(event: &TopicEvent) -> Self {
        Self {
            topic: event.topic,
            kind: event.kind.as_str(),
            other: event.other,
            articles: event.articles,
            at: instant(event.at),
        }
    }
}

/// A topic with its articles.
#[derive(Serialize, ToSchema)]
pub struct TopicView {
    /// Its number, which stays.
    #[schema(value_type = i64)]
    pub id: TopicId,
    /// The headline of the article that is most like the others.
    pub label: String,
    /// `open`, `closed` or `merged`.
    pub state: &'static str,
    /// The topic that it became part of.
    #[schema(value_type = Option<i64>)]
    pub merged_into: Option<TopicId>,
    /// When its first article was published.
    pub first_at: String,
    /// When its last article was published.
    pub last_at: String,
    /// When it was first seen.
    pub created_at: String,
    /// Why the first article speaks for it; empty where there is none.
    pub why: String,
    /// How many articles it has.
    pub count: usize,
    /// Its articles, the one that speaks first; at most 500.
    pub articles: Vec<MemberView>,
    /// What happened to it, the earliest first.
    pub events: Vec<TopicEventView>,
}

impl TopicView {
    /// A topic as it is shown.
    pub fn new(account: &Account) -> Self {
        let Account { topic, category, articles, why, events } = account;
        let member = |one| MemberView::new(one, category.is_some());
        Self {
            id: topic.id,
            label: topic.label.clone(),
            state: topic.state.as_str(),
            merged_into: topic.merged_into,
            first_at: instant(topic.first_at),
            last_at: instant(topic.last_at),
            created_at: instant(topic.created_at),
            why: why.clone(),
            count: articles.len(),
            articles: articles.iter().take(MEMBERS).map(member).collect(),
            events: events.iter().map(TopicEventView::from).collect(),
        }
    }
}

/// Which topics to list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct TopicParams {
    /// Only topics of this category, by name.
    #[param(max_length = 60)]
    category: Option<String>,
    /// Only topics with an article since then: `24h`, `7d`, a day or an instant; the window by default.
    #[param(example = "24h", max_length = 40)]
    since: Option<String>,
    /// How many to give.
    #[param(minimum = 1, maximum = 200)]
    #[serde(default, deserialize_with = "texts::optional")]
    limit: Option<i64>,
    /// Where to begin: the `next` of the part before.
    cursor: Option<String>,
}

/// Lists topics, the one worth most first. A coding between two parts may move a topic.
#[utoipa::path(get, path = "/api/topics", tag = "news", params(TopicParams),
    responses((status = 200, body = Listed<TopicLine>)))]
pub(crate) async fn list(State(server): State<Server>, Query(asked): Query<TopicParams>) -> Reply {
    let limit = rows(asked.limit)?;
    let category = asked.category.as_deref();
    let Ranking { topics, items, next, .. } =
        ranking(&server, category, asked.since.as_deref(), limit, asked.cursor.as_deref()).await?;
    let by_category = topics.category.is_some();
    let items: Vec<TopicLine> =
        items.iter().map(|ranked| TopicLine::new(ranked, by_category)).collect();
    Ok(json(&Listed { items, next }))
}

/// A part of a ranking.
pub(crate) struct Ranking {
    /// What was asked for, without its topics.
    pub(crate) topics: Topics,
    /// The topics of this part.
    pub(crate) items: Vec<RankedTopic>,
    /// How many topics there are in all parts.
    pub(crate) total: usize,
    /// Where the next part begins.
    pub(crate) next: Option<String>,
}

/// The topics after a place in the ranking.
pub(crate) async fn ranking(
    server: &Server,
    category: Option<&str>,
    since: Option<&str>,
    limit: i64,
    cursor: Option<&str>,
) -> Result<Ranking, Problem> {
    let place: Option<(u64, TopicId)> = Cursor::read(cursor)?;
    let since = beginning(server, since)?;
    let _room = server.tellings.acquire().await.map_err(|error| Problem::internal(&error))?;
    let mut topics = topic_view::topics(&server.store, category, since).await?;
    let all = std::mem::take(&mut topics.ranked);
    let total = all.len();
    let most = usize::try_from(limit + 1).unwrap_or(0);
    let items = all.into_iter().filter(|ranked| is_after(ranked, place)).take(most).collect();
    // To the bit, or a topic could be missing or listed twice.
    let Listed { items, next } = Listed::cut(items, limit, |last: &RankedTopic| {
        Cursor::write(&(last.value.to_bits(), last.topic))
    });
    Ok(Ranking { topics, items, total, next })
}

fn is_after(ranked: &RankedTopic, place: Option<(u64, TopicId)>) -> bool {
    let Some((value, topic)) = place else { return true };
    let order = ranked.value.total_cmp(&f64::from_bits(value)).reverse();
    order.then(ranked.topic.cmp(&topic)).is_gt()
}

/// Since when topics are asked for: the window's beginning where nothing is said.
pub(crate) fn beginning(server: &Server, since: Option<&str>) -> Result<Timestamp, Problem> {
    let now = server.clock.now();
    let Some(text) = since else {
        return Ok(server.backend.constants().news.window_start(now));
    };
    let since = Timestamp::since(text, now);
    let since = since.map_err(|error| Problem::field("since", error.to_string()))?;
    if now.0.saturating_sub(since.0) > limits::TOPICS_BACK_MILLIS {
        return Err(Problem::field("since", "topics are available for 92 days at most"));
    }
    Ok(since)
}

/// By which category's relevance to rank.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ByCategory {
    /// How relevant the articles are to this category decides too.
    #[param(max_length = 60)]
    category: Option<String>,
}

/// Shows a topic: its articles with relevance, credibility and worth, who speaks and why, and what happened.
#[utoipa::path(get, path = "/api/topics/{id}", tag = "news",
    params(("id" = i64, Path, description = "The topic's number"), ByCategory),
    responses((status = 200, body = TopicView)))]
pub(crate) async fn show(
    State(server): State<Server>,
    Part(id): Part,
    Query(asked): Query<ByCategory>,
) -> Reply {
    Ok(json(&TopicView::new(&account(&server, &id, asked.category.as_deref()).await?)))
}

/// One topic.
pub(crate) async fn account(
    server: &Server,
    id: &str,
    category: Option<&str>,
) -> Result<Account, Problem> {
    let missing = || Problem::not_found("there is no such topic");
    let id: TopicId = id.parse().map_err(|_| missing())?;
    topic_view::topic(&server.store, id, category).await?.ok_or_else(missing)
}

/// The result of one turn of the consolidator.
#[derive(Serialize, ToSchema)]
pub struct TurnView {
    /// Articles in the window.
    pub articles: usize,
    /// Judgements of an article by a category.
    pub judged: usize,
    /// Of those, by a language model.
    pub by_model: usize,
    /// Stories they tell.
    pub stories: usize,
    /// Topics that are new.
    pub created: usize,
    /// Topics that changed.
    pub changed: usize,
    /// Topics that became part of others.
    pub merged: usize,
    /// Topics that began as a part of another.
    pub split: usize,
    /// What was decided about each category.
    pub routed: Vec<RoutingView>,
}

impl From<Turn> for TurnView {
    fn from(turn: Turn) -> Self {
        let routed = turn.routed.iter();
        Self {
            articles: turn.articles,
            judged: turn.judged,
            by_model: turn.by_model,
            stories: turn.stories,
            created: turn.created,
            changed: turn.changed,
            merged: turn.merged,
            split: turn.split,
            routed: routed.map(|one| RoutingView::of(&one.name, &one.decision)).collect(),
        }
    }
}

/// Judges, groups and routes the articles of the window, now.
#[utoipa::path(post, path = "/api/topics/consolidate", tag = "news",
    responses((status = 200, body = TurnView)))]
pub(crate) async fn consolidate(State(server): State<Server>, caller: Caller) -> Reply {
    Ok(json(&TurnView::from(take_turn(&server, &caller).await?)))
}

/// Takes one turn of the consolidator.
pub(crate) async fn take_turn(server: &Server, caller: &Caller) -> Result<Turn, Problem> {
    let (backend, store, who) =
        (Arc::clone(&server.backend), server.store.clone(), caller.name.clone());
    // A turn that was begun is finished, though its caller leaves; else others would wait for its lease.
    let turn = tokio::spawn(async move {
        let turn = backend.consolidate().await;
        if let Ok(Some(turn)) = &turn {
            let subject = format!("{} articles", turn.articles);
            if let Err(error) = store.note(&who, "topics grouped", &subject).await {
                tracing::warn!(%error, "a turn of the consolidator could not be noted");
            }
        }
        turn
    });
    match turn.await.map_err(|error| Problem::internal(&error))? {
        Ok(Some(turn)) => Ok(turn),
        Ok(None) => Err(Problem::conflict(
            "another process is grouping the articles; look at the topics in a moment",
        )),
        Err(why) => {
            tracing::error!(why, "topics could not be grouped");
            Err(Problem::unavailable("the articles could not be grouped; try again", 5))
        }
    }
}

impl From<CategoryError> for Problem {
    fn from(error: CategoryError) -> Self {
        match error {
            CategoryError::Unknown(name) => {
                let name = printable::brief(&name, 60);
                Self::not_found(format!("there is no category `{name}`"))
            }
            CategoryError::Exists(name) => {
                Self::conflict(format!("there is a category `{name}` already; change that one"))
            }
            CategoryError::Name(_) => Self::field("name", error.to_string()),
            CategoryError::Wordless => Self::field("description", error.to_string()),
            CategoryError::TooMany => Self::conflict(error.to_string()),
            CategoryError::Store(error) => error.into(),
        }
    }
}
