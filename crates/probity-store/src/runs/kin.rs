//! Runs that came of others: follow-ups, the same question again, the same question further.

use crate::sql::{ColumnError, Row, sql};
use crate::{Store, StoreError};
use probity_core::RunId;

/// The most runs of one origin that a list gives.
const LISTED: i64 = 100;

/// How a run came of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kinship {
    /// Another question to the sources of that run.
    Follow,
    /// The same question, at another time.
    Again,
    /// The same question, beyond the sources of that run.
    Deepen,
}

impl Kinship {
    /// Every way.
    pub const ALL: [Self; 3] = [Self::Follow, Self::Again, Self::Deepen];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Follow => "follow",
            Self::Again => "again",
            Self::Deepen => "deepen",
        }
    }

    fn parse(text: &str) -> Result<Self, ColumnError> {
        let known = Self::ALL.into_iter().find(|kind| kind.as_str() == text);
        known.ok_or_else(|| ColumnError::new("kind", format!("is `{text}`")))
    }
}

/// Another run, and how the two belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kin {
    /// The other run.
    pub run: RunId,
    /// How the later came of the earlier.
    pub kind: Kinship,
}

impl Store {
    /// Notes that a run came of another.
    ///
    /// # Errors
    /// When the store fails, or one of them is gone.
    pub async fn note_kin(
        &self,
        run: &RunId,
        parent: &RunId,
        kind: Kinship,
    ) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        let query = sql("INSERT INTO run_kin (run_id, parent_id, kind) VALUES ($1, $2, $3)
                         ON CONFLICT DO NOTHING");
        tx.execute(query.bind(run).bind(parent).bind(kind.as_str())).await?;
        tx.commit().await
    }

    /// The run that a run came of.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn parent(&self, run: &RunId) -> Result<Option<Kin>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT parent_id AS run, kind FROM run_kin WHERE run_id = $1");
        let row = tx.maybe(query.bind(run)).await?;
        row.map(|row| read(&row).map_err(|error| tx.unreadable(&error))).transpose()
    }

    /// The runs that came of a run, in the order in which they were asked.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn children(&self, run: &RunId) -> Result<Vec<Kin>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT k.run_id AS run, k.kind FROM run_kin k
                         JOIN runs r ON r.id = k.run_id
                         WHERE k.parent_id = $1 ORDER BY r.asked_at, r.id LIMIT $2");
        let rows = tx.all(query.bind(run).bind(LISTED)).await?;
        rows.iter().map(|row| read(row).map_err(|error| tx.unreadable(&error))).collect()
    }
}

fn read(row: &Row) -> Result<Kin, ColumnError> {
    Ok(Kin { run: row.get("run")?, kind: Kinship::parse(&row.get::<String>("kind")?)? })
}
