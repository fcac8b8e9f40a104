//! Lines that begin with a list's mark → items, also one alone and those within the lines of others.
//!
//! The layout takes two such lines or more for a list, if their marks are among a few and no line is indented less than
//! the one before it. A mark says that by itself, unless it stands within lines too: as a sign between names, or of a
//! formula.

use std::collections::HashSet;

use pdfboss_output::{BBox, Block, Line, ListItem, Marker, Role};

use super::lay_out::line_text;

/// How far to the left of a mark, in sizes, a line begins that is not its item's any more.
const LEFT: f32 = 0.3;

/// The blocks with an item for each line that begins with a mark.
pub(super) fn itemise(blocks: Vec<Block>) -> Vec<Block> {
    let mut within: HashSet<char> = HashSet::new();
    for line in blocks.iter().flat_map(lines) {
        let text = line_text(line);
        within.extend(text.trim_start().chars().skip(1).filter(|c| is_bullet(*c)));
    }
    let is_marked = |line: &Line| mark(line).is_some_and(|(mark, _)| !within.contains(&mark));
    let has_items = |block: &Block| lines(block).iter().any(|line| is_marked(line));
    blocks
        .into_iter()
        .flat_map(|block| match block {
            Block::Paragraph { .. } | Block::Heading { .. } if has_items(&block) => {
                parted(block, &is_marked)
            }
            Block::List { items, bbox } => {
                let items = items.into_iter().flat_map(|item| of_item(item, &is_marked));
                vec![Block::List { items: items.collect(), bbox }]
            }
            block => vec![block],
        })
        .collect()
}

/// The lines of a block in which marks are looked for.
fn lines(block: &Block) -> Vec<&Line> {
    match block {
        Block::Paragraph { lines, role: Role::Body, .. } | Block::Heading { lines, .. } => {
            lines.iter().collect()
        }
        Block::List { items, .. } => items.iter().flat_map(|item| &item.lines).collect(),
        _ => Vec::new(),
    }
}

/// A block as what stands before its first item, the items, and what follows them.
fn parted(block: Block, is_marked: &impl Fn(&Line) -> bool) -> Vec<Block> {
    let (lines, bbox, level) = match block {
        Block::Paragraph { lines, bbox, .. } => (lines, bbox, None),
        Block::Heading { lines, bbox, level } => (lines, bbox, Some(level)),
        block => return vec![block],
    };
    let mut parts: Vec<Block> = Vec::new();
    for line in lines {
        let is_item = is_marked(&line);
        match parts.last_mut() {
            Some(Block::List { items, .. }) if is_item || goes_on(items, &line) => {
                match items.last_mut().filter(|_| !is_item) {
                    Some(item) => item.lines.push(line),
                    None => items.push(item(line, &bbox)),
                }
            }
            _ if is_item => {
                parts.push(Block::List { items: vec![item(line, &bbox)], bbox: bbox.clone() });
            }
            Some(Block::Paragraph { lines, .. } | Block::Heading { lines, .. }) => lines.push(line),
            last => {
                let (lines, bbox) = (vec![line], bbox.clone());
                let block = match level.filter(|_| last.is_none()) {
                    Some(level) => Block::Heading { level, lines, bbox },
                    None => Block::Paragraph { lines, bbox, role: Role::Body },
                };
                parts.push(block);
            }
        }
    }
    parts
}

/// An item, and those within its lines.
fn of_item(item: ListItem, is_marked: &impl Fn(&Line) -> bool) -> Vec<ListItem> {
    let ListItem { marker, marker_len, lines, bbox } = item;
    let mut items = vec![ListItem { marker, marker_len, lines: Vec::new(), bbox: bbox.clone() }];
    for (index, line) in lines.into_iter().enumerate() {
        match items.last_mut().filter(|_| index == 0 || !is_marked(&line)) {
            Some(last) => last.lines.push(line),
            None => items.push(self::item(line, &bbox)),
        }
    }
    items
}

/// Whether a line belongs to the last of the items.
fn goes_on(items: &[ListItem], line: &Line) -> bool {
    let first = items.last().and_then(|item| item.lines.first());
    first.is_some_and(|first| line.x > first.x - LEFT * first.size)
}

fn item(line: Line, bbox: &BBox) -> ListItem {
    let marker_len = mark(&line).map_or(0, |(_, length)| length);
    ListItem { marker: Marker::Bullet, marker_len, lines: vec![line], bbox: bbox.clone() }
}

/// The mark that a line begins with, and how many characters it takes.
fn mark(line: &Line) -> Option<(char, usize)> {
    let text = line_text(line);
    let mut rest = text.trim_start().chars();
    let mark = rest.next().filter(|c| is_bullet(*c))?;
    let text_after = rest.as_str().trim_start();
    let before = text.chars().count() - text_after.chars().count();
    let is_apart = rest.as_str().starts_with(char::is_whitespace) && !text_after.is_empty();
    is_apart.then_some((mark, before))
}

/// Signs that are called bullets, and geometric shapes.
fn is_bullet(c: char) -> bool {
    matches!(c, '\u{2022}' | '\u{2023}' | '\u{2043}' | '\u{25a0}'..='\u{25ff}')
}

#[cfg(test)]
mod tests {
    use pdfboss_output::Inline;

    use super::*;

    const BOX: BBox = BBox { x0: 0.0, y0: 0.0, x1: 0.0, y1: 0.0 };

    fn line(text: &str) -> Line {
        let x = 10.0 * text.chars().take_while(|c| *c == ' ').count() as f32;
        let text = text.trim_start().to_owned();
        let piece = Inline { text, bold: false, italic: false, code: false };
        Line { inlines: vec![piece], y: 0.0, x, end_x: 100.0, size: 10.0 }
    }

    fn itemised(lines: &[&str]) -> Vec<String> {
        let lines = lines.iter().map(|text| line(text)).collect();
        let told = |lines: &[Line]| lines.iter().map(line_text).collect::<Vec<_>>().join(" ");
        let blocks = itemise(vec![Block::Paragraph { lines, bbox: BOX, role: Role::Body }]);
        let all = blocks.iter().flat_map(|block| match block {
            Block::List { items, .. } => items
                .iter()
                .map(|item| {
                    let text: String = told(&item.lines).chars().skip(item.marker_len).collect();
                    format!("- {text}")
                })
                .collect(),
            block => vec![told(&super::lines(block).into_iter().cloned().collect::<Vec<_>>())],
        });
        all.collect()
    }

    #[test]
    fn a_line_that_begins_with_a_mark_is_an_item() {
        for mark in ["•", "▪", "►", "○"] {
            let found = itemised(&[
                "What is free:",
                &format!("  {mark} dogs"),
                "    on a lead",
                &format!("  {mark}   bicycles"),
                "Children are not.",
            ]);
            let expected = ["What is free:", "- dogs on a lead", "- bicycles", "Children are not."];
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_mark_within_lines_is_none() {
        let lines = ["Port Ellery • Quay 3", "• Tel. 12 34", "a ○ b is", "○ c"];
        assert_eq!(itemised(&lines), [lines.join(" ")]);
        assert_eq!(itemised(&["△ABC is", "△", "so"]), ["△ABC is △ so"]);
    }

    #[test]
    fn items_within_an_item_are_items() {
        let lines = ["• one", "  ■ two", "    goes on", "• three"].map(line).to_vec();
        let first = ListItem { marker: Marker::Bullet, marker_len: 2, lines, bbox: BOX };
        let blocks = itemise(vec![Block::List { items: vec![first], bbox: BOX }]);
        let [Block::List { items, .. }] = blocks.as_slice() else { panic!("{blocks:?}") };
        let sizes: Vec<usize> = items.iter().map(|item| item.lines.len()).collect();
        assert_eq!(sizes, [1, 2, 1]);
    }
}
