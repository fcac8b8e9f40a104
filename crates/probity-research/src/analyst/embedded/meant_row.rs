//! A table that leads → the row that the question means.
//!
//! Rows of a table look alike to a reader of sentences, but which one is meant is a matter of words: the one whose cells
//! have most of what the question names. What is left of the row is the answer.

use std::collections::HashSet;
use std::ops::Range;

use probity_text::Language;
use probity_text::table_row::row;
use probity_text::words::Stemmer;

use super::answer::Choice;
use super::lines::lines_around;
use super::question::Part;
use super::retrieve::Library;

/// The least share of the question's words that the row has, with the heads of its columns and what it stands under.
/// Fewer may be those of any text on the subject.
const COVERED: f64 = 0.5;
/// How many rows of a table above and below the one that was found are looked at.
const ROWS: usize = 2_000;

/// The row that a part of a question means, where its best answer is a row and one has more of its words than others.
pub(super) fn meant_row(part: &Part, best: &Choice, library: &Library<'_>) -> Option<Choice> {
    let (columns, _) = row(library.slice(best.source, &best.sentence).trim_end())?;
    let stemmer = Stemmer::new(Language::detect(&part.text));
    let asked: HashSet<String> = stemmer.content_stems(&part.text).into_iter().collect();
    let named = |cell: &String| {
        stemmer.content_stems(cell).into_iter().filter(|stem| asked.contains(stem)).count()
    };
    let text = library.source(best.source)?.text;
    let cells = |line: &str| row(line).filter(|(own, _)| *own == columns).map(|(_, cells)| cells);
    let rows = lines_around(text, best.sentence.start, ROWS, ROWS, cells);
    let all_named = |(_, cells): &(_, Vec<String>)| cells.iter().map(named).sum::<usize>();
    let most = rows.iter().map(all_named).max().filter(|most| *most > 0)?;
    let mut leading = rows.iter().filter(|row| all_named(row) == most);
    let (Some((line, cells)), None) = (leading.next(), leading.next()) else { return None };
    let heading = best.heading.as_ref().map_or("", |line| library.slice(best.source, line));
    let around = [heading, library.source(best.source)?.title];
    let all = cells.iter().chain(&columns).map(String::as_str).chain(around);
    let known: HashSet<String> = all.flat_map(|text| stemmer.content_stems(text)).collect();
    let covered = asked.iter().filter(|stem| known.contains(*stem)).count();
    if (covered as f64) < COVERED * asked.len() as f64 {
        return None;
    }
    let span = answer(line, cells, text, &columns, named);
    Some(Choice { sentence: line.clone(), span, ..best.clone() })
}

/// The one cell in which nothing stands that the question names; the whole row where there are several.
fn answer(
    meant: &Range<usize>,
    cells: &[String],
    text: &str,
    columns: &[String],
    named: impl Fn(&String) -> usize,
) -> Range<usize> {
    let line = text.get(meant.clone()).unwrap_or_default();
    let mut other = cells.iter().zip(columns).filter(|(cell, _)| named(cell) == 0);
    match (other.next(), other.next()) {
        (Some((cell, column)), None) => {
            let head = format!("{column}: {cell}");
            let whole = line.rfind(&head).map(|at| at + head.len() - cell.len());
            let start = whole.or_else(|| line.rfind(cell.as_str())).unwrap_or(0);
            meant.start + start..meant.start + start + cell.len()
        }
        _ => meant.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::question::Asked;
    use super::*;
    use crate::analyst::SourceView;

    const TABLE: &str = "Fees\nRoom: Great Hall · Day: Saturday · Fee: 900 crowns\nRoom: Great Hall · Day: Sunday · \
                         Fee: 650 crowns\nRoom: Loft · Day: Sunday · Fee: 40 crowns\nAll with light.";

    /// The row and the answer in it, where the reader has found the first row.
    fn meant(question: &str) -> Option<(String, String)> {
        let sources = [SourceView::of_text("Rooms", TABLE)];
        let library = Library::new(&sources);
        let start = TABLE.find("Room").unwrap();
        let line = start..start + TABLE.get(start..).unwrap().find('\n').unwrap();
        let best = Choice {
            source: 0,
            sentence: line.clone(),
            span: line.clone(),
            passage: 0..TABLE.len(),
            heading: None,
            score: 1.0,
            answerable: 1.0,
            plain: 1.0,
            likely: -1.0,
        };
        let asked = Asked::new(question);
        let choice = meant_row(&asked.parts[0], &best, &library)?;
        let text = |range: &Range<usize>| TABLE.get(range.clone()).unwrap().to_owned();
        Some((text(&choice.sentence), text(&choice.span)))
    }

    #[test]
    fn the_row_with_most_of_the_question_s_words_is_meant_and_the_rest_of_it_answers() {
        let sunday = "Room: Great Hall · Day: Sunday · Fee: 650 crowns".to_owned();
        let asked = meant("What is the fee for the Great Hall on a Sunday?");
        assert_eq!(asked, Some((sunday, "650 crowns".to_owned())));
        let loft = "Room: Loft · Day: Sunday · Fee: 40 crowns".to_owned();
        assert_eq!(meant("What does the loft cost?"), Some((loft.clone(), loft)));
    }

    #[test]
    fn none_is_meant_where_several_are_or_none_is_named() {
        assert_eq!(meant("What does the Great Hall cost?"), None);
        assert_eq!(meant("What does the cellar cost?"), None);
        assert_eq!(meant("Who painted the ceiling above the stairs of the loft?"), None);
    }
}
