//! Categories, topics and routing on both engines: what is judged, grouped and decided.

use std::time::Duration;

use probity_core::{ArticleId, Clock, Document, Outlet, Timestamp, TopicId};
use probity_credibility::ledger::{Credibility, Name, Signature};
use probity_store::Store;
use probity_store::ledger::{Intent, Newcomer};
use probity_store::news::{
    Added, FEEDS, FeedDocument, Moved, NewArticle, NewFeed, NextPoll, Outcome, PollRecord, Wanted,
};
use probity_store::topics::{
    Action, BackgroundRecord, CategoryChange, CategoryError, CoverageQuery, Judged, Membership,
    NewCategory, RoutingRecord, TopicChange, TopicEventKind, TopicState,
};

use crate::place::Place;

const HOUR: Duration = Duration::from_secs(3_600);
const NOW: Timestamp = Timestamp(1_800_000_000_000);

fn item(key: &str, domain: &str) -> NewArticle {
    NewArticle {
        item_key: key.to_owned(),
        canonical_url: Some(format!("https://{domain}/{key}")),
        publisher_url: Some(format!("https://{domain}/{key}")),
        outlet: Some(Outlet::new(domain).unwrap()),
        resolved: true,
        title: format!("Ferry {key}"),
        published_at: Some(NOW),
        ..NewArticle::default()
    }
}

/// A store with four articles, in the order given.
async fn filled(place: &Place) -> (Store, Vec<ArticleId>) {
    let store = place.open().await.with_clock(Clock::Fixed(NOW));
    let new = NewFeed { url: "https://a.example/f", host: "a.example", ..NewFeed::default() };
    let Added::New(feed) = store.add_feed(&new).await.unwrap() else { panic!("new") };
    let feed = store.feed(feed).await.unwrap().unwrap();
    store.poll_now(None).await.unwrap();
    let leased = store.claim("w", &[FEEDS], HOUR).await.unwrap().expect("due");
    let items = [
        item("1", "reuters.com"),
        item("2", "apnews.com"),
        item("3", "rumour.example"),
        item("4", "rumour.example"),
    ];
    let document = FeedDocument { title: "News", items: &items, digest: "d", ..Default::default() };
    let outcome = Outcome::Document(document);
    let poll = PollRecord { feed: &feed, outcome, moved: Moved::Stays };
    let next = |_: usize| NextPoll { after: HOUR, per_day: None };
    store.record_poll(&leased.fence, &poll, next).await.unwrap();
    let mut found = store.window_articles(Timestamp(0)).await.unwrap();
    found.sort_by(|a, b| a.title.cmp(&b.title));
    (store, found.into_iter().map(|article| article.id).collect())
}

fn harbour() -> NewCategory {
    NewCategory {
        name: "Harbour".to_owned(),
        description: "Ships".to_owned(),
        keywords: vec!["ferry".to_owned()],
        ..NewCategory::default()
    }
}

fn topic(topic: Option<TopicId>, articles: &[ArticleId]) -> TopicChange {
    TopicChange {
        topic,
        split_from: None,
        absorbs: Vec::new(),
        label: "Ferry".to_owned(),
        first_at: NOW,
        last_at: NOW,
        members: articles
            .iter()
            .map(|id| Membership { article: *id, duplicate_of: None })
            .collect(),
        joined: articles.len(),
    }
}

#[tokio::test]
async fn a_category_is_judged_again_when_its_words_change() {
    for place in Place::on_each_engine().await {
        let (store, articles) = filled(&place).await;
        let category = store.add_category(&harbour()).await.unwrap();
        let again = store.add_category(&NewCategory { name: "HARBOUR".into(), ..harbour() }).await;
        assert!(matches!(again, Err(CategoryError::Exists(_))), "{again:?}");
        assert_eq!(store.unjudged(&category, Timestamp(0), 10).await.unwrap().len(), 4);

        let judged: Vec<Judged> = articles
            .iter()
            .chain(&[ArticleId(999)])
            .map(|id| Judged { article: *id, value: 0.7 })
            .collect();
        assert_eq!(store.record_relevance(&category, "embedded", &judged).await.unwrap(), 4);
        assert!(store.unjudged(&category, Timestamp(0), 10).await.unwrap().is_empty());

        let renamed = CategoryChange { name: Some("Port".to_owned()), ..CategoryChange::default() };
        let category = store.edit_category("harbour", &renamed).await.unwrap();
        assert_eq!((category.name.as_str(), category.revision), ("Port", 1), "its words stayed");
        let other = CategoryChange { keywords: Some(vec![]), ..CategoryChange::default() };
        let category = store.edit_category("Port", &other).await.unwrap();
        assert_eq!(store.unjudged(&category, Timestamp(0), 10).await.unwrap().len(), 4);

        store.remove_category("port").await.unwrap();
        assert!(matches!(store.category("Port").await, Err(CategoryError::Unknown(_))));
        assert_eq!(store.relevance_of(articles[0]).await.unwrap(), []);
    }
}

#[tokio::test]
async fn the_background_is_kept_once_and_not_read_again_by_those_who_know_it() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        assert_eq!(store.topic_background("").await.unwrap(), None);
        for (digest, body) in [("a", "{}"), ("b", "[1]")] {
            let made = BackgroundRecord {
                digest: digest.to_owned(),
                made_at: NOW,
                articles: 7,
                body: Some(body.to_owned()),
            };
            store.keep_topic_background(&made).await.unwrap();
            assert_eq!(store.topic_background("other").await.unwrap().as_ref(), Some(&made));
            let known = store.topic_background(digest).await.unwrap();
            assert_eq!(known, Some(BackgroundRecord { body: None, ..made }));
        }
    }
}

#[tokio::test]
async fn full_texts_are_wanted_by_some_categories_and_tried_a_few_times() {
    for place in Place::on_each_engine().await {
        let (store, ids) = filled(&place).await;
        let wants = NewCategory { wants_full_text: true, ..harbour() };
        let wants = store.add_category(&wants).await.unwrap();
        let other = NewCategory { name: "Other".to_owned(), ..harbour() };
        let other = store.add_category(&other).await.unwrap();
        let judged = |values: &[f64]| -> Vec<Judged> {
            let pairs = ids.iter().zip(values);
            pairs.map(|(id, value)| Judged { article: *id, value: *value }).collect()
        };
        store.record_relevance(&wants, "embedded", &judged(&[0.9, 0.5, 0.4, 0.0])).await.unwrap();
        store.record_relevance(&other, "embedded", &judged(&[0.9, 0.9, 0.9, 0.9])).await.unwrap();
        let wanted =
            Wanted { since: Timestamp(0), relevant: 0.5, tries: 2, again: HOUR, limit: 10 };
        let at = |hours: i64| {
            let now = Timestamp(NOW.0 + hours * 3_600_000);
            store.clone().with_clock(Clock::Fixed(now))
        };
        let take = async |hours: i64, limit: usize| -> Vec<ArticleId> {
            let taken = at(hours).take_wanted(&Wanted { limit, ..wanted }).await.unwrap();
            taken.into_iter().map(|article| article.id).collect()
        };
        let mut expected = [ids[0], ids[1]];
        expected.sort_unstable_by_key(|id| std::cmp::Reverse(*id));
        assert_eq!(take(0, 1).await, expected[..1], "the latest first, within the limit");
        assert_eq!(take(0, 10).await, expected[1..], "one that was taken is not given again");
        store.keep_text(ids[1], Err("404")).await.unwrap();
        let read = Document { text: "All of it.".to_owned(), ..Document::default() };
        store.keep_text(ids[0], Ok(("https://reuters.com/1", &read))).await.unwrap();
        assert_eq!(take(1, 10).await, [ids[1]], "what failed is tried again");
        assert!(take(2, 10).await.is_empty() && take(999, 10).await.is_empty(), "but not for ever");
    }
}

#[tokio::test]
async fn topics_grow_merge_split_and_close_and_remember_it() {
    for place in Place::on_each_engine().await {
        let (store, ids) = filled(&place).await;
        let since = Timestamp(NOW.0 - 1);
        let both = [topic(None, &ids[..2]), topic(None, &ids[2..3])];
        let numbers = store.change_topics(&both, since).await.unwrap();
        let (first, second) = (numbers[0], numbers[1]);

        let mut one = topic(Some(first), &ids);
        one.absorbs = vec![second];
        one.joined = 2;
        store.change_topics(&[one], since).await.unwrap();
        let merged = store.topic(second).await.unwrap().unwrap();
        assert_eq!((merged.state, merged.merged_into), (TopicState::Merged, Some(first)));
        let query = CoverageQuery { topic: Some(first), ..CoverageQuery::default() };
        assert_eq!(store.coverage(&query).await.unwrap().len(), 4);

        let mut part = topic(None, &ids[3..]);
        part.split_from = Some(first);
        let third = store.change_topics(&[part], since).await.unwrap()[0];
        assert_eq!(store.coverage(&query).await.unwrap().len(), 3);
        let members = store.window_articles(Timestamp(0)).await.unwrap();
        let of = |id| members.iter().find(|one| one.id == id).unwrap().topic;
        assert_eq!((of(ids[0]), of(ids[3])), (Some(first), Some(third)));

        store.change_topics(&[], Timestamp(NOW.0 + 1)).await.unwrap();
        assert_eq!(store.topic(first).await.unwrap().unwrap().state, TopicState::Closed);
        let events = store.topic_events(first).await.unwrap();
        let kinds: Vec<TopicEventKind> = events.iter().map(|event| event.kind).collect();
        use TopicEventKind::{Closed, Created, Grown, Merged, Split};
        assert_eq!(kinds, [Created, Grown, Merged, Split, Closed]);
    }
}

#[tokio::test]
async fn coverage_shows_the_ledger_as_it_is_now() {
    for place in Place::on_each_engine().await {
        let (store, ids) = filled(&place).await;
        let topic = store.change_topics(&[topic(None, &ids)], Timestamp(0)).await.unwrap()[0];
        let query = CoverageQuery { topic: Some(topic), ..CoverageQuery::default() };
        let scores = |covered: Vec<probity_store::topics::Covered>| {
            covered.into_iter().map(|one| one.credibility).collect::<Vec<_>>()
        };
        let before = scores(store.coverage(&query).await.unwrap());
        let mut sorted = before.clone();
        sorted.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(sorted, [None, None, Some(0.92), Some(0.92)]);
        let by = Signature { by: Name::new("Ada").unwrap(), note: None };
        let rumour = Outlet::new("rumour.example").unwrap();
        let score = Credibility::new(0.99).unwrap();
        store.set_score(&rumour, score, &by, Newcomer::Add, Intent::Apply).await.unwrap();
        let after = scores(store.coverage(&query).await.unwrap());
        assert_eq!(after.iter().filter(|score| **score == Some(0.99)).count(), 2);
    }
}

#[tokio::test]
async fn decisions_are_kept_with_their_numbers() {
    for place in Place::on_each_engine().await {
        let (store, _) = filled(&place).await;
        let category = store.add_category(&harbour()).await.unwrap();
        assert_eq!(store.routing(category.id).await.unwrap(), None);
        let made = |mean: Option<f64>, action, retry_at| RoutingRecord {
            category: category.id,
            at: NOW,
            representatives: 3,
            mean,
            keep: 0.6,
            skip: 0.4,
            action,
            factor: 0.25,
            retry_at,
            retries: 1,
            was_retry: true,
        };
        let first = made(None, Action::Scored, None);
        let second = made(Some(0.45), Action::Skipped, Some(Timestamp(7)));
        store.record_routing(&first).await.unwrap();
        store.record_routing(&second).await.unwrap();
        assert_eq!(store.routings(category.id, 10).await.unwrap(), [second.clone(), first]);
        assert_eq!(store.routing(category.id).await.unwrap(), Some(second.clone()));
        let other = NewCategory { name: "Skies".to_owned(), ..harbour() };
        store.add_category(&other).await.unwrap();
        let in_force = store.routings_in_force().await.unwrap();
        assert_eq!(in_force.into_values().collect::<Vec<_>>(), [second], "none was made for Skies");
    }
}
