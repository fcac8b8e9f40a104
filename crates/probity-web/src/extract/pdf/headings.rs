//! Lines that were taken for headings by their size → headings, and lines of running text.
//!
//! The layout takes the size that most letters have for that of the text, and a larger one for that of headings. Where
//! listings and tables have most letters, the lines of the text itself seem to be headings. But sentences go on beyond
//! such a line, and none goes on beyond a heading.

use std::collections::HashMap;

use pdfboss_output::{Block, Line, PageLayout, Role};

use super::lay_out::line_text;

/// Where one in so many headings of a kind stands within a sentence, the kind is one of running text; one alone may be a
/// logo below a title.
const WITHIN: usize = 5;
const FEWEST: usize = 2;

/// The size of a line in half points, and whether all of it is bold: what headings of one kind have in common.
type Kind = (i32, bool);

/// Makes paragraphs of the lines of running text that were taken for headings, and joins them with those around them.
pub(super) fn demote(pages: &mut [PageLayout]) {
    let mut kinds: HashMap<Kind, (usize, usize)> = HashMap::new();
    for page in pages.iter() {
        for (at, block) in page.blocks.iter().enumerate() {
            let Some(kind) = heading(block).and_then(kind) else { continue };
            let before = at.checked_sub(1).and_then(|before| page.blocks.get(before));
            let (all, within) = kinds.entry(kind).or_default();
            *all += 1;
            *within += usize::from(is_within(before, block, page.blocks.get(at + 1)));
        }
    }
    kinds.retain(|_, (all, within)| *within >= FEWEST && *within * WITHIN >= *all);
    for page in pages {
        let is_text = |block: &Block| {
            let lines = heading(block);
            lines.is_some_and(|lines| !has_letter(lines))
                || lines.and_then(kind).is_some_and(|kind| kinds.contains_key(&kind))
        };
        let mut blocks: Vec<Block> = Vec::with_capacity(page.blocks.len());
        let mut was_text = false;
        for block in std::mem::take(&mut page.blocks) {
            let is_text = is_text(&block);
            let block = if is_text { paragraph(block) } else { block };
            let joins = is_text || was_text;
            was_text = is_text;
            match blocks.last_mut() {
                Some(last) if joins && goes_on(last, &block) => append(last, block),
                _ => blocks.push(block),
            }
        }
        page.blocks = blocks;
    }
}

fn heading(block: &Block) -> Option<&[Line]> {
    match block {
        Block::Heading { lines, .. } => Some(lines),
        _ => None,
    }
}

fn prose(block: &Block) -> Option<&[Line]> {
    match block {
        Block::Paragraph { lines, role: Role::Body, .. } => Some(lines),
        _ => None,
    }
}

fn paragraph(block: Block) -> Block {
    match block {
        Block::Heading { lines, bbox, .. } => Block::Paragraph { lines, bbox, role: Role::Body },
        block => block,
    }
}

fn append(block: &mut Block, next: Block) {
    if let (Block::Paragraph { lines, .. }, Block::Paragraph { lines: more, .. }) = (block, next) {
        lines.extend(more);
    }
}

fn kind(lines: &[Line]) -> Option<Kind> {
    let visible = lines.iter().flat_map(|line| &line.inlines);
    let bold = visible.filter(|piece| !piece.text.trim().is_empty()).all(|piece| piece.bold);
    lines.first().map(|line| (half_points(line), bold))
}

fn half_points(line: &Line) -> i32 {
    // A float that no integer holds becomes the nearest that one does.
    (line.size * 2.0).round() as i32
}

fn has_letter(lines: &[Line]) -> bool {
    lines.iter().any(|line| line_text(line).contains(char::is_alphabetic))
}

/// Whether a sentence goes on before or beyond a heading.
fn is_within(before: Option<&Block>, block: &Block, after: Option<&Block>) -> bool {
    let own = heading(block).unwrap_or_default();
    let from = before.and_then(prose).is_some_and(|lines| !closes(lines) && begins_small(own));
    from || after.and_then(prose).is_some_and(|lines| !closes(own) && begins_small(lines))
}

/// Whether a sentence goes on from one paragraph to the next, of the same size.
fn goes_on(one: &Block, next: &Block) -> bool {
    let (Some(one), Some(next)) = (prose(one), prose(next)) else { return false };
    let same = match (one.last(), next.first()) {
        (Some(one), Some(next)) => half_points(one) == half_points(next),
        _ => false,
    };
    same && !closes(one)
}

fn closes(lines: &[Line]) -> bool {
    let text = lines.last().map(line_text).unwrap_or_default();
    text.trim_end_matches(|c: char| c.is_whitespace() || ")]”\"'’".contains(c))
        .ends_with(['.', '!', '?', ':'])
}

fn begins_small(lines: &[Line]) -> bool {
    let text = lines.first().map(line_text).unwrap_or_default();
    text.trim_start().starts_with(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use pdfboss_output::{BBox, Inline};

    use super::*;

    const BOX: BBox = BBox { x0: 0.0, y0: 0.0, x1: 0.0, y1: 0.0 };

    fn line(text: &str, size: f32) -> Line {
        let piece = Inline { text: text.to_owned(), bold: false, italic: false, code: false };
        Line { inlines: vec![piece], y: 0.0, x: 0.0, end_x: 0.0, size }
    }

    fn title(text: &str, size: f32) -> Block {
        Block::Heading { level: 1, lines: vec![line(text, size)], bbox: BOX }
    }

    fn body(text: &str, size: f32) -> Block {
        let lines = vec![line(text, size)];
        Block::Paragraph { lines, bbox: BOX, role: Role::Body }
    }

    fn demoted(blocks: Vec<Block>) -> Vec<String> {
        let mut pages = [PageLayout { blocks }];
        demote(&mut pages);
        let told = |block: &Block| {
            let lines = heading(block).or(prose(block)).unwrap_or_default();
            let text = lines.iter().map(line_text).collect::<Vec<_>>().join(" ");
            format!("{}{text}", if heading(block).is_some() { "# " } else { "" })
        };
        pages[0].blocks.iter().map(told).collect()
    }

    #[test]
    fn lines_that_sentences_go_through_are_no_headings() {
        let blocks = vec![
            title("The mill", 14.0),
            body("The mill of the valley was", 10.0),
            title("built by monks and written about in", 10.0),
            body("25 books.", 10.0),
            body("> mill(corn)", 9.0),
            title("The corn is weighed:", 10.0),
            title("Then it is ground by two of the", 10.0),
            body("millers.", 10.0),
        ];
        assert_eq!(
            demoted(blocks),
            [
                "# The mill",
                "The mill of the valley was built by monks and written about in 25 books.",
                "> mill(corn)",
                "The corn is weighed:",
                "Then it is ground by two of the millers.",
            ]
        );
    }

    #[test]
    fn headings_between_whole_sentences_stay_whatever_they_begin_with() {
        let blocks = vec![
            body("The mill is old.", 10.0),
            title("synopsis", 12.0),
            body("Grinds corn.", 10.0),
            title("see also", 12.0),
            body("The bakery.", 10.0),
        ];
        let expected =
            ["The mill is old.", "# synopsis", "Grinds corn.", "# see also", "The bakery."];
        assert_eq!(demoted(blocks), expected);
    }

    #[test]
    fn one_stray_line_does_not_take_the_headings_of_a_document() {
        let mut blocks = vec![body("The mill of the", 10.0), title("valley", 12.0)];
        blocks.extend((0..9).map(|number| title(&format!("Part {number}"), 12.0)));
        assert!(demoted(blocks).contains(&"# Part 3".to_owned()));
    }

    #[test]
    fn numbers_of_an_axis_are_no_heading() {
        assert_eq!(
            demoted(vec![title("0 2 4 6", 12.0), title("Norm", 12.0)]),
            ["0 2 4 6", "# Norm"]
        );
    }
}
