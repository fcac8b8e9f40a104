//! People who may log in.

use probity_core::{Timestamp, UserName};
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
    pub name: UserName,
    /// The hash of the password, with the way it was hashed.
    pub password: String,
    /// What the user may do.
    pub role: Role,
    /// Whether the user may not log in for now.
    pub disabled: bool,
    /// When the user was added.
    pub added_at: Timestamp,
    /// When the password or the role last changed.
    pub changed_at: Timestamp,
}

impl User {
    /// What is stored where there is no password: no text hashes to it.
    pub const NO_PASSWORD: &'static str = "!";

    /// Whether the user has a password to log in with.
    pub fn has_password(&self) -> bool {
        self.password != Self::NO_PASSWORD
    }
}

/// What to change of a user; what is none stays as it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct UserChange {
    /// What the user may do.
    pub role: Option<Role>,
    /// Whether the user may not log in for now.
    pub disabled: Option<bool>,
}

/// The result of changing a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserChanged {
    /// It is done.
    Done,
    /// There is no such user.
    Unknown,
    /// It would be the last admin who can log in.
    LastAdmin,
}

/// Whether this user is the only admin who can log in.
async fn is_last_admin(tx: &mut crate::tx::Tx, name: &UserName) -> Result<bool, StoreError> {
    let query = sql("SELECT coalesce(sum(CASE WHEN name = $1 THEN 1 ELSE 0 END), 0) AS own,
                            count(*) AS admins
                     FROM users WHERE role = 'admin' AND disabled = 0");
    let row = tx.maybe(query.bind(name)).await?;
    let Some(row) = row else { return Ok(false) };
    let read = || Ok((row.get::<i64>("own")?, row.get::<i64>("admins")?));
    let (own, admins) = read().map_err(|error: ColumnError| tx.unreadable(&error))?;
    Ok(own == 1 && admins == 1)
}

impl Store {
    /// Adds a user. Gives `false`, and changes nothing, if the name is taken.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn add_user(
        &self,
        name: &UserName,
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
    pub async fn change_password(
        &self,
        name: &UserName,
        password: &str,
    ) -> Result<bool, StoreError> {
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
    pub async fn remove_user(&self, name: &UserName) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        tx.execute(sql("DELETE FROM sessions WHERE user_name = $1").bind(name)).await?;
        tx.execute(sql("DELETE FROM tokens WHERE owner = $1").bind(name)).await?;
        tx.execute(sql("DELETE FROM identities WHERE user_name = $1").bind(name)).await?;
        let rows = tx.execute(sql("DELETE FROM users WHERE name = $1").bind(name)).await?;
        tx.commit().await?;
        Ok(rows == 1)
    }

    /// Gives a user another role, or switches the user off or on. A disabled user is logged out at
    /// once, and their tokens open nothing. The last admin who can log in stays one.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn change_user(
        &self,
        name: &UserName,
        change: UserChange,
    ) -> Result<UserChanged, StoreError> {
        let mut tx = self.write().await?;
        let loses =
            change.disabled == Some(true) || change.role.is_some_and(|role| role != Role::Admin);
        if loses && is_last_admin(&mut tx, name).await? {
            tx.undo().await?;
            return Ok(UserChanged::LastAdmin);
        }
        let query = sql("UPDATE users SET role = coalesce($2, role),
                             disabled = coalesce($3, disabled), changed_at = $4
                         WHERE name = $1");
        let query = query.bind(name).bind(change.role.map(Role::as_str));
        let query = query.bind(change.disabled.map(i64::from)).bind(self.clock().now().0);
        let rows = tx.execute(query).await?;
        if change.disabled == Some(true) {
            tx.execute(sql("DELETE FROM sessions WHERE user_name = $1").bind(name)).await?;
        }
        tx.commit().await?;
        Ok(if rows == 1 { UserChanged::Done } else { UserChanged::Unknown })
    }

    /// Removes a user as [`Store::remove_user`] does, unless it is the last admin who can log in.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn remove_user_safely(&self, name: &UserName) -> Result<UserChanged, StoreError> {
        let mut tx = self.read().await?;
        let is_last = is_last_admin(&mut tx, name).await?;
        drop(tx);
        if is_last {
            return Ok(UserChanged::LastAdmin);
        }
        Ok(if self.remove_user(name).await? { UserChanged::Done } else { UserChanged::Unknown })
    }

    /// A user by name.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn user(&self, name: &UserName) -> Result<Option<User>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT name, password, role, disabled, added_at, changed_at FROM users
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
        let query = sql("SELECT name, password, role, disabled, added_at, changed_at FROM users
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
        disabled: row.get::<i64>("disabled")? != 0,
        added_at: Timestamp(row.get("added_at")?),
        changed_at: Timestamp(row.get("changed_at")?),
    })
}

pub(super) fn role(text: &str) -> Result<Role, ColumnError> {
    Role::parse(text).ok_or_else(|| ColumnError::new("role", format!("is `{text}`")))
}
