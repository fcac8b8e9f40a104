//! What a document is made of: paragraphs of runs, and tables of paragraphs.

use super::direction::{is_rtl, stretches};
use super::links::Links;

/// A stretch of text that looks the same and leads to one place.
pub(super) struct Span {
    pub(super) text: String,
    /// The style of its letters; none if empty.
    pub(super) style: &'static str,
    pub(super) to: To,
}

/// Where a stretch of text leads.
pub(super) enum To {
    Nowhere,
    /// A page of the web.
    Web(String),
    /// A source of the list.
    Source(usize),
    /// It is the mark of a footnote and has no text.
    Note(usize),
    /// It is the number of a table.
    Table(usize),
}

pub(super) fn plain(text: impl Into<String>) -> Span {
    styled("", text)
}

pub(super) fn styled(style: &'static str, text: impl Into<String>) -> Span {
    Span { text: text.into(), style, to: To::Nowhere }
}

pub(super) fn web(text: impl Into<String>, url: &str) -> Span {
    Span { to: To::Web(url.to_owned()), ..styled("Hyperlink", text) }
}

pub(super) fn citation(n: usize) -> Span {
    Span { to: To::Source(n), ..styled("Hyperlink", format!("[{n}]")) }
}

/// Letters that are written alike.
pub(super) struct Run {
    pub(super) text: String,
    pub(super) style: &'static str,
    pub(super) rtl: bool,
}

/// A part of a paragraph as the template writes it.
pub(super) enum Piece {
    Text(Vec<Run>),
    Web { id: String, runs: Vec<Run> },
    Jump { n: usize, runs: Vec<Run> },
    Note(usize),
    Table(usize),
}

/// The lists that a paragraph may belong to.
#[derive(Clone, Copy)]
pub(super) enum List {
    Bullets,
    /// The sources of the report.
    Sources,
    /// A numbered list of the findings: the first, the second and so on. Each begins with 1.
    Steps(usize),
}

impl List {
    fn style(self) -> &'static str {
        match self {
            List::Bullets => "ListBullet",
            List::Sources => "ListNumber",
            List::Steps(_) => "ListParagraph",
        }
    }

    /// Its number in `numbering.xml`.
    pub(super) fn number(self) -> usize {
        match self {
            List::Bullets => 1,
            List::Sources => 2,
            List::Steps(which) => 2 + which,
        }
    }
}

/// A paragraph.
pub(super) struct Paragraph {
    pub(super) style: &'static str,
    /// Stands on the page of what follows.
    pub(super) keep: bool,
    pub(super) list: Option<usize>,
    pub(super) rtl: bool,
    /// Set against the right edge, as numbers are.
    pub(super) end: bool,
    /// The source that begins here.
    pub(super) source: Option<usize>,
    pub(super) pieces: Vec<Piece>,
}

impl Paragraph {
    pub(super) fn new(style: &'static str, spans: Vec<Span>, links: &mut Links) -> Self {
        let rtl = is_rtl(spans.iter().map(|span| span.text.as_str()));
        let pieces = spans.into_iter().map(|span| piece(span, rtl, links)).collect();
        Self { style, keep: false, list: None, rtl, end: false, source: None, pieces }
    }

    pub(super) fn item(list: List, spans: Vec<Span>, links: &mut Links) -> Self {
        Self { list: Some(list.number()), ..Self::new(list.style(), spans, links) }
    }
}

fn piece(span: Span, rtl: bool, links: &mut Links) -> Piece {
    let runs = || {
        let run = |(rtl, text)| Run { text, style: span.style, rtl };
        stretches(&in_xml(&span.text), rtl).into_iter().map(run).collect()
    };
    match &span.to {
        To::Nowhere => Piece::Text(runs()),
        To::Web(url) => match links.id(url) {
            Some(id) => Piece::Web { id, runs: runs() },
            None => Piece::Text(runs()),
        },
        To::Source(n) => Piece::Jump { n: *n, runs: runs() },
        To::Note(n) => Piece::Note(*n),
        To::Table(n) => Piece::Table(*n),
    }
}

/// A text without the characters that XML cannot hold, not even escaped. Control characters are
/// replaced before a text gets here; what is left are the two that are no characters at all.
pub(super) fn in_xml(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}')).collect()
}

/// A column of a table.
pub(super) struct Column {
    /// Its width in twentieths of a point.
    pub(super) width: u32,
    pub(super) name: Paragraph,
}

/// A table; the row of names repeats on every page.
pub(super) struct Table {
    pub(super) style: &'static str,
    pub(super) width: u32,
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Row>,
}

/// A row of a table.
pub(super) struct Row {
    /// Stands on one page.
    pub(super) whole: bool,
    /// The cells with their widths.
    pub(super) cells: Vec<(u32, Paragraph)>,
}

/// What is below each other.
pub(super) enum Block {
    Text(Paragraph),
    Table(Table),
}
