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
/// A part within a part of the same name is the story if it holds this share of it (percent).
const INNER_SHARE: u64 = 90;
/// The shares of prose and of all text that a tighter part must hold (percent).
const TIGHT_PROSE: u64 = 95;
const TIGHT_CHARS: u64 = 85;
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
        let parts = match parts.as_slice() {
            [one] => self.tighten(*one),
            _ => parts,
        };
        self.with_lead(parts)
    }

    /// The innermost part that still holds nearly all of the text, and the sentences before it: what
    /// is left out are lines about the story and boxes below it.
    fn tighten(&self, outer: NodeId) -> Vec<NodeId> {
        let inner = self.innermost_text(outer);
        let mut parts = Vec::new();
        let mut id = outer;
        while id < inner {
            let is_whole = self.tree.tag(id).is_block()
                && self.stats.get(id).is_prose()
                && !self.tree.contains(id, inner)
                && self.headline.is_none_or(|headline| headline.node != id);
            if self.dropped.get(id) {
                id = self.tree.end(id);
            } else if is_whole {
                if !self.is_repeated(id, inner) {
                    parts.push(id);
                }
                id = self.tree.end(id);
            } else {
                id = id.following();
            }
        }
        parts.push(inner);
        parts
    }

    fn innermost_text(&self, outer: NodeId) -> NodeId {
        let all = self.stats.get(outer);
        let holds = |part: u32, whole: u32, percent: u64| {
            u64::from(part) * 100 >= u64::from(whole) * percent
        };
        self.tree
            .subtree(outer)
            .rfind(|id| {
                let stats = self.stats.get(*id);
                holds(stats.prose, all.prose, TIGHT_PROSE)
                    && holds(stats.chars, all.chars, TIGHT_CHARS)
                    && self.tree.tag(*id).is_block()
                    && !self.dropped.get(*id)
            })
            .unwrap_or(outer)
    }

    /// What the vote and the balance agree on, or the wider of the two where it is clean.
    fn base(&self) -> Vec<NodeId> {
        let voted = vote::vote(self);
        let balances = self.balances();
        let widest = self.widest(&balances);
        if self.is_worth(widest, &voted) {
            return vec![widest];
        }
        match voted.as_slice() {
            [one] => vec![self.widen(*one, &balances)],
            _ => voted,
        }
    }

    /// Takes in what is around a part as long as it adds more text than clutter: facts in a list or
    /// table, further sections.
    fn widen(&self, part: NodeId, balances: &NodeMap<f32>) -> NodeId {
        let mut part = part;
        loop {
            let outer = self.tree.parent(part);
            let (inner_stats, stats) = (self.stats.get(part), self.stats.get(outer));
            let extra = stats.chars.saturating_sub(inner_stats.chars);
            if matches!(self.tree.tag(outer), Tag::Body | Tag::Html | Tag::Td)
                || outer == NodeId::ROOT
                || balances.get(outer) < balances.get(part)
                || extra > inner_stats.chars
                || stats.link_density() > 0.1
                || self.linked_headings(outer, &[part]) > 0
            {
                return part;
            }
            part = outer;
        }
    }

    pub(super) fn prose(&self, parts: &[NodeId]) -> u32 {
        parts.iter().fold(0, |sum, id| sum.saturating_add(self.stats.get(*id).prose))
    }

    /// What prose and clutter come to in each part.
    fn balances(&self) -> NodeMap<f32> {
        let mut sums: NodeMap<f32> = NodeMap::new(self.tree);
        for id in self.tree.ids().rev() {
            let tag = self.tree.tag(id);
            if self.dropped.get(id) || tag == Tag::Text {
                continue;
            }
            *sums.get_mut(id) += balance(tag, self.stats.get(id));
            if id != NodeId::ROOT {
                let sum = sums.get(id);
                *sums.get_mut(self.tree.parent(id)) += sum;
            }
        }
        sums
    }

    /// The container with the best balance of prose over clutter.
    #[expect(clippy::cast_precision_loss, reason = "lengths of texts, compared roughly")]
    fn widest(&self, balances: &NodeMap<f32>) -> NodeId {
        let mut best = (NodeId::ROOT, f32::MIN);
        for id in self.tree.ids().rev() {
            if self.dropped.get(id) || self.tree.tag(id) == Tag::Text {
                continue;
            }
            let stats = self.stats.get(id);
            let purity = stats.prose as f32 / stats.chars.max(1) as f32;
            let score = balances.get(id) * purity;
            if score > best.1 + 0.01 {
                best = (id, score);
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
                return (!self.loses_text(&inside, base))
                    .then(|| self.with_small(&inside, hint, base));
            }
        } else if own_story >= 2 && self.is_at_headline(best, &found) && best_prose >= 400 {
            return Some(vec![best]);
        }
        // One of several like it in the base is a section, not the story.
        (enough && !self.has_alike(best, base)).then(|| vec![best])
    }

    /// Whether a part, or its container within the base, has a sibling of the same kind with
    /// prose of its own: page builders make a story of many boxes.
    fn has_alike(&self, part: NodeId, base: &[NodeId]) -> bool {
        let first_class =
            |id: NodeId| self.tree.attr(id, Attr::Class)?.split_ascii_whitespace().next();
        std::iter::once(part)
            .chain(self.tree.ancestors(part))
            .take_while(|id| {
                base.iter().any(|outer| outer != id && self.tree.contains(*outer, *id))
            })
            .any(|id| {
                let class = first_class(id);
                class.is_some()
                    && self.tree.children(self.tree.parent(id)).any(|sibling| {
                        sibling != id
                            && first_class(sibling) == class
                            && !self.dropped.get(sibling)
                            && self.stats.get(sibling).prose > 0
                    })
            })
    }

    /// Whether parts leave out much text of a base that has few links: headings, short answers.
    fn loses_text(&self, parts: &[NodeId], base: &[NodeId]) -> bool {
        let sum = |ids: &[NodeId], of: fn(&Stats) -> u32| -> u64 {
            ids.iter().map(|id| u64::from(of(&self.stats.get(*id)))).sum()
        };
        let all = sum(base, |stats| stats.chars);
        sum(parts, |stats| stats.chars) * 100 < all * 80
            && sum(base, |stats| stats.link_chars) * 100 < all * 5
    }

    /// The parts with those of the same name that were too small to be the story alone.
    fn with_small(&self, parts: &[NodeId], hint: Hints, base: &[NodeId]) -> Vec<NodeId> {
        let mut all = Vec::new();
        let mut skip_to = NodeId::ROOT;
        for id in base.iter().flat_map(|part| self.tree.subtree(*part)) {
            if id < skip_to {
                continue;
            }
            // The parts are in document order, so one of them in this element would be the next.
            let next = parts.get(parts.partition_point(|part| *part < id)).copied();
            let is_small = || {
                !self.dropped.get(id)
                    && self.stats.get(id).chars > 0
                    && self.is_named(id, hint)
                    && next.is_none_or(|part| !self.tree.contains(id, part))
            };
            if next == Some(id) || is_small() {
                all.push(id);
                skip_to = self.tree.end(id);
            }
        }
        all
    }

    /// The outermost parts with a name, and prose in them.
    fn find_named(&self, hint: Hints) -> Vec<NodeId> {
        let least = MIN_NAMED_PROSE.min(self.stats.get(NodeId::ROOT).prose / 8);
        let mut found: Vec<NodeId> = Vec::new();
        let mut skip_to = NodeId::ROOT;
        for id in self.tree.ids() {
            if id < skip_to
                || self.dropped.get(id)
                || self.stats.get(id).prose < least
                || !self.is_named(id, hint)
            {
                continue;
            }
            found.push(self.innermost(id, hint));
            skip_to = self.tree.end(id);
        }
        found
    }

    /// Of nested parts with one name, the innermost that still holds nearly all the prose.
    fn innermost(&self, outer: NodeId, hint: Hints) -> NodeId {
        let all = u64::from(self.stats.get(outer).prose);
        self.tree
            .subtree(outer)
            .rfind(|id| {
                !self.dropped.get(*id)
                    && u64::from(self.stats.get(*id).prose) * 100 >= all * INNER_SHARE
                    && self.is_named(*id, hint)
            })
            .unwrap_or(outer)
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
                && is_headline_like(&self.tree.flat_text(inner, 200))
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

    /// Whether an element or its container is named as the lead. What is not may be a
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

/// Whether a heading is long enough to head a story of its own: `2 answers` is not.
fn is_headline_like(text: &str) -> bool {
    text.split_whitespace().count() >= 3 || text.chars().filter(|c| *c >= '\u{3040}').count() >= 6
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
    } else if matches!(tag, Tag::Li | Tag::Dd | Tag::Dt) || tag.is_cell() {
        0.0
    } else {
        -10.0
    }
}
