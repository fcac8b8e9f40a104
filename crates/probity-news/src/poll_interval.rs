//! When a feed is polled next: as often as it changes, never more often than it asks, ever more
//! seldom while it fails.

use std::time::Duration;

use probity_store::news::{FeedRecord, NextPoll};

use crate::settings::NewsSettings;

const DAY: Duration = Duration::from_secs(24 * 3_600);
/// How many new items a poll should find on average: one, so that news is not old when it comes.
const ITEMS_A_POLL: f64 = 1.0;
/// How soon an old rate is forgotten: after this long, two thirds of it.
const MEMORY: Duration = Duration::from_secs(3 * 24 * 3_600);
/// The wait after the first failure; it doubles with each.
const FIRST_RETRY: Duration = Duration::from_secs(5 * 60);
/// The longest wait after failures, or that a server may ask for.
const LAST_RETRY: Duration = Duration::from_secs(24 * 3_600);
/// No feed is polled more often than this, whatever its reader says.
pub const LEAST: Duration = Duration::from_secs(60);
/// By how much a wait varies to either side, so that feeds do not all come at once.
const VARIES: f64 = 0.1;
/// The same for waits after failures, which are more likely to coincide.
const RETRY_VARIES: f64 = 0.25;

/// What is known when a feed that answered is put back.
#[derive(Debug, Clone, Copy)]
pub struct Answered {
    /// How many of its items were new.
    pub new: usize,
    /// How long ago it was polled before; none for the first time.
    pub since: Option<Duration>,
    /// Over how long its items were published, and how many there were, for the first time.
    pub spread: Option<(Duration, usize)>,
    /// How seldom it asks to be polled.
    pub floor: Option<Duration>,
}

/// The next poll of a feed that answered. `chance` is from 0 to 1.
pub fn after_answer(
    feed: &FeedRecord,
    answered: &Answered,
    settings: &NewsSettings,
    chance: f64,
) -> NextPoll {
    let per_day = rate(feed.per_day, answered);
    let wished = feed.interval_ms.and_then(|ms| u64::try_from(ms).ok()).map(Duration::from_millis);
    let after = match wished {
        // What the user decided is kept, within reason.
        Some(wished) => wished.max(LEAST),
        None => {
            let (least, most) = (settings.min_interval(), settings.max_interval());
            let own = per_day.filter(|rate| *rate > 0.0).map_or(most, |rate| {
                let days = (ITEMS_A_POLL / rate).min(most.as_secs_f64() / DAY.as_secs_f64());
                DAY.mul_f64(days)
            });
            own.max(answered.floor.unwrap_or_default()).clamp(least, most)
        }
    };
    NextPoll { after: vary(after, VARIES, chance), per_day }
}

/// The next poll of a feed that failed this many times in a row, with what the server asked for.
pub fn after_failure(
    feed: &FeedRecord,
    failures: i64,
    retry_after: Option<Duration>,
    chance: f64,
) -> NextPoll {
    let doublings = u32::try_from(failures.clamp(1, 16)).unwrap_or(1) - 1;
    let backoff = FIRST_RETRY.saturating_mul(1 << doublings).min(LAST_RETRY);
    // A server that says when is not asked earlier, only a little later.
    let asked = retry_after.unwrap_or_default().min(LAST_RETRY);
    let after = vary(backoff, RETRY_VARIES, chance).max(asked + asked.mul_f64(VARIES * chance));
    NextPoll { after, per_day: feed.per_day }
}

/// New items a day: what was known before, moved towards what was seen, the further the longer ago
/// the last look was.
fn rate(before: Option<f64>, answered: &Answered) -> Option<f64> {
    let days = |time: Duration| time.as_secs_f64() / DAY.as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "a feed has at most thousands of items")]
    let count = |items: usize| items as f64;
    match (before, answered.since) {
        (Some(before), Some(since)) if !since.is_zero() => {
            let seen = count(answered.new) / days(since);
            let weight = 1.0 - (-days(since) / days(MEMORY)).exp();
            Some(before + weight * (seen - before))
        }
        (Some(before), _) => Some(before),
        (None, _) => {
            let (spread, items) = answered.spread?;
            // Items that all came at once say little; an hour is the least they took.
            Some(count(items) / days(spread.max(Duration::from_secs(3_600))))
        }
    }
}

fn vary(time: Duration, by: f64, chance: f64) -> Duration {
    time.mul_f64(1.0 - by + 2.0 * by * chance.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use probity_core::Timestamp;
    use probity_store::news::FeedState;
    use proptest::prelude::*;

    use super::*;

    fn feed(per_day: Option<f64>) -> FeedRecord {
        FeedRecord {
            id: probity_core::FeedId(1),
            url: "https://a.example/feed".into(),
            site_url: None,
            title: String::new(),
            label: None,
            categories: Vec::new(),
            credibility_score: 0.5,
            aggregator: false,
            state: FeedState::Enabled,
            state_reason: None,
            interval_ms: None,
            floor_ms: None,
            per_day,
            etag: None,
            last_modified: None,
            digest: None,
            moved_to: None,
            moved_times: 0,
            failures: 0,
            polls: 0,
            brought: 0,
            added_at: Timestamp(0),
            polled_at: None,
            ok_at: None,
            document_at: None,
            new_at: None,
            next_at: None,
            polling: false,
            last_error: None,
        }
    }

    const HOUR: Duration = Duration::from_secs(3_600);
    const QUIET: Answered = Answered { new: 0, since: Some(HOUR), spread: None, floor: None };

    /// Polls a feed with `per_day` new items a day for a month; gives its last interval.
    fn settle(per_day: f64) -> Duration {
        let settings = NewsSettings::default();
        let mut feed = feed(Some(12.0));
        let (mut wait, mut waiting) = (HOUR, 0.0);
        let mut time = Duration::ZERO;
        while time < 40 * DAY {
            waiting += per_day * wait.as_secs_f64() / DAY.as_secs_f64();
            let new = waiting.floor();
            waiting -= new;
            let answered = Answered { new: new as usize, since: Some(wait), ..QUIET };
            let next = after_answer(&feed, &answered, &settings, 0.5);
            feed.per_day = next.per_day;
            time += wait;
            wait = next.after;
        }
        wait
    }

    #[test]
    fn a_feed_is_polled_about_as_often_as_it_changes() {
        assert_eq!(settle(1_000.0), Duration::from_secs(15 * 60));
        let hourly = settle(24.0).as_secs_f64() / 3_600.0;
        assert!((0.8..1.3).contains(&hourly), "{hourly}");
        assert_eq!(settle(0.0), DAY);
    }

    #[test]
    fn a_feed_is_not_polled_more_often_than_it_asks() {
        let answered = Answered { floor: Some(3 * HOUR), ..QUIET };
        let next = after_answer(&feed(Some(500.0)), &answered, &NewsSettings::default(), 0.5);
        assert_eq!(next.after, 3 * HOUR);
        let own = FeedRecord { interval_ms: Some(1_800_000), ..feed(Some(500.0)) };
        let next = after_answer(&own, &answered, &NewsSettings::default(), 0.5);
        assert_eq!(next.after, HOUR / 2, "unless its reader decided");
    }

    #[test]
    fn the_first_document_tells_the_rate_by_its_dates() {
        let first = Answered { new: 48, since: None, spread: Some((2 * DAY, 48)), floor: None };
        let next = after_answer(&feed(None), &first, &NewsSettings::default(), 0.5);
        assert_eq!((next.after, next.per_day), (HOUR, Some(24.0)));
    }

    #[test]
    fn a_server_that_says_when_is_not_asked_earlier() {
        let next = after_failure(&feed(None), 1, Some(2 * HOUR), 0.0);
        assert_eq!(next.after, 2 * HOUR);
        assert!(after_failure(&feed(None), 1, Some(1_000 * DAY), 1.0).after <= DAY.mul_f64(1.2));
    }

    proptest! {
        #[test]
        fn waits_stay_within_their_bounds(
            rate in prop::option::of(0.0..1e6f64), new in 0usize..2_000, since in 0u64..10_000_000,
            floor in prop::option::of(0u64..10_000_000_000), chance in 0.0..=1.0f64,
        ) {
            let settings = NewsSettings::default();
            let answered = Answered {
                new,
                since: Some(Duration::from_secs(since)),
                spread: None,
                floor: floor.map(Duration::from_secs),
            };
            let next = after_answer(&feed(rate), &answered, &settings, chance);
            prop_assert!(next.after >= settings.min_interval().mul_f64(0.9 - 1e-9));
            prop_assert!(next.after <= settings.max_interval().mul_f64(1.1 + 1e-9));
            prop_assert!(next.per_day.is_none_or(|rate| rate >= 0.0 && rate.is_finite()));
        }

        #[test]
        fn more_failures_never_wait_less(failures in 1i64..200, chance in 0.0..=1.0f64) {
            let wait = |failures| after_failure(&feed(None), failures, None, chance).after;
            prop_assert!(wait(failures + 1) >= wait(failures));
            prop_assert!(wait(failures) <= LAST_RETRY.mul_f64(1.25 + 1e-9));
        }
    }
}
