//! The candidates of a run: each with how it came to be one and which queries found it.

use std::collections::HashMap;

use probity_core::{Candidate, CanonicalUrl, SourceId};

use crate::gather::{FoundHit, Origin, SearchAnswer};
use crate::run::MAX_CANDIDATES;

/// A candidate and what only the run needs to know of it.
pub(crate) struct Tracked {
    pub(crate) candidate: Candidate,
    /// How it came to be a candidate.
    pub(crate) origin: Origin,
    /// Which of the sent queries found it.
    pub(crate) found_by: Vec<usize>,
}

/// A new result that is not scored yet.
pub(crate) struct Fresh {
    pub(crate) found: FoundHit,
    /// Which of the sent queries found it.
    pub(crate) found_by: Vec<usize>,
}

/// All candidates of a run. The number of a candidate is its place.
#[derive(Default)]
pub(crate) struct Sources {
    tracked: Vec<Tracked>,
    by_address: HashMap<CanonicalUrl, SourceId>,
}

impl Sources {
    pub(crate) fn len(&self) -> usize {
        self.tracked.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tracked.is_empty()
    }

    /// The number of the next one to be entered.
    pub(crate) fn next_id(&self) -> SourceId {
        SourceId(self.tracked.len() as u32)
    }

    pub(crate) fn get(&self, id: SourceId) -> Option<&Tracked> {
        self.tracked.get(id.0 as usize)
    }

    pub(crate) fn get_mut(&mut self, id: SourceId) -> Option<&mut Tracked> {
        self.tracked.get_mut(id.0 as usize)
    }

    pub(crate) fn tracked(&self) -> impl Iterator<Item = &Tracked> {
        self.tracked.iter()
    }

    pub(crate) fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        self.tracked.iter().map(|tracked| &tracked.candidate)
    }

    pub(crate) fn into_candidates(self) -> Vec<Candidate> {
        self.tracked.into_iter().map(|tracked| tracked.candidate).collect()
    }

    pub(crate) fn enter(&mut self, tracked: Tracked) {
        self.tracked.push(tracked);
    }

    /// The candidate whose page is at an address.
    pub(crate) fn at(&self, address: &CanonicalUrl) -> Option<SourceId> {
        self.by_address.get(address).copied()
    }

    /// Notes that a candidate's page was found at an address, unless another's was there before.
    pub(crate) fn landed(&mut self, address: CanonicalUrl, id: SourceId) {
        self.by_address.entry(address).or_insert(id);
    }

    /// The new results, in the order in which they are to be entered: the best of
    /// every query first, so that no query's results come after all of another's. `first` is the place
    /// of the first of these queries among all that were sent.
    pub(crate) fn merge(&mut self, first: usize, answers: Vec<SearchAnswer>) -> Vec<Fresh> {
        let mut fresh: Vec<Fresh> = Vec::new();
        let mut columns: Vec<_> =
            answers.into_iter().map(|answer| answer.hits.into_iter()).collect();
        loop {
            let mut any = false;
            for (offset, column) in columns.iter_mut().enumerate() {
                let Some(found) = column.next() else { continue };
                any = true;
                let query = first + offset;
                let next = self.tracked.len() + fresh.len();
                let key = found.hit.url.canonical();
                match self.at(&key) {
                    Some(id) => self.found_again(&mut fresh, id, query),
                    None if next < MAX_CANDIDATES => {
                        self.by_address.insert(key, SourceId(next as u32));
                        fresh.push(Fresh { found, found_by: vec![query] });
                    }
                    None => {}
                }
            }
            if !any {
                return fresh;
            }
        }
    }

    fn found_again(&mut self, fresh: &mut [Fresh], id: SourceId, query: usize) {
        let (place, known) = (id.0 as usize, self.tracked.len());
        let found_by = match place.checked_sub(known) {
            None => self.tracked.get_mut(place).map(|tracked| &mut tracked.found_by),
            Some(place) => fresh.get_mut(place).map(|fresh| &mut fresh.found_by),
        };
        if let Some(found_by) = found_by
            && !found_by.contains(&query)
        {
            found_by.push(query);
        }
    }
}

#[cfg(test)]
mod tests {
    use probity_core::{SearchHit, WebUrl};

    use super::*;

    fn answer(addresses: &[&str]) -> SearchAnswer {
        let hits = addresses.iter().map(|url| FoundHit {
            hit: SearchHit {
                url: WebUrl::parse(url).unwrap(),
                title: String::new(),
                snippet: String::new(),
                published: None,
                providers: Vec::new(),
            },
            origin: Origin::Web,
            outlet: None,
        });
        SearchAnswer { hits: hits.collect(), ..SearchAnswer::default() }
    }

    #[test]
    fn each_page_is_entered_once_with_every_query_that_found_it() {
        let mut sources = Sources::default();
        let answers = vec![
            answer(&["https://a.example/", "https://b.example/"]),
            answer(&["https://c.example/", "https://a.example/#part", "https://a.example/"]),
        ];
        let fresh = sources.merge(4, answers);
        let found: Vec<(&str, &[usize])> = fresh
            .iter()
            .map(|fresh| (fresh.found.hit.url.host(), fresh.found_by.as_slice()))
            .collect();
        let expected: [(&str, &[usize]); 3] =
            [("a.example", &[4, 5]), ("c.example", &[5]), ("b.example", &[4])];
        assert_eq!(found, expected);
    }
}
