//! RTF → paragraphs, rows of tables and notes.

mod words;

use encoding_rs::{Encoding, WINDOWS_1252};
use probity_core::Document;

use self::words::{Mark, UNSEEN};
use super::block::{Block, Shape};
use super::budget::{Budget, Spent};
use super::dates::{Order, first_date};
use super::inline::Inline;
use super::render::Written;
use super::table::{self, Head, Row};
use super::{detect_language, html};

/// The most groups inside one another.
const MAX_DEPTH: usize = 200;
/// How many blocks are in memory at a time.
const BATCH_BLOCKS: usize = 5_000;
/// Reads a document.
pub(super) fn read(bytes: &[u8], budget: &Budget) -> Document {
    let mut reader = Reader {
        bytes,
        at: 0,
        states: vec![State::default()],
        encoding: WINDOWS_1252,
        pending: Vec::new(),
        inline: Inline::new(None),
        around: Inline::new(None),
        beside: Inline::new(None),
        item: None,
        notes: Vec::new(),
        cells: Vec::new(),
        rows: Vec::new(),
        blocks: Vec::new(),
        written: Written::default(),
    };
    reader.run(budget);
    let written = reader.written;
    Document {
        title: html::one_line(&info(bytes, b"{\\title "), 300),
        byline: Some(info(bytes, b"{\\author ")).filter(|name| !name.is_empty()),
        published: first_date(&info(bytes, b"{\\creatim"), Order::DayFirst),
        lang: detect_language(&written.text),
        ..written.into_document()
    }
}

/// What a group of the file's information says, if it is plain.
fn info(bytes: &[u8], start: &[u8]) -> String {
    let at = bytes.windows(start.len()).take(64 * 1024).position(|window| window == start);
    let rest = at.and_then(|at| bytes.get(at.saturating_add(start.len())..)).unwrap_or_default();
    let end = rest.iter().position(|byte| matches!(byte, b'}' | b'{')).unwrap_or(0);
    let text = String::from_utf8_lossy(rest.get(..end.min(500)).unwrap_or_default()).into_owned();
    // `\yr2024\mo3\dy1`
    let dated = text.replace("\\yr", "").replace("\\mo", "-").replace("\\dy", "-");
    dated.split('\\').next().unwrap_or_default().trim().to_owned()
}

/// What holds within a group.
#[derive(Debug, Clone)]
struct State {
    unseen: bool,
    hidden: bool,
    in_table: bool,
    in_note: bool,
    /// It is the mark of a list's item.
    in_mark: bool,
    /// How many lists are around the item, less one.
    depth: usize,
    /// How many characters follow a Unicode character for readers that do not know it.
    fallback: usize,
}

impl Default for State {
    fn default() -> Self {
        Self {
            unseen: false,
            hidden: false,
            in_table: false,
            in_note: false,
            in_mark: false,
            depth: 0,
            fallback: 1,
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    states: Vec<State>,
    encoding: &'static Encoding,
    /// Bytes of text in the encoding of the file.
    pending: Vec<u8>,
    inline: Inline<'static>,
    /// The paragraph around the note that is read.
    around: Inline<'static>,
    /// The paragraph beside the mark that is read.
    beside: Inline<'static>,
    /// The paragraph that is read is an item of a list, with this number.
    item: Option<Option<u32>>,
    /// The notes of the paragraph or the table that is read.
    notes: Vec<Block>,
    cells: Vec<String>,
    rows: Vec<Row>,
    blocks: Vec<Block>,
    written: Written,
}

impl Reader<'_> {
    fn run(&mut self, budget: &Budget) {
        while let Some(byte) = self.next() {
            match byte {
                b'{' => {
                    self.decode();
                    let state = self.states.last().cloned().unwrap_or_default();
                    if self.states.len() >= MAX_DEPTH {
                        budget.cut(Spent::Elements);
                        break;
                    }
                    self.states.push(state);
                }
                b'}' => {
                    self.decode();
                    if self.states.len() > 1 {
                        let ended = self.states.pop().unwrap_or_default();
                        if ended.in_mark && !self.is_in_mark() {
                            self.end_mark();
                        }
                        if ended.in_note && !self.is_in_note() {
                            self.end_note();
                        }
                    }
                }
                b'\\' => self.control(),
                b'\r' | b'\n' => {}
                byte => self.byte(byte),
            }
            if self.blocks.len() >= BATCH_BLOCKS {
                self.write();
                if budget.is_stopped() {
                    return;
                }
            }
        }
        // A file that is cut short leaves its groups open.
        self.decode();
        if self.is_in_mark() {
            self.end_mark();
        }
        if self.is_in_note() {
            self.end_note();
        }
        self.states = vec![State::default()];
        self.end_paragraph();
        self.end_table();
        self.write();
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at).copied()?;
        self.at = self.at.saturating_add(1);
        Some(byte)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn state(&mut self) -> Option<&mut State> {
        self.states.last_mut()
    }

    fn is_seen(&self) -> bool {
        self.states.last().is_some_and(|state| !state.unseen && !state.hidden)
    }

    fn byte(&mut self, byte: u8) {
        if self.is_seen() {
            self.pending.push(byte);
        }
    }

    /// Text in the encoding of the file → characters.
    fn decode(&mut self) {
        if !self.pending.is_empty() {
            let (text, _) = self.encoding.decode_without_bom_handling(&self.pending);
            self.inline.push(&text);
            self.pending.clear();
        }
    }

    fn text(&mut self, text: &str) {
        if self.is_seen() {
            self.decode();
            self.inline.push(text);
        }
    }

    fn control(&mut self) {
        let Some(first) = self.peek() else { return };
        if !first.is_ascii_alphabetic() {
            self.at = self.at.saturating_add(1);
            match first {
                b'\'' => {
                    let code = self.bytes.get(self.at..self.at.saturating_add(2));
                    let code = code.and_then(|digits| std::str::from_utf8(digits).ok());
                    if let Some(code) = code.and_then(|digits| u8::from_str_radix(digits, 16).ok())
                    {
                        self.at = self.at.saturating_add(2);
                        self.byte(code);
                    }
                }
                // A destination that readers may pass over: its text is for programs.
                b'*' => {
                    if let Some(state) = self.state() {
                        state.unseen = true;
                    }
                }
                b'~' => self.text("\u{a0}"),
                b'_' => self.text("-"),
                b'\\' | b'{' | b'}' => self.byte(first),
                b'\r' | b'\n' => self.end_paragraph(),
                _ => {}
            }
            return;
        }
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_alphabetic()) {
            self.at = self.at.saturating_add(1);
        }
        let word = self.bytes.get(start..self.at).unwrap_or_default();
        let word = String::from_utf8_lossy(word).into_owned();
        let number_start = self.at;
        if self.peek() == Some(b'-') {
            self.at = self.at.saturating_add(1);
        }
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at = self.at.saturating_add(1);
        }
        let number = self.bytes.get(number_start..self.at).unwrap_or_default();
        let number = std::str::from_utf8(number).ok().and_then(|digits| digits.parse::<i64>().ok());
        if self.peek() == Some(b' ') {
            self.at = self.at.saturating_add(1);
        }
        self.word(&word, number);
    }

    fn word(&mut self, word: &str, number: Option<i64>) {
        match word {
            "par" | "sect" | "page" => self.end_paragraph(),
            "line" => {
                self.decode();
                self.inline.push_break();
            }
            "tab" => self.text(" "),
            "cell" | "nestcell" => self.end_cell(),
            "row" | "nestrow" => self.rows.push(Row::plain(std::mem::take(&mut self.cells))),
            "intbl" => {
                if let Some(state) = self.state() {
                    state.in_table = true;
                }
            }
            "pard" => {
                if let Some(state) = self.state() {
                    (state.in_table, state.depth) = (false, 0);
                }
            }
            "ilvl" => {
                let depth = number.and_then(|depth| usize::try_from(depth).ok()).unwrap_or(0);
                if let Some(state) = self.state() {
                    state.depth = depth;
                }
            }
            "v" => {
                let hidden = number != Some(0);
                self.decode();
                if let Some(state) = self.state() {
                    state.hidden = hidden;
                }
            }
            "plain" => {
                if let Some(state) = self.state() {
                    state.hidden = false;
                }
            }
            "ansicpg" => {
                let label = format!("windows-{}", number.unwrap_or(1252));
                self.encoding = Encoding::for_label(label.as_bytes()).unwrap_or(WINDOWS_1252);
            }
            "uc" => {
                let count = number.and_then(|count| usize::try_from(count).ok()).unwrap_or(1);
                if let Some(state) = self.state() {
                    state.fallback = count.min(16);
                }
            }
            "u" => self.unicode(number.unwrap_or(0)),
            "bin" => {
                let skip = number.and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
                self.at = self.at.saturating_add(skip);
            }
            "emdash" => self.text("—"),
            "endash" => self.text("–"),
            "lquote" => self.text("‘"),
            "rquote" => self.text("’"),
            "ldblquote" => self.text("“"),
            "rdblquote" => self.text("”"),
            "bullet" => self.text("•"),
            "footnote" => self.begin_note(),
            "listtext" | "pntext" => self.begin_mark(),
            word if UNSEEN.contains(&word) => {
                if let Some(state) = self.state() {
                    state.unseen = true;
                }
            }
            _ => {}
        }
    }

    /// A character by its number, which is written as a signed one, and its substitute after it.
    fn unicode(&mut self, number: i64) {
        let code = u32::try_from(if number < 0 { number.saturating_add(65_536) } else { number });
        if let Some(c) = code.ok().and_then(char::from_u32) {
            self.text(c.encode_utf8(&mut [0; 4]));
        }
        let skip = self.states.last().map_or(1, |state| state.fallback);
        for _ in 0..skip {
            match self.peek() {
                Some(b'\\') if self.bytes.get(self.at.saturating_add(1)) == Some(&b'\'') => {
                    self.at = self.at.saturating_add(4);
                }
                Some(b'\\' | b'{' | b'}') | None => break,
                Some(_) => self.at = self.at.saturating_add(1),
            }
        }
    }

    fn is_in_note(&self) -> bool {
        self.states.last().is_some_and(|state| state.in_note)
    }

    /// A note stands within the sentence that calls it, and is read apart from it.
    fn begin_note(&mut self) {
        let around = self.states.iter().rev().nth(1);
        let is_seen = around.is_some_and(|state| !state.unseen && !state.hidden);
        if !is_seen || self.is_in_note() {
            return;
        }
        // Programs mark it as what readers may pass over.
        if let Some(state) = self.state() {
            (state.unseen, state.in_note, state.in_table) = (false, true, false);
        }
        std::mem::swap(&mut self.inline, &mut self.around);
    }

    fn end_note(&mut self) {
        self.notes.extend(self.inline.take().and_then(|run| Block::of(Shape::Paragraph, run)));
        std::mem::swap(&mut self.inline, &mut self.around);
    }

    fn is_in_mark(&self) -> bool {
        self.states.last().is_some_and(|state| state.in_mark)
    }

    /// The mark of an item, as programs write it for readers that know no lists.
    fn begin_mark(&mut self) {
        // Programs mark it, too, as what readers may pass over.
        let around = self.states.iter().rev().nth(1);
        let is_seen = around.is_some_and(|state| !state.unseen && !state.hidden);
        if !is_seen || self.is_in_mark() {
            return;
        }
        if let Some(state) = self.state() {
            (state.unseen, state.in_mark) = (false, true);
        }
        std::mem::swap(&mut self.inline, &mut self.beside);
    }

    fn end_mark(&mut self) {
        let mark = self.inline.take().map(|run| run.text).unwrap_or_default();
        std::mem::swap(&mut self.inline, &mut self.beside);
        match Mark::of(mark.trim()) {
            Mark::Bullet => self.item = Some(None),
            Mark::Number(number) => self.item = Some(Some(number)),
            Mark::Other(mark) => {
                self.item = Some(None);
                self.inline.push(mark);
                self.inline.push(" ");
            }
        }
    }

    fn end_cell(&mut self) {
        self.decode();
        self.item = None;
        let text = self.inline.take().map(|run| run.text.replace('\n', " "));
        self.cells.push(text.unwrap_or_default());
    }

    fn end_paragraph(&mut self) {
        self.decode();
        // Paragraphs of a cell belong together, and so do those of a note.
        if self.states.last().is_some_and(|state| state.in_table || state.in_note) {
            self.inline.push(" ");
            return;
        }
        self.end_table();
        let depth = self.states.last().map_or(0, |state| state.depth);
        let shape = match self.item.take() {
            Some(number) => Shape::Item { depth, number },
            None => Shape::Paragraph,
        };
        self.blocks.extend(self.inline.take().and_then(|run| Block::of(shape, run)));
        self.blocks.append(&mut self.notes);
    }

    fn end_table(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        self.blocks.extend(table::blocks(rows, Head::Unmarked));
    }

    fn write(&mut self) {
        self.written.push(&self.blocks);
        self.blocks.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::budget::Stop;

    fn text(rtf: &str) -> String {
        read(rtf.as_bytes(), &Budget::new(Stop::default())).text
    }

    #[test]
    fn paragraphs_come_out_without_what_is_around_them() {
        let rtf = r"{\rtf1\ansi\ansicpg1252{\fonttbl\f0 Arial;}{\*\generator X;}{\info{\title Fees}}\f0 A fee of \b 40\b0  crowns \'e9t\'e9.\par{\v hidden}Two \u8212? three.\par}";
        assert_eq!(text(rtf), "A fee of 40 crowns été.\nTwo — three.");
    }

    #[test]
    fn rows_carry_their_heads() {
        let rtf = r"{\rtf1\trowd\intbl Room\cell Fee\cell\row\trowd\intbl Hall\cell 900\cell\row\pard After.\par}";
        assert_eq!(text(rtf), "Room: Hall · Fee: 900\nAfter.");
    }

    #[test]
    fn items_of_lists_have_no_marks_but_those_that_are_names() {
        let item = |mark: &str, level: u8, text: &str| {
            format!(r"\pard{{\listtext\pard\plain\f3 {mark}\tab}}\ilvl{level}\ls1 {text}\par")
        };
        let items = [
            item(r"\'b7", 0, "Dogs travel free."),
            item("o", 1, "Small ones."),
            item("2.", 0, "Bicycles pay."),
            item("(b)", 0, "Tandems pay twice."),
            item("4.1", 0, "Boats do not."),
        ];
        let old =
            r"{\*\pn\pnlvlblt{\pntxtb\'b7}}{\pntext\'b7\tab}Old ones too.\par Said (a) once.\par";
        let rtf = format!(r"{{\rtf1\ansi {}\pard{old}}}", items.concat());
        let document = read(rtf.as_bytes(), &Budget::new(Stop::default()));
        let expected = "Dogs travel free.\nSmall ones.\nBicycles pay.\n(b) Tandems pay twice.\n\
                        4.1 Boats do not.\nOld ones too.\nSaid (a) once.";
        assert_eq!(document.text, expected);
        let lists = "- Dogs travel free.\n  - Small ones.\n2. Bicycles pay.\n- (b) Tandems";
        assert!(document.markdown.starts_with(lists), "{}", document.markdown);
        assert!(document.markdown.ends_with("- Old ones too.\n\nSaid (a) once."));
    }

    #[test]
    fn broken_files_are_read_as_far_as_they_go() {
        for rtf in [
            "{\\rtf1 a\\",
            "{\\rtf1 a\\'",
            "{\\rtf1 a}}}} b",
            "{\\rtf1 \\u-1 a",
            "{\\rtf1\\bin999999 a",
        ] {
            let _ = text(rtf);
        }
        assert_eq!(text(&"{".repeat(10_000)), "");
        assert_eq!(text("{\\rtf1 Boats{\\footnote the log"), "Boats\nthe log");
    }
}
