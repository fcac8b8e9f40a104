//! Callers, and what routes ask of them.

use axum::extract::FromRequestParts;
use http::request::Parts;
use probity_store::access::Role;

use crate::problem::Problem;

/// The name of whoever calls without log-in.
pub const LOCAL: &str = "local";

/// What a route asks of its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Nothing: anyone may call it.
    Anyone,
    /// A caller who may do this.
    Needs(Scope),
}

/// A kind of thing that callers do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Reading everything.
    Read,
    /// Asking questions, stopping and resuming runs, and keeping feeds and documents.
    Research,
    /// Coding outlets and changing scores.
    Ledger,
    /// Deleting, and seeing who may do what.
    Admin,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Self; 4] = [Self::Read, Self::Research, Self::Ledger, Self::Admin];

    /// The scope's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Research => "research",
            Self::Ledger => "ledger",
            Self::Admin => "admin",
        }
    }

    /// The scopes that a text names with commas between; none where one has no such name.
    pub fn parse_list(text: &str) -> Option<Vec<Self>> {
        let parse = |name: &str| Self::ALL.into_iter().find(|scope| scope.as_str() == name.trim());
        text.split(',').map(parse).collect()
    }

    /// What a role may do.
    pub fn of_role(role: Role) -> &'static [Self] {
        match role {
            Role::Reader => &[Self::Read],
            Role::Editor => &[Self::Read, Self::Research, Self::Ledger],
            Role::Admin => &Self::ALL,
        }
    }
}

/// How a caller proved who they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Via {
    /// It was not asked.
    OpenDoor,
    /// A session, with what its forms carry.
    Session {
        /// What its forms carry.
        form_key: String,
    },
    /// A token.
    Token,
}

/// Whoever calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Caller {
    /// The name that signs what they do.
    pub(crate) name: String,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) via: Via,
}

impl Caller {
    /// The caller without log-in.
    pub(crate) fn local() -> Self {
        Self { name: LOCAL.to_owned(), scopes: Scope::ALL.to_vec(), via: Via::OpenDoor }
    }

    pub(crate) fn may(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }

    /// Whether they may touch what belongs to someone: their own, or anyone's as an admin.
    pub(crate) fn owns(&self, owner: &str) -> bool {
        self.name == owner || self.may(Scope::Admin)
    }

    /// The name to sign with. Without log-in, people say it themselves.
    pub(crate) fn signs_as(&self, said: Option<&str>) -> Result<String, Problem> {
        let said = said.map(str::trim).filter(|said| !said.is_empty());
        match (&self.via, said) {
            (Via::OpenDoor, Some(said)) => Ok(said.to_owned()),
            (_, Some(said)) if said != self.name => Err(Problem::field(
                "by",
                format!("you are {}, and changes are signed with that name", self.name),
            )),
            _ => Ok(self.name.clone()),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        // Only a route that anyone may call has no caller, and such a route asks for none.
        let known = parts.extensions.get::<Self>().cloned();
        known.ok_or_else(|| Problem::unknown_caller("log in, or send a token"))
    }
}
