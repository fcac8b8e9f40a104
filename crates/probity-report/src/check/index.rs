//! A source, prepared: its sentences, where each word is, and the windows worth reading for a
//! claim.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use probity_core::ClaimReview;
use probity_text::Language;
use probity_text::sentences::sentences;
use probity_text::table_row::row;
use probity_text::words::{Stemmer, words};

use super::name::folded;
use super::quote;

/// The most sentences of a quotation that is found word for word.
const VERBATIM_SENTENCES: usize = 8;
/// How many sentences a window has.
const WINDOW_SENTENCES: usize = 6;
/// How many words it has at most, beyond its first sentence: a reader sees no more.
const WINDOW_WORDS: usize = 150;
/// The fewest words of a claim that a row has to have to be read by itself.
const ROW_WORDS: usize = 2;

/// Neighbouring sentences of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Window {
    /// Their numbers.
    pub(super) sentences: Range<usize>,
    /// Their place in the text.
    pub(super) bytes: Range<usize>,
}

/// The sentences of a source and what stands in them.
pub(super) struct Index {
    pub(super) text: Arc<str>,
    pub(super) sentences: Vec<Range<usize>>,
    stemmer: Stemmer,
    /// For each sentence, where the window that begins with it ends.
    ends: Vec<usize>,
    /// For each stem the sentences that have it, in order.
    postings: HashMap<String, Vec<u32>>,
    /// Every word as names are compared.
    vocabulary: HashSet<String>,
    /// The sentences that tell of a claim which the source only reviews.
    reviews: BTreeSet<usize>,
    /// The text as quotations are looked up in it, made when one first is.
    quotable: OnceLock<String>,
}

impl Index {
    pub(super) fn new(shared: Arc<str>) -> Self {
        let text: &str = &shared;
        let stemmer = Stemmer::new(Language::detect(text));
        let sentences = sentences(text);
        let mut postings: HashMap<String, Vec<u32>> = HashMap::new();
        let mut vocabulary = HashSet::new();
        let mut reviews = BTreeSet::new();
        for (number, range) in (0..).zip(&sentences) {
            let sentence = text.get(range.clone()).unwrap_or_default();
            if ClaimReview::is_sentence(sentence) {
                reviews.extend(usize::try_from(number));
            }
            for word in words(sentence) {
                vocabulary.insert(folded(word.raw));
                let Some(stem) = stemmer.content_stem(&word.lower) else { continue };
                match postings.get_mut(stem.as_ref()) {
                    Some(known) if known.last() == Some(&number) => {}
                    Some(known) => known.push(number),
                    None => {
                        postings.insert(stem.into_owned(), vec![number]);
                    }
                }
            }
        }
        let ends = window_ends(text, &sentences, &reviews);
        let quotable = OnceLock::new();
        Self { text: shared, sentences, ends, stemmer, postings, vocabulary, reviews, quotable }
    }

    /// The text as quotations are looked up in it.
    pub(super) fn quotable(&self) -> &str {
        self.quotable.get_or_init(|| quote::plain(&self.text))
    }

    /// Every word as names are compared.
    pub(super) fn vocabulary(&self) -> &HashSet<String> {
        &self.vocabulary
    }

    /// The windows that share most with a claim's sentence, rare words counting for more: the best first,
    /// of equals the earlier.
    pub(super) fn windows(&self, claim: &str, most: usize) -> Vec<Window> {
        let total = self.sentences.len();
        let last = total.saturating_sub(WINDOW_SENTENCES);
        let mut scores: BTreeMap<usize, f64> = BTreeMap::new();
        for stem in self.stemmer.content_stems(claim) {
            let Some(known) = self.postings.get(&stem) else { continue };
            let weight = (1.0 + total as f64 / (known.len() as f64 + 0.5)).ln();
            let mut next = 0;
            for at in known.iter().filter_map(|at| usize::try_from(*at).ok()) {
                let first = (at + 1).saturating_sub(WINDOW_SENTENCES).max(next);
                let reaches = |start: &usize| self.ends.get(*start).is_some_and(|end| *end > at);
                for start in (first..=at).filter(reaches) {
                    *scores.entry(start).or_default() += weight;
                    next = start + 1;
                }
            }
        }
        // What says it in other words shares none with it: then the source is read from its beginning.
        let behind = self.reviews.iter().map(|review| review + 1).filter(|start| *start < total);
        for start in (0..=last.min(total.saturating_sub(1))).chain(behind).take(most) {
            scores.entry(start).or_default();
        }
        scores.retain(|start, _| self.may_begin(*start, claim));
        let mut ranked: Vec<(usize, f64)> = scores.into_iter().collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let ranked = ranked.into_iter().filter_map(|(start, _)| self.window(start));
        let row = self.nearest_row(claim);
        row.into_iter().chain(ranked).take(most).collect()
    }

    /// The row of a table that has most of a claim's words, by itself: rows beside it say the same of other things, and
    /// a reader takes that for a contradiction.
    fn nearest_row(&self, claim: &str) -> Option<Window> {
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for stem in self.stemmer.content_stems(claim) {
            let known = self.postings.get(&stem).into_iter().flatten();
            for at in known.filter_map(|at| usize::try_from(*at).ok()) {
                *shared.entry(at).or_default() += 1;
            }
        }
        shared.retain(|at, count| *count >= ROW_WORDS && self.is_row(*at));
        // Of equals the first.
        let (at, _) = shared.into_iter().rev().max_by_key(|(_, count)| *count)?;
        let bytes = self.sentences.get(at)?.clone();
        Some(Window { sentences: at..at + 1, bytes })
    }

    /// Whether a sentence is a row of a table, as extraction writes it.
    fn is_row(&self, at: usize) -> bool {
        let line = self.sentences.get(at).and_then(|range| self.text.get(range.clone()));
        line.is_some_and(|line| row(line).is_some())
    }

    /// Whether a window may begin with a sentence: a review is read only for claims that it may
    /// support, so that none passes for the claim that it tells of.
    fn may_begin(&self, start: usize, claim: &str) -> bool {
        let sentence = || self.sentences.get(start).and_then(|range| self.text.get(range.clone()));
        !self.reviews.contains(&start)
            || sentence().is_some_and(|sentence| ClaimReview::may_bear_out(sentence, claim))
    }

    /// The window that begins with a sentence. A review stands by itself.
    fn window(&self, start: usize) -> Option<Window> {
        let end = *self.ends.get(start)?;
        let (first, last) = (self.sentences.get(start)?, self.sentences.get(end.checked_sub(1)?)?);
        Some(Window { sentences: start..end, bytes: first.start..last.end })
    }

    /// What is in some bytes, on one line.
    pub(super) fn line(&self, bytes: &Range<usize>) -> String {
        let text = self.text.get(bytes.clone()).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The sentences that say a claim word for word, from the beginning of one to the end of one. Only those around
    /// its rarest word are compared.
    pub(super) fn verbatim(&self, claim: &str) -> Option<Range<usize>> {
        let wanted = plain(claim);
        // Two words are no statement.
        wanted.get(2)?;
        let stems = self.stemmer.content_stems(claim);
        let sharing: Option<Vec<&Vec<u32>>> =
            stems.iter().map(|stem| self.postings.get(stem)).collect();
        let rarest = sharing?.into_iter().min_by_key(|known| known.len())?;
        let holding = rarest.iter().filter_map(|at| usize::try_from(*at).ok());
        let starts = holding.flat_map(|at| (at.saturating_sub(VERBATIM_SENTENCES - 1)..=at).rev());
        starts.into_iter().find_map(|start| self.says_from(start, &wanted))
    }

    /// Where the words are, if they begin with a sentence, end with one, and nothing is between.
    fn says_from(&self, start: usize, wanted: &[String]) -> Option<Range<usize>> {
        let first = self.sentences.get(start)?.start;
        let mut left = wanted;
        for range in self.sentences.iter().skip(start).take(VERBATIM_SENTENCES) {
            left = left.strip_prefix(plain(self.text.get(range.clone())?).as_slice())?;
            if left.is_empty() {
                return Some(first..range.end);
            }
        }
        None
    }
}

/// For each sentence, one past the last of the window that begins with it.
fn window_ends(text: &str, sentences: &[Range<usize>], reviews: &BTreeSet<usize>) -> Vec<usize> {
    let length = |range: &Range<usize>| {
        text.get(range.clone()).map_or(0, |text| text.split_whitespace().count())
    };
    let lengths: Vec<usize> = sentences.iter().map(length).collect();
    // A review stands by itself.
    let end = |start: usize| {
        let mut words = 0;
        let fits = |(at, length): &(usize, &usize)| {
            words += **length;
            words <= WINDOW_WORDS && !reviews.contains(at)
        };
        let following = lengths.iter().enumerate().skip(start).take(WINDOW_SENTENCES);
        start + following.take_while(fits).count().max(1)
    };
    (0..lengths.len()).map(end).collect()
}

/// A sentence's words, whatever its case, its spaces and the stops and quotation marks around words.
fn plain(sentence: &str) -> Vec<String> {
    let marks: &[char] = &['.', ',', ';', ':', '!', '?', '"', '“', '”', '\'', '‘', '’', '«', '»'];
    let words = sentence.split_whitespace().map(|word| word.trim_matches(marks).to_lowercase());
    words.filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_row_that_a_claim_tells_is_read_by_itself_first() {
        let text = "Prices\nRoom: Hall · Day: Saturday · Fee: 900 crowns\nRoom: Hall · Day: Sunday · Fee: 650 crowns\n\
                    Room: Loft · Day: Sunday · Fee: 40 crowns\nAll · with light.";
        let index = Index::new(text.into());
        let windows = index.windows("The hall costs 650 crowns on a Sunday.", 3);
        let row = text.find("Room: Hall · Day: Sunday").unwrap();
        assert_eq!(windows[0].bytes.start, row, "{windows:?}");
        assert_eq!(windows[0].sentences.len(), 1);
        assert_eq!(windows.len(), 3);
        let windows = index.windows("All rooms come with light.", 3);
        assert!(windows[0].sentences.len() > 1, "no row: {windows:?}");
    }

    #[test]
    fn the_window_with_the_rare_words_comes_first() {
        let dull = "The town is small. ".repeat(20);
        let text = format!("{dull}The weir broke in 1850. {dull}");
        let index = Index::new(text.into());
        let windows = index.windows("The town's weir broke in 1850.", 2);
        assert!(windows[0].sentences.contains(&20), "{windows:?}");
        assert_eq!(windows.len(), 2);
        assert!(windows.iter().all(|window| window.sentences.len() == WINDOW_SENTENCES));
    }

    #[test]
    fn a_window_counts_only_what_it_has_room_for() {
        let long = "The town keeps a weir and a mill and much else besides. ".repeat(15);
        let text = format!("{}The weir broke in 1850.", long.replace(". The", ", the"));
        let index = Index::new(text.into());
        let windows = index.windows("The weir broke in 1850.", 1);
        assert!(windows[0].sentences.contains(&(index.sentences.len() - 1)), "{windows:?}");
    }

    #[test]
    fn a_claim_that_shares_no_word_is_held_against_the_beginning() {
        let windows = Index::new("The town is old.".into()).windows("Whales sing.", 4);
        assert_eq!(windows, [Window { sentences: 0..1, bytes: 0..16 }]);
        assert!(Index::new("".into()).windows("Whales sing.", 4).is_empty());
    }

    #[test]
    fn a_review_stands_by_itself_and_is_read_only_for_what_speaks_of_its_rating() {
        let review = "Fact check: the claim that “Whales can fly” is rated “False”.";
        let text = format!("It rains.\n{review}\nA balloon was seen.");
        let index = Index::new(text.into());
        let read = |claim: &str| -> Vec<String> {
            index.windows(claim, 9).iter().map(|window| index.line(&window.bytes)).collect()
        };
        assert_eq!(read("Whales can fly."), ["It rains.", "A balloon was seen."]);
        assert_eq!(read("A balloon was seen.").len(), 2);
        let says = |claim: &str| index.verbatim(claim).is_some();
        assert!(says("A balloon was seen."));
        assert!(read("It is false that whales can fly.").contains(&review.to_owned()));
        assert!(index.verbatim(review).is_some());
    }

    #[test]
    fn a_sentence_is_verbatim_whatever_its_line_breaks_and_its_stop() {
        let index = Index::new("It rains. The mill closed\nin 1850. It had cost $5.".into());
        let says = |claim: &str| index.verbatim(claim).is_some();
        assert!(says("The mill closed in 1850"));
        assert!(says("the mill, closed in 1850!"));
        assert!(!says("The mill closed"));
        assert!(!says("It had cost 5."));
    }

    #[test]
    fn a_quotation_of_several_sentences_is_verbatim_from_end_to_end() {
        let index = Index::new(
            "It rains.\n\nthe mill closed in 1850. It had cost $5. Nobody asked.".into(),
        );
        let says = |claim: &str| index.verbatim(claim).is_some();
        assert!(says("The mill closed in 1850. It had cost $5."));
        assert!(says("It rains. The mill closed in 1850."));
        assert!(!says("The mill closed in 1850. Nobody asked."));
        assert!(!says("closed in 1850. It had cost $5."));
        assert!(!says("The mill closed in 1850. It had cost"));
    }
}
