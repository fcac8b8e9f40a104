//! Articles, as feeds would have brought them.

use std::time::Duration;

use probity_core::{Outlet, Timestamp};
use probity_store::news::{
    Added, FeedDocument, Moved, NewArticle, NewFeed, NextPoll, Outcome, PollRecord, job_id,
};

use crate::backend::NOW;
use crate::place::Place;

const HOUR: i64 = 3_600_000;

/// Two outlets on one story, and one on another.
pub(crate) const FERRY: [(&str, &str, &str); 3] = [
    (
        "reuters.com",
        "Ferry sinks off Lorne Islands, 30 missing",
        "A ferry sank off the Lorne Islands on Saturday and 30 people are missing.",
    ),
    (
        "gazette.example",
        "Lorne Islands ferry sinks, 45 people missing",
        "A ferry sank off the Lorne Islands on Saturday and 45 people are missing.",
    ),
    (
        "wsj.com",
        "Kestrel Air to buy rival Norvia for $3.1 billion",
        "Kestrel Air agreed to buy its rival Norvia for $3.1 billion in cash.",
    ),
];

impl Place {
    /// Takes articles in from a feed of that name: (domain, headline, summary).
    pub(crate) async fn ingest(&self, title: &str, articles: &[(&str, &str, &str)]) {
        let name: String = title.bytes().map(|byte| format!("{byte:02x}")).collect();
        let url = format!("https://feeds.example/{name}");
        let new = NewFeed { url: &url, host: "feeds.example", ..NewFeed::default() };
        let Added::New(id) = self.store.add_feed(&new).await.unwrap() else { panic!("known") };
        let record = self.store.feed(id).await.unwrap().unwrap();
        let lease = Duration::from_secs(60);
        let leased = self.store.claim_one("w", &job_id(id), lease).await.unwrap().expect("free");
        let items: Vec<NewArticle> = articles
            .iter()
            .enumerate()
            .map(|(at, (domain, title, summary))| NewArticle {
                item_key: format!("{id}-{at}"),
                canonical_url: Some(format!("https://{domain}/{id}/{at}")),
                publisher_url: Some(format!("https://{domain}/{id}/{at}")),
                outlet: Some(Outlet::new(domain).unwrap()),
                resolved: true,
                title: (*title).to_owned(),
                summary: (*summary).to_owned(),
                // As feeds have it: the newest first.
                published_at: Some(Timestamp(NOW.0 - HOUR - at as i64 * 60_000)),
                ..NewArticle::default()
            })
            .collect();
        let document = FeedDocument { title, items: &items, digest: "d", ..Default::default() };
        let outcome = Outcome::Document(document);
        let poll = PollRecord { feed: &record, outcome, moved: Moved::Stays };
        let next = |_: usize| NextPoll { after: Duration::from_secs(3_600), per_day: None };
        self.store.record_poll(&leased.fence, &poll, next).await.unwrap();
    }
}
