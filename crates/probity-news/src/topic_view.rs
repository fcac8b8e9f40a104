//! Tells what the newsroom made of its articles: topics, one topic, and what was decided, with reasons in words.
//!
//! Every interface reads from here, so that all of them say the same.

use probity_core::{Timestamp, TopicId};
use probity_store::topics::{
    Action, Category, CategoryError, CoverageQuery, Covered, RoutingRecord, TopicEvent, TopicRecord,
};
use probity_store::{Store, StoreError};

use crate::category::RELEVANT;
use crate::rank::{RankedTopic, credibility, rank, relevance};

/// Products and means that differ by less than this are equal.
const STEP: f64 = 1e-9;

/// Topics as they were asked for, the one worth most first, and what their ranks were multiplied by.
#[derive(Debug, Clone)]
pub struct Topics {
    /// The topics.
    pub ranked: Vec<RankedTopic>,
    /// The category that was asked about.
    pub category: Option<Category>,
    /// What ranks are multiplied by, as the category's last decision says.
    pub factor: f64,
}

/// The topics of a category, or all, with an article since a time.
///
/// # Errors
/// When there is no such category, or the store fails.
pub async fn topics(
    store: &Store,
    category: Option<&str>,
    since: Timestamp,
) -> Result<Topics, CategoryError> {
    let category = find(store, category).await?;
    let id = category.as_ref().map(|category| category.id);
    let factor = match id {
        Some(id) => store.routing(id).await?.map_or(1.0, |routing| routing.factor),
        None => 1.0,
    };
    let query = CoverageQuery { since: Some(since), topic: None, category: id };
    let coverage = store.coverage(&query).await?;
    Ok(Topics { ranked: ranked(coverage, id.is_some(), RELEVANT, factor).await, category, factor })
}

/// Ranks beside everything else in the process: a window may hold very many articles.
async fn ranked(
    coverage: Vec<Covered>,
    by_category: bool,
    least: f64,
    factor: f64,
) -> Vec<RankedTopic> {
    let ranking = tokio::task::spawn_blocking(move || rank(coverage, by_category, least, factor));
    ranking.await.unwrap_or_default()
}

async fn find(store: &Store, name: Option<&str>) -> Result<Option<Category>, CategoryError> {
    match name {
        Some(name) => store.category(name).await.map(Some),
        None => Ok(None),
    }
}

/// One topic with all that is known of it.
#[derive(Debug, Clone)]
pub struct Account {
    /// The topic.
    pub topic: TopicRecord,
    /// The category by whose relevance its articles are ranked.
    pub category: Option<Category>,
    /// Its articles, the one that speaks for it first.
    pub articles: Vec<Covered>,
    /// Why that one speaks, in a sentence; empty where there is no article.
    pub why: String,
    /// What happened to it, the earliest first.
    pub events: Vec<TopicEvent>,
}

/// One topic, its articles ranked by credibility, and by relevance to a category where one is named.
///
/// # Errors
/// When there is no such category, or the store fails.
pub async fn topic(
    store: &Store,
    id: TopicId,
    category: Option<&str>,
) -> Result<Option<Account>, CategoryError> {
    let category = find(store, category).await?;
    let Some(topic) = store.topic(id).await? else { return Ok(None) };
    let by = category.as_ref().map(|category| category.id);
    let query = CoverageQuery { topic: Some(id), category: by, since: None };
    let coverage = store.coverage(&query).await?;
    let ranked = ranked(coverage, by.is_some(), 0.0, 1.0).await;
    let articles = ranked.into_iter().next().map(|ranked| ranked.articles).unwrap_or_default();
    let why = why_it_speaks(&articles, by.is_some());
    let events = store.topic_events(id).await?;
    Ok(Some(Account { topic, category, articles, why, events }))
}

/// Why the first article speaks for the topic and not the second.
pub fn why_it_speaks(articles: &[Covered], by_category: bool) -> String {
    let worth = |one: &Covered| relevance(one, by_category) * credibility(one);
    let name = |one: &Covered| {
        one.outlet.as_ref().map_or("an unresolved outlet".to_owned(), ToString::to_string)
    };
    let [first, rest @ ..] = articles else { return String::new() };
    let Some(second) = rest.first() else {
        return format!("{} alone reports it.", name(first));
    };
    if worth(first) > worth(second) + STEP {
        let (a, b) = (worth(first), worth(second));
        return format!(
            "{} represents it: {a:.3} against {b:.3} of {}.",
            name(first),
            name(second)
        );
    }
    let by = if credibility(first) > credibility(second) + STEP {
        "the higher credibility"
    } else if first.published_at != second.published_at {
        "the earlier publication"
    } else {
        "the smaller number"
    };
    format!("{} and {} are worth the same; {by} decides for the first.", name(first), name(second))
}

/// A category with the decisions about it, the latest first.
#[derive(Debug, Clone)]
pub struct Decided {
    /// The category.
    pub category: Category,
    /// The decisions that were asked for; the first is in force.
    pub decisions: Vec<RoutingRecord>,
}

/// What was decided about every category, by name: the decision in force of each.
///
/// # Errors
/// When the store fails.
pub async fn routing(store: &Store) -> Result<Vec<Decided>, StoreError> {
    let mut in_force = store.routings_in_force().await?;
    let decided = |category: Category| {
        let decisions = in_force.remove(&category.id).into_iter().collect();
        Decided { category, decisions }
    };
    Ok(store.categories().await?.into_iter().map(decided).collect())
}

/// Why it was decided so about a category, in a sentence.
pub fn why_routed(made: &RoutingRecord) -> String {
    let RoutingRecord { keep, skip, representatives, factor, .. } = made;
    let Some(mean) = made.mean else {
        return match representatives {
            0 => "It has no topics yet, so it is kept.".to_owned(),
            1 => {
                "The one outlet that represents its topics is not rated, so it is kept.".to_owned()
            }
            count => format!(
                "None of the {count} outlets that represent its topics is rated, so it is kept."
            ),
        };
    };
    let of = match representatives {
        1 => format!("The one article that represents its topics has a credibility of {mean:.3}"),
        count => format!(
            "The rated outlets of the {count} articles that represent its topics have a mean \
             credibility of {mean:.3}"
        ),
    };
    match made.action {
        Action::Scored => format!("{of}, at or above {keep}: scored as usual."),
        Action::Downranked => format!(
            "{of}, between {skip} and {keep}: ranks are multiplied by \
             ({mean:.3} − {skip}) / ({keep} − {skip}) = {factor:.2}."
        ),
        Action::Skipped => {
            let again = made.retry_at.map_or("in the next run".to_owned(), |at| at.to_string());
            let put_off = match made.retries {
                1 => "once".to_owned(),
                times => format!("{times} times"),
            };
            format!(
                "{of}, below {skip}: its new articles are skipped until the mean recovers, and \
                 tried again at {again} (postponed {put_off})."
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use probity_core::{ArticleId, CategoryId, Outlet};

    use super::*;

    fn covered(article: i64, outlet: &str, credibility: f64, at: i64) -> Covered {
        Covered {
            topic: TopicId(1),
            article: ArticleId(article),
            title: String::new(),
            summary: String::new(),
            url: None,
            outlet: Some(Outlet::new(outlet).unwrap()),
            credibility: Some(credibility),
            relevance: None,
            published_at: Some(Timestamp(at)),
            seen_at: Timestamp(at),
            duplicate_of: None,
        }
    }

    #[test]
    fn the_reason_names_what_decided() {
        let a = covered(1, "a.example", 0.9, 2);
        let cases = [
            (vec![], ""),
            (vec![a.clone()], "alone reports"),
            (vec![a.clone(), covered(2, "b.example", 0.5, 1)], "0.900 against 0.500 of b.example"),
            (vec![a.clone(), covered(2, "b.example", 0.9, 3)], "the earlier publication"),
            (vec![a.clone(), covered(2, "b.example", 0.9, 2)], "the smaller number"),
        ];
        for (articles, expected) in cases {
            let why = why_it_speaks(&articles, false);
            assert!(why.contains(expected) && why.is_empty() == expected.is_empty(), "{why}");
        }
        // For a category without judgements both have no value, and credibility decides.
        let why = why_it_speaks(&[a, covered(2, "b.example", 0.5, 2)], true);
        assert!(why.contains("the higher credibility"), "{why}");
    }

    #[test]
    fn a_decision_is_told_with_its_numbers() {
        let lines = crate::route::Lines::default();
        let explained = |scores: &[f64]| {
            let scores: Vec<_> = scores.iter().copied().map(Some).collect();
            why_routed(&crate::route::decide(CategoryId(1), &scores, lines, None, Timestamp(0)))
        };
        assert!(explained(&[]).contains("no topics yet"));
        let unrated = crate::route::decide(CategoryId(1), &[None], lines, None, Timestamp(0));
        assert!(why_routed(&unrated).contains("is not rated, so it is kept"));
        assert!(explained(&[0.9, 0.7]).contains("mean credibility of 0.800, at or above 0.6"));
        assert!(explained(&[0.5]).contains("The one article"));
        assert!(explained(&[0.5]).contains("(0.500 − 0.4) / (0.6 − 0.4) = 0.50"));
        let skipped = explained(&[0.1]);
        assert!(skipped.contains("below 0.4") && skipped.contains("1970-01-01T06:00:00Z"));
    }
}
