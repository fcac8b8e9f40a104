//! Several ranked lists → one, by reciprocal rank fusion.
//!
//! A page scores `1 / (60 + rank)` for each list that contains it, the first rank being 1, and the
//! sums decide. So a page that two providers put third beats one that a single provider put first,
//! and no provider's own scores have to be comparable with another's. (Cormack, Clarke and
//! Büttcher, 2009, found 60 to work for every collection they tried.)

use std::cmp::Ordering;
use std::collections::HashMap;

use probity_core::{CanonicalUrl, SearchHit};

/// How slowly the weight of a rank falls.
pub const RANK_CONSTANT: f64 = 60.0;

/// One place of one page in one list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    rank: usize,
    list: usize,
}

/// A page and everywhere it was found.
#[derive(Debug)]
struct Page {
    found: Vec<(Place, SearchHit)>,
}

/// Merges lists, each best first. The order of the lists breaks ties, and nothing else depends on it.
///
/// Pages are distinguished by canonical URL. One that several lists hold appears once: with the address
/// from its best rank, the fullest title and snippet, the date of the best-ranked hit that has one,
/// and all its providers, best rank first.
pub fn fuse(lists: Vec<Vec<SearchHit>>) -> Vec<SearchHit> {
    let mut pages: HashMap<CanonicalUrl, Page> = HashMap::new();
    for (list, hits) in lists.into_iter().enumerate() {
        for (index, hit) in hits.into_iter().enumerate() {
            let page =
                pages.entry(hit.url.canonical()).or_insert_with(|| Page { found: Vec::new() });
            // A list that repeats a page has said nothing new.
            if page.found.iter().all(|(place, _)| place.list != list) {
                page.found.push((Place { rank: index + 1, list }, hit));
            }
        }
    }
    let mut ranked: Vec<(f64, usize, CanonicalUrl, Page)> =
        pages.into_iter().map(|(url, page)| (page.score(), page.first_list(), url, page)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then_with(|| a.2.cmp(&b.2)));
    ranked.into_iter().filter_map(|(_, _, _, page)| page.merge()).collect()
}

impl Page {
    fn score(&self) -> f64 {
        let mut ranks: Vec<usize> = self.found.iter().map(|(place, _)| place.rank).collect();
        // Adding in one order makes equal ranks give equal sums, to the last bit.
        ranks.sort_unstable();
        ranks.into_iter().map(|rank| 1.0 / (RANK_CONSTANT + rank as f64)).sum()
    }

    fn first_list(&self) -> usize {
        self.found.iter().map(|(place, _)| place.list).min().unwrap_or(usize::MAX)
    }

    fn merge(mut self) -> Option<SearchHit> {
        self.found.sort_by_key(|(place, _)| *place);
        let mut hits = self.found.into_iter().map(|(_, hit)| hit);
        let mut merged = hits.next()?;
        for hit in hits {
            if fuller(&hit.title, &merged.title) == Ordering::Greater {
                merged.title = hit.title;
            }
            if fuller(&hit.snippet, &merged.snippet) == Ordering::Greater {
                merged.snippet = hit.snippet;
            }
            merged.published = merged.published.or(hit.published);
            for provider in hit.providers {
                if !merged.providers.contains(&provider) {
                    merged.providers.push(provider);
                }
            }
        }
        Some(merged)
    }
}

/// Which text says more: one that was not cut off, else the longer one.
fn fuller(a: &str, b: &str) -> Ordering {
    let whole = |text: &str| !text.is_empty() && !text.ends_with('…') && !text.ends_with("...");
    let length = |text: &str| text.chars().count();
    // A cut-off text that is much longer still says more than a short whole one.
    match (whole(a), whole(b)) {
        (true, false) if length(a) * 2 >= length(b) => Ordering::Greater,
        (false, true) if length(b) * 2 >= length(a) => Ordering::Less,
        _ => length(a).cmp(&length(b)),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use jiff::civil::date;
    use probity_core::WebUrl;
    use proptest::prelude::*;

    use super::*;

    fn hit(provider: &str, url: &str) -> SearchHit {
        SearchHit {
            url: WebUrl::parse(url).unwrap(),
            title: format!("{url} by {provider}"),
            snippet: String::new(),
            published: None,
            providers: vec![provider.to_owned()],
        }
    }

    fn list(provider: &str, pages: &[u8]) -> Vec<SearchHit> {
        pages.iter().map(|page| hit(provider, &format!("https://a.example/{page}"))).collect()
    }

    fn urls(hits: &[SearchHit]) -> Vec<&str> {
        hits.iter().map(|hit| hit.url.as_str()).collect()
    }

    #[test]
    fn agreement_beats_a_single_first_place() {
        let fused = fuse(vec![list("x", &[1, 2, 3]), list("y", &[4, 5, 3])]);
        assert_eq!(
            urls(&fused),
            [
                "https://a.example/3",
                "https://a.example/1",
                "https://a.example/4",
                "https://a.example/2",
                "https://a.example/5"
            ]
        );
        assert_eq!(fused[0].providers, ["x", "y"]);
    }

    #[test]
    fn one_page_keeps_the_best_of_all_that_found_it() {
        let mut long = hit("x", "https://a.example/p?utm_source=x");
        long.title = "A title that was cut…".to_owned();
        long.snippet = "Short.".to_owned();
        let mut best = hit("y", "https://a.example/p");
        best.title = "A title that was not cut".to_owned();
        best.snippet = "A longer account of the page.".to_owned();
        best.published = Some(date(2026, 3, 1));
        let mut third = hit("z", "https://a.example/p/");
        third.title = String::new();
        third.published = Some(date(2020, 1, 1));
        let other = hit("x", "https://a.example/other");

        let fused = fuse(vec![vec![other, long], vec![best], vec![third]]);
        assert_eq!(fused.len(), 2);
        let page = &fused[0];
        assert_eq!(page.url.as_str(), "https://a.example/p", "the address from the best rank");
        assert_eq!(page.title, "A title that was not cut");
        assert_eq!(page.snippet, "A longer account of the page.");
        assert_eq!(page.published, Some(date(2026, 3, 1)));
        assert_eq!(page.providers, ["y", "z", "x"], "best rank first");
    }

    #[test]
    fn nothing_in_gives_nothing_out() {
        assert!(fuse(Vec::new()).is_empty());
        assert!(fuse(vec![Vec::new(), Vec::new()]).is_empty());
    }

    fn any_lists() -> impl Strategy<Value = Vec<Vec<SearchHit>>> {
        prop::collection::vec(prop::collection::vec(0u8..20, 0..12), 0..5).prop_map(|lists| {
            lists
                .iter()
                .enumerate()
                .map(|(index, pages)| list(&format!("p{index}"), pages))
                .collect()
        })
    }

    fn set(hits: impl IntoIterator<Item = SearchHit>) -> BTreeSet<CanonicalUrl> {
        hits.into_iter().map(|hit| hit.url.canonical()).collect()
    }

    proptest! {
        #[test]
        fn every_page_is_there_exactly_once(lists in any_lists()) {
            let fused = fuse(lists.clone());
            prop_assert_eq!(set(fused.clone()).len(), fused.len());
            prop_assert_eq!(set(fused), set(lists.into_iter().flatten()));
        }

        #[test]
        fn every_provider_that_found_a_page_is_kept(lists in any_lists()) {
            for page in fuse(lists.clone()) {
                let found: BTreeSet<_> = lists.iter().flatten()
                    .filter(|hit| hit.url.canonical() == page.url.canonical())
                    .flat_map(|hit| hit.providers.clone()).collect();
                prop_assert_eq!(page.providers.iter().cloned().collect::<BTreeSet<_>>(), found);
                prop_assert_eq!(page.providers.len(), page.providers.iter().collect::<BTreeSet<_>>().len());
            }
        }

        #[test]
        fn the_order_of_the_lists_only_breaks_ties(lists in any_lists(), turn in 0usize..5) {
            let mut turned = lists.clone();
            let by = turn.min(turned.len());
            turned.rotate_left(by);
            let score = |lists: &[Vec<SearchHit>], url: &CanonicalUrl| -> f64 {
                let mut ranks: Vec<usize> = lists.iter()
                    .filter_map(|hits| hits.iter().position(|hit| hit.url.canonical() == *url)).collect();
                ranks.sort_unstable();
                ranks.into_iter().map(|index| 1.0 / (RANK_CONSTANT + index as f64 + 1.0)).sum()
            };
            let (one, other) = (fuse(lists.clone()), fuse(turned));
            prop_assert_eq!(one.len(), other.len());
            for (a, b) in one.iter().zip(&other) {
                prop_assert_eq!(score(&lists, &a.url.canonical()), score(&lists, &b.url.canonical()));
            }
            for pair in one.windows(2) {
                prop_assert!(score(&lists, &pair[0].url.canonical()) >= score(&lists, &pair[1].url.canonical()));
            }
        }

        #[test]
        fn fusing_one_list_keeps_its_order(pages in prop::collection::vec(0u8..30, 0..20)) {
            let mut distinct = Vec::new();
            for page in pages {
                if !distinct.contains(&page) {
                    distinct.push(page);
                }
            }
            let hits = list("x", &distinct);
            prop_assert_eq!(fuse(vec![hits.clone()]), hits);
        }

        #[test]
        fn the_same_lists_always_fuse_alike(lists in any_lists()) {
            prop_assert_eq!(fuse(lists.clone()), fuse(lists));
        }
    }
}
