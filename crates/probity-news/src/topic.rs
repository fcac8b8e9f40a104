//! Stories → topics: numbers that stay as stories grow, and what happened when they do not.

use std::collections::{BTreeMap, BTreeSet};

use probity_core::{ArticleId, TopicId};

/// The outcome for one story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Carried {
    /// Which of the stories it is.
    pub story: usize,
    /// The topic that it continues with; none for a new one.
    pub topic: Option<TopicId>,
    /// The topic that a new one was part of.
    pub split_from: Option<TopicId>,
    /// Topics that are part of it now.
    pub absorbs: Vec<TopicId>,
    /// How many of its articles were not in its topic.
    pub joined: usize,
}

/// Lets stories go on with the topics that their articles were in. Each is a list of articles with
/// the topic of each, if it was in one. Stories that stayed as they were are left out.
///
/// A topic continues with the story that has most of its articles, a story with the topic that it
/// has most articles of; among equals the older topic goes first. A story that no topic continues
/// with is new, and split from the topic it has most articles of, if there is one. A topic that no
/// story continues with is merged into the story that has most of its articles.
pub fn carry_over(stories: &[Vec<(ArticleId, Option<TopicId>)>]) -> Vec<Carried> {
    let mut sizes: BTreeMap<TopicId, usize> = BTreeMap::new();
    let mut overlaps: Vec<(std::cmp::Reverse<usize>, TopicId, ArticleId, usize)> = Vec::new();
    for (story, articles) in stories.iter().enumerate() {
        let first = articles.iter().map(|(article, _)| *article).min().unwrap_or_default();
        for (topic, count) in counts(articles) {
            *sizes.entry(topic).or_default() += count;
            overlaps.push((std::cmp::Reverse(count), topic, first, story));
        }
    }
    overlaps.sort_unstable();
    let mut topic_of: BTreeMap<usize, TopicId> = BTreeMap::new();
    let mut story_of: BTreeMap<TopicId, usize> = BTreeMap::new();
    for (_, topic, _, story) in &overlaps {
        if !topic_of.contains_key(story) && !story_of.contains_key(topic) {
            topic_of.insert(*story, *topic);
            story_of.insert(*topic, *story);
        }
    }
    let mut absorbs: BTreeMap<usize, BTreeSet<TopicId>> = BTreeMap::new();
    let mut split_from: BTreeMap<usize, TopicId> = BTreeMap::new();
    for (_, topic, _, story) in &overlaps {
        if !story_of.contains_key(topic) {
            story_of.insert(*topic, *story);
            absorbs.entry(*story).or_default().insert(*topic);
        }
        if !topic_of.contains_key(story) {
            split_from.entry(*story).or_insert(*topic);
        }
    }
    let carried = stories.iter().enumerate().map(|(story, articles)| {
        let topic = topic_of.get(&story).copied();
        let joined = articles.iter().filter(|(_, own)| own.is_none() || *own != topic).count();
        let absorbs = absorbs.remove(&story).unwrap_or_default().into_iter().collect();
        let split_from = split_from.get(&story).copied();
        Carried { story, topic, split_from, absorbs, joined }
    });
    let stayed = |one: &Carried| {
        let size = stories.get(one.story).map_or(0, Vec::len);
        let whole = one.topic.and_then(|topic| sizes.get(&topic)).is_some_and(|all| *all == size);
        one.joined == 0 && whole && one.absorbs.is_empty()
    };
    let carried: Vec<Carried> = carried.collect();
    carried.into_iter().filter(|one| !stayed(one)).collect()
}

fn counts(articles: &[(ArticleId, Option<TopicId>)]) -> BTreeMap<TopicId, usize> {
    let mut counts = BTreeMap::new();
    for topic in articles.iter().filter_map(|(_, topic)| *topic) {
        *counts.entry(topic).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn story(
        topic: Option<i64>,
        articles: std::ops::Range<i64>,
    ) -> Vec<(ArticleId, Option<TopicId>)> {
        articles.map(|article| (ArticleId(article), topic.map(TopicId))).collect()
    }

    #[test]
    fn a_topic_keeps_its_number_as_it_grows_and_one_that_stays_is_left_alone() {
        let grown = [story(Some(7), 0..3), story(None, 3..5)].concat();
        let carried = carry_over(&[grown, story(Some(8), 10..12), story(None, 20..21)]);
        assert_eq!(carried.len(), 2, "{carried:?}");
        assert_eq!((carried[0].topic, carried[0].joined), (Some(TopicId(7)), 2));
        assert_eq!((carried[1].topic, carried[1].split_from), (None, None));
    }

    #[test]
    fn the_larger_part_of_a_split_keeps_the_number() {
        let carried = carry_over(&[story(Some(7), 0..2), story(Some(7), 2..5)]);
        assert_eq!((carried[0].topic, carried[0].split_from), (None, Some(TopicId(7))));
        assert_eq!((carried[1].topic, carried[1].joined), (Some(TopicId(7)), 0));
    }

    #[test]
    fn the_smaller_topic_is_merged_into_the_larger() {
        let both = [story(Some(7), 0..2), story(Some(9), 2..5)].concat();
        let carried = carry_over(&[both]);
        assert_eq!(carried[0].topic, Some(TopicId(9)));
        assert_eq!(
            (carried[0].absorbs.as_slice(), carried[0].joined),
            ([TopicId(7)].as_slice(), 2)
        );
    }

    proptest! {
        #[test]
        fn every_topic_ends_in_one_place(
            topics in prop::collection::vec((prop::option::of(0..6_i64), 0..5_usize), 1..40),
        ) {
            let mut stories = vec![Vec::new(); 5];
            for (article, (topic, story)) in topics.iter().enumerate() {
                stories[*story].push((ArticleId(article as i64), topic.map(TopicId)));
            }
            stories.retain(|story| !story.is_empty());
            let carried = carry_over(&stories);
            let mut ended: Vec<TopicId> = carried.iter().filter_map(|one| one.topic).collect();
            ended.extend(carried.iter().flat_map(|one| one.absorbs.iter().copied()));
            let distinct: BTreeSet<TopicId> = ended.iter().copied().collect();
            prop_assert_eq!(distinct.len(), ended.len());
            // Done once, nothing is left to do.
            let named: Vec<Vec<(ArticleId, Option<TopicId>)>> = stories
                .iter()
                .enumerate()
                .map(|(at, story)| {
                    let change = carried.iter().find(|one| one.story == at);
                    let stayed = story.first().and_then(|(_, topic)| *topic);
                    let own = change.map_or(stayed, |one| Some(one.topic.unwrap_or(TopicId(100 + at as i64))));
                    story.iter().map(|(article, _)| (*article, own)).collect()
                })
                .collect();
            prop_assert_eq!(carry_over(&named), []);
        }
    }
}
