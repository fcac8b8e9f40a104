//! Reviews of claims that a page marks in its elements (`itemtype` and `itemprop`).

use probity_core::ClaimReview;

use super::super::tree::{Attr, NodeId, Tree};
use crate::extract::claim_labels::{MAX_REVIEWS, review};

/// How many bytes of an element are read for a claim.
const MAX_BYTES: usize = 2_000;

/// The reviews of a page.
pub(super) fn claim_reviews(tree: &Tree) -> Vec<ClaimReview> {
    let is_review = |id: &NodeId| {
        tree.attr(*id, Attr::Itemtype).is_some_and(|kind| kind.trim().ends_with("/ClaimReview"))
    };
    let marked = tree.ids().filter(is_review).take(MAX_REVIEWS);
    marked.filter_map(|id| of_element(tree, id)).collect()
}

fn of_element(tree: &Tree, id: NodeId) -> Option<ClaimReview> {
    let claim = value(tree, id, "claimReviewed")?;
    let rated = find(tree, id, "reviewRating");
    let rating = rated.and_then(|rated| {
        let words = value(tree, rated, "alternateName").or_else(|| value(tree, rated, "name"));
        words.or_else(|| value(tree, rated, "ratingValue"))
    });
    review(&claim, rating.as_deref(), None)
}

/// The first element within another that has a property.
fn find(tree: &Tree, within: NodeId, property: &str) -> Option<NodeId> {
    tree.subtree(within).find(|id| {
        let names = tree.attr(*id, Attr::Itemprop);
        names.is_some_and(|names| names.split_whitespace().any(|name| name == property))
    })
}

fn value(tree: &Tree, within: NodeId, property: &str) -> Option<String> {
    let id = find(tree, within, property)?;
    let said = tree.attr(id, Attr::Content).map(str::to_owned);
    said.or_else(|| Some(tree.flat_text(id, MAX_BYTES))).filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::super::parse::parse;
    use super::*;

    #[test]
    fn a_review_is_read_from_text_and_from_attributes() {
        let tree = parse(
            "<div itemscope itemtype='https://schema.org/ClaimReview'>\
             <h2 itemprop='headline claimReviewed'>Whales <em>can</em> fly.</h2>\
             <p itemprop='reviewRating'><meta itemprop='ratingValue' content='1'>\
             <meta itemprop='alternateName' content='False'></p></div>\
             <div itemtype='https://schema.org/ClaimReview'><p>Nothing</p></div>",
        );
        let reviews = claim_reviews(&tree);
        let [review] = &reviews[..] else { panic!("{reviews:?}") };
        assert_eq!(review.claim, "Whales can fly.");
        assert_eq!(review.rating.as_deref(), Some("False"));
    }
}
