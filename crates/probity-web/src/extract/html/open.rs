//! Which elements are open while a page is parsed, and what a tag closes.

use super::tag::Tag;
use super::tree::NodeId;

/// How deep elements nest; what is deeper becomes a sibling. Browsers stop at 512 too.
pub(crate) const MAX_DEPTH: usize = 512;
/// How many steps are spent on looking for open elements before misnested end tags are ignored.
const MAX_STEPS: usize = 50_000_000;

/// The open elements, outermost first.
pub(super) struct OpenElements {
    stack: Vec<(Tag, NodeId)>,
    /// How many of each are open, so that most questions need no walk.
    counts: [u32; Tag::COUNT],
    /// Elements that were opened beyond the depth limit and not pushed.
    beyond: usize,
    steps: usize,
}

impl Default for OpenElements {
    fn default() -> Self {
        Self { stack: Vec::with_capacity(64), counts: [0; Tag::COUNT], beyond: 0, steps: 0 }
    }
}

impl OpenElements {
    /// The element that new nodes go into.
    pub(super) fn current(&self) -> NodeId {
        self.stack.last().map_or(NodeId::ROOT, |(_, id)| *id)
    }

    /// Whether such an element is open.
    pub(super) fn has(&self, tag: Tag) -> bool {
        self.count(tag) > 0
    }

    /// Whether the current element is one whose content is text only.
    pub(super) fn in_raw_text(&self) -> bool {
        self.stack
            .last()
            .is_some_and(|(tag, _)| matches!(tag, Tag::Title | Tag::Script | Tag::Style))
    }

    /// Whether the current element is in an SVG or MathML island, where `/>` closes.
    pub(super) fn in_foreign(&self) -> bool {
        self.has(Tag::Svg) || self.has(Tag::Math)
    }

    /// Closes everything.
    pub(super) fn clear(&mut self) {
        self.stack.clear();
        self.counts = [0; Tag::COUNT];
        self.beyond = 0;
    }

    /// Opens an element, unless it is too deep.
    pub(super) fn push(&mut self, tag: Tag, id: NodeId) {
        if self.stack.len() >= MAX_DEPTH {
            self.beyond = self.beyond.saturating_add(1);
            return;
        }
        self.stack.push((tag, id));
        self.bump(tag, 1);
    }

    /// Closes what the start tag of an element ends without saying so.
    pub(super) fn close_implied(&mut self, tag: Tag) {
        if tag.closes_paragraph() && self.has(Tag::P) {
            self.close_within(
                |open| open == Tag::P,
                |open| open.bounds_scope() || open == Tag::Button,
            );
        }
        match tag {
            Tag::Li => self.close_item(|open| open == Tag::Li),
            Tag::Dd | Tag::Dt => self.close_item(|open| matches!(open, Tag::Dd | Tag::Dt)),
            Tag::Option | Tag::Optgroup => {
                self.close_within(|open| open == Tag::Option, |open| open != Tag::Option);
            }
            Tag::Tr => self.close_within(|open| open == Tag::Tr, |open| open == Tag::Table),
            Tag::Td | Tag::Th => {
                self.close_within(Tag::is_cell, |open| matches!(open, Tag::Table | Tag::Tr));
            }
            Tag::Tbody | Tag::Thead | Tag::Tfoot => {
                self.close_within(Tag::is_row_group, |open| open == Tag::Table);
            }
            Tag::A if self.has(Tag::A) => self.close_formatting(Tag::A),
            Tag::Button if self.has(Tag::Button) => {
                self.close_within(|open| open == Tag::Button, Tag::bounds_scope);
            }
            _ if tag.heading().is_some() => {
                self.close_within(|open| open.heading().is_some(), |open| open.heading().is_none());
            }
            _ => {}
        }
    }

    /// Closes an element at its end tag, with all that is still open in it.
    pub(super) fn close(&mut self, tag: Tag) {
        if self.beyond > 0 {
            self.beyond = self.beyond.saturating_sub(1);
            return;
        }
        // Any end tag of a heading ends the heading that is open.
        let is_open = self.has(tag) || tag.heading().is_some();
        if !is_open || tag.is_void() {
            return;
        }
        match tag {
            Tag::Table | Tag::Template => self.close_within(|open| open == tag, |_| false),
            _ if tag.is_table_part() => {
                self.close_within(|open| open == tag, |open| open == Tag::Table);
            }
            _ if tag.heading().is_some() => {
                self.close_within(|open| open.heading().is_some(), Tag::bounds_scope);
            }
            _ if tag.is_formatting() => self.close_formatting(tag),
            _ if tag.is_block() => self.close_within(|open| open == tag, Tag::bounds_scope),
            // Inline elements and unknown ones do not reach across a block.
            _ => self.close_within(|open| open == tag, Tag::is_block),
        }
    }

    /// An item ends the one before it in the same list.
    fn close_item(&mut self, is_item: impl Fn(Tag) -> bool) {
        self.close_within(is_item, |open| {
            open.is_block() && !matches!(open, Tag::Address | Tag::Div | Tag::P)
        });
    }

    /// Ends formatting even across blocks: those stay open, only the formatting is over.
    fn close_formatting(&mut self, tag: Tag) {
        let Some(at) = self.find(|open| open == tag, Tag::bounds_scope) else { return };
        let crosses_block =
            self.stack.get(at..).is_some_and(|above| above.iter().any(|(open, _)| open.is_block()));
        if crosses_block {
            self.stack.remove(at);
            self.bump(tag, -1);
        } else {
            self.truncate(at);
        }
    }

    /// Closes the innermost match and all in it, if no barrier is before it.
    fn close_within(&mut self, matches: impl Fn(Tag) -> bool, stops: impl Fn(Tag) -> bool) {
        if let Some(at) = self.find(matches, stops) {
            self.truncate(at);
        }
    }

    fn find(
        &mut self,
        matches: impl Fn(Tag) -> bool,
        stops: impl Fn(Tag) -> bool,
    ) -> Option<usize> {
        if self.steps > MAX_STEPS {
            return None;
        }
        for (at, (open, _)) in self.stack.iter().enumerate().rev() {
            self.steps = self.steps.saturating_add(1);
            if matches(*open) {
                return Some(at);
            }
            if stops(*open) {
                return None;
            }
        }
        None
    }

    fn truncate(&mut self, at: usize) {
        while self.stack.len() > at {
            if let Some((tag, _)) = self.stack.pop() {
                self.bump(tag, -1);
            }
        }
    }

    fn count(&self, tag: Tag) -> u32 {
        self.counts.get(tag as usize).copied().unwrap_or(0)
    }

    fn bump(&mut self, tag: Tag, by: i32) {
        if let Some(count) = self.counts.get_mut(tag as usize) {
            *count = count.saturating_add_signed(by);
        }
    }
}
