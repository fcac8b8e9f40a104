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
    /// Whose list or table follows, where nothing before it says so: one of its statements.
    By(&'a CheckedStatement),
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
        _ => by_source(run),
    });
    let mut said: &[usize] = &[];
    let mut blocks = Vec::new();
    for run in divided {
        let carried_over = carried_over(run).filter(|one| !said.starts_with(&one.cites));
        blocks.extend(carried_over.map(Block::By));
        blocks.extend(block(run));
        said = run.last().map_or(&[], |last| &last.cites);
    }
    blocks
}

/// A list or a table that is one source's as a whole: its first statement.
fn carried_over(run: &[CheckedStatement]) -> Option<&CheckedStatement> {
    let first =
        run.first().filter(|first| matches!(first.form, Form::Item { .. } | Form::Row { .. }))?;
    let whole = run.len() > 1 && first.cites.len() == 1 && !first.evidence.is_empty();
    (whole && run.iter().all(|one| one.cites == first.cites)).then_some(first)
}

/// Lists of several sources in a row, each by itself. A list whose items are of different sources is one list.
fn by_source(run: &[CheckedStatement]) -> Vec<&[CheckedStatement]> {
    let parts: Vec<_> = run.chunk_by(|one, next| one.cites == next.cites).collect();
    let whole = parts.iter().all(|part| carried_over(part).is_some());
    if whole { parts } else { vec![run] }
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
        let column_cells = || rows.iter().filter_map(|(cells, _)| cells.get(index));
        let longest =
            column_cells().chain([name]).map(|cell| cell.chars().count()).max().unwrap_or(0);
        let longest = u16::try_from(longest).unwrap_or(LETTERS_MOST);
        Column {
            name,
            number: column_cells().all(|cell| cell.is_empty() || is_number(cell)),
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn statement(form: Form) -> CheckedStatement {
        CheckedStatement { form, ..CheckedStatement::said("The hall costs 900 crowns.", 1) }
    }

    fn row(columns: &[&str], cells: &[&str]) -> Form {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Form::Row { columns: owned(columns), cells: owned(cells) }
    }

    fn forms() -> impl Strategy<Value = Form> {
        prop_oneof![
            3 => Just(Form::Prose),
            1 => Just(Form::Quote),
            2 => any::<bool>().prop_map(|ordered| Form::Item { ordered }),
            1 => Just(row(&["Hall", "Price"], &["Great", "900"])),
            1 => Just(row(&["Hall", "Guests"], &["Great", "240"])),
            1 => Just(Form::Entry { when: "1901".to_owned() }),
            1 => Just(Form::Inference { from: vec![0] }),
        ]
    }

    /// The statements that a block shows.
    fn shown<'a>(block: &Block<'a>) -> Vec<&'a CheckedStatement> {
        match block {
            Block::Paragraph(all) | Block::List { items: all, .. } => all.iter().collect(),
            Block::Quote(one) | Block::Inference(one) => vec![one],
            Block::By(_) => Vec::new(),
            Block::Table(table) => table.rows.iter().map(|(_, one)| *one).collect(),
            Block::Timeline(entries) => entries.iter().map(|(_, one)| *one).collect(),
        }
    }

    #[test]
    fn a_column_of_nothing_but_numbers_is_one_of_numbers() {
        for (cells, number) in [
            (["900", "1,200.50"], true),
            (["€40", "−5 %"], true),
            (["12/03", ""], true),
            (["900 crowns", "40"], false),
            (["–", "40"], false),
            (["free", ""], false),
        ] {
            let rows = cells.map(|cell| statement(row(&["Hall", "Price"], &["Great Hall", cell])));
            let blocks = arrange(&rows);
            let [Block::By(_), Block::Table(table)] = blocks.as_slice() else {
                panic!("{cells:?}")
            };
            assert_eq!(table.columns[1].number, number, "{cells:?}");
            assert!(!table.columns[0].number);
        }
    }

    #[test]
    fn a_column_asks_for_the_room_of_its_longest_cell_within_bounds() {
        let letters = |cell: &str| {
            let rows = [statement(row(&["A", "Guests"], &["", cell]))];
            let blocks = arrange(&rows);
            let [Block::Table(table)] = blocks.as_slice() else { panic!("{cell}") };
            (table.columns[0].letters, table.columns[1].letters)
        };
        assert_eq!(letters("240"), (6, 6));
        assert_eq!(letters("two hundred"), (6, 11));
        assert_eq!(letters(&"x".repeat(70_000)), (6, 36));
    }

    #[test]
    fn a_list_says_whose_it_is_unless_the_sentence_before_it_does() {
        let said =
            |form: Form, n: usize| CheckedStatement { form, ..CheckedStatement::said("Oats.", n) };
        let item = |n| said(Form::Item { ordered: false }, n);
        let named = |statements: &[CheckedStatement]| -> Vec<usize> {
            let blocks = arrange(statements);
            let by = |block: &Block<'_>| match block {
                Block::By(first) => first.cites.first().copied(),
                _ => None,
            };
            blocks.iter().filter_map(by).collect()
        };
        assert_eq!(named(&[said(Form::Prose, 1), item(1), item(1)]), [0; 0], "its sentence does");
        assert_eq!(named(&[said(Form::Prose, 1), item(2), item(2)]), [2]);
        assert_eq!(named(&[item(1), item(1), item(2), item(2)]), [1, 2], "two lists in a row");
        assert_eq!(named(&[item(1), item(2), item(1)]), [0; 0], "a list of several sources");
        let rows =
            [row(&["Hall", "Price"], &["Great", "900"]), row(&["Hall", "Price"], &["Loft", "40"])];
        assert_eq!(named(&rows.map(|row| said(row, 3))), [3]);
    }

    proptest! {
        #[test]
        fn every_statement_is_shown_once_and_in_its_order(forms in prop::collection::vec(forms(), 0..24)) {
            let statements: Vec<CheckedStatement> = forms.into_iter().map(statement).collect();
            let blocks = arrange(&statements);
            let all: Vec<&CheckedStatement> = blocks.iter().flat_map(shown).collect();
            prop_assert_eq!(all.len(), statements.len());
            prop_assert!(all.iter().zip(&statements).all(|(one, other)| std::ptr::eq(*one, other)));
        }

        #[test]
        fn a_block_holds_one_form_and_its_neighbour_another(forms in prop::collection::vec(forms(), 0..24)) {
            let statements: Vec<CheckedStatement> = forms.into_iter().map(statement).collect();
            let mut blocks = arrange(&statements);
            blocks.retain(|block| !matches!(block, Block::By(_)));
            for pair in blocks.windows(2) {
                let (last, first) = (shown(&pair[0]), shown(&pair[1]));
                let joins = together(&last[last.len() - 1].form, &first[0].form);
                // Only prose is divided although it belongs together.
                prop_assert!(!joins || first[0].form.is_prose());
            }
            for block in &blocks {
                let all = shown(block);
                prop_assert!(all.windows(2).all(|two| together(&two[0].form, &two[1].form)));
            }
        }
    }
}
