//! Blocks → rows: paragraphs, quotations, lists, tables, timelines, conclusions.

use super::compose::{
    BODY, Role, Row, SMALL, Span, TEXT_WIDTH, Target, bold, column, link, plain, row, set_row, soft,
};
use super::fonts::Color;
use crate::arrange::{Block, Table, arrange};
use crate::assemble::{CheckedReport, CheckedStatement};
use crate::escape::one_line;
use crate::sentence::split_stop;
use crate::wording::{CITED, DRAWN_FROM, INFERRED, attribution};

/// Where quotations and the texts of lists begin, in points.
const INDENT: f32 = 16.0;
/// Where the texts of timelines begin.
const WHEN_WIDTH: f32 = 96.0;
const WHEN_GAP: f32 = 10.0;
/// The column of a table that has the citations.
const CITED_WIDTH: f32 = 62.0;
/// The gap between columns.
const GUTTER: f32 = 14.0;

/// Statements under one heading, the first so far below it.
pub(super) fn findings(
    rows: &mut Vec<Row>,
    report: &CheckedReport,
    statements: &[CheckedStatement],
    before: f32,
) {
    let mut room = before;
    for block in arrange(statements) {
        // What follows a table does not cling to its last rule.
        let next = if matches!(block, Block::Table(_)) { 10.0 } else { 6.0 };
        place(rows, report, block, room);
        room = next;
    }
}

fn place(rows: &mut Vec<Row>, report: &CheckedReport, block: Block<'_>, before: f32) {
    match block {
        Block::Paragraph(statements) => {
            rows.push(row(BODY, before, statements.iter().flat_map(sentence).collect()));
        }
        Block::Quote(quote) => {
            let mut spans = vec![soft(format!("{}: ", one_line(&attribution(report, quote))))];
            spans.push(plain(format!("“{}”", one_line(&quote.shown()))));
            spans.extend(behind(quote));
            let cell = column(INDENT, TEXT_WIDTH - INDENT, BODY, false, spans);
            rows.push(Row {
                role: Role::Quote,
                cells: vec![cell],
                ..row(BODY, before, Vec::new())
            });
        }
        Block::By(first) => {
            let by = vec![soft(format!("{}:", one_line(&attribution(report, first))))];
            rows.push(Row { keep: true, ..row(BODY, before, by) });
        }
        Block::List { ordered, items } => {
            for (index, item) in items.iter().enumerate() {
                let (role, label) = match ordered {
                    true => (Role::Step, format!("{}.", index + 1)),
                    false => (Role::Item, "•".to_owned()),
                };
                let label = column(0.0, INDENT, BODY, false, vec![plain(label)]);
                let text = column(INDENT, TEXT_WIDTH - INDENT, BODY, false, sentence(item));
                rows.push(listed(role, vec![label, text], index, before));
            }
        }
        Block::Timeline(entries) => {
            for (index, (when, said)) in entries.into_iter().enumerate() {
                let x = WHEN_WIDTH + WHEN_GAP;
                let when = column(0.0, WHEN_WIDTH, BODY, false, vec![bold(one_line(when))]);
                let said = column(x, TEXT_WIDTH - x, BODY, false, sentence(said));
                rows.push(listed(Role::Entry, vec![when, said], index, before));
            }
        }
        Block::Table(found) => table(rows, &found, before),
        Block::Inference(drawn) => {
            let mut spans = vec![bold(format!("{INFERRED} "))];
            spans.extend(sentence(drawn));
            rows.push(row(BODY, before, spans));
        }
    }
}

/// An entry of a list; its entries stand close together.
fn listed(role: Role, cells: Vec<super::compose::Cell>, index: usize, before: f32) -> Row {
    let before = if index == 0 { before } else { 2.0 };
    Row { role, cells, ..row(BODY, before, Vec::new()) }
}

fn table(rows: &mut Vec<Row>, table: &Table<'_>, before: f32) {
    let columns = &table.columns;
    let letters: f32 = columns.iter().map(|column| f32::from(column.letters)).sum();
    let room = TEXT_WIDTH - CITED_WIDTH - GUTTER * columns.len() as f32;
    let widths = columns
        .iter()
        .map(|column| (room * f32::from(column.letters) / letters.max(1.0), column.number));
    let widths: Vec<(f32, bool)> = widths.chain([(CITED_WIDTH, false)]).collect();
    let names = columns.iter().map(|column| column.name).chain([CITED]);
    let names = names.map(|name| vec![soft(one_line(name))]).collect();
    let head = set_row(&widths, GUTTER, SMALL, names);
    rows.push(Row { role: Role::Head, keep: true, before: before + 2.0, ..head });
    for (cells, statement) in &table.rows {
        let cells = cells.iter().map(|cell| vec![plain(one_line(cell))]);
        rows.push(set_row(&widths, GUTTER, SMALL, cells.chain([cited(statement)]).collect()));
    }
}

/// A sentence with its citations and its mark before the final stop.
fn sentence(statement: &CheckedStatement) -> Vec<Span> {
    let text = one_line(&statement.shown());
    let (stem, stop) = split_stop(&text);
    let mut spans = vec![plain(stem)];
    spans.extend(behind(statement));
    spans.push(plain(format!("{stop} ")));
    spans
}

/// What is behind a statement, in a cell of its own.
fn cited(statement: &CheckedStatement) -> Vec<Span> {
    let mut spans = behind(statement);
    // The column is narrow, so that lines may end at any of them.
    spans.iter_mut().for_each(|span| span.text = span.text.replace('\u{a0}', " "));
    if let Some(first) = spans.first_mut() {
        first.text = first.text.trim_start().to_owned();
    }
    spans.retain(|span| !span.text.is_empty());
    spans
}

/// What is behind a statement: its citations and its mark.
fn behind(statement: &CheckedStatement) -> Vec<Span> {
    let mut spans = Vec::new();
    for n in &statement.cites {
        spans.push(plain("\u{a0}"));
        spans.push(link(format!("[{n}]"), Target::Source(*n)));
    }
    if statement.form.is_inference() {
        spans.insert(0, plain(format!(" {}", DRAWN_FROM.0)));
        spans.push(plain(DRAWN_FROM.1));
    }
    if let Some(mark) = statement.mark() {
        spans.push(Span { color: Color::Warning, ..plain(format!("\u{a0}{mark}")) });
    }
    spans
}
