//! The tables of a page, read back from the Markdown that extraction wrote.

/// The rows of every table, cell by cell; a head, where the table has one, is its first row.
///
/// ```
/// use probity_web::extract::markdown::tables;
///
/// let markdown = "Fees\n\n| Room | Fee |\n| --- | --- |\n| Hall | 900 |";
/// assert_eq!(tables(markdown), [[["Room", "Fee"], ["Hall", "900"]]]);
/// ```
#[must_use]
pub fn tables(markdown: &str) -> Vec<Vec<Vec<String>>> {
    let mut found: Vec<Vec<Vec<String>>> = Vec::new();
    let mut table: Vec<Vec<String>> = Vec::new();
    let mut fence = None;
    for line in markdown.lines() {
        let line = line.trim_start_matches("> ");
        // What looks like a row inside of code is code.
        match (fence, ["```", "~~~~"].into_iter().find(|mark| line.starts_with(mark))) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        match line.strip_prefix("| ").filter(|_| fence.is_none()) {
            Some(row) => table.push(cells(row)),
            None => found.extend(taken(&mut table)),
        }
    }
    found.extend(taken(&mut table));
    found
}

/// The rows so far as a table, without the rule and without a head that only Markdown wants.
fn taken(table: &mut Vec<Vec<String>>) -> Option<Vec<Vec<String>>> {
    let rows = std::mem::take(table);
    let mut rows = rows.into_iter();
    let (head, rule) = (rows.next()?, rows.next()?);
    if !rule.iter().all(|cell| cell == "---") {
        return None;
    }
    let head = Some(head).filter(|head| head.iter().any(|cell| !cell.is_empty()));
    Some(head.into_iter().chain(rows).collect())
}

/// The cells of a row after its first bar.
fn cells(row: &str) -> Vec<String> {
    let mut cells = Vec::new();
    let mut cell = String::new();
    let mut letters = row.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if letters.peek() == Some(&'|') => cell.extend(letters.next()),
            '|' => cells.push(std::mem::take(&mut cell).trim().to_owned()),
            letter => cell.push(letter),
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::super::super::{Input, extract};
    use super::*;

    fn of_page(html: &str) -> Vec<Vec<Vec<String>>> {
        let page = extract(Input { bytes: html.as_bytes(), content_type: None, url: None });
        tables(&page.unwrap().document.markdown)
    }

    #[test]
    fn a_table_comes_back_row_by_row_with_bars_and_empty_cells() {
        let html = "<h1>Fees</h1><p>What the rooms of the town hall cost, by the day.</p>\
            <table><tr><th>Room</th><th>Fee</th></tr><tr><td>Hall | Annex</td><td>900</td></tr>\
            <tr><td>Attic</td><td></td></tr></table>\
            <p>Prices are from this year and hold for the next one as well.</p>";
        assert_eq!(of_page(html), [[["Room", "Fee"], ["Hall | Annex", "900"], ["Attic", ""]]]);
    }

    #[test]
    fn rows_without_a_head_are_rows_and_code_is_none() {
        let markdown = "|  |  |\n| --- | --- |\n| a | b |\n\n```\n| x | y |\n| --- | --- |\n```";
        assert_eq!(tables(markdown), [[["a", "b"]]]);
        assert!(tables("| no rule | below |").is_empty());
    }
}
