//! How long to wait before asking again.

use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, RETRY_AFTER};

/// How often a transient failure is tried again.
pub(crate) const RETRIES: usize = 4;
/// The first pause; it doubles with each try.
const BACKOFF: Duration = Duration::from_millis(500);
/// The longest pause of our own choice.
const BACKOFF_MAX: Duration = Duration::from_secs(20);
/// The longest wait that a provider may ask for; deadlines are shorter anyway.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(600);

/// The pause before the next try, spread by half so that parallel calls do not come back at once.
pub(crate) fn pause(tried: usize) -> Duration {
    let factor = 1_u32 << tried.min(10);
    BACKOFF.saturating_mul(factor).min(BACKOFF_MAX).mul_f64(0.75 + fastrand::f64() / 2.0)
}

/// How long the provider asks us to wait, if it says so understandably.
pub(crate) fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    if let Some(millis) = headers.get("retry-after-ms") {
        let millis = millis.to_str().ok()?.trim().parse().ok()?;
        return Some(Duration::from_millis(millis).min(RETRY_AFTER_MAX));
    }
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let wait = match text.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok()?,
        Err(_) => httpdate::parse_http_date(text).ok()?.duration_since(now).unwrap_or_default(),
    };
    Some(wait.min(RETRY_AFTER_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &'static str, text: &str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert(name, text.parse().unwrap());
        retry_after(&headers, SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777))
    }

    #[test]
    fn waits_are_read_in_every_form_that_providers_use() {
        assert_eq!(read("retry-after", "7"), Some(Duration::from_secs(7)));
        assert_eq!(read("retry-after", "0.25"), Some(Duration::from_millis(250)));
        assert_eq!(read("retry-after-ms", "30"), Some(Duration::from_millis(30)));
        let date = "Sun, 06 Nov 1994 08:50:37 GMT";
        assert_eq!(read("retry-after", date), Some(Duration::from_secs(60)));
        assert_eq!(read("retry-after", "-3"), None);
        assert_eq!(read("retry-after", "1e300"), None);
        assert_eq!(read("retry-after", "99999999"), Some(RETRY_AFTER_MAX));
    }

    #[test]
    fn pauses_grow_and_stay_bounded() {
        for tried in 0..40 {
            let pause = pause(tried);
            assert!(pause >= BACKOFF.mul_f64(0.75) && pause <= BACKOFF_MAX.mul_f64(1.25));
        }
    }
}
