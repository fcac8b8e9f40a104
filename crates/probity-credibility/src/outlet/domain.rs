//! host → registrable domain → outlet, by label boundary and never by substring.

use std::net::Ipv4Addr;

use probity_core::Outlet;

use super::local::LOCAL_SUFFIX;
use super::rules::Lists;
use crate::prior::hosting_base;

/// The part of a host that one owner registered: one label more than its public suffix.
///
/// The host is lower-case and punycoded, as `WebUrl::dns_host` gives it. The private section of
/// the public suffix list counts, so `someone.github.io` is a domain of its own. IP addresses,
/// public suffixes and single labels have none.
///
/// ```
/// use probity_credibility::outlet::registrable_domain;
///
/// assert_eq!(registrable_domain("www.bbc.co.uk"), Some("bbc.co.uk"));
/// assert_eq!(registrable_domain("a.b.c.kawasaki.jp"), Some("b.c.kawasaki.jp"));
/// assert_eq!(registrable_domain("co.uk"), None);
/// assert_eq!(registrable_domain("192.0.2.7"), None);
/// ```
pub fn registrable_domain(host: &str) -> Option<&str> {
    let host = host.trim_end_matches('.');
    let top = host.rsplit('.').next()?;
    // A name whose last label is a number is an IPv4 address, whole or cut short.
    if top.bytes().all(|b| b.is_ascii_digit()) || host.starts_with('[') {
        return None;
    }
    if host.parse::<Ipv4Addr>().is_ok() || host.split('.').any(str::is_empty) {
        return None;
    }
    psl::domain_str(host)
}

/// The outlet of a host: the most specific own host or alias, else the registrable domain.
pub(super) fn outlet_of_host(host: &str, lists: &Lists) -> Option<Outlet> {
    if host.ends_with(LOCAL_SUFFIX) {
        return Outlet::new(host).ok();
    }
    let registrable = registrable_domain(host)?;
    let registrable = below_hosting(host, registrable);
    // The most specific listing wins: a.b.example before b.example before example.
    for name in names_above(host).take_while(|name| name.len() >= registrable.len()) {
        if let Some(target) = lists.aliases.get(name) {
            return Some(target.clone());
        }
        if let Some(own) = lists.own_hosts.get(name) {
            return Some(own.clone());
        }
    }
    Outlet::new(registrable).ok()
}

/// The name below a domain that is reserved for examples. Such a domain belongs to no one, so what
/// is below it is its own outlet, like below a public suffix.
pub(super) fn below_reserved(host: &str) -> Option<Outlet> {
    let registrable = registrable_domain(host).filter(|domain| RESERVED.contains(domain))?;
    let below = host.strip_suffix(registrable)?.strip_suffix('.')?;
    let own = below.rsplit('.').next().filter(|own| !own.is_empty() && *own != "www")?;
    Outlet::new(&format!("{own}.{registrable}")).ok()
}

/// Where anyone publishes under a label of their own, the label is part of the publisher's name. The
/// public suffix list knows most such hosts, but not all.
fn below_hosting<'h>(host: &'h str, registrable: &'h str) -> &'h str {
    let Some(base) = hosting_base(host) else { return registrable };
    let below = host.len() - base.len();
    let label = host.get(..below.saturating_sub(1)).and_then(|rest| rest.rsplit('.').next());
    let own = label.map(|label| below - 1 - label.len()).and_then(|start| host.get(start..));
    own.filter(|own| own.len() > registrable.len() && !own.starts_with("www."))
        .unwrap_or(registrable)
}

/// Reserved for documentation: by RFC 2606, and by the registry of `.edu`.
const RESERVED: [&str; 4] = ["example.com", "example.edu", "example.net", "example.org"];

/// A host and the names it lies under, most specific first: `a.b.c`, `b.c`, `c`.
pub(super) fn names_above(host: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(host.trim_end_matches('.')), |name| {
        name.split_once('.').map(|(_, above)| above)
    })
}

#[cfg(test)]
mod tests {
    use probity_core::WebUrl;

    use super::*;
    use crate::outlet::OutletRules;

    fn outlet(text: &str) -> Option<String> {
        let lists = Lists::new(&OutletRules::default()).unwrap();
        let url = WebUrl::parse(text).unwrap();
        outlet_of_host(url.dns_host(), &lists).map(|outlet| outlet.to_string())
    }

    #[test]
    fn what_nobody_registered_has_no_domain() {
        for host in [
            "",
            "gov",
            "localhost",
            "co.uk",
            "127.0.0.1",
            "1.2",
            "[::1]",
            "a..com",
            ".",
            "github.io",
        ] {
            assert_eq!(registrable_domain(host), None, "{host}");
        }
    }

    #[test]
    fn suffixes_follow_the_public_list() {
        for (host, domain) in [
            ("en.m.wikipedia.org", "wikipedia.org"),
            ("www.reuters.com.", "reuters.com"),
            ("reuters.com.evil.tld", "evil.tld"),
            ("foo.blogspot.com", "foo.blogspot.com"),
            ("www.city.kawasaki.jp", "city.kawasaki.jp"),
            ("www.xn--80aesfpebagmfblc0a.xn--p1ai", "xn--80aesfpebagmfblc0a.xn--p1ai"),
            ("a.xn--55qx5d.cn", "a.xn--55qx5d.cn"),
        ] {
            assert_eq!(registrable_domain(host), Some(domain), "{host}");
        }
    }

    #[test]
    fn aliases_and_own_hosts_match_by_label_boundary() {
        for (url, expected) in [
            ("https://www.bbc.co.uk/news", Some("bbc.com")),
            ("https://feeds.bbci.co.uk./news", Some("bbc.com")),
            ("https://notbbc.co.uk/news", Some("notbbc.co.uk")),
            ("https://bbc.co.uk.evil.example/", Some("evil.example")),
            ("https://www.scholar.google.com/x", Some("scholar.google.com")),
            ("https://scholar.google.co.uk/", Some("google.co.uk")),
            ("https://www.google.com/search?q=x", Some("google.com")),
            ("https://nyti.ms/3x", Some("nytimes.com")),
            ("https://www.gov.uk/guidance", Some("gov.uk")),
            ("https://gov/", None),
            ("https://may-txt.letters.local/", Some("may-txt.letters.local")),
            ("http://[2606:2800:220:1:248:1893:25c8:1946]/", None),
        ] {
            assert_eq!(outlet(url).as_deref(), expected, "{url}");
        }
    }
}
