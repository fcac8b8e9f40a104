//! The one cookie: who is logged in.

use http::{HeaderMap, HeaderValue, header};

use crate::limits;

/// The cookie's name. The prefix makes browsers keep it to this host, and to TLS.
const NAMES: [&str; 2] = ["probity", "__Host-probity"];

fn name(secure: bool) -> &'static str {
    let [plain, guarded] = NAMES;
    if secure { guarded } else { plain }
}

/// The session that a request's cookie names.
pub(crate) fn session(headers: &HeaderMap, secure: bool) -> Option<String> {
    let name = name(secure);
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
