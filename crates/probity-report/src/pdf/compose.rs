//! Report → rows: what is on the pages, in order, before it has places.

use super::findings::findings;
use super::fonts::{Color, Face};
use crate::appendix::{self, Appendix, Column, Shape, title};
use crate::assemble::{Body, CheckedReport};
use crate::credit;
use crate::escape::one_line;
use crate::methodology::methodology;
use crate::phrases::{Phrase, Phrases};
use crate::wording::{about, better_questions, dated, level, no_conflict, no_finding};

/// The width of the text on an A4 page, in points.
pub(crate) const TEXT_WIDTH: f32 = 451.0;

const TITLE: Face = Face { serif: true, bold: true, size: 20.0, leading: 1.25 };
const SECTION: Face = Face { serif: true, bold: true, size: 14.0, leading: 1.3 };
const THEME: Face = Face { serif: true, bold: true, size: 10.5, leading: 1.4 };
pub(super) const BODY: Face = Face { serif: true, bold: false, size: 10.5, leading: 1.5 };
pub(super) const SMALL: Face = Face { serif: false, bold: false, size: 8.5, leading: 1.4 };
const TABLE: Face = Face { serif: false, bold: false, size: 7.5, leading: 1.35 };

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// A page of the web.
    Web(String),
    /// A source of the list.
    Source(usize),
}

/// A stretch of text that looks the same.
pub(crate) struct Span {
    pub(crate) text: String,
    pub(crate) bold: bool,
    pub(crate) color: Color,
    pub(crate) link: Option<Target>,
}

/// A column of text.
pub(crate) struct Cell {
    pub(crate) x: f32,
    pub(crate) width: f32,
    pub(crate) face: Face,
    /// Set against the right edge, as numbers are.
    pub(crate) end: bool,
    pub(crate) spans: Vec<Span>,
}

/// What a row is to someone who hears the report instead of seeing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// A heading: 1 is the title, 2 a section, 3 a theme.
    Heading(u16),
    /// A paragraph.
    Text,
    /// A source's own words.
    Quote,
    /// An entry of a list; of two cells the first is its label.
    Item,
    /// A numbered entry of a list.
    Step,
    /// An entry of a timeline, with its time.
    Entry,
    /// The names of a table's columns; they stand on every page that the table continues to.
    Head,
    /// A row of a table.
    Cells,
    /// Number and title of a source.
    Source(usize),
    /// What else is said about that source.
    About,
}

impl Role {
    /// Whether a line is below, as with all that belongs to a table.
    pub(crate) fn is_ruled(self) -> bool {
        matches!(self, Role::Head | Role::Cells)
    }
}

/// Cells beside each other.
pub(crate) struct Row {
    pub(crate) role: Role,
    pub(crate) cells: Vec<Cell>,
    pub(crate) before: f32,
    /// Stands on the page of what follows.
    pub(crate) keep: bool,
}

pub(super) fn plain(text: impl Into<String>) -> Span {
    Span { text: text.into(), bold: false, color: Color::Ink, link: None }
}

pub(super) fn soft(text: impl Into<String>) -> Span {
    Span { color: Color::Soft, ..plain(text) }
}

pub(super) fn bold(text: impl Into<String>) -> Span {
    Span { bold: true, ..plain(text) }
}

pub(super) fn link(text: impl Into<String>, target: Target) -> Span {
    Span { color: Color::Accent, link: Some(target), ..plain(text) }
}

fn web(text: impl Into<String>, url: &str) -> Span {
    link(text, Target::Web(url.to_owned()))
}

pub(super) fn row(face: Face, before: f32, spans: Vec<Span>) -> Row {
    let cell = Cell { x: 0.0, width: TEXT_WIDTH, face, end: false, spans };
    Row { role: Role::Text, cells: vec![cell], before, keep: false }
}

fn heading(face: Face, before: f32, level: u16, text: &str) -> Row {
    Row { role: Role::Heading(level), keep: true, ..row(face, before, vec![plain(text)]) }
}

fn section(text: &str) -> Row {
    heading(SECTION, 22.0, 2, text)
}

fn item(face: Face, text: String) -> Row {
    Row { role: Role::Item, ..row(face, 2.0, vec![plain(text)]) }
}

/// A label and its text, as in the methodology.
fn field(label: &str, text: impl Into<String>) -> Row {
    row(BODY, 3.0, vec![bold(format!("{label}: ")), plain(text)])
}

/// Everything that is on the pages.
pub(crate) fn compose(report: &CheckedReport) -> Vec<Row> {
    let facts = report.facts();
    let shape = Phrases::of_shape(facts);
    let mut rows = vec![heading(TITLE, 0.0, 1, &one_line(report.title()))];
    rows.push(row(SMALL, 6.0, vec![soft(about(facts))]));
    if let Body::Report { disclaimer: Some(disclaimer), .. } = report.body() {
        let limited = bold(format!("{}: ", shape.word(Phrase::LabelLimited)));
        rows.push(row(BODY, 12.0, vec![limited, plain(one_line(disclaimer))]));
    }
    rows.push(section(shape.word(Phrase::HeadingMethodology)));
    rows.extend(methodology(facts).into_iter().map(|(label, text)| field(label, text)));
    body(&mut rows, report);
    sources(&mut rows, report);
    appendix(&mut rows, Appendix::new(facts));
    rows
}

fn body(rows: &mut Vec<Row>, report: &CheckedReport) {
    let shape = Phrases::of_shape(report.facts());
    match report.body() {
        Body::Report { summary, themes, conflicts, confidence, .. } => {
            rows.push(section(shape.word(Phrase::HeadingSummary)));
            let summary: Vec<String> = summary.iter().map(|s| one_line(s)).collect();
            rows.push(row(BODY, 4.0, vec![plain(summary.join(" "))]));
            rows.push(section(shape.word(Phrase::HeadingFindings)));
            for theme in themes {
                rows.push(heading(THEME, 10.0, 3, &one_line(&theme.heading)));
                findings(rows, report, &theme.statements, 2.0);
            }
            if themes.is_empty() {
                rows.push(row(BODY, 4.0, vec![plain(no_finding(report.facts()))]));
            }
            rows.push(section(shape.word(Phrase::HeadingConflicts)));
            for conflict in conflicts {
                findings(rows, report, conflict, 4.0);
            }
            if conflicts.is_empty() {
                rows.push(row(BODY, 4.0, vec![plain(no_conflict(report.facts()))]));
            }
            rows.push(section(shape.word(Phrase::HeadingConfidence)));
            rows.push(field(shape.word(Phrase::LabelLevel), level(shape, confidence.level)));
            rows.push(field(shape.word(Phrase::LabelRationale), one_line(&confidence.rationale)));
        }
        Body::Shortfall { account, better_queries, elsewhere } => {
            rows.push(section(shape.word(Phrase::HeadingShortfall)));
            for part in account.iter().chain([elsewhere]).filter(|part| !part.is_empty()) {
                rows.push(row(BODY, 4.0, vec![plain(one_line(part))]));
            }
            if !better_queries.is_empty() {
                rows.push(row(BODY, 8.0, vec![plain(better_questions(report.facts()))]));
            }
            for query in better_queries {
                rows.push(item(BODY, format!("– {}", one_line(query))));
            }
        }
    }
}

fn sources(rows: &mut Vec<Row>, report: &CheckedReport) {
    let shape = Phrases::of_shape(report.facts());
    let mut listed = report.sources().peekable();
    if listed.peek().is_none() {
        return;
    }
    rows.push(section(shape.word(Phrase::HeadingSources)));
    for (n, source) in listed {
        let url = source.url.as_str();
        let mut facts = format!(
            "{} {:.2}: {}",
            shape.word(Phrase::SourceCredibility),
            source.credibility.total,
            credit::line(&source.credibility)
        );
        if let Some(relevance) = &source.relevance {
            let word = shape.word(Phrase::SourceRelevance);
            facts.push_str(&format!(" · {word} {}/5", relevance.score));
        }
        facts.push_str(&format!(" · {}", dated(shape, source)));
        let number = column(0.0, 22.0, BODY, false, vec![plain(format!("{n}."))]);
        let (x, width) = (26.0, TEXT_WIDTH - 26.0);
        let named = column(x, width, BODY, false, vec![web(title(source), url)]);
        rows.push(Row {
            role: Role::Source(n),
            cells: vec![number, named],
            keep: true,
            ..row(BODY, 8.0, Vec::new())
        });
        let below = |spans| Row {
            role: Role::About,
            cells: vec![column(x, width, SMALL, false, spans)],
            ..row(SMALL, 0.0, Vec::new())
        };
        rows.push(Row { keep: true, ..below(vec![soft(facts)]) });
        rows.push(below(vec![web(url, url)]));
    }
}

pub(super) fn column(x: f32, width: f32, face: Face, end: bool, spans: Vec<Span>) -> Cell {
    Cell { x, width, face, end, spans }
}

/// The gap between columns of a table.
const GUTTER: f32 = 8.0;

/// A row of a table whose columns have these widths; those of numbers are set against the right.
pub(super) fn set_row(
    widths: &[(f32, bool)],
    gutter: f32,
    face: Face,
    cells: Vec<Vec<Span>>,
) -> Row {
    let mut x = 0.0;
    let mut set = Vec::with_capacity(cells.len());
    for ((width, number), spans) in widths.iter().zip(cells) {
        set.push(column(x, *width, face, *number, spans));
        x += width + gutter;
    }
    Row { role: Role::Cells, cells: set, ..row(face, 3.0, Vec::new()) }
}

fn table_row(columns: &[Column], cells: Vec<Span>) -> Row {
    let widths: Vec<(f32, bool)> =
        columns.iter().map(|column| (f32::from(column.width), column.number)).collect();
    set_row(&widths, GUTTER, TABLE, cells.into_iter().map(|span| vec![span]).collect())
}

fn table_head(columns: &[Column]) -> Row {
    let names = columns.iter().map(|column| soft(column.name)).collect();
    Row { role: Role::Head, keep: true, before: 6.0, ..table_row(columns, names) }
}

fn appendix(rows: &mut Vec<Row>, appendix: Appendix) {
    let span = |cell| match cell {
        appendix::Cell::Text(text) => plain(text),
        appendix::Cell::Page { title, url } => web(title, &url),
    };
    for part in appendix.parts() {
        rows.push(section(part.heading));
        rows.extend(part.note.map(|note| row(SMALL, 2.0, vec![plain(note)])));
        match part.shape {
            Shape::Table { columns, rows: table_rows, .. } => {
                rows.push(table_head(columns));
                for cells in table_rows {
                    rows.push(table_row(columns, cells.into_iter().map(span).collect()));
                }
            }
            Shape::List(items) => {
                rows.extend(items.into_iter().map(|text| item(SMALL, text)));
            }
        }
    }
}
