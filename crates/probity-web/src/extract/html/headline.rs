//! Which heading is the headline of the page: the one that says what the title says.

use std::collections::HashSet;

use super::hidden::Visible;
use super::names::Hints;
use super::tag::Tag;
use super::tree::{Attr, NodeId, NodeMap, Tree};
use crate::extract::inline::Inline;

/// The longest heading that is compared.
const MAX_HEADING_BYTES: usize = 500;
/// How many headings are compared.
const MAX_HEADINGS: usize = 200;

/// The headline of a page.
pub(crate) struct Headline {
    /// The heading element.
    pub(crate) node: NodeId,
    /// Its text.
    pub(crate) text: String,
}

/// Finds the heading that matches the title best, else the only first-level heading.
pub(crate) fn find_headline(tree: &Tree, visible: &Visible, title: &str) -> Option<Headline> {
    let Visible { hidden, hints } = visible;
    let title_words = words(title);
    let mut best: Option<(f32, Headline)> = None;
    let mut firsts: Vec<Headline> = Vec::new();
    let headings = tree
        .ids()
        .filter(|id| matches!(tree.tag(*id).heading(), Some(1..=3)) && !hidden.get(*id))
        .take(MAX_HEADINGS);
    for node in headings {
        let text = heading_text(tree, hidden, node);
        if text.is_empty() {
            continue;
        }
        let score = likeness(&words(&text), &title_words) + bonus(tree, node)
            - if is_site_name(tree, hints, node) { SITE_PENALTY } else { 0.0 };
        if score >= 0.55 && best.as_ref().is_none_or(|(top, _)| score > *top + 0.01) {
            best = Some((score, Headline { node, text: text.clone() }));
        }
        if tree.tag(node) == Tag::H1 && !is_site_name(tree, hints, node) {
            firsts.push(Headline { node, text });
        }
    }
    match best {
        Some((_, headline)) => Some(headline),
        None if firsts.len() == 1 => firsts.pop(),
        None => None,
    }
}

/// First-level headings and those named as headline come before others that say the same.
fn bonus(tree: &Tree, node: NodeId) -> f32 {
    let level = match tree.tag(node) {
        Tag::H1 => 0.15,
        Tag::H2 => 0.05,
        _ => 0.0,
    };
    let named = tree.attr(node, Attr::Itemprop).is_some_and(|prop| prop.contains("headline"));
    level + if named { 0.1 } else { 0.0 }
}

/// How much of the heading is in the title, and of the title in the heading.
fn likeness(heading: &HashSet<String>, title: &HashSet<String>) -> f32 {
    if heading.is_empty() || title.is_empty() {
        return 0.0;
    }
    let common = heading.intersection(title).count();
    let share = |of: usize| {
        f32::from(u16::try_from(common).unwrap_or(u16::MAX))
            / f32::from(u16::try_from(of.max(1)).unwrap_or(u16::MAX))
    };
    share(heading.len()) * 0.5 + share(title.len()) * 0.5
}

/// What a heading loses that is the name of the site.
const SITE_PENALTY: f32 = 0.3;
/// How far up the banner of a page is looked for.
const BANNER_REACH: usize = 6;

/// Whether a heading names the site: it leads to the start page, or is in the page's banner.
fn is_site_name(tree: &Tree, hints: &NodeMap<Hints>, node: NodeId) -> bool {
    let leads_home = tree.subtree(node).chain(std::iter::once(tree.parent(node))).any(|inner| {
        tree.tag(inner) == Tag::A
            && tree.attr(inner, Attr::Href).is_some_and(|href| {
                let path = href.trim().split_once("://").map_or(href.trim(), |(_, rest)| {
                    rest.split_once('/').map_or("", |(_, path)| path)
                });
                matches!(
                    path,
                    "" | "/" | "./" | "index.html" | "/index.html" | "index.htm" | "index.php"
                )
            })
    });
    leads_home
        || std::iter::once(node)
            .chain(tree.ancestors(node).take(BANNER_REACH))
            .any(|outer| hints.get(outer).any(Hints::BANNER))
}

/// The text of a heading, without what is hidden in it and the signs that link to it.
fn heading_text(tree: &Tree, hidden: &NodeMap<bool>, node: NodeId) -> String {
    let mut inline = Inline::new(None);
    for id in tree.subtree(node).filter(|id| !hidden.get(*id)) {
        match tree.tag(id) {
            Tag::Text => inline.push(tree.text(id)),
            tag if tag.is_block() || tag == Tag::Br => inline.push(" "),
            _ => {}
        }
    }
    let text = inline.take().map(|run| run.text).unwrap_or_default();
    let text = text.trim_end_matches(['¶', '§', '#', ' ']);
    match text.char_indices().nth(MAX_HEADING_BYTES) {
        Some((cut, _)) => text.get(..cut).unwrap_or_default().to_owned(),
        None => text.to_owned(),
    }
}

fn words(text: &str) -> HashSet<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .flat_map(split_ideographs)
        .collect()
}

/// A run of ideographs has no spaces: its characters stand for words.
fn split_ideographs(word: &str) -> Vec<String> {
    if word.chars().any(|c| c >= '\u{3040}') {
        word.chars().map(String::from).collect()
    } else {
        vec![word.to_lowercase()]
    }
}
