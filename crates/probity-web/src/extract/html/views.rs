//! Other views of a page that it names itself: for phones, for printers, for readers of feeds.

use probity_core::WebUrl;

use super::parse::parse;
use super::tag::Tag;
use super::tree::{Attr, Tree};
use crate::extract::is_same_site;

/// The most `<link>` elements that are looked at.
const MAX_LINKS: usize = 200;

/// Another view of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum View {
    /// The page in the reduced form of AMP.
    Amp,
    /// The page for printing.
    Print,
    /// A feed that may hold the page's text.
    Feed,
}

impl View {
    /// The view in words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            View::Amp => "AMP page",
            View::Print => "print view",
            View::Feed => "site's feed",
        }
    }
}

/// The views that a page names, one of each, the surest first. Only its own site is looked at: a page cannot send us
/// to another.
pub(crate) fn views(html: &str, url: &WebUrl) -> Vec<(View, WebUrl)> {
    let tree = parse(html);
    let mut found: Vec<(View, WebUrl)> = Vec::new();
    let links = tree.ids().filter(|id| tree.tag(*id) == Tag::Link).take(MAX_LINKS);
    for id in links {
        let Some(view) = view(&tree, id) else { continue };
        let target = tree.attr(id, Attr::Href).and_then(|href| url.join(href.trim()).ok());
        let Some(target) = target.filter(|to| is_same_site(url, to) && to != url) else { continue };
        if !found.iter().any(|(known, _)| *known == view) {
            found.push((view, target));
        }
    }
    found.sort_by_key(|(view, _)| *view);
    found
}

fn view(tree: &Tree, id: super::tree::NodeId) -> Option<View> {
    let attr = |attr| tree.attr(id, attr).unwrap_or_default().trim().to_ascii_lowercase();
    let rel = attr(Attr::Rel);
    let is = |name: &str| rel.split_whitespace().any(|word| word == name);
    match attr(Attr::Type).as_str() {
        _ if is("amphtml") => Some(View::Amp),
        _ if is("alternate") && attr(Attr::Media) == "print" => Some(View::Print),
        "application/rss+xml" | "application/atom+xml" if is("alternate") => Some(View::Feed),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_names_its_other_views_and_only_those_of_its_own_site_count() {
        let url = WebUrl::parse("https://www.gazette.example.com/a").unwrap();
        let html = "<link rel=alternate type='application/rss+xml' href=/feed>\
                    <link rel='alternate' type='application/rss+xml' href=/comments/feed>\
                    <link rel=AMPHTML href='https://amp.gazette.example.com/a'>\
                    <link rel=alternate media=print href='a?print=1'>\
                    <link rel=stylesheet media=print href=p.css><link rel=alternate hreflang=de href=/de/a>";
        let found = views(html, &url);
        let found: Vec<(View, &str)> =
            found.iter().map(|(view, url)| (*view, url.as_str())).collect();
        assert_eq!(
            found,
            [
                (View::Amp, "https://amp.gazette.example.com/a"),
                (View::Print, "https://www.gazette.example.com/a?print=1"),
                (View::Feed, "https://www.gazette.example.com/feed"),
            ]
        );
        for other in [
            "<link rel=amphtml href='https://evil.example.net/a'>",
            "<link rel=amphtml href='http://127.0.0.1/a'>",
            "<link rel=amphtml href='file:///etc/passwd'>",
            "<link rel=amphtml href='https://www.gazette.example.com/a'>",
            "<a rel=amphtml href='/b'>",
        ] {
            assert_eq!(views(other, &url), [], "{other}");
        }
    }
}
