//! A claim of another's that a page checks, and what the page makes of it.

use serde::{Deserialize, Serialize};

/// How the sentence of a review begins.
const OPENING: &str = "Fact check: the claim that “";
/// What is between the claim and its rating.
const RATED: &str = " is rated “";
/// The words after a claim whose rating could not be read.
const UNRATED: &str = " is reviewed, and its rating could not be read.";

/// A claim that a page reviews. The claim is not the page's own statement; the rating is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimReview {
    /// What others claim.
    pub claim: String,
    /// What the page makes of it, in its own words: `False`, `Mostly true`, `Teils falsch`. None where the
    /// page marks a review and gives no rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<String>,
    /// Who made the claim, where the page says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimant: Option<String>,
}

impl ClaimReview {
    /// The longest claim that is kept, in characters.
    pub const CLAIM_CHARS: usize = 400;
    /// The longest rating and the longest name of a claimant, in characters.
    pub const NAME_CHARS: usize = 60;

    /// The review as one sentence that says whose the claim is not.
    ///
    /// ```
    /// use probity_core::ClaimReview;
    ///
    /// let review = ClaimReview {
    ///     claim: "The moon is made of cheese.".to_owned(),
    ///     rating: Some("False".to_owned()),
    ///     claimant: None,
    /// };
    /// let sentence = review.sentence();
    /// assert_eq!(sentence, "Fact check: the claim that “The moon is made of cheese” is rated “False”.");
    /// assert!(ClaimReview::may_bear_out(&sentence, "It is false that the moon is made of cheese."));
    /// assert!(!ClaimReview::may_bear_out(&sentence, "The moon is made of cheese."));
    /// ```
    pub fn sentence(&self) -> String {
        let claim = inner(&self.claim);
        let by = self.claimant.as_deref().map(inner).filter(|name| !name.is_empty());
        let by = by.map(|name| format!(" by {name}")).unwrap_or_default();
        match self.rating.as_deref().map(inner).filter(|rating| !rating.is_empty()) {
            Some(rating) => format!("{OPENING}{claim}”{by}{RATED}{rating}”."),
            None => format!("{OPENING}{claim}”{by}{UNRATED}"),
        }
    }

    /// Whether a sentence tells of a review as [`ClaimReview::sentence`] does.
    pub fn is_sentence(text: &str) -> bool {
        text.trim_start().starts_with(OPENING)
    }

    /// Whether the sentence of a review may support a statement at all: only one that speaks of the rating,
    /// beyond what the claim itself says, or that is such a sentence too. Everything else would take the claim for
    /// the page's own.
    pub fn may_bear_out(sentence: &str, statement: &str) -> bool {
        if Self::is_sentence(statement) {
            return true;
        }
        let Some((claim, rating)) = sentence.rsplit_once(RATED) else { return false };
        let rating = rating.trim_end().trim_end_matches(['.', '”']).to_lowercase();
        let count = |text: &str| text.to_lowercase().matches(&rating).count();
        !rating.is_empty() && count(statement) > count(claim)
    }
}

/// A text as it may stand within the sentence: without marks that would end the quotation or the sentence.
fn inner(text: &str) -> String {
    let mut inner = String::new();
    for word in text.split_whitespace() {
        if !inner.is_empty() {
            inner.push_str(if inner.ends_with(['.', '!', '?']) { " – " } else { " " });
        }
        inner.extend(word.chars().filter(|c| !matches!(c, '“' | '”' | '"' | '„' | '«' | '»')));
    }
    let whole = inner.replace(". –", " –").replace("! –", " –").replace("? –", " –");
    whole.trim_end_matches(['.', '!', '?', ' ', '–']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn review(claim: &str, rating: Option<&str>) -> ClaimReview {
        let rating = rating.map(str::to_owned);
        ClaimReview { claim: claim.to_owned(), rating, claimant: Some("a post".to_owned()) }
    }

    #[test]
    fn a_review_is_one_sentence_whatever_the_claim_has() {
        let sentence = review("He said \"no. Never!\" Then\n he left.", Some("False!")).sentence();
        assert_eq!(
            sentence,
            "Fact check: the claim that “He said no – Never – Then he left” by a post is rated “False”."
        );
        assert!(ClaimReview::is_sentence(&sentence));
        let sentence = review("Whales fly.", None).sentence();
        assert!(
            sentence
                .ends_with("“Whales fly” by a post is reviewed, and its rating could not be read.")
        );
    }

    #[test]
    fn a_review_bears_out_what_speaks_of_its_rating_and_nothing_else() {
        let sentence = review("The footage is false.", Some("False")).sentence();
        assert!(!ClaimReview::may_bear_out(&sentence, "The footage is false."));
        assert!(ClaimReview::may_bear_out(&sentence, "It is false that the footage is false."));
        assert!(ClaimReview::may_bear_out(&sentence, &sentence));
        let unrated = review("Whales fly.", None).sentence();
        assert!(!ClaimReview::may_bear_out(&unrated, "Whales fly."));
        assert!(ClaimReview::may_bear_out(&unrated, &unrated));
    }
}
