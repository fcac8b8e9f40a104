//! Runs whose reports cite a document.

use crate::sql::sql;
use crate::{Store, StoreError};

/// How many of the latest reports are looked through.
const LOOKED: i64 = 200;

impl Store {
    /// The latest runs whose reports hold an address, at most this many, with their reports: an
    /// address that is only among the candidates is held too.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn reports_with(
        &self,
        url: &str,
        most: i64,
    ) -> Result<Vec<(String, String)>, StoreError> {
        let mut tx = self.read().await?;
        // As it stands in JSON.
        let quoted = serde_json::to_string(url).unwrap_or_default();
        let query = sql("SELECT id, report FROM
                             (SELECT id, report, asked_at FROM runs WHERE status = 'finished'
                              ORDER BY asked_at DESC, id DESC LIMIT $1) AS latest
                         WHERE report LIKE $2 ESCAPE '!'
                         ORDER BY asked_at DESC, id DESC LIMIT $3");
        let like = super::containing_exactly(&quoted);
        let rows = tx.all(query.bind(LOOKED).bind(&like).bind(most)).await?;
        let read = rows.iter().map(|row| Ok((row.get("id")?, row.get("report")?)));
        read.collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
    }
}
