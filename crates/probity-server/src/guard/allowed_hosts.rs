//! The names under which the server may be called. A page elsewhere that makes a browser call it
//! under another name (DNS rebinding), or from another page, is turned away.

use std::net::SocketAddr;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, HeaderValue, Uri, header};
use url::Url;

use crate::problem::Problem;
use crate::routes;
use crate::state::Server;

/// The names under which a server may be called, and the origins of its own pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doors {
    hosts: Vec<String>,
    origins: Vec<String>,
    /// Where in `origins` the address is that people are sent back to.
    home: usize,
    secure: bool,
}

/// A public address that is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a public address (expected something like https://probity.example.org)")]
pub struct NotAnAddress(pub String);

impl Doors {
    /// The doors of a server that listens here: this address, and `localhost` where it is that.
    pub fn at(address: SocketAddr) -> Self {
        let port = address.port();
        let mut hosts = vec![address.to_string()];
        if address.ip().is_loopback() {
            hosts.extend(["localhost", "127.0.0.1", "[::1]"].map(|name| format!("{name}:{port}")));
        }
        if port == 80 {
            let bare: Vec<String> = hosts
                .iter()
                .filter_map(|host| host.strip_suffix(":80").map(str::to_owned))
                .collect();
            hosts.extend(bare);
        }
        let origins = hosts.iter().map(|host| format!("http://{host}")).collect();
        Self { hosts, origins, home: 0, secure: false }
    }

    /// One more door: the address by which people reach it through a proxy.
    ///
    /// # Errors
    /// When it is no address of a site.
    pub fn with_public(mut self, address: &str) -> Result<Self, NotAnAddress> {
        let refuse = || NotAnAddress(address.chars().take(80).collect());
        let url = Url::parse(address).map_err(|_| refuse())?;
        let host = url.host_str().ok_or_else(refuse)?;
        let is_site = matches!(url.scheme(), "http" | "https")
            && url.path() == "/"
            && url.query().is_none()
            && url.username().is_empty();
        if !is_site {
            return Err(refuse());
        }
        let host = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        if self.home == 0 {
            self.home = self.origins.len();
        }
        self.origins.push(format!("{}://{host}", url.scheme()));
        self.secure = self.secure || url.scheme() == "https";
        self.hosts.push(host);
        Ok(self)
    }

    /// Whether people reach it over TLS, so that cookies may say so.
    pub(crate) fn is_secure(&self) -> bool {
        self.secure
    }

    /// The address of this site for those who are sent away and come back: the first public one, or
    /// where it listens. No caller has a say in it.
    pub(crate) fn home(&self) -> &str {
        self.origins.get(self.home).map_or("", String::as_str)
    }

    /// The address of this site as its caller knows it, for links in documents that leave it.
    pub(crate) fn origin(&self, headers: &HeaderMap) -> String {
        let host = headers.get(header::HOST).and_then(|value| value.to_str().ok());
        let host = host.unwrap_or_default();
        let is_same = |origin: &&String| {
            origin.split_once("//").is_some_and(|(_, known)| known.eq_ignore_ascii_case(host))
        };
        // A proxy may pass another name on; the public one was named last.
        let known = self.origins.iter().find(is_same).or_else(|| self.origins.last());
        known.cloned().unwrap_or_default()
    }

    fn check(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), Problem> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|value| value.to_str().ok());
        let host = host.or_else(|| uri.authority().map(|authority| authority.as_str()));
        let knows = |host: &str| self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host));
        if hosts.next().is_some() || !host.is_some_and(knows) {
            return Err(Problem::forbidden(
                "the server is not called by this name; `probity serve --public-url` adds one",
            ));
        }
        let Some(origin) = headers.get(header::ORIGIN) else {
            return check_site(headers, uri.path());
        };
        // Pages that send no referrer have their forms sent without an origin: then the browser says
        // whose they are. One that does not is known by the key that every form of ours carries.
        if origin == "null" {
            let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
            let is_ours = match site {
                Some(site) => site == b"same-origin",
                None => !uri.path().starts_with("/api/"),
            };
            if is_ours {
                return Ok(());
            }
        }
        let known = origin.to_str().is_ok_and(|origin| {
            self.origins.iter().any(|known| known.eq_ignore_ascii_case(origin))
        });
        if known {
            return Ok(());
        }
        Err(Problem::forbidden("a page of another site may not call this server"))
    }
}

/// Browsers that send no origin say at least whether another site made them ask.
fn check_site(headers: &HeaderMap, path: &str) -> Result<(), Problem> {
    let said = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let foreign = matches!(said("sec-fetch-site"), Some("cross-site" | "same-site"));
    // Following a link from another site is reading, and no part of that site sees what comes.
    let dest = said("sec-fetch-dest");
    let followed = said("sec-fetch-mode") == Some("navigate")
        && (dest == Some("document") || dest == Some("iframe") && routes::is_framed(path));
    if foreign && !followed {
        return Err(Problem::forbidden("a page of another site may not call this server"));
    }
    Ok(())
}

/// Turns away what is called by another name or from another site.
pub(crate) async fn check_doors(
    State(server): State<Server>,
    request: Request,
    next: Next,
) -> Response {
    match server.doors.check(request.headers(), request.uri()) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(pairs: &[(&'static str, &str)]) -> bool {
        let doors = Doors::at("127.0.0.1:8642".parse().unwrap());
        let doors = doors.with_public("https://probity.example.org").unwrap();
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_str(value).unwrap());
        }
        doors.check(&headers, &Uri::from_static("/")).is_ok()
    }

    #[test]
    fn only_its_own_names_are_answered() {
        for host in ["127.0.0.1:8642", "localhost:8642", "LOCALHOST:8642", "probity.example.org"] {
            assert!(asked(&[("host", host)]), "{host}");
        }
        for host in ["", "localhost", "evil.example:8642", "127.0.0.1:80", "localhost:8642.evil"] {
            assert!(!asked(&[("host", host)]), "{host}");
        }
        assert!(!asked(&[]));
        assert!(!asked(&[("host", "localhost:8642"), ("host", "evil.example")]));
    }

    #[test]
    fn other_sites_are_turned_away() {
        let host = ("host", "localhost:8642");
        assert!(asked(&[host, ("origin", "http://localhost:8642")]));
        assert!(asked(&[host, ("origin", "https://probity.example.org")]));
        for origin in ["http://evil.example", "http://localhost:8643", "https://localhost:8642"] {
            assert!(!asked(&[host, ("origin", origin)]), "{origin}");
        }
        assert!(!asked(&[host, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")]));
        let followed = [
            host,
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
            ("sec-fetch-dest", "document"),
        ];
        assert!(asked(&followed));
    }

    #[test]
    fn a_form_without_an_origin_is_ours_if_the_browser_says_so() {
        let (host, hidden) = (("host", "localhost:8642"), ("origin", "null"));
        assert!(asked(&[host, hidden, ("sec-fetch-site", "same-origin")]));
        assert!(!asked(&[host, hidden, ("sec-fetch-site", "cross-site")]));
        let doors = Doors::at("127.0.0.1:8642".parse().unwrap());
        let mut headers = HeaderMap::new();
        headers.append("host", HeaderValue::from_static("localhost:8642"));
        headers.append("origin", HeaderValue::from_static("null"));
        assert!(doors.check(&headers, &Uri::from_static("/ask")).is_ok(), "its key is checked");
        assert!(doors.check(&headers, &Uri::from_static("/api/research")).is_err());
    }

    #[test]
    fn people_come_back_to_the_first_public_address() {
        let doors = Doors::at("127.0.0.1:8642".parse().unwrap());
        assert_eq!(doors.home(), "http://127.0.0.1:8642");
        let doors = doors.with_public("https://probity.example.org").unwrap();
        let doors = doors.with_public("https://other.example.org").unwrap();
        assert_eq!(doors.home(), "https://probity.example.org");
    }

    #[test]
    fn a_public_address_is_a_site() {
        let doors = Doors::at("0.0.0.0:80".parse().unwrap());
        for address in
            ["probity.example", "ftp://a.example", "https://a.example/x", "https://u@a.example"]
        {
            assert!(doors.clone().with_public(address).is_err(), "{address}");
        }
    }
}
