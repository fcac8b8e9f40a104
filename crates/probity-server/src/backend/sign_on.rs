//! Log-in at a provider that others run, as the server asks for it.

use probity_core::{SignOnAnswer, SignOnSecrets};
use probity_store::access::Role;

use super::Later;

/// A person whom a provider vouches for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The provider, as it calls itself.
    pub issuer: String,
    /// The account there, which never changes.
    pub subject: String,
    /// The e-mail address, if the provider says that it is the person's own.
    pub email: Option<String>,
    /// What the person is called there.
    pub name: Option<String>,
    /// What the person may do here.
    pub role: GrantedRole,
}

/// What a provider's claims mean here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrantedRole {
    /// The provider says it, and so it is from each log-in on.
    Claimed(Role),
    /// What whoever is new here may do; a role that was given here stays.
    New(Role),
    /// Only who is a user here already may come in.
    Known,
}

/// Why a log-in failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignOnFailure {
    /// The provider does not answer, or not as it should.
    #[error("{0}")]
    Provider(String),
    /// The person may not come in.
    #[error("{0}")]
    Refused(String),
}

/// A provider that people log in at.
pub trait SignOn: Send + Sync {
    /// What it is called on the page.
    fn label(&self) -> &str;

    /// The address to send a browser to.
    ///
    /// # Errors
    /// Says why the provider cannot be asked.
    fn begin<'a>(&'a self, secrets: SignOnSecrets<'a>) -> Later<'a, Result<String, SignOnFailure>>;

    /// Who logged in, from what the browser brought back.
    ///
    /// # Errors
    /// Says why it failed.
    fn finish<'a>(
        &'a self,
        answer: SignOnAnswer<'a>,
        secrets: SignOnSecrets<'a>,
    ) -> Later<'a, Result<Identity, SignOnFailure>>;

    /// Where a browser logs out there too, if there is such a place.
    fn leave<'a>(&'a self, back: &'a str) -> Later<'a, Option<String>>;
}
