//! Who wrote a page.

use super::super::names::Hints;
use super::super::tag::Tag;
use super::super::tidy::key;
use super::super::tree::{Attr, NodeId};
use super::{Sources, one_line};

/// The longest byline.
const MAX_BYLINE_CHARS: usize = 120;
/// How many elements that look like a byline are read.
const MAX_CANDIDATES: usize = 20;

/// The author or authors, by structured data, meta elements, or the line that readers see.
pub(super) fn byline(page: &Sources<'_>, site_name: Option<&str>) -> Option<String> {
    let said = join(page.data.authors.iter().map(String::as_str), site_name);
    said.or_else(|| join(written_by(page).into_iter(), site_name))
        .or_else(|| join(page.meta.authors().iter().map(String::as_str), site_name))
        .or_else(|| seen(page))
        .or_else(|| join(page.data.authors.iter().map(String::as_str), None))
        .or_else(|| join(page.meta.authors().iter().map(String::as_str), None))
}

/// The label and value that some sites give for a card on Twitter.
fn written_by<'a>(page: &Sources<'a>) -> Option<&'a str> {
    let label = page.meta.first(&["twitter:label1"])?.to_lowercase();
    let names_author =
        ["written by", "author", "posted by", "verfasst von", "écrit par", "escrito por"];
    names_author.contains(&label.as_str()).then(|| page.meta.first(&["twitter:data1"]))?
}

fn join<'a>(names: impl Iterator<Item = &'a str>, site_name: Option<&str>) -> Option<String> {
    let site = site_name.map(key).unwrap_or_default();
    let mut kept: Vec<String> = Vec::new();
    for name in names.filter_map(clean) {
        if (site.is_empty() || key(&name) != site) && !kept.contains(&name) {
            kept.push(name);
        }
    }
    (!kept.is_empty()).then(|| one_line(&kept.join(", "), MAX_BYLINE_CHARS))
}

/// The byline on the page, near the headline if there is one.
fn seen(page: &Sources<'_>) -> Option<String> {
    let tree = page.tree;
    let from = page
        .headline
        .map_or(NodeId::ROOT, |headline| NodeId(headline.node.0.saturating_sub(REACH)));
    let mut best: Option<(u8, NodeId, Vec<String>)> = None;
    let candidates = tree
        .ids()
        .skip(from.0 as usize)
        .filter(|id| tree.tag(*id) != Tag::Text && !page.visible.hidden.get(*id))
        .filter_map(|id| strength(page, id).map(|strength| (strength, id)))
        .take(MAX_CANDIDATES);
    for (strength, id) in candidates {
        if is_in_other_part(page, id) {
            continue;
        }
        let Some(name) = clean(&tree.flat_text(id, MAX_BYLINE_CHARS * 4)) else { continue };
        match &mut best {
            Some((top, _, _)) if strength > *top => best = Some((strength, id, vec![name])),
            // Several authors stand side by side.
            Some((top, first, names)) => {
                if strength == *top
                    && tree.parent(*first) == tree.parent(id)
                    && !names.contains(&name)
                {
                    names.push(name);
                }
            }
            None => best = Some((strength, id, vec![name])),
        }
    }
    best.map(|(_, _, names)| one_line(&names.join(", "), MAX_BYLINE_CHARS))
}

/// How far before the headline a byline is looked for, in nodes.
const REACH: u32 = 100;

/// How strongly an element says that it names the author.
fn strength(page: &Sources<'_>, id: NodeId) -> Option<u8> {
    let tree = page.tree;
    if !tree.has_attrs(id) || matches!(tree.tag(id), Tag::Meta | Tag::Link | Tag::Body | Tag::Html)
    {
        return None;
    }
    if tree
        .attr(id, Attr::Rel)
        .is_some_and(|rel| rel.split_ascii_whitespace().any(|r| r == "author"))
    {
        return Some(4);
    }
    if tree.attr(id, Attr::Itemprop).is_some_and(|prop| prop.contains("author")) {
        return Some(3);
    }
    let hints = page.visible.hints.get(id);
    if !hints.any(Hints::AUTHOR) {
        return None;
    }
    let class = tree.attr(id, Attr::Class).unwrap_or_default().to_ascii_lowercase();
    if class.contains("name") || class.trim() == "author" || class.contains("byline") {
        Some(2)
    } else {
        Some(1)
    }
}

/// Authors of comments and of other stories are not the author.
fn is_in_other_part(page: &Sources<'_>, id: NodeId) -> bool {
    let other = Hints::COMMENT.or(Hints::RELATED).or(Hints::SIDE);
    page.tree.ancestors(id).any(|outer| {
        page.visible.hints.get(outer).any(other) && page.tree.tag(outer) != Tag::Body
            || matches!(page.tree.tag(outer), Tag::Nav | Tag::Aside)
    })
}

/// Words before a name.
const PREFIXES: &[&str] = &[
    "by ",
    "von ",
    "par ",
    "por ",
    "di ",
    "av ",
    "af ",
    "door ",
    "autor: ",
    "author: ",
    "autor ",
    "posted by ",
    "written by ",
    "text: ",
    "text by ",
    "published by ",
    "submitted by ",
    "from ",
    "作者：",
    "作者:",
    "автор: ",
    "автор ",
    "文/",
    "记者 ",
    "av: ",
    "by: ",
    "von: ",
    "par: ",
    "por: ",
    "di: ",
    "words by ",
    "story by ",
    "reported by ",
];

/// A name without the words around it; none if what is left is no name.
fn clean(text: &str) -> Option<String> {
    let mut name = one_line(text, MAX_BYLINE_CHARS * 2);
    for _ in 0..2 {
        let lower = name.to_lowercase();
        if let Some(prefix) = PREFIXES.iter().find(|prefix| lower.starts_with(**prefix)) {
            let skip = prefix.chars().count();
            name = name.chars().skip(skip).collect::<String>().trim_start().to_owned();
        }
    }
    // What follows a name: a date, a place, a role.
    for cut in [
        " at ",
        " | ",
        " • ",
        " · ",
        " – ",
        " — ",
        " on ",
        " am ",
        " / ",
        "//",
        " (",
        " Published",
        " Updated",
        " Posted",
        " Follow",
        "\u{200b}",
    ] {
        if let Some((before, _)) = name.split_once(cut) {
            name = before.trim().to_owned();
        }
    }
    if let Some(date) =
        crate::extract::dates::dates_in(&name, crate::extract::dates::Order::DayFirst).first()
    {
        name = name.get(..date.start).unwrap_or_default().trim().to_owned();
    }
    let name =
        name.trim_matches([',', ';', ':', '-', '.', '@', '*', ' ', '(', ')', '"']).to_owned();
    is_name(&name).then_some(name)
}

fn is_name(name: &str) -> bool {
    let chars = name.chars().count();
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    (2..=MAX_BYLINE_CHARS).contains(&chars)
        && letters * 2 > chars
        && !name.contains("http")
        && !name.contains("www.")
        && !name.contains('@')
        && !name.contains(['<', '>', '{', '}', '='])
        && name.split_whitespace().count() <= 16
        && !matches!(
            name.to_lowercase().as_str(),
            "admin"
                | "administrator"
                | "author"
                | "editor"
                | "staff"
                | "redaktion"
                | "anonymous"
                | "share"
                | "follow"
                | "unknown"
                | "none"
                | "null"
                | "authors"
                | "autor"
                | "by"
                | "user"
                | "guest"
                | "posted"
        )
}
