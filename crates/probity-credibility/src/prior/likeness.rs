//! Names that imitate a listed outlet: `reuters-news.co`, `nytimes.com.co`, twins in other scripts.

use std::borrow::Cow;

use super::site::Site;
use crate::outlet::one_edit_apart;

/// Outlets with names of their own: a name that holds one is either theirs or an imitation.
/// Names that are words of their own (nature, wired, fortune) are not here.
const IMITATED: [(&str, &str); 40] = [
    ("reuters", "reuters.com"),
    ("apnews", "apnews.com"),
    ("associatedpress", "apnews.com"),
    ("bloomberg", "bloomberg.com"),
    ("nytimes", "nytimes.com"),
    ("newyorktimes", "nytimes.com"),
    ("wsj", "wsj.com"),
    ("wallstreetjournal", "wsj.com"),
    ("washingtonpost", "washingtonpost.com"),
    ("theguardian", "theguardian.com"),
    ("theatlantic", "theatlantic.com"),
    ("bbc", "bbc.com"),
    ("bbcnews", "bbc.com"),
    ("cnbc", "cnbc.com"),
    ("cnn", "cnn.com"),
    ("abcnews", "go.com"),
    ("cbsnews", "cbsnews.com"),
    ("nbcnews", "nbcnews.com"),
    ("msnbc", "msnbc.com"),
    ("foxnews", "foxnews.com"),
    ("usatoday", "usatoday.com"),
    ("latimes", "latimes.com"),
    ("politico", "politico.com"),
    ("arstechnica", "arstechnica.com"),
    ("techcrunch", "techcrunch.com"),
    ("financialtimes", "ft.com"),
    ("aljazeera", "aljazeera.com"),
    ("lemonde", "lemonde.fr"),
    ("lefigaro", "lefigaro.fr"),
    ("elpais", "elpais.com"),
    ("spiegel", "spiegel.de"),
    ("tagesschau", "tagesschau.de"),
    ("dailymail", "dailymail.co.uk"),
    ("snopes", "snopes.com"),
    ("politifact", "politifact.com"),
    ("factcheck", "factcheck.org"),
    ("wikipedia", "wikipedia.org"),
    ("arxiv", "arxiv.org"),
    ("pubmed", "nih.gov"),
    ("whitehouse", "whitehouse.gov"),
];
/// The shortest name whose near misses are taken for imitations; of shorter ones there are too many.
const NEAR_BYTES: usize = 7;

/// What a name imitates that mixes Latin letters with those of another script.
const MIXED: &str = "a name in Latin letters";

/// The outlet that a site's name imitates. Whether the site is that outlet, the caller knows.
pub(crate) fn look_alike(site: &Site<'_>) -> Option<&'static str> {
    let shown = shown(site.name)?;
    if mixes_scripts(&shown) {
        return Some(MIXED);
    }
    let look = Look::of(&shown);
    let imitates = |known: &str| {
        look.holds(known)
            || look.joined == known
            || (known.len() >= NEAR_BYTES && one_edit_apart(&look.joined, known))
    };
    IMITATED.iter().find(|(known, _)| imitates(known)).map(|(_, outlet)| *outlet)
}

/// What a reader sees of a name: its letters as they look.
struct Look {
    parts: String,
    joined: String,
}

impl Look {
    fn of(shown: &str) -> Self {
        let parts: String = shown.chars().map(looks_like).collect();
        Self { joined: parts.replace('-', ""), parts }
    }

    /// Whether a name is one of the parts of this one.
    fn holds(&self, name: &str) -> bool {
        self.parts.split('-').any(|part| !part.is_empty() && part == name)
    }
}

/// How two outlets' names are easily taken for each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likeness {
    /// They read the same, under other endings or in other letters.
    Same,
    /// One letter tells them apart.
    OneLetter,
    /// One holds the other's name.
    Holds,
}

impl Likeness {
    /// In words, of the other outlet.
    pub fn words(self) -> &'static str {
        match self {
            Self::Same => "reads the same",
            Self::OneLetter => "one letter apart",
            Self::Holds => "one name holds the other",
        }
    }
}

/// How the domains of two outlets are easily taken for each other; none where they are not, or are the same. Short
/// names have too many near misses, so that only a name that reads the same counts there.
pub fn likeness(one: &str, other: &str) -> Option<Likeness> {
    let look = |domain| Some(Look::of(&shown(Site::of_host(domain)?.name)?));
    if one == other {
        return None;
    }
    let (one, other) = (look(one)?, look(other)?);
    let is_long = |look: &Look| look.joined.len() >= NEAR_BYTES;
    let holds = |whole: &Look, part: &Look| is_long(part) && whole.holds(&part.joined);
    match () {
        () if one.joined == other.joined => Some(Likeness::Same),
        () if (is_long(&one) || is_long(&other)) && one_edit_apart(&one.joined, &other.joined) => {
            Some(Likeness::OneLetter)
        }
        () if holds(&one, &other) || holds(&other, &one) => Some(Likeness::Holds),
        () => None,
    }
}

/// A name as people see it.
fn shown(name: &str) -> Option<Cow<'_, str>> {
    if !name.starts_with("xn--") {
        return Some(Cow::Borrowed(name));
    }
    let (shown, read) = idna::domain_to_unicode(name);
    read.ok().map(|()| Cow::Owned(shown))
}

/// Whether a name holds Latin letters beside those of a script that is never written together with
/// them.
fn mixes_scripts(name: &str) -> bool {
    let other = |c: char| matches!(c, '\u{370}'..='\u{58f}' | '\u{10a0}'..='\u{10ff}');
    name.chars().any(|c| c.is_ascii_lowercase()) && name.chars().any(other)
}

/// The Latin letter that a character is easily taken for.
fn looks_like(c: char) -> char {
    match c {
        '0' => 'o',
        '1' | 'ı' | 'і' | 'í' | 'ì' | 'ï' | 'î' | 'ι' | 'ӏ' | 'ḷ' | 'ĺ' | 'ł' => 'i',
        '3' | 'е' | 'ё' | 'é' | 'è' | 'ê' | 'ë' | 'ē' | 'ę' | 'ě' | 'ε' => 'e',
        '4' | 'а' | 'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' | 'ā' | 'ą' | 'α' | 'ạ' => 'a',
        '5' | 'ѕ' | 'ş' | 'š' | 'ś' | 'ș' | 'ṣ' => 's',
        'о' | 'ó' | 'ò' | 'ô' | 'ö' | 'õ' | 'ø' | 'ο' | 'ọ' | 'ơ' => 'o',
        'с' | 'ç' | 'ć' | 'č' | 'ċ' | 'ϲ' => 'c',
        'р' | 'ρ' => 'p',
        'х' | 'χ' => 'x',
        'у' | 'ý' | 'ÿ' | 'γ' => 'y',
        'ү' | 'ú' | 'ù' | 'û' | 'ü' | 'ū' | 'υ' | 'ս' | 'ụ' => 'u',
        'һ' | 'ħ' | 'ḥ' => 'h',
        'ԁ' | 'ď' | 'đ' | 'ḍ' => 'd',
        'ɡ' | 'ğ' | 'ģ' | 'ġ' => 'g',
        'к' | 'κ' | 'ķ' => 'k',
        'м' | 'ṃ' => 'm',
        'ո' | 'ñ' | 'ń' | 'ň' | 'η' | 'п' | 'ṇ' => 'n',
        'т' | 'τ' | 'ţ' | 'ť' | 'ț' | 'ṭ' => 't',
        'в' | 'ь' | 'Ь' | 'ƅ' | 'ḅ' => 'b',
        'г' | 'ř' | 'ŕ' | 'ṛ' => 'r',
        'ѡ' | 'ԝ' | 'ω' | 'ŵ' | 'ẁ' | 'ẃ' => 'w',
        'ν' | 'ѵ' | 'ṿ' => 'v',
        'ᴢ' | 'ž' | 'ź' | 'ż' => 'z',
        'ј' => 'j',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imitated(host: &str) -> Option<&'static str> {
        look_alike(&Site::of_host(host).unwrap())
    }

    #[test]
    fn names_that_are_taken_for_each_other_are_found_both_ways() {
        for (one, other, alike) in [
            ("gazette.com", "gazette.co", Some(Likeness::Same)),
            ("bl00mberg.com", "bloomberg.com", Some(Likeness::Same)),
            ("harbour-weekly.com", "harbourweekly.org", Some(Likeness::Same)),
            ("gazette.com", "gazettes.com", Some(Likeness::OneLetter)),
            ("gazette-online.net", "gazette.com", Some(Likeness::Holds)),
            ("news.com", "daily-news.com", None),
            ("bbc.com", "nbc.com", None),
            ("gazette.com", "gazette.com", None),
            ("localhost", "gazette.com", None),
        ] {
            assert_eq!(likeness(one, other), alike, "{one} and {other}");
            assert_eq!(likeness(other, one), alike, "{other} and {one}");
        }
    }

    #[test]
    fn imitations_are_seen_through() {
        for (host, outlet) in [
            ("reuters-news.co", "reuters.com"),
            ("nytimes.com.co", "nytimes.com"),
            ("bbc-uk.info", "bbc.com"),
            ("washington-post.net", "washingtonpost.com"),
            ("reuterz.com", "reuters.com"),
            ("bl00mberg.com", "bloomberg.com"),
        ] {
            assert_eq!(imitated(host), Some(outlet), "{host}");
        }
        let mixed = format!("{}.org", idna::domain_to_ascii("gаzette").unwrap());
        assert_eq!(imitated(&mixed), Some(MIXED), "one letter is Cyrillic");
        for (twin, outlet) in [("ььс", "bbc.com"), ("nytímes", "nytimes.com")] {
            let host = format!("{}.com", idna::domain_to_ascii(twin).unwrap());
            assert!(host.starts_with("xn--"));
            assert_eq!(imitated(&host), Some(outlet), "{twin}");
        }
    }

    #[test]
    fn names_that_only_share_a_word_are_their_own() {
        let whole = format!("{}.com", idna::domain_to_ascii("московскийкомсомолец").unwrap());
        assert_eq!(imitated(&whole), None, "one script throughout");
        for host in [
            "naturephotos.com",
            "router-news.com",
            "bbcrafts.com",
            "cnnvoice.in",
            "guardian-services.com",
        ] {
            assert_eq!(imitated(host), None, "{host}");
        }
    }
}
