//! host → the name that someone chose, and the kind of suffix under which they registered it.

use std::collections::HashSet;
use std::sync::LazyLock;

use foldhash::fast::RandomState;
use probity_core::WebUrl;

use crate::outlet::registrable_domain;

/// The kinds of suffix that are distinguished. Countries are one kind, so that none counts less.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suffix {
    /// `.com`.
    Com,
    /// `.org`.
    Org,
    /// `.net`.
    Net,
    /// `.news`.
    News,
    /// For governments, universities, armed forces and international bodies.
    Public,
    /// A country's.
    Country,
    /// A country's that is sold to anyone anywhere.
    Borrowed,
    /// Of the newer general ones.
    New,
    /// Below a host on which anyone publishes.
    Hosted,
}

impl Suffix {
    /// All kinds.
    pub(super) const ALL: [Self; 9] = [
        Self::Com,
        Self::Org,
        Self::Net,
        Self::News,
        Self::Public,
        Self::Country,
        Self::Borrowed,
        Self::New,
        Self::Hosted,
    ];

    /// The kind as the weights name it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Com => "com",
            Self::Org => "org",
            Self::Net => "net",
            Self::News => "news",
            Self::Public => "public",
            Self::Country => "country",
            Self::Borrowed => "borrowed",
            Self::New => "new",
            Self::Hosted => "hosted",
        }
    }

    fn of(suffix: &str) -> Self {
        let mut labels = suffix.rsplit('.');
        let top = labels.next().unwrap_or_default();
        let second = labels.next();
        let is_country = top.len() == 2 || top.starts_with("xn--");
        match (top, second) {
            (_, Some(label)) if top.len() == 2 && PUBLIC_LABELS.contains(&label) => Self::Public,
            ("com", _) => Self::Com,
            ("org", _) => Self::Org,
            ("net", _) => Self::Net,
            ("news", _) => Self::News,
            ("edu" | "gov" | "mil" | "int", _) => Self::Public,
            (_, None) if BORROWED.contains(&top) => Self::Borrowed,
            _ if is_country => Self::Country,
            _ => Self::New,
        }
    }
}

const PUBLIC_LABELS: [&str; 7] = ["edu", "ac", "gov", "gouv", "gob", "govt", "mil"];
const BORROWED: [&str; 14] =
    ["co", "tv", "me", "io", "cc", "ws", "ly", "to", "fm", "am", "la", "ai", "gg", "sh"];
/// Suffixes below which no names can be registered: their names are made up.
const RESERVED: [&str; 8] = [
    "example",
    "test",
    "invalid",
    "localhost",
    "local",
    "example.com",
    "example.net",
    "example.org",
];

/// Hosts on which anyone publishes under a label of their own.
static HOSTING: LazyLock<HashSet<&'static str, RandomState>> = LazyLock::new(|| {
    let lines = include_str!("../../assets/prior/hosting.txt").lines();
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
});

/// Hosts on which anyone publishes below a path of their own, with what is before the name.
const BY_PATH: [(&str, &[&str]); 12] = [
    ("medium.com", &["@"]),
    ("substack.com", &["@"]),
    ("youtube.com", &["@", "c/", "user/", "channel/"]),
    ("tiktok.com", &["@"]),
    ("threads.net", &["@"]),
    ("reddit.com", &["r/", "user/"]),
    ("quora.com", &["profile/"]),
    ("linkedin.com", &["pulse/", "in/", "posts/"]),
    ("patreon.com", &[""]),
    ("scribd.com", &["document/"]),
    ("rumble.com", &["c/", "user/"]),
    ("bitchute.com", &["channel/"]),
];

/// Who publishes at an address, as far as a name tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Site<'h> {
    /// The name that someone chose: lower-case, punycoded.
    pub name: &'h str,
    /// The kind of its suffix.
    pub suffix: Suffix,
    /// Whether the name is below a suffix where names are made up.
    reserved: bool,
}

impl<'h> Site<'h> {
    /// The site of a host; none for a name that is not registered.
    pub fn of_host(host: &'h str) -> Option<Self> {
        let host = host.strip_prefix("www.").unwrap_or(host);
        if let Some(name) = hosted_name(host) {
            return Some(Self { name, suffix: Suffix::Hosted, reserved: false });
        }
        let registrable = registrable_domain(host)?;
        let (name, suffix) = registrable.split_once('.')?;
        let reserved = RESERVED.contains(&suffix) || RESERVED.contains(&registrable);
        let private = psl::suffix(registrable.as_bytes())
            .is_some_and(|suffix| suffix.typ() == Some(psl::Type::Private));
        let suffix = if private { Suffix::Hosted } else { Suffix::of(suffix) };
        Some(Self { name, suffix, reserved })
    }

    /// The site of an address: on hosts where anyone publishes below a path, the publisher there.
    pub fn of_url(url: &'h WebUrl) -> Option<Self> {
        let host = url.dns_host();
        match by_path(host) {
            Some(marks) => {
                let name = path_name(url.as_str(), marks).unwrap_or_default();
                Some(Self { name, suffix: Suffix::Hosted, reserved: false })
            }
            None => Self::of_host(host),
        }
    }

    /// Whether the name is in another script: then only its suffix is read, and counts as for anyone.
    pub(super) fn is_foreign(&self) -> bool {
        self.name.starts_with("xn--")
    }

    /// Whether the name says anything: made-up names say nothing.
    pub(super) fn is_readable(&self) -> bool {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        !self.reserved
            && self.name.bytes().any(|b| b.is_ascii_lowercase())
            && self.name.bytes().all(plain)
    }
}

/// The listed host below which a host publishes under a label of its own.
pub(crate) fn hosting_base(host: &str) -> Option<&str> {
    let mut rest = host;
    while let Some((_, above)) = rest.split_once('.') {
        if HOSTING.contains(above) {
            return Some(above);
        }
        rest = above;
    }
    None
}

/// The label before a host on which anyone publishes.
fn hosted_name(host: &str) -> Option<&str> {
    let base = hosting_base(host)?;
    let before = host.strip_suffix(base)?.strip_suffix('.')?;
    before.rsplit('.').next().filter(|label| !label.is_empty())
}

fn by_path(host: &str) -> Option<&'static [&'static str]> {
    let bare = ["www.", "m.", "old.", "mobile."].iter().find_map(|sub| host.strip_prefix(sub));
    let bare = bare.unwrap_or(host);
    BY_PATH.iter().find(|(known, _)| *known == bare).map(|(_, marks)| *marks)
}

/// The name that a path begins with.
fn path_name<'u>(url: &'u str, marks: &[&str]) -> Option<&'u str> {
    let path = url.split_once("://")?.1.split_once('/')?.1;
    let rest = marks.iter().find_map(|mark| path.strip_prefix(mark))?;
    rest.split(['/', '?', '#']).next().filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_are_recognised_by_kind() {
        for (host, name, suffix) in [
            ("www.nytimes.com", "nytimes", Suffix::Com),
            ("nytimes.com.co", "nytimes", Suffix::Country),
            ("news.bbc.co.uk", "bbc", Suffix::Country),
            ("www.ox.ac.uk", "ox", Suffix::Public),
            ("mit.edu", "mit", Suffix::Public),
            ("reuters-news.co", "reuters-news", Suffix::Borrowed),
            ("bbc-uk.info", "bbc-uk", Suffix::New),
            ("someone.github.io", "someone", Suffix::Hosted),
            ("someone.wordpress.com", "someone", Suffix::Hosted),
        ] {
            let site = Site::of_host(host).unwrap();
            assert_eq!((site.name, site.suffix), (name, suffix), "{host}");
        }
        assert_eq!(Site::of_host("127.0.0.1"), None);
        assert!(!Site::of_host("gazette.example").unwrap().is_readable());
        assert!(!Site::of_host("town.example.org").unwrap().is_readable());
    }

    #[test]
    fn where_anybody_publishes_the_author_is_the_site() {
        for (url, name) in [
            ("https://medium.com/@someone/a-story", "someone"),
            ("https://www.youtube.com/@channel/videos", "channel"),
            ("https://www.youtube.com/watch?v=1", ""),
            ("https://old.reddit.com/r/science/", "science"),
        ] {
            let url = WebUrl::parse(url).unwrap();
            let site = Site::of_url(&url).unwrap();
            assert_eq!((site.name, site.suffix), (name, Suffix::Hosted), "{url}");
        }
        assert_eq!(hosting_base("a.b.substack.com"), Some("substack.com"));
        assert_eq!((hosting_base("substack.com"), hosting_base("github.com")), (None, None));
    }
}
