//! Whose account at a provider it is: known by the account itself, by a verified address, or new.

use probity_credibility::ledger::Name;
use probity_store::StoreError;
use probity_store::access::{Account, User, UserChange, UserChanged};

use crate::backend::{GrantedRole, Identity};
use crate::problem::Problem;
use crate::state::Server;

/// Why a person whom a provider vouches for is refused.
pub(crate) enum NotLetIn {
    /// For a reason that they may see.
    Refused(String),
    /// The store failed.
    Failed(Problem),
}

impl From<StoreError> for NotLetIn {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}

fn refused(why: impl Into<String>) -> NotLetIn {
    NotLetIn::Refused(why.into())
}

/// The user of a person here. Links and adds users, and gives them the role that the provider says.
pub(crate) async fn identify(server: &Server, identity: &Identity) -> Result<String, NotLetIn> {
    let user = match known(server, identity).await? {
        Some(user) => user,
        None => return add(server, identity).await,
    };
    if user.disabled {
        return Err(refused(format!("{} is switched off here; ask an admin", user.name)));
    }
    if let GrantedRole::Claimed(role) = identity.role
        && user.role != role
    {
        let change = UserChange { role: Some(role), ..UserChange::default() };
        // The last admin stays one, whatever a provider says.
        if server.store.change_user(&user.name, change).await? == UserChanged::Done {
            let what = format!("role changed to {} by the provider", role.as_str());
            server.store.note(&user.name, &what, &user.name).await?;
        }
    }
    Ok(user.name.into())
}

/// The user whose account it is, or whose name is the verified address: then it is theirs from now on.
async fn known(server: &Server, identity: &Identity) -> Result<Option<User>, NotLetIn> {
    let (store, account) = (&server.store, account(identity));
    if let Some(name) = store.user_of(account).await? {
        return Ok(store.user(&name.as_str().into()).await?);
    }
    let Some(email) = &identity.email else { return Ok(None) };
    let Some(user) = store.user(&email.as_str().into()).await?.filter(|user| !user.disabled) else {
        return Ok(None);
    };
    // An address may pass from one person to another; the account that had it first keeps the user.
    if !store.link_account(account, &user.name).await? {
        return Err(taken(&user.name));
    }
    store.note(&user.name, "account linked", &identity.issuer).await?;
    Ok(Some(user))
}

async fn add(server: &Server, identity: &Identity) -> Result<String, NotLetIn> {
    let (GrantedRole::Claimed(role) | GrantedRole::New(role)) = identity.role else {
        return Err(refused("the provider knows you, but you are no user here; ask an admin"));
    };
    let wanted = identity.email.as_ref().or(identity.name.as_ref()).unwrap_or(&identity.subject);
    let name = Name::new(wanted).map_err(|error| refused(error.to_string()))?;
    let name = name.as_str();
    // Whoever has the name already is someone else, for all that is known.
    if !server.store.add_user_with_account(&name.into(), role, account(identity)).await? {
        return Err(taken(name));
    }
    let what = format!("user added as {} by the provider", role.as_str());
    server.store.note(name, &what, name).await?;
    Ok(name.to_owned())
}

fn account(identity: &Identity) -> Account<'_> {
    Account { issuer: &identity.issuer, subject: &identity.subject }
}

fn taken(name: &str) -> NotLetIn {
    refused(format!(
        "there is a user {name} already who is not linked to your account; ask an admin"
    ))
}
