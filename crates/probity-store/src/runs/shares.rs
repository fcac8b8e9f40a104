//! Links by which anyone may read one report, until they run out or are taken back.

use std::time::Duration;

use probity_core::{RunId, Timestamp};

use crate::sql::{ColumnError, Row, sql};
use crate::{Store, StoreError};

/// The most links of one run.
pub const SHARES: i64 = 50;

/// A link about to be kept.
#[derive(Debug, Clone, Copy)]
pub struct NewShare<'a> {
    /// A short name by which it is revoked.
    pub id: &'a str,
    /// The hash of the secret in it.
    pub hash: &'a str,
    /// The run whose report it opens.
    pub run: &'a RunId,
    /// Who made it.
    pub by: &'a str,
    /// For how long it opens anything.
    pub life: Duration,
}

/// A link as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// A short name by which it is revoked.
    pub id: String,
    /// Who made it.
    pub by: String,
    /// When it was made.
    pub made_at: Timestamp,
    /// When it stops opening anything.
    pub expires_at: Timestamp,
}

impl Store {
    /// Keeps a link and drops those that ran out. Gives `false` if the run has too many.
    ///
    /// # Errors
    /// When the store fails, or there is no such run.
    pub async fn add_share(&self, share: &NewShare<'_>) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let now = self.clock().now().0;
        tx.execute(sql("DELETE FROM shares WHERE expires_at <= $1").bind(now)).await?;
        let life = i64::try_from(share.life.as_millis()).unwrap_or(i64::MAX / 4);
        let query = sql("INSERT INTO shares (id, hash, run_id, made_by, made_at, expires_at)
                         SELECT $1, $2, $3, $4, $5, $6
                         WHERE (SELECT count(*) FROM shares WHERE run_id = $3) < $7");
        let query = query.bind(share.id).bind(share.hash).bind(share.run).bind(share.by);
        let query = query.bind(now).bind(now.saturating_add(life)).bind(SHARES);
        let rows = tx.execute(query).await?;
        tx.commit().await?;
        Ok(rows == 1)
    }

    /// The links of a run that still open it, the latest first.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn shares(&self, run: &RunId) -> Result<Vec<Share>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT id, made_by, made_at, expires_at FROM shares
                         WHERE run_id = $1 AND expires_at > $2
                         ORDER BY made_at DESC, id LIMIT $3");
        let query = query.bind(run).bind(self.clock().now().0).bind(SHARES);
        let rows = tx.all(query).await?;
        rows.iter().map(|row| read(row).map_err(|error| tx.unreadable(&error))).collect()
    }

    /// The run that a link opens, unless it ran out.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn shared_run(&self, hash: &str) -> Result<Option<RunId>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT run_id FROM shares WHERE hash = $1 AND expires_at > $2");
        let row = tx.maybe(query.bind(hash).bind(self.clock().now().0)).await?;
        row.map(|row| row.get("run_id").map_err(|error| tx.unreadable(&error))).transpose()
    }

    /// Takes a link of a run back. Gives `false` if there is none of this id.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn revoke_share(&self, run: &RunId, id: &str) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let query = sql("DELETE FROM shares WHERE run_id = $1 AND id = $2");
        let rows = tx.execute(query.bind(run).bind(id)).await?;
        tx.commit().await?;
        Ok(rows == 1)
    }
}

fn read(row: &Row) -> Result<Share, ColumnError> {
    Ok(Share {
        id: row.get("id")?,
        by: row.get("made_by")?,
        made_at: Timestamp(row.get("made_at")?),
        expires_at: Timestamp(row.get("expires_at")?),
    })
}
