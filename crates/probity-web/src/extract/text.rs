//! Plain text → paragraphs.

use probity_core::Document;

use super::block::{Block, Shape};
use super::budget::Budget;
use super::cut_words::Compounds;
use super::dates::{Order, dates_in};
use super::detect_language;
use super::render::Written;

/// The longest first line that is taken for a title.
const MAX_TITLE_CHARS: usize = 120;
/// How many lines at the top are looked through for a date.
const HEAD_LINES: usize = 8;
/// Lines of at least this length are wrapped by hand, shorter ones stand for themselves.
const WRAPPED_CHARS: usize = 55;

/// How many lines are in memory as blocks at a time.
const BATCH_LINES: usize = 10_000;

/// Reads a text file.
pub(super) fn read(text: &str, budget: &Budget) -> Document {
    let mut written = Written::default();
    let compounds = Compounds::of(text);
    let mut paragraph: Vec<&str> = Vec::new();
    let mut batch: Vec<Block> = Vec::new();
    for line in text.lines().chain([""]) {
        // A paragraph that never ends is cut where memory would: it was no paragraph.
        if !line.trim().is_empty() && paragraph.len() < BATCH_LINES {
            paragraph.push(line);
            continue;
        }
        if written.text.is_empty() && batch.is_empty() && heads(&paragraph) {
            batch.extend(blocks(&[paragraph.remove(0)], &compounds));
        }
        batch.extend(blocks(&paragraph, &compounds));
        paragraph.clear();
        paragraph.extend(Some(line).filter(|line| !line.trim().is_empty()));
        if batch.len() >= BATCH_LINES {
            written.push(&batch);
            batch.clear();
            if budget.is_stopped() {
                break;
            }
        }
    }
    batch.extend(blocks(&paragraph, &compounds));
    written.push(&batch);
    Document {
        title: title(text),
        published: published(text),
        lang: detect_language(&written.text),
        ..written.into_document()
    }
}

/// One block where lines are wrapped, else a block a line.
fn blocks(lines: &[&str], compounds: &Compounds<'_>) -> Vec<Block> {
    if lines.is_empty() {
        return Vec::new();
    }
    if is_wrapped(lines) {
        return Block::plain(Shape::Paragraph, &compounds.join(lines)).into_iter().collect();
    }
    lines.iter().filter_map(|line| Block::plain(Shape::Paragraph, line)).collect()
}

/// Whether the lines of a paragraph end where they were full.
pub(super) fn is_wrapped(lines: &[&str]) -> bool {
    let all_but_last = lines.get(..lines.len().saturating_sub(1)).unwrap_or_default();
    !all_but_last.is_empty()
        && all_but_last.iter().all(|line| {
            let chars = line.trim_end().chars().count();
            (WRAPPED_CHARS..=100).contains(&chars) && !line.contains('\t') && !line.contains("  ")
        })
}

/// Whether the first line of a paragraph is above it: no sentence goes on beyond it, and it ends although the next word
/// had a place on it.
fn heads(lines: &[&str]) -> bool {
    let [first, second, ..] = lines else { return false };
    let (first, second) = (first.trim(), second.trim());
    let chars = |text: &str| text.trim().chars().count();
    let width = lines.iter().skip(1).map(|line| chars(line)).max().unwrap_or(0);
    let word = second.split_whitespace().next().unwrap_or_default();
    chars(first) <= MAX_TITLE_CHARS
        && first.ends_with(|c: char| c.is_alphanumeric() || c == ')')
        && second.starts_with(char::is_uppercase)
        && chars(second) >= WRAPPED_CHARS
        && chars(first) + 1 + chars(word) <= width
}

/// The first line, if it is apart or above a paragraph, and short; a rule under or over it sets it apart.
fn title(text: &str) -> String {
    let parts = |line: &str| line.trim().is_empty() || is_rule(line.trim());
    let lines = text.lines().skip_while(|line| parts(line));
    let paragraph: Vec<&str> = lines.take(HEAD_LINES).take_while(|line| !parts(line)).collect();
    let first = paragraph.first().copied().unwrap_or_default().trim();
    let apart = paragraph.len() <= 1 || heads(&paragraph);
    let fits = apart && first.chars().count() <= MAX_TITLE_CHARS;
    if fits { first.trim_start_matches(['#', '=']).trim().to_owned() } else { String::new() }
}

/// Whether a line is drawn with one sign: `=====`.
fn is_rule(line: &str) -> bool {
    let first = line.bytes().next().filter(u8::is_ascii_punctuation);
    line.len() >= 3 && line.bytes().all(|byte| Some(byte) == first)
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
    fn signs_of_markdown_stay_text() {
        let document = read("# 1 is not a heading here\n\n*stars* and <b>tags</b>");
        assert_eq!(document.text, "# 1 is not a heading here\n*stars* and <b>tags</b>");
        assert_eq!(
            document.markdown,
            "\\# 1 is not a heading here\n\n\\*stars\\* and \\<b>tags\\</b>"
        );
    }
}
