//! A sentence that stands in a list of its source, or introduces one → the list, as it can be carried over.

use std::ops::Range;

use probity_core::List;
use probity_model::untrusted::quarantine;
use probity_report::draft::{Form, Statement};
use probity_text::sentences::sentences;

use super::super::SourceView;
use super::sentence::{speaks, without_link};

/// How many items a list has that is carried over.
const ITEMS: std::ops::RangeInclusive<usize> = 2..=20;
/// The longest item of such a list, in words.
const ITEM_WORDS: usize = 40;

/// The longest name of an item, in words.
const NAME_WORDS: usize = 4;

/// A list that belongs to a sentence: its entries with their places.
pub(super) struct Carried {
    /// Whether the sentence introduces the list; else it is part of it.
    pub(super) is_introduced: bool,
    /// The line that says what it is a list of, as a quotation.
    pub(super) introduction: Option<(usize, Statement)>,
    /// The entries.
    pub(super) entries: Vec<(usize, Statement)>,
}

/// The list that a sentence introduces or stands in, if it can be shown whole.
pub(super) fn carried(source: &SourceView<'_>, sentence: &Range<usize>) -> Option<Carried> {
    // Of a list within a list the inner one, which begins later.
    let introduced = source.lists.iter().rev().find(|list| introduces(source.text, list, sentence));
    let list = introduced.or_else(|| {
        holding(source, sentence).filter(|list| !is_said_alone(source.text, list, sentence))
    })?;
    let entries: Option<Vec<(usize, Statement)>> =
        list.items().map(|item| entry(source, list, item)).collect();
    let entries = entries.filter(|entries| ITEMS.contains(&entries.len()))?;
    let is_introduced = introduced.is_some();
    let introduction = introduction(source, list).filter(|_| !is_introduced);
    let list = Carried { is_introduced, introduction, entries };
    // An item that is shown in part must show the part that is meant.
    (list.is_introduced || list.entry_of(source, sentence).is_some()).then_some(list)
}

impl Carried {
    /// The entry that shows a sentence.
    pub(super) fn entry_of(
        &self,
        source: &SourceView<'_>,
        sentence: &Range<usize>,
    ) -> Option<&Statement> {
        let text = source.text.get(sentence.clone())?.trim();
        let entries = self.entries.iter().filter(|_| !self.is_introduced);
        entries.map(|(_, entry)| entry).find(|entry| entry.text.contains(text))
    }
}

/// The list that a sentence stands in.
pub(super) fn holding<'a>(source: &SourceView<'a>, sentence: &Range<usize>) -> Option<&'a List> {
    let holds = |list: &&List| list.items().any(|item| item.contains(&sentence.start));
    source.lists.iter().rev().find(holds)
}

/// Whether the item that holds a sentence is whole without the others: it says so much, and comes to an end.
fn is_said_alone(text: &str, list: &List, sentence: &Range<usize>) -> bool {
    let item = list.items().find(|item| item.contains(&sentence.start));
    let line = item.and_then(|item| text.get(item)?.lines().next()).unwrap_or_default().trim();
    line.split_whitespace().count() > NAME_WORDS && line.ends_with(['.', '!'])
}

/// What an item of a list is called, where it says that first: "Corn: ground on Mondays", "Corn. It is ground here".
pub(super) fn name(item: &str) -> Option<&str> {
    let ends = [". ", ": ", " - ", " – ", " — ", " ("];
    let end = ends.iter().filter_map(|end| item.find(end)).min().unwrap_or(item.len());
    let name = item.get(..end)?.trim().trim_end_matches(['.', ';', ',', ':']);
    let fits = (1..=NAME_WORDS).contains(&name.split_whitespace().count());
    (fits && !name.contains(',')).then_some(name)
}

/// Whether a sentence ends the line above a list.
fn introduces(text: &str, list: &List, sentence: &Range<usize>) -> bool {
    let Some(start) = list.lead else { return false };
    let line = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let end = start + line.trim_end().len();
    (start..end).contains(&sentence.start) && sentence.end >= end
}

/// The line above a list that says what it is a list of.
fn introduction(source: &SourceView<'_>, list: &List) -> Option<(usize, Statement)> {
    let line = list.introduction(source.text)?;
    let text = source.text.get(line.clone())?;
    let fits = text.split_whitespace().count() <= ITEM_WORDS && quarantine(text).removed == 0;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    fits.then(|| (line.start, Statement { text, cites: vec![source.id], form: Form::Quote }))
}

/// An item as an entry, or its first sentence where it is too long, or its source speaks of itself or to programs.
fn entry(source: &SourceView<'_>, list: &List, item: Range<usize>) -> Option<(usize, Statement)> {
    let line = source.text.get(item.clone())?.lines().next()?.trim();
    let first = sentences(line).into_iter().next().and_then(|range| line.get(range));
    let fits = |text: &&str| {
        (1..=ITEM_WORDS).contains(&text.split_whitespace().count())
            && !speaks(text)
            && quarantine(text).removed == 0
    };
    let text = [Some(told(line)), first].into_iter().flatten().find(fits)?.to_owned();
    let form = Form::Item { ordered: list.ordered };
    Some((item.start, Statement { text, cites: vec![source.id], form }))
}

/// What an item says, without the sentence at its end that announces what is not shown with it, and without what links it
/// to the next one.
fn told(line: &str) -> &str {
    let announces = line.ends_with(':');
    let last = sentences(line).pop().filter(|last| announces && last.start > 0);
    without_link(last.and_then(|last| line.get(..last.start)).unwrap_or(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "The fair has three days.\nFriday. We sell bread.\nSaturday is for cattle.\nSunday";

    fn carried_at(place: &str) -> Option<(bool, Vec<String>)> {
        let start = |line: &str| TEXT.find(line).unwrap();
        let lists = [List {
            lead: Some(0),
            items: vec![start("Friday"), start("Saturday"), start("Sunday")],
            end: TEXT.len(),
            ordered: false,
        }];
        let source = SourceView { lists: &lists, ..SourceView::of_text("", TEXT) };
        let found = carried(&source, &(start(place)..start(place) + place.len()))?;
        let entries = found.entries.into_iter().map(|(_, entry)| entry.text).collect();
        Some((found.is_introduced, entries))
    }

    #[test]
    fn an_item_is_called_by_what_it_says_first() {
        assert_eq!(name("REAL. The value is a number."), Some("REAL"));
        assert_eq!(name("Saturday market (cattle)"), Some("Saturday market"));
        assert_eq!(name("Sunday;"), Some("Sunday"));
        assert_eq!(name("Saturday is for cattle and for bread."), None);
    }

    #[test]
    fn a_list_comes_with_the_sentence_above_it_and_without_its_authors_voice() {
        let entries = ["Friday.", "Saturday is for cattle.", "Sunday"].map(str::to_owned);
        assert_eq!(carried_at("The fair has three days."), Some((true, entries.to_vec())));
        assert_eq!(carried_at("Saturday is for cattle."), Some((false, entries.to_vec())));
        assert_eq!(carried_at("fair"), None, "a sentence that does not end the line");
        assert_eq!(carried_at("We sell bread."), None, "a part of an item that is not shown");
    }
}
