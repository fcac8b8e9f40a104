//! XML replies → a small tree that a parser can walk.
//!
//! Entities that a document defines for itself are not expanded, so there is nothing to blow up;
//! depth and size are bounded; and a document that breaks off keeps what came before the break.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::error::SearchError;

/// The deepest nesting; the replies we read need about ten.
const DEPTH: usize = 64;
/// The most elements and texts; a hundred papers with thousands of authors need fewer.
const NODES: usize = 400_000;

/// An element with all that it contains.
#[derive(Debug, Default)]
pub(crate) struct Element {
    /// The name without its prefix.
    pub(crate) name: String,
    attributes: Vec<(String, String)>,
    nodes: Vec<Node>,
    /// False when the document broke off inside it.
    pub(crate) complete: bool,
}

#[derive(Debug)]
enum Node {
    Element(Element),
    Text(String),
}

impl Element {
    /// The elements directly inside that have a name.
    pub(crate) fn children<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> + 'a {
        self.elements().filter(move |element| element.name == name)
    }

    /// All elements directly inside.
    pub(crate) fn elements(&self) -> impl Iterator<Item = &Element> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    /// The first element along a path of names.
    pub(crate) fn find(&self, path: &[&str]) -> Option<&Element> {
        path.iter().try_fold(self, |at, name| at.elements().find(|element| element.name == *name))
    }

    /// The text of the first element along a path of names, or the empty text.
    pub(crate) fn text_of(&self, path: &[&str]) -> String {
        self.find(path).map(Element::text).unwrap_or_default()
    }

    /// All text inside, markup taken away.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        self.write_text(&mut text);
        text
    }

    // Recursion is no deeper than `DEPTH`.
    fn write_text(&self, text: &mut String) {
        for node in &self.nodes {
            match node {
                Node::Text(run) => text.push_str(run),
                Node::Element(element) => element.write_text(text),
            }
        }
    }

    /// The value of an attribute, or the empty text.
    pub(crate) fn attribute(&self, name: &str) -> &str {
        self.attributes.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }
}

/// Reads a document whose outermost element has the given name.
pub(crate) fn parse(body: &[u8], root: &str) -> Result<Element, SearchError> {
    let text = String::from_utf8_lossy(body);
    let mut building = Building::default();
    let mut reader = Reader::from_str(&text);
    let broken = loop {
        match reader.read_event() {
            Ok(Event::Eof) => break None,
            Ok(event) => match building.take(event) {
                Ok(()) => {}
                Err(reason) => break Some(reason),
            },
            Err(error) => break Some(error.to_string()),
        }
    };
    let whole = building.finish();
    match whole {
        Some(element) if element.name == root => Ok(element),
        _ => {
            let reason = broken.unwrap_or_else(|| "it is another document".to_owned());
            Err(SearchError::malformed(format!("it is not XML with a `{root}` ({reason})")))
        }
    }
}

/// The elements that are open, outermost first, and the first that was closed.
#[derive(Default)]
struct Building {
    open: Vec<Element>,
    root: Option<Element>,
    nodes: usize,
}

impl Building {
    fn take(&mut self, event: Event<'_>) -> Result<(), String> {
        match event {
            Event::Start(tag) => self.open.push(element(&tag)),
            Event::Empty(tag) => {
                self.open.push(element(&tag));
                self.close(true);
            }
            Event::End(_) => self.close(true),
            Event::Text(text) => self.add_text(&text.xml10_content()),
            Event::CData(text) => self.add_text(&text.xml10_content()),
            Event::GeneralRef(reference) => match reference.resolve_char_ref() {
                Ok(Some(c)) => self.add_text(c.encode_utf8(&mut [0; 4])),
                // An entity we do not know stands for itself; cleaning knows HTML's.
                _ => self.add_text(&format!("&{};", reference.xml10_content())),
            },
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) | Event::Eof => {}
        }
        self.nodes += 1;
        if self.open.len() > DEPTH || self.nodes > NODES {
            return Err("it is larger or deeper than any reply should be".to_owned());
        }
        Ok(())
    }

    fn add_text(&mut self, text: &str) {
        let Some(element) = self.open.last_mut() else { return };
        match element.nodes.last_mut() {
            Some(Node::Text(run)) => run.push_str(text),
            _ => element.nodes.push(Node::Text(text.to_owned())),
        }
    }

    fn close(&mut self, complete: bool) {
        let Some(mut element) = self.open.pop() else { return };
        element.complete = complete;
        match self.open.last_mut() {
            Some(parent) => parent.nodes.push(Node::Element(element)),
            None => {
                self.root.get_or_insert(element);
            }
        }
    }

    fn finish(mut self) -> Option<Element> {
        while !self.open.is_empty() {
            self.close(false);
        }
        self.root
    }
}

fn element(tag: &BytesStart<'_>) -> Element {
    let attributes = tag
        .attributes()
        .with_checks(false)
        .flatten()
        .map(|attribute| {
            let name = attribute.key.local_name();
            let value = attribute.normalized_value(XmlVersion::Implicit1_0).unwrap_or_default();
            (name.as_ref().to_owned(), value.into_owned())
        })
        .collect();
    Element {
        name: tag.local_name().as_ref().to_owned(),
        attributes,
        nodes: Vec::new(),
        complete: true,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_document_becomes_a_tree() {
        let root = parse(
            br#"<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e "boom">]><n:a xmlns:n="x" k="1 &amp; 2"><b>H<i>2</i>O &lt;&#33;&e;</b><b/><![CDATA[<c>]]></n:a>"#,
            "a",
        )
        .unwrap();
        assert_eq!(root.attribute("k"), "1 & 2");
        assert_eq!(root.text_of(&["b"]), "H2O &lt;!&e;");
        assert_eq!(root.children("b").count(), 2);
        assert!(root.text().ends_with("<c>"));
        assert!(root.complete);
    }

    #[test]
    fn what_breaks_off_keeps_what_came_before() {
        let root = parse(b"<a><b>one</b><b>two</b><b>thr", "a").unwrap();
        let all: Vec<_> = root.children("b").map(|b| (b.text(), b.complete)).collect();
        assert_eq!(
            all,
            [("one".to_owned(), true), ("two".to_owned(), true), ("thr".to_owned(), false)]
        );
        assert!(!root.complete);
    }

    #[test]
    fn other_documents_and_absurd_ones_are_refused() {
        for body in [&b"<html></html>"[..], b"{}", b"", b"\xff\xfe", b"<a"] {
            assert!(parse(body, "a").is_err());
        }
        let deep = format!("<a>{}", "<b>".repeat(100_000));
        let root = parse(deep.as_bytes(), "a").unwrap();
        assert!(!root.complete, "what lies deeper than the limit is left out");
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(body in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&body, "a");
        }

        #[test]
        fn no_markup_makes_it_panic(body in "(<a>|</a>|<b k='1'>|<b/>|&lt;|&#x0;|&#99999999;|<!--|]]>|<!\\[CDATA\\[|\\PC){0,40}") {
            let _ = parse(body.as_bytes(), "a");
        }
    }
}
