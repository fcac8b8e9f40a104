//! RSS and Atom: items are cut out of the document, then each is read by itself.

use probity_core::{WebUrl, counted};
use probity_credibility::outlet::FeedItem;
use probity_web::search::clean;
use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::{Feed, FeedError, Format, ITEMS, Item, fields};

/// How deep elements may lie in each other.
const DEPTH: usize = 64;
/// The longest opening tag of a feed that items are read under, in bytes.
const ROOT_BYTES: usize = 16 * 1024;
/// The fields of a feed itself that are read.
const FIELDS: &[&str] = &["title", "link", "ttl", "sy:updatePeriod", "sy:updateFrequency"];
/// How much of one field is kept, in bytes.
const FIELD_BYTES: usize = 64 * 1024;

fn reader(text: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.allow_dangling_amp = true;
    config.check_end_names = false;
    reader
}

/// A document on its way through: where it is, and what was found.
struct Cutting<'a> {
    text: &'a str,
    base: Option<&'a WebUrl>,
    /// The opening tag of the document, with the namespaces that items rely on.
    root: &'a str,
    format: Option<Format>,
    depth: usize,
    /// Where the item begins that is being passed, and at which depth.
    item: Option<(usize, usize)>,
    /// The field of the feed itself that is being passed: its name, where its text begins, its depth.
    field: Option<(&'static str, usize, usize)>,
    /// What the feed says of how often it changes: `ttl`, `updatePeriod`, `updateFrequency`.
    says: [String; 3],
    feed: Feed,
}

/// Reads RSS or Atom.
pub(super) fn read(text: &str, base: Option<&WebUrl>) -> Result<Feed, FeedError> {
    let mut xml = reader(text);
    let empty = Feed {
        format: Format::Rss,
        title: String::new(),
        site: None,
        refresh: None,
        items: Vec::new(),
        problem: None,
    };
    let mut cutting = Cutting {
        text,
        base,
        root: "",
        format: None,
        depth: 0,
        item: None,
        field: None,
        says: Default::default(),
        feed: empty,
    };
    loop {
        let before = usize::try_from(xml.buffer_position()).unwrap_or(usize::MAX);
        let event = xml.read_event();
        let after = usize::try_from(xml.buffer_position()).unwrap_or(usize::MAX);
        match event {
            Ok(Event::Start(start)) => cutting.open(start.name().0, before, after)?,
            Ok(Event::Empty(tag)) => cutting.link(&tag),
            Ok(Event::End(_)) => cutting.close(before, after),
            Ok(Event::DocType(declaration)) if declaration.contains('[') => {
                return Err(FeedError::Entities);
            }
            Ok(Event::Eof) => {
                cutting.feed.problem = cutting.left_open();
                break;
            }
            Ok(_) => {}
            Err(error) => {
                cutting.feed.problem = Some(format!("the feed breaks off: {error}"));
                break;
            }
        }
        if cutting.feed.items.len() >= ITEMS {
            cutting.feed.problem = Some(format!("only the first {ITEMS} items were read"));
            break;
        }
    }
    let [ttl, period, times] = &cutting.says;
    let refresh = fields::refresh(ttl, period, times);
    match cutting.format {
        Some(format) => Ok(Feed { format, refresh, ..cutting.feed }),
        None => Err(FeedError::NoFeed("no <rss>, <rdf:RDF> or <feed> was found".to_owned())),
    }
}

impl Cutting<'_> {
    fn open(&mut self, name: &str, before: usize, after: usize) -> Result<(), FeedError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(FeedError::TooDeep(DEPTH));
        }
        let local = name.rsplit(':').next().unwrap_or(name);
        if self.depth == 1 {
            self.format = match local {
                "rss" | "channel" => Some(Format::Rss),
                "RDF" => Some(Format::Rdf),
                "feed" => Some(Format::Atom),
                other => {
                    let name: String = other.chars().take(40).collect();
                    return Err(FeedError::NoFeed(format!("the document is a <{name}>")));
                }
            };
            self.root = self.text.get(before..after).unwrap_or_default();
        } else if self.item.is_none() && matches!(local, "item" | "entry") {
            self.item = Some((before, self.depth));
        } else if self.item.is_none() && self.field.is_none() && self.depth <= 3 {
            let field = FIELDS.iter().find(|field| **field == name);
            self.field = field.map(|field| (*field, after, self.depth));
        }
        Ok(())
    }

    fn close(&mut self, before: usize, after: usize) {
        if let Some((start, depth)) = self.item
            && depth == self.depth
        {
            let text = self.text.get(start..after).unwrap_or_default();
            let item = item(text, self.root, self.base);
            self.feed.items.push(item);
            self.item = None;
        } else if let Some((name, start, depth)) = self.field
            && depth == self.depth
        {
            let markup = self.text.get(start..before).unwrap_or_default();
            self.take(name, content(markup));
            self.field = None;
        }
        self.depth = self.depth.saturating_sub(1);
    }

    /// What the end of the document leaves open: its rest did not arrive.
    fn left_open(&self) -> Option<String> {
        let within = if self.item.is_some() { " within an item" } else { "" };
        let before = counted(self.feed.items.len(), "whole item", "whole items");
        (self.depth > 0).then(|| format!("the feed breaks off{within}, after {before}"))
    }

    /// Takes a field of the feed itself; the first of a name counts.
    fn take(&mut self, name: &str, text: String) {
        let [ttl, period, times] = &mut self.says;
        match name {
            "title" if self.feed.title.is_empty() => self.feed.title = clean::title(&text),
            "link" if self.feed.site.is_none() && !text.trim().is_empty() => {
                self.feed.site = Some(text.trim().to_owned());
            }
            "ttl" => *ttl = text,
            "sy:updatePeriod" => *period = text,
            "sy:updateFrequency" => *times = text,
            _ => {}
        }
    }

    /// Atom's link of the feed to its page.
    fn link(&mut self, tag: &BytesStart<'_>) {
        if self.item.is_some() || self.depth != 1 || tag.name().0 != "link" {
            return;
        }
        let value = |name: &str| {
            let found = tag.attributes().flatten().find(|attribute| attribute.key.0 == name);
            found.map(|attribute| content(&attribute.value))
        };
        if self.feed.site.is_none() && value("rel").is_none_or(|rel| rel == "alternate") {
            self.feed.site = value("href");
        }
    }
}

/// The text of an element's content, as XML means it.
fn content(markup: &str) -> String {
    let mut xml = reader(markup);
    let mut text = String::new();
    while let Ok(event) = xml.read_event() {
        match event {
            Event::Eof => break,
            event => push(&mut text, &event),
        }
    }
    text
}

fn push(text: &mut String, event: &Event<'_>) {
    if text.len() > FIELD_BYTES {
        return;
    }
    match event {
        Event::Text(more) => text.push_str(&more.xml10_content()),
        Event::CData(more) => text.push_str(&more.xml10_content()),
        Event::GeneralRef(reference) => text.push_str(&entity(reference)),
        _ => {}
    }
}

/// A reference as XML means it; others stay as they are, for the HTML reader.
fn entity(reference: &BytesRef<'_>) -> String {
    if let Ok(Some(c)) = reference.resolve_char_ref() {
        return c.to_string();
    }
    let name = &**reference;
    resolve_xml_entity(name).map_or_else(|| format!("&{name};"), str::to_owned)
}

/// The fields of an item while it is read; of each, the best that was found.
#[derive(Default)]
struct Fields {
    title: String,
    guid: String,
    published: String,
    updated: String,
    summary: String,
    body: String,
    author: String,
    creator: String,
}

impl Fields {
    fn of(&mut self, name: &str) -> Option<&mut String> {
        let field = match name {
            "title" => &mut self.title,
            "guid" | "id" | "atom:id" => &mut self.guid,
            "pubDate" | "published" | "issued" | "atom:published" => &mut self.published,
            "updated" | "modified" | "dc:date" | "dcterms:date" | "date" | "atom:updated" => {
                &mut self.updated
            }
            "description" | "summary" => &mut self.summary,
            "content" | "content:encoded" => &mut self.body,
            "author" => &mut self.author,
            "dc:creator" => &mut self.creator,
            _ => return None,
        };
        field.is_empty().then_some(field)
    }
}

fn item(text: &str, root: &str, base: Option<&WebUrl>) -> Item {
    let fields = fields_of(text);
    let summary = if fields.summary.trim().is_empty() { &fields.body } else { &fields.summary };
    let published = fields::time(&fields.published).or_else(|| fields::time(&fields.updated));
    let guid = fields.guid.trim();
    Item {
        guid: (!guid.is_empty()).then(|| guid.to_owned()),
        title: clean::title(&fields.title),
        summary: clean::snippet(summary),
        published,
        author: fields::author(&fields.creator).or_else(|| fields::author(&fields.author)),
        addresses: addresses(text, root, base),
    }
}

/// The addresses of an item, read under the opening tag of its feed, which declares its namespaces.
fn addresses(text: &str, root: &str, base: Option<&WebUrl>) -> FeedItem {
    let under = if root.len() <= ROOT_BYTES { root } else { "" };
    FeedItem::parse(&format!("{under}{text}"), base).unwrap_or_default()
}

fn fields_of(text: &str) -> Fields {
    let mut xml = reader(text);
    let mut fields = Fields::default();
    let mut depth = 0_usize;
    let mut open: Option<String> = None;
    let mut found = String::new();
    // Of an author in Atom only the name counts, not the address beside it.
    let mut unwanted = false;
    while let Ok(event) = xml.read_event() {
        match &event {
            Event::Start(start) => {
                depth += 1;
                if depth == 2 {
                    open = Some(start.name().0.to_owned());
                    found.clear();
                }
                let in_author = depth == 3 && open.as_deref() == Some("author");
                unwanted = in_author && start.name().0 != "name";
            }
            Event::End(_) => {
                if depth == 2
                    && let Some(field) = open.take().and_then(|name| fields.of(&name))
                {
                    *field = std::mem::take(&mut found);
                }
                depth = depth.saturating_sub(1);
                unwanted = false;
            }
            Event::Eof => break,
            event if depth >= 2 && !unwanted => push(&mut found, event),
            _ => {}
        }
    }
    fields
}
