//! HTML → tree: a conforming tokenizer drives a forgiving tree builder with caps.
//!
//! The tokenizer follows the HTML standard. The builder follows its rules where they decide what
//! text belongs to which block (implied end tags, scopes, one body) and leaves out those that only
//! restore formatting, because extraction does not read formatting across blocks. Depth, nodes and
//! the work spent on looking for open elements are capped, so time and memory are linear in the
//! input whatever it nests.

use std::convert::Infallible;

use html5gum::{Emitter, Error, State, Tokenizer, naive_next_state};

use super::super::paced::Paced;
use super::open::OpenElements;
use super::tag::Tag;
use super::tree::{Attr, Node, NodeId, Tree, Value};

/// The most nodes that are kept; the rest of the page is left out.
pub(crate) const MAX_NODES: usize = 500_000;
/// The longest attribute value that is kept whole.
const MAX_VALUE_BYTES: usize = 64 * 1024;
/// The most attributes that are kept of one element.
const MAX_ATTRS: usize = 64;

/// Parses a page, however broken.
pub(crate) fn parse(html: &str) -> Tree {
    let mut builder = Builder::new(html.len());
    // The emitter yields no tokens, and what the reader calls an error is a pause.
    Tokenizer::new_with_emitter(Paced::new(html), &mut builder).for_each(drop);
    builder.finish()
}

/// Builds the tree while the tokenizer runs.
struct Builder {
    tree: Tree,
    text: Vec<u8>,
    value_text: Vec<u8>,
    open: OpenElements,
    body: Option<NodeId>,
    tag_name: Vec<u8>,
    last_start: Vec<u8>,
    is_end: bool,
    self_closing: bool,
    attr_name: Vec<u8>,
    attr: Option<Attr>,
    attr_open: bool,
    attr_resolved: bool,
    value_start: usize,
    values: Vec<Value>,
    /// The content of the current element is not read at all.
    ignoring: bool,
}

impl Builder {
    fn new(bytes: usize) -> Self {
        let mut tree = Tree::default();
        tree.nodes.reserve((bytes / 24).min(MAX_NODES));
        let mut builder = Self {
            tree,
            text: Vec::with_capacity(bytes / 2),
            value_text: Vec::with_capacity(bytes / 4),
            open: OpenElements::default(),
            body: None,
            tag_name: Vec::new(),
            last_start: Vec::new(),
            is_end: false,
            self_closing: false,
            attr_name: Vec::new(),
            attr: None,
            attr_open: false,
            attr_resolved: false,
            value_start: 0,
            values: Vec::new(),
            ignoring: false,
        };
        builder.append(Tag::Html);
        builder
    }

    fn finish(mut self) -> Tree {
        self.tree.text = into_string(self.text);
        self.tree.value_text = into_string(self.value_text);
        set_ends(&mut self.tree.nodes);
        self.tree
    }

    /// Appends an element with the attributes collected so far; the stack is not touched.
    fn append(&mut self, tag: Tag) -> Option<NodeId> {
        let from = u32::try_from(self.tree.values.len()).ok()?;
        let to = from.checked_add(u32::try_from(self.values.len()).ok()?)?;
        let id = self.push(tag, from, to)?;
        self.tree.values.append(&mut self.values);
        Some(id)
    }

    fn push(&mut self, tag: Tag, from: u32, to: u32) -> Option<NodeId> {
        if self.tree.nodes.len() >= MAX_NODES {
            return None;
        }
        let id = NodeId(u32::try_from(self.tree.nodes.len()).ok()?);
        let parent = self.open.current();
        self.tree.nodes.push(Node { tag, parent, end: id.following(), from, to });
        Some(id)
    }

    /// Text and visible elements belong to the body, which need not be written.
    fn ensure_body(&mut self) {
        if self.body.is_some() {
            return;
        }
        let mut values = std::mem::take(&mut self.values);
        self.body = self.append(Tag::Body);
        std::mem::swap(&mut self.values, &mut values);
        if let Some(body) = self.body {
            self.open.clear();
            self.open.push(Tag::Body, body);
        }
    }

    fn start(&mut self, tag: Tag) {
        match tag {
            Tag::Html => return self.merge_into_root(),
            Tag::Head => return,
            Tag::Body => {
                if self.body.is_none() {
                    self.body = self.append(Tag::Body);
                    if let Some(body) = self.body {
                        self.open.clear();
                        self.open.push(Tag::Body, body);
                    }
                }
                return;
            }
            Tag::Title
            | Tag::Meta
            | Tag::Link
            | Tag::Base
            | Tag::Script
            | Tag::Style
            | Tag::Noscript
            | Tag::Template => {}
            _ => self.ensure_body(),
        }
        self.open.close_implied(tag);
        let Some(id) = self.append(tag) else { return };
        let closed = tag.is_void() || (self.self_closing && self.open.in_foreign());
        if !closed {
            self.open.push(tag, id);
        }
    }

    /// A second `<html>` tag adds its attributes to the first.
    fn merge_into_root(&mut self) {
        if let Some(root) = self.tree.nodes.first_mut()
            && root.from == root.to
            && let (Ok(from), Ok(count)) =
                (u32::try_from(self.tree.values.len()), u32::try_from(self.values.len()))
        {
            root.from = from;
            root.to = from.saturating_add(count);
            self.tree.values.append(&mut self.values);
        }
    }

    fn end(&mut self, tag: Tag) {
        match tag {
            Tag::Html | Tag::Body | Tag::Head => {}
            // A stray `</p>` still separates what is before it from what follows; `</br>` is `<br>`.
            Tag::P if !self.open.has(Tag::P) => {
                self.ensure_body();
                self.values.clear();
                self.append(Tag::P);
            }
            Tag::Br => {
                self.ensure_body();
                self.values.clear();
                self.append(Tag::Br);
            }
            _ => self.open.close(tag),
        }
    }

    /// Stores the attribute whose name and value are complete.
    fn finish_attribute(&mut self) {
        if !std::mem::take(&mut self.attr_open) {
            return;
        }
        self.resolve_attribute();
        if let Some(attr) = self.attr
            && self.values.len() < MAX_ATTRS
            && let (Ok(start), Ok(end)) =
                (u32::try_from(self.value_start), u32::try_from(self.value_text.len()))
        {
            self.values.push(Value { attr, start, end });
        }
    }

    fn resolve_attribute(&mut self) {
        if !std::mem::replace(&mut self.attr_resolved, true) {
            self.attr = Attr::of(&self.attr_name);
        }
    }

    /// Scripts are read for the data that some of them hold, never for their text.
    fn is_ignored(&self, tag: Tag) -> bool {
        match tag {
            Tag::Script => !self.values.iter().any(|value| {
                value.attr == Attr::Type
                    && self
                        .value_text
                        .get(value.start as usize..value.end as usize)
                        .is_some_and(|kind| kind.trim_ascii().eq_ignore_ascii_case(LD_JSON))
            }),
            Tag::Iframe | Tag::Noscript | Tag::Noframes | Tag::Noembed => true,
            _ => false,
        }
    }
}

/// The script type of structured data.
const LD_JSON: &[u8] = b"application/ld+json";

/// The bytes as text; the few that a cut made invalid become question marks, at the same offsets.
fn into_string(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let mut bytes = error.into_bytes();
        while let Err(error) = std::str::from_utf8(&bytes) {
            let bad = error.error_len().unwrap_or(bytes.len().saturating_sub(error.valid_up_to()));
            let from = error.valid_up_to();
            if let Some(range) = bytes.get_mut(from..from.saturating_add(bad.max(1))) {
                range.fill(b'?');
            }
        }
        String::from_utf8(bytes).unwrap_or_default()
    })
}

/// A node ends where its last descendant does. Children come after their parents, so one walk
/// from the back settles all.
fn set_ends(nodes: &mut [Node]) {
    for index in (1..nodes.len()).rev() {
        let Some(&Node { parent, end, .. }) = nodes.get(index) else { continue };
        if let Some(parent) = nodes.get_mut(parent.0 as usize) {
            parent.end = parent.end.max(end);
        }
    }
}

impl Emitter for &mut Builder {
    type Token = Infallible;

    fn set_last_start_tag(&mut self, last_start_tag: Option<&[u8]>) {
        self.last_start.clear();
        self.last_start.extend_from_slice(last_start_tag.unwrap_or_default());
    }

    fn emit_eof(&mut self) {}

    fn emit_error(&mut self, _: Error) {}

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn pop_token(&mut self) -> Option<Infallible> {
        None
    }

    fn emit_string(&mut self, bytes: &[u8]) {
        if self.ignoring {
            return;
        }
        if self.body.is_none() && !self.open.in_raw_text() {
            if bytes.iter().all(u8::is_ascii_whitespace) {
                return;
            }
            self.ensure_body();
        }
        let parent = self.open.current();
        let Ok(from) = u32::try_from(self.text.len()) else { return };
        let Ok(to) = u32::try_from(self.text.len().saturating_add(bytes.len())) else { return };
        if let Some(last) = self.tree.nodes.last_mut()
            && last.tag == Tag::Text
            && last.parent == parent
            && last.to == from
        {
            last.to = to;
        } else if self.push(Tag::Text, from, to).is_none() {
            return;
        }
        self.text.extend_from_slice(bytes);
    }

    fn init_start_tag(&mut self) {
        self.is_end = false;
        self.self_closing = false;
        self.tag_name.clear();
        self.values.clear();
        self.attr_open = false;
    }

    fn init_end_tag(&mut self) {
        self.init_start_tag();
        self.is_end = true;
    }

    fn init_comment(&mut self) {}

    fn emit_current_tag(&mut self) -> Option<State> {
        self.finish_attribute();
        let tag = Tag::of(&self.tag_name);
        if self.is_end {
            self.ignoring = false;
            self.end(tag);
            return None;
        }
        let ignored = self.is_ignored(tag);
        self.start(tag);
        let builder: &mut Builder = self;
        std::mem::swap(&mut builder.last_start, &mut builder.tag_name);
        let state = naive_next_state(&self.last_start);
        self.ignoring = ignored && state.is_some();
        state
    }

    fn emit_current_comment(&mut self) {}

    fn emit_current_doctype(&mut self) {}

    fn set_self_closing(&mut self) {
        self.self_closing = true;
    }

    fn set_force_quirks(&mut self) {}

    fn push_tag_name(&mut self, name: &[u8]) {
        self.tag_name.extend_from_slice(name);
    }

    fn push_comment(&mut self, _: &[u8]) {}

    fn push_doctype_name(&mut self, _: &[u8]) {}

    fn init_doctype(&mut self) {}

    fn init_attribute(&mut self) {
        self.finish_attribute();
        self.attr_open = true;
        self.attr_resolved = false;
        self.attr = None;
        self.attr_name.clear();
        self.value_start = self.value_text.len();
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        self.attr_name.extend_from_slice(name);
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        self.resolve_attribute();
        let used = self.value_text.len().saturating_sub(self.value_start);
        let room = MAX_VALUE_BYTES.saturating_sub(used).min(value.len());
        if self.attr.is_some()
            && let Some(value) = value.get(..room)
        {
            self.value_text.extend_from_slice(value);
        }
    }

    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}

    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}

    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}

    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.is_end && self.tag_name == self.last_start
    }
}
