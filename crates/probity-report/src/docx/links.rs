//! The addresses that a document links to, each a relationship of its own.

use std::collections::BTreeMap;

/// Word follows no longer address, so such a page is named and not linked.
const MAX_TARGET_BYTES: usize = 2_000;

/// The relationships of the document, in the order of first use.
#[derive(Default)]
pub(super) struct Links {
    ids: BTreeMap<String, String>,
    /// Every id with its address.
    pub(super) all: Vec<(String, String)>,
}

impl Links {
    /// The relationship to an address, if it can be linked to.
    pub(super) fn id(&mut self, url: &str) -> Option<String> {
        let target = target(url)?;
        if let Some(id) = self.ids.get(&target) {
            return Some(id.clone());
        }
        let id = format!("link{}", self.all.len() + 1);
        self.all.push((id.clone(), target.clone()));
        self.ids.insert(target, id.clone());
        Some(id)
    }
}

/// An address as a relationship may name it. Browsers forgive more than Word, which takes a whole
/// document for broken if one of its addresses is.
fn target(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    if !matches!(scheme, "http" | "https") {
        return None;
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at_checked(end)?;
    let mut target = format!("{scheme}://{host}");
    let mut fragment = false;
    let mut characters = path.chars();
    while let Some(c) = characters.next() {
        let allowed = match c {
            '#' => !std::mem::replace(&mut fragment, true),
            '%' => characters.clone().take(2).filter(char::is_ascii_hexdigit).count() == 2,
            c => c.is_ascii_alphanumeric() || "-._~:/?@!$&'()*+,;=".contains(c),
        };
        match allowed {
            true => target.push(c),
            false => c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| {
                target.push_str(&format!("%{byte:02X}"));
            }),
        }
    }
    let plain = host.bytes().all(|b| b.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&b));
    (plain && target.len() <= MAX_TARGET_BYTES).then_some(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_written_as_the_standard_wants_them() {
        for (url, wanted) in [
            ("https://a.example/b?c=d&e=%20#f", Some("https://a.example/b?c=d&e=%20#f")),
            ("https://a.example/[x]|^?q={y}", Some("https://a.example/%5Bx%5D%7C%5E?q=%7By%7D")),
            ("http://[::1]:80/a", Some("http://[::1]:80/a")),
            ("https://a.example/100%/é#a#b", Some("https://a.example/100%25/%C3%A9#a%23b")),
            ("https://a.example", Some("https://a.example")),
            ("javascript:alert(1)", None),
            ("file:///etc/passwd", None),
            ("https://a\"b/", None),
        ] {
            assert_eq!(target(url).as_deref(), wanted, "{url}");
        }
        assert_eq!(target(&format!("https://a.example/{}", "x".repeat(2_000))), None);
    }

    #[test]
    fn an_address_has_one_relationship_however_often_it_is_linked() {
        let mut links = Links::default();
        let ids = ["https://a.example/", "https://b.example/", "https://a.example/"]
            .map(|url| links.id(url).unwrap_or_default());
        assert_eq!(ids, ["link1", "link2", "link1"]);
        assert_eq!(links.all.len(), 2);
    }
}
