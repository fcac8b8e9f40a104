//! Where unwrapping may lead: public http(s) pages and nothing else.

use std::borrow::Cow;
use std::net::IpAddr;

use probity_core::{UrlError, WebUrl, address};

/// Top-level names that never lead onto the public internet.
const INSIDE: &[&str] = &[
    "corp",
    "home",
    "i2p",
    "internal",
    "intranet",
    "invalid",
    "lan",
    "local",
    "localdomain",
    "localhost",
    "onion",
    "private",
];

/// Parses an address as pages write it, perhaps without its scheme: `//host/path`.
pub(crate) fn parse(text: &str) -> Result<WebUrl, UrlError> {
    let text = text.trim();
    match text.strip_prefix("//") {
        // Written for any scheme; the web's default is the secure one.
        Some(rest) => WebUrl::parse(&format!("https://{rest}")),
        None => WebUrl::parse(text),
    }
}

/// Reads an address that a wrapper, a feed or a page holds.
///
/// # Errors
/// Why the address is never followed, in words.
pub(super) fn read(text: &str) -> Result<WebUrl, Cow<'static, str>> {
    let url = parse(text).map_err(|error| Cow::Owned(format!("its target is refused: {error}")))?;
    match closed(&url) {
        Some(why) => Err(why.into()),
        None => Ok(url),
    }
}

/// Why an address does not lead onto the public internet; none when it does.
pub(super) fn closed(url: &WebUrl) -> Option<&'static str> {
    if !url.has_ip_host() {
        return closed_name(url.host());
    }
    let ip = url.dns_host().trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    let is_public = ip.is_ok_and(address::is_public);
    (!is_public).then_some("the IP address is not on the public internet")
}

fn closed_name(host: &str) -> Option<&'static str> {
    let host = host.strip_suffix('.').unwrap_or(host);
    // `127.0.0.1..` is a name to a URL parser, and who knows what to a resolver.
    if host.split('.').any(str::is_empty) || host.parse::<IpAddr>().is_ok() {
        return Some("the host is not a name that can be looked up");
    }
    let Some((above, top)) = host.rsplit_once('.') else {
        return Some("the host is a single name, which only a local network knows");
    };
    let is_home = top == "arpa" && (above == "home" || above.ends_with(".home"));
    (INSIDE.contains(&top) || is_home).then_some("the host name belongs to a local network")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inside_is_refused_however_it_is_spelled() {
        for text in [
            "http://localhost/",
            "http://LOCALHOST.:8080/",
            "http://printer/",
            "http://printer.local/",
            "http://metadata.google.internal/computeMetadata/",
            "http://router.home.arpa/",
            "http://x.onion/",
            "http://127.0.0.1/",
            "http://127.1/",
            "http://2130706433/",
            "http://0x7f.0.0.1/",
            "http://0177.0.0.1/",
            "http://127.0.0.1./",
            "http://127.0.0.1../",
            "http://a..example.com/",
            "http://１２７.0.0.1/",
            "http://%31%32%37.0.0.1/",
            "http://0/",
            "http://10.1.2.3/",
            "http://172.16.0.1/",
            "http://192.168.1.1/",
            "http://169.254.169.254/latest/meta-data/",
            "http://100.64.0.1/",
            "http://[::1]/",
            "http://[::]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[::ffff:7f00:1]/",
            "http://[64:ff9b::a00:1]/",
            "http://[2002:7f00:1::1]/",
            "http://[fe80::1]/",
            "http://[fd00::1]/",
            "http://user:password@127.0.0.1/",
            "//127.0.0.1/",
            "ftp://a.example/",
            "javascript:alert(1)",
            "java\nscript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "/relative",
            "",
            "https://",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_outside_is_not() {
        for (text, expected) in [
            ("https://www.reuters.com/x", "https://www.reuters.com/x"),
            (" //www.reuters.com/x ", "https://www.reuters.com/x"),
            ("http://93.184.216.34/", "http://93.184.216.34/"),
            ("http://localhost.example.com/", "http://localhost.example.com/"),
            ("https://home.example/", "https://home.example/"),
            (
                "http://[2606:2800:220:1:248:1893:25c8:1946]/",
                "http://[2606:2800:220:1:248:1893:25c8:1946]/",
            ),
        ] {
            assert_eq!(read(text).map(|url| url.to_string()).as_deref(), Ok(expected));
        }
    }
}
