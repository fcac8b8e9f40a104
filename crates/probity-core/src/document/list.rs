//! A list among the lines of a text.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A list among the lines of a text. Its items are lines without their bullets or numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct List {
    /// The byte at which the line directly above it begins: a paragraph, or the item that a list within it belongs
    /// to. None where the list begins the text or follows a heading, a table or code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead: Option<usize>,
    /// The bytes at which its items begin, in order. There is at least one.
    pub items: Vec<usize>,
    /// Where its last item ends.
    pub end: usize,
    /// Whether its items are numbered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ordered: bool,
}

impl List {
    /// Its items, in bytes of the text. One that has further paragraphs, code or a list within it spans several lines.
    pub fn items(&self) -> impl Iterator<Item = Range<usize>> {
        let ends = self.items.iter().skip(1).map(|next| next.saturating_sub(1));
        let ends = ends.chain([self.end]);
        self.items.iter().zip(ends).map(|(start, end)| *start..end)
    }

    /// The line that introduces it: its lead, if that does not end as a sentence does.
    ///
    /// ```
    /// use probity_core::List;
    ///
    /// let text = "The hall has two rooms:\nthe loft\nthe cellar";
    /// let list = List { lead: Some(0), items: vec![24, 33], end: text.len(), ordered: false };
    /// assert_eq!(list.introduction(text), Some(0..23));
    /// let items: Vec<&str> = list.items().filter_map(|item| text.get(item)).collect();
    /// assert_eq!(items, ["the loft", "the cellar"]);
    /// ```
    pub fn introduction(&self, text: &str) -> Option<Range<usize>> {
        let start = self.lead?;
        let line = text.get(start..)?.lines().next()?.trim_end();
        let last = line.trim_end_matches(['"', '\'', '”', '’', '»', ')', ']']).chars().next_back();
        let ends = matches!(last?, '.' | '!' | '?' | '…' | '。' | '！' | '？');
        (!ends).then(|| start..start + line.len())
    }

    /// The same list in a text that has this many bytes before it.
    #[must_use]
    pub fn moved(mut self, bytes: usize) -> Self {
        for start in self.lead.iter_mut().chain(&mut self.items).chain([&mut self.end]) {
            *start += bytes;
        }
        self
    }

    /// As much of it as is in a text that ends here; none if nothing is.
    pub fn within(mut self, end: usize) -> Option<Self> {
        self.items.retain(|start| *start < end);
        self.end = self.end.min(end);
        (!self.items.is_empty()).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_sentence_does_not_introduce_a_list() {
        let introduced = |lead: &str| {
            let text = format!("{lead}\na\nb");
            let items = vec![lead.len() + 1, lead.len() + 3];
            let list = List { lead: Some(0), items, end: text.len(), ordered: false };
            list.introduction(&text).is_some()
        };
        assert!(introduced("It needs:"));
        assert!(introduced("It needs"));
        assert!(!introduced("It needs much."));
        assert!(!introduced("(It needs much.)"));
        assert!(!introduced("Does it need much?"));
    }

    #[test]
    fn a_list_of_a_text_that_was_cut_keeps_what_is_left() {
        let list = List { lead: Some(0), items: vec![5, 10], end: 14, ordered: true };
        assert_eq!(list.clone().within(14), Some(list.clone()));
        let left = list.clone().within(8).unwrap();
        assert!(left.items().eq(std::iter::once(5..8)));
        assert_eq!(list.clone().within(5), None);
        assert_eq!(list.moved(3).items().collect::<Vec<_>>(), [8..12, 13..17]);
    }

    #[test]
    fn places_outside_of_a_text_are_no_panic() {
        let list = List { lead: Some(1), items: vec![9], end: 12, ordered: false };
        assert_eq!(list.introduction("é"), None);
        assert_eq!(List { lead: Some(99), ..list }.introduction("é"), None);
    }
}
