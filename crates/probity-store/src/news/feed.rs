//! What is kept of a feed.

use std::time::Duration;

use probity_core::{FeedId, Timestamp};
use serde::Serialize;

use super::at;
use crate::sql::{ColumnError, Row};

/// A feed to be polled from now on.
#[derive(Debug, Clone, Copy, Default)]
pub struct NewFeed<'a> {
    /// Its address.
    pub url: &'a str,
    /// The host of the address, for fairness among hosts.
    pub host: &'a str,
    /// The page it belongs to.
    pub site_url: Option<&'a str>,
    /// What it calls itself, as far as is known.
    pub title: &'a str,
    /// What its reader calls it.
    pub label: Option<&'a str>,
    /// The categories its articles belong to by default.
    pub categories: &'a [String],
    /// How often it is polled, if its reader says so.
    pub interval: Option<Duration>,
    /// When it is polled first.
    pub after: Duration,
}

/// The result of adding a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// It is new, and has this id.
    New(FeedId),
    /// There is one of this address already; nothing changed.
    Exists(FeedId),
    /// There are as many feeds as a store polls.
    Full,
}

/// Whether a feed is polled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FeedState {
    /// It is polled.
    Enabled,
    /// It was disabled by a user, or it became another feed.
    Disabled,
    /// Its server says that it is gone permanently.
    Gone,
}

impl FeedState {
    /// The state's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Enabled => "enabled",
            Self::Disabled => "disabled",
            Self::Gone => "gone",
        }
    }

    fn parse(text: &str) -> Result<Self, ColumnError> {
        [Self::Enabled, Self::Disabled, Self::Gone]
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| ColumnError::new("state", format!("is `{text}`")))
    }
}

/// A feed as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FeedRecord {
    /// Its id.
    pub id: FeedId,
    /// Its address.
    pub url: String,
    /// The page it belongs to.
    pub site_url: Option<String>,
    /// What it calls itself.
    pub title: String,
    /// What its reader calls it.
    pub label: Option<String>,
    /// The categories its articles belong to by default.
    pub categories: Vec<String>,
    /// A legacy number that has no effect.
    pub credibility_score: f64,
    /// Whether most of its items belong to other publishers.
    pub aggregator: bool,
    /// Whether it is polled.
    pub state: FeedState,
    /// Why it is not.
    pub state_reason: Option<String>,
    /// How often its reader wants it polled, in milliseconds.
    pub interval_ms: Option<i64>,
    /// How seldom it asks to be polled, in milliseconds.
    pub floor_ms: Option<i64>,
    /// New items a day, as observed.
    pub per_day: Option<f64>,
    /// The `ETag` of its last document.
    pub etag: Option<String>,
    /// The `Last-Modified` of its last document.
    pub last_modified: Option<String>,
    /// The hash of its last document.
    pub digest: Option<String>,
    /// Where it says that it has moved permanently.
    pub moved_to: Option<String>,
    /// How often in a row it said so.
    pub moved_times: i64,
    /// Polls in a row that failed.
    pub failures: i64,
    /// How often it was polled.
    pub polls: i64,
    /// How many articles it brought.
    pub brought: i64,
    /// When it was added.
    pub added_at: Timestamp,
    /// When it was last polled.
    pub polled_at: Option<Timestamp>,
    /// When that last went well.
    pub ok_at: Option<Timestamp>,
    /// When it last gave a document that differed from the one before.
    pub document_at: Option<Timestamp>,
    /// When it last brought something new.
    pub new_at: Option<Timestamp>,
    /// When it is polled next, as long as it is polled.
    pub next_at: Option<Timestamp>,
    /// Whether a process polls it now, or died while it did.
    pub polling: bool,
    /// What went wrong last, while it is going wrong.
    pub last_error: Option<String>,
}

impl FeedRecord {
    /// What to call it: its reader's word first, its own next, its address at last.
    pub fn name(&self) -> &str {
        let label = self.label.as_deref().filter(|label| !label.is_empty());
        label.unwrap_or(if self.title.is_empty() { &self.url } else { &self.title })
    }
}

/// What to change of a feed; what is none stays as it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct FeedChange<'a> {
    /// What its reader calls it.
    pub label: Option<&'a str>,
    /// The categories its articles belong to by default.
    pub categories: Option<&'a [String]>,
    /// How often it is polled; none inside lets it find its own pace.
    pub interval: Option<Option<Duration>>,
}

/// Which feeds to list, in the order of their ids.
#[derive(Debug, Clone, Copy, Default)]
pub struct FeedQuery {
    /// Only those of this state.
    pub state: Option<FeedState>,
    /// Only those whose last poll failed.
    pub failing: bool,
    /// Those after this one.
    pub after: FeedId,
    /// At most this many.
    pub limit: Option<i64>,
}

/// Something that went wrong with a feed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FeedError {
    /// When.
    pub at: Timestamp,
    /// What kind of failure it was.
    pub kind: String,
    /// What the server answered with.
    pub status: Option<i64>,
    /// What happened.
    pub reason: String,
}

/// How much there is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Newsroom {
    /// Feeds.
    pub feeds: i64,
    /// Feeds that are polled.
    pub enabled: i64,
    /// Feeds whose last poll failed.
    pub failing: i64,
    /// Feeds that are due.
    pub due: i64,
    /// Articles.
    pub articles: i64,
    /// Articles whose outlet is not known.
    pub unresolved: i64,
}

pub(super) fn read(row: &Row) -> Result<FeedRecord, ColumnError> {
    let categories: String = row.get("categories")?;
    let categories = serde_json::from_str(&categories)
        .map_err(|error| ColumnError::new("categories", error.to_string()))?;
    Ok(FeedRecord {
        id: row.get("id")?,
        url: row.get("url")?,
        site_url: row.get("site_url")?,
        title: row.get("title")?,
        label: row.get("label")?,
        categories,
        credibility_score: row.get("credibility_score")?,
        aggregator: row.get::<i64>("aggregator")? != 0,
        state: FeedState::parse(&row.get::<String>("state")?)?,
        state_reason: row.get("state_reason")?,
        interval_ms: row.get("interval_ms")?,
        floor_ms: row.get("floor_ms")?,
        per_day: row.get("per_day")?,
        etag: row.get("etag")?,
        last_modified: row.get("last_modified")?,
        digest: row.get("digest")?,
        moved_to: row.get("moved_to")?,
        moved_times: row.get("moved_times")?,
        failures: row.get("failures")?,
        polls: row.get("polls")?,
        brought: row.get("brought")?,
        added_at: Timestamp(row.get("added_at")?),
        polled_at: at(row.get("polled_at")?),
        ok_at: at(row.get("ok_at")?),
        document_at: at(row.get("document_at")?),
        new_at: at(row.get("new_at")?),
        next_at: at(row.get("next_at")?),
        polling: row.get::<i64>("polling")? != 0,
        last_error: row.get("last_error")?,
    })
}
