//! Sentences in a row → paragraphs that are not too long to read.
//!
//! A section of prose can have dozens of sentences. It is divided between sentences into parts of about equal length, where
//! possible where one source ends and another begins.

use crate::assemble::CheckedStatement;

/// A paragraph of up to this many words needs no break.
const LONG_WORDS: usize = 160;
/// About how long the parts of a longer one are.
const PART_WORDS: usize = 100;
/// The fewest sentences of a part.
const PART_SENTENCES: usize = 2;
/// A break between other sources may be off its place by this many words more.
const OTHER_SOURCE_WORDS: usize = 30;

/// The paragraphs of neighbouring sentences.
pub(super) fn paragraphs(sentences: &[CheckedStatement]) -> Vec<&[CheckedStatement]> {
    let words = |one: &CheckedStatement| one.text.split_whitespace().count();
    // How many words stand before each sentence, and before the end.
    let mut before = vec![0];
    for sentence in sentences {
        before.push(before.last().unwrap_or(&0) + words(sentence));
    }
    let all = before.last().copied().unwrap_or(0);
    if all <= LONG_WORDS {
        return vec![sentences];
    }
    let parts = ((all + PART_WORDS / 2) / PART_WORDS).max(2);
    let mut found = Vec::new();
    let mut begin = 0;
    for part in 1..parts {
        let ideal = all * part / parts;
        let fits = begin + PART_SENTENCES..=sentences.len().saturating_sub(PART_SENTENCES);
        let off = |at: &usize| {
            let away = before.get(*at).map_or(usize::MAX, |words| words.abs_diff(ideal));
            away + if goes_on(sentences, *at) { OTHER_SOURCE_WORDS } else { 0 }
        };
        let Some(end) = fits.min_by_key(off) else { break };
        found.extend(sentences.get(begin..end));
        begin = end;
    }
    found.extend(sentences.get(begin..));
    found
}

/// Whether the sentence at a place cites a source that the one before it cites too.
fn goes_on(sentences: &[CheckedStatement], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| sentences.get(before));
    let (Some(one), Some(next)) = (before, sentences.get(at)) else { return false };
    one.cites.iter().any(|source| next.cites.contains(source))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(words: usize, source: usize) -> CheckedStatement {
        CheckedStatement::said(&vec!["word"; words].join(" "), source)
    }

    fn lengths(sentences: &[CheckedStatement]) -> Vec<usize> {
        paragraphs(sentences).iter().map(|part| part.len()).collect()
    }

    #[test]
    fn a_short_paragraph_stays_whole_and_a_long_one_is_divided_evenly() {
        let of = |count: usize| vec![sentence(20, 1); count];
        assert_eq!(lengths(&of(8)), [8]);
        assert_eq!(lengths(&of(10)), [5, 5]);
        assert_eq!(lengths(&of(15)), [5, 5, 5]);
        assert_eq!(lengths(&[]), [0]);
    }

    #[test]
    fn a_break_stands_where_the_sources_change() {
        let mut sentences = vec![sentence(20, 1); 6];
        sentences.extend(vec![sentence(20, 2); 4]);
        assert_eq!(lengths(&sentences), [6, 4]);
    }

    #[test]
    fn no_part_is_a_single_sentence_and_none_is_lost() {
        assert_eq!(lengths(&[sentence(200, 1), sentence(5, 2)]), [2]);
        assert_eq!(lengths(&[sentence(300, 1), sentence(5, 1), sentence(5, 2)]), [3]);
        let sentences = vec![sentence(90, 1); 7];
        assert_eq!(lengths(&sentences).iter().sum::<usize>(), 7);
        assert!(lengths(&sentences).iter().all(|count| *count >= PART_SENTENCES));
    }
}
