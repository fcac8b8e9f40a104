//! Blocks → the lists among their lines, and the line above each, which may introduce it.

use std::ops::Range;

use probity_core::List;

use super::block::{Block, Shape};
use super::render::lines;

/// The lists of a document while it is written.
#[derive(Default)]
pub(crate) struct Lists {
    found: Vec<List>,
    /// The lists that may go on, outermost first.
    open: Vec<Open>,
    /// The line before, if it can introduce a list: where it begins, and how many quotations are around it.
    above: Option<(usize, usize)>,
}

/// A list that may go on.
struct Open {
    /// Its place among those found.
    index: usize,
    depth: usize,
    quotes: usize,
    /// The number of its last item.
    number: Option<u32>,
    /// Where what is known of it ends. Its list is reported at its end, so that deep nesting takes no longer.
    end: usize,
}

impl Open {
    /// Whether an item at its depth is one of its own. Numbers that begin again begin another list.
    fn goes_on(&self, number: Option<u32>) -> bool {
        match (self.number, number) {
            (Some(last), Some(next)) => next > last,
            (None, None) => true,
            _ => false,
        }
    }
}

impl Lists {
    /// Reads blocks whose text begins at a byte.
    pub(crate) fn push(&mut self, blocks: &[Block], start: usize) {
        for (block, line) in lines(blocks, start).filter(|(_, line)| !line.is_empty()) {
            match block.shape {
                Shape::Item { depth, number } => self.item(depth, number, block.quotes, &line),
                Shape::ItemRest { depth } => {
                    self.leave(|open| open.depth > depth || open.quotes != block.quotes);
                    self.reach(line.end);
                }
                // Both stand within items as well as between lists; the next line tells.
                Shape::Code(_) | Shape::Row { .. } => {}
                Shape::Paragraph | Shape::Heading(_) => self.leave(|_| true),
            }
            let introduces = match block.shape {
                Shape::Paragraph => true,
                Shape::Item { .. } | Shape::ItemRest { .. } => !self.open.is_empty(),
                Shape::Heading(_) | Shape::Code(_) | Shape::Row { .. } => false,
            };
            self.above = introduces.then_some((line.start, block.quotes));
        }
    }

    /// Adds lists of a document of its own, which ends what stands before it.
    pub(crate) fn push_found(&mut self, lists: impl Iterator<Item = List>) {
        self.leave(|_| true);
        self.found.extend(lists);
        self.above = None;
    }

    /// All lists, in order of their first items.
    pub(crate) fn finish(mut self) -> Vec<List> {
        self.leave(|_| true);
        self.found
    }

    fn item(&mut self, depth: usize, number: Option<u32>, quotes: usize, line: &Range<usize>) {
        self.leave(|open| open.depth > depth || open.quotes != quotes);
        // An item above a list of its own depth is the end of another list and introduces nothing.
        let beside = self.open.last().is_some_and(|open| open.depth == depth);
        if beside && self.open.last().is_some_and(|open| !open.goes_on(number)) {
            self.leave_one();
        }
        match self.open.last_mut() {
            Some(open) if open.depth == depth => {
                open.number = number;
                if let Some(list) = self.found.get_mut(open.index) {
                    list.items.push(line.start);
                }
            }
            _ => {
                let above = self.above.filter(|(_, around)| *around == quotes && !beside);
                let index = self.found.len();
                self.open.push(Open { index, depth, quotes, number, end: line.end });
                self.found.push(List {
                    lead: above.map(|(start, _)| start),
                    items: vec![line.start],
                    end: line.end,
                    ordered: number.is_some(),
                });
            }
        }
        self.reach(line.end);
    }

    fn leave(&mut self, is_over: impl Fn(&Open) -> bool) {
        while self.open.last().is_some_and(&is_over) {
            self.leave_one();
        }
    }

    /// Ends the innermost list. The item around it reaches as far as it does.
    fn leave_one(&mut self) {
        let Some(over) = self.open.pop() else { return };
        if let Some(list) = self.found.get_mut(over.index) {
            list.end = over.end;
        }
        self.reach(over.end);
    }

    /// The innermost list reaches to here.
    fn reach(&mut self, end: usize) {
        if let Some(open) = self.open.last_mut() {
            open.end = open.end.max(end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::render::Written;
    use crate::extract::{Input, extract};

    fn item(depth: usize, number: Option<u32>) -> Shape {
        Shape::Item { depth, number }
    }

    /// Each list as "lead > item | item", with lines of one item joined by a slash.
    fn texts_of(text: &str, lists: &[List]) -> Vec<String> {
        let line = |start: usize| text.get(start..).and_then(|rest| rest.lines().next()).unwrap();
        let tell = |list: &List| {
            let item = |one: Range<usize>| text.get(one).unwrap().replace('\n', "/");
            let items: Vec<String> = list.items().map(item).collect();
            format!("{} > {}", list.lead.map_or("", line), items.join(" | "))
        };
        lists.iter().map(tell).collect()
    }

    fn lists(blocks: Vec<(Shape, &str)>) -> Vec<String> {
        let blocks: Vec<Block> =
            blocks.into_iter().filter_map(|(shape, text)| Block::plain(shape, text)).collect();
        let whole = Written::of(&blocks).into_document();
        // A document that is written piece by piece has the same lists.
        let mut pieces = Written::default();
        blocks.iter().for_each(|block| pieces.push(std::slice::from_ref(block)));
        assert_eq!(pieces.into_document().lists, whole.lists);
        texts_of(&whole.text, &whole.lists)
    }

    fn read(bytes: &str, content_type: &str) -> Vec<String> {
        let input = Input { bytes: bytes.as_bytes(), content_type: Some(content_type), url: None };
        let document = extract(input).unwrap().document;
        texts_of(&document.text, &document.lists)
    }

    #[test]
    fn a_list_has_the_line_above_it_as_its_lead_and_ends_with_the_next_paragraph() {
        use Shape::{Heading, Paragraph};
        let found = lists(vec![
            (Paragraph, "Five ways:"),
            (item(0, None), "one"),
            (item(0, None), "two"),
            (Paragraph, "More:"),
            (item(0, None), "three"),
            (Heading(2), "Head"),
            (item(0, None), "four"),
        ]);
        assert_eq!(found, ["Five ways: > one | two", "More: > three", " > four"]);
    }

    #[test]
    fn a_list_within_an_item_is_led_by_it() {
        let found = lists(vec![
            (Shape::Paragraph, "Ways:"),
            (item(0, None), "by sea"),
            (item(1, None), "ferry"),
            (item(1, None), "yacht"),
            (item(0, None), "by land"),
        ]);
        assert_eq!(found, ["Ways: > by sea/ferry/yacht | by land", "by sea > ferry | yacht"]);
    }

    #[test]
    fn further_paragraphs_and_code_are_part_of_their_item() {
        let found = lists(vec![
            (item(0, Some(1)), "Do this:"),
            (Shape::Code(String::new()), "run"),
            (item(0, Some(2)), "Then that."),
            (Shape::ItemRest { depth: 0 }, "It takes long."),
            (Shape::Code(String::new()), "after the list"),
        ]);
        assert_eq!(found, [" > Do this:/run | Then that./It takes long."]);
    }

    #[test]
    fn numbers_that_begin_again_begin_another_list() {
        let found = lists(vec![
            (item(0, Some(1)), "a"),
            (item(0, Some(2)), "b"),
            (item(0, Some(1)), "c"),
            (item(0, None), "d"),
        ]);
        assert_eq!(found, [" > a | b", " > c", " > d"]);
    }

    #[test]
    fn formats_that_mark_lists_have_them() {
        let page = "<p>The hall lends two rooms, for a fee:</p><ul><li>the loft, at 40 crowns</li>\
                    <li>the cellar, at 20</li></ul><p>Both are cold.</p>";
        let expected =
            ["The hall lends two rooms, for a fee: > the loft, at 40 crowns | the cellar, at 20"];
        assert_eq!(read(page, "text/html"), expected);
        let markdown = "The hall lends two rooms, for a fee:\n\n- the loft, at 40 crowns\n\
                        - the cellar, at 20\n\nBoth are cold.\n";
        assert_eq!(read(markdown, "text/markdown"), expected);
    }

    #[test]
    fn a_list_of_an_attached_document_stands_where_its_text_does() {
        let mail = "From: a@a.example\nSubject: Rooms\nContent-Type: text/html\n\n\
                    <p>We lend:</p><ul><li>the loft</li><li>the hall</li></ul>";
        assert_eq!(read(mail, "message/rfc822"), ["We lend: > the loft | the hall"]);
    }
}
