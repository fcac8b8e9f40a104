//! How much text each part of a page holds, and how much of it is links or prose.

use super::tag::Tag;
use super::tree::{Attr, NodeId, NodeMap, Tree};

/// What a part of the page holds. Lengths are in letters of an alphabet: an ideograph counts as
/// [`IDEOGRAPH`] of them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Stats {
    /// All visible text.
    pub(crate) chars: u32,
    /// Text in links.
    pub(crate) link_chars: u32,
    /// How many links.
    pub(crate) links: u32,
    /// Text of blocks that read like sentences.
    pub(crate) prose: u32,
    /// Text directly in this block, not in blocks within it.
    pub(crate) own_chars: u32,
    /// Linked text directly in this block.
    pub(crate) own_link_chars: u32,
    /// Punctuation directly in this block.
    pub(crate) own_marks: u32,
}

impl Stats {
    /// The share of the text that is links, 0 to 1.
    pub(crate) fn link_density(&self) -> f32 {
        ratio(self.link_chars, self.chars)
    }

    /// The share of the block's own text that is links.
    pub(crate) fn own_link_density(&self) -> f32 {
        ratio(self.own_link_chars, self.own_chars)
    }

    /// Whether the block's own text reads like sentences rather than labels.
    pub(crate) fn is_prose(&self) -> bool {
        let long = self.own_chars >= PROSE_CHARS && self.own_marks > 0;
        (long || self.own_chars >= UNMARKED_PROSE_CHARS) && self.own_link_density() < 0.4
    }
}

/// From what length a block may be prose.
const PROSE_CHARS: u32 = 60;
/// The same for texts without punctuation, as in verse and in scripts that have none.
const UNMARKED_PROSE_CHARS: u32 = 150;
/// How many letters an ideograph counts as.
const IDEOGRAPH: u32 = 3;

#[expect(clippy::cast_precision_loss, reason = "a share needs no more than 24 bits")]
fn ratio(part: u32, whole: u32) -> f32 {
    if whole == 0 { 0.0 } else { part as f32 / whole as f32 }
}

/// Measures every part of the page that is not dropped.
pub(crate) fn measure(tree: &Tree, dropped: &NodeMap<bool>) -> NodeMap<Stats> {
    let mut stats: NodeMap<Stats> = NodeMap::new(tree);
    let mut block: NodeMap<NodeIdOrRoot> = NodeMap::new(tree);
    let mut link_end = NodeId::ROOT;
    for id in tree.ids() {
        if dropped.get(id) {
            continue;
        }
        let tag = tree.tag(id);
        let inherited = block.get(tree.parent(id));
        *block.get_mut(id) = if tag.is_block() { NodeIdOrRoot(id) } else { inherited };
        match tag {
            Tag::Text => {
                let (chars, marks) = measure_text(tree.text(id));
                if chars > 0 {
                    let linked = if id < link_end { chars } else { 0 };
                    let own = stats.get_mut(id);
                    own.chars = chars;
                    own.link_chars = linked;
                    let owner = stats.get_mut(inherited.0);
                    owner.own_chars = owner.own_chars.saturating_add(chars);
                    owner.own_link_chars = owner.own_link_chars.saturating_add(linked);
                    owner.own_marks = owner.own_marks.saturating_add(marks);
                }
            }
            Tag::A if tree.attr(id, Attr::Href).is_some() => {
                link_end = link_end.max(tree.end(id));
                stats.get_mut(id).links = 1;
            }
            _ => {}
        }
    }
    sum_up(tree, &mut stats);
    stats
}

/// The nearest block around a node.
#[derive(Clone, Copy)]
struct NodeIdOrRoot(NodeId);

impl Default for NodeIdOrRoot {
    fn default() -> Self {
        Self(NodeId::ROOT)
    }
}

/// Adds what each node holds to its parent, from the back.
fn sum_up(tree: &Tree, stats: &mut NodeMap<Stats>) {
    for id in tree.ids().rev() {
        let node = stats.get_mut(id);
        if node.is_prose() && tree.tag(id).heading().is_none() {
            node.prose = node.prose.saturating_add(node.own_chars);
        }
        let node = *node;
        if id != NodeId::ROOT {
            let parent = stats.get_mut(tree.parent(id));
            parent.chars = parent.chars.saturating_add(node.chars);
            parent.link_chars = parent.link_chars.saturating_add(node.link_chars);
            parent.links = parent.links.saturating_add(node.links);
            parent.prose = parent.prose.saturating_add(node.prose);
        }
    }
}

/// The length of a text without white space, and how many punctuation marks are in it.
pub(crate) fn measure_text(text: &str) -> (u32, u32) {
    let mut chars = 0_u32;
    let mut marks = 0_u32;
    for c in text.chars() {
        let weight = match c {
            ',' | '.' | ';' | '!' | '?' => {
                marks = marks.saturating_add(1);
                1
            }
            ' ' | '\n' | '\t' | '\r' | '\u{a0}' => 0,
            '\0'..='\u{2fff}' => {
                if matches!(c, '،' | '؛' | '؟' | '۔' | '।' | '…' | '·') {
                    marks = marks.saturating_add(1);
                }
                1
            }
            '、' | '。' | '，' | '！' | '？' | '；' => {
                marks = marks.saturating_add(1);
                1
            }
            '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{20000}'..='\u{3ffff}' => {
                IDEOGRAPH
            }
            _ => 1,
        };
        chars = chars.saturating_add(weight);
    }
    (chars, marks)
}
