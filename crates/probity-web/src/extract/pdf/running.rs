//! Lines that repeat at the edges of pages, running heads and feet → one of each.
//!
//! They cut sentences that go over to the next page. The first of each stays, because a head may be the only place that
//! names the document or its date. Rows of a table are at the edges of pages too, so numbers must be the same or count
//! pages, and a line that counts none must stand off from the text.

use std::collections::HashMap;

use pdfboss_output::TextSpan;
use pdfboss_text::{Artifact, ArtifactKind};

use super::PageRuns;

/// The most lines at an edge of a page that are looked at.
const EDGE_LINES: usize = 3;
/// The fewest pages with a line that make it a running one.
const MIN_PAGES: usize = 3;
/// The most pages from one to the next with it: heads of left and right pages differ, and chapters begin without one.
const MAX_STEP: usize = 4;
/// How far, in points, its place may differ.
const SAME_PLACE: f32 = 2.0;
/// Baselines that differ by less than this, in sizes, are one line.
const SAME_LINE: f32 = 0.3;
/// The gap, in sizes, from which on a space was meant.
const WORD_GAP: f32 = 0.15;
/// A title is larger than the text by this factor, and does not run.
const TITLE: f32 = 1.3;
/// How much farther off the text a running line is than lines of text are from each other.
const STANDS_OFF: f32 = 1.25;
/// A line of fewer letters names nothing: a page number.
const NAMES: usize = 10;
/// A line of more numbers than this and no word is the scale of a chart or a row of a table.
const SCALE: usize = 3;
/// The longest line in bytes that is looked at, and the most that are compared with one.
const MAX_LINE: usize = 300;
const MAX_CHAINS: usize = 16;

/// Drops what the file calls a running line or a watermark. What stands among the text is text, whatever it is called:
/// programs that mark up finished pages take a label that repeats for a head.
pub(super) fn drop_called_running(spans: &mut Vec<TextSpan>) {
    let called = |span: &TextSpan| {
        let artifact = span.artifact.as_ref();
        artifact.filter(|one| one.kind == ArtifactKind::Pagination).map(is_watermark)
    };
    if !spans.iter().any(|span| called(span).is_some()) {
        return;
    }
    let texts = spans.iter().filter(|span| called(span).is_none() && span.rotate == 0);
    let heights: Vec<f32> = texts.map(|span| span.y).collect();
    let top = heights.iter().copied().fold(f32::MIN, f32::max);
    let bottom = heights.iter().copied().fold(f32::MAX, f32::min);
    spans.retain(|span| {
        let is_among = heights.is_empty() || (bottom..top).contains(&span.y);
        called(span).is_none_or(|is_watermark| is_among && !is_watermark)
    });
    spans.iter_mut().for_each(|span| span.artifact = None);
}

fn is_watermark(artifact: &Artifact) -> bool {
    artifact.subtype.as_deref() == Some("Watermark")
}

/// A line at an edge of a page.
struct Edge {
    page: usize,
    is_top: bool,
    y: f32,
    /// The text with `#` for each number.
    shape: String,
    numbers: Vec<u64>,
    spans: Vec<usize>,
    stands_off: bool,
}

/// Pages with one line, which is the same on each.
struct Chain {
    edges: Vec<usize>,
    counts_pages: bool,
}

/// Drops the running lines of pages, but for the first of each that names something.
pub(super) fn drop_running(pages: &mut [PageRuns]) {
    let body = body_size(pages);
    let mut edges: Vec<Edge> = Vec::new();
    for (page, (spans, ..)) in pages.iter().enumerate() {
        add_edges(&mut edges, page, spans, TITLE * body);
    }
    let mut chains: HashMap<(bool, &str), Vec<Chain>> = HashMap::new();
    for (index, edge) in edges.iter().enumerate() {
        let known = chains.entry((edge.is_top, edge.shape.as_str())).or_default();
        let chain = known.iter_mut().rev().take(MAX_CHAINS).find_map(|chain| {
            let last = edges.get(*chain.edges.last()?)?;
            Some((goes_on(last, edge)?, chain))
        });
        match chain {
            Some((counts_pages, chain)) => {
                chain.edges.push(index);
                chain.counts_pages |= counts_pages;
            }
            None => known.push(Chain { edges: vec![index], counts_pages: false }),
        }
    }
    // Whether each line runs, and whether its place alone tells that.
    let mut runs: Vec<Option<bool>> = vec![None; edges.len()];
    let mut first: Vec<bool> = vec![false; edges.len()];
    for chain in chains.into_values().flatten().filter(|chain| chain.edges.len() >= MIN_PAGES) {
        let begin = chain.edges.first().copied();
        for index in chain.edges {
            if let Some(run) = runs.get_mut(index) {
                *run = Some(chain.counts_pages);
            }
        }
        if let Some(first) = begin.and_then(|begin| first.get_mut(begin)) {
            *first = true;
        }
    }
    drop_lines(pages, &edges, &runs, &first);
}

/// Drops the lines that run, from the outermost on, where they are no part of the text.
fn drop_lines(pages: &mut [PageRuns], edges: &[Edge], runs: &[Option<bool>], first: &[bool]) {
    let mut dropped: Vec<Vec<usize>> = vec![Vec::new(); pages.len()];
    let all: Vec<(&Edge, Option<bool>, bool)> = edges
        .iter()
        .zip(runs.iter().copied().zip(first.iter().copied()))
        .map(|(edge, (run, first))| (edge, run, first))
        .collect();
    for lines in
        all.chunk_by(|(one, ..), (other, ..)| (one.page, one.is_top) == (other.page, other.is_top))
    {
        let count = lines.iter().take_while(|(_, run, _)| run.is_some()).count();
        let running = lines.get(..count).unwrap_or_default();
        let stands_off = running.last().is_some_and(|(edge, ..)| edge.stands_off);
        for (edge, counts_pages, is_first) in running {
            let names = edge.shape.chars().filter(|c| c.is_alphabetic()).count() >= NAMES;
            let runs = stands_off || *counts_pages == Some(true);
            if let Some(dropped) =
                dropped.get_mut(edge.page).filter(|_| runs && !(*is_first && names))
            {
                dropped.extend(&edge.spans);
            }
        }
    }
    for ((spans, ..), mut dropped) in pages.iter_mut().zip(dropped) {
        dropped.sort_unstable();
        let mut index = 0_usize;
        spans.retain(|_| {
            let keep = dropped.binary_search(&index).is_err();
            index = index.saturating_add(1);
            keep
        });
    }
}

/// Whether a line is that of the page before again, and whether it counts pages.
fn goes_on(last: &Edge, next: &Edge) -> Option<bool> {
    let step = next.page.checked_sub(last.page)?;
    if step == 0 || step > MAX_STEP || (last.y - next.y).abs() > SAME_PLACE {
        return None;
    }
    let mut counts_pages = false;
    for (one, other) in last.numbers.iter().zip(&next.numbers) {
        if one == other {
            continue;
        }
        if other.checked_sub(*one) != Some(step as u64) {
            return None;
        }
        counts_pages = true;
    }
    Some(counts_pages)
}

/// The size of most letters.
fn body_size(pages: &[PageRuns]) -> f32 {
    let mut sizes: HashMap<u32, usize> = HashMap::new();
    for span in pages.iter().flat_map(|(spans, ..)| spans) {
        let letters = sizes.entry((span.size.abs() * 2.0).round().to_bits()).or_default();
        *letters = letters.saturating_add(span.text.len());
    }
    let most = sizes.into_iter().max_by_key(|(size, letters)| (*letters, *size));
    most.map_or(0.0, |(size, _)| f32::from_bits(size) / 2.0)
}

/// The lines at the edges of a page, outermost first.
fn add_edges(edges: &mut Vec<Edge>, page: usize, spans: &[TextSpan], max_size: f32) {
    let lines = lines(spans);
    let mut pitches: Vec<f32> =
        lines.iter().zip(lines.iter().skip(1)).map(|(above, below)| above.y - below.y).collect();
    pitches.sort_by(f32::total_cmp);
    let pitch = pitches.get(pitches.len().saturating_sub(1) / 2).copied().unwrap_or_default();
    let mut add = |line: &Line, inner: Option<&Line>, is_top: bool| {
        let (shape, numbers) = shape(spans, &line.spans);
        let is_scale = numbers.len() > SCALE && !shape.contains(char::is_alphabetic);
        if shape.is_empty() || is_scale || line.size > max_size {
            return false;
        }
        let gap = inner.map(|inner| (line.y - inner.y).abs());
        let stands_off = gap.is_none_or(|gap| gap > STANDS_OFF * pitch);
        let spans = line.spans.clone();
        edges.push(Edge { page, is_top, y: line.y, shape, numbers, spans, stands_off });
        true
    };
    for (index, line) in lines.iter().take(EDGE_LINES).enumerate() {
        if !add(line, lines.get(index.saturating_add(1)), true) {
            break;
        }
    }
    for (index, line) in lines.iter().enumerate().rev().take(EDGE_LINES) {
        let inner = index.checked_sub(1).and_then(|inner| lines.get(inner));
        if !add(line, inner, false) {
            break;
        }
    }
}

struct Line {
    y: f32,
    size: f32,
    spans: Vec<usize>,
}

/// The upright runs of a page as lines, from the top, each from left to right.
fn lines(spans: &[TextSpan]) -> Vec<Line> {
    let mut order: Vec<(usize, &TextSpan)> = spans
        .iter()
        .enumerate()
        .filter(|(_, span)| span.rotate == 0 && !span.vertical && !span.text.trim().is_empty())
        .collect();
    order.sort_by(|(_, one), (_, other)| other.y.total_cmp(&one.y));
    let mut lines: Vec<Line> = Vec::new();
    for (index, span) in order {
        let size = span.size.abs();
        match lines.last_mut() {
            Some(line) if line.y - span.y < SAME_LINE * line.size.max(size) => {
                line.spans.push(index);
                line.size = line.size.max(size);
            }
            _ => lines.push(Line { y: span.y, size, spans: vec![index] }),
        }
    }
    let x = |index: &usize| spans.get(*index).map_or(0.0, |span| span.x);
    for line in &mut lines {
        line.spans.sort_by(|one, other| x(one).total_cmp(&x(other)));
    }
    lines
}

/// The text of a line with `#` for each number, and the numbers; nothing where it is too long to be a running one.
fn shape(spans: &[TextSpan], line: &[usize]) -> (String, Vec<u64>) {
    let mut text = String::new();
    let mut end: Option<f32> = None;
    for span in line.iter().filter_map(|index| spans.get(*index)) {
        if end.is_some_and(|end| span.x - end > WORD_GAP * span.size.abs()) {
            text.push(' ');
        }
        text.push_str(&span.text);
        end = Some(span.end_x);
        if text.len() > MAX_LINE {
            return (String::new(), Vec::new());
        }
    }
    let mut shape = String::new();
    let mut numbers = Vec::new();
    for word in text.split_whitespace() {
        let mut rest = word;
        if let Some(number) = roman(word) {
            numbers.push(number);
            rest = "#";
        }
        while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
            let (before, from) = rest.split_at(at);
            let len = from.find(|c: char| !c.is_ascii_digit()).unwrap_or(from.len());
            let (number, after) = from.split_at(len);
            shape.push_str(&before.to_lowercase());
            shape.push('#');
            // What does not fit into a number is the same or is not.
            numbers.push(number.parse().unwrap_or(u64::MAX));
            rest = after;
        }
        shape.push_str(&rest.to_lowercase());
        shape.push(' ');
    }
    (shape, numbers)
}

/// Whether a line has nothing but a page's number: `4`, `Page 4 of 9`, `- 4 -`.
pub(super) fn is_page_number(line: &str) -> bool {
    let is_around = |word: &str| ["page", "of", "-", "–", "/", "|"].contains(&word);
    let lower = line.to_lowercase();
    let number = lower.split_whitespace().filter(|word| !is_around(word));
    let mut count = 0_usize;
    let all = number.inspect(|_| count = count.saturating_add(1)).all(|word| {
        roman(word).is_some() || word.trim_matches('-').bytes().all(|byte| byte.is_ascii_digit())
    });
    all && (1..=2).contains(&count)
}

/// The value of a number in small Roman letters.
fn roman(word: &str) -> Option<u64> {
    let mut sum = 0_u64;
    let mut last = 0;
    for letter in word.chars().rev().enumerate().map(|(at, letter)| (at < 12).then_some(letter)) {
        let value = match letter? {
            'i' => 1,
            'v' => 5,
            'x' => 10,
            'l' => 50,
            'c' => 100,
            _ => return None,
        };
        sum = if value < last { sum.checked_sub(value)? } else { sum.checked_add(value)? };
        last = value.max(last);
    }
    Some(sum).filter(|sum| *sum > 0)
}

#[cfg(test)]
mod tests {
    use pdfboss_output::ReadingOrder;

    use super::super::mend::tests::run;
    use super::*;

    /// Pages of a head, lines of text and a foot, and what is left of them.
    fn left(pages: &[[&str; 5]]) -> Vec<Vec<String>> {
        let page = |lines: &[&str; 5]| -> PageRuns {
            let at = [100.0, 80.0, 68.0, 56.0, 36.0];
            let spans = lines.iter().zip(at).filter(|(text, _)| !text.is_empty());
            (spans.map(|(text, y)| run(text, 0.0, y)).collect(), Vec::new(), ReadingOrder::Content)
        };
        let mut pages: Vec<PageRuns> = pages.iter().map(page).collect();
        drop_running(&mut pages);
        let texts = |(spans, ..): PageRuns| spans.into_iter().map(|span| span.text).collect();
        pages.into_iter().map(texts).collect()
    }

    #[test]
    fn heads_and_feet_go_but_for_the_first_head() {
        let pages = left(&[
            ["The Harbour Rules", "One.", "Two.", "Three.", "Page 1 of 3"],
            ["The Harbour Rules", "Four.", "Five.", "Six.", "Page 2 of 3"],
            ["The Harbour Rules", "Seven.", "Eight.", "Nine.", "Page 3 of 3"],
        ]);
        assert_eq!(pages.first().unwrap(), &["The Harbour Rules", "One.", "Two.", "Three."]);
        assert_eq!(pages.last().unwrap(), &["Seven.", "Eight.", "Nine."]);
    }

    #[test]
    fn heads_of_left_and_right_pages_differ() {
        let left = left(&[
            ["The Harbour Rules", "One.", "Two.", "Three.", "ii"],
            ["Chapter 2. Mooring", "Four.", "Five.", "Six.", "iii"],
            ["The Harbour Rules", "Seven.", "Eight.", "Nine.", "iv"],
            ["Chapter 2. Mooring", "Ten.", "Eleven.", "Twelve.", "v"],
            ["The Harbour Rules", "Seven.", "Eight.", "Nine.", "vi"],
            ["Chapter 2. Mooring", "Ten.", "Eleven.", "Twelve.", "vii"],
        ]);
        assert_eq!(left.get(1).unwrap(), &["Chapter 2. Mooring", "Four.", "Five.", "Six."]);
        assert_eq!(left.get(5).unwrap(), &["Ten.", "Eleven.", "Twelve."]);
    }

    #[test]
    fn rows_of_a_table_are_no_running_lines() {
        let pages = left(&[
            ["", "Room Fee", "Hall 900", "Loft 40", "In all 940 crowns"],
            ["", "Room Fee", "Barn 920", "Attic 40", "In all 960 crowns"],
            ["", "Room Fee", "Shed 1", "Yard 0", "In all 1 crown"],
        ]);
        assert!(pages.iter().all(|page| page.len() == 4), "{pages:?}");
    }

    #[test]
    fn the_scale_of_a_chart_is_no_running_line() {
        let scale = "0 0.1 0.2 0.3";
        let pages = left(&[
            ["", "One.", "Two.", "Three.", scale],
            ["", "Four.", "Five.", "Six.", scale],
            ["", "Seven.", "Eight.", "Nine.", scale],
        ]);
        assert!(pages.iter().all(|page| page.last().is_some_and(|last| last == scale)));
    }

    #[test]
    fn two_pages_have_no_running_lines() {
        let page = ["The Harbour Rules", "One.", "Two.", "Three.", "1"];
        assert!(left(&[page, page]).iter().all(|page| page.len() == 5));
    }

    #[test]
    fn what_is_called_a_head_among_the_text_is_text() {
        let called = |text: &str, y: f32, subtype: Option<&str>| {
            let subtype = subtype.map(str::to_owned);
            let artifact = Artifact { kind: ArtifactKind::Pagination, subtype };
            TextSpan { artifact: Some(artifact), ..run(text, 0.0, y) }
        };
        let mut page = vec![
            called("The Harbour Rules", 100.0, None),
            run("Mooring", 0.0, 80.0),
            called("See also:", 60.0, None),
            called("DRAFT", 50.0, Some("Watermark")),
            run("The quay is public.", 0.0, 40.0),
            called("3", 20.0, Some("Footer")),
        ];
        drop_called_running(&mut page);
        let texts: Vec<&str> = page.iter().map(|span| span.text.as_str()).collect();
        assert_eq!(texts, ["Mooring", "See also:", "The quay is public."]);
    }

    #[test]
    fn page_numbers_are_told_from_other_lines_of_numbers() {
        for line in ["4", "Page 4 of 9", "- 4 -", "xiv", "-12-"] {
            assert!(is_page_number(line), "{line}");
        }
        for line in ["0 0.1 0.2", "objective 1", "of", "1 2 3", "In all 9"] {
            assert!(!is_page_number(line), "{line}");
        }
    }

    #[test]
    fn roman_numbers_count() {
        assert_eq!(roman("xiv"), Some(14));
        assert_eq!(roman("xlix"), Some(49));
        assert_eq!(roman("mix"), None);
        assert_eq!(roman(""), None);
    }
}
