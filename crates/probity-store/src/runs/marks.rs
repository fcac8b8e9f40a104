//! Stars and tags of runs.

use std::collections::{BTreeMap, BTreeSet};

use crate::sql::sql;
use crate::tx::Script;
use crate::{Store, StoreError};
use probity_core::RunId;

/// The most tags of one run.
pub const TAGS: usize = 20;
/// The most tags that a list of all gives.
const LISTED: i64 = 200;

/// How users marked a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    /// Whether it has a star.
    pub starred: bool,
    /// Its tags, in order.
    pub tags: BTreeSet<String>,
}

const STARS: Script = Script {
    sqlite: "SELECT run_id FROM run_stars WHERE run_id IN (SELECT value FROM json_each($1))",
    postgres: "SELECT run_id FROM run_stars
               WHERE run_id IN (SELECT json_array_elements_text(CAST($1 AS JSON)))",
};

const OF_RUNS: Script = Script {
    sqlite: "SELECT run_id, tag FROM run_tags WHERE run_id IN (SELECT value FROM json_each($1))",
    postgres: "SELECT run_id, tag FROM run_tags
               WHERE run_id IN (SELECT json_array_elements_text(CAST($1 AS JSON)))",
};

impl Store {
    /// The marks of these runs; runs without any are left out.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn run_marks(&self, runs: &[&RunId]) -> Result<BTreeMap<RunId, Marks>, StoreError> {
        let ids = serde_json::to_string(runs).unwrap_or_else(|_| "[]".to_owned());
        let mut tx = self.read().await?;
        let mut marks: BTreeMap<RunId, Marks> = BTreeMap::new();
        for row in tx.all(sql(tx.choose(STARS)).bind(&ids)).await? {
            let run: RunId = row.get("run_id").map_err(|error| tx.unreadable(&error))?;
            marks.entry(run).or_default().starred = true;
        }
        for row in tx.all(sql(tx.choose(OF_RUNS)).bind(&ids)).await? {
            let read = || Ok((row.get::<RunId>("run_id")?, row.get::<String>("tag")?));
            let (run, tag) = read().map_err(|error| tx.unreadable(&error))?;
            marks.entry(run).or_default().tags.insert(tag);
        }
        Ok(marks)
    }

    /// Gives a run a star, or takes it away.
    ///
    /// # Errors
    /// When the store fails, or there is no such run.
    pub async fn star(&self, run: &RunId, starred: bool) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        let query = match starred {
            true => sql("INSERT INTO run_stars (run_id) VALUES ($1) ON CONFLICT DO NOTHING"),
            false => sql("DELETE FROM run_stars WHERE run_id = $1"),
        };
        tx.execute(query.bind(run)).await?;
        tx.commit().await
    }

    /// Gives a run these tags and no others, at most [`TAGS`] of them.
    ///
    /// # Errors
    /// When the store fails, or there is no such run.
    pub async fn tag(&self, run: &RunId, tags: &BTreeSet<String>) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        tx.execute(sql("DELETE FROM run_tags WHERE run_id = $1").bind(run)).await?;
        for tag in tags.iter().take(TAGS) {
            let query = sql("INSERT INTO run_tags (run_id, tag) VALUES ($1, $2)");
            tx.execute(query.bind(run).bind(tag)).await?;
        }
        tx.commit().await
    }

    /// All tags, those of most runs first.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn tags(&self) -> Result<Vec<String>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT tag FROM run_tags GROUP BY tag
                         ORDER BY count(*) DESC, tag LIMIT $1");
        let rows = tx.all(query.bind(LISTED)).await?;
        let tags = rows.iter().map(|row| row.get("tag"));
        tags.collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
    }
}
