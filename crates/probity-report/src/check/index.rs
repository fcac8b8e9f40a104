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
/// How many sentences a wide window has.
const WIDE_SENTENCES: usize = 6;
/// How many a narrow one has.
const NARROW_SENTENCES: usize = 3;
/// How many windows of each width are read.
const WINDOWS: usize = 2;
/// How many sentences from anywhere are gathered.
const GATHERED_SENTENCES: usize = 3;
/// What a word counts that a gathered sentence has already.
const WORD_AGAIN: f64 = 0.25;
/// How many words a window has at most, beyond its first sentence: a reader sees no more.
const WINDOW_WORDS: usize = 150;
/// The fewest words of a claim that a row has to have to be read by itself.
const ROW_WORDS: usize = 2;

/// What a window shows of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// A statement with all that is around it.
    Wide,
    /// A statement with little around it.
    Narrow,
    /// Sentences from anywhere that have different words of the claim.
    Gathered,
    /// A row of a table.
    Row,
}

/// Sentences of a source that are read together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) view: View,
    /// Their numbers, in order.
    pub(super) sentences: Vec<usize>,
}

/// A word of a claim: what it weighs, and the sentences that have it.
type Weighted<'i> = (f64, &'i [u32]);

/// The sentences of a source and their words.
pub(super) struct Index {
    pub(super) text: Arc<str>,
    pub(super) sentences: Vec<Range<usize>>,
    stemmer: Stemmer,
    /// How many words each sentence has.
    lengths: Vec<usize>,
    /// For each sentence, where the wide window that begins with it ends.
    wide_ends: Vec<usize>,
    /// And where the narrow one does.
    narrow_ends: Vec<usize>,
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
        let length = |range: &Range<usize>| {
            text.get(range.clone()).map_or(0, |text| text.split_whitespace().count())
        };
        let lengths: Vec<usize> = sentences.iter().map(length).collect();
        Self {
            wide_ends: window_ends(&lengths, &reviews, WIDE_SENTENCES),
            narrow_ends: window_ends(&lengths, &reviews, NARROW_SENTENCES),
            quotable: OnceLock::new(),
            text: shared,
            sentences,
            lengths,
            stemmer,
            postings,
            vocabulary,
            reviews,
        }
    }

    /// The text as quotations are looked up in it.
    pub(super) fn quotable(&self) -> &str {
        self.quotable.get_or_init(|| quote::plain(&self.text))
    }

    /// Every word as names are compared.
    pub(super) fn vocabulary(&self) -> &HashSet<String> {
        &self.vocabulary
    }

    /// What is read for a claim's sentence, the most telling first.
    pub(super) fn windows(&self, claim: &str, most: usize) -> Vec<Window> {
        let total = self.sentences.len() as f64;
        let weigh = |known: &'_ Vec<u32>| (1.0 + total / (known.len() as f64 + 0.5)).ln();
        let stems = self.stemmer.content_stems(claim);
        let shared = stems.iter().filter_map(|stem| self.postings.get(stem));
        let weighted: Vec<Weighted<'_>> =
            shared.map(|known| (weigh(known), known.as_slice())).collect();
        let row = self.nearest_row(&weighted);
        let mut wide = self.neighbours(claim, &weighted, View::Wide, &self.wide_ends);
        let mut narrow = self.neighbours(claim, &weighted, View::Narrow, &self.narrow_ends);
        let gathered = self.gathered(weighted);
        let first = row.into_iter().chain(wide.next()).chain(gathered).chain(narrow.next());
        first.chain(wide).chain(narrow).take(most).collect()
    }

    /// The neighbouring sentences that share most with a claim, rare words counting for more: the best first, of equals
    /// the earlier.
    fn neighbours(
        &self,
        claim: &str,
        weighted: &[Weighted<'_>],
        view: View,
        ends: &[usize],
    ) -> std::vec::IntoIter<Window> {
        let total = ends.len();
        let mut scores = vec![0.0; total];
        for (weight, known) in weighted {
            let mut next = 0;
            for at in known.iter().filter_map(|at| usize::try_from(*at).ok()) {
                let first = (at + 1).saturating_sub(WIDE_SENTENCES).max(next);
                let reaches = |start: &usize| ends.get(*start).is_some_and(|end| *end > at);
                for start in (first..=at).filter(reaches) {
                    scores.get_mut(start).into_iter().for_each(|score| *score += weight);
                    next = start + 1;
                }
            }
        }
        // What says it in other words shares none with it: then the source is read from its beginning.
        let ahead =
            (0..total).take_while(|start| *start == 0 || ends.get(start - 1) != Some(&total));
        let behind = self.reviews.iter().map(|review| review + 1).filter(|start| *start < total);
        let allowed = |start: &usize| self.may_begin(*start, claim);
        let open: Vec<usize> = ahead.chain(behind).filter(allowed).take(WINDOWS).collect();
        let scored = scores.into_iter().enumerate();
        let mut ranked: Vec<(usize, f64)> = scored
            .filter(|(start, score)| *score > 0.0 && allowed(start) || open.contains(start))
            .collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let window = |(start, _): (usize, f64)| {
            Some(Window { view, sentences: (start..*ends.get(start)?).collect() })
        };
        ranked.into_iter().filter_map(window).take(WINDOWS).collect::<Vec<_>>().into_iter()
    }

    /// Sentences from anywhere that have most of a claim's words between them: what a claim says may be said in several
    /// places.
    fn gathered(&self, mut weighted: Vec<Weighted<'_>>) -> Option<Window> {
        let mut chosen = BTreeSet::new();
        let mut room = WINDOW_WORDS;
        for _ in 0..GATHERED_SENTENCES {
            let mut scores = vec![0.0; self.sentences.len()];
            for (weight, known) in &weighted {
                for at in known.iter().filter_map(|at| usize::try_from(*at).ok()) {
                    scores.get_mut(at).into_iter().for_each(|score| *score += weight);
                }
            }
            let fits = |at: &usize| {
                let length = self.lengths.get(*at).copied().unwrap_or_default();
                !chosen.contains(at)
                    && !self.reviews.contains(at)
                    && (chosen.is_empty() || length <= room)
            };
            let sharing = scores.into_iter().enumerate().filter(|(_, score)| *score > 0.0).rev();
            // Of equals the first.
            let best = sharing.filter(|(at, _)| fits(at)).max_by(|a, b| a.1.total_cmp(&b.1));
            let Some((at, _)) = best else { break };
            room = room.saturating_sub(self.lengths.get(at).copied().unwrap_or_default());
            chosen.insert(at);
            let has =
                |known: &[u32]| u32::try_from(at).is_ok_and(|at| known.binary_search(&at).is_ok());
            for (weight, _) in weighted.iter_mut().filter(|(_, known)| has(known)) {
                *weight *= WORD_AGAIN;
            }
        }
        let sentences: Vec<usize> = chosen.into_iter().collect();
        (!sentences.is_empty()).then_some(Window { view: View::Gathered, sentences })
    }

    /// The row of a table that has most of a claim's words, by itself: rows beside it say the same of other things, and
    /// a reader takes that for a contradiction.
    fn nearest_row(&self, weighted: &[Weighted<'_>]) -> Option<Window> {
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for at in weighted.iter().flat_map(|(_, known)| known.iter()) {
            *shared.entry(usize::try_from(*at).ok()?).or_default() += 1;
        }
        shared.retain(|at, count| *count >= ROW_WORDS && self.is_row(*at));
        // Of equals the first.
        let (at, _) = shared.into_iter().rev().max_by_key(|(_, count)| *count)?;
        Some(Window { view: View::Row, sentences: vec![at] })
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

    /// What a window says, on one line.
    pub(super) fn passage(&self, window: &Window) -> String {
        let places = window.sentences.iter().filter_map(|at| self.sentences.get(*at));
        places.map(|bytes| self.line(bytes)).collect::<Vec<_>>().join(" ")
    }

    /// The place that holds some passages, if it is no longer than a wide window.
    pub(super) fn together(
        &self,
        passages: impl Iterator<Item = Range<usize>>,
    ) -> Option<Range<usize>> {
        let all = passages.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end))?;
        let from = self.sentences.partition_point(|one| one.end <= all.start);
        let to = self.sentences.partition_point(|one| one.start < all.end);
        (to.saturating_sub(from) <= WIDE_SENTENCES).then_some(all)
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
        // The numbers of a list are in no sentence.
        let sharing = stems.iter().filter_map(|stem| self.postings.get(stem));
        let rarest = sharing.min_by_key(|known| known.len())?;
        let holding = rarest.iter().filter_map(|at| usize::try_from(*at).ok());
        let starts = holding.flat_map(|at| (at.saturating_sub(VERBATIM_SENTENCES - 1)..=at).rev());
        starts.into_iter().find_map(|start| self.says_from(start, &wanted))
    }

    /// Where the words are, if they begin with a sentence, end with one, and nothing is between. The numbers of a list
    /// stand between sentences, and a quotation may have them.
    fn says_from(&self, start: usize, wanted: &[String]) -> Option<Range<usize>> {
        let first = self.sentences.get(start)?.start;
        let mut left = wanted;
        let mut before =
            start.checked_sub(1).and_then(|at| self.sentences.get(at)).map_or(0, |one| one.end);
        for range in self.sentences.iter().skip(start).take(VERBATIM_SENTENCES) {
            let words = |bytes: Range<usize>| Some(plain(self.text.get(bytes)?));
            left = left.strip_prefix(words(before..range.start)?.as_slice()).unwrap_or(left);
            left = left.strip_prefix(words(range.clone())?.as_slice())?;
            before = range.end;
            if left.is_empty() {
                return Some(first..range.end);
            }
        }
        None
    }
}

/// For each sentence, one past the last of the window that begins with it. A review is by itself.
fn window_ends(lengths: &[usize], reviews: &BTreeSet<usize>, most: usize) -> Vec<usize> {
    let end = |start: usize| {
        let mut words = 0;
        let fits = |(at, length): &(usize, &usize)| {
            words += **length;
            words <= WINDOW_WORDS && !reviews.contains(at)
        };
        let following = lengths.iter().enumerate().skip(start).take(most);
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
        let windows = index.windows("The hall costs 650 crowns on a Sunday.", 9);
        assert_eq!(windows[0], Window { view: View::Row, sentences: vec![2] });
        let windows = index.windows("All rooms come with light.", 9);
        assert!(windows.iter().all(|window| window.view != View::Row), "{windows:?}");
    }

    #[test]
    fn the_window_with_the_rare_words_comes_first() {
        let dull = "The town is small. ".repeat(20);
        let text = format!("{dull}The weir broke in 1850. {dull}");
        let index = Index::new(text.into());
        let windows = index.windows("The town's weir broke in 1850.", 9);
        let views: Vec<(View, usize)> =
            windows.iter().map(|window| (window.view, window.sentences.len())).collect();
        assert_eq!(
            views,
            [
                (View::Wide, WIDE_SENTENCES),
                (View::Gathered, GATHERED_SENTENCES),
                (View::Narrow, NARROW_SENTENCES),
                (View::Wide, WIDE_SENTENCES),
                (View::Narrow, NARROW_SENTENCES),
            ]
        );
        assert!(windows.iter().all(|window| window.sentences.contains(&20)), "{windows:?}");
        assert_eq!(index.windows("The weir broke.", 1).len(), 1);
    }

    #[test]
    fn what_is_said_in_several_places_is_gathered() {
        let dull = "The town is small. ".repeat(20);
        let text =
            format!("The weir broke in 1850. {dull}Its keeper drowned. {dull}A mill was built.");
        let index = Index::new(text.into());
        let windows = index.windows("When the weir broke in 1850, its keeper drowned.", 9);
        let gathered = windows.iter().find(|window| window.view == View::Gathered).unwrap();
        assert_eq!(index.passage(gathered), "The weir broke in 1850. Its keeper drowned.");
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
        assert!(windows.iter().all(|window| window.sentences == [0]), "{windows:?}");
        assert_eq!(windows.len(), 2);
        assert!(Index::new("".into()).windows("Whales sing.", 4).is_empty());
    }

    #[test]
    fn a_review_stands_by_itself_and_is_read_only_for_what_speaks_of_its_rating() {
        let review = "Fact check: the claim that “Whales can fly” is rated “False”.";
        let text = format!("It rains.\n{review}\nA balloon was seen.");
        let index = Index::new(text.into());
        let read = |claim: &str| -> Vec<String> {
            let windows = index.windows(claim, 9);
            let wide = windows.iter().filter(|window| window.view == View::Wide);
            wide.map(|window| index.passage(window)).collect()
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

    #[test]
    fn a_quotation_of_a_list_is_verbatim_with_its_numbers_and_without() {
        let index =
            Index::new("Duties\n1. The miller keeps the weir.\n2. He may not sell it.".into());
        let says = |claim: &str| index.verbatim(claim).is_some();
        assert!(says("Duties 1. The miller keeps the weir. 2. He may not sell it."));
        assert!(says("1. The miller keeps the weir."));
        assert!(says("The miller keeps the weir. He may not sell it."));
        assert!(!says("The miller keeps the weir. 3. He may not sell it."));
    }
}
