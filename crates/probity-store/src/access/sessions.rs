//! Browsers that users logged in with.

use std::time::Duration;

use probity_core::{Timestamp, UserName};

use super::Role;
use super::users::role;
use crate::sql::{ColumnError, Row, sql};
use crate::{Store, StoreError};

/// Being seen is written down at most this often.
const SEEN_EVERY: i64 = 60_000;

/// A user who is logged in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Who it is.
    pub user: UserName,
    /// What they may do now.
    pub role: Role,
    /// What their forms carry, so that no other site can have made them.
    pub form_key: String,
}

/// A session as its user sees it among others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionSummary {
    /// The hash of its id, which opens nothing.
    pub hash: String,
    /// When it began.
    pub began_at: Timestamp,
    /// When it was last used, to the minute.
    pub seen_at: Timestamp,
}

/// The most sessions of one user that a list gives.
const SESSIONS: i64 = 200;

impl Store {
    /// The sessions of a user that may still be used, the latest first.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn sessions_of(
        &self,
        user: &UserName,
        idle: Duration,
        life: Duration,
    ) -> Result<Vec<SessionSummary>, StoreError> {
        let now = self.clock().now().0;
        let mut tx = self.read().await?;
        let query = sql("SELECT hash, began_at, seen_at FROM sessions
                         WHERE user_name = $1 AND seen_at >= $2 AND began_at >= $3
                         ORDER BY seen_at DESC, hash LIMIT $4");
        let query = query.bind(user).bind(now - millis(idle)).bind(now - millis(life));
        let rows = tx.all(query.bind(SESSIONS)).await?;
        let read = |row: &Row| {
            Ok(SessionSummary {
                hash: row.get("hash")?,
                began_at: Timestamp(row.get("began_at")?),
                seen_at: Timestamp(row.get("seen_at")?),
            })
        };
        let read = rows.iter().map(read).collect::<Result<_, ColumnError>>();
        read.map_err(|error| tx.unreadable(&error))
    }

    /// Begins a session for a user; drops those that ran out.
    ///
    /// # Errors
    /// When the store fails, or there is no such user.
    pub async fn begin_session(
        &self,
        hash: &str,
        user: &UserName,
        form_key: &str,
        life: Duration,
    ) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        let now = self.clock().now().0;
        let old = sql("DELETE FROM sessions WHERE began_at < $1").bind(now - millis(life));
        tx.execute(old).await?;
        let query = sql("INSERT INTO sessions (hash, user_name, form_key, began_at, seen_at)
                         VALUES ($1, $2, $3, $4, $4)");
        tx.execute(query.bind(hash).bind(user).bind(form_key).bind(now)).await?;
        tx.commit().await
    }

    /// The session with this hash, unless it was unused for too long or lasted too long.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn session(
        &self,
        hash: &str,
        idle: Duration,
        life: Duration,
    ) -> Result<Option<Session>, StoreError> {
        let now = self.clock().now().0;
        let mut tx = self.read().await?;
        let query = sql("SELECT s.user_name, s.form_key, s.seen_at, u.role
                         FROM sessions s JOIN users u ON u.name = s.user_name
                         WHERE s.hash = $1 AND s.seen_at >= $2 AND s.began_at >= $3
                           AND u.disabled = 0");
        let query = query.bind(hash).bind(now - millis(idle)).bind(now - millis(life));
        let Some(row) = tx.maybe(query).await? else { return Ok(None) };
        let read = || {
            let session = Session {
                user: row.get("user_name")?,
                role: role(&row.get::<String>("role")?)?,
                form_key: row.get("form_key")?,
            };
            Ok((session, row.get::<i64>("seen_at")?))
        };
        let (session, seen) = read().map_err(|error| tx.unreadable(&error))?;
        drop(tx);
        if now - seen > SEEN_EVERY {
            let mut tx = self.write().await?;
            let query = sql("UPDATE sessions SET seen_at = $2 WHERE hash = $1");
            tx.execute(query.bind(hash).bind(now)).await?;
            tx.commit().await?;
        }
        Ok(Some(session))
    }

    /// Ends a session.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn end_session(&self, hash: &str) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        tx.execute(sql("DELETE FROM sessions WHERE hash = $1").bind(hash)).await?;
        tx.commit().await
    }
}

pub(super) fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX / 4)
}
