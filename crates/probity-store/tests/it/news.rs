//! Feeds and articles on both engines: polled by one at a time, kept once, found again.

use std::collections::BTreeSet;
use std::time::Duration;

use probity_core::{Document, FeedId, Outlet, Timestamp};
use probity_store::news::{
    Added, ArticleQuery, Brought, FEEDS, FeedChange, FeedDocument, FeedQuery, FeedRecord,
    FeedState, Finding, Moved, NewArticle, NewFeed, NextPoll, Outcome, Place as Mark, PollRecord,
    job_id,
};
use probity_store::queue::Fence;
use probity_store::{Store, StoreError};

use crate::place::Place;

const LONG: Duration = Duration::from_secs(3_600);

pub(crate) async fn add(store: &Store, url: &str) -> FeedId {
    let feed = NewFeed { url, host: "a.example", ..NewFeed::default() };
    match store.add_feed(&feed).await.unwrap() {
        Added::New(id) => id,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn item(key: &str) -> NewArticle {
    NewArticle {
        item_key: key.to_owned(),
        guid: Some(key.to_owned()),
        url: Some(format!("https://www.reuters.com/{key}?utm_source=x")),
        canonical_url: Some(format!("https://reuters.com/{key}")),
        publisher_url: Some(format!("https://www.reuters.com/{key}")),
        outlet: Some(Outlet::new("reuters.com").unwrap()),
        resolved: true,
        method: "none".to_owned(),
        title: format!("Ferry {key} runs aground"),
        summary: "The harbour was closed.".to_owned(),
        ..NewArticle::default()
    }
}

pub(crate) fn document(items: &[NewArticle]) -> Outcome<'_> {
    Outcome::Document(FeedDocument {
        title: "News",
        site_url: Some("https://a.example/"),
        items,
        aggregator: Some(true),
        etag: Some("\"1\""),
        digest: "d",
        ..FeedDocument::default()
    })
}

async fn claim(store: &Store, worker: &str) -> Option<(Fence, FeedRecord)> {
    let leased = store.claim(worker, &[FEEDS], LONG).await.unwrap()?;
    let id = probity_store::news::feed_of(&leased.fence.job).unwrap();
    Some((leased.fence, store.feed(id).await.unwrap().unwrap()))
}

async fn write(
    store: &Store,
    fence: &Fence,
    feed: &FeedRecord,
    outcome: Outcome<'_>,
    moved: Moved<'_>,
) -> Result<Brought, StoreError> {
    let poll = PollRecord { feed, outcome, moved };
    let next = |new: usize| NextPoll { after: LONG, per_day: Some(new as f64) };
    store.record_poll(fence, &poll, next).await
}

/// Polls the one feed that is due.
pub(crate) async fn poll(store: &Store, outcome: Outcome<'_>, moved: Moved<'_>) -> Brought {
    store.poll_now(None).await.unwrap();
    let (fence, feed) = claim(store, "w").await.expect("a feed is due");
    write(store, &fence, &feed, outcome, moved).await.unwrap()
}

#[tokio::test]
async fn an_item_is_kept_once_whatever_brings_it() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let first = add(&store, "https://a.example/1").await;
        let again = NewFeed { url: "https://a.example/1", host: "a", ..NewFeed::default() };
        assert_eq!(store.add_feed(&again).await.unwrap(), Added::Exists(first));

        let items = [item("2"), item("1"), item("1")];
        let brought = poll(&store, document(&items), Moved::Stays).await;
        assert_eq!(brought.articles.len(), 2);
        assert_eq!(poll(&store, document(&items), Moved::Stays).await, Brought::default());

        // The same page from another feed, under another guid.
        add(&store, "https://a.example/2").await;
        let other = NewArticle { item_key: "x".into(), ..item("1") };
        let (fence, feed) = claim(&store, "w").await.unwrap();
        let items = [other, item("3")];
        let brought = write(&store, &fence, &feed, document(&items), Moved::Stays);
        assert_eq!(brought.await.unwrap().articles.len(), 1);

        let articles = store.articles(&ArticleQuery::default()).await.unwrap();
        let titles: Vec<&str> = articles.iter().map(|a| a.title.as_str()).collect();
        assert_eq!(
            titles,
            ["Ferry 3 runs aground", "Ferry 2 runs aground", "Ferry 1 runs aground"]
        );
        let kept = store.feed(first).await.unwrap().unwrap();
        assert_eq!((kept.brought, kept.polls, kept.aggregator), (2, 2, true));
        assert_eq!((kept.name(), kept.credibility_score), ("News", 0.5));
        assert!(kept.next_at > kept.polled_at);
    }
}

#[tokio::test]
async fn an_item_whose_words_change_is_corrected_and_found_by_the_new_ones() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        add(&store, "https://a.example/1").await;
        poll(&store, document(&[item("1")]), Moved::Stays).await;
        let corrected = NewArticle { title: "Trawler lost at sea".into(), ..item("1") };
        let brought = poll(&store, document(&[corrected]), Moved::Stays).await;
        assert_eq!((brought.articles.len(), brought.changed), (0, 1));
        assert!(store.news_search("ferry", None, 5).await.unwrap().is_empty());
        let found = store.news_search("trawlers", None, 5).await.unwrap();
        assert_eq!(found.len(), 1);
        assert!(found[0].article.changed_at.is_some());

        let id = found[0].article.id;
        let page =
            Document { text: "Rescuers found the lifeboat empty.".into(), ..Document::default() };
        assert!(store.keep_text(id, Ok(("https://a.example/x", &page))).await.unwrap());
        let found = store.news_search("lifeboat", None, 5).await.unwrap();
        assert!(found[0].article.has_text && found[0].snippet.contains("lifeboat"));
        assert_eq!(store.article_text(id).await.unwrap().unwrap().document, Some(page));
        // A later change of the headline keeps the full text findable.
        let third = NewArticle { title: "Trawler found".into(), ..item("1") };
        poll(&store, document(&[third]), Moved::Stays).await;
        assert_eq!(store.news_search("lifeboat", None, 5).await.unwrap().len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_goes_on_from_the_last_article_misses_none() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        for feed in 0..8 {
            add(&store, &format!("https://a.example/{feed}")).await;
        }
        let writers: Vec<_> = (0..4)
            .map(|worker| {
                let store = store.clone();
                tokio::spawn(async move {
                    while let Some((fence, feed)) = claim(&store, &format!("w{worker}")).await {
                        let items: Vec<_> =
                            (0..20).map(|n| item(&format!("{}-{n}", feed.id))).collect();
                        write(&store, &fence, &feed, document(&items), Moved::Stays).await.unwrap();
                    }
                })
            })
            .collect();
        let mut mark = Mark::default();
        let mut seen = BTreeSet::new();
        let mut last = false;
        loop {
            let page = store.articles_after(mark, 7).await.unwrap();
            if page.is_empty() && last {
                break;
            }
            last = writers.iter().all(|writer| writer.is_finished());
            for article in &page {
                assert!(seen.insert(article.id), "seen twice");
                assert!(Mark::after(article) > mark, "out of order");
                mark = Mark::after(article);
            }
            tokio::task::yield_now().await;
        }
        assert_eq!(seen.len(), 160);
    }
}

#[tokio::test]
async fn who_lost_the_lease_writes_nothing() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let id = add(&store, "https://a.example/1").await;
        let slow = store.claim("slow", &[FEEDS], Duration::ZERO).await.unwrap().unwrap();
        let (quick, feed) = claim(&store, "quick").await.unwrap();
        let items = [item("1")];
        let refused = write(&store, &slow.fence, &feed, document(&items), Moved::Stays).await;
        assert!(matches!(refused, Err(StoreError::Fenced { .. })), "{refused:?}");
        assert_eq!(store.newsroom().await.unwrap().articles, 0);
        write(&store, &quick, &feed, document(&items), Moved::Stays).await.unwrap();
        assert_eq!(store.newsroom().await.unwrap().articles, 1);
        // Switching a feed off takes the lease away; on again, the number of leases goes on.
        store.poll_now(None).await.unwrap();
        let (lost, feed) = claim(&store, "quick").await.unwrap();
        assert!(store.switch_feed(id, "a.example", false).await.unwrap());
        assert!(write(&store, &lost, &feed, Outcome::Unchanged, Moved::Stays).await.is_err());
        assert!(claim(&store, "w").await.is_none());
        assert!(store.switch_feed(id, "a.example", true).await.unwrap());
        let (next, _) = claim(&store, "quick").await.unwrap();
        assert!(next.attempt > lost.attempt);
        assert!(store.reschedule(&next, Duration::ZERO).await.unwrap());
        assert!(!store.reschedule(&next, Duration::ZERO).await.unwrap());
        assert!(claim(&store, "w").await.is_some());
    }
}

#[tokio::test]
async fn moves_failures_and_ends_are_kept_with_the_feed() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let id = add(&store, "https://a.example/1").await;
        let failed = Outcome::Failed { kind: "timeout", status: Some(503), reason: "too slow" };
        for _ in 0..60 {
            poll(&store, failed.clone(), Moved::Unknown).await;
        }
        let feed = store.feed(id).await.unwrap().unwrap();
        assert_eq!((feed.failures, feed.last_error.as_deref()), (60, Some("too slow")));
        let errors = store.feed_errors(id).await.unwrap();
        assert_eq!((errors.len(), errors[0].status), (50, Some(503)));
        let failing = FeedQuery { failing: true, ..FeedQuery::default() };
        assert_eq!(store.feeds(&failing).await.unwrap().len(), 1);

        poll(&store, Outcome::Unchanged, Moved::Says("https://b.example/1", 2)).await;
        let feed = store.feed(id).await.unwrap().unwrap();
        assert_eq!((feed.moved_times, feed.failures, feed.last_error), (2, 0, None));
        poll(&store, Outcome::Unchanged, Moved::Goes("https://b.example/1")).await;
        let feed = store.feed(id).await.unwrap().unwrap();
        assert_eq!((feed.url.as_str(), feed.moved_times), ("https://b.example/1", 0));

        // A feed that moves to another's address gives way to it.
        let other = add(&store, "https://c.example/1").await;
        let (fence, feed) = claim(&store, "w").await.unwrap();
        let gone_to = Moved::Goes("https://b.example/1");
        let brought = write(&store, &fence, &feed, Outcome::Unchanged, gone_to).await.unwrap();
        assert_eq!(brought.became, Some(id));
        let feed = store.feed(other).await.unwrap().unwrap();
        assert_eq!(feed.state, FeedState::Disabled);
        assert!(feed.next_at.is_none());

        let gone = Outcome::Gone { reason: "a.example says that it is gone" };
        poll(&store, gone, Moved::Unknown).await;
        let feed = store.feed(id).await.unwrap().unwrap();
        assert_eq!((feed.state, feed.next_at), (FeedState::Gone, None));
        assert!(claim(&store, "w").await.is_none());
    }
}

#[tokio::test]
async fn what_was_found_later_joins_what_is_there() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        add(&store, "https://a.example/1").await;
        let wrapped = |key: &str| NewArticle {
            url: Some(format!("https://news.google.com/rss/articles/{key}")),
            canonical_url: Some(format!("https://news.google.com/rss/articles/{key}")),
            publisher_url: None,
            outlet: None,
            resolved: false,
            try_at: Some(Timestamp(1)),
            ..item(key)
        };
        poll(&store, document(&[wrapped("b"), wrapped("a"), item("1")]), Moved::Stays).await;
        let waiting = store.take_unresolved(None, 10, LONG).await.unwrap();
        assert_eq!(waiting.len(), 2);
        assert!(store.take_unresolved(None, 10, LONG).await.unwrap().is_empty(), "taken twice");
        let found = |page: &str| Finding::Found {
            publisher_url: format!("https://www.reuters.com/{page}"),
            canonical_url: Some(format!("https://reuters.com/{page}")),
            outlet: Outlet::new("reuters.com").unwrap(),
            method: "network".to_owned(),
        };
        store.record_finding(waiting[0].id, &found("2")).await.unwrap();
        store.record_finding(waiting[1].id, &found("1")).await.unwrap();
        assert!(store.take_unresolved(None, 10, LONG).await.unwrap().is_empty());
        let listed = store.articles(&ArticleQuery::default()).await.unwrap();
        assert_eq!(listed.len(), 2, "the same page is listed once");
        assert!(listed.iter().all(|article| article.resolved));
        let same = store.article(waiting[1].id).await.unwrap().unwrap();
        let original = store.article_at("https://reuters.com/1").await.unwrap().unwrap();
        assert_eq!(same.duplicate_of, Some(original.id));
        // Polls neither bring it back nor undo what was found.
        let brought = poll(&store, document(&[wrapped("b"), wrapped("a")]), Moved::Stays).await;
        assert_eq!(brought, Brought::default());
        assert_eq!(store.newsroom().await.unwrap().unresolved, 0);
    }
}

#[tokio::test]
async fn old_articles_go_unless_they_are_listed_or_kept() {
    for place in Place::on_each_engine().await {
        let day = 24 * 3_600_000;
        let start = probity_core::Clock::System.now();
        let at = |days: i64| probity_core::Clock::Fixed(Timestamp(start.0 + days * day));
        let store = place.open().await;
        let id = add(&store, "https://a.example/1").await;
        poll(&store, document(&[item("1"), item("2"), item("3"), item("4")]), Moved::Stays).await;
        // A hundred days on, the feed lists one of them and something new.
        let later = place.open().await.with_clock(at(100));
        // Leases on PostgreSQL go by its own clock, so the poll is made due there and then.
        poll(&later, document(&[item("5"), item("4")]), Moved::Stays).await;
        let third = later.article_at("https://reuters.com/3").await.unwrap().unwrap();
        later.keep_articles(&[third.id], true).await.unwrap();
        let before = Timestamp(start.0 + 10 * day);
        assert_eq!(later.prune_articles(before).await.unwrap().articles, 2);
        let mut left: Vec<String> = later
            .articles(&ArticleQuery { feed: Some(id), ..ArticleQuery::default() })
            .await
            .unwrap()
            .into_iter()
            .filter_map(|article| article.guid)
            .collect();
        left.sort();
        assert_eq!(left, ["3", "4", "5"]);
        assert!(later.news_search("ferry", None, 10).await.unwrap().len() == 3);
        // A feed that is removed leaves its articles, by default.
        assert!(later.remove_feed(id, false).await.unwrap());
        assert_eq!(later.newsroom().await.unwrap().articles, 3);
        assert!(!later.remove_feed(id, false).await.unwrap());
    }
}

#[tokio::test]
async fn a_reader_decides_on_name_categories_and_pace() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let id = add(&store, "https://a.example/1").await;
        let categories = ["Energy".to_owned()];
        let change = FeedChange {
            label: Some("Ours"),
            categories: Some(&categories),
            interval: Some(Some(LONG)),
        };
        assert!(store.change_feed(id, &change).await.unwrap());
        let feed = store.feed_at("https://a.example/1").await.unwrap().unwrap();
        assert_eq!((feed.name(), feed.interval_ms), ("Ours", Some(3_600_000)));
        assert_eq!(feed.categories, categories);
        let free = FeedChange { interval: Some(None), ..FeedChange::default() };
        assert!(store.change_feed(id, &free).await.unwrap());
        let feed = store.feed(id).await.unwrap().unwrap();
        assert_eq!((feed.name(), feed.interval_ms), ("Ours", None));
        assert!(!store.change_feed(FeedId(id.0 + 1), &free).await.unwrap());
        assert_eq!(job_id(FeedId(7)), "feed:7");
    }
}

#[tokio::test]
async fn texts_that_no_engine_likes_are_kept_all_the_same() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        add(&store, "https://a.example/1").await;
        let odd = NewArticle {
            title: "Nul \0 quote ' backslash \\ emoji 🦀 \u{202e}".into(),
            summary: "x".repeat(100_000),
            author: Some("Zoë \"Z\"\u{0}".into()),
            ..item("k\0\\'\"")
        };
        let items = [odd];
        assert_eq!(poll(&store, document(&items), Moved::Stays).await.articles.len(), 1);
        assert_eq!(poll(&store, document(&items), Moved::Stays).await, Brought::default());
        let kept = store.articles(&ArticleQuery::default()).await.unwrap().pop().unwrap();
        assert!(kept.title.contains("🦀") && !kept.title.contains('\0'));
        assert_eq!(kept.summary.chars().count(), 4_000);
    }
}
