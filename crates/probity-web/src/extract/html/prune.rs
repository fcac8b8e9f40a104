//! Takes lists and boxes of links out of the parts that were picked.

use super::measure::Stats;
use super::tag::Tag;
use super::tree::{NodeId, NodeMap, Tree};

/// Drops what is mostly links within the parts: boxes of related stories, tables of contents,
/// paragraphs that only point elsewhere.
pub(crate) fn prune(
    tree: &Tree,
    parts: &[NodeId],
    stats: &NodeMap<Stats>,
    dropped: &mut NodeMap<bool>,
) {
    for part in parts {
        let mut skip_to = *part;
        for id in tree.subtree(*part).skip(1) {
            if id < skip_to || dropped.get(id) {
                continue;
            }
            let tag = tree.tag(id);
            if tag == Tag::Text || tag == Tag::A {
                continue;
            }
            if is_link_box(tag, stats.get(id)) || is_pointer(tree, id, tag, stats.get(id)) {
                dropped.fill(tree, id, true);
                skip_to = tree.end(id);
            }
        }
    }
}

fn is_link_box(tag: Tag, stats: Stats) -> bool {
    if stats.links == 0 || stats.chars == 0 {
        return false;
    }
    let density = stats.link_density();
    match tag {
        Tag::Ul | Tag::Ol | Tag::Dl | Tag::Menu | Tag::Dir => {
            density > 0.8 || (density > 0.6 && stats.prose == 0 && stats.links > 2)
        }
        Tag::Td => density > 0.6 && stats.prose == 0 && stats.links > 2 && stats.chars > 100,
        Tag::Div | Tag::Section | Tag::Article | Tag::Center | Tag::Header | Tag::Other => {
            (density > 0.8 && stats.chars < 300)
                || (density > 0.6 && stats.prose == 0 && stats.links > 2)
                || (density > 0.9 && stats.links > 4)
        }
        Tag::Table => {
            (density > 0.8 && stats.chars >= 200) || (density > 0.5 && stats.chars >= 1_000)
        }
        Tag::P => density > 0.85 && stats.chars < 250,
        _ => false,
    }
}

/// How paragraphs begin that only point to another page.
const POINTERS: [&str; 34] = [
    "auch interessant",
    "lesen sie auch",
    "lies auch",
    "mehr dazu",
    "mehr zum thema",
    "siehe auch",
    "read more",
    "read also",
    "read next",
    "also read",
    "also see",
    "see also",
    "related:",
    "related story",
    "related article",
    "more:",
    "more on",
    "watch:",
    "don't miss",
    "recommended",
    "you may also",
    "you might also",
    "lire aussi",
    "à lire",
    "voir aussi",
    "lea también",
    "leer más",
    "te puede interesar",
    "leia também",
    "leia mais",
    "leggi anche",
    "czytaj też",
    "читайте также",
    "further reading:",
];

/// "Read also: another story" in the middle of a text.
fn is_pointer(tree: &Tree, id: NodeId, tag: Tag, stats: Stats) -> bool {
    if !matches!(tag, Tag::P | Tag::Div | Tag::Li | Tag::Blockquote | Tag::H3 | Tag::H4)
        || stats.links == 0
        || stats.chars > 300
        || stats.link_density() < 0.4
    {
        return false;
    }
    let text = tree.flat_text(id, 60).to_lowercase();
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    POINTERS.iter().any(|pointer| text.starts_with(pointer))
}
