//! Ways to reach people, as admins keep them: to an address, to ntfy, by e-mail.

use probity_core::Secret;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Origin;

/// How people are reached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum WayKind {
    /// An address that takes messages as JSON, signed where there is a secret.
    #[default]
    Webhook,
    /// A topic of an ntfy server.
    Ntfy,
    /// E-mail over SMTP.
    Mail,
}

impl WayKind {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Webhook => "webhook",
            Self::Ntfy => "ntfy",
            Self::Mail => "mail",
        }
    }
}

/// A way to be added.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NewWay {
    /// How people are reached.
    pub kind: WayKind,
    /// The address of a webhook, or of an ntfy topic.
    #[schema(max_length = 2000)]
    pub url: Option<String>,
    /// What messages are signed with, the token of the topic, or the password of the mail server. It is never
    /// shown again.
    #[schema(value_type = Option<String>, max_length = 500)]
    pub secret: Option<Secret>,
    /// The host of the mail server.
    #[schema(max_length = 253)]
    pub host: Option<String>,
    /// Its port, 587 if nothing is said.
    pub port: Option<u16>,
    /// How its connection is protected: `starttls`, `tls` or `none`.
    #[schema(max_length = 10, example = "starttls")]
    pub security: Option<String>,
    /// Who logs in there.
    #[schema(max_length = 254)]
    pub user: Option<String>,
    /// The address that writes.
    #[schema(max_length = 254)]
    pub from: Option<String>,
    /// The addresses that are written to, with commas between them.
    #[schema(max_length = 5000)]
    pub to: Option<String>,
}

/// A way to reach people, without what opens it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct WayView {
    /// What names it.
    pub id: String,
    /// How people are reached.
    pub kind: WayKind,
    /// Where messages go.
    pub to: String,
    /// Whether it has a secret.
    pub has_secret: bool,
    /// Whether nothing is sent there for now.
    pub paused: bool,
    /// Where it was set up; what the configuration file sets up is changed there.
    pub origin: Origin,
    /// When it was set up on the page, where it was.
    pub set_at: Option<String>,
    /// Who set it up there.
    pub set_by: Option<String>,
}
