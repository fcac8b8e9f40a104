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
            if is_link_box(tag, stats.get(id)) {
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
