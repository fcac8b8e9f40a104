//! Which article speaks for a story.

use std::cmp::Ordering;

use probity_core::Timestamp;

/// Products that differ by less than this are equal.
const STEP: f64 = 1e-9;

/// An article that may speak for its story.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate<'a> {
    /// What distinguishes it from others.
    pub id: &'a str,
    /// How relevant it is, from 0 to 1.
    pub relevance: f64,
    /// The current credibility of its outlet, from 0 to 1.
    pub credibility: f64,
    /// When it was published, where that is known.
    pub published: Option<Timestamp>,
}

/// The article that represents a story: the highest relevance × credibility; among equals the
/// higher credibility, then the earlier publication, then the smaller id. The order in which they
/// are given does not matter.
///
/// ```
/// use probity_news::represent::{Candidate, representative};
///
/// let candidate = |id, credibility| Candidate { id, relevance: 0.8, credibility, published: None };
/// let all = [candidate("a", 0.5), candidate("b", 0.92)];
/// assert_eq!(representative(&all).map(|chosen| chosen.id), Some("b"));
/// ```
pub fn representative<'a, 'b>(candidates: &'b [Candidate<'a>]) -> Option<&'b Candidate<'a>> {
    candidates.iter().min_by(|a, b| order(a, b))
}

/// Better candidates first.
pub fn order(a: &Candidate<'_>, b: &Candidate<'_>) -> Ordering {
    let worth = |one: &Candidate<'_>| steps(one.relevance * one.credibility);
    let time = |one: &Candidate<'_>| one.published.unwrap_or(Timestamp(i64::MAX));
    worth(b)
        .cmp(&worth(a))
        .then_with(|| steps(b.credibility).cmp(&steps(a.credibility)))
        .then_with(|| time(a).cmp(&time(b)))
        .then_with(|| by_id(a.id, b.id))
}

/// A share in whole steps, so that equality carries over from one pair to the next.
#[expect(clippy::cast_possible_truncation, reason = "a share is within 0 and 1")]
fn steps(share: f64) -> i64 {
    (share / STEP).round() as i64
}

/// Numbers by their size, everything else by its letters.
pub fn by_id(a: &str, b: &str) -> Ordering {
    match (a.parse::<u64>(), b.parse::<u64>()) {
        (Ok(left), Ok(right)) => left.cmp(&right).then_with(|| a.cmp(b)),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => a.cmp(b),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn candidate(id: &str, relevance: f64, credibility: f64, at: Option<i64>) -> Candidate<'_> {
        Candidate { id, relevance, credibility, published: at.map(Timestamp) }
    }

    #[test]
    fn ties_are_broken_by_credibility_then_time_then_id() {
        let cases = [
            ([candidate("a", 0.9, 0.5, None), candidate("b", 0.5, 0.9, None)], "b"),
            ([candidate("a", 0.3, 0.1, Some(9)), candidate("b", 0.1, 0.3, Some(9))], "b"),
            ([candidate("a", 1.0, 0.5, Some(5)), candidate("b", 1.0, 0.5, Some(4))], "b"),
            ([candidate("a", 1.0, 0.5, None), candidate("b", 1.0, 0.5, Some(4))], "b"),
            ([candidate("10", 1.0, 0.5, Some(4)), candidate("9", 1.0, 0.5, Some(4))], "9"),
        ];
        for (all, expected) in cases {
            assert_eq!(representative(&all).unwrap().id, expected);
        }
        assert_eq!(representative(&[]), None);
    }

    proptest! {
        #[test]
        fn the_order_of_candidates_does_not_matter(
            parts in prop::collection::vec((0..4_u8, 0..4_u8, prop::option::of(0..3_i64)), 1..8),
            turn in 0..8_usize,
        ) {
            let ids: Vec<String> = (0..parts.len()).map(|id| id.to_string()).collect();
            let mut all: Vec<Candidate<'_>> = parts
                .iter()
                .zip(&ids)
                .map(|((r, c, at), id)| candidate(id, f64::from(*r) / 3.0, f64::from(*c) / 3.0, *at))
                .collect();
            let first = representative(&all).unwrap().id;
            let turn = turn % all.len();
            all.rotate_left(turn);
            prop_assert_eq!(representative(&all).unwrap().id, first);
            all.reverse();
            prop_assert_eq!(representative(&all).unwrap().id, first);
        }
    }
}
