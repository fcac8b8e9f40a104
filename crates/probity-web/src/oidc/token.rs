//! ID tokens: who signed them, for whom, until when. Nothing of a token counts before all of it holds.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use probity_core::Timestamp;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::key::{Algorithm, KeySet};

/// The longest token that is read, in bytes.
const TOKEN_BYTES: usize = 64 * 1024;
/// How far apart two clocks may be, in milliseconds.
const LEEWAY: i64 = 60_000;
/// The longest id of an account at a provider, as the standard has it.
const SUBJECT_BYTES: usize = 255;

/// Why a token counts for nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// It is no signed token.
    #[error("it cannot be read")]
    Unreadable,
    /// Its signature is of a kind that proves nothing, or that was not asked for.
    #[error("it is signed in a way that is not accepted")]
    Algorithm,
    /// No key of the provider fits.
    #[error("no key of the provider fits its signature")]
    UnknownKey,
    /// Its signature is wrong.
    #[error("its signature is wrong")]
    Signature,
    /// Someone else gave it out.
    #[error("another provider gave it out")]
    Issuer,
    /// It is meant for someone else.
    #[error("it is meant for another program")]
    Audience,
    /// Its time is over, or has not come.
    #[error("its time is over, or has not come yet")]
    Time,
    /// It belongs to another log-in.
    #[error("it belongs to another log-in")]
    Nonce,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    crit: Option<Value>,
}

/// What a token has to say to count.
#[derive(Debug, Clone, Copy)]
pub(super) struct Expected<'a> {
    /// The provider, as it calls itself.
    pub(super) issuer: &'a str,
    /// This program's name at the provider.
    pub(super) client: &'a str,
    /// What the log-in was begun with.
    pub(super) nonce: &'a str,
    /// What the time is.
    pub(super) now: Timestamp,
}

/// What a token says of a person.
#[derive(Debug, Clone, PartialEq)]
pub struct Claims(Map<String, Value>);

impl Claims {
    /// Claims that are already verified.
    pub fn of(said: Map<String, Value>) -> Self {
        Self(said)
    }

    /// What it says under a name. A name that no claim has may be the way to one inside another, with
    /// dots between: `realm_access.roles`.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let direct = self.0.get(name);
        direct.or_else(|| {
            let (first, rest) = name.split_once('.')?;
            rest.split('.').try_fold(self.0.get(first)?, |value, part| value.get(part))
        })
    }

    /// The same with what someone else says too; what the token says stays.
    pub(super) fn with(mut self, mut more: Map<String, Value>) -> Self {
        // Whether an address is verified is said of that very address.
        match (self.0.get("email"), more.get("email")) {
            (None, _) => drop(self.0.remove("email_verified")),
            (Some(ours), theirs) if Some(ours) != theirs => drop(more.remove("email_verified")),
            _ => {}
        }
        for (name, value) in more {
            self.0.entry(name).or_insert(value);
        }
        self
    }

    /// The text under a name.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_str().map(str::trim).filter(|text| !text.is_empty())
    }

    /// The id of the account at the provider, which never changes.
    pub fn subject(&self) -> &str {
        self.get("sub").and_then(Value::as_str).unwrap_or_default()
    }

    /// The e-mail address, if the provider says that it is the person's own.
    pub fn verified_email(&self) -> Option<&str> {
        let verified = match self.get("email_verified") {
            Some(Value::Bool(verified)) => *verified,
            // Some providers write it as a text.
            Some(Value::String(verified)) => verified == "true",
            _ => false,
        };
        self.text("email").filter(|email| verified && email.contains('@'))
    }
}

/// Reads a token that was signed by one of these keys and is meant for this log-in.
///
/// # Errors
/// Says what does not hold.
pub(super) fn read(
    token: &str,
    keys: &KeySet,
    expected: &Expected<'_>,
) -> Result<Claims, TokenError> {
    if token.len() > TOKEN_BYTES {
        return Err(TokenError::Unreadable);
    }
    let (message, signature) = token.rsplit_once('.').ok_or(TokenError::Unreadable)?;
    let (head, body) = message.split_once('.').ok_or(TokenError::Unreadable)?;
    let header: Header = decoded(head)?;
    if header.crit.is_some() {
        return Err(TokenError::Algorithm);
    }
    let algorithm = Algorithm::of(&header.alg).ok_or(TokenError::Algorithm)?;
    let signature = BASE64.decode(signature).map_err(|_| TokenError::Unreadable)?;
    // Without a key id every key that fits is tried.
    let mut fitting = keys.fitting(&header.alg, header.kid.as_deref()).peekable();
    if fitting.peek().is_none() {
        return Err(TokenError::UnknownKey);
    }
    if !fitting.any(|key| key.verify(algorithm, message.as_bytes(), &signature)) {
        return Err(TokenError::Signature);
    }
    let claims = Claims(decoded(body)?);
    check(&claims, expected)?;
    Ok(claims)
}

fn decoded<T: DeserializeOwned>(part: &str) -> Result<T, TokenError> {
    let bytes = BASE64.decode(part).map_err(|_| TokenError::Unreadable)?;
    serde_json::from_slice(&bytes).map_err(|_| TokenError::Unreadable)
}

fn check(claims: &Claims, expected: &Expected<'_>) -> Result<(), TokenError> {
    let exact = |name: &str| claims.get(name).and_then(Value::as_str);
    if exact("iss") != Some(expected.issuer) {
        return Err(TokenError::Issuer);
    }
    let is_us = |value: &Value| value.as_str() == Some(expected.client);
    let several = match claims.get("aud") {
        Some(Value::Array(all)) if all.iter().any(is_us) => all.len() > 1,
        Some(one) if is_us(one) => false,
        _ => return Err(TokenError::Audience),
    };
    match claims.get("azp") {
        Some(party) if is_us(party) => {}
        None if !several => {}
        _ => return Err(TokenError::Audience),
    }
    let millis = |value: &Value| value.as_f64().map(|seconds| (seconds * 1_000.0) as i64);
    let instant = |name: &str| claims.get(name).and_then(millis).ok_or(TokenError::Time);
    let (issued, ends) = (instant("iat")?, instant("exp")?);
    let begins = match claims.get("nbf") {
        Some(_) => instant("nbf")?.max(issued),
        None => issued,
    };
    let now = expected.now.0;
    if ends.saturating_add(LEEWAY) <= now || begins > now.saturating_add(LEEWAY) {
        return Err(TokenError::Time);
    }
    if exact("nonce") != Some(expected.nonce) {
        return Err(TokenError::Nonce);
    }
    let subject = claims.subject();
    if subject.is_empty() || subject.len() > SUBJECT_BYTES {
        return Err(TokenError::Unreadable);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use probity_testkit::sign::Signer;
    use serde_json::json;

    use super::*;

    const NOW: Timestamp = Timestamp(1_794_744_000_000);

    fn keys(signer: &Signer) -> KeySet {
        serde_json::from_value(signer.keys()).unwrap()
    }

    fn expected() -> Expected<'static> {
        Expected { issuer: "https://id.example", client: "probity", nonce: "n-1", now: NOW }
    }

    fn claims() -> Value {
        let now = NOW.0 / 1_000;
        json!({ "iss": "https://id.example", "aud": "probity", "sub": "ada-1", "nonce": "n-1",
                "iat": now, "exp": now + 300, "email": "ada@example.org", "email_verified": true })
    }

    fn header() -> Value {
        json!({ "alg": "ES256", "kid": "one" })
    }

    #[test]
    fn a_token_that_holds_says_who_it_is() {
        let signer = Signer::ecdsa("one");
        let token = signer.sign(&header(), &claims());
        let read = read(&token, &keys(&signer), &expected()).unwrap();
        assert_eq!((read.subject(), read.verified_email()), ("ada-1", Some("ada@example.org")));
        let without = signer.sign(&json!({ "alg": "ES256" }), &claims());
        assert!(super::read(&without, &keys(&signer), &expected()).is_ok(), "no id needed");
        let signer = Signer::ed25519("two");
        let token = signer.sign(&json!({ "alg": "EdDSA", "kid": "two" }), &claims());
        assert!(super::read(&token, &keys(&signer), &expected()).is_ok(), "another kind of key");
    }

    #[test]
    fn rsa_signatures_of_another_maker_hold() {
        let set: KeySet = serde_json::from_str(include_str!("token/rsa-key.json")).unwrap();
        for token in [include_str!("token/rs256.jwt"), include_str!("token/ps256.jwt")] {
            let read = read(token.trim(), &set, &expected()).unwrap();
            assert_eq!(read.subject(), "ada-1");
            let changed = token.trim().replacen(".", ".e", 1);
            assert_eq!(super::read(&changed, &set, &expected()), Err(TokenError::Signature));
        }
    }

    #[test]
    fn claims_inside_others_are_found_and_never_replaced_by_more() {
        let said = json!({ "a.b": 1, "realm": { "roles": ["x"] }, "email": "ada@example.org" });
        let claims = Claims(said.as_object().unwrap().clone());
        assert_eq!(claims.get("realm.roles"), Some(&json!(["x"])));
        assert_eq!(claims.get("a.b"), Some(&json!(1)));
        assert_eq!(claims.get("realm.roles.x"), None);
        let more = json!({ "email": "eve@example.org", "email_verified": true, "groups": ["y"] });
        let claims = claims.with(more.as_object().unwrap().clone());
        assert_eq!(claims.text("email"), Some("ada@example.org"));
        assert_eq!(claims.verified_email(), None, "another address is verified");
        let bare = json!({ "email_verified": true });
        let more = json!({ "email": "eve@example.org", "email_verified": false });
        let bare = Claims(bare.as_object().unwrap().clone());
        assert_eq!(bare.with(more.as_object().unwrap().clone()).verified_email(), None);
        assert_eq!(claims.get("groups"), Some(&json!(["y"])));
    }

    #[test]
    fn claims_that_do_not_hold_are_refused_one_by_one() {
        let signer = Signer::ecdsa("one");
        let now = NOW.0 / 1_000;
        for (name, value, error) in [
            ("iss", json!("https://other.example"), TokenError::Issuer),
            ("iss", json!("https://id.example/"), TokenError::Issuer),
            ("iss", Value::Null, TokenError::Issuer),
            ("aud", json!("another"), TokenError::Audience),
            ("aud", json!(["another"]), TokenError::Audience),
            ("aud", json!(["probity", "another"]), TokenError::Audience),
            ("azp", json!("another"), TokenError::Audience),
            ("exp", json!(now - 61), TokenError::Time),
            ("exp", Value::Null, TokenError::Time),
            ("exp", json!("soon"), TokenError::Time),
            ("iat", json!(now + 3_600), TokenError::Time),
            ("iat", Value::Null, TokenError::Time),
            ("nbf", json!(now + 3_600), TokenError::Time),
            ("nbf", json!("now"), TokenError::Time),
            ("nonce", json!("n-2"), TokenError::Nonce),
            ("nonce", Value::Null, TokenError::Nonce),
            ("sub", json!(""), TokenError::Unreadable),
            ("sub", json!("x".repeat(256)), TokenError::Unreadable),
        ] {
            let mut claims = claims();
            claims[name] = value.clone();
            let token = signer.sign(&header(), &claims);
            assert_eq!(read(&token, &keys(&signer), &expected()), Err(error), "{name} {value}");
        }
        let mut several = claims();
        several["aud"] = json!(["another", "probity"]);
        several["azp"] = json!("probity");
        assert!(read(&signer.sign(&header(), &several), &keys(&signer), &expected()).is_ok());
    }

    #[test]
    fn signatures_that_prove_nothing_are_refused() {
        let (signer, other) = (Signer::ecdsa("one"), Signer::ecdsa("one"));
        let try_token = |token: &str| read(token, &keys(&signer), &expected()).unwrap_err();
        // The public key as a shared secret is the classic.
        let forged = signer.forge_with_public_key(&claims());
        assert_eq!(try_token(&forged), TokenError::Algorithm);
        for alg in ["none", "None", "HS256", "RS1", ""] {
            let token = signer.sign(&json!({ "alg": alg, "kid": "one" }), &claims());
            assert_eq!(try_token(&token), TokenError::Algorithm, "{alg}");
            let bare = token.rsplit_once('.').unwrap().0.to_owned() + ".";
            assert_eq!(try_token(&bare), TokenError::Algorithm, "{alg} without a signature");
        }
        let token = signer.sign(&json!({ "alg": "ES256", "kid": "two" }), &claims());
        assert_eq!(try_token(&token), TokenError::UnknownKey);
        let token = signer.sign(&json!({ "alg": "RS256", "kid": "one" }), &claims());
        assert_eq!(try_token(&token), TokenError::UnknownKey, "a key counts for its own kind only");
        assert_eq!(try_token(&other.sign(&header(), &claims())), TokenError::Signature);
        let token = signer.sign(&header(), &claims());
        let mut changed = claims();
        changed["sub"] = json!("root");
        let parts: Vec<&str> = token.split('.').collect();
        let body = BASE64.encode(changed.to_string());
        assert_eq!(try_token(&format!("{}.{body}.{}", parts[0], parts[2])), TokenError::Signature);
        assert_eq!(try_token(&format!("{}.{}.", parts[0], parts[1])), TokenError::Signature);
        let critical = json!({ "alg": "ES256", "kid": "one", "crit": ["b64"] });
        assert_eq!(try_token(&signer.sign(&critical, &claims())), TokenError::Algorithm);
        for wrong in ["", ".", "..", "a.b.c", token.split_at(20).0, &"x".repeat(TOKEN_BYTES + 1)] {
            assert_eq!(try_token(wrong), TokenError::Unreadable, "{wrong:.30}");
        }
    }

    #[test]
    fn an_address_counts_only_where_the_provider_vouches_for_it() {
        let mut said = claims();
        for (verified, counts) in [
            (json!(true), true),
            (json!("true"), true),
            (json!(false), false),
            (json!("false"), false),
            (json!(1), false),
            (Value::Null, false),
        ] {
            said["email_verified"] = verified.clone();
            let claims = Claims(said.as_object().unwrap().clone());
            assert_eq!(claims.verified_email().is_some(), counts, "{verified}");
        }
    }
}
