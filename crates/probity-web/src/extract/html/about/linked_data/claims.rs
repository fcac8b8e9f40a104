//! The claims that a page reviews, as its structured data has them (`ClaimReview` of schema.org).

use std::collections::VecDeque;

use probity_core::ClaimReview;
use serde_json::{Map, Value};

use super::{MAX_OBJECTS, has_type, names_of, text_of};
use crate::extract::claim_labels::{MAX_REVIEWS, review};

/// The type of a review.
pub(super) const TYPE: &str = "ClaimReview";

/// Adds the reviews in a block, wherever they stand in it.
pub(super) fn add(block: &Value, reviews: &mut Vec<ClaimReview>) {
    let mut queue = VecDeque::from([block]);
    let mut looked_at = 0;
    while let Some(value) = queue.pop_front() {
        looked_at += 1;
        if looked_at > MAX_OBJECTS || reviews.len() >= MAX_REVIEWS {
            return;
        }
        match value {
            Value::Array(items) => queue.extend(items.iter().take(MAX_OBJECTS)),
            Value::Object(object) => {
                let found = has_type(object, &[TYPE]).then(|| of_object(object)).flatten();
                reviews.extend(found.filter(|found| !reviews.contains(found)));
                queue.extend(object.values().filter(|inner| inner.is_object() || inner.is_array()));
            }
            _ => {}
        }
    }
}

fn of_object(object: &Map<String, Value>) -> Option<ClaimReview> {
    let reviewed = first(object.get("itemReviewed"));
    let claim = text_of(object.get("claimReviewed"))
        .or_else(|| text_of(reviewed?.get("claimReviewed").or_else(|| reviewed?.get("name"))))?;
    let author = reviewed.and_then(|claim| claim.get("author"));
    let claimant = names_of(author).into_iter().next();
    review(
        &claim,
        first(object.get("reviewRating")).and_then(rating).as_deref(),
        claimant.as_deref(),
    )
}

/// The rating in words; where it has none, its number and its scale.
fn rating(rating: &Map<String, Value>) -> Option<String> {
    let words = ["alternateName", "name"].iter().find_map(|key| text_of(rating.get(*key)));
    words.or_else(|| {
        let value = number(rating.get("ratingValue"))?;
        let best = number(rating.get("bestRating"));
        Some(best.map_or_else(|| value.clone(), |best| format!("{value} of {best}")))
    })
}

fn number(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::Number(number) => Some(number.to_string()),
        value => text_of(Some(value)),
    }
}

/// An object, or the first of a list of them.
fn first(value: Option<&Value>) -> Option<&Map<String, Value>> {
    match value? {
        Value::Array(items) => items.first()?.as_object(),
        value => value.as_object(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(block: Value) -> Vec<ClaimReview> {
        let mut reviews = Vec::new();
        add(&block, &mut reviews);
        reviews
    }

    #[test]
    fn a_review_is_found_however_deep_it_stands() {
        let one = json!({
            "@type": ["Review", "http://schema.org/ClaimReview"],
            "claimReviewed": "Whales &amp; dolphins fly.",
            "itemReviewed": {"@type": "Claim", "author": [{"name": "a post"}]},
            "reviewRating": {"@type": "Rating", "ratingValue": 1, "bestRating": 5, "alternateName": "False"},
        });
        let reviews = found(json!({"@graph": [{"@type": "Article", "review": [one, one]}]}));
        let [review] = &reviews[..] else { panic!("{reviews:?}") };
        assert_eq!(review.claim, "Whales & dolphins fly.");
        assert_eq!(review.rating.as_deref(), Some("False"));
        assert_eq!(review.claimant.as_deref(), Some("a post"));
    }

    #[test]
    fn a_rating_without_words_is_recognised_by_its_scale() {
        let rated = |rating: Value| {
            let block = json!({"@type": "ClaimReview", "claimReviewed": "Whales can fly.", "reviewRating": rating});
            found(block)[0].rating.clone()
        };
        assert_eq!(rated(json!({"ratingValue": "1", "bestRating": 5})).as_deref(), Some("1 of 5"));
        assert_eq!(rated(json!({"ratingValue": 2})).as_deref(), Some("2"));
        assert_eq!(rated(json!({})), None);
        assert_eq!(rated(json!("False")), None);
    }

    #[test]
    fn what_reviews_nothing_is_passed_over_and_a_flood_is_cut() {
        assert!(found(json!({"@type": "ClaimReview"})).is_empty());
        assert!(found(json!({"@type": "Review", "claimReviewed": "Whales can fly."})).is_empty());
        let many: Vec<Value> = (0..500)
            .map(
                |n| json!({"@type": "ClaimReview", "claimReviewed": format!("Whale {n} can fly.")}),
            )
            .collect();
        assert_eq!(found(Value::Array(many)).len(), MAX_REVIEWS);
    }
}
