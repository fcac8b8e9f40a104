//! A web page → its main text and what it says of itself.
//!
//! ```text
//! parse → hidden → headline → boilerplate → measure → pick → prune → blocks → tidy → render
//! ```

mod about;
mod blocks;
mod boilerplate;
mod headline;
mod hidden;
mod measure;
mod names;
mod open;
mod own_data;
mod parse;
mod pick;
mod prune;
mod signals;
mod tables;
mod tag;
mod tidy;
mod tree;
mod views;
mod vote;

use probity_core::{Document, WebUrl};

use super::block::Block;
use super::budget::{Budget, Spent};
use super::render::Written;

pub(crate) use about::one_line;
use about::{LinkedData, Meta, Sources};
use headline::Headline;
use hidden::Visible;
use tag::Tag;
use tree::{NodeId, NodeMap, Tree};
pub(crate) use views::{View, views};

/// A text shorter than this is suspected to be a part of the page only.
const SHORT_TEXT: usize = 250;

/// Reads a page.
pub(crate) fn read(html: &str, url: Option<&WebUrl>, budget: &Budget) -> Document {
    let tree = parse::parse(html);
    let visible = hidden::find_hidden(&tree);
    let meta = Meta::read(&tree);
    let title = about::page_title(&tree, &meta);
    let headline = headline::find_headline(&tree, &visible, &title);
    let base = base_url(&meta, url);
    let reader = Reader {
        tree: &tree,
        visible: &visible,
        headline: headline.as_ref(),
        title: &title,
        named_title: meta.first(&["citation_title", "og:title"]).unwrap_or_default(),
        base: base.as_ref(),
    };
    let blocks = reader.main_text();
    tell_cuts(&tree, &visible.hidden, budget);
    let blocks = own_text(html, &blocks, url, budget).unwrap_or(blocks);
    let written = Written::of(&blocks);
    let data = LinkedData::read(&tree, &title);
    let sources = Sources {
        tree: &tree,
        visible: &visible,
        headline: headline.as_ref(),
        meta: &meta,
        data: &data,
        url,
        text: &written.text,
    };
    let about = sources.about();
    Document {
        title: about.title,
        byline: about.byline,
        site_name: about.site_name,
        published: about.published,
        published_is_guessed: about.published_is_guessed,
        updated: about.updated,
        lang: about.lang,
        canonical: about.canonical,
        claim_reviews: about.claim_reviews,
        signals: signals::signals(&tree, url),
        ..written.into_document()
    }
}

/// The text among a page's own data, where the page shows hardly any and the data has more.
fn own_text(
    html: &str,
    shown: &[Block],
    url: Option<&WebUrl>,
    budget: &Budget,
) -> Option<Vec<Block>> {
    let shown = length(shown);
    if shown >= SHORT_TEXT {
        return None;
    }
    let (_, own) = read_fragment(&own_data::body(html)?, url, budget);
    (length(&own) >= SHORT_TEXT && length(&own) > shown * 2).then_some(own)
}

/// The blocks of a page that is all text, one made from Markdown, and its first headline.
pub(crate) fn read_fragment(
    html: &str,
    url: Option<&WebUrl>,
    budget: &Budget,
) -> (String, Vec<Block>) {
    let tree = parse::parse(html);
    let visible = hidden::find_hidden(&tree);
    let headline = tree
        .ids()
        .take(HEADLINE_REACH)
        .find(|id| tree.tag(*id) == Tag::H1 && !visible.hidden.get(*id))
        .map(|id| tree.flat_text(id, 1_000))
        .unwrap_or_default();
    let blocks = blocks::blocks(&tree, &[NodeId::ROOT], &visible.hidden, url.map(WebUrl::as_url));
    tell_cuts(&tree, &visible.hidden, budget);
    (headline, blocks)
}

/// Notes what a limit has kept from being read.
fn tell_cuts(tree: &Tree, hidden: &NodeMap<bool>, budget: &Budget) {
    if tree.len() >= parse::MAX_NODES {
        budget.cut(Spent::Elements);
    }
    if tree.ids().any(|id| tree.tag(id) == Tag::Table && tables::is_cut(tree, id, hidden)) {
        budget.cut(Spent::Table);
    }
}

/// How far into a document its headline may stand.
const HEADLINE_REACH: usize = 50;

/// What relative links are relative to.
fn base_url(meta: &Meta, url: Option<&WebUrl>) -> Option<WebUrl> {
    match (&meta.base, url) {
        (Some(base), Some(url)) => url.join(base).ok().or_else(|| Some(url.clone())),
        (Some(base), None) => WebUrl::parse(base).ok(),
        (None, url) => url.cloned(),
    }
}

/// What the main text is found with.
struct Reader<'a> {
    tree: &'a Tree,
    visible: &'a Visible,
    headline: Option<&'a Headline>,
    title: &'a str,
    named_title: &'a str,
    base: Option<&'a WebUrl>,
}

impl Reader<'_> {
    /// The main text; where little is found, with less and less taken for furniture.
    fn main_text(&self) -> Vec<Block> {
        let all = measure::measure(self.tree, &self.visible.hidden);
        let dropped = boilerplate::find_boilerplate(
            self.tree,
            self.visible,
            &all,
            self.headline.map(|headline| headline.node),
        );
        let blocks = self.blocks(dropped.clone(), true);
        if length(&blocks) >= SHORT_TEXT {
            return blocks;
        }
        let everything = self.whole(dropped);
        if length(&everything) >= SHORT_TEXT && length(&everything) > length(&blocks) * 2 {
            return everything;
        }
        let unnamed = self.blocks(self.visible.hidden.clone(), false);
        if length(&unnamed) > length(&blocks) * 2 { unnamed } else { blocks }
    }

    fn blocks(&self, mut dropped: NodeMap<bool>, prune_links: bool) -> Vec<Block> {
        let stats = measure::measure(self.tree, &dropped);
        let picker = pick::Picker {
            tree: self.tree,
            visible: self.visible,
            dropped: &dropped,
            stats: &stats,
            headline: self.headline,
        };
        let parts = picker.pick();
        if prune_links {
            prune::prune(self.tree, &parts, &stats, &mut dropped);
        }
        self.tidied(&parts, &dropped)
    }

    /// All that is not furniture.
    fn whole(&self, mut dropped: NodeMap<bool>) -> Vec<Block> {
        let stats = measure::measure(self.tree, &dropped);
        prune::prune(self.tree, &[NodeId::ROOT], &stats, &mut dropped);
        self.tidied(&[NodeId::ROOT], &dropped)
    }

    fn tidied(&self, parts: &[NodeId], dropped: &NodeMap<bool>) -> Vec<Block> {
        let blocks = blocks::blocks(self.tree, parts, dropped, self.base.map(WebUrl::as_url));
        let headline = self.headline.map_or("", |headline| &headline.text);
        tidy::tidy(blocks, &[headline, self.title, self.named_title])
    }
}

fn length(blocks: &[Block]) -> usize {
    blocks.iter().map(|block| block.text.chars().count()).sum()
}
