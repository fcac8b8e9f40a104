//! Statements as Markdown: paragraphs, quotations, lists, tables, timelines, conclusions.

use crate::arrange::{Block, Table, arrange};
use crate::assemble::{CheckedReport, CheckedStatement};
use crate::escape::inline;
use crate::sentence::with_suffix;
use crate::wording::{CITED, DRAWN_FROM, INFERRED, attribution};

use super::{row, rule};

/// Statements under one heading.
pub(super) fn findings(report: &CheckedReport, statements: &[CheckedStatement]) -> String {
    let blocks = arrange(statements).into_iter().map(|one| block(report, &one));
    blocks.collect::<Vec<_>>().join("\n\n")
}

fn block(report: &CheckedReport, block: &Block<'_>) -> String {
    match block {
        Block::Paragraph(statements) => {
            statements.iter().map(sentence).collect::<Vec<_>>().join(" ")
        }
        Block::Quote(quote) => {
            let by = inline(&attribution(report, quote));
            format!("{by}: “{}” {}", inline(&quote.shown()), behind(quote))
        }
        Block::By(first) => format!("{}:", inline(&attribution(report, first))),
        Block::List { ordered: true, items } => {
            let numbered = items.iter().enumerate();
            lines(numbered.map(|(index, item)| format!("{}. {}", index + 1, sentence(item))))
        }
        Block::List { ordered: false, items } => {
            lines(items.iter().map(|item| format!("- {}", sentence(item))))
        }
        Block::Timeline(entries) => lines(
            entries
                .iter()
                .map(|(when, said)| format!("- **{}:** {}", inline(when), sentence(said))),
        ),
        Block::Table(said) => table(said),
        Block::Inference(drawn) => format!("**{INFERRED}** {}", sentence(drawn)),
    }
}

fn lines(lines: impl Iterator<Item = String>) -> String {
    lines.collect::<Vec<_>>().join("\n")
}

fn table(table: &Table<'_>) -> String {
    let names = table.columns.iter().map(|column| inline(column.name)).chain([CITED.to_owned()]);
    let rules = table.columns.iter().map(|column| rule(column.number)).chain([rule(false)]);
    let rows = table.rows.iter().map(|(cells, statement)| {
        row(cells.iter().map(|cell| inline(cell)).chain([behind(statement)]))
    });
    lines([row(names), row(rules)].into_iter().chain(rows))
}

/// A sentence with its citations and its mark before the final stop.
fn sentence(statement: &CheckedStatement) -> String {
    with_suffix(&inline(&statement.shown()), &behind(statement))
}

/// What is behind a statement: its citations and its mark.
fn behind(statement: &CheckedStatement) -> String {
    let mut marks: Vec<String> = statement.cites.iter().map(|n| format!("[{n}]")).collect();
    marks.extend(statement.mark().map(str::to_owned));
    let marks = marks.join(" ");
    match statement.form.is_inference() {
        true => format!("{} {marks}{}", DRAWN_FROM.0, DRAWN_FROM.1),
        false => marks,
    }
}
