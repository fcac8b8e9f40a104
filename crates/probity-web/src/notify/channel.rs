//! Where messages go.

use probity_core::{Secret, WebUrl};
use serde::{Deserialize, Serialize};

/// A way to reach people.
#[derive(Debug, Clone)]
pub enum Channel {
    /// An address that takes the message as JSON.
    Webhook {
        /// The address.
        url: WebUrl,
        /// What the message is signed with.
        secret: Option<Secret>,
    },
    /// A topic of an ntfy server.
    Ntfy {
        /// The topic's address.
        url: WebUrl,
        /// What opens it, where it is not open.
        token: Option<Secret>,
    },
    /// E-mail.
    Mail(MailServer),
}

/// How the connection to a mail server is protected.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Security {
    /// Plain at first, then TLS, as on port 587. Without TLS nothing is sent.
    #[default]
    Starttls,
    /// TLS from the beginning, as on port 465.
    Tls,
    /// None: for a relay on the same machine. No password is sent.
    None,
}

/// A mail server, and who writes to whom.
#[derive(Debug, Clone)]
pub struct MailServer {
    /// Its host.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the connection is protected.
    pub security: Security,
    /// Who logs in, if someone does.
    pub user: Option<String>,
    /// With which password.
    pub password: Option<Secret>,
    /// Who writes.
    pub from: String,
    /// Who is written to.
    pub to: Vec<String>,
}
