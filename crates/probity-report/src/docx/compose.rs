//! Report → paragraphs, tables and footnotes, in the order of every report.

use probity_core::Candidate;

use super::block::{Block, Column, List, Paragraph, Row, Span, Table, To, plain, styled, web};
use super::links::Links;
use crate::appendix::{self, Appendix, Part, Shape, title};
use crate::assemble::{Body, CheckedReport};
use crate::chart;
use crate::credit;
use crate::escape::one_line;
use crate::methodology::methodology;
use crate::phrases::{Phrase, Phrases};
use crate::wording::{about, better_questions, dated, level, no_conflict, no_finding};

/// The width of the text on an A4 page, in twentieths of a point.
pub(super) const TEXT_WIDTH: u32 = 9_026;
/// A row of up to this much text stays on one page; a longer one may fit on none.
pub(super) const WHOLE_ROW_BYTES: usize = 800;
/// The room between the columns of a table, in points.
const GUTTER: u32 = 8;
/// The columns of the sources' scores.
const SCORES: &[appendix::Column] = &[
    appendix::number("no.", 22),
    appendix::text("page", 150),
    appendix::number("credibility", 46),
    appendix::number("authority", 40),
    appendix::text("outlet", 55),
    appendix::number("words of the question", 48),
    appendix::number("recency", 36),
    appendix::number("relevance", 40),
];

/// A document before it is written.
#[derive(Default)]
pub(super) struct Document {
    pub(super) blocks: Vec<Block>,
    /// The footnotes; the first has the number 1.
    pub(super) notes: Vec<Paragraph>,
    pub(super) links: Links,
    tables: usize,
    /// How many numbered lists the findings have.
    pub(super) steps: usize,
}

/// Everything that is in the document.
pub(super) fn compose(report: &CheckedReport) -> Document {
    let facts = report.facts();
    let shape = Phrases::of_shape(facts);
    let mut document = Document::default();
    document.text("Title", vec![plain(one_line(report.title()))]);
    document.text("Subtitle", vec![plain(about(facts))]);
    if let Body::Report { disclaimer: Some(disclaimer), .. } = report.body() {
        let limited = styled("Strong", format!("{}: ", shape.word(Phrase::LabelLimited)));
        document.text("Disclaimer", vec![limited, plain(one_line(disclaimer))]);
    }
    document.section(shape.word(Phrase::HeadingMethodology));
    for (label, text) in methodology(facts) {
        document.field(label, text);
    }
    document.body(report);
    document.sources(report);
    for part in Appendix::new(facts).parts() {
        document.part(part);
    }
    // A document may not end with a table.
    document.text("Small", vec![plain(format!("Run {}", one_line(&facts.run_id)))]);
    document
}

impl Document {
    /// The numbers of the lists that each begin with 1.
    pub(super) fn numbered(&self) -> Vec<usize> {
        (1..=self.steps).map(|which| List::Steps(which).number()).collect()
    }

    pub(super) fn paragraph(&mut self, style: &'static str, spans: Vec<Span>) -> Paragraph {
        Paragraph::new(style, spans, &mut self.links)
    }

    pub(super) fn text(&mut self, style: &'static str, spans: Vec<Span>) {
        let paragraph = self.paragraph(style, spans);
        self.blocks.push(Block::Text(paragraph));
    }

    fn section(&mut self, heading: &str) {
        self.text("Heading1", vec![plain(heading)]);
    }

    pub(super) fn item(&mut self, list: List, spans: Vec<Span>) {
        let item = Paragraph::item(list, spans, &mut self.links);
        self.blocks.push(Block::Text(item));
    }

    /// A label and its text, as in the methodology.
    fn field(&mut self, label: &str, text: impl Into<String>) {
        self.item(List::Bullets, vec![styled("Strong", format!("{label}: ")), plain(text)]);
    }

    fn body(&mut self, report: &CheckedReport) {
        let shape = Phrases::of_shape(report.facts());
        match report.body() {
            Body::Report { summary, themes, conflicts, confidence, .. } => {
                self.section(shape.word(Phrase::HeadingSummary));
                let summary: Vec<String> = summary.iter().map(|s| one_line(s)).collect();
                self.text("Normal", vec![plain(summary.join(" "))]);
                self.section(shape.word(Phrase::HeadingFindings));
                for theme in themes {
                    self.text("Heading2", vec![plain(one_line(&theme.heading))]);
                    self.findings(report, &theme.statements);
                }
                if themes.is_empty() {
                    self.text("Normal", vec![plain(no_finding(report.facts()))]);
                }
                self.section(shape.word(Phrase::HeadingConflicts));
                for conflict in conflicts {
                    self.findings(report, conflict);
                }
                if conflicts.is_empty() {
                    self.text("Normal", vec![plain(no_conflict(report.facts()))]);
                }
                self.section(shape.word(Phrase::HeadingConfidence));
                self.field(shape.word(Phrase::LabelLevel), level(shape, confidence.level));
                self.field(shape.word(Phrase::LabelRationale), one_line(&confidence.rationale));
            }
            Body::Shortfall { account, better_queries, elsewhere } => {
                self.section(shape.word(Phrase::HeadingShortfall));
                for part in account.iter().chain([elsewhere]).filter(|part| !part.is_empty()) {
                    self.text("Normal", vec![plain(one_line(part))]);
                }
                if !better_queries.is_empty() {
                    self.text("Normal", vec![plain(better_questions(report.facts()))]);
                }
                for query in better_queries {
                    self.item(List::Bullets, vec![plain(one_line(query))]);
                }
            }
        }
    }

    fn sources(&mut self, report: &CheckedReport) {
        let shape = Phrases::of_shape(report.facts());
        let sources: Vec<(usize, &Candidate)> = report.sources().collect();
        if sources.is_empty() {
            return;
        }
        self.section(shape.word(Phrase::HeadingSources));
        for (n, source) in &sources {
            let url = source.url.as_str();
            let spans = vec![web(title(source), url)];
            let named = Paragraph::item(List::Sources, spans, &mut self.links);
            self.blocks.push(Block::Text(Paragraph { keep: true, source: Some(*n), ..named }));
            let facts = self.paragraph("SourceDetails", vec![plain(worth(shape, source))]);
            self.blocks.push(Block::Text(Paragraph { keep: true, ..facts }));
            self.text("SourceDetails", vec![web(url, url)]);
        }
        let rows = sources.into_iter().map(|(n, source)| scores(n, source)).collect();
        self.table(&chart::credibility(report), SCORES, rows);
    }

    fn part(&mut self, part: Part) {
        self.section(part.heading);
        if let Some(note) = part.note {
            self.text("Normal", vec![plain(note)]);
        }
        match part.shape {
            Shape::Table { caption, columns, rows } => self.table(caption, columns, rows),
            Shape::List(items) => {
                for item in items {
                    self.item(List::Bullets, vec![plain(item)]);
                }
            }
        }
    }

    fn table(
        &mut self,
        caption: &str,
        columns: &[appendix::Column],
        rows: Vec<Vec<appendix::Cell>>,
    ) {
        self.tables += 1;
        let number = Span { to: To::Table(self.tables), ..plain("") };
        let spans = vec![plain("Table "), number, plain(format!(". {caption}"))];
        self.text("Caption", spans);
        let widths = widths(columns);
        let mut cell = |style, column: &appendix::Column, span| {
            let set = self.paragraph(style, vec![span]);
            Paragraph { end: column.number, ..set }
        };
        let mut head = Vec::new();
        for (column, width) in columns.iter().zip(&widths) {
            let name = cell("TableHead", column, plain(column.name));
            head.push(Column { width: *width, name });
        }
        let mut table_rows = Vec::new();
        for row in rows {
            let spans: Vec<Span> = row.into_iter().map(span).collect();
            let letters: usize = spans.iter().map(|span| span.text.len()).sum();
            let mut cells = Vec::new();
            for ((column, width), span) in columns.iter().zip(&widths).zip(spans) {
                cells.push((*width, cell("TableText", column, span)));
            }
            table_rows.push(Row { whole: letters <= WHOLE_ROW_BYTES, cells });
        }
        let table = Table {
            style: "ReportTable",
            width: widths.iter().sum(),
            columns: head,
            rows: table_rows,
        };
        self.blocks.push(Block::Table(table));
    }
}

fn span(cell: appendix::Cell) -> Span {
    match cell {
        appendix::Cell::Text(text) => plain(text),
        appendix::Cell::Page { title, url } => web(title, &url),
    }
}

/// The widths of columns that fill the page together.
fn widths(columns: &[appendix::Column]) -> Vec<u32> {
    let room = |column: &appendix::Column| GUTTER + u32::from(column.width);
    let together: u32 = columns.iter().map(room).sum();
    columns.iter().map(|column| TEXT_WIDTH * room(column) / together.max(1)).collect()
}

/// The score of a listed source, in a line.
fn worth(shape: Phrases, source: &Candidate) -> String {
    let total = source.credibility.total;
    let relevance = source.relevance.as_ref();
    let word = shape.word(Phrase::SourceRelevance);
    let relevance = relevance.map_or(String::new(), |r| format!(" · {word} {}/5", r.score));
    let published = dated(shape, source);
    let parts = credit::line(&source.credibility);
    let credibility = shape.word(Phrase::SourceCredibility);
    format!("{credibility} {total:.2}: {parts}{relevance} · {published}")
}

/// The parts of a source's score, as the chart of the page shows them.
fn scores(n: usize, source: &Candidate) -> Vec<appendix::Cell> {
    let score = source.credibility;
    let fixed = |value: f64| appendix::Cell::from(format!("{value:.2}"));
    let gate = source.relevance.as_ref();
    let bands = credit::parts(&score).into_iter().filter_map(|part| part.band);
    let outlet = bands.map(|band| band.words()).next().unwrap_or_default();
    vec![
        n.into(),
        title(source).into(),
        fixed(score.total),
        fixed(score.authority),
        outlet.into(),
        fixed(score.relevance),
        fixed(score.recency),
        gate.map_or_else(|| "–".to_owned(), |r| format!("{}/5", r.score)).into(),
    ]
}
