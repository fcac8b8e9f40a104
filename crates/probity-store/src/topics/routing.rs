//! What was decided about categories, and on which numbers.

use std::collections::BTreeMap;

use probity_core::{CategoryId, Timestamp};
use serde::Serialize;

use super::{PAGE_ROWS, ROUTINGS_KEPT};
use crate::sql::{ColumnError, Row, sql};
use crate::{Store, StoreError};

/// The outcome for a category's articles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// They are scored as usual.
    Scored,
    /// They are scored and ranked lower.
    Downranked,
    /// They are left aside.
    Skipped,
}

impl Action {
    /// The action's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Scored => "scored",
            Self::Downranked => "downranked",
            Self::Skipped => "skipped",
        }
    }

    fn parse(text: &str) -> Result<Self, ColumnError> {
        [Self::Scored, Self::Downranked, Self::Skipped]
            .into_iter()
            .find(|action| action.as_str() == text)
            .ok_or_else(|| ColumnError::new("action", format!("is `{text}`")))
    }
}

/// A decision about a category, with its numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoutingRecord {
    /// The category.
    pub category: CategoryId,
    /// When it was made.
    pub at: Timestamp,
    /// How many articles spoke for the category's topics.
    pub representatives: i64,
    /// The mean credibility of these; none where there were none.
    pub mean: Option<f64>,
    /// The mean from which articles are scored as usual.
    pub keep: f64,
    /// The mean below which they are left aside.
    pub skip: f64,
    /// What was decided.
    pub action: Action,
    /// What their rank is multiplied by.
    pub factor: f64,
    /// When a category that is left aside is tried again.
    pub retry_at: Option<Timestamp>,
    /// How often in a row that was postponed.
    pub retries: i64,
    /// Whether the decision followed such a trial.
    pub was_retry: bool,
}

macro_rules! select_routings {
    ($rest:literal) => {
        concat!(
            "SELECT category_id, at, representatives, mean, keep, skip, action, factor, retry_at,
                    retries, was_retry
             FROM routings ",
            $rest
        )
    };
}

impl Store {
    /// Keeps a decision.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn record_routing(&self, made: &RoutingRecord) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        let query = sql("INSERT INTO routings (category_id, at, representatives, mean, keep, skip,
                             action, factor, retry_at, retries, was_retry)
                         SELECT id, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
                         FROM categories WHERE id = $1")
        .bind(made.category)
        .bind(made.at.0)
        .bind(made.representatives)
        .bind(made.mean)
        .bind(made.keep)
        .bind(made.skip)
        .bind(made.action.as_str())
        .bind(made.factor)
        .bind(made.retry_at.map(|at| at.0))
        .bind(made.retries)
        .bind(i64::from(made.was_retry));
        tx.execute(query).await?;
        let query = sql("DELETE FROM routings WHERE category_id = $1 AND id <= (
                             SELECT id FROM routings WHERE category_id = $1
                             ORDER BY id DESC LIMIT 1 OFFSET $2)");
        tx.execute(query.bind(made.category).bind(ROUTINGS_KEPT)).await?;
        tx.commit().await
    }

    /// The decision about a category that is in force.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn routing(&self, category: CategoryId) -> Result<Option<RoutingRecord>, StoreError> {
        Ok(self.routings(category, 1).await?.into_iter().next())
    }

    /// The decisions that are in force, by category.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn routings_in_force(
        &self,
    ) -> Result<BTreeMap<CategoryId, RoutingRecord>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql(select_routings!(
            "WHERE id IN (SELECT (SELECT max(r.id) FROM routings r WHERE r.category_id = c.id)
                          FROM categories c WHERE c.retired_at IS NULL)"
        ));
        let rows = tx.all(query).await?;
        let read = |row: &Row| read(row).map(|made| (made.category, made));
        rows.iter().map(read).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
    }

    /// Decisions about a category, the latest first.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn routings(
        &self,
        category: CategoryId,
        limit: i64,
    ) -> Result<Vec<RoutingRecord>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql(select_routings!("WHERE category_id = $1 ORDER BY id DESC LIMIT $2"));
        let rows = tx.all(query.bind(category).bind(limit.clamp(0, PAGE_ROWS))).await?;
        rows.iter().map(read).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
    }
}

fn read(row: &Row) -> Result<RoutingRecord, ColumnError> {
    Ok(RoutingRecord {
        category: row.get("category_id")?,
        at: Timestamp(row.get("at")?),
        representatives: row.get("representatives")?,
        mean: row.get("mean")?,
        keep: row.get("keep")?,
        skip: row.get("skip")?,
        action: Action::parse(&row.get::<String>("action")?)?,
        factor: row.get("factor")?,
        retry_at: row.get::<Option<i64>>("retry_at")?.map(Timestamp),
        retries: row.get("retries")?,
        was_retry: row.get::<i64>("was_retry")? != 0,
    })
}
