//! Requests signed as Amazon asks (Signature Version 4): the secret signs, and is never sent.

use hmac::{Hmac, KeyInit as _, Mac as _};
use probity_core::{Secret, Timestamp, hex};
use sha2::{Digest as _, Sha256};
use url::Url;

/// What Bedrock is called where requests are signed.
const SERVICE: &str = "bedrock";
/// The way of signing.
const ALGORITHM: &str = "AWS4-HMAC-SHA256";

/// Keys of an account of Amazon's.
#[derive(Debug, Clone, PartialEq)]
pub struct AwsKeys {
    /// The name of the key.
    pub id: String,
    /// The key.
    pub secret: Secret,
    /// What belongs to a key that is good for a while only.
    pub session: Option<Secret>,
    /// Where the models are.
    pub region: String,
}

/// What is signed, beside the body.
struct Signed<'a> {
    service: &'a str,
    path: &'a str,
    /// The headers that are signed, by their names in small letters, in order.
    headers: &'a [(&'a str, &'a str)],
    /// The time, as Amazon writes it.
    at: &'a str,
}

impl AwsKeys {
    /// The headers of a posted JSON text that say who asks.
    pub(crate) fn sign(
        &self,
        url: &Url,
        body: &[u8],
        at: Timestamp,
    ) -> Vec<(&'static str, String)> {
        let at: String = at.to_string().chars().filter(|c| !matches!(c, '-' | ':')).collect();
        let host = match (url.host_str().unwrap_or_default(), url.port()) {
            (host, Some(port)) => format!("{host}:{port}"),
            (host, None) => host.to_owned(),
        };
        let session = self.session.as_ref().map(|session| session.expose().to_owned());
        let mut headers = vec![
            ("content-type", "application/json"),
            ("host", host.as_str()),
            ("x-amz-date", at.as_str()),
        ];
        headers.extend(session.as_deref().map(|token| ("x-amz-security-token", token)));
        let path = encoded(url.path());
        let signed = Signed { service: SERVICE, path: &path, headers: &headers, at: &at };
        let mut shown = vec![("authorization", self.authorization(&signed, body))];
        shown.push(("x-amz-date", at.clone()));
        shown.extend(session.map(|token| ("x-amz-security-token", token)));
        shown
    }

    fn authorization(&self, signed: &Signed<'_>, body: &[u8]) -> String {
        let names = names(signed.headers);
        format!(
            "{ALGORITHM} Credential={}/{}, SignedHeaders={names}, Signature={}",
            self.id,
            self.scope(signed),
            self.signature(signed, body)
        )
    }

    /// The day, place and service that a signature is good for.
    fn scope(&self, signed: &Signed<'_>) -> String {
        format!("{}/{}/{}/aws4_request", day(signed.at), self.region, signed.service)
    }

    fn signature(&self, signed: &Signed<'_>, body: &[u8]) -> String {
        let lines: String = signed
            .headers
            .iter()
            .map(|(name, value)| format!("{name}:{}\n", value.trim()))
            .collect();
        let request = format!(
            "POST\n{}\n\n{lines}\n{}\n{}",
            signed.path,
            names(signed.headers),
            hex(&Sha256::digest(body))
        );
        let to_sign = format!(
            "{ALGORITHM}\n{}\n{}\n{}",
            signed.at,
            self.scope(signed),
            hex(&Sha256::digest(request.as_bytes()))
        );
        let first = format!("AWS4{}", self.secret.expose());
        let parts = [day(signed.at), &self.region, signed.service, "aws4_request", &to_sign];
        let made = parts.iter().fold(first.into_bytes(), |key, part| keyed(&key, part.as_bytes()));
        hex(&made)
    }
}

fn day(at: &str) -> &str {
    at.split('T').next().unwrap_or(at)
}

fn names(headers: &[(&str, &str)]) -> String {
    headers.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(";")
}

/// A path with everything escaped that is no letter, digit or plain sign; what was escaped is escaped again, as
/// Amazon wants it.
fn encoded(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => {
                text.push(char::from(byte));
            }
            other => text.push_str(&format!("%{other:02X}")),
        }
    }
    text
}

fn keyed(key: &[u8], text: &[u8]) -> Vec<u8> {
    // A key of any length is taken, so this cannot fail; what nothing was signed with is refused.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return Vec::new() };
    mac.update(text);
    mac.finalize().into_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> AwsKeys {
        AwsKeys {
            id: "AKIDEXAMPLE".to_owned(),
            secret: Secret::new("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
            session: None,
            region: "us-east-1".to_owned(),
        }
    }

    /// Two of the examples that Amazon publishes for whoever signs.
    #[test]
    fn requests_are_signed_as_amazon_signs_its_examples() {
        let at = "20150830T123600Z";
        let host = [("host", "example.amazonaws.com"), ("x-amz-date", at)];
        let signed = Signed { service: "service", path: "/", headers: &host, at };
        assert_eq!(
            keys().signature(&signed, b""),
            "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"
        );
        let form = ("content-type", "application/x-www-form-urlencoded");
        let headers = [&[form][..], &host[..]].concat();
        let signed = Signed { headers: &headers, ..signed };
        assert_eq!(
            keys().signature(&signed, b"Param1=value1"),
            "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"
        );
    }

    #[test]
    fn a_signature_is_of_one_path_body_and_second_and_shows_no_secret() {
        let at: Timestamp = "2026-11-15T10:00:00Z".parse().unwrap();
        let sign = |keys: &AwsKeys, url: &str, body: &[u8], at: Timestamp| {
            keys.sign(&url.parse().unwrap(), body, at)
        };
        let url = "https://bedrock-runtime.us-east-1.amazonaws.com/model/a.b-v1%3A0/converse";
        let one = sign(&keys(), url, b"{}", at);
        assert_eq!(one[1], ("x-amz-date", "20261115T100000Z".to_owned()));
        assert!(
            one[0].1.contains("Credential=AKIDEXAMPLE/20261115/us-east-1/bedrock/aws4_request")
        );
        assert!(one[0].1.contains("SignedHeaders=content-type;host;x-amz-date,"), "{}", one[0].1);
        let later = Timestamp(at.0 + 1_000);
        let others = [
            sign(&keys(), url, b"{ }", at),
            sign(&keys(), url, b"{}", later),
            sign(&keys(), &url.replace("v1", "v2"), b"{}", at),
            sign(&AwsKeys { session: Some(Secret::new("passing")), ..keys() }, url, b"{}", at),
        ];
        assert!(others.iter().all(|other| other[0] != one[0]));
        assert_eq!(others[3][2], ("x-amz-security-token", "passing".to_owned()));
        assert!(!format!("{one:?}{:?}", keys()).contains("wJalr"));
    }

    #[test]
    fn a_path_that_is_escaped_is_escaped_again() {
        assert_eq!(encoded("/model/a.b-v1%3A0/converse"), "/model/a.b-v1%253A0/converse");
    }
}
