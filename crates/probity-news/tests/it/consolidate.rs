//! The consolidator over a real store: topics that stay, voices that a coding changes, categories that recover.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use probity_core::{CategoryId, Clock, FeedId, Outlet, Timestamp};
use probity_credibility::ledger::{Credibility, Name, Signature};
use probity_news::consolidate::Consolidator;
use probity_news::rank::RankedTopic;
use probity_news::{NewsSettings, review};
use probity_store::ledger::{Intent, Newcomer};
use probity_store::news::{
    Added, FEEDS, FeedDocument, Moved, NewArticle, NewFeed, NextPoll, Outcome, PollRecord,
};
use probity_store::topics::{Action, NewCategory};
use probity_store::{Location, Store};

use crate::headlines::labelled;

const HOUR: i64 = 3_600_000;
pub(crate) const NOW: Timestamp = Timestamp(1_800_000_000_000);

pub(crate) struct Room {
    pub(crate) store: Store,
    _folder: tempfile::TempDir,
}

impl Room {
    pub(crate) async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&Location::file(folder.path().join("x.db"))).await.unwrap();
        Self { store: store.with_clock(Clock::Fixed(NOW)), _folder: folder }
    }

    /// Takes articles in: (domain, headline).
    pub(crate) async fn ingest(&self, feed: &str, articles: &[(&str, &str)]) -> FeedId {
        let url = format!("https://{feed}/feed");
        let new = NewFeed { url: &url, host: feed, ..NewFeed::default() };
        let Added::New(id) = self.store.add_feed(&new).await.unwrap() else { panic!("known") };
        let record = self.store.feed(id).await.unwrap().unwrap();
        let job = probity_store::news::job_id(id);
        let lease = Duration::from_secs(60);
        let leased = self.store.claim_one("w", &job, lease).await.unwrap().expect("free");
        assert_eq!(leased.kind, FEEDS);
        let items: Vec<NewArticle> = articles
            .iter()
            .enumerate()
            .map(|(at, (domain, title))| NewArticle {
                item_key: format!("{feed}{at}"),
                canonical_url: Some(format!("https://{domain}/{feed}/{at}")),
                publisher_url: Some(format!("https://{domain}/{feed}/{at}")),
                outlet: Some(Outlet::new(domain).unwrap()),
                resolved: true,
                title: (*title).to_owned(),
                published_at: Some(Timestamp(NOW.0 - HOUR)),
                ..NewArticle::default()
            })
            .collect();
        let document =
            FeedDocument { title: "News", items: &items, digest: "d", ..Default::default() };
        let outcome = Outcome::Document(document);
        let poll = PollRecord { feed: &record, outcome, moved: Moved::Stays };
        let next = |_: usize| NextPoll { after: Duration::from_secs(3_600), per_day: None };
        self.store.record_poll(&leased.fence, &poll, next).await.unwrap();
        id
    }

    fn consolidator(&self, at: Timestamp) -> Consolidator {
        let clock = Clock::Fixed(at);
        Consolidator::new(self.store.clone().with_clock(clock), NewsSettings::default(), clock)
    }

    /// Whom to review, where outlets are cited as often as this.
    async fn reviewed(&self, cited: &BTreeMap<Outlet, u32>) -> Vec<review::Uncertain> {
        self.consolidator(NOW).work().await.unwrap();
        let lines = NewsSettings::default().routing;
        review::queue(&self.ranked_topics().await, false, &Default::default(), cited, lines, 0.1)
    }

    async fn ranked_topics(&self) -> Vec<RankedTopic> {
        self.consolidator(NOW).ranked_topics(None, Timestamp(0), 1.0).await.unwrap()
    }

    async fn set(&self, domain: &str, score: f64) {
        let by = Signature { by: Name::new("Ada").unwrap(), note: None };
        let (outlet, score) = (Outlet::new(domain).unwrap(), Credibility::new(score).unwrap());
        let set = self.store.set_score(&outlet, score, &by, Newcomer::Add, Intent::Apply);
        set.await.unwrap();
    }
}

pub(crate) fn harbour() -> NewCategory {
    NewCategory {
        name: "Harbour".to_owned(),
        description: "Ships, ferries, islands and the sea".to_owned(),
        keywords: vec!["ferry".to_owned()],
        ..NewCategory::default()
    }
}

const FERRY: [(&str, &str); 3] = [
    ("gazette.example", "Ferry sinks off Lorne Islands, 30 missing"),
    ("herald.example", "Dozens missing after Lorne Islands ferry sinks"),
    ("reuters.com", "Lorne Islands ferry sinks, dozens missing"),
];

#[tokio::test]
async fn a_coding_changes_who_speaks_without_grouping_anything_again() {
    let room = Room::new().await;
    room.ingest("a.example", &FERRY).await;
    room.ingest("b.example", &[("wsj.com", "Kestrel Air to buy rival Norvia for $3 billion")])
        .await;
    let turn = room.consolidator(NOW).take_turn_now("w").await.unwrap().expect("nobody is at it");
    assert_eq!((turn.articles, turn.stories, turn.created), (4, 2, 2));

    let speaker = |ranked: &[RankedTopic]| {
        let ferry = ranked.iter().find(|one| one.articles.len() == 3).unwrap();
        (ferry.topic, ferry.representative().unwrap().outlet.clone().unwrap().to_string())
    };
    let (topic, first) = speaker(&room.ranked_topics().await);
    assert_eq!(first, "reuters.com");
    room.set("reuters.com", 0.1).await;
    room.set("herald.example", 0.7).await;
    assert_eq!(speaker(&room.ranked_topics().await), (topic, "herald.example".to_owned()));

    room.ingest("c.example", &[("apnews.com", "Lorne Islands ferry sinks with 30 missing")]).await;
    let turn = room.consolidator(NOW).take_turn_now("w").await.unwrap().unwrap();
    assert_eq!((turn.created, turn.changed), (0, 1));
    let ranked = room.ranked_topics().await;
    let grown = ranked.iter().find(|one| one.topic == topic).unwrap();
    assert_eq!(grown.articles.len(), 4, "the number stayed as the topic grew");
    let turn = room.consolidator(NOW).work().await.unwrap();
    assert_eq!((turn.created, turn.changed, turn.merged, turn.split), (0, 0, 0, 0));
}

#[tokio::test]
async fn a_category_is_left_aside_and_recovers_with_its_outlets() {
    let room = Room::new().await;
    room.store.add_category(&harbour()).await.unwrap();
    for (domain, _) in FERRY {
        room.set(domain, 0.2).await;
    }
    room.ingest("a.example", &FERRY).await;
    let turn = room.consolidator(NOW).work().await.unwrap();
    let made = &turn.routed[0].decision;
    assert_eq!((turn.judged, made.action, made.representatives), (3, Action::Skipped, 1));
    assert_eq!(made.retry_at, Some(Timestamp(NOW.0 + 6 * HOUR)));

    let more = [("apnews.com", "Ferry timetable changes at Port Ellery")];
    room.ingest("b.example", &more).await;
    let turn = room.consolidator(Timestamp(NOW.0 + HOUR)).work().await.unwrap();
    assert_eq!((turn.judged, turn.routed[0].decision.action), (0, Action::Skipped), "left aside");

    room.set("herald.example", 0.9).await;
    let turn = room.consolidator(Timestamp(NOW.0 + 2 * HOUR)).work().await.unwrap();
    assert_eq!((turn.judged, turn.routed[0].decision.action), (1, Action::Scored), "it recovered");
    assert_eq!(
        room.store.routings(CategoryId(1), 10).await.unwrap().len(),
        3,
        "each decision is kept"
    );
}

#[tokio::test]
async fn articles_that_leave_the_window_close_their_topic() {
    let room = Room::new().await;
    room.ingest("a.example", &FERRY).await;
    room.consolidator(NOW).work().await.unwrap();
    let topic = room.ranked_topics().await[0].topic;
    let turn = room.consolidator(Timestamp(NOW.0 + 80 * HOUR)).work().await.unwrap();
    assert_eq!((turn.articles, turn.stories), (0, 0));
    let events = room.store.topic_events(topic).await.unwrap();
    assert_eq!(events.len(), 2, "{events:?}");
}

#[tokio::test]
async fn the_outlet_whose_coding_changes_most_is_reviewed_first() {
    let room = Room::new().await;
    room.ingest(
        "a.example",
        &[
            ("gazette.example", "Ferry sinks off Lorne Islands, 30 missing"),
            ("herald.example", "Dozens missing after Lorne Islands ferry sinks"),
            ("reuters.com", "Kestrel Air to buy rival Norvia for $3 billion"),
            ("blog.example", "Kestrel Air agrees $3 billion takeover of rival Norvia"),
        ],
    )
    .await;
    let queue = room.reviewed(&BTreeMap::new()).await;
    let names: Vec<&str> = queue.iter().map(|one| one.outlet.as_str()).collect();
    assert!(["gazette.example", "herald.example"].contains(&names[0]), "{queue:?}");
    assert_eq!((queue[0].speaks_for, queue[0].losses), (1, 1));
    assert!(!names.contains(&"blog.example"), "no coding lets it speak: {queue:?}");
}

#[tokio::test]
async fn an_outlet_that_nobody_rated_is_reviewed_before_one_that_is_known() {
    let room = Room::new().await;
    room.ingest(
        "a.example",
        &[
            ("reuters.com", "Kestrel Air to buy rival Norvia for $3 billion"),
            ("blog.example", "Kestrel Air agrees $3 billion takeover of rival Norvia"),
            ("reuters.com", "Ferry sinks off Lorne Islands, 30 missing"),
            ("blog.example", "Dozens missing after Lorne Islands ferry sinks"),
            ("reuters.com", "Hartwell mayor resigns over harbour contracts"),
        ],
    )
    .await;
    let queue = room.reviewed(&BTreeMap::new()).await;
    let names: Vec<&str> = queue.iter().map(|one| one.outlet.as_str()).collect();
    assert_eq!(names, ["blog.example", "reuters.com"], "{queue:?}");
    assert_eq!((queue[0].known, queue[1].speaks_for), (false, 3));
}

#[tokio::test]
async fn an_unrated_outlet_that_credible_ones_cite_is_suggested() {
    let room = Room::new().await;
    let titles = [
        ("reuters.com", "Kestrel Air to buy rival Norvia for $3 billion"),
        ("blog.example", "Kestrel Air agrees $3 billion takeover of rival Norvia"),
        ("cited.example", "Norvia is bought by rival Kestrel Air for $3 billion"),
    ];
    room.ingest("a.example", &titles).await;
    let cited = BTreeMap::from([(Outlet::new("cited.example").unwrap(), 3)]);
    let queue = room.reviewed(&cited).await;
    assert_eq!((queue[0].outlet.as_str(), queue[0].cited_by), ("cited.example", 3), "{queue:?}");
}

#[tokio::test]
async fn one_process_at_a_time_sits_at_the_desk() {
    let room = Room::new().await;
    let consolidator = room.consolidator(NOW);
    assert!(consolidator.take_turn("a").await.unwrap().is_some());
    assert!(consolidator.take_turn("b").await.unwrap().is_none(), "nothing is due yet");
    let lease = Duration::from_secs(60);
    let held = room.store.claim_one("c", "topics", lease).await.unwrap();
    assert!(held.is_some());
    assert!(consolidator.take_turn_now("d").await.unwrap().is_none(), "c is at it");
}

/// The topics of a store as sets of headlines.
async fn topics(room: &Room) -> BTreeSet<BTreeSet<String>> {
    let ranked = room.ranked_topics().await;
    ranked.iter().map(|one| one.articles.iter().map(|own| own.title.clone()).collect()).collect()
}

/// One consolidator takes all turns; in a second store every turn is taken by a new one, which has nothing
/// to go on from. A third consolidator comes in between.
#[tokio::test]
async fn turns_that_go_on_from_the_last_come_to_what_fresh_ones_come_to() {
    let (kept, fresh) = (Room::new().await, Room::new().await);
    let consolidator = kept.consolidator(NOW);
    let headlines = labelled();
    let titles: Vec<(&str, &str)> =
        headlines.iter().map(|one| ("gazette.example", one.article.title.as_str())).collect();
    let mut feeds = Vec::new();
    // Many at first, then a few at a time, so that the background stays for some turns.
    let sizes = [150, 5, 9, 1, 40, 3];
    let mut from = 0;
    for (number, size) in sizes.into_iter().enumerate() {
        let some = &titles[from..from + size];
        from += size;
        let feed = format!("f{number}.example");
        feeds.push((kept.ingest(&feed, some).await, fresh.ingest(&feed, some).await));
        if number == 3 {
            let (one, other) = feeds[1];
            kept.store.remove_feed(one, true).await.unwrap();
            fresh.store.remove_feed(other, true).await.unwrap();
        }
        // Another process may have the consolidator for a turn.
        let turn = match number {
            2 => kept.consolidator(NOW).work().await.unwrap(),
            _ => consolidator.work().await.unwrap(),
        };
        assert_eq!(turn, fresh.consolidator(NOW).work().await.unwrap(), "turn {number}");
        assert_eq!(topics(&kept).await, topics(&fresh).await, "turn {number}");
    }
    let stored = kept.store.topic_background("").await.unwrap().unwrap();
    assert!(stored.articles > 150, "a window that grew by a tenth is weighed anew");
}
