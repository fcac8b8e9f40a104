//! The title of a page without the name of its site.

use super::super::tag::Tag;
use super::super::tidy::key;
use super::super::tree::Tree;
use super::{Meta, Sources, one_line};

/// The longest title.
const MAX_TITLE_CHARS: usize = 400;

/// What is between a title and the name of the site.
const SEPARATORS: &[&str] = &[
    " | ", " - ", " – ", " — ", " :: ", " » ", " « ", " · ", " • ", " // ", " › ", "_", "｜", "－",
    " ‹ ", " / ", " > ",
];

/// What the page calls itself, site name and all: for finding its headline.
pub(crate) fn page_title(tree: &Tree, meta: &Meta) -> String {
    let element = tree
        .ids()
        .find(|id| {
            tree.tag(*id) == Tag::Title && !tree.ancestors(*id).any(|a| tree.tag(a) == Tag::Svg)
        })
        .map(|id| tree.flat_text(id, MAX_TITLE_CHARS * 4))
        .unwrap_or_default();
    let graph = meta.first(&["og:title", "twitter:title", "title"]).unwrap_or_default();
    if element.is_empty() {
        one_line(graph, MAX_TITLE_CHARS)
    } else {
        one_line(&element, MAX_TITLE_CHARS)
    }
}

/// The title that a reader would give.
pub(crate) fn title(page: &Sources<'_>, site_name: Option<&str>) -> String {
    let whole = page_title(page.tree, page.meta);
    let headline = page.headline.map(|headline| one_line(&headline.text, MAX_TITLE_CHARS));
    let graph = page.meta.first(&[
        "og:title",
        "twitter:title",
        "dc.title",
        "citation_title",
        "parsely-title",
    ]);
    let named = graph.map(|graph| {
        without_site(&one_line(graph, MAX_TITLE_CHARS), site_name, headline.as_deref())
    });
    // The headline that the title repeats is the title.
    if let Some(headline) = &headline
        && key(headline).len() > 3
        && [Some(whole.as_str()), named.as_deref()].into_iter().flatten().any(|title| {
            key(title).starts_with(&key(headline)) || key(title).contains(&key(headline))
        })
    {
        return headline.clone();
    }
    named
        .filter(|title| !title.is_empty())
        .or_else(|| page.data.headline.as_deref().map(|title| one_line(title, MAX_TITLE_CHARS)))
        .or(headline.clone().filter(|_| whole.is_empty()))
        .unwrap_or_else(|| without_site(&whole, site_name, headline.as_deref()))
}

/// Cuts the name of the site off a title.
fn without_site(title: &str, site_name: Option<&str>, headline: Option<&str>) -> String {
    let site = site_name.map(key).unwrap_or_default();
    let headline = headline.map(key).unwrap_or_default();
    let mut title = title;
    for _ in 0..3 {
        let Some(shorter) = SEPARATORS.iter().find_map(|separator| {
            let (left, right) = title.rsplit_once(separator)?;
            let (first, rest) = title.split_once(separator)?;
            if is_site(right, &site, &headline) {
                return Some(left);
            }
            is_named(first, &site).then_some(rest)
        }) else {
            break;
        };
        title = shorter.trim();
    }
    title.to_owned()
}

/// Whether the last piece of a title is the site's name, or short and not in the headline.
fn is_site(piece: &str, site: &str, headline: &str) -> bool {
    let words = piece.split_whitespace().count();
    is_named(piece, site)
        || (!headline.is_empty() && words <= 5 && !headline.contains(&key(piece)))
        || (headline.is_empty() && words <= 3)
}

fn is_named(piece: &str, site: &str) -> bool {
    let piece = key(piece);
    !piece.is_empty() && !site.is_empty() && (site.contains(&piece) || piece.contains(site))
}
