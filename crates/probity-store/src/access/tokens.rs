//! Keys of programs that call the API.

use probity_core::Timestamp;

use super::Role;
use super::users::role;
use crate::sql::{ColumnError, Row, sql};
use crate::{Store, StoreError};

/// The most tokens that a list gives.
const TOKENS: i64 = 10_000;
/// Use is written down at most this often.
const USED_EVERY: i64 = 60_000;

/// A token about to be kept.
#[derive(Debug, Clone, Copy)]
pub struct NewToken<'a> {
    /// A short name by which it is revoked.
    pub id: &'a str,
    /// The hash of the token.
    pub hash: &'a str,
    /// Who signs for what is done with it.
    pub owner: &'a str,
    /// What it may be used for, with commas between.
    pub scopes: &'a str,
}

/// A token as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// A short name by which it is revoked.
    pub id: String,
    /// Who signs for what is done with it.
    pub owner: String,
    /// What it may be used for, with commas between.
    pub scopes: String,
    /// What its owner may do, where that is a user: a token opens no more than that.
    pub role: Option<Role>,
    /// When it was made.
    pub added_at: Timestamp,
    /// When it was last used, to the minute.
    pub used_at: Option<Timestamp>,
}

impl Store {
    /// Keeps a token. Gives `false` if its id or the token itself is taken.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn add_token(&self, token: &NewToken<'_>) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let query = sql("INSERT INTO tokens (id, hash, owner, scopes, added_at)
                         VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING");
        let query = query.bind(token.id).bind(token.hash).bind(token.owner).bind(token.scopes);
        let rows = tx.execute(query.bind(self.clock().now().0)).await?;
        tx.commit().await?;
        Ok(rows == 1)
    }

    /// The token with this hash.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn token(&self, hash: &str) -> Result<Option<Token>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT t.id, t.owner, t.scopes, t.added_at, t.used_at, u.role
                         FROM tokens t LEFT JOIN users u ON u.name = t.owner
                         WHERE t.hash = $1 AND coalesce(u.disabled, 0) = 0");
        let row = tx.maybe(query.bind(hash)).await?;
        let token = row.map(|row| read(&row).map_err(|e| tx.unreadable(&e))).transpose()?;
        drop(tx);
        let now = self.clock().now().0;
        let is_fresh = |token: &Token| token.used_at.is_some_and(|at| now - at.0 <= USED_EVERY);
        if let Some(token) = token.as_ref().filter(|token| !is_fresh(token)) {
            let mut tx = self.write().await?;
            let query = sql("UPDATE tokens SET used_at = $2 WHERE id = $1");
            tx.execute(query.bind(&token.id).bind(now)).await?;
            tx.commit().await?;
        }
        Ok(token)
    }

    /// All tokens, the oldest first.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn tokens(&self) -> Result<Vec<Token>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT t.id, t.owner, t.scopes, t.added_at, t.used_at, u.role
                         FROM tokens t LEFT JOIN users u ON u.name = t.owner
                         ORDER BY t.added_at, t.id LIMIT $1");
        let rows = tx.all(query.bind(TOKENS)).await?;
        rows.iter().map(|row| read(row).map_err(|error| tx.unreadable(&error))).collect()
    }

    /// Revokes a token. Gives `false` if there is none of this id.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn revoke_token(&self, id: &str) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let rows = tx.execute(sql("DELETE FROM tokens WHERE id = $1").bind(id)).await?;
        tx.commit().await?;
        Ok(rows == 1)
    }
}

fn read(row: &Row) -> Result<Token, ColumnError> {
    Ok(Token {
        id: row.get("id")?,
        owner: row.get("owner")?,
        scopes: row.get("scopes")?,
        role: row.get::<Option<String>>("role")?.map(|text| role(&text)).transpose()?,
        added_at: Timestamp(row.get("added_at")?),
        used_at: row.get::<Option<i64>>("used_at")?.map(Timestamp),
    })
}
