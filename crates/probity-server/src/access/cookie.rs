//! The cookies: who is logged in, and who is on the way through a provider.

use http::{HeaderMap, HeaderValue, header};

use crate::limits;

/// The cookie's name. The prefix makes browsers keep it to this host, and to TLS.
const NAMES: [&str; 2] = ["probity", "__Host-probity"];

fn name(secure: bool) -> &'static str {
    let [plain, guarded] = NAMES;
    if secure { guarded } else { plain }
}

/// The names of the cookie that a browser keeps while it logs in elsewhere.
const SIGN_ON: [&str; 2] = ["probity-sign-on", "__Host-probity-sign-on"];

/// The session that a request's cookie names.
pub(crate) fn session(headers: &HeaderMap, secure: bool) -> Option<String> {
    value_of(headers, name(secure))
}

fn sign_on_name(secure: bool) -> &'static str {
    let [plain, guarded] = SIGN_ON;
    if secure { guarded } else { plain }
}

/// What a browser keeps while it logs in elsewhere.
pub(crate) fn sign_on(headers: &HeaderMap, secure: bool) -> Option<String> {
    value_of(headers, sign_on_name(secure))
}

/// The header that has a browser keep something while it logs in elsewhere.
pub(crate) fn give_sign_on(value: &str, secure: bool) -> Option<HeaderValue> {
    sign_on_header(value, limits::SIGN_ON_LIFE.as_secs(), secure)
}

/// The header that has it forgotten.
pub(crate) fn take_sign_on(secure: bool) -> Option<HeaderValue> {
    sign_on_header("", 0, secure)
}

/// The cookie has to come along when the provider sends the browser back, so it cannot be strict.
fn sign_on_header(value: &str, age: u64, secure: bool) -> Option<HeaderValue> {
    let name = sign_on_name(secure);
    let guard = if secure { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{guard}");
    HeaderValue::from_str(&text).ok()
}

fn value_of(headers: &HeaderMap, name: &str) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut values = cookies
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(key, _)| *key == name)
        .map(|(_, value)| value.to_owned());
    values.next().filter(|value| !value.is_empty() && value.len() <= 200)
}

/// The header that gives a browser its session.
pub(crate) fn give(session: &str, secure: bool) -> Option<HeaderValue> {
    let (name, age) = (name(secure), limits::SESSION_LIFE.as_secs());
    let guard = if secure { "; Secure" } else { "" };
    let text = format!("{name}={session}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{guard}");
    HeaderValue::from_str(&text).ok()
}

/// The header that takes it away.
pub(crate) fn take(secure: bool) -> Option<HeaderValue> {
    let name = name(secure);
    let guard = if secure { "; Secure" } else { "" };
    let text = format!("{name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict{guard}");
    HeaderValue::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_comes_back() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("a=b; probity=xyz; c=d"));
        assert_eq!(session(&headers, false).as_deref(), Some("xyz"));
        assert_eq!(session(&headers, true), None);
        let given = give("xyz", true).unwrap();
        let given = given.to_str().unwrap();
        for part in ["__Host-probity=xyz", "Secure", "HttpOnly", "SameSite=Strict", "Path=/"] {
            assert!(given.contains(part), "{part} is not in {given}");
        }
    }
}
