//! The `<meta>` and `<link>` elements of a page.

use std::collections::HashMap;

use super::super::tag::Tag;
use super::super::tree::{Attr, Tree};

/// The most meta elements that are read.
const MAX_META: usize = 500;

/// Names and contents of the meta elements; the first of a name counts.
#[derive(Debug, Default)]
pub(crate) struct Meta {
    values: HashMap<String, String>,
    authors: Vec<String>,
    pub(crate) canonical: Option<String>,
    pub(crate) base: Option<String>,
}

impl Meta {
    /// Reads the meta elements of a page.
    pub(crate) fn read(tree: &Tree) -> Meta {
        let mut meta = Meta::default();
        let elements =
            tree.ids().filter(|id| matches!(tree.tag(*id), Tag::Meta | Tag::Link | Tag::Base));
        for id in elements.take(MAX_META) {
            match tree.tag(id) {
                Tag::Link => {
                    let is_canonical = tree
                        .attr(id, Attr::Rel)
                        .is_some_and(|r| r.trim().eq_ignore_ascii_case("canonical"));
                    if is_canonical && meta.canonical.is_none() {
                        meta.canonical =
                            tree.attr(id, Attr::Href).map(|href| href.trim().to_owned());
                    }
                }
                Tag::Base => {
                    if meta.base.is_none() {
                        meta.base = tree.attr(id, Attr::Href).map(|href| href.trim().to_owned());
                    }
                }
                _ => meta.add(tree, id),
            }
        }
        meta
    }

    fn add(&mut self, tree: &Tree, id: super::super::tree::NodeId) {
        let content = tree.attr(id, Attr::Content).or_else(|| tree.attr(id, Attr::Datetime));
        let Some(content) = content.map(str::trim).filter(|content| !content.is_empty()) else {
            return;
        };
        for attr in [Attr::Property, Attr::Name, Attr::Itemprop, Attr::HttpEquiv] {
            // One element may name several properties at once.
            for name in tree.attr(id, attr).unwrap_or_default().split_ascii_whitespace().take(8) {
                let mut name = name.to_ascii_lowercase();
                if attr == Attr::HttpEquiv {
                    name.insert_str(0, "http-equiv:");
                }
                if is_author(&name) && !self.authors.iter().any(|author| author == content) {
                    self.authors.push(content.to_owned());
                }
                self.values.entry(name).or_insert_with(|| content.to_owned());
            }
        }
    }

    /// The content of the first of some names that the page has.
    pub(crate) fn first(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| self.values.get(*name)).map(String::as_str)
    }

    /// All contents of the names that authors stand in.
    pub(crate) fn authors(&self) -> &[String] {
        &self.authors
    }
}

fn is_author(name: &str) -> bool {
    matches!(
        name,
        "author"
            | "article:author"
            | "article:author_name"
            | "article.author"
            | "byl"
            | "byline"
            | "citation_author"
            | "dc.creator"
            | "dc.contributor"
            | "dcterms.creator"
            | "dc:creator"
            | "parsely-author"
            | "sailthru.author"
            | "rbauthors"
            | "authors"
            | "creator"
            | "og:author"
            | "og:article:author"
            | "shareaholic:article_author_name"
            | "dcterms.author"
            | "citation_authors"
    )
}
