//! The consolidator: judges what came in, groups it into topics, and decides about categories.
//!
//! ```text
//! articles of the window → relevance per category → stories → topics → representatives → routing
//! ```
//!
//! It is a job of the store's queue, so that one process at a time does it, of all that poll feeds:
//! `news run`, a worker, a server; and `news consolidate` by hand. Every step is written as a whole and done again
//! if it was not, so a consolidator that dies loses nothing. A consolidator that lives on keeps its window, and
//! works out only what came and went since its last turn.

mod ask;
mod judge;
mod regroup;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use probity_core::{Answering, ArticleId, Clock, Timestamp, TopicId};
use probity_store::queue::{Beat, Fence, NewJob, QueueLimits};
use probity_store::topics::{
    BackgroundRecord, Category, CoverageQuery, Membership, RoutingRecord, TOPICS, TopicChange,
    WindowArticle,
};
use probity_store::{Store, StoreError};
use serde::Serialize;

use crate::category::RELEVANT;
use crate::cluster::{Background, Story};
use crate::rank::{RankedTopic, rank};
use crate::route::decide;
use crate::settings::NewsSettings;
use crate::topic::{Carried, carry_over};

pub use self::ask::Judge;
use self::regroup::{Basis, Standing, serves};

/// For how long the consolidator is taken at a time, and how often that is renewed during a turn. Whoever is
/// cut off holds others up no longer than this.
const LEASE: Duration = Duration::from_secs(60);
const HEARTBEAT: Duration = Duration::from_secs(15);
/// How long after a turn the next one is due.
const PAUSE: Duration = Duration::from_secs(300);
/// How often a turn may end in its process's death before it waits for a person.
const DEATHS_MOST: u32 = 100;

/// What a turn came to.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Turn {
    /// Articles in the window.
    pub articles: usize,
    /// Judgements of an article by a category.
    pub judged: usize,
    /// Of those, by a language model.
    pub by_model: usize,
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
pub struct Consolidator {
    store: Store,
    settings: NewsSettings,
    clock: Clock,
    /// The language model that is asked about articles, where one is configured.
    judge: Option<Arc<Judge>>,
    /// The window as the last turn left it.
    standing: Arc<Mutex<Option<Standing>>>,
}

impl Consolidator {
    /// A consolidator over a store.
    pub fn new(store: Store, settings: NewsSettings, clock: Clock) -> Self {
        Self { store, settings, clock, judge: None, standing: Arc::default() }
    }

    /// The same consolidator, which asks a language model how relevant articles are.
    #[must_use]
    pub fn judged_by(mut self, judge: Judge) -> Self {
        self.judge = Some(Arc::new(judge));
        self
    }

    /// Takes a turn if one is due and no other process has it. Gives nothing if not.
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
        let job = NewJob { owner: TOPICS, priority: 0, ..NewJob::standing(TOPICS, DEATHS_MOST) };
        self.store.enqueue(&job, QueueLimits::NONE).await.map(drop)
    }

    async fn work_under(&self, fence: &Fence) -> Result<Option<Turn>, StoreError> {
        let fenced = Consolidator {
            store: self.store.fenced(fence.clone()),
            settings: self.settings.clone(),
            clock: self.clock,
            judge: self.judge.clone(),
            standing: Arc::clone(&self.standing),
        };
        let turn = tokio::select! {
            turn = fenced.work() => turn,
            lost = self.keep(fence) => return lost.map(|()| None),
        };
        // A turn that failed is due again as well, or the consolidator would wait for the lease to end.
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
    pub fn work(&self) -> Answering<'_, Result<Turn, StoreError>> {
        Box::pin(async move {
            let now = self.clock.now();
            let since = self.settings.window_start(now);
            let mut turn = Turn::default();
            let categories = self.store.categories().await?;
            let mut sitting = self.judge.as_deref().map(|judge| judge.begin(&self.settings));
            for category in &categories {
                if self.is_open(category, since, now).await? {
                    self.judge(category, since, sitting.as_mut(), &mut turn).await?;
                }
            }
            self.consolidate(since, now, &mut turn).await?;
            for category in &categories {
                turn.routed.push(self.route(category, since, now).await?);
            }
            Ok(turn)
        })
    }

    async fn consolidate(
        &self,
        since: Timestamp,
        now: Timestamp,
        turn: &mut Turn,
    ) -> Result<(), StoreError> {
        let articles = self.store.window_articles(since).await?;
        turn.articles = articles.len();
        let (articles, stories) = self.stories(articles, now).await?;
        turn.stories = stories.len();
        let by_id: HashMap<ArticleId, &WindowArticle> =
            articles.iter().map(|article| (article.id, article)).collect();
        let members: Vec<Vec<(ArticleId, Option<TopicId>)>> =
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
            turn.merged += change.absorbs.len();
        }
        self.store.change_topics(&changes, since).await.map(drop)
    }

    /// The stories of the window's articles.
    async fn stories(
        &self,
        articles: Vec<WindowArticle>,
        now: Timestamp,
    ) -> Result<(Vec<WindowArticle>, Vec<Story>), StoreError> {
        // A turn that is cut off here leaves none behind, and the next turn begins with an empty
        // window.
        let left = self.standing.lock().unwrap_or_else(PoisonError::into_inner).take();
        let known = left.as_ref().map_or("", Standing::basis);
        let (articles, basis) = match self.stored_basis(known, articles.len(), now).await? {
            Some(basis) => (articles, basis),
            None => self.new_basis(articles, now).await?,
        };
        let grouped = tokio::task::spawn_blocking(move || {
            let mut standing = Standing::of(left, basis, &articles);
            let stories = standing.stories();
            (articles, stories, standing)
        });
        let Ok((articles, stories, standing)) = grouped.await else {
            return Ok(Default::default());
        };
        if standing.is_kept() {
            *self.standing.lock().unwrap_or_else(PoisonError::into_inner) = Some(standing);
        }
        Ok((articles, stories))
    }

    /// The background that the store keeps, if it still serves; without it where it is the known one.
    async fn stored_basis(
        &self,
        known: &str,
        articles: usize,
        now: Timestamp,
    ) -> Result<Option<Option<Basis>>, StoreError> {
        let Some(stored) = self.store.topic_background(known).await? else { return Ok(None) };
        if !serves(stored.made_at, stored.articles, articles, now) {
            return Ok(None);
        }
        let Some(body) = stored.body else { return Ok(Some(None)) };
        let background = Background::from_text(&body);
        Ok(background.map(|background| Some(Basis::new(background, &body))))
    }

    /// Makes a background of the articles at hand and keeps it, so that everybody weighs by the same.
    async fn new_basis(
        &self,
        articles: Vec<WindowArticle>,
        now: Timestamp,
    ) -> Result<(Vec<WindowArticle>, Option<Basis>), StoreError> {
        let made = tokio::task::spawn_blocking(move || {
            let background = Background::of(articles.iter().map(|one| one.title.as_str()));
            let body = background.to_text();
            (articles, background, body)
        });
        let Ok((articles, background, body)) = made.await else { return Ok(Default::default()) };
        let basis = Basis::new(background, &body);
        let record = BackgroundRecord {
            digest: basis.digest.clone(),
            made_at: now,
            articles: articles.len(),
            body: Some(body),
        };
        self.store.keep_topic_background(&record).await?;
        Ok((articles, Some(basis)))
    }

    /// What the articles that speak for a category's topics are worth; none for unrated outlets.
    async fn speaking(
        &self,
        category: &Category,
        since: Timestamp,
    ) -> Result<Vec<Option<f64>>, StoreError> {
        let ranked = self.ranked_topics(Some(category), since, 1.0).await?;
        Ok(ranked
            .iter()
            .filter_map(RankedTopic::representative)
            .map(|first| first.credibility)
            .collect())
    }

    /// The topics of the window, or of a category, the one worth most first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn ranked_topics(
        &self,
        category: Option<&Category>,
        since: Timestamp,
        factor: f64,
    ) -> Result<Vec<RankedTopic>, StoreError> {
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

fn members(
    story: &Story,
    by_id: &HashMap<ArticleId, &WindowArticle>,
) -> Vec<(ArticleId, Option<TopicId>)> {
    let ids = story.articles.iter().filter_map(|id| id.parse::<ArticleId>().ok());
    ids.filter_map(|id| Some((id, by_id.get(&id)?.topic))).collect()
}

fn change(
    one: &Carried,
    story: &Story,
    by_id: &HashMap<ArticleId, &WindowArticle>,
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
    let centre: ArticleId = story.centre.parse().ok()?;
    Some(TopicChange {
        topic: one.topic,
        split_from: one.split_from,
        absorbs: one.absorbs.clone(),
        label: by_id.get(&centre)?.title.clone(),
        first_at: times().min()?,
        last_at: times().max()?,
        joined: one.joined,
        members,
    })
}
