//! Lists of feeds as other readers write them: OPML, in and out.
//!
//! Folders become categories. An entry that names no feed is reported and left out; it does not
//! spoil the others.

use std::fmt::Write as _;

use probity_core::WebUrl;
use probity_web::search::clean;
use quick_xml::Reader;
use quick_xml::escape::escape;
use quick_xml::events::{BytesStart, Event};
use serde::Serialize;

/// The largest list that is read, in bytes.
pub const OPML_BYTES: usize = 20 * 1024 * 1024;
/// How many entries of a list are read.
pub const ENTRIES: usize = 20_000;
/// How deep folders may lie in each other.
pub const DEPTH: usize = 32;
/// How many bad entries are reported.
pub const PROBLEMS: usize = 100;
/// The longest name of a folder, in characters.
const NAME_CHARS: usize = 100;

/// A feed in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its address.
    pub url: WebUrl,
    /// What the list calls it.
    pub title: String,
    /// The page it belongs to.
    pub site: Option<String>,
    /// The folders it lies in, the outermost first, and the categories it names.
    pub categories: Vec<String>,
}

/// A list as it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct List {
    /// Its feeds; each address once, with the categories of all places it is in.
    pub entries: Vec<Entry>,
    /// What is wrong with entries that were left out, at most [`PROBLEMS`].
    pub problems: Vec<String>,
}

/// Why a document is not read as a list of feeds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpmlError {
    /// It is larger than any list has reason to be.
    #[error("the list is {0} bytes long; at most {OPML_BYTES} are read")]
    TooLarge(usize),
    /// Its folders lie deeper in each other than any list's do.
    #[error("the list's folders are nested more than {DEPTH} deep")]
    TooDeep,
    /// It declares entities of its own, which may be bombs or reach for files.
    #[error("the list declares its own entities, which are never read")]
    Entities,
    /// It is something else.
    #[error("this is not OPML: {0}")]
    NoOpml(String),
}

/// Reads a list.
///
/// # Errors
/// When it is too large, hostile, or no OPML at all.
pub fn read(bytes: &[u8]) -> Result<List, OpmlError> {
    if bytes.len() > OPML_BYTES {
        return Err(OpmlError::TooLarge(bytes.len()));
    }
    let (text, _) = probity_web::extract::decode(bytes, None);
    let mut xml = Reader::from_str(text.trim_start_matches('\u{feff}').trim_start());
    xml.config_mut().allow_dangling_amp = true;
    xml.config_mut().check_end_names = false;
    let mut reading = Reading::default();
    loop {
        match xml.read_event() {
            Ok(Event::Start(tag)) => reading.open(&tag, false)?,
            Ok(Event::Empty(tag)) => reading.open(&tag, true)?,
            Ok(Event::End(tag)) if tag.name().0 == "outline" => {
                reading.folders.pop();
            }
            Ok(Event::DocType(declaration)) if declaration.contains('[') => {
                return Err(OpmlError::Entities);
            }
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) => {
                reading.complain(format!("the list breaks off: {error}"));
                break;
            }
        }
        if reading.list.entries.len() >= ENTRIES {
            reading.complain(format!("only the first {ENTRIES} feeds were read"));
            break;
        }
    }
    match reading.is_opml {
        true => Ok(reading.list),
        false => Err(OpmlError::NoOpml("no <opml> was found".to_owned())),
    }
}

#[derive(Default)]
struct Reading {
    list: List,
    /// The open outlines; those that are folders have a name.
    folders: Vec<Option<String>>,
    places: std::collections::HashMap<String, usize>,
    is_opml: bool,
    begun: bool,
}

impl Reading {
    fn open(&mut self, tag: &BytesStart<'_>, empty: bool) -> Result<(), OpmlError> {
        let name = tag.name().0;
        if !self.begun {
            self.begun = true;
            if name != "opml" {
                let name: String = name.chars().take(40).collect();
                return Err(OpmlError::NoOpml(format!("the document is a <{name}>")));
            }
            self.is_opml = true;
        }
        if name != "outline" {
            return Ok(());
        }
        let value = |name: &str| {
            let found = tag
                .attributes()
                .flatten()
                .find(|attribute| attribute.key.0.eq_ignore_ascii_case(name))?;
            let value = found.value.trim();
            (!value.is_empty()).then(|| clean::plain(value, 4_000))
        };
        let title = value("title").or_else(|| value("text")).unwrap_or_default();
        let address = value("xmlUrl");
        if let Some(address) = &address {
            self.entry(address, &title, value("htmlUrl"), value("category"));
        } else if empty {
            self.complain(format!("`{}` names no feed (xmlUrl is missing)", brief(&title)));
        }
        if !empty {
            if self.folders.len() >= DEPTH {
                return Err(OpmlError::TooDeep);
            }
            let folder = address.is_none().then(|| clean::plain(&title, NAME_CHARS));
            self.folders.push(folder.filter(|name| !name.is_empty()));
        }
        Ok(())
    }

    fn entry(&mut self, address: &str, title: &str, site: Option<String>, named: Option<String>) {
        let url = match WebUrl::parse(address) {
            Ok(url) => url,
            Err(error) => {
                self.complain(format!("`{}`: {error}", brief(address)));
                return;
            }
        };
        let mut categories: Vec<String> = self.folders.iter().flatten().cloned().collect();
        for name in named.unwrap_or_default().split([',', '/']) {
            let name = clean::plain(name, NAME_CHARS);
            if !name.is_empty() {
                categories.push(name);
            }
        }
        let next = self.list.entries.len();
        let place = *self.places.entry(url.to_string()).or_insert(next);
        if let Some(known) = self.list.entries.get_mut(place) {
            known.categories.extend(categories);
            dedup(&mut known.categories);
        } else {
            dedup(&mut categories);
            self.list.entries.push(Entry { url, title: title.to_owned(), site, categories });
        }
    }

    fn complain(&mut self, problem: String) {
        if self.list.problems.len() < PROBLEMS {
            self.list.problems.push(problem);
        }
    }
}

fn brief(text: &str) -> String {
    probity_core::printable::brief(text, 80)
}

/// Takes repetitions out; the first of each stays.
fn dedup(names: &mut Vec<String>) {
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
}

/// Writes a list, each feed in the folder of its first category, the others named beside it.
pub fn write(title: &str, entries: &[Entry]) -> String {
    let mut text =
        String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n");
    let _ = writeln!(text, "  <head><title>{}</title></head>\n  <body>", attribute(title));
    let mut folders: std::collections::BTreeMap<Option<&String>, Vec<&Entry>> = Default::default();
    for entry in entries {
        folders.entry(entry.categories.first()).or_default().push(entry);
    }
    for (folder, entries) in folders {
        if let Some(folder) = folder {
            let name = attribute(folder);
            let _ = writeln!(text, "    <outline text=\"{name}\" title=\"{name}\">");
        }
        for entry in entries {
            outline(&mut text, entry, folder.is_some());
        }
        if folder.is_some() {
            text.push_str("    </outline>\n");
        }
    }
    text.push_str("  </body>\n</opml>\n");
    text
}

fn outline(text: &mut String, entry: &Entry, inside: bool) {
    let indent = if inside { "      " } else { "    " };
    let title = if entry.title.is_empty() { entry.url.as_str() } else { &entry.title };
    let (title, url) = (attribute(title), attribute(entry.url.as_str()));
    let _ = write!(
        text,
        "{indent}<outline type=\"rss\" text=\"{title}\" title=\"{title}\" xmlUrl=\"{url}\""
    );
    if let Some(site) = &entry.site {
        let _ = write!(text, " htmlUrl=\"{}\"", attribute(site));
    }
    let others = entry.categories.get(1..).unwrap_or_default();
    if !others.is_empty() {
        let _ = write!(text, " category=\"{}\"", attribute(&others.join(",")));
    }
    text.push_str("/>\n");
}

/// A text inside an attribute or an element: escaped, and without what XML cannot hold.
fn attribute(text: &str) -> String {
    let clean: String = text
        .chars()
        .map(|c| if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { ' ' } else { c })
        .collect();
    escape(&clean).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn folders_become_categories_and_bad_entries_are_told_of() {
        let text = r#"<?xml version="1.0"?><opml version="1.1"><head><title>Mine</title></head><body>
            <outline text="Energy"><outline text="Wind &amp; sun">
              <outline type="rss" text="A" xmlUrl="https://a.example/feed?x=1&amp;y=2" htmlUrl="https://a.example/"/>
              <outline text="bad" xmlUrl="ftp://b.example/"/>
              <outline text="empty"/></outline></outline>
            <outline title="C" xmlurl="https://c.example/" category="/Boating,Trade"/>
            <outline text="Energy"><outline text="again" xmlUrl="https://c.example/"/></outline>
            </body></opml>"#;
        let list = read(text.as_bytes()).unwrap();
        let [a, c] = &list.entries[..] else { panic!("{list:?}") };
        assert_eq!(a.url.as_str(), "https://a.example/feed?x=1&y=2");
        assert_eq!(a.categories, ["Energy", "Wind & sun"]);
        assert_eq!(
            (c.title.as_str(), &c.categories[..]),
            ("C", &["Boating", "Trade", "Energy"].map(String::from)[..])
        );
        assert_eq!(list.problems.len(), 2);
    }

    #[test]
    fn bombs_and_towers_are_refused_and_other_documents_too() {
        let bomb = "<!DOCTYPE o [<!ENTITY a 'a'>]><opml><body/></opml>";
        assert_eq!(read(bomb.as_bytes()), Err(OpmlError::Entities));
        let tower = format!("<opml><body>{}", "<outline text='x'>".repeat(10_000));
        assert_eq!(read(tower.as_bytes()), Err(OpmlError::TooDeep));
        assert!(matches!(read(b"<rss/>"), Err(OpmlError::NoOpml(_))));
        assert!(matches!(read(b"hello"), Err(OpmlError::NoOpml(_))));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(
            titles in prop::collection::vec("[^\\p{C}<&]{0,20}", 1..6),
            names in prop::collection::vec("[a-zA-Z&'\" äß]{1,8}", 0..3),
        ) {
            let mut names: Vec<String> =
                names.iter().map(|n| clean::plain(n, NAME_CHARS)).filter(|n| !n.is_empty()).collect();
            dedup(&mut names);
            let entries: Vec<Entry> = titles.iter().enumerate().map(|(n, title)| Entry {
                url: WebUrl::parse(&format!("https://a.example/{n}?a=1&b=2")).unwrap(),
                title: clean::plain(title, 200),
                site: Some("https://a.example/?x=\"'".to_owned()),
                categories: names.clone(),
            }).collect();
            let list = read(write("Mine", &entries).as_bytes()).unwrap();
            prop_assert_eq!(list.entries.len(), entries.len());
            for (read, written) in list.entries.iter().zip(&entries) {
                prop_assert_eq!(&read.url, &written.url);
                prop_assert_eq!(&read.categories, &written.categories);
                if !written.title.is_empty() {
                    prop_assert_eq!(&read.title, &written.title);
                }
            }
        }

        #[test]
        fn no_bytes_break_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = read(&bytes);
        }
    }
}
