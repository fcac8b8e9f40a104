//! How much one client may ask for: a bucket of requests that fills up again.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::Peer;
use crate::limits;
use crate::problem::Problem;
use crate::state::Server;

/// A bucket holds this many seconds' worth of requests.
const BURST_SECONDS: f64 = 4.0;

/// Buckets by address.
pub(crate) struct Rate {
    per_second: f64,
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
}

struct Bucket {
    left: f64,
    at: Instant,
}

impl Rate {
    pub(crate) fn new(per_second: u32) -> Self {
        Self { per_second: f64::from(per_second), buckets: Mutex::default() }
    }

    /// Takes one request out of a client's bucket; gives the seconds to wait if it is empty.
    fn take(&self, client: IpAddr, now: Instant) -> Result<(), u64> {
        let full = self.per_second * BURST_SECONDS;
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= limits::CLIENTS {
            // A caller with a full bucket need not be remembered.
            buckets.retain(|_, bucket| now.duration_since(bucket.at).as_secs_f64() < BURST_SECONDS);
        }
        if buckets.len() >= limits::CLIENTS && !buckets.contains_key(&client) {
            return Err(1);
        }
        let bucket = buckets.entry(client).or_insert(Bucket { left: full, at: now });
        let gained = now.duration_since(bucket.at).as_secs_f64() * self.per_second;
        bucket.left = (bucket.left + gained).min(full);
        bucket.at = now;
        if bucket.left < 1.0 {
            let seconds = (1.0 - bucket.left) / self.per_second.max(f64::MIN_POSITIVE);
            return Err(seconds.ceil().clamp(1.0, 3600.0) as u64);
        }
        bucket.left -= 1.0;
        Ok(())
    }
}

/// Turns away clients that ask too much.
pub(crate) async fn limit_rate(
    State(server): State<Server>,
    request: Request,
    next: Next,
) -> Response {
    match server.rate.take(Peer::of(&request).0, Instant::now()) {
        Ok(()) => next.run(request).await,
        Err(seconds) => {
            Problem::too_many("this address asks too often; wait a moment", seconds).into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let rate = Rate::new(2);
        let (client, start) = ("192.0.2.1".parse().unwrap(), Instant::now());
        let other = "192.0.2.2".parse().unwrap();
        assert!((0..8).all(|_| rate.take(client, start).is_ok()));
        assert_eq!(rate.take(client, start), Err(1));
        assert!(rate.take(other, start).is_ok());
        assert!(rate.take(client, start + Duration::from_millis(600)).is_ok());
        assert!(rate.take(client, start + Duration::from_millis(700)).is_err());
    }
}
