//! Sources → the passages that have most of a question's words and meaning, over their whole texts.

use probity_text::lexical::{Lexical, Query, Text};
use probity_text::passages::{Passage, passages};

use super::super::SourceView;

/// A passage that may answer, with what it has of the question.
#[derive(Debug, Clone)]
pub struct Found {
    /// Which of the sources it is of.
    pub source: usize,
    /// The passage.
    pub passage: Passage,
    /// What it has of the question.
    pub lexical: Lexical,
    /// BM25 beside that of the best passage, from 0 to 1.
    pub relative: f64,
}

/// The passages of some sources, cut once and ranked for any number of questions.
pub struct Library<'a> {
    sources: &'a [SourceView<'a>],
    passages: Vec<(usize, Passage)>,
}

impl<'a> Library<'a> {
    /// Cuts the sources into passages.
    pub fn new(sources: &'a [SourceView<'a>]) -> Self {
        let passages = sources
            .iter()
            .enumerate()
            .flat_map(|(number, source)| {
                let found = passages(source.title, source.text, source.headings);
                found.into_iter().map(move |passage| (number, passage))
            })
            .collect();
        Self { sources, passages }
    }

    /// The `most` passages that promise most, best first.
    pub fn best(&self, question: &str, most: usize) -> Vec<Found> {
        self.ranked(question, |place, _| place < most)
    }

    /// The passages that promise most, best first: the first `most` of all, and the first `each` of every source.
    pub fn best_of_each(&self, question: &str, each: usize, most: usize) -> Vec<Found> {
        let mut counts = vec![0; self.sources.len()];
        self.ranked(question, |place, source| {
            let Some(count) = counts.get_mut(source) else { return false };
            *count += 1;
            place < most || *count <= each
        })
    }

    /// The passages that are wanted by their places and sources, best first.
    fn ranked(
        &self,
        question: &str,
        mut is_wanted: impl FnMut(usize, usize) -> bool,
    ) -> Vec<Found> {
        let texts: Vec<Text<'_>> = self
            .passages
            .iter()
            .map(|(source, passage)| Text {
                lead: &passage.lead,
                body: self.text(*source, passage),
            })
            .collect();
        let measured = Query::new(question).measure(&texts);
        let highest =
            |of: fn(&Lexical) -> f64| measured.iter().map(of).fold(f64::MIN_POSITIVE, f64::max);
        let (bm25, share) = (highest(|one| one.bm25), highest(|one| one.share));
        // Words that are rare among these sources distinguish them; words that are rare in the
        // language tell whether any of them is right.
        let relative = |one: &Lexical| (one.bm25 / bm25 + one.share / share) / 2.0;
        let mut order: Vec<(f64, usize)> = measured
            .iter()
            .enumerate()
            .map(|(number, one)| (relative(one) + one.cosine, number))
            .collect();
        // Of equal passages the earlier one comes first.
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let found = order.into_iter().enumerate().filter_map(|(place, (_, number))| {
            let (source, passage) = self.passages.get(number)?;
            if !is_wanted(place, *source) {
                return None;
            }
            let lexical = *measured.get(number)?;
            let relative = relative(&lexical);
            Some(Found { source: *source, passage: passage.clone(), lexical, relative })
        });
        found.collect()
    }

    /// The text of a passage.
    pub fn text(&self, source: usize, passage: &Passage) -> &'a str {
        self.sources.get(source).map_or("", |source| passage.text(source.text))
    }

    /// A stretch of a source's text.
    pub fn slice(&self, source: usize, range: &std::ops::Range<usize>) -> &'a str {
        self.sources.get(source).and_then(|source| source.text.get(range.clone())).unwrap_or("")
    }

    /// A source.
    pub fn source(&self, number: usize) -> Option<&'a SourceView<'a>> {
        self.sources.get(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_has_its_best_passages_beside_the_best_of_all() {
        let ferry =
            "The ferry to the island leaves from the north quay at noon every day. ".repeat(40);
        let mill = "The old mill ground corn until the river was led another way. ".repeat(40);
        let sources = [("Ferry", &ferry), ("Mill", &mill)]
            .map(|(title, text)| SourceView::of_text(title, text));
        let library = Library::new(&sources);
        let question = "When does the ferry to the island leave?";
        let of = |number: usize, found: &[Found]| {
            found.iter().filter(|one| one.source == number).count()
        };
        let best = library.best(question, 4);
        assert_eq!((of(0, &best), of(1, &best)), (4, 0), "the mill has nothing to say");
        let each = library.best_of_each(question, 2, 4);
        assert_eq!((of(0, &each), of(1, &each)), (4, 2), "but it is looked at all the same");
    }
}
