//! Which parts of a page hold its main text.
//!
//! Three opinions are weighed. Paragraphs vote for the containers around them, the nearer the more.
//! Prose and clutter are summed, and the container with the best balance is the widest reading.
//! Names and elements that say "this is the story" are believed where they hold enough of it.

use super::headline::Headline;
use super::hidden::Visible;
use super::measure::Stats;
use super::names::Hints;
use super::tag::Tag;
use super::tree::{Attr, NodeId, NodeMap, Tree};
use super::vote;

/// A text that is named as the body is believed from this share of the base (percent).
const BODY_SHARE: u64 = 60;
/// The same for articles.
const STORY_SHARE: u64 = 80;
/// The same for several parts of one kind together.
const PIECES_SHARE: u64 = 90;
/// The least prose of a part that is believed for its name.
const MIN_NAMED_PROSE: u32 = 120;

/// What picking looks at.
pub(crate) struct Picker<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) visible: &'a Visible,
    pub(crate) dropped: &'a NodeMap<bool>,
    pub(crate) stats: &'a NodeMap<Stats>,
    pub(crate) headline: Option<&'a Headline>,
}

impl Picker<'_> {
    /// The parts with the main text, in document order.
    pub(crate) fn pick(&self) -> Vec<NodeId> {
        let base = self.base();
        let parts = self
            .named(Hints::BODY, BODY_SHARE, &base)
            .or_else(|| self.named(Hints::STORY, STORY_SHARE, &base))
            .unwrap_or(base);
        self.with_lead(parts)
    }

    /// What the vote and the balance agree on, or the wider of the two where it is clean.
    fn base(&self) -> Vec<NodeId> {
        let voted = vote::vote(self);
        let widest = self.widest();
        if self.is_worth(widest, &voted) { vec![widest] } else { voted }
    }

    pub(super) fn prose(&self, parts: &[NodeId]) -> u32 {
        parts.iter().fold(0, |sum, id| sum.saturating_add(self.stats.get(*id).prose))
    }

    /// The container with the best balance of prose over clutter.
    #[expect(clippy::cast_precision_loss, reason = "lengths of texts, compared roughly")]
    fn widest(&self) -> NodeId {
        let mut sums: NodeMap<f32> = NodeMap::new(self.tree);
        let mut best = (NodeId::ROOT, f32::MIN);
        for id in self.tree.ids().rev() {
            let tag = self.tree.tag(id);
            if self.dropped.get(id) || tag == Tag::Text {
                continue;
            }
            let stats = self.stats.get(id);
            *sums.get_mut(id) += balance(tag, stats);
            let sum = sums.get(id);
            *sums.get_mut(self.tree.parent(id)) += if id == NodeId::ROOT { 0.0 } else { sum };
            let purity = stats.prose as f32 / stats.chars.max(1) as f32;
            if sum * purity > best.1 + 0.01 {
                best = (id, sum * purity);
            }
        }
        best.0
    }

    /// Whether a wider part brings enough prose and not other stories.
    fn is_worth(&self, wider: NodeId, voted: &[NodeId]) -> bool {
        let stats = self.stats.get(wider);
        let voted_prose = self.prose(voted);
        let has_headline = self.headline.is_some_and(|h| self.tree.contains(wider, h.node));
        let least = if has_headline { 115 } else { 300 };
        voted.iter().all(|id| self.tree.contains(wider, *id) && *id != wider)
            && u64::from(stats.prose) * 100 >= u64::from(voted_prose) * least
            && u64::from(stats.prose) * 100 >= u64::from(stats.chars) * 60
            && self.linked_headings(wider, voted) < 3
    }

    /// How many headings of a part that are not in the others are links to elsewhere.
    fn linked_headings(&self, part: NodeId, without: &[NodeId]) -> usize {
        self.tree
            .subtree(part)
            .filter(|id| {
                self.tree.tag(*id).heading().is_some()
                    && !self.dropped.get(*id)
                    && !without.iter().any(|other| self.tree.contains(*other, *id))
                    && self.stats.get(*id).link_density() > 0.5
            })
            .count()
    }

    /// The parts that are named as the story, if they hold enough.
    fn named(&self, hint: Hints, share: u64, base: &[NodeId]) -> Option<Vec<NodeId>> {
        let found = self.find_named(hint);
        let best = found.iter().copied().max_by_key(|id| self.rank(*id, &found))?;
        let base_prose = self.prose(base);
        let best_prose = self.stats.get(best).prose;
        let enough = u64::from(best_prose) * 100 >= u64::from(base_prose) * share;
        if enough && base_prose <= best_prose {
            return Some(vec![best]);
        }
        // Several of a kind in the base: the posts of a thread, or the pieces of one story.
        let inside: Vec<NodeId> = found
            .iter()
            .copied()
            .filter(|id| base.iter().any(|outer| self.tree.contains(*outer, *id)))
            .collect();
        let own_story = inside.iter().filter(|id| self.has_own_headline(**id, &found)).count();
        if inside.len() > 1 && own_story < 2 {
            let prose = self.prose(&inside);
            if u64::from(prose) * 100 >= u64::from(base_prose) * PIECES_SHARE {
                return Some(inside);
            }
        } else if own_story >= 2 && self.is_at_headline(best, &found) && best_prose >= 400 {
            return Some(vec![best]);
        }
        enough.then(|| vec![best])
    }

    /// The outermost parts with a name, and prose in them.
    fn find_named(&self, hint: Hints) -> Vec<NodeId> {
        let mut found: Vec<NodeId> = Vec::new();
        let mut skip_to = NodeId::ROOT;
        for id in self.tree.ids() {
            if id < skip_to
                || self.dropped.get(id)
                || self.stats.get(id).prose < MIN_NAMED_PROSE
                || !self.is_named(id, hint)
            {
                continue;
            }
            found.push(id);
            skip_to = self.tree.end(id);
        }
        found
    }

    /// How likely a named part is the story: its prose, and more so where the headline is.
    fn rank(&self, id: NodeId, found: &[NodeId]) -> (u64, std::cmp::Reverse<NodeId>) {
        let prose = u64::from(self.stats.get(id).prose);
        let factor = match self.headline {
            Some(_) if self.is_at_headline(id, found) => 30,
            Some(headline) if self.tree.end(id) <= headline.node => 3,
            _ => 10,
        };
        (prose * factor, std::cmp::Reverse(id))
    }

    /// Whether the headline is in a part, or directly before it.
    fn is_at_headline(&self, id: NodeId, found: &[NodeId]) -> bool {
        let Some(headline) = self.headline else { return false };
        if self.tree.contains(id, headline.node) {
            return true;
        }
        let next = found.iter().copied().find(|part| *part > headline.node);
        next == Some(id) && !found.iter().any(|part| self.tree.contains(*part, headline.node))
    }

    /// Whether a part, or the story around it, has a headline of its own.
    fn has_own_headline(&self, id: NodeId, found: &[NodeId]) -> bool {
        let around = self
            .tree
            .ancestors(id)
            .take_while(|outer| {
                !found.iter().any(|other| *other != id && self.tree.contains(*outer, *other))
            })
            .last()
            .unwrap_or(id);
        self.tree.subtree(around).any(|inner| {
            matches!(self.tree.tag(inner), Tag::H1 | Tag::H2)
                && !self.dropped.get(inner)
                && (inner < id || around == id)
        })
    }

    fn is_named(&self, id: NodeId, hint: Hints) -> bool {
        let tag = self.tree.tag(id);
        if hint == Hints::STORY && tag == Tag::Article {
            return true;
        }
        if hint == Hints::BODY
            && self
                .tree
                .attr(id, Attr::Itemprop)
                .is_some_and(|prop| prop.trim().eq_ignore_ascii_case("articleBody"))
        {
            return true;
        }
        matches!(tag, Tag::Div | Tag::Section | Tag::Article | Tag::Main)
            && self.visible.hints.get(id).any(hint)
    }

    /// Adds the paragraphs between the headline and the story: its lead.
    fn with_lead(&self, parts: Vec<NodeId>) -> Vec<NodeId> {
        let (Some(headline), Some(first)) = (self.headline, parts.first().copied()) else {
            return parts;
        };
        if headline.node >= first {
            return parts;
        }
        let mut lead: Vec<NodeId> = Vec::new();
        let mut prose = 0_u32;
        let mut id = self.tree.end(headline.node);
        while id < first {
            let stats = self.stats.get(id);
            if self.dropped.get(id) {
                id = self.tree.end(id);
                continue;
            }
            let is_block = self.tree.tag(id).is_block() && self.tree.tag(id).heading().is_none();
            if is_block
                && self.is_lead(id)
                && stats.prose > 0
                && stats.prose == stats.chars
                && !self.tree.contains(id, first)
            {
                prose = prose.saturating_add(stats.prose);
                lead.push(id);
                id = self.tree.end(id);
                continue;
            }
            id = id.following();
        }
        lead.retain(|id| !self.is_repeated(*id, first));
        if lead.is_empty() || prose > MAX_LEAD || prose > self.prose(&parts) {
            return parts;
        }
        lead.extend(parts);
        lead
    }

    /// Whether an element or what it stands in is named as the lead. What is not may be a
    /// description of the story for other pages.
    fn is_lead(&self, id: NodeId) -> bool {
        std::iter::once(id)
            .chain(self.tree.ancestors(id).take(2))
            .any(|outer| self.visible.hints.get(outer).any(Hints::LEAD))
    }

    /// Whether the text begins with its lead once more.
    fn is_repeated(&self, lead: NodeId, text: NodeId) -> bool {
        let lead = self.tree.flat_text(lead, MAX_LEAD as usize * 4);
        self.tree.flat_text(text, MAX_LEAD as usize * 8).contains(&lead)
    }
}

/// The longest lead, in letters.
const MAX_LEAD: u32 = 1_200;

/// What a block adds to the balance: prose for, links and scraps against.
#[expect(clippy::cast_precision_loss, reason = "lengths of texts, compared roughly")]
fn balance(tag: Tag, stats: Stats) -> f32 {
    if !tag.is_block() || stats.own_chars == 0 || tag.heading().is_some() {
        return 0.0;
    }
    let density = stats.own_link_density();
    if stats.is_prose() {
        stats.own_chars as f32 * (1.0 - density)
    } else if density > 0.5 {
        -(20.0 + stats.own_link_chars as f32) * 0.5
    } else if tag == Tag::Li || tag.is_cell() {
        0.0
    } else {
        -10.0
    }
}
