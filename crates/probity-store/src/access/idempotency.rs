//! Requests that are done once, however often they are sent.
//!
//! A client names a request by a key of its own. The first to come is done and its answer kept; the
//! same request again gets that answer, another request under the same key is refused.

use std::time::Duration;

use crate::sql::sql;
use crate::{Store, StoreError};

/// How long an answer is kept, in milliseconds: a day.
const KEPT: i64 = 24 * 3_600_000;

/// An answer that was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its media type.
    pub media: String,
    /// Its text.
    pub body: String,
}

/// What a key stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Once {
    /// It is new: do the request.
    First,
    /// It was done, and this was the answer.
    Done(Answer),
    /// It is being done.
    UnderWay,
    /// It belongs to another request.
    Another,
}

impl Store {
    /// Claims a request under a key. One that was claimed and neither answered nor given up for so
    /// long is claimed again.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn begin_once(
        &self,
        owner: &str,
        key: &str,
        request: &str,
        patience: Duration,
    ) -> Result<Once, StoreError> {
        let mut tx = self.write().await?;
        let now = self.clock().now().0;
        let stale = now - i64::try_from(patience.as_millis()).unwrap_or(i64::MAX / 4);
        let old = sql("DELETE FROM once WHERE at < $1 OR (status IS NULL AND at < $2)");
        tx.execute(old.bind(now - KEPT).bind(stale)).await?;
        let query = sql("INSERT INTO once (owner, once_key, request, at) VALUES ($1, $2, $3, $4)
                         ON CONFLICT (owner, once_key) DO NOTHING");
        let query = query.bind(owner).bind(key).bind(request).bind(now);
        if tx.execute(query).await? == 1 {
            tx.commit().await?;
            return Ok(Once::First);
        }
        let query = sql("SELECT request, status, media, body FROM once
                         WHERE owner = $1 AND once_key = $2");
        let row = tx.maybe(query.bind(owner).bind(key)).await?;
        let Some(row) = row else { return Ok(Once::UnderWay) };
        let read = || {
            let same = row.get::<String>("request")? == request;
            let status = row.get::<Option<i64>>("status")?;
            let status = status.and_then(|status| u16::try_from(status).ok());
            Ok(match (same, status) {
                (false, _) => Once::Another,
                (true, None) => Once::UnderWay,
                (true, Some(status)) => Once::Done(Answer {
                    status,
                    media: row.get::<Option<String>>("media")?.unwrap_or_default(),
                    body: row.get::<Option<String>>("body")?.unwrap_or_default(),
                }),
            })
        };
        read().map_err(|error| tx.unreadable(&error))
    }

    /// Keeps the answer to a request that was claimed; without one, gives it up, so that it may be
    /// sent again.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn end_once(
        &self,
        owner: &str,
        key: &str,
        answer: Option<&Answer>,
    ) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        let query = match answer {
            Some(answer) => {
                let keep = sql("UPDATE once SET status = $3, media = $4, body = $5
                                WHERE owner = $1 AND once_key = $2");
                let keep = keep.bind(owner).bind(key).bind(i64::from(answer.status));
                keep.bind(&answer.media).bind(&answer.body)
            }
            None => {
                sql("DELETE FROM once WHERE owner = $1 AND once_key = $2").bind(owner).bind(key)
            }
        };
        tx.execute(query).await?;
        tx.commit().await
    }
}
