//! People who may log in.

use probity_core::Timestamp;
use serde::{Deserialize, Serialize};

use crate::sql::{ColumnError, Row, sql};
use crate::{Store, StoreError};

/// The most users that a list gives.
const USERS: i64 = 10_000;

/// What a person may do. Each may do what those before it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Reads everything.
    Reader,
    /// Asks questions and codes sources.
    Editor,
    /// Deletes, and sees who may do what.
    Admin,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 3] = [Self::Reader, Self::Editor, Self::Admin];

    /// The role's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reader => "reader",
            Self::Editor => "editor",
            Self::Admin => "admin",
        }
    }

    /// The role that a text names.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == text)
    }
}

/// A user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The name, which is also how the audit log signs.
    pub name: String,
    /// The hash of the password, with the way it was hashed.
    pub password: String,
    /// What the user may do.
    pub role: Role,
    /// When the user was added.
    pub added_at: Timestamp,
    /// When the password or the role last changed.
    pub changed_at: Timestamp,
}

impl Store {
    /// Adds a user. Gives `false`, and changes nothing, if the name is taken.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn add_user(
        &self,
        name: &str,
        password: &str,
        role: Role,
    ) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let query = sql("INSERT INTO users (name, password, role, added_at, changed_at)
                         VALUES ($1, $2, $3, $4, $4) ON CONFLICT (name) DO NOTHING");
        let query = query.bind(name).bind(password).bind(role.as_str());
        let rows = tx.execute(query.bind(self.clock().now().0)).await?;
        tx.commit().await?;
        Ok(rows == 1)
    }

    /// Gives a user another password and ends all sessions of that user. Gives `false` if there is
    /// no such user.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn change_password(&self, name: &str, password: &str) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let query = sql("UPDATE users SET password = $2, changed_at = $3 WHERE name = $1");
        let query = query.bind(name).bind(password).bind(self.clock().now().0);
        let rows = tx.execute(query).await?;
        tx.execute(sql("DELETE FROM sessions WHERE user_name = $1").bind(name)).await?;
        tx.commit().await?;
        Ok(rows == 1)
    }

    /// Removes a user with all sessions and tokens. Gives `false` if there is none of this name.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn remove_user(&self, name: &str) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        tx.execute(sql("DELETE FROM sessions WHERE user_name = $1").bind(name)).await?;
        tx.execute(sql("DELETE FROM tokens WHERE owner = $1").bind(name)).await?;
        let rows = tx.execute(sql("DELETE FROM users WHERE name = $1").bind(name)).await?;
        tx.commit().await?;
        Ok(rows == 1)
    }

    /// A user by name.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn user(&self, name: &str) -> Result<Option<User>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT name, password, role, added_at, changed_at FROM users
                         WHERE name = $1");
        let row = tx.maybe(query.bind(name)).await?;
        row.map(|row| read(&row).map_err(|error| tx.unreadable(&error))).transpose()
    }

    /// All users by name.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn users(&self) -> Result<Vec<User>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT name, password, role, added_at, changed_at FROM users
                         ORDER BY name LIMIT $1");
        let rows = tx.all(query.bind(USERS)).await?;
        rows.iter().map(|row| read(row).map_err(|error| tx.unreadable(&error))).collect()
    }
}

fn read(row: &Row) -> Result<User, ColumnError> {
    Ok(User {
        name: row.get("name")?,
        password: row.get("password")?,
        role: role(&row.get::<String>("role")?)?,
        added_at: Timestamp(row.get("added_at")?),
        changed_at: Timestamp(row.get("changed_at")?),
    })
}

pub(super) fn role(text: &str) -> Result<Role, ColumnError> {
    Role::parse(text).ok_or_else(|| ColumnError::new("role", format!("is `{text}`")))
}
