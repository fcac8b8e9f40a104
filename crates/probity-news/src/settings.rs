//! What the user may set about the newsroom's intake, with its defaults.

use std::time::Duration;

use probity_core::Timestamp;
use probity_model::settings::Choice;
use serde::{Deserialize, Serialize};

use crate::route::Lines;

/// How feeds are polled and how long articles are kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NewsSettings {
    /// Days that articles are kept which no feed lists any more and nothing refers to.
    pub retention_days: u32,
    /// The least minutes between two polls of a feed.
    pub min_interval_minutes: u32,
    /// The most minutes between two polls of a feed that answers.
    pub max_interval_minutes: u32,
    /// How many feeds are polled at the same time.
    pub concurrency: usize,
    /// How many feeds of one host are polled at the same time.
    pub per_host: usize,
    /// How many links of aggregators are followed after one poll; 0 follows none.
    pub follow_links: usize,
    /// Over how many hours articles can belong to one topic.
    pub window_hours: u32,
    /// Who judges how relevant articles are to categories: `embedded`, `auto`, a provider, or
    /// `provider:name`.
    pub model: Choice,
    /// How many articles a language model is asked about in one call.
    pub model_batch: usize,
    /// How many articles a language model is asked about in one turn of the consolidator; the embedded
    /// analyst judges the others.
    pub model_articles: usize,
    /// How many pages are read after a turn of the consolidator for categories that want full texts; 0
    /// reads none.
    pub full_texts: usize,
    /// Whether a briefing of the last day is kept every day.
    pub daily_briefing: bool,
    /// The hour of the day, in UTC, from which that is done.
    pub briefing_hour: u8,
    /// The mean credibility at which categories are scored as usual, and below which they are left
    /// aside.
    pub routing: Lines,
}

impl Default for NewsSettings {
    fn default() -> Self {
        Self {
            retention_days: 90,
            min_interval_minutes: 15,
            max_interval_minutes: 24 * 60,
            concurrency: 16,
            per_host: 2,
            follow_links: 10,
            window_hours: 72,
            model: Choice::Embedded,
            model_batch: 20,
            model_articles: 200,
            full_texts: 20,
            daily_briefing: true,
            briefing_hour: 6,
            routing: Lines::default(),
        }
    }
}

/// The most feeds that may be polled at the same time.
const CONCURRENCY_MOST: usize = 256;
/// The most links that may be followed after one poll.
const FOLLOW_MOST: usize = 100;
/// The longest time between two polls of a feed that answers, in minutes: 30 days.
const INTERVAL_MOST: u32 = 30 * 24 * 60;
/// The most articles that a model may be asked about in one call, and in one turn.
const MODEL_BATCH_MOST: usize = 100;
const MODEL_ARTICLES_MOST: usize = 10_000;
/// The most pages that may be read after one turn.
const FULL_TEXTS_MOST: usize = 500;

/// The longest window, in hours: 30 days.
const WINDOW_MOST: u32 = 30 * 24;

impl NewsSettings {
    /// Says what is wrong with the settings, if anything.
    ///
    /// # Errors
    /// With what is wrong, in words.
    pub fn check(&self) -> Result<(), String> {
        let (least, most) = (self.min_interval_minutes, self.max_interval_minutes);
        if least == 0 || least > most || most > INTERVAL_MOST {
            return Err(format!(
                "`min_interval_minutes` is {least} and `max_interval_minutes` {most}; they have to \
                 lie between 1 and {INTERVAL_MOST}, the first at most the second"
            ));
        }
        if self.retention_days == 0 {
            return Err("`retention_days` has to be at least 1".to_owned());
        }
        let within = |value: usize, most| (1..=most).contains(&value);
        if !within(self.concurrency, CONCURRENCY_MOST) || !within(self.per_host, CONCURRENCY_MOST) {
            return Err(format!(
                "`concurrency` and `per_host` have to lie between 1 and {CONCURRENCY_MOST}"
            ));
        }
        if self.follow_links > FOLLOW_MOST {
            return Err(format!("`follow_links` has to be at most {FOLLOW_MOST}"));
        }
        if !(1..=WINDOW_MOST).contains(&self.window_hours) {
            return Err(format!("`window_hours` has to lie between 1 and {WINDOW_MOST}"));
        }
        if !within(self.model_batch, MODEL_BATCH_MOST) {
            return Err(format!("`model_batch` has to lie between 1 and {MODEL_BATCH_MOST}"));
        }
        if self.model_articles > MODEL_ARTICLES_MOST {
            return Err(format!("`model_articles` has to be at most {MODEL_ARTICLES_MOST}"));
        }
        if self.full_texts > FULL_TEXTS_MOST {
            return Err(format!("`full_texts` has to be at most {FULL_TEXTS_MOST}"));
        }
        if self.briefing_hour > 23 {
            return Err("`briefing_hour` has to lie between 0 and 23".to_owned());
        }
        self.routing.check().map_err(|error| format!("routing: {error}"))
    }

    /// Since when articles are in the window.
    pub fn window_start(&self, now: Timestamp) -> Timestamp {
        Timestamp(now.0.saturating_sub(i64::from(self.window_hours) * 3_600_000))
    }

    /// How long it is until the next daily briefing.
    pub fn until_briefing(&self, now: Timestamp) -> Duration {
        const DAY: i64 = 24 * 3_600_000;
        let hour = i64::from(self.briefing_hour) * 3_600_000;
        let left = (hour - now.0).rem_euclid(DAY);
        let left = if left == 0 { DAY } else { left };
        Duration::from_millis(u64::try_from(left).unwrap_or_default())
    }

    /// How long articles are kept.
    pub fn retention(&self) -> Duration {
        Duration::from_secs(u64::from(self.retention_days) * 24 * 3_600)
    }

    /// The least time between two polls.
    pub fn min_interval(&self) -> Duration {
        Duration::from_secs(u64::from(self.min_interval_minutes) * 60)
    }

    /// The most time between two polls.
    pub fn max_interval(&self) -> Duration {
        Duration::from_secs(u64::from(self.max_interval_minutes) * 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_briefing_is_the_next_time_that_its_hour_comes() {
        let settings = NewsSettings::default();
        let hours = |text: &str| {
            let now: Timestamp = text.parse().unwrap();
            settings.until_briefing(now).as_secs_f64() / 3_600.0
        };
        assert_eq!(hours("2026-03-02T05:30:00Z"), 0.5);
        assert_eq!(hours("2026-03-02T06:00:00Z"), 24.0);
        assert_eq!(hours("2026-03-02T07:00:00Z"), 23.0);
    }
}
