//! What is worth trying again, and when.

use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, RETRY_AFTER};

use super::limits::RETRY_AFTER_MAX;

/// How often a transient failure is tried again, and after which pauses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Retry {
    pub(crate) times: usize,
    pub(crate) backoff: Duration,
}

impl Retry {
    /// Doubles with each try, and varies by half so that many do not come back at once.
    pub(crate) fn pause(self, tried: usize) -> Duration {
        let factor = 1u32 << tried.min(10);
        self.backoff.saturating_mul(factor).mul_f64(0.75 + fastrand::f64() / 2.0)
    }
}

/// Whether a status says that the same request may succeed a moment later.
pub(crate) fn is_transient(status: u16) -> bool {
    matches!(status, 429 | 502 | 503 | 504)
}

/// How long the server asks us to wait, if it says so understandably.
pub(crate) fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let wait = match text.parse::<u64>() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => httpdate::parse_http_date(text).ok()?.duration_since(now).unwrap_or_default(),
    };
    Some(wait.min(RETRY_AFTER_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, text.parse().unwrap());
        retry_after(&headers, SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777))
    }

    #[test]
    fn seconds_and_dates_are_understood_and_nonsense_is_not() {
        assert_eq!(parsed("120"), Some(Duration::from_secs(120)));
        assert_eq!(parsed(" 0 "), Some(Duration::ZERO));
        assert_eq!(parsed("Sun, 06 Nov 1994 08:50:37 GMT"), Some(Duration::from_secs(60)));
        assert_eq!(parsed("Sun, 06 Nov 1994 08:00:00 GMT"), Some(Duration::ZERO));
        assert_eq!(parsed("99999999999"), Some(RETRY_AFTER_MAX));
        assert_eq!(parsed("-5"), None);
        assert_eq!(parsed("soon"), None);
    }
}
