//! Terms in the forms that the two engines take: what FTS5 indexes and matches, what a `tsvector`
//! and a `tsquery` are written as.
//!
//! Terms hold letters, digits and `_` only (see [`super::terms`]), and each is quoted all the same:
//! a query is data, never syntax.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::rank::Query;

/// The highest position a `tsvector` tells apart.
const POSITIONS: usize = 16_383;
/// How many passages the words of a search may find together before the more common words are left
/// out of the search itself. They still count in the order of the result.
const FOUND: u64 = 5_000;

/// Terms as FTS5 indexes them.
pub(crate) fn fts5_text(terms: &[String]) -> String {
    terms.join(" ")
}

/// Terms as PostgreSQL indexes them: those of the title with weight A, and their positions.
pub(crate) fn tsvector_text<'t>(
    title: &'t [String],
    body: impl Iterator<Item = &'t str>,
) -> String {
    let mut places: BTreeMap<&str, Vec<(usize, &str)>> = BTreeMap::new();
    let title = title.iter().map(|term| (term.as_str(), "A"));
    let weighted = title.chain(body.map(|term| (term, "")));
    for (position, (term, weight)) in (1..=POSITIONS).zip(weighted) {
        places.entry(term).or_default().push((position, weight));
    }
    let mut text = String::new();
    for (term, found) in places {
        let _ = write!(text, "'{term}':");
        for (number, (position, weight)) in found.into_iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            let _ = write!(text, "{comma}{position}{weight}");
        }
        text.push(' ');
    }
    text
}

/// A term that a search looks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SearchTerm<'q> {
    /// The term.
    pub(crate) term: &'q str,
    /// How much its word tells.
    pub(crate) weight: f64,
}

/// The terms that a search looks for: of the rarest words first, as many as stay affordable, and
/// always of at least one that the library has at all.
pub(crate) fn search_terms(query: &Query, found_in: impl Fn(&str) -> u64) -> Vec<SearchTerm<'_>> {
    let mut words: Vec<(u64, Vec<SearchTerm<'_>>)> = query
        .words
        .iter()
        .zip(&query.weights)
        .map(|(word, weight)| {
            let held = word.terms.iter().filter(|term| found_in(term) > 0);
            let terms: Vec<_> = held.map(|term| SearchTerm { term, weight: *weight }).collect();
            (terms.iter().map(|held| found_in(held.term)).sum(), terms)
        })
        .filter(|(found, _)| *found > 0)
        .collect();
    words.sort_by_key(|(found, _)| *found);
    let mut terms = Vec::new();
    let mut together = 0;
    for (found, held) in words {
        together += found;
        if !terms.is_empty() && together > FOUND {
            break;
        }
        terms.extend(held);
    }
    terms
}

/// A search for any of the terms, for FTS5.
pub(crate) fn match_text(terms: &[SearchTerm<'_>]) -> String {
    terms.iter().map(|held| format!("\"{}\"", held.term)).collect::<Vec<_>>().join(" OR ")
}

/// The terms as `tsquery` texts with their weights, as JSON.
pub(crate) fn weighted_text(terms: &[SearchTerm<'_>]) -> String {
    let weighted = terms
        .iter()
        .map(|held| serde_json::json!({"term": format!("'{}'", held.term), "weight": held.weight}));
    serde_json::Value::from_iter(weighted).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(terms: &[&str]) -> Vec<String> {
        terms.iter().map(|term| (*term).to_owned()).collect()
    }

    #[test]
    fn titles_and_texts_keep_their_positions() {
        let text = tsvector_text(&owned(&["nois", "code"]), ["code", "night", "code"].into_iter());
        assert_eq!(text, "'code':2A,3,5 'night':4 'nois':1A ");
        assert_eq!(fts5_text(&owned(&["code", "night"])), "code night");
    }

    #[test]
    fn searches_are_written_in_both_dialects() {
        let terms = ["nois", "night"].map(|term| SearchTerm { term, weight: 1.5 });
        assert_eq!(match_text(&terms), "\"nois\" OR \"night\"");
        assert_eq!(
            weighted_text(&terms),
            r#"[{"term":"'nois'","weight":1.5},{"term":"'night'","weight":1.5}]"#
        );
    }

    #[test]
    fn common_words_are_left_out_of_a_search_that_has_rarer_ones() {
        let query = Query::new("harbour noise permits", &[]);
        let terms: Vec<String> = query.words.iter().flat_map(|word| word.terms.clone()).collect();
        let found = |common: u64, term: &str| if term == terms[0] { common } else { 10 };
        let searched = search_terms(&query, |term| found(20_000, term));
        let searched: Vec<&str> = searched.iter().map(|held| held.term).collect();
        assert_eq!(searched, [&terms[1], &terms[2]]);
        assert_eq!(search_terms(&query, |term| found(100, term)).len(), 3);
        let only_common = Query::new("harbour", &[]);
        assert_eq!(search_terms(&only_common, |_| 20_000).len(), 1);
        assert!(search_terms(&query, |_| 0).is_empty());
    }
}
