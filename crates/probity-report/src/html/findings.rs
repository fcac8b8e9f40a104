//! Blocks as the page shows them: paragraphs, quotations, lists, tables, timelines, conclusions.

use crate::arrange::{Block, Table, arrange};
use crate::assemble::{CheckedReport, CheckedStatement};
use crate::escape::one_line;
use crate::wording::attribution;

use super::source::SourceView;
use super::statement::{Numbering, StatementView};

/// A block by itself.
pub(crate) enum BlockView {
    Paragraph(Vec<StatementView>),
    Quote {
        by: String,
        said: StatementView,
    },
    /// Whose list or table follows.
    By(String),
    List {
        ordered: bool,
        items: Vec<StatementView>,
    },
    Table(TableView),
    Timeline(Vec<(String, StatementView)>),
    Inference(StatementView),
}

/// A table of findings.
pub(crate) struct TableView {
    /// The names of its columns, and whether each holds numbers.
    pub(crate) columns: Vec<(String, bool)>,
    pub(crate) rows: Vec<RowView>,
}

/// A row: its cells, each with whether it is a number, and what is behind it.
pub(crate) struct RowView {
    pub(crate) cells: Vec<(String, bool)>,
    pub(crate) behind: StatementView,
}

/// Makes views, and gives every citation of the page an id of its own.
pub(crate) struct Viewer<'a> {
    pub(crate) report: &'a CheckedReport,
    pub(crate) sources: &'a [SourceView],
    pub(crate) numbering: Numbering,
}

impl Viewer<'_> {
    /// The blocks of statements under one heading.
    pub(crate) fn blocks(&mut self, statements: &[CheckedStatement]) -> Vec<BlockView> {
        arrange(statements).into_iter().map(|block| self.block(block)).collect()
    }

    fn block(&mut self, block: Block<'_>) -> BlockView {
        match block {
            Block::Paragraph(said) => BlockView::Paragraph(self.all(said)),
            Block::Quote(quote) => BlockView::Quote {
                by: one_line(&attribution(self.report, quote)),
                said: self.one(quote),
            },
            Block::By(first) => BlockView::By(one_line(&attribution(self.report, first))),
            Block::List { ordered, items } => BlockView::List { ordered, items: self.all(items) },
            Block::Table(table) => BlockView::Table(self.table(table)),
            Block::Timeline(entries) => {
                let said = entries.into_iter().map(|(when, said)| (one_line(when), self.one(said)));
                BlockView::Timeline(said.collect())
            }
            Block::Inference(drawn) => BlockView::Inference(self.one(drawn)),
        }
    }

    fn table(&mut self, table: Table<'_>) -> TableView {
        let Table { columns, rows } = table;
        let row = |(cells, statement): (&[String], &CheckedStatement)| RowView {
            cells: columns.iter().zip(cells).map(|(c, cell)| (one_line(cell), c.number)).collect(),
            behind: self.one(statement),
        };
        let rows = rows.into_iter().map(row).collect();
        TableView { columns: columns.iter().map(|c| (one_line(c.name), c.number)).collect(), rows }
    }

    fn all(&mut self, statements: &[CheckedStatement]) -> Vec<StatementView> {
        statements.iter().map(|statement| self.one(statement)).collect()
    }

    fn one(&mut self, statement: &CheckedStatement) -> StatementView {
        StatementView::new(statement, self.sources, &mut self.numbering)
    }
}
