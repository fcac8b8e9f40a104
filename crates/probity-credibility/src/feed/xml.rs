//! RSS and Atom: one pass over the document.

use probity_core::{WebUrl, counted};
use quick_xml::NsReader;
use quick_xml::events::{BytesStart, Event};

use super::names::{Field, Vocabulary};
use super::{ADDRESSES, Feed, FeedError, FeedItem, Format, ITEM_BYTES, absolute};
use crate::outlet::{decode_entities, entity};

/// How deep elements may lie in each other.
const DEPTH: usize = 64;

/// How many namespaces may be declared at once.
const NAMESPACES: usize = 64;

/// The longest name of another document's element that is repeated, in characters.
const NAME_CHARS: usize = 40;

/// A document on its way through: where it is, and what was found.
#[derive(Default)]
struct FeedReader {
    feed: Feed,
    /// Whether the outermost element was seen.
    begun: bool,
    /// How many elements are open.
    depth: usize,
    /// The depth of the element that holds the feed's own fields.
    channel: Option<usize>,
    /// The item that is being read, and the depth of its element.
    item: Option<(usize, FeedItem)>,
    /// How many of the item's alternate links are web pages.
    pages: usize,
    /// Inside the item's `<source>`.
    in_source: bool,
    /// The field whose text is being read, and the depth of its element.
    field: Option<(usize, Field)>,
    /// Beside the name of an author, in Atom.
    beside_name: bool,
    text: String,
    /// The bases in force, with the depth of the element that set each.
    bases: Vec<(usize, WebUrl)>,
}

/// Reads RSS or Atom, at most a number of items.
pub(super) fn read(text: &str, base: Option<&WebUrl>, most: usize) -> Result<Feed, FeedError> {
    let mut xml = NsReader::from_str(text);
    let config = xml.config_mut();
    config.expand_empty_elements = true;
    config.allow_dangling_amp = true;
    config.check_end_names = false;
    xml.resolver_mut().set_max_namespace_bindings(NAMESPACES);
    let bases = base.map(|base| (0, base.clone())).into_iter().collect();
    let mut reader = FeedReader { bases, ..FeedReader::default() };
    loop {
        match xml.read_event() {
            Ok(Event::Start(start)) => {
                let (namespace, _) = xml.resolver().resolve_element(start.name());
                let prefix = start.name().prefix().map(|prefix| prefix.into_inner());
                reader.open(&start, Vocabulary::of(&namespace, prefix))?;
            }
            Ok(Event::End(end)) => reader.close(end.name().0),
            Ok(Event::Text(text)) => reader.push(&text.xml10_content()),
            Ok(Event::CData(data)) => reader.push(&data.xml10_content()),
            Ok(Event::GeneralRef(reference)) => match entity(&reference) {
                Some(c) => reader.push(c.encode_utf8(&mut [0; 4])),
                // Others stay as they are, for whoever reads the HTML.
                None => reader.push(&format!("&{};", &*reference)),
            },
            Ok(Event::DocType(declaration)) if declaration.contains('[') => {
                return Err(FeedError::Entities);
            }
            Ok(Event::Eof) => {
                reader.feed.problem = reader.left_open();
                break;
            }
            Ok(_) => {}
            Err(error) => {
                reader.feed.problem = Some(format!("the feed breaks off: {error}"));
                break;
            }
        }
        if reader.feed.items.len() >= most {
            reader.feed.problem = Some(format!("only the first {most} items were read"));
            break;
        }
    }
    if reader.begun {
        return Ok(reader.feed);
    }
    let nothing = || "no <rss>, <rdf:RDF> or <feed> was found".to_owned();
    Err(FeedError::NoFeed(reader.feed.problem.unwrap_or_else(nothing)))
}

impl FeedReader {
    fn open(&mut self, start: &BytesStart<'_>, names: Vocabulary) -> Result<(), FeedError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(FeedError::TooDeep(DEPTH));
        }
        self.note_base(start);
        let local = start.local_name();
        let name = local.as_ref();
        if self.depth == 1 {
            self.open_root(name)?;
        }
        if let Some((at, field)) = self.field {
            self.open_inside(start, name, at, field);
            return Ok(());
        }
        match self.item.as_ref().map(|(item, _)| self.depth - item) {
            None => self.open_outside(start, name, names),
            Some(1) => self.open_field(start, name, names),
            Some(2) if self.in_source && name == "link" && names.has_links() => {
                self.source_link(start);
            }
            Some(_) => {}
        }
        Ok(())
    }

    /// The outermost element says what the document is.
    fn open_root(&mut self, name: &str) -> Result<(), FeedError> {
        self.feed.format = match name {
            "rss" | "channel" => Some(Format::Rss),
            "RDF" => Some(Format::Rdf),
            "feed" => Some(Format::Atom),
            "item" | "entry" => None,
            other => {
                let name: String = other.chars().take(NAME_CHARS).collect();
                return Err(FeedError::NoFeed(format!("the document is a <{name}>")));
            }
        };
        self.begun = true;
        Ok(())
    }

    /// An element outside of any item: one that holds items, an item, or a field of the feed itself.
    fn open_outside(&mut self, start: &BytesStart<'_>, name: &str, names: Vocabulary) {
        match name {
            "channel" | "feed" => {
                self.channel.get_or_insert(self.depth);
            }
            "item" | "entry" if names.has_links() => {
                self.item = Some((self.depth, FeedItem::default()));
                (self.pages, self.in_source) = (0, false);
            }
            _ if self.channel.is_none_or(|channel| channel + 1 != self.depth) => {}
            "link" if names.has_links() && attribute(start, "href").is_some() => {
                if self.feed.site.is_none() && relation(start) == "alternate" {
                    self.feed.site = attribute(start, "href");
                }
            }
            _ => self.field = Field::of_feed(name, names).map(|field| (self.depth, field)),
        }
    }

    /// An element directly inside an item.
    fn open_field(&mut self, start: &BytesStart<'_>, name: &str, names: Vocabulary) {
        let field = match name {
            "link" if names.has_links() && attribute(start, "href").is_some() => {
                return self.atom_link(start);
            }
            "source" if names.has_links() => {
                self.in_source = true;
                let named = attribute(start, "url").filter(|_| names == Vocabulary::Rss);
                if let Some((_, item)) = &mut self.item {
                    item.source = item.source.take().or(named);
                }
                return;
            }
            "guid" if attribute(start, "isPermaLink").is_some_and(|mark| is_false(&mark)) => {
                Field::of_item("id", names)
            }
            _ => Field::of_item(name, names),
        };
        self.field = field.map(|field| (self.depth, field));
    }

    /// An element inside a field. Markup inside a text counts as part of it, so that its links are found.
    fn open_inside(&mut self, start: &BytesStart<'_>, name: &str, at: usize, field: Field) {
        if field.is_markup() {
            self.push(&format!("<{} {}>", start.name().0, start.attributes_raw()));
        }
        if field == Field::Author && self.depth == at + 1 {
            self.beside_name = name != "name";
        }
    }

    fn note_base(&mut self, start: &BytesStart<'_>) {
        let Some(base) = attribute(start, "xml:base") else { return };
        let base = match self.base() {
            Some(outer) => outer.join(&base).ok(),
            None => WebUrl::parse(&base).ok(),
        };
        self.bases.extend(base.map(|base| (self.depth, base)));
    }

    /// `<link rel href type>` of Atom; a missing `rel` means alternate.
    fn atom_link(&mut self, start: &BytesStart<'_>) {
        let Some(href) = self.href(start) else { return };
        let Some((_, item)) = &mut self.item else { return };
        let kind = attribute(start, "type").unwrap_or_default();
        let is_page = kind.is_empty() || kind.contains("html");
        match relation(start).as_str() {
            "alternate" if item.alternates.len() < ADDRESSES => {
                // A reader's page goes before other forms of the same entry.
                let end = item.alternates.len();
                item.alternates.insert(if is_page { self.pages } else { end }, href);
                self.pages += usize::from(is_page);
            }
            "via" if item.via.len() < ADDRESSES => item.via.push(href),
            _ => {}
        }
    }

    fn source_link(&mut self, start: &BytesStart<'_>) {
        let href = self.href(start);
        let Some((_, item)) = &mut self.item else { return };
        let relation = relation(start);
        if relation == "alternate" || (relation == "self" && item.source.is_none()) {
            item.source = href.or_else(|| item.source.take());
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
        if self.field.is_some() && !self.beside_name && self.text.len() <= ITEM_BYTES {
            self.text.push_str(text);
        }
    }

    fn close(&mut self, name: &str) {
        match self.field {
            Some((at, field)) if at == self.depth => {
                self.field = None;
                self.beside_name = false;
                self.keep(field);
            }
            Some((at, field)) => {
                if field.is_markup() {
                    self.push(&format!("</{name}>"));
                }
                if self.depth == at + 1 {
                    self.beside_name = false;
                }
            }
            None => {}
        }
        match self.item.take() {
            Some((at, item)) if at == self.depth => self.feed.items.push(item),
            Some((at, item)) => {
                self.in_source &= self.depth != at + 1;
                self.item = Some((at, item));
            }
            None => {}
        }
        let depth = self.depth;
        while self.bases.last().is_some_and(|(set_at, _)| *set_at >= depth && *set_at > 0) {
            self.bases.pop();
        }
        self.depth = depth.saturating_sub(1);
    }

    /// Keeps a field that has ended; the first of a name that says something counts.
    fn keep(&mut self, field: Field) {
        let text = std::mem::take(&mut self.text);
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let link = absolute(text, self.base());
        let Some((_, item)) = &mut self.item else { return self.keep_own(field, text) };
        match field {
            Field::Link => return first(&mut item.link, &link),
            Field::Original => return first(&mut item.original, text),
            Field::Permalink => first(&mut item.permalink, text),
            _ => {}
        }
        let slot = match field {
            Field::Title => &mut item.title,
            Field::Guid | Field::Permalink => &mut item.guid,
            Field::Summary => &mut item.summary,
            Field::Content => &mut item.content,
            Field::Published => &mut item.published,
            Field::Updated => &mut item.updated,
            Field::Author => &mut item.author,
            Field::Creator => &mut item.creator,
            _ => return,
        };
        if slot.is_empty() {
            text.clone_into(slot);
        }
    }

    /// Keeps a field of the feed itself.
    fn keep_own(&mut self, field: Field, text: &str) {
        let slot = match field {
            Field::Link => return first(&mut self.feed.site, text),
            Field::Title => &mut self.feed.title,
            Field::Ttl => &mut self.feed.ttl,
            Field::UpdatePeriod => &mut self.feed.update_period,
            Field::UpdateFrequency => &mut self.feed.update_frequency,
            _ => return,
        };
        if slot.is_empty() {
            text.clone_into(slot);
        }
    }

    /// What the end of the document leaves open: its rest did not arrive.
    fn left_open(&self) -> Option<String> {
        let within = if self.item.is_some() { " within an item" } else { "" };
        let before = counted(self.feed.items.len(), "whole item", "whole items");
        (self.depth > 0).then(|| format!("the feed breaks off{within}, after {before}"))
    }
}

fn first(slot: &mut Option<String>, text: &str) {
    slot.get_or_insert_with(|| text.to_owned());
}

fn is_false(mark: &str) -> bool {
    mark.trim().eq_ignore_ascii_case("false")
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
