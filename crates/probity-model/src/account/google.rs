//! Service accounts of Google's: the key signs an assertion, and is never sent; the assertion is exchanged for an
//! access token that is good for a while.
//!
//! ```text
//! key file → assertion (JWT, RS256) → token endpoint → access token, held until it is about to end
//! ```

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use probity_core::{Secret, Timestamp, printable};
use ring::rand::SystemRandom;
use ring::rsa::KeyPair;
use ring::signature::RSA_PKCS1_SHA256;
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::pki_types::pem::PemObject as _;
use serde::Deserialize;
use serde_json::json;
use url::{Host, Url};

use crate::settings::read_key;

/// Where tokens are had, unless the key file says otherwise.
const TOKEN_URL: &str = "https://oauth2.googleapis.com/token";
/// What a token is to be good for.
const SCOPE: &str = "https://www.googleapis.com/auth/cloud-platform";
/// What is asked for with an assertion.
const GRANT: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
/// How long an assertion is good, in seconds: as long as Google takes one.
const GOOD_SECONDS: i64 = 3_600;
/// A token is not used any more so long before it ends.
const MARGIN: Duration = Duration::from_secs(60);
/// The longest that a token is held, whatever is said of it.
const HELD_MOST: Duration = Duration::from_secs(12 * 3_600);

/// A service account of Google's.
#[derive(Debug, Clone, PartialEq)]
pub struct ServiceAccount {
    /// Its name.
    email: String,
    /// The name of its key.
    key_id: Option<String>,
    /// The key, as the file holds it.
    key: Secret,
    /// Where tokens are had.
    token_url: Url,
    /// The project that it belongs to.
    pub(crate) project: Option<String>,
}

/// What of a key file is read.
#[derive(Deserialize)]
struct KeyFile {
    #[serde(rename = "type")]
    kind: String,
    client_email: Option<String>,
    private_key: Option<Secret>,
    private_key_id: Option<String>,
    token_uri: Option<String>,
    project_id: Option<String>,
}

impl ServiceAccount {
    /// The account that a file names.
    ///
    /// # Errors
    /// Says what is wrong with the file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let read = read_key(path).and_then(|text| Self::parse(&text));
        read.map_err(|reason| format!("{}: {reason}", path.display()))
    }

    fn parse(text: &Secret) -> Result<Self, String> {
        // What cannot be read may be a part of the key, so the reason names its place alone.
        let file: KeyFile = serde_json::from_str(text.expose()).map_err(|error| {
            format!(
                "it is no key file of Google's (line {}, column {})",
                error.line(),
                error.column()
            )
        })?;
        if file.kind != "service_account" {
            let kind = printable::brief(&file.kind, 40);
            return Err(format!(
                "it is of the type `{kind}`, and a service account's key is wanted"
            ));
        }
        let (Some(email), Some(key)) = (file.client_email, file.private_key) else {
            return Err("it lacks client_email or private_key".to_owned());
        };
        let token_url = file.token_uri.as_deref().unwrap_or(TOKEN_URL).parse().ok();
        let Some(token_url) = token_url.filter(may_get_assertions) else {
            return Err("its token_uri is not at googleapis.com".to_owned());
        };
        let (key_id, project) = (file.private_key_id, file.project_id);
        let account = Self { email, key_id, key, token_url, project };
        account.pair().map(|_| account)
    }

    fn pair(&self) -> Result<KeyPair, String> {
        let der = PrivatePkcs8KeyDer::from_pem_slice(self.key.expose().as_bytes())
            .map_err(|_| "its private_key is no PEM text".to_owned())?;
        KeyPair::from_pkcs8(der.secret_pkcs8_der())
            .map_err(|error| format!("its private_key cannot sign: {error}"))
    }

    /// What asks for a token: who wants it for what, signed.
    fn assertion(&self, at: Timestamp) -> Result<Secret, String> {
        let now = at.0.div_euclid(1_000);
        let header = json!({"alg": "RS256", "typ": "JWT", "kid": self.key_id});
        let claims = json!({
            "iss": self.email, "scope": SCOPE, "aud": self.token_url.as_str(),
            "iat": now, "exp": now + GOOD_SECONDS,
        });
        let encode = |value: serde_json::Value| BASE64.encode(value.to_string());
        let message = format!("{}.{}", encode(header), encode(claims));
        let pair = self.pair()?;
        let mut signature = vec![0; pair.public().modulus_len()];
        pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message.as_bytes(), &mut signature)
            .map_err(|_| "the key cannot sign".to_owned())?;
        Ok(Secret::new(format!("{message}.{}", BASE64.encode(signature))))
    }

    pub(crate) fn token_url(&self) -> &Url {
        &self.token_url
    }

    pub(crate) fn secrets(&self) -> [&Secret; 1] {
        [&self.key]
    }
}

/// Whether assertions may be sent to an address. A key file that came from elsewhere may name any.
fn may_get_assertions(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => url.scheme() == "https" && name.ends_with(".googleapis.com"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// The address of Vertex AI for a project and a place.
pub(crate) fn vertex_url(project: &str, location: &str) -> Option<String> {
    // Both become parts of an address.
    let plain = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_lowercase())
            && text
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.:".contains(c))
    };
    let is_place = location.chars().all(|c| !".:".contains(c));
    if !(plain(project) && plain(location) && is_place) {
        return None;
    }
    let host = match location {
        "global" => "aiplatform.googleapis.com".to_owned(),
        region => format!("{region}-aiplatform.googleapis.com"),
    };
    Some(format!("https://{host}/v1/projects/{project}/locations/{location}/endpoints/openapi"))
}

/// The access token of an account, had once for as long as it is good.
#[derive(Debug, Default)]
pub(crate) struct TokenCache {
    held: Mutex<Option<Held>>,
    /// Held by whoever asks for one, so that no one else does.
    turn: tokio::sync::Mutex<()>,
}

/// What was shown to someone last: an assertion, or a token and until when it can be used.
#[derive(Debug)]
struct Held {
    shown: Secret,
    until: Option<Instant>,
}

/// What a token endpoint says.
#[derive(Deserialize)]
pub(crate) struct Granted {
    access_token: Secret,
    #[serde(default)]
    expires_in: u64,
}

impl TokenCache {
    /// The token, from `exchange` where none is held: the form of an assertion in, what the endpoint said out.
    pub(crate) async fn token<E>(
        &self,
        account: &ServiceAccount,
        at: Timestamp,
        unsigned: impl FnOnce(String) -> E,
        exchange: impl AsyncFnOnce(String) -> Result<Granted, E>,
    ) -> Result<Secret, E> {
        if let Some(token) = self.usable() {
            return Ok(token);
        }
        let _turn = self.turn.lock().await;
        if let Some(token) = self.usable() {
            return Ok(token);
        }
        let assertion = account.assertion(at).map_err(unsigned)?;
        let form = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", GRANT)
            .append_pair("assertion", assertion.expose())
            .finish();
        *self.lock() = Some(Held { shown: assertion, until: None });
        let granted = exchange(form).await?;
        let good = Duration::from_secs(granted.expires_in).min(HELD_MOST).saturating_sub(MARGIN);
        let until = Some(Instant::now() + good);
        *self.lock() = Some(Held { shown: granted.access_token.clone(), until });
        Ok(granted.access_token)
    }

    /// Has the next caller ask for a new one: the old one was refused.
    pub(crate) fn forget(&self) {
        if let Some(held) = &mut *self.lock() {
            held.until = None;
        }
    }

    /// What may come back in an error and must not be shown.
    pub(crate) fn shown(&self) -> Option<Secret> {
        self.lock().as_ref().map(|held| held.shown.clone())
    }

    fn usable(&self) -> Option<Secret> {
        let held = self.lock();
        let held =
            held.as_ref().filter(|held| held.until.is_some_and(|until| Instant::now() < until));
        held.map(|held| held.shown.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Option<Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use probity_testkit::google;

    use super::*;

    fn parse(change: impl Fn(&mut serde_json::Value)) -> Result<ServiceAccount, String> {
        let mut file = google::key_file(TOKEN_URL);
        change(&mut file);
        ServiceAccount::parse(&Secret::new(file.to_string()))
    }

    #[test]
    fn an_assertion_says_who_wants_a_token_for_how_long_and_is_signed() {
        let account = parse(|_| {}).unwrap();
        let at: Timestamp = "2026-11-15T10:00:00Z".parse().unwrap();
        let assertion = account.assertion(at).unwrap();
        let (header, claims) = google::signed(assertion.expose()).unwrap();
        assert_eq!(header, json!({"alg": "RS256", "typ": "JWT", "kid": google::KEY_ID}));
        assert_eq!(claims["iss"], google::EMAIL);
        assert_eq!(claims["aud"], TOKEN_URL);
        assert_eq!(claims["iat"], at.0 / 1_000);
        assert_eq!(claims["exp"], at.0 / 1_000 + 3_600);
        let forged = assertion.expose().replacen("eyJ", "eyK", 1);
        assert!(google::signed(&forged).is_none());
        assert!(!format!("{account:?}").contains("PRIVATE KEY"));
    }

    #[test]
    fn a_file_that_is_no_key_of_a_service_account_is_refused_without_being_quoted() {
        type Change = fn(&mut serde_json::Value);
        let wrong: [(Change, &str); 6] = [
            (|file| file["type"] = json!("authorized_user"), "of the type `authorized_user`"),
            (|file| file["client_email"] = json!(null), "lacks client_email"),
            (|file| file["private_key"] = json!("planted"), "no PEM text"),
            (|file| file["token_uri"] = json!("https://token.example/"), "not at googleapis.com"),
            (
                |file| file["token_uri"] = json!("http://oauth2.googleapis.com/"),
                "not at googleapis.com",
            ),
            (|file| file["type"] = json!(["planted"]), "no key file of Google's (line 1"),
        ];
        for (change, why) in wrong {
            let error = parse(change).unwrap_err();
            assert!(error.contains(why) && !error.contains("planted"), "{error}");
        }
        let cut = google::PEM.replace("MII", "MIJ");
        let error = parse(|file| file["private_key"] = json!(cut)).unwrap_err();
        assert!(error.starts_with("its private_key cannot sign"), "{error}");
        let evil = parse(|file| file["token_uri"] = json!("https://evilgoogleapis.com/token"));
        assert!(evil.is_err(), "a host that ends alike is another");
    }

    #[test]
    fn the_address_of_a_place_is_made_of_plain_letters_alone() {
        let url = vertex_url("ellery", "europe-west4").unwrap();
        assert_eq!(
            url,
            "https://europe-west4-aiplatform.googleapis.com/v1/projects/ellery/locations/europe-west4/endpoints/openapi"
        );
        assert!(vertex_url("ellery", "global").unwrap().starts_with("https://aiplatform.google"));
        assert!(vertex_url("example.com:ellery", "us-central1").is_some());
        for (project, place) in
            [("ellery", "evil.example/"), ("ellery", "a.b"), ("../x", "us"), ("", "us")]
        {
            assert_eq!(vertex_url(project, place), None, "{project} {place}");
        }
    }
}
