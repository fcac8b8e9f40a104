//! A page as a flat list of nodes in document order.
//!
//! A node's descendants are the nodes that follow it up to its `end`, so every walk is a loop over
//! indices: no recursion, and nothing that hostile nesting could exhaust.

use std::ops::Range;

use super::tag::Tag;

/// A node by its place in document order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(pub(crate) u32);

impl NodeId {
    /// The root, `<html>`.
    pub(crate) const ROOT: NodeId = NodeId(0);

    /// The node after this one in document order.
    pub(crate) fn following(self) -> NodeId {
        NodeId(self.0.saturating_add(1))
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The attributes that some rule asks for; all others are dropped while parsing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attr {
    AriaHidden,
    AriaLabel,
    Class,
    Colspan,
    Content,
    DataTestid,
    Datetime,
    Href,
    Hidden,
    HttpEquiv,
    Id,
    Itemprop,
    Itemtype,
    Lang,
    Media,
    Name,
    Open,
    Property,
    Rel,
    Role,
    Rowspan,
    Start,
    Style,
    Title,
    Type,
}

impl Attr {
    /// The attribute of a lower-case name.
    pub(crate) fn of(name: &[u8]) -> Option<Attr> {
        Some(match name {
            b"aria-hidden" => Attr::AriaHidden,
            b"aria-label" => Attr::AriaLabel,
            b"class" => Attr::Class,
            b"colspan" => Attr::Colspan,
            b"content" => Attr::Content,
            b"data-testid" | b"data-component" | b"data-qa" => Attr::DataTestid,
            b"datetime" => Attr::Datetime,
            b"href" => Attr::Href,
            b"hidden" => Attr::Hidden,
            b"http-equiv" => Attr::HttpEquiv,
            b"id" => Attr::Id,
            b"itemprop" => Attr::Itemprop,
            b"itemtype" => Attr::Itemtype,
            b"lang" | b"xml:lang" => Attr::Lang,
            b"media" => Attr::Media,
            b"name" => Attr::Name,
            b"open" => Attr::Open,
            b"property" => Attr::Property,
            b"rel" => Attr::Rel,
            b"role" => Attr::Role,
            b"rowspan" => Attr::Rowspan,
            b"start" => Attr::Start,
            b"style" => Attr::Style,
            b"title" => Attr::Title,
            b"type" => Attr::Type,
            _ => return None,
        })
    }
}

/// An attribute and where its value lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Value {
    pub(super) attr: Attr,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// One element or run of text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) tag: Tag,
    pub(super) parent: NodeId,
    /// One past the last descendant.
    pub(super) end: NodeId,
    /// For text the bytes of it, for elements the values in the attribute list.
    pub(super) from: u32,
    pub(super) to: u32,
}

/// What stands for a node that does not exist.
const NOTHING: Node =
    Node { tag: Tag::Other, parent: NodeId::ROOT, end: NodeId(0), from: 0, to: 0 };

/// A parsed page.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) values: Vec<Value>,
    /// The text of all text nodes, one after the other.
    pub(super) text: String,
    /// The values of all attributes, one after the other.
    pub(super) value_text: String,
}

impl Tree {
    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes in document order.
    pub(crate) fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)).map(NodeId)
    }

    fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id.index()).unwrap_or(&NOTHING)
    }

    /// What a node is.
    pub(crate) fn tag(&self, id: NodeId) -> Tag {
        self.node(id).tag
    }

    /// The parent; the root is its own.
    pub(crate) fn parent(&self, id: NodeId) -> NodeId {
        self.node(id).parent
    }

    /// One past the last descendant.
    pub(crate) fn end(&self, id: NodeId) -> NodeId {
        self.node(id).end
    }

    /// A node and its descendants in document order.
    pub(crate) fn subtree(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (id.0..self.end(id).0).map(NodeId)
    }

    /// Whether `inner` lies in `outer`, or is it.
    pub(crate) fn contains(&self, outer: NodeId, inner: NodeId) -> bool {
        outer <= inner && inner < self.end(outer)
    }

    /// The children of a node.
    pub(crate) fn children(&self, id: NodeId) -> Children<'_> {
        Children { tree: self, next: id.following(), end: self.end(id) }
    }

    /// The ancestors of a node, nearest first, without itself.
    pub(crate) fn ancestors(&self, id: NodeId) -> Ancestors<'_> {
        Ancestors { tree: self, at: id }
    }

    /// The text of a text node; empty for elements.
    pub(crate) fn text(&self, id: NodeId) -> &str {
        let node = self.node(id);
        if node.tag != Tag::Text {
            return "";
        }
        self.text.get(node.from as usize..node.to as usize).unwrap_or_default()
    }

    /// The value of an attribute.
    pub(crate) fn attr(&self, id: NodeId, attr: Attr) -> Option<&str> {
        let node = self.node(id);
        if node.tag == Tag::Text {
            return None;
        }
        let values = self.values.get(node.from as usize..node.to as usize)?;
        let value = values.iter().find(|value| value.attr == attr)?;
        self.value_text.get(value.start as usize..value.end as usize)
    }

    /// Whether an element has any attribute that is kept.
    pub(crate) fn has_attrs(&self, id: NodeId) -> bool {
        let node = self.node(id);
        node.tag != Tag::Text && node.from < node.to
    }

    /// The text of a subtree, white space collapsed, at most about `max` bytes.
    pub(crate) fn flat_text(&self, id: NodeId, max: usize) -> String {
        let mut flat = String::new();
        for inner in self.subtree(id) {
            if flat.len() > max {
                break;
            }
            let tag = self.tag(inner);
            if tag == Tag::Text {
                push_collapsed(&mut flat, self.text(inner), max);
            } else if (tag.is_block() || tag == Tag::Br) && !flat.is_empty() && !flat.ends_with(' ')
            {
                flat.push(' ');
            }
        }
        flat.truncate(flat.trim_end().len());
        flat
    }
}

/// Appends text with runs of white space as one space, none at the start.
fn push_collapsed(flat: &mut String, text: &str, max: usize) {
    for c in text.chars() {
        if flat.len() > max {
            return;
        }
        if !c.is_whitespace() {
            flat.push(c);
        } else if !flat.is_empty() && !flat.ends_with(' ') {
            flat.push(' ');
        }
    }
}

/// The children of a node.
pub(crate) struct Children<'a> {
    tree: &'a Tree,
    next: NodeId,
    end: NodeId,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        if self.next >= self.end {
            return None;
        }
        let child = self.next;
        self.next = self.tree.end(child).max(child.following());
        Some(child)
    }
}

/// The ancestors of a node.
pub(crate) struct Ancestors<'a> {
    tree: &'a Tree,
    at: NodeId,
}

impl Iterator for Ancestors<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        if self.at == NodeId::ROOT {
            return None;
        }
        self.at = self.tree.parent(self.at);
        Some(self.at)
    }
}

/// One value for each node of a tree.
#[derive(Debug, Clone)]
pub(crate) struct NodeMap<T> {
    values: Vec<T>,
    default: T,
}

impl<T: Copy + Default> NodeMap<T> {
    /// A default value for each node.
    pub(crate) fn new(tree: &Tree) -> Self {
        Self { values: vec![T::default(); tree.len()], default: T::default() }
    }

    /// The value of a node.
    pub(crate) fn get(&self, id: NodeId) -> T {
        self.values.get(id.index()).copied().unwrap_or(self.default)
    }

    /// The value of a node, to change.
    pub(crate) fn get_mut(&mut self, id: NodeId) -> &mut T {
        self.values.get_mut(id.index()).unwrap_or(&mut self.default)
    }

    /// Sets what nodes that do not exist have.
    pub(crate) fn set_default(&mut self, value: T) {
        self.default = value;
    }

    /// Sets the value of a node and all its descendants.
    pub(crate) fn fill(&mut self, tree: &Tree, id: NodeId, value: T) {
        let range: Range<usize> = id.index()..tree.end(id).index();
        if let Some(values) = self.values.get_mut(range) {
            values.fill(value);
        }
    }
}
