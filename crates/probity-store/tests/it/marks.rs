//! What each reader has read and starred, on both engines.

use probity_core::{ArticleId, FeedId, Timestamp};
use probity_store::Store;
use probity_store::news::{ArticleQuery, Marking, Marks, Moved, Shelf};

use crate::news::{add, document, item, poll};
use crate::place::Place;

const READ: Marking = Marking { read: Some(true), starred: None };
const STAR: Marking = Marking { read: None, starred: Some(true) };

async fn shelf(store: &Store, reader: &str, shelf: Shelf) -> Vec<String> {
    let query = ArticleQuery { shelf: Some((reader.to_owned(), shelf)), ..ArticleQuery::default() };
    let articles = store.articles(&query).await.unwrap();
    let mut keys: Vec<String> = articles.into_iter().filter_map(|article| article.guid).collect();
    keys.sort();
    keys
}

async fn id(store: &Store, key: &str) -> ArticleId {
    store.article_at(&format!("https://reuters.com/{key}")).await.unwrap().unwrap().id
}

#[tokio::test]
async fn marks_are_each_readers_own_and_can_be_taken_back() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let feed = add(&store, "https://a.example/1").await;
        poll(&store, document(&[item("1"), item("2"), item("3")]), Moved::Stays).await;
        let (first, second) = (id(&store, "1").await, id(&store, "2").await);
        assert_eq!(store.mark_articles("ada", &[first, second], READ).await.unwrap(), 2);
        assert_eq!(store.mark_articles("ada", &[second], STAR).await.unwrap(), 1);
        assert_eq!(
            store.mark_articles("ada", &[ArticleId(999)], STAR).await.unwrap(),
            0,
            "there is none"
        );
        let marks = store.marks("ada", &[first, second]).await.unwrap();
        assert_eq!(marks[&first], Marks { read: true, starred: false });
        assert_eq!(marks[&second], Marks { read: true, starred: true });
        assert_eq!(shelf(&store, "ada", Shelf::Unread).await, ["3"]);
        assert_eq!(shelf(&store, "ada", Shelf::Starred).await, ["2"]);
        assert_eq!(shelf(&store, "bob", Shelf::Unread).await, ["1", "2", "3"]);
        assert!(shelf(&store, "bob", Shelf::Starred).await.is_empty());
        assert_eq!(store.unread_by_feed("ada").await.unwrap()[&feed], 1);

        let back = Marking { read: Some(false), starred: Some(false) };
        store.mark_articles("ada", &[second], back).await.unwrap();
        assert_eq!(shelf(&store, "ada", Shelf::Unread).await, ["2", "3"]);
        assert!(shelf(&store, "ada", Shelf::Starred).await.is_empty());
    }
}

#[tokio::test]
async fn all_that_was_seen_until_then_is_read_and_nothing_later() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let feed = add(&store, "https://a.example/1").await;
        poll(&store, document(&[item("1"), item("2")]), Moved::Stays).await;
        let one = id(&store, "1").await;
        store.mark_articles("ada", &[one], STAR).await.unwrap();
        let until = store.article(one).await.unwrap().unwrap().seen_at;
        assert_eq!(store.mark_all_read("ada", Some(FeedId(feed.0 + 1)), until).await.unwrap(), 0);
        assert_eq!(store.mark_all_read("ada", None, Timestamp(until.0 - 1)).await.unwrap(), 0);
        assert_eq!(store.mark_all_read("ada", Some(feed), until).await.unwrap(), 2);
        assert_eq!(store.mark_all_read("ada", None, until).await.unwrap(), 0, "nothing is left");
        assert!(shelf(&store, "ada", Shelf::Unread).await.is_empty());
        assert_eq!(shelf(&store, "ada", Shelf::Starred).await, ["1"]);
        assert!(store.unread_by_feed("ada").await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn what_somebody_starred_outlives_its_time_and_its_feed() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let feed = add(&store, "https://a.example/1").await;
        poll(&store, document(&[item("1"), item("2")]), Moved::Stays).await;
        let (one, two) = (id(&store, "1").await, id(&store, "2").await);
        store.mark_articles("ada", &[one], STAR).await.unwrap();
        store.mark_articles("ada", &[two], READ).await.unwrap();
        assert!(store.remove_feed(feed, true).await.unwrap());
        assert!(store.article(two).await.unwrap().is_none(), "read, not starred");
        let far = Timestamp(i64::MAX / 4);
        assert_eq!(store.prune_articles(far).await.unwrap().articles, 0);
        assert!(store.article(one).await.unwrap().is_some());
        let free = Marking { starred: Some(false), ..Marking::default() };
        store.mark_articles("ada", &[one], free).await.unwrap();
        assert_eq!(store.prune_articles(far).await.unwrap().articles, 1);
    }
}
