//! Text → passages: a few whole sentences under one heading, as they are ranked and read.
//!
//! ```text
//! text + headings → sections → sentences → passages of 60 to 120 words, one sentence of overlap
//! ```
//!
//! Each passage carries a lead, "Title > heading > heading: ", because a sentence often leaves its subject to
//! the heading above it. Shorter and longer passages were tried and find fewer answers.

use std::ops::Range;

use probity_core::Heading;

use crate::sentences::sentences;

/// A passage is closed before it grows beyond this many words.
const MOST_WORDS: usize = 120;
/// A last sentence of at most this many words opens the next passage too.
const OVERLAP_WORDS: usize = 40;
/// How many headings stand in a lead: the nearest ones.
const LEAD_HEADINGS: usize = 2;
/// The longest title or heading in a lead, in characters.
const LEAD_CHARS: usize = 120;

/// A few sentences of a text that are together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// "Title > heading: ", or empty.
    pub lead: String,
    /// Where it is in the text, in bytes.
    pub range: Range<usize>,
    /// Its sentences, in bytes of the text.
    pub sentences: Vec<Range<usize>>,
    /// The nearest heading above it, in bytes of the text.
    pub heading: Option<Range<usize>>,
}

impl Passage {
    /// The passage itself.
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.range.clone()).unwrap_or_default()
    }

    /// Its sentences, in bytes of the passage.
    pub fn inner(&self) -> Vec<Range<usize>> {
        let start = self.range.start;
        self.sentences.iter().map(|one| one.start - start..one.end - start).collect()
    }
}

/// The passages of a text, in order. The lines that are headings belong to leads, not to passages.
///
/// ```
/// use probity_core::Heading;
/// use probity_text::passages::passages;
///
/// let text = "The town has a code.\nSound levels\nThe limit is 55 decibels.";
/// let found = passages("Noise", text, &[Heading { start: 21, level: 2 }]);
/// assert_eq!(found.len(), 2);
/// assert_eq!(found[1].lead, "Noise > Sound levels: ");
/// assert_eq!(found[1].text(text), "The limit is 55 decibels.");
/// ```
pub fn passages(title: &str, text: &str, headings: &[Heading]) -> Vec<Passage> {
    let mut path: Vec<(u8, Range<usize>)> = Vec::new();
    let mut found = Vec::new();
    let mut start = 0;
    for heading in headings.iter().filter(|heading| text.is_char_boundary(heading.start)) {
        cut(title, text, &path, start..heading.start.max(start), &mut found);
        let line = line_at(text, heading.start);
        start = line.end.max(start);
        path.retain(|(level, _)| *level < heading.level);
        path.push((heading.level, line));
    }
    cut(title, text, &path, start..text.len(), &mut found);
    found
}

/// Cuts what is between two headings into passages.
fn cut(
    title: &str,
    text: &str,
    path: &[(u8, Range<usize>)],
    bytes: Range<usize>,
    found: &mut Vec<Passage>,
) {
    let Some(body) = text.get(bytes.clone()) else { return };
    let section: Vec<Range<usize>> = sentences(body)
        .into_iter()
        .map(|range| bytes.start + range.start..bytes.start + range.end)
        .collect();
    let lead = lead(title, text, path);
    let heading = path.last().map(|(_, line)| line.clone());
    let words: Vec<usize> = section
        .iter()
        .map(|range| text.get(range.clone()).unwrap_or_default().split_whitespace().count())
        .collect();
    let mut first = 0;
    while first < section.len() {
        let next = end_of_passage(&words, first);
        if let Some(sentences) = section.get(first..next)
            && let (Some(head), Some(tail)) = (sentences.first(), sentences.last())
        {
            // A text without a title is often called by its first words, which need not be read twice.
            let own = text.get(head.start..).is_some_and(|own| begins_with(own, title));
            found.push(Passage {
                lead: if own && path.is_empty() { String::new() } else { lead.clone() },
                range: head.start..tail.end,
                sentences: sentences.to_vec(),
                heading: heading.clone(),
            });
        }
        let overlaps = next < section.len()
            && next > first + 1
            && words.get(next - 1).is_some_and(|words| *words <= OVERLAP_WORDS);
        first = if overlaps { next - 1 } else { next };
    }
}

/// Whether a text begins with a title, which may be cut short.
fn begins_with(text: &str, title: &str) -> bool {
    let title = title.trim_end_matches('…').trim();
    !title.is_empty() && text.starts_with(title)
}

/// One past the last sentence of the passage that begins with sentence `first`. It always moves on by one
/// sentence beyond an overlap, so that every passage says something new.
fn end_of_passage(words: &[usize], first: usize) -> usize {
    let mut total = 0;
    let mut next = first;
    for count in words.iter().skip(first) {
        total += count;
        if next > first && total > MOST_WORDS && !(next == first + 1 && is_overlap(words, first)) {
            break;
        }
        next += 1;
    }
    next
}

/// Whether a passage that begins here begins with the last sentence of the one before.
fn is_overlap(words: &[usize], first: usize) -> bool {
    first > 0 && words.get(first).is_some_and(|words| *words <= OVERLAP_WORDS)
}

fn lead(title: &str, text: &str, path: &[(u8, Range<usize>)]) -> String {
    let nearest = path.get(path.len().saturating_sub(LEAD_HEADINGS)..).unwrap_or_default();
    let headings = nearest.iter().filter_map(|(_, line)| text.get(line.clone()));
    let headings = headings.map(|heading| heading.trim_start_matches(['#', ' ']));
    let parts: Vec<String> = std::iter::once(title)
        .chain(headings.filter(|heading| heading.trim() != title.trim()))
        .map(|part| probity_core::printable::brief(part.trim(), LEAD_CHARS))
        .filter(|part| !part.is_empty())
        .collect();
    if parts.is_empty() { String::new() } else { format!("{}: ", parts.join(" > ")) }
}

/// The headings of a text that marks them with `#`, as Markdown does.
pub fn marked_headings(text: &str) -> Vec<Heading> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let marks = line.len() - line.trim_start_matches('#').len();
        let level = u8::try_from(marks).ok().filter(|level| (1..=6).contains(level));
        if let Some(level) =
            level.filter(|_| line.get(marks..).is_some_and(|rest| rest.starts_with(' ')))
        {
            found.push(Heading { start, level });
        }
        start += line.len();
    }
    found
}

/// The line that begins at a byte.
fn line_at(text: &str, start: usize) -> Range<usize> {
    let rest = text.get(start..).unwrap_or_default();
    start..start + rest.find('\n').unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sentence(words: usize) -> String {
        let mut sentence = vec!["word"; words].join(" ");
        sentence.replace_range(..1, "W");
        sentence + "."
    }

    #[test]
    fn a_long_section_is_cut_between_sentences_with_one_of_overlap() {
        let text = vec![sentence(30); 9].join(" ");
        let found = passages("", &text, &[]);
        let counts: Vec<usize> = found.iter().map(|passage| passage.sentences.len()).collect();
        assert_eq!(counts, [4, 4, 3]);
        assert_eq!(found[0].sentences[3], found[1].sentences[0]);
    }

    #[test]
    fn a_long_last_sentence_does_not_overlap() {
        let text = [sentence(60), sentence(50), sentence(30)].join(" ");
        let found = passages("", &text, &[]);
        assert_eq!(found.len(), 2);
        assert_eq!(found[1].sentences.len(), 1);
    }

    #[test]
    fn deeper_headings_stand_under_higher_ones_and_end_with_them() {
        let text = "Town\nIt lies on a bay.\nHistory\nIt is old.\nEconomy\nIt trades.";
        let at = |line: &str| text.find(line).unwrap();
        let headings = [
            Heading { start: at("Town"), level: 2 },
            Heading { start: at("History"), level: 3 },
            Heading { start: at("Economy"), level: 2 },
        ];
        let leads: Vec<String> =
            passages("T", text, &headings).into_iter().map(|passage| passage.lead).collect();
        assert_eq!(leads, ["T > Town: ", "T > Town > History: ", "T > Economy: "]);
    }

    #[test]
    fn a_title_made_of_the_first_words_is_not_read_twice() {
        let text = "The mill by the weir closed in 1850. It had employed forty people.";
        let leads = |title: &str| -> Vec<String> {
            passages(title, text, &[]).into_iter().map(|one| one.lead).collect()
        };
        assert_eq!(leads("The mill by the we…"), [""]);
        assert_eq!(leads("Old mills"), ["Old mills: "]);
    }

    #[test]
    fn a_heading_of_several_sentences_is_no_passage() {
        let text = "Is it safe? Yes. And cheap\nIt costs 5 crowns.";
        let found = passages("", text, &[Heading { start: 0, level: 1 }]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].text(text), "It costs 5 crowns.");
    }

    proptest! {
        #[test]
        fn every_sentence_is_in_a_passage_and_none_twice_but_the_overlap(
            lengths in prop::collection::vec(1usize..200, 0..40),
        ) {
            let text = lengths.iter().map(|length| sentence(*length)).collect::<Vec<_>>().join(" ");
            let found = passages("Title", &text, &[]);
            let mut all: Vec<Range<usize>> = found.iter().flat_map(|one| one.sentences.clone()).collect();
            let total = all.len();
            all.dedup();
            prop_assert_eq!(&all, &sentences(&text));
            prop_assert!(total <= all.len() + found.len());
        }

        #[test]
        fn any_text_and_headings_keep_their_boundaries(text in "(\\PC|\n){0,200}", starts in prop::collection::vec(0usize..220, 0..6)) {
            let mut headings: Vec<Heading> =
                starts.iter().map(|start| Heading { start: text.floor_char_boundary(*start), level: 2 }).collect();
            headings.sort_by_key(|heading| heading.start);
            for passage in passages("t", &text, &headings) {
                prop_assert!(text.get(passage.range.clone()).is_some());
                for range in passage.inner() {
                    prop_assert!(passage.text(&text).get(range).is_some());
                }
            }
        }
    }
}
