//! The desk: judges what came in, groups it into topics, and decides about categories.
//!
//! ```text
//! articles of the window → relevance per category → stories → topics → representatives → routing
//! ```
//!
//! It is a job of the store's queue, so that one process at a time does it, of all that poll feeds:
//! `news run`, a worker, a server; and `news consolidate` by hand. Every step is written as a whole and done again
//! if it was not, so a desk that dies loses nothing.

use std::collections::HashMap;
use std::time::Duration;

use probity_core::{Clock, Timestamp};
use probity_store::queue::{Beat, Fence, NewJob, QueueLimits};
use probity_store::topics::{
    Action, Category, CoverageQuery, Judged, Membership, RoutingRecord, TOPICS, TopicChange,
    Unjudged, WindowArticle,
};
use probity_store::{Store, StoreError};
use serde::Serialize;

use crate::category::{BY_FEED, Profile, RELEVANT};
use crate::cluster::{self, Article, Story};
use crate::rank::{Told, credibility, rank};
use crate::route::{decide, is_open, mean};
use crate::settings::NewsSettings;
use crate::topic::{Carried, carry_over};

/// For how long the desk is taken at a time, and how often that is renewed during a turn. Whoever is
/// cut off holds others up no longer than this.
const LEASE: Duration = Duration::from_secs(60);
const HEARTBEAT: Duration = Duration::from_secs(15);
/// How long after a turn the next one is due.
const PAUSE: Duration = Duration::from_secs(300);
/// How often a turn may end in its process's death before it waits for a person.
const DEATHS_MOST: u32 = 100;
/// How many articles a category judges at once.
const BATCH: i64 = 1_000;
/// Who judged, where no language model did.
const EMBEDDED: &str = "embedded";

/// What a turn came to.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Turn {
    /// Articles in the window.
    pub articles: usize,
    /// Judgements of an article by a category.
    pub judged: usize,
    /// Stories they tell.
    pub stories: usize,
    /// Topics that are new.
    pub created: usize,
    /// Topics that changed.
    pub changed: usize,
    /// Topics that became part of others.
    pub merged: usize,
    /// Topics that began as a part of another.
    pub split: usize,
    /// What was decided about each category.
    pub routed: Vec<Routed>,
}

/// What was decided about a category.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Routed {
    /// Its name.
    pub name: String,
    /// The decision.
    #[serde(flatten)]
    pub decision: RoutingRecord,
}

/// The newsroom's judgement over one store.
pub struct Desk {
    store: Store,
    settings: NewsSettings,
    clock: Clock,
}

impl Desk {
    /// A desk over a store.
    pub fn new(store: Store, settings: NewsSettings, clock: Clock) -> Self {
        Self { store, settings, clock }
    }

    /// Takes a turn if one is due and nobody else has it. Gives nothing if not.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn take_turn(&self, worker: &str) -> Result<Option<Turn>, StoreError> {
        self.queue().await?;
        match self.store.claim(worker, &[TOPICS], LEASE).await? {
            Some(leased) => self.work_under(&leased.fence).await,
            None => Ok(None),
        }
    }

    /// Takes a turn now, due or not. Gives nothing if another process is at it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn take_turn_now(&self, worker: &str) -> Result<Option<Turn>, StoreError> {
        self.queue().await?;
        match self.store.claim_one(worker, TOPICS, LEASE).await? {
            Some(leased) => self.work_under(&leased.fence).await,
            None => Ok(None),
        }
    }

    async fn queue(&self) -> Result<(), StoreError> {
        let job = NewJob {
            id: TOPICS,
            kind: TOPICS,
            owner: TOPICS,
            payload: "{}",
            priority: 0,
            after: Duration::ZERO,
            failures_most: DEATHS_MOST,
        };
        let limits = QueueLimits { open: i64::MAX, open_per_owner: i64::MAX };
        self.store.enqueue(&job, limits).await.map(drop)
    }

    async fn work_under(&self, fence: &Fence) -> Result<Option<Turn>, StoreError> {
        let fenced = Desk {
            store: self.store.fenced(fence.clone()),
            settings: self.settings.clone(),
            clock: self.clock,
        };
        let turn = tokio::select! {
            turn = fenced.work() => turn,
            lost = self.keep(fence) => return lost.map(|()| None),
        };
        // A turn that failed is due again as well, or the desk would wait for the lease to end.
        self.store.reschedule(fence, PAUSE).await?;
        turn.map(Some)
    }

    /// Keeps the lease of a turn; returns once it is lost.
    async fn keep(&self, fence: &Fence) -> Result<(), StoreError> {
        loop {
            tokio::time::sleep(HEARTBEAT).await;
            if self.store.heartbeat(fence, LEASE).await? == Beat::Lost {
                return Ok(());
            }
        }
    }

    /// Judges, groups and routes the articles of the window.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn work(&self) -> Result<Turn, StoreError> {
        let now = self.clock.now();
        let since = self.settings.window_start(now);
        let mut turn = Turn::default();
        let categories = self.store.categories().await?;
        for category in &categories {
            if self.is_open(category, since, now).await? {
                turn.judged += self.judge(category, since).await?;
            }
        }
        self.consolidate(since, &mut turn).await?;
        for category in &categories {
            turn.routed.push(self.route(category, since, now).await?);
        }
        Ok(turn)
    }

    /// Whether a category's new articles are looked at.
    async fn is_open(
        &self,
        category: &Category,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let last = self.store.routing(category.id).await?;
        if last.as_ref().is_none_or(|last| last.action != Action::Skipped) {
            return Ok(true);
        }
        let speaking = self.speaking(category, since).await?;
        Ok(is_open(last.as_ref(), mean(&speaking), self.settings.routing, now))
    }

    async fn judge(&self, category: &Category, since: Timestamp) -> Result<usize, StoreError> {
        let Category { name, description, examples, keywords, .. } = category;
        let profile = Profile::new(name, description, examples, keywords);
        let mut judged = 0;
        loop {
            let batch = self.store.unjudged(category, since, BATCH).await?;
            let values: Vec<Judged> = batch
                .iter()
                .map(|article| Judged {
                    article: article.id,
                    value: value(&profile, name, article),
                })
                .collect();
            let kept = self.store.record_relevance(category, EMBEDDED, &values).await?;
            judged += values.len();
            // What was not kept has gone, or the category has: either way there is no more.
            if batch.len() < usize::try_from(BATCH).unwrap_or(usize::MAX) || kept == 0 {
                return Ok(judged);
            }
        }
    }

    async fn consolidate(&self, since: Timestamp, turn: &mut Turn) -> Result<(), StoreError> {
        let articles = self.store.window_articles(since).await?;
        turn.articles = articles.len();
        let (articles, stories) = tokio::task::spawn_blocking(move || {
            let stories = cluster::stories(articles.iter().map(article), Default::default());
            (articles, stories)
        })
        .await
        .unwrap_or_default();
        turn.stories = stories.len();
        let by_id: HashMap<i64, &WindowArticle> =
            articles.iter().map(|article| (article.id, article)).collect();
        let members: Vec<Vec<(i64, Option<i64>)>> =
            stories.iter().map(|story| members(story, &by_id)).collect();
        let changes: Vec<TopicChange> = carry_over(&members)
            .into_iter()
            .filter_map(|one| change(&one, stories.get(one.story)?, &by_id))
            .collect();
        for change in &changes {
            match (change.topic, change.split_from) {
                (Some(_), _) => turn.changed += 1,
                (None, Some(_)) => turn.split += 1,
                (None, None) => turn.created += 1,
            }
            turn.merged += change.takes_in.len();
        }
        self.store.change_topics(&changes, since).await.map(drop)
    }

    /// What the articles that speak for a category's topics are worth.
    async fn speaking(
        &self,
        category: &Category,
        since: Timestamp,
    ) -> Result<Vec<f64>, StoreError> {
        let told = self.told(Some(category), since, 1.0).await?;
        Ok(told.iter().filter_map(Told::representative).map(credibility).collect())
    }

    /// The topics of the window, or of a category, the one worth most first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn told(
        &self,
        category: Option<&Category>,
        since: Timestamp,
        factor: f64,
    ) -> Result<Vec<Told>, StoreError> {
        let category = category.map(|category| category.id);
        let query = CoverageQuery { since: Some(since), topic: None, category };
        let coverage = self.store.coverage(&query).await?;
        Ok(rank(coverage, category.is_some(), RELEVANT, factor))
    }

    async fn route(
        &self,
        category: &Category,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<Routed, StoreError> {
        let speaking = self.speaking(category, since).await?;
        let last = self.store.routing(category.id).await?;
        let decision = decide(category.id, &speaking, self.settings.routing, last.as_ref(), now);
        self.store.record_routing(&decision).await?;
        Ok(Routed { name: category.name.clone(), decision })
    }
}

/// How relevant an article is to a category, which its feed may be meant for.
fn value(profile: &Profile, name: &str, article: &Unjudged) -> f64 {
    let value = profile.relevance(&article.title, &article.summary);
    let meant = |own: &String| own.to_lowercase() == name.to_lowercase();
    if article.feed_categories.iter().any(meant) { value.max(BY_FEED) } else { value }
}

fn article(article: &WindowArticle) -> Article {
    Article {
        id: article.id.to_string(),
        title: article.title.clone(),
        text: article.summary.clone(),
        published: Some(article.time()),
    }
}

fn members(story: &Story, by_id: &HashMap<i64, &WindowArticle>) -> Vec<(i64, Option<i64>)> {
    let ids = story.articles.iter().filter_map(|id| id.parse::<i64>().ok());
    ids.filter_map(|id| Some((id, by_id.get(&id)?.topic))).collect()
}

fn change(
    one: &Carried,
    story: &Story,
    by_id: &HashMap<i64, &WindowArticle>,
) -> Option<TopicChange> {
    let duplicates: HashMap<&str, &str> =
        story.duplicates.iter().map(|(id, of)| (id.as_str(), of.as_str())).collect();
    let members: Vec<Membership> = story
        .articles
        .iter()
        .filter_map(|id| {
            let duplicate_of = duplicates.get(id.as_str()).and_then(|of| of.parse().ok());
            Some(Membership { article: id.parse().ok()?, duplicate_of })
        })
        .collect();
    let times = || members.iter().filter_map(|own| Some(by_id.get(&own.article)?.time()));
    let centre: i64 = story.centre.parse().ok()?;
    Some(TopicChange {
        topic: one.topic,
        split_from: one.split_from,
        takes_in: one.takes_in.clone(),
        label: by_id.get(&centre)?.title.clone(),
        first_at: times().min()?,
        last_at: times().max()?,
        joined: one.joined,
        members,
    })
}
