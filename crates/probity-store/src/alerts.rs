//! How far the search for alerts has come.

use crate::sql::sql;
use crate::{Store, StoreError};

impl Store {
    /// How far one has looked among things of this name; none if none has yet.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn alert_place(&self, name: &str) -> Result<Option<i64>, StoreError> {
        let mut tx = self.read().await?;
        let row =
            tx.maybe(sql("SELECT place FROM alert_places WHERE name = $1").bind(name)).await?;
        row.map(|row| row.get("place").map_err(|error| tx.unreadable(&error))).transpose()
    }

    /// Says how far one has looked; never back.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn move_alert_place(&self, name: &str, place: i64) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        let query = sql("INSERT INTO alert_places (name, place) VALUES ($1, $2)
                         ON CONFLICT (name) DO UPDATE SET place = excluded.place
                         WHERE alert_places.place < excluded.place");
        tx.execute(query.bind(name).bind(place)).await?;
        tx.commit().await
    }
}
