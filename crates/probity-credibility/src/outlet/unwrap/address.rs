//! The parts of an address by which services are recognised.

use probity_core::WebUrl;

use super::decode::percent_decode;
use crate::outlet::registrable_domain;

/// An address on a registered domain, taken apart.
pub(super) struct Address<'a> {
    url: &'a WebUrl,
    host: &'a str,
    registrable: &'a str,
}

impl<'a> Address<'a> {
    /// None for addresses that no listed service can have: IP addresses and bare suffixes.
    pub(super) fn of(url: &'a WebUrl) -> Option<Self> {
        let host = url.dns_host();
        Some(Self { url, host, registrable: registrable_domain(host)? })
    }

    pub(super) fn host(&self) -> &'a str {
        self.host
    }

    pub(super) fn registrable(&self) -> &'a str {
        self.registrable
    }

    /// Whether the host is this name or lies under it.
    pub(super) fn is_under(&self, name: &str) -> bool {
        is_under(self.host, name)
    }

    /// The first label of the host.
    pub(super) fn first_label(&self) -> &'a str {
        self.host.split('.').next().unwrap_or_default()
    }

    pub(super) fn path(&self) -> &'a str {
        self.url.as_url().path()
    }

    /// Whether the path is this one, trailing slashes aside.
    pub(super) fn path_is(&self, path: &str) -> bool {
        self.path().trim_end_matches('/') == path.trim_end_matches('/')
    }

    /// The segments of the path that are not empty.
    pub(super) fn segments(&self) -> impl DoubleEndedIterator<Item = &'a str> {
        self.path().split('/').filter(|segment| !segment.is_empty())
    }

    /// The value of the first of these parameters that has one, decoded once.
    ///
    /// A plus sign stays: in an address within an address it is one more often than it is a space.
    pub(super) fn parameter(&self, names: &[&str]) -> Option<String> {
        let query = self.url.as_url().query()?;
        let value = |name: &&str| {
            let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            pairs
                .filter(|(key, value)| key.eq_ignore_ascii_case(name) && !value.is_empty())
                .map(|(_, value)| percent_decode(value))
                .next()
        };
        names.iter().find_map(value)
    }

    /// Everything after a prefix of the path, with the query, as it was written.
    pub(super) fn rest(&self, prefix: &str) -> Option<String> {
        let rest = self.path().strip_prefix(prefix)?;
        match self.url.as_url().query() {
            Some(query) => Some(format!("{rest}?{query}")),
            None => Some(rest.to_owned()),
        }
    }

    /// As [`Address::rest`], with the fragment: for services whose own pages have none.
    pub(super) fn rest_and_fragment(&self, prefix: &str) -> Option<String> {
        let mut rest = self.rest(prefix)?;
        if let Some(fragment) = self.url.as_url().fragment() {
            rest.push('#');
            rest.push_str(fragment);
        }
        Some(rest)
    }
}

/// Whether a host is this name or lies under it.
pub(super) fn is_under(host: &str, name: &str) -> bool {
    // An address is held against some hundred names, and nearly all differ in their last letters.
    let end = |name: &str| name.as_bytes().last_chunk::<8>().copied();
    if end(name).is_some_and(|name| end(host) != Some(name)) {
        return false;
    }
    host.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// An address in the path of another: whole, percent-encoded, or without its scheme.
pub(super) fn written_in_path(rest: &str, scheme: &str) -> Option<String> {
    let start = rest.get(..rest.len().min(10)).unwrap_or(rest).to_ascii_lowercase();
    if start.starts_with("http:") || start.starts_with("https:") {
        return Some(rest.to_owned());
    }
    if start.starts_with("http%3a") || start.starts_with("https%3a") {
        return Some(percent_decode(rest));
    }
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    match host.split_once(':') {
        // A scheme has no dot; `example.com:8080` is a host with its port.
        Some((scheme, _)) if !scheme.contains('.') => Some(rest.to_owned()),
        _ if host.contains('.') => Some(format!("{scheme}://{rest}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_match_by_label_boundary() {
        assert!(is_under("l.facebook.com", "facebook.com"));
        assert!(is_under("facebook.com", "facebook.com"));
        assert!(!is_under("notfacebook.com", "facebook.com"));
        assert!(!is_under("facebook.com.evil.example", "facebook.com"));
    }

    #[test]
    fn a_parameter_is_decoded_once_and_empty_ones_are_passed_over() {
        let url = WebUrl::parse("https://a.example/?q=&u=1%2525&Q=x+y%20z&v").unwrap();
        let address = Address::of(&url).unwrap();
        assert_eq!(address.parameter(&["u"]).as_deref(), Some("1%25"));
        assert_eq!(address.parameter(&["none", "q"]).as_deref(), Some("x+y z"));
        assert_eq!(address.parameter(&["v"]), None);
    }

    #[test]
    fn an_address_in_a_path_may_lack_its_scheme() {
        for (rest, expected) in [
            ("https://a.example/x?y", Some("https://a.example/x?y")),
            ("HTTPS:/a.example/x", Some("HTTPS:/a.example/x")),
            ("https%3A%2F%2Fa.example%2Fx", Some("https://a.example/x")),
            ("a.example/x", Some("http://a.example/x")),
            ("a.example:8080/x", Some("http://a.example:8080/x")),
            ("javascript:alert(1)", Some("javascript:alert(1)")),
            ("about", None),
            ("", None),
            ("é", None),
        ] {
            assert_eq!(written_in_path(rest, "http").as_deref(), expected, "{rest}");
        }
    }
}
