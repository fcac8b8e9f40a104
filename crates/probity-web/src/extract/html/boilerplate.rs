//! Which parts of a page are furniture: navigation, advertising, related stories, comments.
//!
//! Names decide, and a share of the page's prose overrules them: a `sidebar-layout` that holds the
//! whole story is no sidebar.

use super::hidden::Visible;
use super::measure::Stats;
use super::names::Hints;
use super::tag::Tag;
use super::tree::{Attr, NodeId, NodeMap, Tree};

/// A part with at least this share of the prose is not furniture, whatever its name (percent).
const MAX_SHARE: u64 = 50;
/// The same for lines about the text: authors, dates.
const MAX_ABOUT_SHARE: u64 = 25;
/// The longest text of a link that is a button.
const MAX_BUTTON: u32 = 40;
/// Comments are dropped while at least this much prose is left without them.
const MIN_WITHOUT_COMMENTS: u32 = 250;

/// The hidden parts and the furniture.
pub(crate) fn find_boilerplate(
    tree: &Tree,
    visible: &Visible,
    stats: &NodeMap<Stats>,
    headline: Option<NodeId>,
) -> NodeMap<bool> {
    let all = stats.get(NodeId::ROOT);
    let drop_comments = {
        let comments = comment_prose(tree, visible, stats);
        let rest = all.prose.saturating_sub(comments);
        rest >= MIN_WITHOUT_COMMENTS || rest > comments
    };
    let mut dropped = visible.hidden.clone();
    let mut skip_to = NodeId::ROOT;
    for id in tree.ids() {
        if id < skip_to || dropped.get(id) {
            continue;
        }
        let tag = tree.tag(id);
        if matches!(tag, Tag::Text | Tag::Html | Tag::Body) {
            continue;
        }
        let part = Part {
            tree,
            id,
            tag,
            hints: visible.hints.get(id),
            stats: stats.get(id),
            all,
            every: stats,
            hints_of: &visible.hints,
            headline,
        };
        if part.is_furniture(drop_comments) {
            dropped.fill(tree, id, true);
            skip_to = tree.end(id);
        }
    }
    dropped
}

/// How much of the page's prose is comments by name.
fn comment_prose(tree: &Tree, visible: &Visible, stats: &NodeMap<Stats>) -> u32 {
    let mut prose = 0_u32;
    let mut skip_to = NodeId::ROOT;
    for id in tree.ids() {
        if id >= skip_to && is_container(tree.tag(id)) && is_comment(visible.hints.get(id)) {
            prose = prose.saturating_add(stats.get(id).prose);
            skip_to = tree.end(id);
        }
    }
    prose
}

fn is_comment(hints: Hints) -> bool {
    hints.any(Hints::COMMENT) && !hints.any(Hints::BODY)
}

/// Elements whose names are believed.
fn is_container(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Div
            | Tag::Section
            | Tag::Ul
            | Tag::Ol
            | Tag::Li
            | Tag::Dl
            | Tag::P
            | Tag::Span
            | Tag::Table
            | Tag::Header
            | Tag::Article
            | Tag::Details
            | Tag::Center
            | Tag::Figure
            | Tag::Address
            | Tag::Td
            | Tag::Tr
            | Tag::Other
    )
}

/// One element under question.
struct Part<'a> {
    tree: &'a Tree,
    id: NodeId,
    tag: Tag,
    hints: Hints,
    stats: Stats,
    all: Stats,
    every: &'a NodeMap<Stats>,
    hints_of: &'a NodeMap<Hints>,
    headline: Option<NodeId>,
}

impl Part<'_> {
    fn is_furniture(&self, drop_comments: bool) -> bool {
        match self.tag {
            Tag::Nav | Tag::Menu | Tag::Search => return self.is_minor(MAX_SHARE),
            Tag::Footer | Tag::Aside | Tag::Form | Tag::Fieldset => {
                return self.is_minor(MAX_SHARE);
            }
            Tag::Figcaption => return self.is_minor(MAX_ABOUT_SHARE),
            Tag::Label | Tag::Legend => return self.stats.chars < 100,
            Tag::Ins => return self.hints.any(Hints::CHROME),
            Tag::A => {
                let is_button = self.hints.any(Hints::CHROME)
                    && self.stats.chars < MAX_BUTTON
                    && !self.is_in_sentence();
                return is_button || self.is_note_link();
            }
            Tag::Sup => return self.is_note_mark(),
            Tag::Figure if self.is_picture() => return true,
            _ if !is_container(self.tag) => return false,
            _ => {}
        }
        if self.is_comment_to_drop(drop_comments) {
            return true;
        }
        if self.hints.any(Hints::BODY) {
            return false;
        }
        let mut furniture = Hints::CHROME.or(Hints::RELATED).or(Hints::SIDE).or(Hints::FOOT);
        if self.hints.any(Hints::BUILDER) {
            furniture = furniture.without(Hints::CHROME);
        }
        if self.hints.any(furniture) || (self.hints.any(Hints::MORE) && self.points_elsewhere()) {
            return self.is_minor(MAX_SHARE);
        }
        if self.hints.any(Hints::ABOUT.or(Hints::CAPTION)) {
            return self.is_minor(MAX_ABOUT_SHARE) && !self.is_in_sentence();
        }
        self.hints.any(Hints::TEASER) && self.stats.links > 0 && self.is_linked_teaser()
    }

    /// A "read more" box holds links to other pages, or the rest of the text.
    fn points_elsewhere(&self) -> bool {
        self.stats.prose < 300 || self.stats.link_density() > 0.05
    }

    fn is_comment_to_drop(&self, drop_comments: bool) -> bool {
        if !is_comment(self.hints) {
            return false;
        }
        drop_comments
    }

    /// Whether the part is a few words of a longer paragraph: a place name, a time.
    fn is_in_sentence(&self) -> bool {
        matches!(self.tag, Tag::Span | Tag::A)
            && self
                .tree
                .ancestors(self.id)
                .find(|outer| self.tree.tag(*outer).is_block())
                .is_some_and(|block| {
                    let own = self.every.get(block).own_chars;
                    own >= 60 && self.stats.chars.saturating_mul(3) < own
                })
    }

    /// Whether the part holds less than a share of the page's prose (or text, where there is none).
    fn is_minor(&self, percent: u64) -> bool {
        let (part, all) = if self.all.prose >= 200 {
            (self.stats.prose, self.all.prose)
        } else {
            (self.stats.chars, self.all.chars)
        };
        if self.holds_headline() && u64::from(part) * 100 >= u64::from(all) * 15 {
            return false;
        }
        if u64::from(part) * 100 < u64::from(all) * percent {
            return true;
        }
        // A long ticker beside a short story is still beside it.
        let rest = all.saturating_sub(part);
        rest >= 400 && u64::from(rest) * 100 >= u64::from(all) * 15 && !self.holds_story()
    }

    fn holds_headline(&self) -> bool {
        self.headline.is_some_and(|headline| self.tree.contains(self.id, headline))
    }

    /// Whether the story's headline or body is in this part.
    fn holds_story(&self) -> bool {
        self.tree.subtree(self.id).any(|inner| {
            matches!(self.tree.tag(inner), Tag::H1 | Tag::Article | Tag::Main)
                || self.hints_of.get(inner).any(Hints::BODY)
        })
    }

    /// The raised number of a footnote: `[12]`.
    fn is_note_mark(&self) -> bool {
        self.stats.links > 0 && self.is_note_number()
    }

    /// The link to a footnote around its raised number, or one that says it is that.
    fn is_note_link(&self) -> bool {
        let attr = |attr| self.tree.attr(self.id, attr).unwrap_or_default();
        let is_raised =
            || self.tree.children(self.id).any(|inner| self.tree.tag(inner) == Tag::Sup);
        attr(Attr::Href).contains('#')
            && (attr(Attr::Role).trim() == "doc-noteref" || is_raised())
            && self.is_note_number()
    }

    fn is_note_number(&self) -> bool {
        let text = self.tree.flat_text(self.id, 12);
        let number = text.trim_matches(['[', ']', ' ', '\u{a0}']);
        !number.is_empty()
            && number.chars().count() <= 4
            && (number.chars().all(|c| c.is_ascii_digit()) || text.starts_with('['))
    }

    /// A figure without anything to read but its caption.
    fn is_picture(&self) -> bool {
        self.is_minor(MAX_ABOUT_SHARE)
            && !self.tree.subtree(self.id).any(|inner| {
                matches!(
                    self.tree.tag(inner),
                    Tag::Table | Tag::Pre | Tag::Blockquote | Tag::Ul | Tag::Ol
                )
            })
    }

    /// A card that points elsewhere: its heading or most of its text is a link.
    fn is_linked_teaser(&self) -> bool {
        self.is_minor(MAX_ABOUT_SHARE)
            && (self.stats.link_density() > 0.3
                || self.tree.subtree(self.id).any(|inner| {
                    self.tree.tag(inner) == Tag::A
                        && self.tree.attr(inner, Attr::Href).is_some()
                        && self
                            .tree
                            .ancestors(inner)
                            .take_while(|outer| *outer > self.id)
                            .any(|outer| self.tree.tag(outer).heading().is_some())
                }))
    }
}
