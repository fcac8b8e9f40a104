//! Which outlets an editor should look at first: those whose coding would change most.
//!
//! For each outlet, a coding for it and one against it are tried out on paper. Counted are the topics
//! for which another article would then speak, and how far the worth of those that it speaks for
//! would move. An outlet that was coded often is better known, so its sum is divided by one more than
//! its codings; one whose score is close to a line of the routing counts double, because a coding may
//! move categories as well. Unrated outlets come first: one that is in the ledger counts a
//! fifth, and an unrated one that appears often, or that credible outlets cite, counts although no single coding would
//! let it speak.

use std::collections::BTreeMap;

use probity_core::Outlet;
use probity_store::topics::Covered;
use serde::Serialize;

use crate::NEUTRAL;
use crate::rank::{RankedTopic, credibility, relevance};
use crate::route::Lines;

/// How close to a line of the routing a score is uncertain.
const NEAR_LINE: f64 = 0.05;
/// What a topic counts for which another article would speak, against a whole unit of worth.
const ANOTHER_VOICE: f64 = 1.0;

/// How many rated outlets an unrated one counts.
const UNRATED: f64 = 5.0;
/// What an article of an unrated outlet adds, from the second on.
const APPEARANCE: f64 = 0.1;
/// What each credible outlet adds that cites an unrated one.
const CITATION: f64 = 0.1;

/// An outlet in the queue.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Uncertain {
    /// The outlet.
    pub outlet: Outlet,
    /// Its score now; neutral where the ledger does not know it.
    pub score: f64,
    /// Whether the ledger knows it.
    pub known: bool,
    /// How many codings moved it.
    pub codings: i64,
    /// For how many topics it speaks.
    pub speaks_for: usize,
    /// How many articles it has in topics.
    pub articles: usize,
    /// For how many topics another article would speak after a coding for it.
    pub gains: usize,
    /// And after a coding against it.
    pub losses: usize,
    /// How many credible outlets cite it.
    pub cited_by: u32,
    /// Whether its score is close to a line of the routing.
    pub near_line: bool,
    /// What the queue is ordered by.
    pub impact: f64,
}

/// The queue, the outlet whose coding would change most first.
pub fn queue(
    ranked: &[RankedTopic],
    by_category: bool,
    codings: &BTreeMap<Outlet, i64>,
    cited: &BTreeMap<Outlet, u32>,
    lines: Lines,
    alpha: f64,
) -> Vec<Uncertain> {
    let mut found: BTreeMap<Outlet, Uncertain> = BTreeMap::new();
    for one in ranked {
        for article in &one.articles {
            let Some(outlet) = &article.outlet else { continue };
            let entry = found.entry(outlet.clone()).or_insert_with(|| {
                let mut entry =
                    begin(outlet, article, codings.get(outlet).copied().unwrap_or(0), lines);
                entry.cited_by = cited.get(outlet).copied().unwrap_or(0);
                entry
            });
            entry.articles += 1;
        }
        count(one, by_category, alpha, &mut found);
    }
    let mut queue: Vec<Uncertain> = found.into_values().collect();
    for one in &mut queue {
        one.impact += ANOTHER_VOICE * (one.gains + one.losses) as f64;
        one.impact *= if one.near_line { 2.0 } else { 1.0 } / (1.0 + one.codings.max(0) as f64);
        match one.known {
            true => one.impact /= UNRATED,
            false => {
                one.impact += APPEARANCE * one.articles.saturating_sub(1) as f64;
                one.impact += CITATION * f64::from(one.cited_by);
            }
        }
    }
    queue.retain(|one| one.impact > 0.0);
    queue.sort_by(|a, b| b.impact.total_cmp(&a.impact).then_with(|| a.outlet.cmp(&b.outlet)));
    queue
}

fn begin(outlet: &Outlet, article: &Covered, codings: i64, lines: Lines) -> Uncertain {
    let score = article.credibility.unwrap_or(NEUTRAL);
    let near = |line: f64| (score - line).abs() <= NEAR_LINE;
    Uncertain {
        outlet: outlet.clone(),
        score,
        known: article.credibility.is_some(),
        codings,
        speaks_for: 0,
        articles: 0,
        gains: 0,
        losses: 0,
        cited_by: 0,
        near_line: near(lines.keep) || near(lines.skip),
        impact: 0.0,
    }
}

/// Tries codings of each outlet of a topic out on paper.
fn count(
    ranked: &RankedTopic,
    by_category: bool,
    alpha: f64,
    found: &mut BTreeMap<Outlet, Uncertain>,
) {
    let mut best: BTreeMap<Option<&Outlet>, (f64, f64)> = BTreeMap::new();
    for article in &ranked.articles {
        let (relevance, score) = (relevance(article, by_category), credibility(article));
        let entry = best.entry(article.outlet.as_ref()).or_insert((0.0, score));
        entry.0 = entry.0.max(relevance);
    }
    let speaker = ranked.representative().and_then(|first| first.outlet.as_ref());
    for (outlet, (relevance, score)) in &best {
        let Some(entry) = outlet.and_then(|outlet| found.get_mut(outlet)) else { continue };
        let others = best.iter().filter(|(other, _)| *other != outlet);
        let rival = others.map(|(_, (relevance, score))| relevance * score).fold(0.0, f64::max);
        let (up, down) = (score + alpha * (1.0 - score), score - alpha * score);
        if speaker == *outlet {
            entry.speaks_for += 1;
            entry.impact += relevance * (up - down);
            entry.losses += usize::from(relevance * down < rival);
        } else {
            entry.gains += usize::from(relevance * up > rival);
        }
    }
}
