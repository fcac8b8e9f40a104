//! The findings of our own Markdown → themes and their blocks.

use crate::escape::plain;
use crate::wording::INFERRED;

use super::is_escaped;

/// A theme as the Markdown has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ParsedTheme {
    /// Its heading.
    pub heading: String,
    /// What is under it.
    pub blocks: Vec<ParsedBlock>,
}

/// A block by itself. Texts have their citations behind them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParsedBlock {
    /// A paragraph, or a quotation with who says it.
    Text(String),
    /// A list.
    List {
        /// Whether its entries are numbered.
        ordered: bool,
        /// Its entries.
        items: Vec<String>,
    },
    /// A table; the last column has the citations.
    Table {
        /// The names of its columns.
        columns: Vec<String>,
        /// Its rows.
        rows: Vec<Vec<String>>,
    },
    /// A timeline: times and what happened.
    Timeline(Vec<(String, String)>),
    /// A conclusion.
    Inference(String),
}

/// Reads the section of the findings. What is before the first heading belongs to no theme.
pub(super) fn read(section: &str) -> Vec<ParsedTheme> {
    let mut themes: Vec<ParsedTheme> = Vec::new();
    for part in section.split("\n\n").map(str::trim).filter(|part| !part.is_empty()) {
        match (part.strip_prefix("### "), themes.last_mut()) {
            (Some(heading), _) => {
                themes.push(ParsedTheme { heading: plain(heading), blocks: Vec::new() });
            }
            (None, Some(theme)) => theme.blocks.push(block(part)),
            (None, None) => {}
        }
    }
    themes
}

fn block(part: &str) -> ParsedBlock {
    if let Some(drawn) = part.strip_prefix(&format!("**{INFERRED}** ")) {
        return ParsedBlock::Inference(plain(drawn));
    }
    if part.starts_with("| ") {
        let mut rows = part.lines().map(cells);
        let columns = rows.next().unwrap_or_default();
        // The second line says how the columns are set.
        return ParsedBlock::Table { columns, rows: rows.skip(1).collect() };
    }
    let every = |read: fn(&str) -> Option<&str>| part.lines().map(read).collect::<Option<Vec<_>>>();
    let entry = |line: &str| {
        let (when, said) = line.strip_prefix("- **")?.split_once(":** ")?;
        Some((plain(when), plain(said)))
    };
    if let Some(entries) = part.lines().map(entry).collect() {
        return ParsedBlock::Timeline(entries);
    }
    let bullets = every(|line| line.strip_prefix("- "));
    let numbers = every(|line| {
        line.split_once(". ")
            .filter(|(number, _)| number.bytes().all(|b| b.is_ascii_digit()) && !number.is_empty())
            .map(|(_, said)| said)
    });
    let list = |ordered, items: Vec<&str>| ParsedBlock::List {
        ordered,
        items: items.into_iter().map(plain).collect(),
    };
    match (bullets, numbers) {
        (Some(items), _) => list(false, items),
        (None, Some(items)) => list(true, items),
        (None, None) => ParsedBlock::Text(plain(part)),
    }
}

/// The cells of a row, split at bars that are not part of a text.
fn cells(line: &str) -> Vec<String> {
    let mut cells = Vec::new();
    let mut start = 0;
    for (at, _) in line.match_indices('|').filter(|(at, _)| !is_escaped(line, *at)) {
        cells.push(plain(line.get(start..at).unwrap_or_default().trim()));
        start = at + 1;
    }
    // Nothing is before the first bar.
    cells.into_iter().skip(1).collect()
}
