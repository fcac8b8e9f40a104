//! Blocks → paragraphs, lists and tables, each statement with the footnote that shows its evidence.

use probity_core::printable;

use super::block::{Block as Placed, Column, List, Paragraph, Row, Span, Table, To};
use super::block::{citation, plain, styled};
use super::compose::{Document, TEXT_WIDTH, WHOLE_ROW_BYTES};
use crate::arrange::{self, Block, arrange};
use crate::assemble::{CheckedReport, CheckedStatement};
use crate::escape::one_line;
use crate::sentence::split_stop;
use crate::wording::{CITED, DRAWN_FROM, INFERRED, attribution};

/// How much of a passage a footnote quotes, in characters.
const PASSAGE_CHARS: usize = 400;
/// How much room the citations of a table ask for, in letters.
const CITED_LETTERS: u16 = 12;

impl Document {
    /// Statements under one heading.
    pub(super) fn findings(&mut self, report: &CheckedReport, statements: &[CheckedStatement]) {
        for block in arrange(statements) {
            self.finding(report, block);
        }
    }

    fn finding(&mut self, report: &CheckedReport, block: Block<'_>) {
        match block {
            Block::Paragraph(statements) => {
                let mut spans = Vec::new();
                for (index, statement) in statements.iter().enumerate() {
                    spans.extend((index > 0).then(|| plain(" ")));
                    spans.extend(self.sentence(statement));
                }
                self.text("Normal", spans);
            }
            Block::Quote(quote) => {
                let by = one_line(&attribution(report, quote));
                let mut spans = vec![styled("Attribution", format!("{by}: "))];
                spans.push(plain(format!("“{}”", one_line(&quote.shown()))));
                spans.extend(behind(quote));
                spans.extend(self.note(quote));
                self.text("Quote", spans);
            }
            Block::By(first) => {
                let by = one_line(&attribution(report, first));
                self.text("Normal", vec![styled("Attribution", format!("{by}:"))]);
            }
            Block::List { ordered, items } => {
                self.steps += usize::from(ordered);
                let list = if ordered { List::Steps(self.steps) } else { List::Bullets };
                for item in items {
                    let spans = self.sentence(item);
                    self.item(list, spans);
                }
            }
            Block::Timeline(entries) => {
                for (when, statement) in entries {
                    let mut spans = vec![styled("Strong", format!("{}: ", one_line(when)))];
                    spans.extend(self.sentence(statement));
                    self.item(List::Bullets, spans);
                }
            }
            Block::Table(table) => self.finding_table(&table),
            Block::Inference(drawn) => {
                let mut spans = vec![styled("Strong", format!("{INFERRED} "))];
                spans.extend(self.sentence(drawn));
                self.text("Normal", spans);
            }
        }
    }

    fn finding_table(&mut self, table: &arrange::Table<'_>) {
        let cited = arrange::Column { name: CITED, number: false, letters: CITED_LETTERS };
        let columns: Vec<&arrange::Column<'_>> = table.columns.iter().chain([&cited]).collect();
        let letters: u32 = columns.iter().map(|column| u32::from(column.letters)).sum();
        let width =
            |column: &arrange::Column<'_>| TEXT_WIDTH * u32::from(column.letters) / letters.max(1);
        let mut head = Vec::new();
        for column in &columns {
            let name = self.paragraph("FindingHead", vec![plain(one_line(column.name))]);
            let name = Paragraph { end: column.number, ..name };
            head.push(Column { width: width(column), name });
        }
        let mut rows = Vec::new();
        for (cells, statement) in &table.rows {
            let mut set = Vec::new();
            for (column, cell) in table.columns.iter().zip(*cells) {
                let cell = self.paragraph("FindingText", vec![plain(one_line(cell))]);
                set.push((width(column), Paragraph { end: column.number, ..cell }));
            }
            let mut spans = behind(statement);
            // The column is narrow, so that lines may end at any of them.
            spans.iter_mut().for_each(|span| span.text = span.text.replace('\u{a0}', " "));
            if let Some(first) = spans.first_mut() {
                first.text = first.text.trim_start().to_owned();
            }
            spans.extend(self.note(statement));
            set.push((width(&cited), self.paragraph("FindingText", spans)));
            let whole = statement.text.len() <= WHOLE_ROW_BYTES;
            rows.push(Row { whole, cells: set });
        }
        let width = head.iter().map(|column| column.width).sum();
        self.blocks.push(Placed::Table(Table {
            style: "FindingTable",
            width,
            columns: head,
            rows,
        }));
        // Without it two tables would be one, and the text would stand close below.
        self.text("AfterTable", Vec::new());
    }

    /// A sentence with its citations and its mark before the final stop, and its footnote.
    fn sentence(&mut self, statement: &CheckedStatement) -> Vec<Span> {
        let text = one_line(&statement.shown());
        let (stem, stop) = split_stop(&text);
        let mut spans = vec![plain(stem)];
        spans.extend(behind(statement));
        spans.push(plain(stop));
        spans.extend(self.note(statement));
        spans
    }

    /// The footnote that shows what a statement rests on, and its mark.
    fn note(&mut self, statement: &CheckedStatement) -> Option<Span> {
        let mut spans = Vec::new();
        for evidence in &statement.evidence {
            spans.extend([plain(" "), citation(evidence.n)]);
            let page = evidence.page.map(|page| format!(" on page {page}")).unwrap_or_default();
            let mut said = format!(" {}{page}", statement.bearing(evidence));
            if let Some(passage) = &evidence.passage {
                let passage = one_line(passage);
                said.push_str(&match passage == one_line(&statement.text) {
                    true => " in these words".to_owned(),
                    false => format!(": “{}”", printable::brief(&passage, PASSAGE_CHARS)),
                });
            }
            said.push(';');
            spans.push(plain(said));
        }
        let reasons = statement.reasons.iter().map(|reason| one_line(reason));
        spans.extend(reasons.map(|reason| plain(format!(" {reason};"))));
        if let Some(last) = spans.last_mut() {
            last.text.pop();
        }
        if spans.is_empty() {
            return None;
        }
        let note = self.paragraph("FootnoteText", spans);
        self.notes.push(note);
        Some(Span { to: To::Note(self.notes.len()), ..plain("") })
    }
}

/// What is behind a statement: its citations and its mark.
fn behind(statement: &CheckedStatement) -> Vec<Span> {
    let mut spans = Vec::new();
    for n in &statement.cites {
        spans.extend([plain("\u{a0}"), citation(*n)]);
    }
    if statement.form.is_inference() {
        spans.insert(0, plain(format!(" {}", DRAWN_FROM.0)));
        spans.push(plain(DRAWN_FROM.1));
    }
    if let Some(mark) = statement.mark() {
        spans.extend([plain("\u{a0}"), styled("Unverified", mark)]);
    }
    spans
}
