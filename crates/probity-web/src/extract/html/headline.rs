//! Which heading is the headline of the page: the one that says what the title says.

use std::collections::HashSet;

use super::tag::Tag;
use super::tree::{Attr, NodeId, NodeMap, Tree};

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
pub(crate) fn find_headline(tree: &Tree, hidden: &NodeMap<bool>, title: &str) -> Option<Headline> {
    let title_words = words(title);
    let mut best: Option<(f32, Headline)> = None;
    let mut firsts: Vec<Headline> = Vec::new();
    let headings = tree
        .ids()
        .filter(|id| matches!(tree.tag(*id).heading(), Some(1..=3)) && !hidden.get(*id))
        .take(MAX_HEADINGS);
    for node in headings {
        let text = tree.flat_text(node, MAX_HEADING_BYTES);
        if text.is_empty() {
            continue;
        }
        let score = likeness(&words(&text), &title_words) + bonus(tree, node);
        if score >= 0.6 && best.as_ref().is_none_or(|(top, _)| score > *top + 0.01) {
            best = Some((score, Headline { node, text: text.clone() }));
        }
        if tree.tag(node) == Tag::H1 {
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
    let of_heading = share(heading.len());
    let of_title = share(title.len());
    // A site's name is all in the title, but little of it.
    if of_title < 0.3 { of_heading * of_title } else { of_heading * 0.7 + of_title * 0.3 }
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
