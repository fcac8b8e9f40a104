//! Whom a text cites: the hosts of the other sites that its links lead to.

use std::collections::HashSet;

use probity_core::WebUrl;
use probity_credibility::outlet::registrable_domain;

/// The most hosts that are kept of one page.
const MAX_HOSTS: usize = 40;
/// The most links that are looked at.
const MAX_LINKS: usize = 400;

/// Whether two addresses are of one site.
pub(crate) fn is_same_site(one: &WebUrl, other: &WebUrl) -> bool {
    let site = |url: &WebUrl| registrable_domain(url.dns_host()).map(str::to_owned);
    one.dns_host() == other.dns_host() || (site(one).is_some() && site(one) == site(other))
}

/// The hosts of other sites among the links of a Markdown text, each once, in their order.
pub(super) fn cites(markdown: &str, own: Option<&WebUrl>) -> Vec<String> {
    let mut seen = HashSet::new();
    let links = markdown.split("](http").skip(1).take(MAX_LINKS);
    let hosts = links.filter_map(|rest| {
        let end = rest.find([')', ' ', '\n'])?;
        let url = WebUrl::parse(&format!("http{}", rest.get(..end)?)).ok()?;
        let stays = own.is_some_and(|own| is_same_site(own, &url));
        let is_public = registrable_domain(url.dns_host()).is_some();
        (is_public && !stays).then(|| url.dns_host().to_owned())
    });
    hosts.filter(|host| seen.insert(host.clone())).take(MAX_HOSTS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_other_sites_count_once_and_those_within_the_site_do_not() {
        let own = WebUrl::parse("https://www.gazette.example.com/a").unwrap();
        let text = "[a](https://www.reuters.com/x) and [b](https://reuters.com/y), [c](http://www.reuters.com/z), \
                    [home](https://gazette.example.com/b), [far](/x), [broken](https://[) [mail](mailto:a@b.c)";
        assert_eq!(cites(text, Some(&own)), ["www.reuters.com", "reuters.com"]);
        let many: String = (0..200).map(|n| format!("[x](https://site{n}.com/) ")).collect();
        assert_eq!(cites(&many, None).len(), MAX_HOSTS);
    }
}
