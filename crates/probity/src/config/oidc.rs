//! A provider that people log in at, and what its claims mean here.

use std::path::PathBuf;

use probity_core::{Secret, WebUrl};
use probity_model::settings::read_key;
use probity_server::GrantedRole;
use probity_store::access::Role;
use probity_web::oidc::{Claims, ProviderSettings};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::env;

/// The longest label of the button, in characters.
const LABEL_CHARS: usize = 60;

/// A provider that people log in at (OpenID Connect). None until one is named.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct OidcSettings {
    /// Where it is, as it calls itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) issuer: Option<WebUrl>,
    /// This program's name there.
    pub(crate) client_id: String,
    /// A file with this program's secret there; PROBITY_OIDC_SECRET overrides it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) client_secret_file: Option<PathBuf>,
    /// The secret, from the environment, the page or that file.
    #[serde(skip)]
    pub(crate) client_secret: Option<Secret>,
    /// What the button on the page says after `Log in with`.
    pub(crate) label: String,
    /// What the provider is asked for, with spaces between.
    pub(crate) scopes: String,
    /// The claim that holds a person's groups or roles.
    pub(crate) groups_claim: String,
    /// Domains of verified e-mail addresses that may log in; any if none is named.
    pub(crate) allowed_domains: Vec<String>,
    /// Groups that may log in; any if none is named.
    pub(crate) allowed_groups: Vec<String>,
    /// Which groups make whom, at every log-in.
    pub(crate) roles: Roles,
    /// The role of new users whom no group gives one.
    pub(crate) new_users: NewUsers,
}

impl Default for OidcSettings {
    fn default() -> Self {
        Self {
            issuer: None,
            client_id: "probity".to_owned(),
            client_secret_file: None,
            client_secret: None,
            label: "single sign-on".to_owned(),
            scopes: "openid email profile".to_owned(),
            groups_claim: "groups".to_owned(),
            allowed_domains: Vec::new(),
            allowed_groups: Vec::new(),
            roles: Roles::default(),
            new_users: NewUsers::None,
        }
    }
}

/// The role of new users.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum NewUsers {
    /// Nothing: only users and those whom a group makes something may log in.
    None,
    Reader,
    Editor,
    Admin,
}

impl NewUsers {
    fn role(self) -> Option<Role> {
        match self {
            Self::None => None,
            Self::Reader => Some(Role::Reader),
            Self::Editor => Some(Role::Editor),
            Self::Admin => Some(Role::Admin),
        }
    }
}

/// The groups whose members are admins, editors or readers.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Roles {
    pub(crate) admin: Vec<String>,
    pub(crate) editor: Vec<String>,
    pub(crate) reader: Vec<String>,
}

impl Roles {
    /// The strongest first.
    fn all(&self) -> [(Role, &[String]); 3] {
        [(Role::Admin, &self.admin), (Role::Editor, &self.editor), (Role::Reader, &self.reader)]
    }

    fn is_empty(&self) -> bool {
        self.all().iter().all(|(_, groups)| groups.is_empty())
    }
}

impl OidcSettings {
    /// Reads the secret from the environment or, where nothing else sets it, from its file.
    pub(crate) fn take_environment(&mut self) -> Result<(), String> {
        if let Some(secret) = env::PROBITY_OIDC_SECRET.get() {
            self.client_secret = Some(Secret::new(secret));
        } else if let (None, Some(path)) = (&self.client_secret, &self.client_secret_file) {
            let read = read_key(path);
            let read = read.map_err(|why| {
                format!("`client_secret_file` {} cannot be read: {why}", path.display())
            })?;
            self.client_secret = Some(read);
        }
        Ok(())
    }

    /// Says what is wrong with the settings, if anything.
    pub(crate) fn check(&self) -> Result<(), String> {
        if let Some(issuer) = &self.issuer {
            let url = issuer.as_url();
            if url.query().is_some() || url.fragment().is_some() || !url.username().is_empty() {
                return Err("`issuer` is an address without `?`, `#` and `@`; take it from the \
                            provider's discovery document"
                    .to_owned());
            }
        }
        if self.client_id.trim().is_empty() {
            return Err("`client_id` is empty; the provider shows it where this program is \
                        registered"
                .to_owned());
        }
        if !self.scopes.split_whitespace().any(|scope| scope == "openid") {
            return Err("`scopes` has to hold `openid`, as in \"openid email profile\"".to_owned());
        }
        let label = self.label.trim();
        if label.is_empty() || label.chars().count() > LABEL_CHARS {
            return Err(format!("`label` has to have 1 to {LABEL_CHARS} characters"));
        }
        if self.groups_claim.trim().is_empty() {
            return Err("`groups_claim` is empty; most providers call it `groups`".to_owned());
        }
        let is_domain = |domain: &String| domain.contains('.') && !domain.contains(['@', '/', ' ']);
        if let Some(wrong) = self.allowed_domains.iter().find(|domain| !is_domain(domain)) {
            return Err(format!(
                "`allowed_domains` holds `{wrong}`; write a domain such as example.org"
            ));
        }
        Ok(())
    }

    /// The provider, if one is named.
    pub(crate) fn provider(&self) -> Option<ProviderSettings> {
        let mut wanted = vec!["email".to_owned()];
        if !self.roles.is_empty() || !self.allowed_groups.is_empty() {
            wanted.push(self.groups_claim.clone());
        }
        Some(ProviderSettings {
            issuer: self.issuer.clone()?,
            client_id: self.client_id.clone(),
            client_secret: self.client_secret.clone(),
            scopes: self.scopes.clone(),
            wanted,
        })
    }

    /// What a token's claims let someone do here: the most of what their groups stand for.
    ///
    /// # Errors
    /// Says why they may not come in.
    pub(crate) fn grant(&self, claims: &Claims) -> Result<GrantedRole, String> {
        let held: Vec<&str> = match claims.get(&self.groups_claim) {
            Some(Value::Array(values)) => values.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(value)) => value.split([' ', ',']).collect(),
            _ => Vec::new(),
        };
        let holds = |groups: &[String]| groups.iter().any(|group| held.contains(&group.as_str()));
        if !self.allowed_domains.is_empty() {
            let domain = claims.verified_email().and_then(|email| email.rsplit_once('@'));
            let is_allowed = domain.is_some_and(|(_, domain)| {
                self.allowed_domains.iter().any(|allowed| allowed.eq_ignore_ascii_case(domain))
            });
            if !is_allowed {
                return Err(
                    "only verified e-mail addresses of certain domains may log in; ask an \
                            admin"
                        .to_owned(),
                );
            }
        }
        if !self.allowed_groups.is_empty() && !holds(&self.allowed_groups) {
            return Err("only members of certain groups may log in; ask an admin".to_owned());
        }
        let new = self.new_users.role();
        if self.roles.is_empty() {
            return Ok(new.map_or(GrantedRole::Known, GrantedRole::New));
        }
        // Where groups decide, whoever leaves one loses what it stood for.
        let made = self.roles.all().into_iter().find(|(_, groups)| holds(groups));
        let role = made.map(|(role, _)| role).or(new);
        role.map(GrantedRole::Claimed)
            .ok_or_else(|| "none of your groups gives you a role here; ask an admin".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn settings(text: &str) -> OidcSettings {
        toml::from_str(text).unwrap()
    }

    fn claims(said: Value) -> Claims {
        Claims::of(said.as_object().unwrap().clone())
    }

    #[test]
    fn nobody_who_is_unknown_comes_in_unless_the_settings_say_so() {
        let ada = claims(json!({ "sub": "1", "groups": ["admins"] }));
        assert_eq!(settings("").grant(&ada), Ok(GrantedRole::Known));
        let open = settings("new_users = \"reader\"");
        assert_eq!(open.grant(&ada), Ok(GrantedRole::New(Role::Reader)));
    }

    #[test]
    fn groups_decide_at_every_log_in_where_they_are_named() {
        let ours = "[roles]\nadmin = [\"admins\"]\neditor = [\"news\"]\n";
        let strict = settings(ours);
        let said = |groups: Value| claims(json!({ "sub": "1", "groups": groups }));
        let both = said(json!(["news", "admins"]));
        assert_eq!(strict.grant(&both), Ok(GrantedRole::Claimed(Role::Admin)), "the most counts");
        let one = said(json!("other news"));
        assert_eq!(strict.grant(&one), Ok(GrantedRole::Claimed(Role::Editor)), "as a text");
        for none in [json!([]), json!(["new"]), json!({ "news": true }), Value::Null] {
            assert!(strict.grant(&said(none.clone())).is_err(), "{none}");
        }
        let lenient = settings(&format!("new_users = \"reader\"\n{ours}"));
        let left = lenient.grant(&said(json!([])));
        assert_eq!(left, Ok(GrantedRole::Claimed(Role::Reader)), "who leaves the admins is none");
        let nested = settings("groups_claim = \"realm_access.roles\"\n[roles]\nreader = [\"r\"]\n");
        let deep = claims(json!({ "sub": "1", "realm_access": { "roles": ["r"] } }));
        assert_eq!(nested.grant(&deep), Ok(GrantedRole::Claimed(Role::Reader)));
    }

    #[test]
    fn domains_and_groups_that_are_not_allowed_stay_outside() {
        let ours = settings("new_users = \"reader\"\nallowed_domains = [\"example.org\"]\n");
        let mail = |email: &str, verified: bool| {
            claims(json!({ "sub": "1", "email": email, "email_verified": verified }))
        };
        assert!(ours.grant(&mail("ada@example.org", true)).is_ok());
        assert!(ours.grant(&mail("ada@Example.ORG", true)).is_ok());
        for (email, verified) in [
            ("ada@example.org", false),
            ("ada@evil.example", true),
            ("ada@sub.example.org", true),
            ("ada@evilexample.org", true),
            ("ada@example.org@evil.example", true),
            ("example.org", true),
        ] {
            assert!(ours.grant(&mail(email, verified)).is_err(), "{email} {verified}");
        }
        let staff = settings("new_users = \"reader\"\nallowed_groups = [\"staff\"]\n");
        assert!(staff.grant(&claims(json!({ "sub": "1", "groups": ["staff"] }))).is_ok());
        assert!(staff.grant(&claims(json!({ "sub": "1", "groups": ["guests"] }))).is_err());
        assert!(staff.grant(&claims(json!({ "sub": "1" }))).is_err());
    }

    #[test]
    fn settings_that_cannot_work_are_refused_with_what_to_do() {
        for (text, says) in [
            ("issuer = \"https://id.example/?x=1\"", "`issuer`"),
            ("client_id = \" \"", "`client_id`"),
            ("scopes = \"email\"", "`openid`"),
            ("label = \"\"", "`label`"),
            ("groups_claim = \"\"", "`groups_claim`"),
            ("allowed_domains = [\"@example.org\"]", "such as example.org"),
        ] {
            let problem = settings(text).check().unwrap_err();
            assert!(problem.contains(says), "{text}: {problem}");
        }
        assert_eq!(settings("issuer = \"https://id.example/realms/x\"").check(), Ok(()));
        assert!(toml::from_str::<OidcSettings>("new_users = \"owner\"").is_err());
        assert!(toml::from_str::<OidcSettings>("client_secret = \"x\"").is_err(), "never here");
    }
}
