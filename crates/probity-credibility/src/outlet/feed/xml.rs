//! An RSS `<item>` or Atom `<entry>`: names matched by namespace, nothing expanded, nothing loaded.

use probity_core::WebUrl;
use quick_xml::NsReader;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::ResolveResult;

use super::json::absolute;
use super::{ADDRESSES, FeedItem, FeedItemError};
use crate::outlet::html::{decode_entities, entity};

/// How deep elements may lie in each other.
const DEPTH: usize = 64;

/// How many namespaces may be declared at once.
const NAMESPACES: usize = 64;

/// Whose names an element uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Vocabulary {
    /// RSS in any of its versions, or no namespace at all.
    Rss,
    Atom,
    FeedBurner,
    Content,
    Other,
}

impl Vocabulary {
    const ATOM: &str = "http://www.w3.org/2005/Atom";
    const FEEDBURNER: &str = "http://rssnamespace.org/feedburner/ext/1.0";
    const CONTENT: &str = "http://purl.org/rss/1.0/modules/content/";

    fn of(name: &ResolveResult<'_>) -> Self {
        match name {
            ResolveResult::Unbound => Self::Rss,
            ResolveResult::Bound(namespace) => Self::by_uri(namespace.0),
            // An item cut out of its feed has lost the declarations; custom names its prefixes.
            ResolveResult::Unknown(prefix) => match prefix.as_str() {
                "atom" => Self::Atom,
                "feedburner" => Self::FeedBurner,
                "content" => Self::Content,
                _ => Self::Other,
            },
        }
    }

    fn by_uri(uri: &str) -> Self {
        match uri {
            Self::ATOM | "http://purl.org/atom/ns#" => Self::Atom,
            Self::FEEDBURNER => Self::FeedBurner,
            Self::CONTENT => Self::Content,
            "http://purl.org/rss/1.0/"
            | "http://my.netscape.com/rdf/simple/0.9/"
            | "http://channel.netscape.com/rdf/simple/0.9/"
            | "http://backend.userland.com/rss2"
            | "http://backend.userland.com/RSS2"
            | "http://blogs.law.harvard.edu/tech/rss" => Self::Rss,
            _ => Self::Other,
        }
    }
}

/// A field whose text is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Link,
    Permalink,
    Original,
    Body,
    Ignored,
}

struct ItemReader {
    item: FeedItem,
    /// How many elements are open.
    depth: usize,
    /// The depth of the item's own element, once it was found.
    item_depth: Option<usize>,
    /// Inside Atom's `<source>`.
    in_source: bool,
    /// How many of the alternate links are web pages.
    pages: usize,
    field: Option<Field>,
    text: String,
    /// The bases in force, with the depth of the element that set each.
    bases: Vec<(usize, WebUrl)>,
}

pub(super) fn read(text: &str, base: Option<&WebUrl>) -> Result<FeedItem, FeedItemError> {
    let mut xml = NsReader::from_str(text);
    let config = xml.config_mut();
    config.expand_empty_elements = true;
    config.allow_dangling_amp = true;
    xml.resolver_mut().set_max_namespace_bindings(NAMESPACES);
    let mut reader = ItemReader {
        item: FeedItem::default(),
        depth: 0,
        item_depth: None,
        in_source: false,
        pages: 0,
        field: None,
        text: String::new(),
        bases: base.map(|base| (0, base.clone())).into_iter().collect(),
    };
    loop {
        let event = xml.read_event().map_err(|error| FeedItemError::Xml(error.to_string()))?;
        match event {
            Event::Start(start) => {
                let (namespace, _) = xml.resolver().resolve_element(start.name());
                reader.open(&start, Vocabulary::of(&namespace))?;
            }
            Event::End(end) if reader.close(end.name().0) => return Ok(reader.item),
            Event::Text(text) => reader.push(&text.xml10_content()),
            Event::CData(data) => reader.push(&data.xml10_content()),
            Event::GeneralRef(reference) => match entity(&reference) {
                Some(c) => reader.push(c.encode_utf8(&mut [0; 4])),
                None => reader.push(&format!("&{};", &*reference)),
            },
            Event::DocType(declaration) if declaration.contains('[') => {
                return Err(FeedItemError::Entities);
            }
            Event::Eof => return Err(FeedItemError::NoItem),
            _ => {}
        }
    }
}

impl ItemReader {
    fn open(&mut self, start: &BytesStart<'_>, names: Vocabulary) -> Result<(), FeedItemError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(FeedItemError::TooDeep(DEPTH));
        }
        if let Some(base) = attribute(start, "xml:base") {
            let base = match self.base() {
                Some(outer) => outer.join(&base).ok(),
                None => WebUrl::parse(&base).ok(),
            };
            self.bases.extend(base.map(|base| (self.depth, base)));
        }
        let local = start.local_name();
        let name = local.as_ref();
        match self.item_depth {
            None => {
                let is_item = name == "item" && names == Vocabulary::Rss
                    || name == "entry" && matches!(names, Vocabulary::Rss | Vocabulary::Atom);
                self.item_depth = is_item.then_some(self.depth);
            }
            Some(item) if self.depth == item + 1 => self.open_field(start, name, names),
            Some(item) if self.depth == item + 2 && self.in_source => {
                if name == "link" && matches!(names, Vocabulary::Atom | Vocabulary::Rss) {
                    self.source_link(start);
                }
            }
            // Markup inside a text counts as part of it, so that its links are found.
            Some(_) if self.field == Some(Field::Body) => {
                let (name, rest) = (start.name(), start.attributes_raw());
                self.text.push_str(&format!("<{} {}>", name.0, rest));
            }
            Some(_) => {}
        }
        Ok(())
    }

    fn open_field(&mut self, start: &BytesStart<'_>, name: &str, names: Vocabulary) {
        use Vocabulary::{Atom, Content, FeedBurner, Rss};
        self.text.clear();
        let field = match (name, names) {
            ("link", Rss | Atom) if attribute(start, "href").is_some() => {
                self.atom_link(start);
                Field::Ignored
            }
            ("link", Rss) => Field::Link,
            ("guid", Rss) => {
                let mark = attribute(start, "isPermaLink").unwrap_or_default();
                let is_tag = mark.trim().eq_ignore_ascii_case("false");
                if is_tag { Field::Ignored } else { Field::Permalink }
            }
            ("origLink", FeedBurner) => Field::Original,
            ("source", Rss) => {
                self.item.source = self.item.source.take().or_else(|| attribute(start, "url"));
                self.in_source = true;
                Field::Ignored
            }
            ("source", Atom) => {
                self.in_source = true;
                Field::Ignored
            }
            ("description", Rss) | ("summary" | "content", Rss | Atom) | ("encoded", Content) => {
                Field::Body
            }
            _ => Field::Ignored,
        };
        self.field = Some(field);
    }

    /// `<link rel href type>` of Atom; a missing `rel` means alternate.
    fn atom_link(&mut self, start: &BytesStart<'_>) {
        let Some(href) = self.href(start) else { return };
        let kind = attribute(start, "type").unwrap_or_default();
        let is_page = kind.is_empty() || kind.contains("html");
        match relation(start).as_str() {
            "alternate" if self.item.alternates.len() < ADDRESSES => {
                // A reader's page goes before other forms of the same entry.
                let end = self.item.alternates.len();
                self.item.alternates.insert(if is_page { self.pages } else { end }, href);
                self.pages += usize::from(is_page);
            }
            "via" if self.item.via.len() < ADDRESSES => self.item.via.push(href),
            _ => {}
        }
    }

    fn source_link(&mut self, start: &BytesStart<'_>) {
        let relation = relation(start);
        if relation == "alternate" || (relation == "self" && self.item.source.is_none()) {
            self.item.source = self.href(start).or_else(|| self.item.source.take());
        }
    }

    fn href(&self, start: &BytesStart<'_>) -> Option<String> {
        let href = attribute(start, "href")?;
        let href = href.trim();
        (!href.is_empty()).then(|| absolute(href, self.base()))
    }

    fn base(&self) -> Option<&WebUrl> {
        self.bases.last().map(|(_, base)| base)
    }

    fn push(&mut self, text: &str) {
        if self.field.is_some_and(|field| field != Field::Ignored) {
            self.text.push_str(text);
        }
    }

    /// Ends an element; true when it was the item itself.
    fn close(&mut self, name: &str) -> bool {
        let depth = self.depth;
        self.depth = depth.saturating_sub(1);
        let is_field = self.item_depth.is_some_and(|item| depth == item + 1);
        if is_field {
            self.in_source = false;
            self.keep_field();
        } else if self.field == Some(Field::Body) {
            self.text.push_str(&format!("</{name}>"));
        }
        while self.bases.last().is_some_and(|(set_at, _)| *set_at >= depth && *set_at > 0) {
            self.bases.pop();
        }
        self.item_depth == Some(depth)
    }

    fn keep_field(&mut self) {
        let Some(field) = self.field.take() else { return };
        let text = self.text.trim();
        if text.is_empty() {
            return;
        }
        let slot = match field {
            Field::Link => &mut self.item.link,
            Field::Permalink => &mut self.item.permalink,
            Field::Original => &mut self.item.original,
            Field::Body => return self.item.body.push_str(text),
            Field::Ignored => return,
        };
        if slot.is_none() {
            let base = self.bases.last().map(|(_, base)| base).filter(|_| field == Field::Link);
            *slot = Some(absolute(text, base));
        }
    }
}

fn relation(start: &BytesStart<'_>) -> String {
    const REGISTRY: &str = "http://www.iana.org/assignments/relation/";
    let relation = attribute(start, "rel").unwrap_or_default().trim().to_ascii_lowercase();
    match relation.strip_prefix(REGISTRY).unwrap_or(&relation) {
        "" => "alternate".to_owned(),
        relation => relation.to_owned(),
    }
}

fn attribute(start: &BytesStart<'_>, name: &str) -> Option<String> {
    start
        .attributes()
        .with_checks(false)
        .filter_map(Result::ok)
        .find(|attribute| attribute.key.0 == name)
        .map(|attribute| decode_entities(&attribute.value))
}
