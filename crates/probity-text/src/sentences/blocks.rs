//! Text → the runs of lines that belong together: a paragraph, a heading, a list item, a row.

use std::ops::Range;

use crate::table_row::CELL_SEPARATOR;

/// Lines wider than this were not wrapped by hand or by a mail program.
const WRAPPED_CHARS: usize = 120;
/// Lines narrower than this are not wrapped beside lines that are not.
const HEADING_CHARS: usize = 60;

/// What a line is, before looking at its neighbours.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Prose,
    /// A heading, list item or row: begins a block of its own.
    Item,
    /// A heading or row that also ends where its line ends.
    Closed,
}

struct Line {
    /// The text without list bullets and heading marks.
    body: Range<usize>,
    kind: Kind,
    chars: usize,
}

/// The byte ranges of the blocks of a text.
pub(super) fn blocks(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut paragraph: Vec<Line> = Vec::new();
    let mut start = 0;
    for raw in text.split_inclusive(['\n', '\u{2028}', '\u{2029}', '\u{c}']) {
        match read(text, start..start + raw.len()) {
            Some(line) => paragraph.push(line),
            None => flush(text, &mut paragraph, &mut found),
        }
        start += raw.len();
    }
    flush(text, &mut paragraph, &mut found);
    found
}

/// A line without its marks; none for a blank line, a rule, a fence or a table's ruling.
fn read(text: &str, range: Range<usize>) -> Option<Line> {
    let raw = text.get(range.clone())?;
    let mut body = raw.trim_end();
    let mut kind = Kind::Prose;
    loop {
        body = body.trim_start();
        let (rest, next) = without_mark(body);
        if rest.len() == body.len() {
            break;
        }
        kind = if next == Kind::Prose { kind } else { next };
        body = rest;
    }
    if !body.chars().any(char::is_alphanumeric) {
        return None;
    }
    // A row of a table, as extraction writes it: "hall: Great Hall · price: 900 crowns".
    if body.contains(CELL_SEPARATOR) && body.contains(": ") {
        kind = Kind::Closed;
    }
    let end = range.start + raw.trim_end().len();
    Some(Line { body: end - body.len()..end, kind, chars: raw.trim().chars().count() })
}

/// Whether a line ends within quotation marks or brackets that it opened.
fn is_open(line: &str) -> bool {
    let count = |mark: char| line.matches(mark).count();
    !super::stops::closes(line)
        && (!count('"').is_multiple_of(2) || count('(') > count(')') || count('“') > count('”'))
}

/// Takes one mark off the front of a line: `>`, `#`, a bullet, `3.`, `b)`, `|`.
fn without_mark(line: &str) -> (&str, Kind) {
    if let Some(rest) = line.strip_prefix('>') {
        return (rest, Kind::Prose);
    }
    if let Some(rest) = line.strip_prefix('|') {
        return (rest, Kind::Closed);
    }
    let hashes = line.len() - line.trim_start_matches('#').len();
    if (1..=6).contains(&hashes) {
        let rest = line.trim_start_matches('#');
        if rest.starts_with([' ', '\t']) {
            return (rest, Kind::Closed);
        }
    }
    let mut chars = line.chars();
    let first = chars.next();
    let rest = chars.as_str();
    if first.is_some_and(|c| matches!(c, '-' | '*' | '+' | '–' | '—'))
        && rest.starts_with([' ', '\t'])
    {
        return (rest, Kind::Item);
    }
    if first.is_some_and(|c| {
        matches!(c, '•' | '▪' | '◦' | '●' | '○' | '■' | '►' | '➤' | '✓' | '‣' | '·')
    }) {
        return (rest, Kind::Item);
    }
    (numbered(line).unwrap_or(line), Kind::Item)
}

/// What follows `12.`, `5.1.`, `12)`, `(12)` or `b)` and a space at the front of a line.
fn numbered(line: &str) -> Option<&str> {
    let inner = line.strip_prefix('(').unwrap_or(line);
    let digits = inner.len() - inner.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let length = if (1..=3).contains(&digits) {
        digits + sections(inner.get(digits..)?)
    } else if inner.starts_with(|c: char| c.is_ascii_lowercase()) {
        1
    } else {
        return None;
    };
    let rest = inner.get(length..)?;
    let rest = match rest.strip_prefix(')') {
        Some(rest) => rest,
        None if digits > 0 => rest.strip_prefix('.')?,
        None => return None,
    };
    let rest = rest.strip_prefix([' ', '\t'])?;
    (!rest.trim().is_empty()).then_some(rest)
}

/// How long the further numbers of a section are: `.1.2` of `5.1.2. Scope`.
fn sections(text: &str) -> usize {
    let mut length = 0;
    while let Some(rest) = text.get(length..).and_then(|rest| rest.strip_prefix('.')) {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if !(1..=3).contains(&digits) {
            break;
        }
        length += 1 + digits;
    }
    length
}

/// Joins the lines of a paragraph that were wrapped, and separates those that were not.
fn flush(text: &str, paragraph: &mut Vec<Line>, found: &mut Vec<Range<usize>>) {
    let widest = paragraph.iter().map(|line| line.chars).max().unwrap_or(0);
    let mut open: Option<Range<usize>> = None;
    let mut last: Option<Line> = None;
    for line in paragraph.drain(..) {
        let joins = last.as_ref().is_some_and(|last| continues(text, last, &line, widest));
        open = match open {
            Some(block) if joins => Some(block.start..line.body.end),
            Some(block) => {
                found.push(block);
                Some(line.body.clone())
            }
            None => Some(line.body.clone()),
        };
        last = Some(line);
    }
    found.extend(open);
}

/// Whether a line continues with the sentence of the line above.
///
/// A wrapped line is one whose successor's first word would not have fitted.
fn continues(text: &str, above: &Line, line: &Line, widest: usize) -> bool {
    if line.kind != Kind::Prose || above.kind == Kind::Closed {
        return false;
    }
    let body = |line: &Line| text.get(line.body.clone()).unwrap_or_default();
    let word = body(line).split_whitespace().next().map_or(0, |word| word.chars().count());
    let wrapped = widest <= WRAPPED_CHARS;
    if body(line).starts_with(char::is_lowercase) {
        // Among lines that were not wrapped a short one is a heading, whatever the next one begins with.
        let heading = !wrapped && above.chars + 1 + word <= HEADING_CHARS;
        return !heading && !super::stops::closes(body(above));
    }
    wrapped && (above.chars + 1 + word > widest || is_open(body(above)))
}
