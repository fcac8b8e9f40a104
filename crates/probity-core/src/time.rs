//! Instants as milliseconds since 1970, and the one clock that everything asks.

use std::fmt;
use std::time::Duration;

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

/// An instant in milliseconds since 1970 (UTC), as it is stored.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// The calendar day in UTC.
    pub fn date(self) -> Date {
        self.zoned().date()
    }

    /// The calendar year in UTC.
    pub fn year(self) -> i16 {
        self.date().year()
    }

    /// Midnight (UTC) of a day.
    pub fn at_start_of(date: Date) -> Self {
        date.to_zoned(TimeZone::UTC).map_or(Self(0), |z| Self(z.timestamp().as_millisecond()))
    }

    /// A time as people type it: `24h` or `7d` before now (`m`, `h`, `d`, `w`), a day, or an instant.
    ///
    /// ```
    /// use probity_core::Timestamp;
    ///
    /// let now: Timestamp = "2026-03-02T12:00:00Z".parse()?;
    /// assert_eq!(Timestamp::since("24h", now)?.to_string(), "2026-03-01T12:00:00Z");
    /// assert_eq!(Timestamp::since("2026-03-01", now)?.to_string(), "2026-03-01T00:00:00Z");
    /// # Ok::<(), probity_core::SinceError>(())
    /// ```
    ///
    /// # Errors
    /// When the text is none of these.
    pub fn since(text: &str, now: Self) -> Result<Self, SinceError> {
        let text = text.trim();
        match span(text) {
            Ok(span) => {
                Ok(Self(now.0.saturating_sub(i64::try_from(span.as_millis()).unwrap_or(0))))
            }
            Err(_) => Ok(text.parse::<Self>()?),
        }
    }

    fn zoned(self) -> jiff::Zoned {
        jiff::Timestamp::from_millisecond(self.0)
            .unwrap_or(jiff::Timestamp::UNIX_EPOCH)
            .to_zoned(TimeZone::UTC)
    }
}

/// A span of time as people type it: `30m`, `6h`, `1d`, `2w`.
///
/// # Errors
/// When the text is no whole number with one of these units.
pub fn span(text: &str) -> Result<Duration, SpanError> {
    let units = [("m", 60), ("h", 3_600), ("d", 24 * 3_600), ("w", 7 * 24 * 3_600)];
    let text = text.trim();
    let count = |(unit, seconds): (&str, u64)| {
        let count: u32 = text.strip_suffix(unit)?.parse().ok()?;
        Some(Duration::from_secs(u64::from(count) * seconds))
    };
    let found = units.into_iter().find_map(count);
    found.ok_or_else(|| SpanError(text.chars().take(40).collect()))
}

/// Why a text is no span of time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a duration: write 30m, 6h, 1d or 2w")]
pub struct SpanError(pub String);

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.zoned().strftime("%Y-%m-%dT%H:%M:%SZ"))
    }
}

/// Why a text is not an instant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a time (expected 2026-03-01 or 2026-03-01T12:00:00Z)")]
pub struct TimeError(pub String);

/// Why a text is neither an instant nor a time before now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a time: write 24h, 7d, 2026-03-01 or 2026-03-01T12:00:00Z")]
pub struct SinceError(pub String);

impl From<TimeError> for SinceError {
    fn from(TimeError(text): TimeError) -> Self {
        Self(text)
    }
}

impl std::str::FromStr for Timestamp {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        let trimmed = text.trim();
        if let Ok(instant) = trimmed.parse::<jiff::Timestamp>() {
            return Ok(Self(instant.as_millisecond()));
        }
        // Without a zone it is UTC, and a day alone is its midnight.
        trimmed
            .parse::<DateTime>()
            .and_then(|time| time.to_zoned(TimeZone::UTC))
            .map(|zoned| Self(zoned.timestamp().as_millisecond()))
            .map_err(|_| TimeError(text.chars().take(40).collect()))
    }
}

/// Where "now" comes from: the system, or a fixed instant for tests and replays.
#[derive(Debug, Clone, Copy, Default)]
pub enum Clock {
    /// The machine's clock.
    #[default]
    System,
    /// Always the same instant.
    Fixed(Timestamp),
}

impl Clock {
    /// The present instant.
    pub fn now(self) -> Timestamp {
        match self {
            Clock::System => Timestamp(jiff::Timestamp::now().as_millisecond()),
            Clock::Fixed(at) => at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_print_and_parse() {
        let at: Timestamp = "2026-03-01T12:00:00Z".parse().unwrap();
        assert_eq!(at.to_string(), "2026-03-01T12:00:00Z");
        assert_eq!("2026-03-01".parse::<Timestamp>().unwrap().year(), 2026);
        for civil in ["2026-03-01 12:00:00", "2026-03-01T12:00", "2026-03-01T14:00:00+02:00"] {
            assert_eq!(civil.parse::<Timestamp>().unwrap(), at, "{civil}");
        }
        assert_eq!("2026-03-01".parse::<Timestamp>().unwrap().to_string(), "2026-03-01T00:00:00Z");
        assert!("yesterday".parse::<Timestamp>().is_err());
        assert_eq!(Timestamp(i64::MAX).to_string(), "1970-01-01T00:00:00Z");
    }
}
