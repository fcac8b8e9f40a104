//! Claims that a text checks, as readers see them: `Claim: …` and, soon after it, `Rating: False`.
//!
//! Both labels have to be there, each at the head of a line: a text that only speaks of claims reviews none.

use probity_core::ClaimReview;

use super::html::one_line;

/// The most reviews of one page.
pub(crate) const MAX_REVIEWS: usize = 20;
/// The fewest words of a claim.
const CLAIM_WORDS: usize = 3;
/// How many lines after the claim its rating may stand.
const REACH: usize = 6;
/// The longest label, in bytes.
const LABEL_BYTES: usize = 40;

/// What heads a claim, in the languages of most fact checks.
const CLAIM: &[&str] = &[
    "claim",
    "the claim",
    "what was claimed",
    "what's being claimed",
    "behauptung",
    "die behauptung",
    "affirmation",
    "l'affirmation",
    "afirmación",
    "la afirmación",
    "alegação",
    "a alegação",
    "l'affermazione",
    "affermazione",
];
/// The last word of what heads a rating: `Rating`, `Our verdict`, `AP's assessment`.
const RATING: &[&str] = &[
    "rating",
    "verdict",
    "assessment",
    "ruling",
    "bewertung",
    "urteil",
    "évaluation",
    "veredicto",
    "calificación",
    "avaliação",
    "verdetto",
    "valutazione",
];

/// A review of a claim that is long enough to be one, with everything on one line and cut to length.
pub(crate) fn review(
    claim: &str,
    rating: Option<&str>,
    claimant: Option<&str>,
) -> Option<ClaimReview> {
    let claim = one_line(claim, ClaimReview::CLAIM_CHARS);
    let name = |text: &str| one_line(text, ClaimReview::NAME_CHARS);
    let named = |text: Option<&str>| text.map(name).filter(|text| !text.is_empty());
    (claim.split(' ').count() >= CLAIM_WORDS).then(|| ClaimReview {
        claim,
        rating: named(rating),
        claimant: named(claimant),
    })
}

/// The claims that a text checks under labels.
pub(super) fn labelled(text: &str) -> Vec<ClaimReview> {
    let mut reviews = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if reviews.len() >= MAX_REVIEWS {
            break;
        }
        let Some(claim) = under(line, &lines, is_claim) else { continue };
        let mut after = lines.clone();
        let rating = (0..REACH).find_map(|_| {
            let line = after.next()?;
            under(line, &after, is_rating)
        });
        // A number of stars rates goods and not claims.
        let rating = rating.and_then(|said| said.split(['.', ';', '–', '—']).next());
        let Some(rating) = rating.filter(|words| words.chars().any(char::is_alphabetic)) else {
            continue;
        };
        reviews.extend(review(claim, Some(rating), None));
    }
    reviews
}

/// What is under a label: the rest of its line, or else the next one.
fn under<'a>(
    line: &'a str,
    after: &std::str::Lines<'a>,
    is_label: fn(&str) -> bool,
) -> Option<&'a str> {
    let (label, rest) = line.split_once(':').unwrap_or((line, ""));
    if label.len() > LABEL_BYTES || !is_label(&label.trim().to_lowercase().replace('’', "'")) {
        return None;
    }
    match rest.trim() {
        "" => after.clone().map(str::trim).find(|line| !line.is_empty()),
        rest => Some(rest),
    }
}

fn is_claim(label: &str) -> bool {
    CLAIM.contains(&label)
}

/// At most three words, the last of which is one of the list.
fn is_rating(label: &str) -> bool {
    let words: Vec<&str> = label.split_whitespace().collect();
    words.len() <= 3 && words.last().is_some_and(|last| RATING.contains(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, Option<String>)> {
        labelled(text).into_iter().map(|review| (review.claim, review.rating)).collect()
    }

    #[test]
    fn a_claim_and_its_rating_are_read_beside_their_labels_or_below_them() {
        let whales = |rating: &str| vec![("Whales can fly.".to_owned(), Some(rating.to_owned()))];
        for (text, rating) in [
            ("Claim: Whales can fly.\nRating: False", "False"),
            (
                "Claim\n\nWhales can fly.\n\nRating\n\nMostly False\n\nIn March a post said so.",
                "Mostly False",
            ),
            ("CLAIM: Whales can fly.\nAP’S ASSESSMENT: False. Whales swim.", "False"),
            ("What was claimed\nWhales can fly.\nOur verdict\nIncorrect. They swim.", "Incorrect"),
            ("Die Behauptung: Whales can fly.\nBewertung: Frei erfunden", "Frei erfunden"),
        ] {
            assert_eq!(found(text), whales(rating), "{text}");
        }
    }

    #[test]
    fn a_text_that_only_speaks_of_claims_reviews_none() {
        for text in [
            "Claim: Whales can fly.",
            "Claim: Whales can fly.\nRating: 4.5",
            "Claim: lost\nRating: False",
            "The ministry rejects the claim: whales cannot fly.\nRating: AAA",
            "Claim: Whales can fly.\n1\n2\n3\n4\n5\n6\n7\nRating: False",
            "Rating: False\nWhales can fly.",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    #[test]
    fn a_page_of_claims_is_cut() {
        let text = "Claim: Whales can fly far.\nVerdict: False\n".repeat(100);
        assert_eq!(found(&text).len(), MAX_REVIEWS);
    }
}
