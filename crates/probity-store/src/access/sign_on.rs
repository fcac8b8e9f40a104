//! Log-ins at providers that others run: begun once, ended once, and whose account is whose.

use std::time::Duration;

use super::Role;
use super::sessions::millis;
use crate::sql::{ColumnError, sql};
use crate::tx::Tx;
use crate::{Store, StoreError};
use probity_core::UserName;

/// The most log-ins that are in progress at once; beyond that the oldest are forgotten.
const SIGN_ONS: i64 = 10_000;

/// A log-in that is begun.
#[derive(Debug, Clone, Copy)]
pub struct NewSignOn<'a> {
    /// The hash of what comes back with the code.
    pub state_hash: &'a str,
    /// The hash of what the browser keeps meanwhile.
    pub browser_hash: &'a str,
    /// What has to be in the token.
    pub nonce: &'a str,
    /// What proves at the end who began.
    pub verifier: &'a str,
    /// Where the browser goes when it is logged in.
    pub leads_to: &'a str,
}

/// A log-in that was begun and comes to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignOn {
    /// What has to be in the token.
    pub nonce: String,
    /// What proves at the end who began.
    pub verifier: String,
    /// Where the browser goes.
    pub leads_to: String,
}

/// An account at a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Account<'a> {
    /// The provider, as it calls itself.
    pub issuer: &'a str,
    /// The account's id there, which never changes.
    pub subject: &'a str,
}

impl Store {
    /// Begins a log-in; forgets those that ran out.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn begin_sign_on(
        &self,
        new: &NewSignOn<'_>,
        life: Duration,
    ) -> Result<(), StoreError> {
        let now = self.clock().now().0;
        let mut tx = self.write().await?;
        let old = sql("DELETE FROM sign_ons WHERE began_at < $1").bind(now - millis(life));
        tx.execute(old).await?;
        let many = sql("DELETE FROM sign_ons WHERE state_hash IN
                          (SELECT state_hash FROM sign_ons ORDER BY began_at DESC, state_hash
                           LIMIT $1 OFFSET $2)");
        tx.execute(many.bind(SIGN_ONS).bind(SIGN_ONS - 1)).await?;
        let query = sql("INSERT INTO sign_ons
                           (state_hash, browser_hash, nonce, verifier, leads_to, began_at)
                         VALUES ($1, $2, $3, $4, $5, $6)");
        let query = query.bind(new.state_hash).bind(new.browser_hash).bind(new.nonce);
        tx.execute(query.bind(new.verifier).bind(new.leads_to).bind(now)).await?;
        tx.commit().await
    }

    /// Ends a log-in that this browser began, once: whoever comes again gets nothing.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn end_sign_on(
        &self,
        state_hash: &str,
        browser_hash: &str,
        life: Duration,
    ) -> Result<Option<SignOn>, StoreError> {
        let now = self.clock().now().0;
        let mut tx = self.write().await?;
        let query = sql("DELETE FROM sign_ons
                         WHERE state_hash = $1 AND browser_hash = $2 AND began_at >= $3
                         RETURNING nonce, verifier, leads_to");
        let query = query.bind(state_hash).bind(browser_hash).bind(now - millis(life));
        let row = tx.maybe(query).await?;
        let read = row.map(|row| {
            Ok(SignOn {
                nonce: row.get("nonce")?,
                verifier: row.get("verifier")?,
                leads_to: row.get("leads_to")?,
            })
        });
        let read = read.transpose().map_err(|error: ColumnError| tx.unreadable(&error))?;
        tx.commit().await?;
        Ok(read)
    }

    /// The user whom an account at a provider belongs to.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn user_of(&self, account: Account<'_>) -> Result<Option<String>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT user_name FROM identities WHERE issuer = $1 AND subject = $2");
        let row = tx.maybe(query.bind(account.issuer).bind(account.subject)).await?;
        let read = row.map(|row| row.get::<String>("user_name")).transpose();
        read.map_err(|error: ColumnError| tx.unreadable(&error))
    }

    /// Whether a user has an account at any provider.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn has_account(&self, user: &UserName) -> Result<bool, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT issuer FROM identities WHERE user_name = $1 LIMIT 1");
        Ok(tx.maybe(query.bind(user)).await?.is_some())
    }

    /// Gives an account at a provider to a user. Gives `false`, and changes nothing, if it is someone's,
    /// or if the user has another one there.
    ///
    /// # Errors
    /// When the store fails, or there is no such user.
    pub async fn link_account(
        &self,
        account: Account<'_>,
        user: &UserName,
    ) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let linked = link(&mut tx, account, user, self.clock().now().0).await?;
        tx.commit().await?;
        Ok(linked)
    }

    /// Adds a user without a password who has an account at a provider. Gives `false`, and changes nothing,
    /// if the name or the account is someone's.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn add_user_with_account(
        &self,
        name: &UserName,
        role: Role,
        account: Account<'_>,
    ) -> Result<bool, StoreError> {
        let now = self.clock().now().0;
        let mut tx = self.write().await?;
        let query = sql("INSERT INTO users (name, password, role, added_at, changed_at)
                         VALUES ($1, $2, $3, $4, $4) ON CONFLICT (name) DO NOTHING");
        let query = query.bind(name).bind(super::User::NO_PASSWORD).bind(role.as_str()).bind(now);
        if tx.execute(query).await? != 1 || !link(&mut tx, account, name, now).await? {
            tx.undo().await?;
            return Ok(false);
        }
        tx.commit().await?;
        Ok(true)
    }
}

async fn link(
    tx: &mut Tx,
    account: Account<'_>,
    user: &UserName,
    now: i64,
) -> Result<bool, StoreError> {
    let query = sql("INSERT INTO identities (issuer, subject, user_name, linked_at)
                     VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING");
    let query = query.bind(account.issuer).bind(account.subject).bind(user).bind(now);
    Ok(tx.execute(query).await? == 1)
}
