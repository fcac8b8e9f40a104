//! Statements in a row → the paragraphs, lists, tables and timelines that every format shows.

mod paragraph;

use crate::assemble::CheckedStatement;
use crate::draft::Form;
use paragraph::paragraphs;

/// A column asks for room for this many letters; longer cells are broken into lines.
const LETTERS_LEAST: u16 = 6;
const LETTERS_MOST: u16 = 36;

/// Neighbouring statements that are shown as one thing.
pub(crate) enum Block<'a> {
    /// Sentences of a paragraph.
    Paragraph(&'a [CheckedStatement]),
    /// A source's own words.
    Quote(&'a CheckedStatement),
    List {
        ordered: bool,
        items: &'a [CheckedStatement],
    },
    Table(Table<'a>),
    /// Entries with their times.
    Timeline(Vec<(&'a str, &'a CheckedStatement)>),
    /// A conclusion.
    Inference(&'a CheckedStatement),
}

/// Rows with the same columns.
pub(crate) struct Table<'a> {
    pub(crate) columns: Vec<Column<'a>>,
    /// The cells of each row, and the statement that they are.
    pub(crate) rows: Vec<(&'a [String], &'a CheckedStatement)>,
}

/// A column of a table.
pub(crate) struct Column<'a> {
    pub(crate) name: &'a str,
    /// Whether it holds nothing but numbers.
    pub(crate) number: bool,
    /// How much room it asks for, in letters.
    pub(crate) letters: u16,
}

/// Groups statements by their forms, in their order.
pub(crate) fn arrange(statements: &[CheckedStatement]) -> Vec<Block<'_>> {
    let runs = statements.chunk_by(|one, next| together(&one.form, &next.form));
    let divided = runs.flat_map(|run| match run.first() {
        Some(first) if first.form.is_prose() => paragraphs(run),
        _ => vec![run],
    });
    divided.filter_map(block).collect()
}

fn together(one: &Form, next: &Form) -> bool {
    match (one, next) {
        (Form::Prose, Form::Prose) | (Form::Entry { .. }, Form::Entry { .. }) => true,
        (Form::Item { ordered }, Form::Item { ordered: next }) => ordered == next,
        (Form::Row { columns, .. }, Form::Row { columns: next, .. }) => columns == next,
        _ => false,
    }
}

fn block(statements: &[CheckedStatement]) -> Option<Block<'_>> {
    let first = statements.first()?;
    Some(match &first.form {
        Form::Prose => Block::Paragraph(statements),
        Form::Quote => Block::Quote(first),
        Form::Item { ordered } => Block::List { ordered: *ordered, items: statements },
        Form::Row { columns, .. } => Block::Table(table(columns, statements)),
        Form::Entry { .. } => Block::Timeline(statements.iter().filter_map(entry).collect()),
        Form::Inference { .. } => Block::Inference(first),
    })
}

fn entry(statement: &CheckedStatement) -> Option<(&str, &CheckedStatement)> {
    match &statement.form {
        Form::Entry { when } => Some((when, statement)),
        _ => None,
    }
}

fn table<'a>(names: &'a [String], statements: &'a [CheckedStatement]) -> Table<'a> {
    let cells = |statement: &'a CheckedStatement| match &statement.form {
        Form::Row { cells, .. } => Some((cells.as_slice(), statement)),
        _ => None,
    };
    let rows: Vec<(&[String], &CheckedStatement)> = statements.iter().filter_map(cells).collect();
    let column = |(index, name): (usize, &'a String)| {
        let told = || rows.iter().filter_map(|(cells, _)| cells.get(index));
        let longest = told().chain([name]).map(|cell| cell.chars().count()).max().unwrap_or(0);
        let longest = u16::try_from(longest).unwrap_or(LETTERS_MOST);
        Column {
            name,
            number: told().all(|cell| cell.is_empty() || is_number(cell)),
            letters: longest.clamp(LETTERS_LEAST, LETTERS_MOST),
        }
    };
    let columns = names.iter().enumerate().map(column).collect();
    Table { columns, rows }
}

/// Whether a cell is a number, perhaps an amount of money or a share, and nothing else.
fn is_number(cell: &str) -> bool {
    let part = |c: char| c.is_ascii_digit() || c.is_whitespace() || ".,%+-−–/€£$¥".contains(c);
    cell.chars().any(|c| c.is_ascii_digit()) && cell.chars().all(part)
}
