//! The form an analyst asks for → the form a statement can have.
//!
//! A form that shows more than the checked text says would go round the check, so it is taken away: what
//! is no quotation, no row or no entry is a sentence like any other.

use std::collections::{BTreeMap, BTreeSet};

use probity_core::{SourceId, printable};

use crate::assemble::SourceText;
use crate::draft::{Form, Statement};
use crate::sentence::without_citations;

/// A table has at least two columns, or it is a list.
const COLUMNS: std::ops::RangeInclusive<usize> = 2..=10;
/// The longest time of an entry and the longest name of a column, in characters.
const LABEL_CHARS: usize = 60;

/// The texts that quotations are looked up in.
pub(crate) struct Forms<'a> {
    texts: BTreeMap<SourceId, &'a SourceText>,
    /// The sources whose words are only reported with their author.
    attributed: BTreeSet<SourceId>,
}

impl<'a> Forms<'a> {
    pub(crate) fn new(
        texts: BTreeMap<SourceId, &'a SourceText>,
        attributed: impl Iterator<Item = SourceId>,
    ) -> Self {
        Self { texts, attributed: attributed.collect() }
    }

    /// The statement with a clean text and a form that shows nothing else than that text.
    pub(crate) fn settle(&self, statement: Statement) -> Statement {
        let Statement { text, mut cites, form } = statement;
        let mut text = without_citations(&text);
        let form = match form {
            // The words of a company or of state media are not the report's own.
            Form::Prose if self.is_attributed(&cites) => Form::Quote,
            form => form,
        };
        let form = match form {
            Form::Quote => {
                let bare = without_marks(&text);
                let holders: Vec<SourceId> =
                    cites.iter().copied().filter(|id| self.quotes(*id, bare)).collect();
                if holders.is_empty() {
                    Form::Prose
                } else {
                    text = bare.to_owned();
                    cites = holders;
                    Form::Quote
                }
            }
            Form::Row { columns, cells } => Form::Row {
                columns: columns.iter().map(|name| label(name)).collect(),
                cells: cells.iter().map(|cell| without_citations(cell)).collect(),
            },
            Form::Entry { when } => {
                let when = label(when.trim_end_matches([':', ' ']));
                // What the text leaves out of the time is checked with it.
                if !when.is_empty() && !text.is_empty() && !holds(&text, &when) {
                    text = format!("{when}: {text}");
                }
                Form::Entry { when }
            }
            form @ (Form::Prose | Form::Item { .. } | Form::Inference { .. }) => form,
        };
        let form = if fits(&form, &text) { form } else { Form::Prose };
        Statement { text, cites, form }
    }

    fn is_attributed(&self, cites: &[SourceId]) -> bool {
        !cites.is_empty() && cites.iter().all(|id| self.attributed.contains(id))
    }

    fn quotes(&self, id: SourceId, quoted: &str) -> bool {
        self.texts.get(&id).is_some_and(|text| holds(text.line(), quoted))
    }
}

/// Whether a form shows nothing that its text does not say.
pub(crate) fn fits(form: &Form, text: &str) -> bool {
    match form {
        Form::Row { columns, cells } => {
            COLUMNS.contains(&columns.len())
                && columns.len() == cells.len()
                && cells.iter().any(|cell| !cell.is_empty())
                && cells.iter().all(|cell| cell.is_empty() || holds(text, cell))
        }
        Form::Entry { when } => holds(text, when),
        Form::Prose | Form::Quote | Form::Item { .. } | Form::Inference { .. } => true,
    }
}

/// Whether a text has a part, and not as a piece of a longer word or number.
fn holds(text: &str, part: &str) -> bool {
    let whole = |at: usize| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + part.len()..).unwrap_or_default();
        !runs_on(part.chars().next(), before.chars().rev())
            && !runs_on(part.chars().next_back(), after.chars())
            && !is_signed(part, before)
    };
    !part.is_empty() && text.match_indices(part).any(|(at, _)| whole(at))
}

/// Whether what is outside continues with the letter at the edge: a word with its letters, a number
/// also across a point or comma.
fn runs_on(edge: Option<char>, mut outside: impl Iterator<Item = char>) -> bool {
    let Some(edge) = edge.filter(|edge| edge.is_alphanumeric()) else { return false };
    match outside.next() {
        Some(next) if next.is_alphanumeric() => true,
        Some('.' | ',' | '\'' | '’') if edge.is_numeric() => {
            outside.next().is_some_and(char::is_numeric)
        }
        _ => false,
    }
}

/// Whether a number has lost its sign. A dash behind a letter or digit is none.
fn is_signed(part: &str, before: &str) -> bool {
    let mut before = before.chars().rev();
    part.starts_with(char::is_numeric)
        && matches!(before.next(), Some('-' | '−' | '+'))
        && !before.next().is_some_and(char::is_alphanumeric)
}

fn label(text: &str) -> String {
    printable::brief(&without_citations(text), LABEL_CHARS)
}

pub(crate) fn one_line(text: &str) -> String {
    printable::line(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A quotation without the marks around it, which are written by us.
fn without_marks(text: &str) -> &str {
    let pairs = [('“', '”'), ('"', '"'), ('«', '»'), ('„', '“')];
    let inside = |(open, close): (char, char)| text.strip_prefix(open)?.strip_suffix(close);
    pairs.into_iter().find_map(inside).unwrap_or(text).trim()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEXT: &str =
        "The Great Hall costs 900 crowns on a Saturday.\nWe never\nlet it on Mondays.";

    fn settled(text: &str, form: Form) -> Statement {
        let (one, other) = (SourceText::from(TEXT), SourceText::from("Nothing."));
        let texts = BTreeMap::from([(SourceId(1), &one), (SourceId(2), &other)]);
        let forms = Forms::new(texts, std::iter::empty());
        let cites = vec![SourceId(2), SourceId(1), SourceId(7)];
        forms.settle(Statement { text: text.to_owned(), cites, form })
    }

    fn row(cells: [&str; 2]) -> Form {
        Form::Row {
            columns: vec!["Hall".to_owned(), "Price".to_owned()],
            cells: cells.map(str::to_owned).to_vec(),
        }
    }

    #[test]
    fn a_quotation_is_verbatim_and_cites_who_says_it() {
        let quote = settled("“We never let it on Mondays.”", Form::Quote);
        assert_eq!(quote.form, Form::Quote);
        assert_eq!(quote.text, "We never let it on Mondays.");
        assert_eq!(quote.cites, [SourceId(1)]);
        for other in ["We never let it on Sundays.", "e never let it", "We never le", "“”"] {
            let prose = settled(other, Form::Quote);
            assert_eq!((prose.form, prose.cites.len()), (Form::Prose, 3), "{other}");
        }
    }

    #[test]
    fn the_words_of_whoever_speaks_for_himself_are_quoted() {
        let both = SourceText::from(TEXT);
        let texts = BTreeMap::from([(SourceId(1), &both), (SourceId(2), &both)]);
        let forms = Forms::new(texts, [SourceId(1)].into_iter());
        let form = |text: &str, cites: &[u32]| {
            let cites = cites.iter().map(|id| SourceId(*id)).collect();
            forms.settle(Statement { text: text.to_owned(), cites, form: Form::Prose }).form
        };
        let said = "We never let it on Mondays.";
        assert_eq!(form(said, &[1]), Form::Quote);
        assert_eq!(form(said, &[1, 2]), Form::Prose, "others say so too");
        assert_eq!(form("It is never let on Mondays.", &[1]), Form::Prose, "not its words");
    }

    #[test]
    fn a_row_shows_no_cell_that_its_words_do_not_have() {
        let words = "Hall: Great Hall · Price: 900 crowns";
        let kept = settled(words, row(["Great Hall", "900 crowns"]));
        assert_eq!(kept.form, row(["Great Hall", "900 crowns"]));
        for cells in [["Great Hall", "90"], ["Great Hall", "950 crowns"], ["", ""]] {
            assert_eq!(settled(words, row(cells)).form, Form::Prose, "{cells:?}");
        }
        let long = "Hall: Great Hall · Price: 1,900 crowns · Heat: −5 degrees · Share: 3.5";
        for price in ["900 crowns", "1,9", "5 degrees", "3", "5"] {
            assert_eq!(settled(long, row(["Great Hall", price])).form, Form::Prose, "{price}");
        }
        let uneven = Form::Row { columns: vec!["Hall".to_owned()], cells: vec![] };
        assert_eq!(settled(words, uneven).form, Form::Prose);
    }

    #[test]
    fn a_part_of_a_longer_word_or_number_is_not_held() {
        for (text, part) in [
            ("It costs 900 crowns.", "900 crowns"),
            ("It costs 900.", "900"),
            ("The 3–5 range", "5"),
            ("(Hall)", "Hall"),
            ("Größe 5", "Größe"),
        ] {
            assert!(holds(text, part), "{part} in {text}");
        }
        for (text, part) in [
            ("It costs 1,900 crowns.", "900 crowns"),
            ("It costs 900.50 crowns.", "900"),
            ("It is −5 degrees.", "5 degrees"),
            ("Halls", "Hall"),
            ("Großhall", "hall"),
            ("Hall", ""),
        ] {
            assert!(!holds(text, part), "{part} in {text}");
        }
    }

    proptest! {
        #[test]
        fn what_was_settled_shows_nothing_else_and_settles_no_further(
            text in "[ -~é]{0,40}",
            form in prop_oneof![
                Just(Form::Prose),
                Just(Form::Quote),
                Just(Form::Item { ordered: true }),
                "[ -~]{0,12}".prop_map(|when| Form::Entry { when }),
                ("[ -~]{0,8}", "[ -~]{0,8}").prop_map(|(a, b)| row([&a, &b])),
            ],
        ) {
            let once = settled(&text, form);
            prop_assert!(fits(&once.form, &once.text), "{:?}", once);
            let twice = settled(&once.text, once.form.clone());
            prop_assert_eq!((&twice.text, &twice.form), (&once.text, &once.form));
        }
    }

    #[test]
    fn the_time_of_an_entry_is_part_of_what_is_checked() {
        let entry = |when: &str| Form::Entry { when: when.to_owned() };
        assert_eq!(
            settled("The hall burned.", entry("May 1901")).text,
            "May 1901: The hall burned."
        );
        assert_eq!(
            settled("In May 1901 it burned.", entry("May 1901:")).text,
            "In May 1901 it burned."
        );
        assert_eq!(settled("It burned.", entry(" ")).form, Form::Prose);
    }
}
