//! Accounts of clouds, where a key alone does not say who asks: what they are read from, and how a request shows them.

mod aws;

use url::Url;

pub use aws::AwsKeys;

use probity_core::{Clock, Secret};

/// An account of a cloud.
#[derive(Debug, Clone, PartialEq)]
pub enum Account {
    /// Keys of Amazon's, which sign every request.
    Aws(AwsKeys),
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

    /// The headers by which a request shows the account.
    pub(crate) fn headers(&self, url: &Url, body: &[u8]) -> Vec<(&'static str, String)> {
        match self {
            Account::Aws(keys) => keys.sign(url, body, Clock::System.now()),
        }
    }

    /// What may come back in an error and is not to be told.
    pub(crate) fn secrets(&self) -> Vec<&Secret> {
        match self {
            Account::Aws(keys) => keys.session.iter().chain([&keys.secret]).collect(),
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
