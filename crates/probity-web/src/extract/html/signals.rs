//! What a page shows of how its outlet works: of what it gives account, who its authors are, how much of it is
//! advertising.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use probity_core::{Account, PageSignals, WebUrl};

use super::tag::Tag;
use super::tree::{Attr, NodeId, Tree};
use crate::extract::is_same_site;

/// The most links that are looked at.
const MAX_LINKS: usize = 3_000;
/// The longest words of a link that names a page of account, in bytes.
const LINK_BYTES: usize = 60;
/// How many nodes of a link are looked at for them.
const LINK_NODES: usize = 12;

/// What the link to a page of account says, in whole words, lower-case.
const ACCOUNTS: &[(Account, &[&str])] = &[
    (
        Account::Corrections,
        &[
            "corrections",
            "correction policy",
            "report an error",
            "korrekturen",
            "correcciones",
            "errata",
        ],
    ),
    (
        Account::Standards,
        &[
            "editorial standards",
            "editorial policy",
            "editorial policies",
            "editorial guidelines",
            "ethics",
            "code of conduct",
            "code of practice",
            "journalistic standards",
            "standards and practices",
            "redaktionelle grundsätze",
            "charte éditoriale",
            "código ético",
        ],
    ),
    (
        Account::Ownership,
        &[
            "ownership",
            "who owns us",
            "our owners",
            "funding",
            "masthead",
            "impressum",
            "imprint",
            "mentions légales",
            "aviso legal",
        ],
    ),
];
/// Folders under which sites keep the pages of their authors.
const AUTHORS: &[&str] =
    &["/author/", "/authors/", "/autor/", "/auteur/", "/by/", "/staff/", "/people/"];
/// What advertising networks call the places for their advertisements, as part of a class or an id.
const ADS: &[&str] = &[
    "adsbygoogle",
    "google_ads",
    "div-gpt-ad",
    "taboola",
    "outbrain",
    "mgid",
    "revcontent",
    "zergnet",
    "criteo",
];

/// What a page shows, its main text apart.
pub(super) fn signals(tree: &Tree, url: Option<&WebUrl>) -> PageSignals {
    let mut signals = PageSignals::default();
    let mut links = 0;
    for id in tree.ids() {
        match tree.tag(id) {
            Tag::Text => continue,
            Tag::A if links < MAX_LINKS => {
                links += 1;
                read_link(tree, id, url, &mut signals);
            }
            _ => {}
        }
        if is_ad(tree, id) {
            signals.ads = signals.ads.saturating_add(1);
        }
    }
    signals.accounts.sort_unstable();
    signals
}

fn read_link(tree: &Tree, id: NodeId, url: Option<&WebUrl>, signals: &mut PageSignals) {
    let Some(href) = tree.attr(id, Attr::Href).filter(|href| is_own(href, url)) else { return };
    let rel = tree.attr(id, Attr::Rel).unwrap_or_default();
    let authored = rel.split_whitespace().any(|word| word == "author");
    signals.author_page |= authored || AUTHORS.iter().any(|folder| href.contains(folder));
    let Some(said) = link_words(tree, id) else { return };
    if !PHRASES.as_ref().is_some_and(|phrases| phrases.is_match(&said)) {
        return;
    }
    for (account, phrases) in ACCOUNTS {
        let named = phrases.iter().any(|phrase| holds(&said, phrase));
        if named && !signals.accounts.contains(account) {
            signals.accounts.push(*account);
        }
    }
}

/// What a link says, lower-case, if that is short. Links may hold each other, so that only a few nodes are looked at.
fn link_words(tree: &Tree, id: NodeId) -> Option<String> {
    let mut said = String::new();
    for text in tree.subtree(id).take(LINK_NODES).map(|inner| tree.text(inner)) {
        if text.len() > LINK_BYTES {
            return None;
        }
        for word in text.split_whitespace() {
            said.push_str(if said.is_empty() { "" } else { " " });
            said.push_str(word);
        }
    }
    (said.len() <= LINK_BYTES).then(|| said.to_lowercase())
}

/// Whether a link stays on the page's own site: what others give account of says nothing here.
fn is_own(href: &str, url: Option<&WebUrl>) -> bool {
    let Ok(target) = WebUrl::parse(href) else {
        // An address without a host is one of the site's own; `mailto:` and its like are none.
        return !href.contains(':');
    };
    url.is_none_or(|url| is_same_site(url, &target))
}

/// Whether a text holds a phrase between the borders of words.
fn holds(text: &str, phrase: &str) -> bool {
    let border = |side: Option<char>| side.is_none_or(|c| !c.is_alphanumeric());
    text.match_indices(phrase).any(|(at, _)| {
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        let after = text.get(at + phrase.len()..).and_then(|tail| tail.chars().next());
        border(before) && border(after)
    })
}

fn is_ad(tree: &Tree, id: NodeId) -> bool {
    let Some(marks) = AD_MARKS.as_ref().filter(|_| tree.has_attrs(id)) else { return false };
    let names = [tree.attr(id, Attr::Class), tree.attr(id, Attr::Id)];
    names.into_iter().flatten().any(|name| marks.is_match(name))
}

/// Every element of a page is asked, so that all marks are looked for at once.
static AD_MARKS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::new(ADS).ok());
/// The phrases of all accounts, to pass over the links that have none.
static PHRASES: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::new(ACCOUNTS.iter().flat_map(|(_, phrases)| phrases.iter())).ok()
});

#[cfg(test)]
mod tests {
    use super::super::parse::parse;
    use super::*;

    fn shown(html: &str) -> PageSignals {
        let url = WebUrl::parse("https://www.gazette.example.com/a").unwrap();
        signals(&parse(html), Some(&url))
    }

    #[test]
    fn pages_of_account_are_known_by_what_their_links_say() {
        let page = shown(
            "<footer><a href='/x'>Corrections &amp; clarifications</a> <a href='/y'>Our code of conduct</a>\
             <a href='https://gazette.example.com/z'>Impressum</a></footer>",
        );
        assert_eq!(page.accounts, [Account::Corrections, Account::Standards, Account::Ownership]);
        for other in [
            "<a href='https://other.example.net/'>Corrections</a>",
            "<a href='mailto:x@y.example'>Corrections</a>",
            "<a href='/a'>Bioethics in the age of whales</a>",
            "<p>Corrections</p>",
            "<a href='/long'>How corrections to the tide tables changed the work of harbour pilots for good</a>",
        ] {
            assert_eq!(shown(other).accounts, [], "{other}");
        }
    }

    #[test]
    fn authors_and_places_for_advertisements_are_seen() {
        assert!(shown("<a rel='nofollow author' href='/p/7'>Ada</a>").author_page);
        assert!(shown("<a href='/authors/ada'>Ada</a>").author_page);
        assert!(!shown("<a href='/p/7'>Ada</a>").author_page);
        let page = shown(
            "<ins class='adsbygoogle x'></ins><div id='div-gpt-ad-12'></div><p class='bad'>a</p>",
        );
        assert_eq!(page.ads, 2);
        assert!(shown("<p>Text</p>").is_empty());
    }
}
