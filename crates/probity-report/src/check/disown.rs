//! What a page repeats in order to check it is not what the page says.
//!
//! ```text
//! claims that the page reviews → its sentences that say as much → taken out; one sentence each with the rating, first
//! ```
//!
//! Everything that works on a source works on its text: summaries, the gate, the draft and the check of its
//! citations. So the claim leaves the text, and what is left of it is a sentence that says how it was rated.

use std::ops::Range;

use probity_core::{ClaimReview, Document};
use probity_text::lexical::{Query, Text};
use probity_text::sentences::sentences;
use probity_text::words::words;

use super::readings::{Pair, Readings};

/// A sentence with less than this share of a claim's words does not say the claim.
const SHARE: f64 = 0.5;
/// From this probability on, that it supports the claim, a sentence says the claim.
const SAYS: f64 = 0.5;
/// A sentence that has the claim word for word and no more than this many words beside it is the
/// claim under a label.
const LABEL_WORDS: usize = 3;
/// The most sentences that are read for one claim.
const SENTENCES_MOST: usize = 30;

/// What has to be read before [`disown`] can tell which sentences say a claim that the document reviews.
pub fn wanted(document: &Document) -> Vec<Pair> {
    spots(document).into_iter().map(|spot| spot.pair).collect()
}

/// A place that may say a claim.
struct Spot {
    /// Its bytes in the text; none for the title.
    bytes: Option<Range<usize>>,
    pair: Pair,
}

/// The title and the sentences that have enough words of a claim, those with most of them first.
fn spots(document: &Document) -> Vec<Spot> {
    let mut places = vec![(None, document.title.as_str())];
    let text = document.text.as_str();
    let own = sentences(text).into_iter();
    places.extend(own.filter_map(|bytes| Some((Some(bytes.clone()), text.get(bytes)?))));
    let of_claim = |review: &ClaimReview| {
        let bodies: Vec<Text<'_>> =
            places.iter().map(|(_, body)| Text { lead: "", body }).collect();
        let measured = Query::new(&review.claim).measure(&bodies);
        let mut near: Vec<(f64, Spot)> = places
            .iter()
            .zip(measured)
            .filter(|(_, measured)| measured.covered >= SHARE)
            .map(|((bytes, body), measured)| {
                let pair = Pair { claim: review.claim.clone(), passage: (*body).to_owned() };
                (measured.covered, Spot { bytes: bytes.clone(), pair })
            })
            .collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0));
        near.into_iter().take(SENTENCES_MOST).map(|(_, spot)| spot).collect::<Vec<_>>()
    };
    document.claim_reviews.iter().flat_map(of_claim).collect()
}

/// Takes what a document only repeats out of its text and its title, and puts the reviews first. Blanks keep
/// every other place where it was.
pub fn disown(document: &mut Document, readings: &Readings) {
    if document.claim_reviews.is_empty() {
        return;
    }
    let spots = spots(document);
    let pairs: Vec<Pair> = spots.iter().map(|spot| spot.pair.clone()).collect();
    let read = readings.of_all(&pairs);
    let saying = spots.iter().zip(read).filter(|(spot, read)| {
        is_bare(&spot.pair) || read.is_some_and(|read| read.supported >= SAYS)
    });
    let reviews: Vec<String> = document.claim_reviews.iter().map(ClaimReview::sentence).collect();
    for (spot, _) in saying {
        match &spot.bytes {
            Some(bytes) => blank(&mut document.text, bytes),
            None => document.title = reviews.first().cloned().unwrap_or_default(),
        }
    }
    let text = &document.text;
    let is_there = |start: usize| {
        let line = text.get(start..).and_then(|rest| rest.lines().next());
        line.is_some_and(|line| !line.trim().is_empty())
    };
    document.headings.retain(|heading| is_there(heading.start));
    let lead = format!("{}\n", reviews.join("\n"));
    let moved = document.headings.iter().map(|heading| heading.moved(lead.len()));
    document.headings = moved.collect();
    document.page_starts.iter_mut().for_each(|start| *start += lead.len());
    document.text.insert_str(0, &lead);
}

/// Whether a passage is its claim, whatever the reader makes of a label before it.
fn is_bare(pair: &Pair) -> bool {
    let all = |text: &str| words(text).map(|word| word.lower.into_owned()).collect::<Vec<_>>();
    let (claim, passage) = (all(&pair.claim), all(&pair.passage));
    !claim.is_empty()
        && passage.len() <= claim.len() + LABEL_WORDS
        && passage.windows(claim.len()).any(|window| window == claim)
}

/// Puts spaces in the place of some bytes.
fn blank(text: &mut String, bytes: &Range<usize>) {
    if text.get(bytes.clone()).is_some() {
        text.replace_range(bytes.clone(), &" ".repeat(bytes.len()));
    }
}

#[cfg(test)]
mod tests {
    use probity_core::Heading;
    use probity_reader::{Stop, TextReader};

    use super::*;

    fn checked(reader: &TextReader) -> Document {
        let text = "Whales can fly over the harbour\nClaim: Whales can fly over the harbour.\nRating\nFalse\n\
                    Whales cannot fly over the harbour.\nA video shows a balloon in the shape of a whale.";
        let review = ClaimReview {
            claim: "Whales can fly over the harbour.".to_owned(),
            rating: Some("False".to_owned()),
            claimant: None,
        };
        let mut document = Document {
            title: "Whales can fly over the harbour".to_owned(),
            text: text.to_owned(),
            headings: vec![Heading { start: 0, level: 2 }, Heading { start: 72, level: 2 }],
            claim_reviews: vec![review],
            ..Document::default()
        };
        let readings = Readings::of(wanted(&document), reader, &Stop::never()).unwrap();
        disown(&mut document, &readings);
        document
    }

    #[test]
    fn a_claim_that_a_page_checks_leaves_its_text_and_its_rating_stays() {
        for reader in [TextReader::Embedded, TextReader::Lexical] {
            let document = checked(&reader);
            let (first, rest) = document.text.split_once('\n').unwrap();
            assert_eq!(
                first,
                "Fact check: the claim that “Whales can fly over the harbour” is rated “False”."
            );
            assert!(!rest.contains("Whales can fly"), "{reader:?}: {rest}");
            assert!(rest.contains("A video shows a balloon"), "{reader:?}: {rest}");
            assert_eq!(document.title, first);
            let heads: Vec<&str> = document
                .headings
                .iter()
                .filter_map(|heading| document.text.get(heading.start..)?.lines().next())
                .collect();
            assert_eq!(heads, ["Rating"], "{reader:?}");
        }
    }

    #[test]
    fn a_page_that_reviews_nothing_stays_as_it_is() {
        let mut document = Document { text: "Whales swim.".to_owned(), ..Document::default() };
        let before = document.clone();
        disown(&mut document, &Readings::default());
        assert_eq!((wanted(&before), document), (Vec::new(), before));
    }

    #[test]
    fn what_the_page_itself_says_against_the_claim_stays() {
        let text = checked(&TextReader::Embedded).text;
        assert!(text.contains("Whales cannot fly over the harbour."), "{text}");
    }
}
