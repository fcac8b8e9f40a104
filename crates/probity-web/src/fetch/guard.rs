//! May this address be asked at all? Scheme, literal host and port are judged here; the
//! addresses of names are judged when they are looked up (see [`super::resolve`]).

use std::collections::HashSet;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use std::sync::Arc;

use probity_core::WebUrl;
use probity_core::address::is_public;
use serde::{Deserialize, Serialize};

/// Ports that browsers refuse too, because what listens there is no web server and might take a
/// request for something else; and the usual ports of databases.
const CLOSED_PORTS: &[u16] = &[
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101,
    102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 138, 139, 143, 161, 179, 389,
    427, 445, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636,
    873, 989, 990, 993, 995, 1433, 1521, 1719, 1720, 1723, 2049, 2375, 3306, 3389, 3659, 4045,
    4190, 5060, 5061, 5432, 5900, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
    10080, 11211, 27017,
];

/// A host and port that the user opened: exactly this one, private or not.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AllowedHost {
    host: String,
    port: u16,
}

impl AllowedHost {
    /// Opens a host, written as in a URL, at one port.
    ///
    /// # Errors
    /// When the host is no host name or IP address, or the port is 0.
    pub fn new(host: &str, port: u16) -> Result<Self, AllowedHostError> {
        let refuse = || AllowedHostError(format!("{host}:{port}").chars().take(80).collect());
        let parsed = url::Host::parse(host).map_err(|_| refuse())?;
        let host = parsed.to_string().trim_end_matches('.').to_owned();
        if host.is_empty() || port == 0 {
            return Err(refuse());
        }
        Ok(Self { host, port })
    }

    /// The host: a lower-case name or an IP address, IPv6 in brackets.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }
}

/// Why a text opens no host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not HOST:PORT (expected something like intranet.example:8080 or [::1]:8080)")]
pub struct AllowedHostError(String);

impl FromStr for AllowedHost {
    type Err = AllowedHostError;

    fn from_str(text: &str) -> Result<Self, AllowedHostError> {
        let refuse = || AllowedHostError(text.chars().take(80).collect());
        let (host, port) = text.trim().rsplit_once(':').ok_or_else(refuse)?;
        // `+80` is a number to Rust, and no port to anyone else.
        let port = port.bytes().all(|b| b.is_ascii_digit()).then_some(port).ok_or_else(refuse)?;
        Self::new(host, port.parse().map_err(|_| refuse())?).map_err(|_| refuse())
    }
}

impl fmt::Display for AllowedHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

impl Serialize for AllowedHost {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for AllowedHost {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The way to a host: checked like any, or opened by the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Door {
    /// Public addresses only.
    Public,
    /// The user allowed this very host and port.
    Allowed,
}

/// Judges addresses before anything is sent.
#[derive(Debug, Clone, Default)]
pub(crate) struct Guard {
    allowed: HashSet<AllowedHost>,
}

impl Guard {
    pub(crate) fn new(allowed: &[AllowedHost]) -> Self {
        Self { allowed: allowed.iter().cloned().collect() }
    }

    /// The names that the user opened at one port or another.
    pub(crate) fn allowed_names(&self) -> Arc<HashSet<String>> {
        Arc::new(self.allowed.iter().map(|allowed| allowed.host.clone()).collect())
    }

    /// The door to a host and port that are no web page's.
    pub(crate) fn door(&self, host: &str, port: u16) -> Door {
        match AllowedHost::new(host, port).is_ok_and(|wanted| self.allowed.contains(&wanted)) {
            true => Door::Allowed,
            false => Door::Public,
        }
    }

    /// The door to an address, or why there is none.
    pub(crate) fn check(&self, url: &WebUrl) -> Result<Door, String> {
        let port = url.as_url().port_or_known_default().unwrap_or_default();
        let wanted = AllowedHost { host: url.dns_host().to_owned(), port };
        if self.allowed.contains(&wanted) {
            return Ok(Door::Allowed);
        }
        if let Some(address) = literal(url)
            && !is_public(address)
        {
            return Err(format!("{address} is not a public address{}", how_to_open(&wanted)));
        }
        if CLOSED_PORTS.contains(&port) {
            return Err(format!("port {port} is not a port for web pages"));
        }
        Ok(Door::Public)
    }
}

/// How the owner of a private host opens it, permanently.
pub(crate) fn how_to_open(wanted: &impl std::fmt::Display) -> String {
    format!(
        " (if it is yours, --allow-host {wanted} opens it for one call, and `allow_hosts` below [fetch] in \
         the configuration for good)"
    )
}

/// The IP address in place of a name, in any spelling.
fn literal(url: &WebUrl) -> Option<IpAddr> {
    match url.as_url().host()? {
        url::Host::Ipv4(address) => Some(IpAddr::V4(address)),
        url::Host::Ipv6(address) => Some(IpAddr::V6(address)),
        // The parser leaves no address in a domain; if it ever did, it must not pass as a name.
        url::Host::Domain(name) => name.trim_end_matches('.').parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn door(guard: &Guard, text: &str) -> Result<Door, String> {
        guard.check(&WebUrl::parse(text).unwrap())
    }

    #[test]
    fn private_addresses_are_refused_in_every_spelling() {
        let guard = Guard::default();
        for text in [
            "http://127.0.0.1/",
            "http://127.1/",
            "http://127.0.1/",
            "http://2130706433/",
            "http://0x7f000001/",
            "http://0x7f.0x0.0x0.0x1/",
            "http://0177.0.0.01/",
            "http://017700000001/",
            "http://127.0.0.1./",
            "http://1.1.1.1@127.0.0.1/",
            "http://%31%32%37.0.0.1/",
            "http://１２７.0.0.1/",
            "http://127。0。0。1/",
            "http://[::1]/",
            "http://[0:0:0:0:0:0:0:1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[::ffff:7f00:1]/",
            "http://[::127.0.0.1]/",
            "http://[64:ff9b::7f00:1]/",
            "http://[2002:7f00:1::]/",
            "http://0/",
            "http://10.0.0.1/",
            "http://192.168.1.1/",
            "http://172.16.0.1/",
            "http://169.254.169.254/latest/meta-data/",
            "http://100.64.0.1/",
            "http://[fe80::1]/",
            "http://[fc00::1]/",
            "https://255.255.255.255/",
        ] {
            assert!(door(&guard, text).is_err(), "{text}");
        }
    }

    #[test]
    fn public_hosts_pass_and_names_are_left_to_the_resolver() {
        let guard = Guard::default();
        for text in [
            "https://example.org/",
            "http://1.1.1.1/",
            "https://[2606:4700::1111]:8443/",
            "http://localhost/",
        ] {
            assert_eq!(door(&guard, text), Ok(Door::Public), "{text}");
        }
    }

    #[test]
    fn ports_of_other_services_are_closed() {
        for port in [21, 22, 25, 53, 110, 6379, 5432] {
            assert!(door(&Guard::default(), &format!("http://example.org:{port}/")).is_err());
        }
        for port in [80, 443, 8000, 8080, 3000] {
            assert!(door(&Guard::default(), &format!("http://example.org:{port}/")).is_ok());
        }
    }

    #[test]
    fn an_allowed_host_opens_exactly_that_host_and_port() {
        let guard =
            Guard::new(&["127.0.0.1:8080".parse().unwrap(), "Intra.Example:25".parse().unwrap()]);
        assert_eq!(door(&guard, "http://127.0.0.1:8080/x"), Ok(Door::Allowed));
        assert_eq!(door(&guard, "http://2130706433:8080/x"), Ok(Door::Allowed));
        assert_eq!(door(&guard, "http://intra.example.:25/"), Ok(Door::Allowed));
        assert_eq!(door(&guard, "http://intra.example/"), Ok(Door::Public));
        assert_eq!(door(&guard, "http://sub.intra.example:2500/"), Ok(Door::Public));
        for text in [
            "http://127.0.0.1/",
            "http://127.0.0.1:8081/",
            "http://127.0.0.2:8080/",
            "http://[::1]:8080/",
            "http://[::ffff:127.0.0.1]:8080/",
            "http://sub.intra.example:25/",
        ] {
            assert!(door(&guard, text).is_err(), "{text}");
        }
    }

    #[test]
    fn allowed_hosts_print_as_they_parse() {
        for (given, expected) in [
            ("127.0.0.1:80", "127.0.0.1:80"),
            ("[::1]:8080", "[::1]:8080"),
            ("LocalHost.:81", "localhost:81"),
            ("0x7f.1:82", "127.0.0.1:82"),
        ] {
            assert_eq!(given.parse::<AllowedHost>().unwrap().to_string(), expected);
        }
        for wrong in [
            "",
            "host",
            "host:",
            ":80",
            "host:0",
            "host:+80",
            "host:99999",
            "a b:80",
            "http://h:80",
            "::1:80",
        ] {
            assert!(wrong.parse::<AllowedHost>().is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn no_spelling_of_a_private_address_passes(bytes in any::<[u8; 4]>(), private in 0..4usize) {
            let [_, b, c, d] = bytes;
            let (a, b) = [(127, b), (10, b), (192, 168), (169, 254)][private];
            let (b, c, d) = (u32::from(b), u32::from(c), u32::from(d));
            let whole = (u32::from(a as u8) << 24) | (b << 16) | (c << 8) | d;
            for host in [
                format!("{a}.{b}.{c}.{d}"),
                format!("{whole}"),
                format!("0x{whole:x}"),
                format!("0{whole:o}"),
                format!("{a}.{b}.{}", (c << 8) | d),
                format!("{a}.{}", (b << 16) | (c << 8) | d),
                format!("0x{a:x}.0{b:o}.{c}.{d}."),
                format!("[::ffff:{a}.{b}.{c}.{d}]"),
                format!("[64:ff9b::{:x}:{:x}]", whole >> 16, whole & 0xffff),
            ] {
                let url = WebUrl::parse(&format!("http://user:pass@{host}/")).unwrap();
                prop_assert!(Guard::default().check(&url).is_err(), "{}", host);
            }
        }
    }
}
