//! Topics with the article that represents each, the one worth most first.
//!
//! Coverage comes from the store joined with the ledger as it is now: a coding changes who speaks
//! without anything being grouped again.

use probity_core::{Outlet, Timestamp, TopicId};
use probity_store::topics::Covered;

use crate::NEUTRAL;
use crate::represent::{Candidate, order};

/// A topic, its articles ranked: the first speaks for it.
#[derive(Debug, Clone)]
pub struct RankedTopic {
    /// The topic.
    pub topic: TopicId,
    /// Its articles, the one that speaks for it first.
    pub articles: Vec<Covered>,
    /// How many outlets cover it.
    pub outlets: usize,
    /// What it is ranked by.
    pub value: f64,
}

impl RankedTopic {
    /// The article that represents it.
    pub fn representative(&self) -> Option<&Covered> {
        self.articles.first()
    }

    /// The outlets that cover it beside the one that speaks for it, each once, in the order of their
    /// articles.
    pub fn others(&self) -> Vec<&Outlet> {
        let speaker = self.representative().and_then(|first| first.outlet.as_ref());
        let mut others: Vec<&Outlet> = Vec::new();
        for outlet in self.articles.iter().filter_map(|article| article.outlet.as_ref()) {
            if Some(outlet) != speaker && !others.contains(&outlet) {
                others.push(outlet);
            }
        }
        others
    }
}

/// The current credibility of an article's outlet; neutral if it has no score.
pub fn credibility(article: &Covered) -> f64 {
    article.credibility.unwrap_or(NEUTRAL)
}

/// How relevant an article is: as judged where a category is asked about, and 0 where it was not
/// judged; else 1.
pub fn relevance(article: &Covered, by_category: bool) -> f64 {
    if by_category { article.relevance.unwrap_or(0.0) } else { 1.0 }
}

/// Groups coverage by topic and ranks both. The value of a topic is that of its representative,
/// times the category's factor, times the logarithm of one more than the outlets that cover
/// it. Where a category is asked about, topics below `least` relevance are left out.
pub fn rank(
    coverage: Vec<Covered>,
    by_category: bool,
    least: f64,
    factor: f64,
) -> Vec<RankedTopic> {
    let mut ranked: Vec<RankedTopic> = Vec::new();
    for article in coverage {
        match ranked.last_mut().filter(|last| last.topic == article.topic) {
            Some(last) => last.articles.push(article),
            None => {
                let topic = article.topic;
                ranked.push(RankedTopic { topic, articles: vec![article], outlets: 0, value: 0.0 });
            }
        }
    }
    for one in &mut ranked {
        sort(&mut one.articles, by_category);
        let mut outlets: Vec<&str> = one
            .articles
            .iter()
            .filter_map(|article| Some(article.outlet.as_ref()?.as_str()))
            .collect();
        outlets.sort_unstable();
        outlets.dedup();
        one.outlets = outlets.len();
        let worth = one
            .articles
            .first()
            .map_or(0.0, |first| relevance(first, by_category) * credibility(first));
        one.value = worth * factor * (1.0 + one.outlets as f64).log2().max(1.0);
    }
    if by_category {
        let belongs = |one: &RankedTopic| {
            one.representative().is_some_and(|first| relevance(first, true) >= least)
        };
        ranked.retain(belongs);
    }
    ranked.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.topic.cmp(&b.topic)));
    ranked
}

fn sort(articles: &mut Vec<Covered>, by_category: bool) {
    let ids: Vec<String> = articles.iter().map(|article| article.article.to_string()).collect();
    let mut places: Vec<usize> = (0..articles.len()).collect();
    let candidates: Vec<Candidate<'_>> = articles
        .iter()
        .zip(&ids)
        .map(|(article, id)| Candidate {
            id,
            relevance: relevance(article, by_category),
            credibility: credibility(article),
            published: article.published_at,
        })
        .collect();
    places.sort_by(|a, b| match (candidates.get(*a), candidates.get(*b)) {
        (Some(a), Some(b)) => order(a, b),
        _ => std::cmp::Ordering::Equal,
    });
    // Articles are moved: a window holds many, with long texts.
    let mut from: Vec<Option<Covered>> = std::mem::take(articles).into_iter().map(Some).collect();
    articles.extend(places.into_iter().filter_map(|place| from.get_mut(place)?.take()));
}

/// When the last article of a topic was published, or at least seen.
pub fn last_at(ranked: &RankedTopic) -> Option<Timestamp> {
    ranked.articles.iter().map(|article| article.published_at.unwrap_or(article.seen_at)).max()
}
