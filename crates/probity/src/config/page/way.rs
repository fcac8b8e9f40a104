//! Ways to reach people that were set up on the page.

use probity_core::{Secret, WebUrl};
use probity_server::{NewWay, WayKind};
use probity_web::notify::{Channel, Security, is_address};
use serde::{Deserialize, Serialize, Serializer};

use crate::config::alerts::{Address, Mail, SUBMISSION};

/// The most ways that can be set up.
pub(crate) const WAYS_MOST: usize = 20;

/// A way that was set up on the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeptWay {
    /// When it was set up.
    pub(crate) set_at: String,
    /// Who set it up.
    pub(crate) set_by: String,
    /// Whether nothing is sent there for now.
    #[serde(default)]
    pub(crate) paused: bool,
    /// What opens it or signs messages.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "exposed")]
    pub(crate) secret: Option<Secret>,
    /// Where it leads.
    pub(crate) place: Place,
}

/// Where a way leads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Place {
    /// An address that takes messages as JSON.
    Webhook(Address),
    /// A topic of an ntfy server.
    Ntfy(Address),
    /// E-mail.
    Mail(Mail),
}

fn exposed<S: Serializer>(secret: &Option<Secret>, serializer: S) -> Result<S::Ok, S::Error> {
    secret.as_ref().map(Secret::expose).serialize(serializer)
}

impl Place {
    /// How people are reached there.
    pub(crate) fn kind(&self) -> WayKind {
        match self {
            Self::Webhook(_) => WayKind::Webhook,
            Self::Ntfy(_) => WayKind::Ntfy,
            Self::Mail(_) => WayKind::Mail,
        }
    }

    /// What is asked for, if it can be one.
    ///
    /// # Errors
    /// The field that is wrong, and what is wrong with it.
    pub(crate) fn of(way: &NewWay) -> Result<Self, (&'static str, String)> {
        let address = || {
            let url = given(&way.url).ok_or(("url", "an address is needed".to_owned()))?;
            let url = WebUrl::parse(url).map_err(|error| ("url", error.to_string()))?;
            Ok(Address { url })
        };
        match way.kind {
            WayKind::Webhook => address().map(Self::Webhook),
            WayKind::Ntfy => address().map(Self::Ntfy),
            WayKind::Mail => mail(way).map(Self::Mail),
        }
    }

    /// The channel that messages go through.
    pub(crate) fn channel(&self, secret: Option<Secret>) -> Channel {
        match self {
            Self::Webhook(Address { url }) => Channel::Webhook { url: url.clone(), secret },
            Self::Ntfy(Address { url }) => Channel::Ntfy { url: url.clone(), token: secret },
            Self::Mail(mail) => Channel::Mail(mail.server(secret)),
        }
    }
}

fn given(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

fn mail(way: &NewWay) -> Result<Mail, (&'static str, String)> {
    let host = given(&way.host).ok_or(("host", "a mail server is needed".to_owned()))?;
    let is_host = host.len() <= 253
        && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte));
    if !is_host {
        return Err(("host", "this is no name of a host".to_owned()));
    }
    let security = match given(&way.security).unwrap_or("starttls") {
        "starttls" => Security::Starttls,
        "tls" => Security::Tls,
        "none" => Security::None,
        _ => return Err(("security", "it is `starttls`, `tls` or `none`".to_owned())),
    };
    let from = given(&way.from).unwrap_or_default();
    if !is_address(from) {
        return Err(("from", "this is no e-mail address".to_owned()));
    }
    let to: Vec<String> =
        given(&way.to).unwrap_or_default().split(',').map(str::trim).map(str::to_owned).collect();
    if !to.iter().all(|one| is_address(one)) {
        return Err(("to", "these are not e-mail addresses with commas between them".to_owned()));
    }
    let mail = Mail {
        host: host.to_owned(),
        port: way.port.filter(|port| *port > 0).unwrap_or(SUBMISSION),
        security,
        user: given(&way.user).map(str::to_owned),
        from: from.to_owned(),
        to,
    };
    mail.check().map_err(|why| ("security", why))?;
    if security == Security::None && way.secret.is_some() {
        return Err(("secret", "a password is never sent in the open".to_owned()));
    }
    Ok(mail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(kind: WayKind) -> NewWay {
        let text = |text: &str| Some(text.to_owned());
        NewWay {
            kind,
            url: text("https://hooks.example/x"),
            host: text("mail.example"),
            from: text("desk@probity.example"),
            to: text("ada@example.org, bob@example.org"),
            ..NewWay::default()
        }
    }

    #[test]
    fn what_cannot_be_a_way_is_refused_at_its_field() {
        for kind in [WayKind::Webhook, WayKind::Ntfy, WayKind::Mail] {
            assert_eq!(Place::of(&new(kind)).unwrap().kind(), kind);
        }
        let text = |text: &str| Some(text.to_owned());
        let mail = || new(WayKind::Mail);
        for (wrong, field) in [
            (NewWay { url: None, ..new(WayKind::Webhook) }, "url"),
            (NewWay { url: text("file:///etc/passwd"), ..new(WayKind::Ntfy) }, "url"),
            (NewWay { host: text(""), ..mail() }, "host"),
            (NewWay { host: text("mail.example\r\nX"), ..mail() }, "host"),
            (NewWay { security: text("maybe"), ..mail() }, "security"),
            (NewWay { from: text("desk"), ..mail() }, "from"),
            (NewWay { to: text("ada@example.org,"), ..mail() }, "to"),
            (NewWay { to: text("a@b>\r\nRCPT TO:<c@d"), ..mail() }, "to"),
            (NewWay { security: text("none"), user: text("ada"), ..mail() }, "security"),
            (NewWay { security: text("none"), secret: Some(Secret::new("x")), ..mail() }, "secret"),
        ] {
            assert_eq!(Place::of(&wrong).unwrap_err().0, field, "{wrong:?}");
        }
    }

    #[test]
    fn a_way_is_read_back_as_it_was_written() {
        for kind in [WayKind::Webhook, WayKind::Ntfy, WayKind::Mail] {
            let way = KeptWay {
                set_at: "now".to_owned(),
                set_by: "ada".to_owned(),
                paused: true,
                secret: Some(Secret::new("planted-secret")),
                place: Place::of(&new(kind)).unwrap(),
            };
            let text = toml::to_string_pretty(&way).unwrap();
            assert_eq!(toml::from_str::<KeptWay>(&text).unwrap(), way, "{text}");
            assert!(text.contains("planted-secret") && !format!("{way:?}").contains("planted"));
        }
    }
}
