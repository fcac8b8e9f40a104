//! A text's own citations: links where they are, and the list of references that numbers point to.

use std::collections::HashMap;
use std::ops::Range;

use probity_core::WebUrl;

/// The most addresses that one sentence may cite; what is beyond is not looked at.
const CITED_MOST: usize = 8;
/// The longest mark between square brackets that counts as the number of a reference, in bytes.
const MARK_BYTES: usize = 24;
/// Words that head a list of references.
const HEADINGS: &[&str] = &[
    "sources",
    "references",
    "bibliography",
    "notes",
    "footnotes",
    "endnotes",
    "citations",
    "literature",
    "works cited",
    "links",
    "further reading",
];

/// The references of a text: what a number or name in square brackets stands for.
#[derive(Debug, Default)]
pub(super) struct References {
    by_mark: HashMap<String, Vec<WebUrl>>,
    /// The bytes of the text that list references and say nothing else.
    lists: Vec<Range<usize>>,
}

impl References {
    /// Finds the references of a text: `[1]: address` anywhere, `[1] Title, address` and
    /// `1. Title, address` below a heading such as “Sources”.
    pub(super) fn read(text: &str) -> Self {
        let mut found = Self::default();
        let mut start = 0;
        let mut listing = false;
        for line in text.split_inclusive('\n') {
            let range = start..start + line.len();
            start = range.end;
            let body = line.trim();
            if body.is_empty() {
                continue;
            }
            if let Some(heading) = heading(body) {
                listing = HEADINGS.contains(&heading.as_str());
                if listing {
                    found.lists.push(range);
                }
                continue;
            }
            let urls = addresses(body);
            let entry = definition(body).or_else(|| if listing { numbered(body) } else { None });
            match entry {
                Some(mark) if !urls.is_empty() => {
                    found.by_mark.entry(mark).or_default().extend(urls);
                    found.lists.push(range);
                }
                _ if listing => found.lists.push(range),
                _ => {}
            }
        }
        found
    }

    /// Whether a place of the text is part of a list of references.
    pub(super) fn lists(&self, at: usize) -> bool {
        self.lists.iter().any(|range| range.contains(&at))
    }

    fn of(&self, mark: &str) -> &[WebUrl] {
        self.by_mark.get(&mark.to_lowercase()).map(Vec::as_slice).unwrap_or_default()
    }
}

/// A sentence without its citations, and what they point to.
pub(super) struct Bare {
    /// What is left.
    pub(super) text: String,
    /// The addresses it cites, each once.
    pub(super) cites: Vec<WebUrl>,
    /// The addresses of citations before its first word: they belong to the sentence before.
    pub(super) earlier: Vec<WebUrl>,
}

/// Takes links, addresses and reference marks out of a sentence.
pub(super) fn bare(sentence: &str, references: &References) -> Bare {
    let mut bare = Bare { text: String::new(), cites: Vec::new(), earlier: Vec::new() };
    let mut rest = sentence;
    while let Some(first) = rest.chars().next() {
        if let Some(link) = link(rest, references) {
            let leads = !bare.text.chars().any(char::is_alphanumeric) && link.text.is_empty();
            let cited = if leads { &mut bare.earlier } else { &mut bare.cites };
            for url in link.urls {
                if cited.len() < CITED_MOST && !cited.contains(&url) {
                    cited.push(url);
                }
            }
            bare.text.push_str(link.text);
            rest = rest.get(link.bytes..).unwrap_or_default();
            continue;
        }
        if !matches!(first, '*' | '`' | '_') || is_inner(&bare.text, rest, first) {
            bare.text.push(first);
        }
        rest = rest.get(first.len_utf8()..).unwrap_or_default();
    }
    bare.text = tidy(&bare.text);
    bare
}

/// Whether an underscore or a star is inside a word, where it is no emphasis.
fn is_inner(before: &str, rest: &str, mark: char) -> bool {
    let after = rest.get(mark.len_utf8()..).and_then(|rest| rest.chars().next());
    before.chars().next_back().is_some_and(char::is_alphanumeric)
        && after.is_some_and(char::is_alphanumeric)
}

/// One citation at the beginning of a text.
struct Link<'a> {
    /// What of it is read as part of the sentence.
    text: &'a str,
    urls: Vec<WebUrl>,
    bytes: usize,
}

fn link<'a>(text: &'a str, references: &References) -> Option<Link<'a>> {
    if let Some(bytes) = address_bytes(text) {
        return Some(Link { text: "", urls: addresses(text.get(..bytes)?), bytes });
    }
    if let Some(inner) = text.strip_prefix('<') {
        let bytes = address_bytes(inner)?;
        inner.get(bytes..)?.strip_prefix('>')?;
        return Some(Link { text: "", urls: addresses(inner.get(..bytes)?), bytes: bytes + 2 });
    }
    let image = usize::from(text.starts_with("!["));
    let inner = text.get(image..)?.strip_prefix('[')?;
    let close = closing(inner)?;
    let label = inner.get(..close)?;
    let after = inner.get(close + 1..)?;
    let so_far = image + close + 2;
    if let Some(target) = after.strip_prefix('(') {
        let end = target.find(')')?;
        let urls = addresses(target.get(..end)?);
        let urls = if urls.is_empty() { marks(label, references) } else { urls };
        let text = if is_mark(label) || image > 0 { "" } else { label };
        return Some(Link { text, urls, bytes: so_far + end + 2 });
    }
    let urls = marks(label, references);
    (image == 0 && (is_mark(label) || !urls.is_empty())).then_some(Link {
        text: "",
        urls,
        bytes: so_far,
    })
}

/// Where the bracket of a label closes, with brackets inside it counted.
fn closing(label: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in label.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth == 0 => return Some(at),
            ']' => depth -= 1,
            '\n' => return None,
            _ => {}
        }
    }
    None
}

/// Whether a label is the number of a reference: `3`, `[3]`, `^note`, `1, 2`, `4–6`.
fn is_mark(label: &str) -> bool {
    let label = label.trim_matches(['[', ']', ' ']);
    label.len() <= MARK_BYTES
        && !label.is_empty()
        && (label.starts_with('^')
            || label
                .chars()
                .all(|c| c.is_ascii_digit() || matches!(c, ',' | ';' | ' ' | '-' | '–'))
                && label.chars().any(|c| c.is_ascii_digit()))
}

/// What the marks in a label point to.
fn marks(label: &str, references: &References) -> Vec<WebUrl> {
    let label = label.trim_matches(['[', ']', ' ']);
    let mut found: Vec<WebUrl> = references.of(label.trim_start_matches('^')).to_vec();
    for part in label.split([',', ';']).map(str::trim).filter(|part| *part != label) {
        found.extend_from_slice(references.of(part));
    }
    if let Some((first, last)) = label.split_once(['-', '–'])
        && let (Ok(first), Ok(last)) = (first.trim().parse::<u16>(), last.trim().parse::<u16>())
    {
        for number in (first..=last).take(CITED_MOST) {
            found.extend_from_slice(references.of(&number.to_string()));
        }
    }
    found
}

/// The words of a heading, in lower case: a line with `#`, or a short line in bold or with a colon.
fn heading(line: &str) -> Option<String> {
    let marked = line.starts_with('#') || (line.starts_with("**") && line.ends_with("**"));
    let words = line.trim_matches(['#', '*', ':', ' ', '_']).to_lowercase();
    (marked || HEADINGS.contains(&words.as_str())).then_some(words)
}

/// The mark of `[1]: address` or `[^1]: text`.
fn definition(line: &str) -> Option<String> {
    let inner = line.strip_prefix('[')?;
    let (mark, after) = inner.split_once(']')?;
    after.strip_prefix(':')?;
    Some(mark.trim_start_matches('^').trim().to_lowercase())
}

/// The number of `1. Title, address`, `[1] Title, address` or `1) …`, with or without a bullet.
fn numbered(line: &str) -> Option<String> {
    let line = line.trim_start_matches(['-', '*', ' ']);
    let line = line.strip_prefix("\\").unwrap_or(line);
    let line = line.strip_prefix('[').unwrap_or(line);
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let (number, after) = line.split_at_checked(digits)?;
    (digits > 0 && digits <= 4 && after.starts_with([']', '.', ')', ' ', ':']))
        .then(|| number.to_owned())
}

/// The addresses of pages in a text.
fn addresses(text: &str) -> Vec<WebUrl> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("http") {
        rest = rest.get(at..).unwrap_or_default();
        let bytes = match address_bytes(rest) {
            Some(bytes) => {
                found.extend(rest.get(..bytes).and_then(|address| WebUrl::parse(address).ok()));
                bytes
            }
            None => 4,
        };
        rest = rest.get(bytes..).unwrap_or_default();
    }
    found
}

/// How long the address is that a text begins with. What closes a sentence is not part of it.
fn address_bytes(text: &str) -> Option<usize> {
    let scheme = ["https://", "http://"].into_iter().find(|scheme| text.starts_with(scheme))?;
    let end = text
        .find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '`' | '|' | '”' | ']'))
        .unwrap_or(text.len());
    let mut address = text.get(..end)?;
    loop {
        let trimmed = address.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_']);
        let count = |c: char| trimmed.matches(c).count();
        let shorter = match trimmed.strip_suffix(')') {
            Some(shorter) if count(')') > count('(') => shorter,
            _ => trimmed,
        };
        if shorter.len() == address.len() {
            break;
        }
        address = shorter;
    }
    (address.len() > scheme.len()).then_some(address.len())
}

/// One space between words, and none before a mark or inside brackets that a citation emptied.
fn tidy(text: &str) -> String {
    let text = text.replace("()", " ").replace("[]", " ");
    let mut tidy = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        let closes = word.starts_with(['.', ',', ';', ':', '!', '?', ')']);
        if !tidy.is_empty() && !closes {
            tidy.push(' ');
        }
        tidy.push_str(word);
    }
    tidy
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cited(text: &str) -> (String, Vec<String>) {
        let references = References::read(text);
        let first = text.lines().next().unwrap_or_default();
        let bare = bare(first, &references);
        (bare.text, bare.cites.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn links_become_their_words_and_numbers_their_references() {
        let (text, cites) = cited(
            "The [mill](https://a.example/mill) closed in **1850** [1], [2–3](#s2).\n\n\
             ## Sources\n1. Annals, https://b.example/annals.\n[2] [Map](https://c.example/map)\n\
             3) https://d.example/x",
        );
        assert_eq!(text, "The mill closed in 1850,.");
        assert_eq!(
            cites,
            [
                "https://a.example/mill",
                "https://b.example/annals",
                "https://c.example/map",
                "https://d.example/x"
            ]
        );
    }

    #[test]
    fn an_address_ends_before_what_closes_the_sentence() {
        for (text, address) in [
            ("See https://a.example/x_(y).", "https://a.example/x_(y)"),
            ("It rose (https://a.example/x).", "https://a.example/x"),
            ("It rose <https://a.example/x>, they say.", "https://a.example/x"),
            ("It rose: **https://a.example/x**", "https://a.example/x"),
        ] {
            assert_eq!(cited(text).1, [address], "{text}");
        }
    }

    #[test]
    fn brackets_that_cite_nothing_stay() {
        assert_eq!(
            cited("He [the mayor] left_behind 3 * 4 keys.").0,
            "He [the mayor] left_behind 3 4 keys."
        );
    }

    #[test]
    fn footnotes_are_found_wherever_they_stand() {
        let (text, cites) =
            cited("The mill closed.[^a]\n\nMore.\n\n[^a]: Annals https://b.example/1");
        assert_eq!(
            (text.as_str(), cites.as_slice()),
            ("The mill closed.", &["https://b.example/1".to_owned()][..])
        );
    }
}
