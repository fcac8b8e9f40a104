//! Looks for events to alert about since the last look.

use std::sync::Arc;
use std::time::Duration;

use probity_core::{Answering, Band, Clock};
use probity_news::topic_view;
use probity_news::{NewsSettings, headline::without_outlet};
use probity_report::novelty::Novelty;
use probity_research::work::{Handled, Handler, Task};
use probity_store::ledger::EventQuery;
use probity_store::queue::{NewJob, QueueLimits};
use probity_store::topics::CategoryError;
use probity_store::watches::Outcome;
use probity_store::{Store, StoreError};
use probity_web::notify::Message;

use super::send::Letter;
use super::{ALERT, ALERTS};
use crate::config::alerts::AlertSettings;
use crate::live::Live;

/// How long it is until the next look.
const EVERY: Duration = Duration::from_secs(60);
/// How much is looked at in one go.
const ROWS: i64 = 500;
/// How often a message may fail before it waits for a person: with longer and longer waits, some hours.
const TRIES: u32 = 20;

/// Looks for news by the settings of the moment.
pub(crate) struct Looker {
    pub(crate) live: Arc<Live>,
}

/// One look.
struct Look {
    /// What is sent, and how.
    settings: AlertSettings,
    /// Over how long topics go on.
    news: NewsSettings,
    /// What the time is.
    clock: Clock,
}

/// A message with what makes it this one, so that it is sent once.
struct Found {
    key: String,
    message: Message,
}

impl Look {
    async fn look(&self, store: &Store) -> Result<(), StoreError> {
        // The first look only records the current state: the past is no news.
        self.look_at_outlets(store).await?;
        self.look_at_questions(store).await?;
        self.look_at_topics(store).await
    }

    async fn look_at_outlets(&self, store: &Store) -> Result<(), StoreError> {
        let place = store.alert_place("ledger").await?;
        let Some(mut after) = place else {
            let last = EventQuery { newest_first: true, limit: Some(1), ..EventQuery::default() };
            let last = store.events(&last).await?.first().map_or(0, |event| event.seq);
            return store.move_alert_place("ledger", last).await;
        };
        loop {
            let query =
                EventQuery { after: Some(after), limit: Some(ROWS), ..EventQuery::default() };
            let events = store.events(&query).await?;
            let Some(last) = events.last().map(|event| event.seq) else { return Ok(()) };
            for event in &events {
                let (before, now) = (Band::of(event.before), Band::of(event.after));
                if !self.settings.outlets || now >= before {
                    continue;
                }
                let title =
                    format!("{} fell from {} to {}", event.outlet, before.words(), now.words());
                let mut lines =
                    vec![format!("{:.2} → {:.2}, by {}", event.before, event.after, event.by)];
                lines.extend(event.note.clone());
                let link = self.settings.link(&format!("/outlets/{}", event.outlet));
                let message =
                    Message { kind: "outlet".into(), title, lines, link, at: event.at.to_string() };
                self.queue(store, Found { key: format!("outlet:{}", event.seq), message }).await?;
            }
            store.move_alert_place("ledger", last).await?;
            after = last;
        }
    }

    async fn look_at_questions(&self, store: &Store) -> Result<(), StoreError> {
        let place = store.alert_place("questions").await?;
        let mut after = place.unwrap_or(0);
        if place.is_none() {
            store.move_alert_place("questions", 0).await?;
        }
        loop {
            let turns = store.turns_after(after, ROWS).await?;
            let Some(last) = turns.last().map(|turn| turn.id) else { return Ok(()) };
            for turn in turns.iter().filter(|turn| turn.outcome == Outcome::Changed) {
                if place.is_none() || !self.settings.questions {
                    continue;
                }
                let Some(watch) = store.watch(turn.watch).await? else { continue };
                let novelty = turn.novelty.as_deref();
                let novelty = novelty.and_then(|text| serde_json::from_str::<Novelty>(text).ok());
                let message = Message {
                    kind: "question".into(),
                    title: format!("New answer: {}", watch.question),
                    lines: novelty.map(|novelty| novelty.lines()).unwrap_or_default(),
                    link: self.settings.link(&format!("/watches/{}", watch.id)),
                    at: turn.at.to_string(),
                };
                self.queue(store, Found { key: format!("question:{}", turn.id), message }).await?;
            }
            store.move_alert_place("questions", last).await?;
            after = last;
        }
    }

    async fn look_at_topics(&self, store: &Store) -> Result<(), StoreError> {
        let place = store.alert_place("topics").await?;
        let since = self.news.window_start(self.clock.now());
        let all = match topic_view::topics(store, None, since).await {
            Ok(topics) => topics.ranked,
            Err(CategoryError::Store(error)) => return Err(error),
            Err(_) => Vec::new(),
        };
        let newest = all.iter().map(|one| one.topic.0).max().unwrap_or(0);
        let Some(after) = place else { return store.move_alert_place("topics", newest).await };
        if newest <= after {
            return Ok(());
        }
        for category in &self.settings.categories {
            let ranked = match topic_view::topics(store, Some(category), since).await {
                Ok(topics) => topics.ranked,
                Err(CategoryError::Store(error)) => return Err(error),
                Err(error) => {
                    tracing::warn!(%error, category, "[alerts] names a category that does not exist");
                    continue;
                }
            };
            for one in ranked.iter().filter(|one| one.topic.0 > after && one.topic.0 <= newest) {
                let Some(first) = one.representative() else { continue };
                let outlet = first.outlet.as_ref().map(ToString::to_string);
                let title = first.outlet.as_ref().map(|one| without_outlet(&first.title, one));
                let message = Message {
                    kind: "topic".into(),
                    title: title.unwrap_or(&first.title).to_owned(),
                    lines: vec![format!(
                        "{category}: represented by {}, {} outlets report it",
                        outlet.as_deref().unwrap_or("an unresolved outlet"),
                        one.outlets
                    )],
                    link: self.settings.link(&format!("/topics/{}", one.topic)),
                    at: first.seen_at.to_string(),
                };
                self.queue(store, Found { key: format!("topic:{}", one.topic), message }).await?;
            }
        }
        store.move_alert_place("topics", newest).await
    }

    /// Queues a message for every way to reach people. What is queued already stays as it is.
    async fn queue(&self, store: &Store, found: Found) -> Result<(), StoreError> {
        for (channel, _) in self.settings.channels() {
            let letter = Letter { channel: channel.clone(), message: found.message.clone() };
            let payload = serde_json::to_string(&letter).unwrap_or_default();
            let id = format!("alert:{}:{channel}", found.key);
            let job = NewJob {
                id: &id,
                owner: ALERTS,
                payload: &payload,
                priority: 0,
                ..NewJob::standing(ALERT, TRIES)
            };
            store.enqueue(&job, QueueLimits::NONE).await?;
        }
        Ok(())
    }
}

impl Handler for Looker {
    fn kind(&self) -> &'static str {
        ALERTS
    }

    fn handle<'a>(&'a self, task: Task) -> Answering<'a, Handled> {
        Box::pin(async move {
            let app = self.live.app();
            let look = Look {
                settings: app.settings.alerts.clone(),
                news: app.settings.news.clone(),
                clock: app.clock,
            };
            match look.look(&task.store).await {
                Ok(()) => Handled::Again(EVERY),
                Err(StoreError::Fenced { .. }) => Handled::Lost,
                Err(error) => Handled::Failed(error.to_string()),
            }
        })
    }
}
