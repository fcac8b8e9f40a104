//! Which alerts are sent, and where.

use std::collections::BTreeMap;

use probity_core::{Secret, WebUrl};
use probity_web::notify::{Channel, MailServer, Security};
use serde::{Deserialize, Serialize};

use super::env;
use super::page::way::KeptWay;

/// The most addresses that one message goes to.
const RECEIVERS: usize = 50;

/// Which alerts are sent, and where. None is sent until a channel is set up.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct AlertSettings {
    /// The categories whose new topics are reported.
    pub(crate) categories: Vec<String>,
    /// Whether outlets that fall into a lower band are reported.
    pub(crate) outlets: bool,
    /// Whether saved questions whose answer changed are reported.
    pub(crate) questions: bool,
    /// The address of the web page, for links in messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) site: Option<WebUrl>,
    /// An address that takes messages as JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) webhook: Option<Address>,
    /// A topic of an ntfy server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ntfy: Option<Address>,
    /// E-mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mail: Option<Mail>,
    /// Ways that were set up on the page, by their ids.
    #[serde(skip)]
    pub(crate) kept: BTreeMap<String, KeptWay>,
}

impl Default for AlertSettings {
    fn default() -> Self {
        Self {
            categories: Vec::new(),
            outlets: true,
            questions: true,
            site: None,
            webhook: None,
            ntfy: None,
            mail: None,
            kept: BTreeMap::new(),
        }
    }
}

/// An address that messages are sent to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Address {
    /// The address.
    pub(crate) url: WebUrl,
}

/// A mail server, and who writes to whom.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mail {
    /// Its host.
    pub(crate) host: String,
    /// Its port.
    #[serde(default = "submission")]
    pub(crate) port: u16,
    /// How the connection is protected: `starttls`, `tls` or `none`.
    #[serde(default)]
    pub(crate) security: Security,
    /// Who logs in, if someone does; the password is in PROBITY_SMTP_PASSWORD.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) user: Option<String>,
    /// Who writes.
    pub(crate) from: String,
    /// Who is written to.
    pub(crate) to: Vec<String>,
}

/// The port on which mail servers take messages from people.
pub(crate) const SUBMISSION: u16 = 587;

fn submission() -> u16 {
    SUBMISSION
}

impl Mail {
    /// Says what is wrong with the settings, if anything.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.to.is_empty() || self.to.len() > RECEIVERS {
            return Err(format!("`mail.to` has to name 1 to {RECEIVERS} addresses"));
        }
        if self.security == Security::None && self.user.is_some() {
            return Err("`mail.user` needs `security` to be `starttls` or `tls`: a password is \
                        never sent in the open"
                .to_owned());
        }
        Ok(())
    }

    /// The server with its password.
    pub(crate) fn server(&self, password: Option<Secret>) -> MailServer {
        MailServer {
            host: self.host.clone(),
            port: self.port,
            security: self.security,
            user: self.user.clone(),
            password,
            from: self.from.clone(),
            to: self.to.clone(),
        }
    }
}

impl AlertSettings {
    /// Says what is wrong with the settings, if anything.
    pub(crate) fn check(&self) -> Result<(), String> {
        self.mail.as_ref().map_or(Ok(()), Mail::check)
    }

    /// The ways to reach people that the configuration file names, by name.
    pub(crate) fn written_channels(&self) -> Vec<(&'static str, Channel)> {
        let secret = |var: &env::Var| var.get().map(Secret::new);
        let mut channels = Vec::new();
        if let Some(Address { url }) = &self.webhook {
            let secret = secret(&env::PROBITY_WEBHOOK_SECRET);
            channels.push(("webhook", Channel::Webhook { url: url.clone(), secret }));
        }
        if let Some(Address { url }) = &self.ntfy {
            let token = secret(&env::PROBITY_NTFY_TOKEN);
            channels.push(("ntfy", Channel::Ntfy { url: url.clone(), token }));
        }
        if let Some(mail) = &self.mail {
            let server = mail.server(secret(&env::PROBITY_SMTP_PASSWORD));
            channels.push(("mail", Channel::Mail(server)));
        }
        channels
    }

    /// The ways to reach people that are not paused, by name.
    pub(crate) fn channels(&self) -> Vec<(String, Channel)> {
        let written = self.written_channels().into_iter();
        let written = written.map(|(name, channel)| (name.to_owned(), channel));
        let kept = self.kept.iter().filter(|(_, way)| !way.paused);
        let kept = kept.map(|(id, way)| (id.clone(), way.place.channel(way.secret.clone())));
        written.chain(kept).collect()
    }

    /// The address of a page, where the page's own is known.
    pub(crate) fn link(&self, path: &str) -> Option<String> {
        self.site.as_ref()?.join(path).ok().map(|url| url.to_string())
    }
}
