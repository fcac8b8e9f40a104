//! Accounts of clouds, where a key alone does not say who asks: what they are read from, and how a request shows them.

mod aws;
mod google;

use std::path::Path;

pub use aws::AwsKeys;
pub use google::ServiceAccount;

use probity_core::Secret;

pub(crate) use google::{Granted, TokenCache};

/// An account of a cloud.
#[derive(Debug, Clone, PartialEq)]
pub enum Account {
    /// Keys of Amazon's, which sign every request.
    Aws(AwsKeys),
    /// A service account of Google's, which has tokens.
    Google(ServiceAccount),
}

impl Account {
    /// The account that the environment names for Bedrock, if it is whole. A blank value counts as unset.
    pub(crate) fn aws(lookup: impl Fn(&str) -> Option<String>) -> Option<Self> {
        Some(Account::Aws(AwsKeys {
            id: lookup("AWS_ACCESS_KEY_ID")?,
            secret: Secret::new(lookup("AWS_SECRET_ACCESS_KEY")?),
            session: lookup("AWS_SESSION_TOKEN").map(Secret::new),
            region: aws_region(&lookup)?,
        }))
    }

    /// The service account whose key file the environment names for Vertex AI.
    ///
    /// # Errors
    /// When the file is none.
    pub(crate) fn google(
        lookup: impl Fn(&str) -> Option<String>,
    ) -> Option<Result<ServiceAccount, String>> {
        let path = lookup("GOOGLE_APPLICATION_CREDENTIALS")?;
        Some(ServiceAccount::read(Path::new(&path)))
    }

    /// What may come back in an error and must not be shown.
    pub(crate) fn secrets(&self) -> Vec<&Secret> {
        match self {
            Account::Aws(keys) => keys.session.iter().chain([&keys.secret]).collect(),
            Account::Google(service) => service.secrets().to_vec(),
        }
    }
}

/// The region that the environment names for Amazon.
pub(crate) fn aws_region(lookup: impl Fn(&str) -> Option<String>) -> Option<String> {
    let region = lookup("AWS_REGION").or_else(|| lookup("AWS_DEFAULT_REGION"))?;
    // It becomes a part of a host.
    let plain = region.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    plain.then_some(region)
}

/// The address of Vertex AI where the environment says whose project and which place; the project may be that of an
/// account.
pub(crate) fn vertex_url(
    lookup: impl Fn(&str) -> Option<String>,
    account: Option<&Account>,
) -> Option<String> {
    let own = match account {
        Some(Account::Google(service)) => service.project.clone(),
        _ => None,
    };
    let project = lookup("GOOGLE_CLOUD_PROJECT").or(own)?;
    google::vertex_url(&project, &lookup("GOOGLE_CLOUD_LOCATION")?)
}
