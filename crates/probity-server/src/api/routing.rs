//! Routing: the outcome for each category by the outlets that speak for it, and on which numbers.

use axum::extract::State;
use probity_core::CategoryId;
use probity_news::topic_view::{self, Decided, why_routed};
use probity_store::topics::RoutingRecord;
use serde::Serialize;
use utoipa::ToSchema;

use super::categories::{PartParams, find};
use super::ledger::instant;
use super::{Listed, Reply, json, tidy};
use crate::read::{Part, Query};
use crate::state::Server;

/// A decision about a category, with its numbers.
#[derive(Serialize, ToSchema)]
pub struct DecisionView {
    /// When it was made.
    pub at: String,
    /// How many articles spoke for the category's topics.
    pub representatives: i64,
    /// The mean credibility of these; none where there were none.
    pub mean: Option<f64>,
    /// The mean from which articles are scored as usual.
    pub keep: f64,
    /// The mean below which they are skipped.
    pub skip: f64,
    /// `scored`, `downranked` or `skipped`.
    pub action: &'static str,
    /// What their rank is multiplied by.
    pub factor: f64,
    /// When a category that is skipped is tried again.
    pub retry_at: Option<String>,
    /// How often in a row that was postponed.
    pub retries: i64,
    /// Whether the decision followed such a trial.
    pub was_retry: bool,
    /// Why it was decided so.
    pub why: String,
}

impl From<&RoutingRecord> for DecisionView {
    fn from(made: &RoutingRecord) -> Self {
        Self {
            at: instant(made.at),
            representatives: made.representatives,
            mean: made.mean.map(tidy),
            keep: made.keep,
            skip: made.skip,
            action: made.action.as_str(),
            factor: tidy(made.factor),
            retry_at: made.retry_at.map(instant),
            retries: made.retries,
            was_retry: made.was_retry,
            why: why_routed(made),
        }
    }
}

/// The outcome for a category; the numbers are absent while nothing was decided.
#[derive(Serialize, ToSchema)]
pub struct RoutingView {
    /// The category's number.
    #[schema(value_type = i64)]
    pub category: CategoryId,
    /// The category's name.
    pub name: String,
    /// When it was decided.
    pub at: Option<String>,
    /// How many articles spoke for its topics.
    pub representatives: Option<i64>,
    /// The mean credibility of these.
    pub mean: Option<f64>,
    /// The mean from which articles are scored as usual.
    pub keep: Option<f64>,
    /// The mean below which they are skipped.
    pub skip: Option<f64>,
    /// `scored`, `downranked` or `skipped`.
    pub action: Option<&'static str>,
    /// What ranks are multiplied by: 1 while nothing was decided.
    pub factor: f64,
    /// When a category that is skipped is tried again.
    pub retry_at: Option<String>,
    /// How often in a row that was postponed.
    pub retries: Option<i64>,
    /// Whether the decision followed such a trial.
    pub was_retry: Option<bool>,
    /// Why it was decided so.
    pub why: String,
    /// The decisions, the latest first, where they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub history: Vec<DecisionView>,
}

/// What is said where nothing was decided.
const UNDECIDED: &str = "Nothing was decided yet; that happens when the articles are grouped.";

impl RoutingView {
    /// A category about which nothing was decided.
    fn undecided(category: CategoryId, name: &str) -> Self {
        Self {
            category,
            name: name.to_owned(),
            at: None,
            representatives: None,
            mean: None,
            keep: None,
            skip: None,
            action: None,
            factor: 1.0,
            retry_at: None,
            retries: None,
            was_retry: None,
            why: UNDECIDED.to_owned(),
            history: Vec::new(),
        }
    }

    /// What was decided about a category.
    pub fn of(name: &str, made: &RoutingRecord) -> Self {
        let DecisionView { at, representatives, mean, keep, skip, action, .. } = made.into();
        let DecisionView { factor, retry_at, retries, was_retry, why, .. } = made.into();
        Self {
            at: Some(at),
            representatives: Some(representatives),
            mean,
            keep: Some(keep),
            skip: Some(skip),
            action: Some(action),
            factor,
            retry_at,
            retries: Some(retries),
            was_retry: Some(was_retry),
            why,
            ..Self::undecided(made.category, name)
        }
    }

    /// A category with the decision in force, and with those before it if they are wanted.
    pub fn new(decided: &Decided, with_history: bool) -> Self {
        let Decided { category, decisions } = decided;
        let now = match decisions.first() {
            Some(made) => Self::of(&category.name, made),
            None => Self::undecided(category.id, &category.name),
        };
        let shown = if with_history { decisions.as_slice() } else { &[] };
        Self { history: shown.iter().map(DecisionView::from).collect(), ..now }
    }
}

/// Lists the outcome for each category, by name.
#[utoipa::path(get, path = "/api/routing", tag = "news", params(PartParams),
    responses((status = 200, body = Listed<RoutingView>)))]
pub(crate) async fn list(State(server): State<Server>, Query(asked): Query<PartParams>) -> Reply {
    let decided = topic_view::routing(&server.store).await?;
    let Listed { items, next } = asked.cut(decided)?;
    let items: Vec<RoutingView> = items.iter().map(|one| RoutingView::new(one, false)).collect();
    Ok(json(&Listed { items, next }))
}

/// Lists the decisions about a category, the latest first.
#[utoipa::path(get, path = "/api/categories/{id}/routing", tag = "news",
    params(("id" = i64, Path, description = "The category's number"), PartParams),
    responses((status = 200, body = Listed<DecisionView>)))]
pub(crate) async fn history(
    State(server): State<Server>,
    Part(id): Part,
    Query(asked): Query<PartParams>,
) -> Reply {
    let category = find(&server, &id).await?;
    let decisions = server.store.routings(category.id, asked.reach()?).await?;
    Ok(json(&asked.cut(decisions.iter().map(DecisionView::from))?))
}
