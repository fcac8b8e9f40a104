//! Paragraphs vote for the containers around them.

use super::names::Hints;
use super::pick::Picker;
use super::tag::Tag;
use super::tree::{Attr, NodeId, NodeMap, Tree};

/// How many ancestors a paragraph votes for.
const LEVELS: u16 = 5;
/// The shortest text that votes.
const MIN_CHARS: u32 = 25;

/// The container with most votes, with the siblings that belong to it.
pub(super) fn vote(picker: &Picker<'_>) -> Vec<NodeId> {
    let scores = count(picker);
    let mut best = NodeId::ROOT;
    let mut most = 0.0;
    for id in picker.tree.ids() {
        let score = scores.get(id);
        if score > most {
            best = id;
            most = score;
        }
    }
    let best = climb(picker, best, &scores);
    with_siblings(picker, best, &scores)
}

fn count(picker: &Picker<'_>) -> NodeMap<f32> {
    let tree = picker.tree;
    let mut scores: NodeMap<f32> = NodeMap::new(tree);
    for id in tree.ids() {
        let tag = tree.tag(id);
        let stats = picker.stats.get(id);
        if stats.own_chars < MIN_CHARS
            || picker.dropped.get(id)
            || !tag.is_block()
            || tag.heading().is_some()
        {
            continue;
        }
        let vote = worth(stats.own_chars, stats.own_marks) * (1.0 - stats.own_link_density());
        let holds_blocks = tag != Tag::P && tree.children(id).any(|c| tree.tag(c).is_block());
        let mut at = if holds_blocks { id } else { block_around(tree, id) };
        for level in 0..LEVELS {
            let share = match level {
                0 => 1.0,
                1 => 2.0,
                more => f32::from(more) * 3.0,
            };
            *scores.get_mut(at) += vote / share;
            if at == NodeId::ROOT {
                break;
            }
            at = block_around(tree, at);
        }
    }
    for id in tree.ids() {
        let score = scores.get(id);
        if score > 0.0 {
            let density = picker.stats.get(id).link_density();
            *scores.get_mut(id) = (score + prior(picker, id)) * (1.0 - density);
        }
    }
    scores
}

/// The nearest block around a node: `<font>` and the like hold no text of their own.
fn block_around(tree: &Tree, id: NodeId) -> NodeId {
    tree.ancestors(id).find(|outer| tree.tag(*outer).is_block()).unwrap_or(NodeId::ROOT)
}

/// Long texts with sentences are worth more than scraps.
fn worth(chars: u32, marks: u32) -> f32 {
    let length = f32::from(u16::try_from(chars.min(300)).unwrap_or(300)) / 100.0;
    let marks = f32::from(u16::try_from(marks.min(1_000)).unwrap_or(1_000));
    1.0 + marks + length
}

/// What element and names are worth before any vote.
fn prior(picker: &Picker<'_>, id: NodeId) -> f32 {
    let hints = picker.visible.hints.get(id);
    let element = match picker.tree.tag(id) {
        Tag::Div | Tag::Article | Tag::Section | Tag::Main => 5.0,
        Tag::Pre | Tag::Td | Tag::Blockquote => 3.0,
        Tag::Address | Tag::Ol | Tag::Ul | Tag::Dl | Tag::Dd | Tag::Dt | Tag::Li | Tag::Form => {
            -3.0
        }
        Tag::Th => -5.0,
        _ => 0.0,
    };
    let story = Hints::BODY.or(Hints::STORY).or(Hints::MAIN);
    let furniture =
        Hints::CHROME.or(Hints::RELATED).or(Hints::COMMENT).or(Hints::SIDE).or(Hints::FOOT);
    let named = if hints.any(story) { 25.0 } else { 0.0 };
    let against = if hints.any(furniture) { 25.0 } else { 0.0 };
    element + named - against
}

/// Goes up while the container around gains from more than this part.
fn climb(picker: &Picker<'_>, mut best: NodeId, scores: &NodeMap<f32>) -> NodeId {
    let tree = picker.tree;
    let is_inside = |id: NodeId| id != NodeId::ROOT && tree.tag(id) != Tag::Body;
    let mut last = scores.get(best);
    let floor = last / 3.0;
    let mut at = tree.parent(best);
    while is_inside(at) {
        let score = scores.get(at);
        if score < floor {
            break;
        }
        if score > last {
            best = at;
            break;
        }
        last = score;
        at = tree.parent(at);
    }
    // An only child is its parent.
    while is_inside(tree.parent(best))
        && picker.stats.get(tree.parent(best)).chars == picker.stats.get(best).chars
    {
        best = tree.parent(best);
    }
    best
}

/// A sibling belongs to the story if it was voted for too, or is a paragraph with sentences.
fn with_siblings(picker: &Picker<'_>, best: NodeId, scores: &NodeMap<f32>) -> Vec<NodeId> {
    let tree = picker.tree;
    let parent = tree.parent(best);
    if best == NodeId::ROOT || parent == NodeId::ROOT {
        return vec![best];
    }
    let score = scores.get(best);
    let threshold = (score * 0.2).max(10.0);
    let class = tree.attr(best, Attr::Class).filter(|class| !class.is_empty());
    tree.children(parent)
        .filter(|id| {
            if *id == best {
                return true;
            }
            if picker.dropped.get(*id) {
                return false;
            }
            let stats = picker.stats.get(*id);
            let alike = class.is_some() && tree.attr(*id, Attr::Class) == class;
            let bonus = if alike { score * 0.2 } else { 0.0 };
            scores.get(*id) + bonus >= threshold
                || (tree.tag(*id) == Tag::P
                    && ((stats.chars > 80 && stats.link_density() < 0.25)
                        || (stats.chars > 0 && stats.links == 0 && stats.own_marks > 0)))
        })
        .collect()
}
