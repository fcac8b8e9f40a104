//! Plain text → headings, paragraphs and lists, told by how its lines are laid out.

mod layout;

use std::borrow::Cow;
use std::collections::HashMap;

use probity_core::Document;

pub(super) use self::layout::is_wrapped;
use self::layout::{Place, is_rule};
use super::block::Block;
use super::budget::Budget;
use super::cut_words::Compounds;
use super::dates::{Order, dates_in};
use super::detect_language;
use super::render::Written;

/// The longest first line that is taken for a title.
const MAX_TITLE_CHARS: usize = 120;
/// How many lines at the top are looked through for a date.
const HEAD_LINES: usize = 8;
/// How many lines are in memory as blocks at a time.
const BATCH_LINES: usize = 10_000;
/// A line at the edge of pages that stands on this many of them is no part of the text.
const RUNNING_PAGES: usize = 3;
/// Where the middle of a line is, how far from it a title may be, and among how many paragraphs it is looked for.
const MIDDLE: usize = 36;
const OFF_MIDDLE: usize = 5;
const TOP_PARAGRAPHS: usize = 6;

/// Reads a text file.
pub(super) fn read(text: &str, budget: &Budget) -> Document {
    let text = without_pages(text);
    let text = text.as_ref();
    let title = title(text);
    let mut written = Written::default();
    let compounds = Compounds::of(text);
    let mut batch: Vec<Block> = Vec::new();
    let mut all = Paragraphs { lines: text.lines() }.peekable();
    let mut items_at = None;
    while let Some(lines) = all.next() {
        let next = all.peek().and_then(|next| next.first().copied());
        let before = batch.last().map(|block| block.shape.clone());
        let place = Place { title: &title, next, before: before.as_ref(), items_at };
        batch.extend(layout::blocks(&lines, place, &compounds));
        items_at = layout::items_at(&lines);
        if batch.len() >= BATCH_LINES {
            written.push(&batch);
            batch.clear();
            if budget.is_stopped() {
                break;
            }
        }
    }
    written.push(&batch);
    Document {
        title,
        published: published(text),
        lang: detect_language(&written.text),
        ..written.into_document()
    }
}

/// What stands between blank lines.
struct Paragraphs<'a> {
    lines: std::str::Lines<'a>,
}

impl<'a> Iterator for Paragraphs<'a> {
    type Item = Vec<&'a str>;

    fn next(&mut self) -> Option<Vec<&'a str>> {
        let is_blank = |line: &&str| line.trim().is_empty();
        let first = self.lines.by_ref().find(|line| !is_blank(line))?;
        // A paragraph that never ends is cut where memory would: it was no paragraph.
        let rest = self.lines.by_ref().take_while(|line| !is_blank(line)).take(BATCH_LINES - 1);
        Some(std::iter::once(first).chain(rest).collect())
    }
}

/// A text without its page breaks and without what stands at the edges of most pages. What goes on over a break is whole
/// again.
fn without_pages(text: &str) -> Cow<'_, str> {
    let pages: Vec<Vec<&str>> = text.split('\u{c}').map(|page| page.lines().collect()).collect();
    if pages.len() < 2 {
        return Cow::Borrowed(text);
    }
    let is_text = |line: &&&str| !line.trim().is_empty();
    // Numbers of pages differ.
    let key = |line: &str| -> String {
        let words = line.split_whitespace();
        words.map(|word| word.replace(|c: char| c.is_ascii_digit(), "0")).collect()
    };
    let edges = |page: &Vec<&str>| {
        let mut all = page.iter().filter(is_text);
        let first = all.next().map(|line| key(line));
        first.into_iter().chain(all.next_back().map(|line| key(line))).collect::<Vec<_>>()
    };
    let mut counts: HashMap<String, usize> = HashMap::new();
    for edge in pages.iter().flat_map(edges) {
        *counts.entry(edge).or_default() += 1;
    }
    let runs = |line: &str| counts.get(&key(line)).is_some_and(|count| *count >= RUNNING_PAGES);
    let mut joined = String::with_capacity(text.len());
    for mut page in pages {
        let last = page.iter().rposition(|line| !line.trim().is_empty());
        if last.and_then(|at| page.get(at)).is_some_and(|line| runs(line)) {
            page.truncate(last.unwrap_or_default());
        }
        let first = page.iter().position(|line| !line.trim().is_empty()).unwrap_or(page.len());
        let first = first + usize::from(page.get(first).is_some_and(|line| runs(line)));
        let own = page.get(first..).unwrap_or_default().join("\n");
        let own = own.trim_matches('\n');
        let goes_on = own.trim_start().starts_with(char::is_lowercase)
            && joined.trim_end().ends_with(|c: char| c.is_alphanumeric() || c == ',' || c == '-');
        joined.truncate(joined.trim_end().len());
        joined.push_str(if goes_on { "\n" } else { "\n\n" });
        joined.push_str(own);
    }
    Cow::Owned(joined)
}

/// The first line, if it is apart or above a paragraph, and short; a rule under or over it sets it apart. Else one that stands in the middle
/// of its line at the top.
fn title(text: &str) -> String {
    let parts = |line: &str| line.trim().is_empty() || is_rule(line.trim());
    let lines = text.lines().skip_while(|line| parts(line));
    let paragraph: Vec<&str> = lines.take(HEAD_LINES).take_while(|line| !parts(line)).collect();
    let first = paragraph.first().copied().unwrap_or_default().trim();
    let apart = paragraph.len() <= 1 || layout::heads(&paragraph);
    let is_title = |line: &str| line.chars().count() <= MAX_TITLE_CHARS;
    if apart && is_title(first) {
        return first.trim_start_matches(['#', '=']).trim().to_owned();
    }
    let is_centred = |lines: &Vec<&str>| {
        let centred = |line: &&str| {
            let length = line.trim().chars().count();
            let indent = line.trim_end().chars().count().saturating_sub(length);
            indent > 0 && (indent + length / 2).abs_diff(MIDDLE) <= OFF_MIDDLE
        };
        lines.len() <= 2 && lines.iter().all(centred)
    };
    let mut top = Paragraphs { lines: text.lines() }.take(TOP_PARAGRAPHS);
    let found = top
        .find(is_centred)
        .map(|lines| lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" "));
    found.filter(|title| is_title(title)).unwrap_or_default()
}

/// A date on a line of its own, or nearly, at the top.
fn published(text: &str) -> Option<jiff::civil::Date> {
    text.lines().filter(|line| !line.trim().is_empty()).take(HEAD_LINES).find_map(|line| {
        let date = *dates_in(line, Order::DayFirst).first()?;
        let beside = line.len().saturating_sub(date.end.saturating_sub(date.start));
        (beside < 40).then_some(date.date)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::budget::Stop;

    fn read(text: &str) -> Document {
        super::read(text, &Budget::new(Stop::default()))
    }

    #[test]
    fn a_text_of_many_lines_is_whole() {
        let lines: Vec<String> = (0..25_000).map(|number| format!("line {number}")).collect();
        assert_eq!(read(&lines.join("\n")).text, lines.join("\n"));
        assert_eq!(read(&lines.join("\n\n")).text, lines.join("\n"));
    }

    #[test]
    fn a_line_above_a_paragraph_is_no_part_of_its_first_sentence() {
        let title = "Regulations for the use of the harbour and its quays";
        let long = "Rules for all who use the harbour and the quays of the town";
        let wrapped = "The ferry to the island costs four euros for adults and two\n\
                       euros for children. Dogs travel free on every boat.";
        let whole = wrapped.replace('\n', " ");
        for first in [title, long] {
            for text in [wrapped, whole.as_str()] {
                let document = read(&format!("{first}\n{text}"));
                let fits = first.len() + 4 <= text.lines().map(str::len).max().unwrap();
                let expected =
                    if fits { format!("{first}\n{whole}") } else { format!("{first} {whole}") };
                assert_eq!(document.text, expected);
                assert_eq!(document.title, if fits { first } else { "" });
            }
        }
        let prose = "In the year in which the harbour was built the monks of\n\
                     Ellery wrote about it, and about what the ferry cost then.";
        assert_eq!(read(prose).text, prose.replace('\n', " "));
        let verse = "The sea\nThe ship upon it\nThe shore";
        assert_eq!((read(verse).title.as_str(), read(verse).text.as_str()), ("", verse));
    }

    #[test]
    fn a_title_may_have_rules_around_it() {
        for text in ["=====\nTides\n=====\nText.", "Tides\n-----\n\nText.", "= Tides\n\nText."] {
            assert_eq!(read(text).title, "Tides", "{text}");
        }
        assert_eq!(read("Tides rise\nand fall.").title, "");
    }

    #[test]
    fn wrapped_lines_are_joined_and_short_ones_kept() {
        let document = read(
            "A title\n\nPublished 1 March 2026\n\nThis line is long enough that a hand has wrapped it here,\nand it goes on below.\n\none\ntwo\n",
        );
        assert_eq!(document.title, "A title");
        assert_eq!(document.published.map(|d| d.to_string()).as_deref(), Some("2026-03-01"));
        assert_eq!(
            document.text,
            "A title\nPublished 1 March 2026\nThis line is long enough that a hand has wrapped it here, and it goes on below.\none\ntwo"
        );
    }

    #[test]
    fn indented_text_is_wrapped_text_with_headings_and_lists() {
        let document = read(concat!(
            "                     Rules of the Harbour Guild\n\n",
            "   First printed in the year of the great storm.\n\n",
            "1. The guild\n\n",
            "   The guild is run by its masters, who meet in the tower every\n",
            "   month.  Nobody else may vote.\n\n",
            "1.1. Powers\n\n",
            "   The masters may\n",
            "    1. close the harbour for a day, if the weather asks for that or\n",
            "       if the king does;\n",
            "    2. raise the fee.\n\n",
            "   (a) A fee that was raised\n       stays.\n\n",
            "FEES\n\n   boat    4 crowns\n   ship    9 crowns\n",
        ));
        let headings: Vec<&str> = document
            .headings
            .iter()
            .map(|one| document.text.get(one.start..).unwrap().lines().next().unwrap())
            .collect();
        assert_eq!(document.title, "Rules of the Harbour Guild");
        assert_eq!(headings, ["Rules of the Harbour Guild", "1. The guild", "1.1. Powers", "FEES"]);
        let lines: Vec<&str> = document.text.lines().collect();
        for line in [
            "The guild is run by its masters, who meet in the tower every month. Nobody else may vote.",
            "The masters may",
            "close the harbour for a day, if the weather asks for that or if the king does;",
            "raise the fee.",
            "(a) A fee that was raised stays.",
            "boat 4 crowns",
        ] {
            assert!(lines.contains(&line), "{line}: {lines:#?}");
        }
        assert_eq!(document.lists.len(), 2);
        assert!(document.markdown.contains("1. close the harbour"), "{}", document.markdown);
    }

    #[test]
    fn what_runs_along_the_edges_of_pages_is_no_text() {
        let page = |number: usize, text: &str| {
            format!(
                "Harbour Rules            May 1997\n\n{text}\n\nHolm          [Page {number}]\n\u{c}\n"
            )
        };
        let texts = ["The tower is closed when the", "wind is strong.\n\nIt opens", "again later."];
        let pages: String = (1..).zip(texts).map(|(number, text)| page(number, text)).collect();
        let text = read(&pages).text;
        assert_eq!(
            text.lines().collect::<Vec<_>>(),
            ["The tower is closed when the", "wind is strong.", "It opens", "again later."]
        );
    }

    #[test]
    fn lists_and_short_lines_are_no_headings() {
        for text in [
            "Things to buy today for the house and for the garden behind it:\n\n1. Milk\n\n2. Eggs\n\nAll of it is needed.",
            "one\n\ntwo\n",
            "Ada Holm\n12 May 2026\n\nThe tower was closed yesterday, because the wind was too strong to open it.\n",
        ] {
            let document = read(text);
            let is_title =
                |start: usize| document.text.get(start..).unwrap().starts_with(&document.title);
            let others = document.headings.iter().filter(|one| !is_title(one.start)).count();
            assert_eq!(others, 0, "{text}");
        }
    }

    #[test]
    fn signs_of_markdown_stay_text() {
        let document = read("# 1 is not a heading here\n\n*stars* and <b>tags</b>");
        assert_eq!(document.text, "# 1 is not a heading here\n*stars* and <b>tags</b>");
        assert_eq!(
            document.markdown,
            "\\# 1 is not a heading here\n\n\\*stars\\* and \\<b>tags\\</b>"
        );
    }
}
