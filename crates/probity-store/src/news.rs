//! The newsroom's intake: feeds, the articles that they brought, and how both are found again.
//!
//! ```text
//! add_feed → job `feed:ID` → claim → (poll) → record_poll: items, feed, next turn, in one transaction
//! articles_after (seen_at, id) → consumers of articles; news_search → queries
//! ```
//!
//! # Architecture
//! A poll is a job of the queue, so no two processes poll one feed at once, and a poll that died is
//! resumed. Everything that a poll brings is written under its lease, with the time of the next
//! one: a process that is killed has written all of it or nothing. The credibility of an article is
//! never kept with it: that is the outlet's score, joined from the ledger at query time.

mod article;
mod articles;
mod briefings;
mod feed;
mod feeds;
mod find;
mod later;
mod marks;
mod poll;
mod prune;
mod wanted;
mod write;

use probity_core::{FeedId, Timestamp};

pub(crate) use write::reindex;

pub use article::{Article, ArticleQuery, ArticleText, Latest, NewArticle, Place};
pub use briefings::{BRIEFINGS_KEPT, Briefing, NewBriefing};
pub use feed::{Added, FeedChange, FeedError, FeedQuery, FeedRecord, FeedState, NewFeed, Newsroom};
pub use find::{NewsHit, PROVIDER};
pub use later::{Finding, Unresolved};
pub use marks::{Marking, Marks, Shelf};
pub use poll::{Brought, FeedDocument, Moved, NextPoll, Outcome, PollRecord};
pub use prune::Pruned;
pub use wanted::Wanted;

/// The kind of the jobs that poll feeds.
pub const FEEDS: &str = "feeds";
/// How many feeds one store polls at most.
pub const FEEDS_MOST: i64 = 50_000;
/// How many errors are kept of one feed.
pub const ERRORS_KEPT: i64 = 50;
/// The most rows that one list gives.
pub const PAGE_ROWS: i64 = 1_000;
/// How often a poll may end in its process's death before the feed waits for a person.
const DEATHS_MOST: i64 = 100;
/// The longest text of a field of a feed or an article that is kept, in characters.
const FIELD_CHARS: usize = 4_000;

/// The id of the job that polls a feed.
pub fn job_id(feed: FeedId) -> String {
    format!("feed:{feed}")
}

/// Whose jobs the polls of a host's feeds are: each host's own, so that the queue is fair to hosts.
pub fn owner(host: &str) -> String {
    format!("newsroom {host}")
}

/// The feed that a job polls.
pub fn feed_of(job: &str) -> Option<FeedId> {
    job.strip_prefix("feed:")?.parse().ok()
}

/// A text that fits its column.
fn cut(text: &str) -> &str {
    match text.char_indices().nth(FIELD_CHARS) {
        Some((end, _)) => text.get(..end).unwrap_or(text),
        None => text,
    }
}

fn at(column: Option<i64>) -> Option<Timestamp> {
    column.map(Timestamp)
}
