//! A request to a provider: paced, retried where that can help, and over by its deadline.
//!
//! ```text
//! wait for a slot → send → reply | wait as Retry-After says, if there is time → send again
//! ```

use std::sync::Arc;
use std::time::Duration;

use jiff::civil::Date;
use probity_core::{Clock, Problem, ProblemKind, Secret, Shared, WebUrl};
use serde_json::Value;
use tokio::time::Instant;

use super::clean;
use super::error::SearchError;
use super::name::ProviderName;
use super::query::Query;
use super::rate_limit::{Full, Pace};
use super::read;
use super::reply::Reply;
use super::settings::ProviderSettings;
use crate::fetch::api::{ApiClient, ApiError, ApiReply, ApiRequest};

/// How often one request is sent at most.
const ATTEMPTS: u32 = 3;
/// How long to wait before the first repetition when the provider did not say; doubled each time.
const PAUSE: Duration = Duration::from_millis(250);
/// As [`PAUSE`], after a request to slow down that does not say for how long.
const SLOW_DOWN: Duration = Duration::from_secs(1);
/// How long a provider is left alone that wants to see a person.
const AFTER_CHALLENGE: Duration = Duration::from_secs(60);
/// How much of a provider's error message is quoted, in characters.
const DETAIL_CHARS: usize = 160;

/// One provider's address, key and limits: what every HTTP provider is made of.
#[derive(Debug)]
pub struct Endpoint {
    name: ProviderName,
    base: WebUrl,
    client: ApiClient,
    key: Option<Secret>,
    engine: Option<String>,
    mailto: Option<String>,
    per_second: f64,
    pace: Pace,
    timeout: Duration,
    clock: Clock,
}

impl Endpoint {
    /// An endpoint at a base URL, with the provider's own limits unless the settings change them.
    pub fn new(
        name: ProviderName,
        base: WebUrl,
        settings: &ProviderSettings,
        client: ApiClient,
    ) -> Self {
        let spec = name.spec();
        let keyed = settings.key.is_some();
        let per_second = settings.per_second.unwrap_or(if keyed {
            spec.per_second_keyed
        } else {
            spec.per_second
        });
        Self {
            name,
            base,
            client,
            key: settings.key.clone(),
            engine: settings.engine.clone(),
            mailto: settings.mailto.clone(),
            per_second,
            pace: Pace::per_second(per_second),
            timeout: settings.timeout.unwrap_or(spec.timeout),
            clock: Clock::System,
        }
    }

    /// Takes another clock, for tests and replays.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Asks in step with other processes.
    #[must_use]
    pub fn sharing(mut self, shared: Option<Arc<dyn Shared>>) -> Self {
        self.pace = self.pace.sharing(shared, self.name.as_str());
        self
    }

    pub(crate) fn timeout(&self) -> Duration {
        self.timeout
    }

    pub(crate) fn key(&self) -> Option<&Secret> {
        self.key.as_ref()
    }

    /// Which of its engines or sites is searched.
    pub(crate) fn engine(&self) -> Option<&str> {
        self.engine.as_deref()
    }

    /// The address that the provider may write to, where it wants one.
    pub(crate) fn mailto(&self) -> Option<&str> {
        self.mailto.as_deref()
    }

    pub(crate) fn today(&self) -> Date {
        today(self.clock)
    }

    /// The address of a path below the base URL.
    pub(crate) fn at(&self, path: &str) -> Result<WebUrl, SearchError> {
        below(&self.base, path)
    }

    /// The base URL, for the provider that has one for each language.
    pub(crate) fn base(&self) -> &WebUrl {
        &self.base
    }

    /// A POST of a JSON body to a path below the base URL.
    pub(crate) fn post_json(&self, path: &str, body: &Value) -> Result<ApiRequest, SearchError> {
        ApiRequest::post_json(&self.at(path)?, body).map_err(SearchError::Api)
    }

    /// Asks once. No more results are taken than the query wants, whatever the reply holds.
    pub(crate) async fn once(
        &self,
        query: &Query,
        request: ApiRequest,
        parse: impl FnOnce(&[u8], Date) -> Result<Reply, SearchError>,
    ) -> Result<Reply, SearchError> {
        let reply = self.begin().ask(request).await?;
        let mut reply = parse(&reply.body, self.today())?;
        reply.hits.truncate(query.limit());
        Ok(reply)
    }

    /// Begins a search: everything asked through the result is over by one deadline.
    pub(crate) fn begin(&self) -> Asking<'_> {
        let now = Instant::now();
        Asking { endpoint: self, deadline: now.checked_add(self.timeout).unwrap_or(now) }
    }
}

/// What we call ourselves to pages made for browsers: in their form, and by our own name.
pub(crate) fn page_agent() -> String {
    format!("Mozilla/5.0 (compatible; {})", crate::fetch::default_user_agent())
}

/// Today by a clock, in UTC.
pub(crate) fn today(clock: Clock) -> Date {
    clock.now().date()
}

/// A path appended to a base URL, which may have a path of its own (a proxy's, say).
pub(crate) fn below(base: &WebUrl, path: &str) -> Result<WebUrl, SearchError> {
    let mut url = base.as_url().clone();
    url.set_fragment(None);
    url.set_query(None);
    let joined = format!("{}{path}", url.path().trim_end_matches('/'));
    url.set_path(&joined);
    WebUrl::parse(url.as_str()).map_err(|error| SearchError::Local(error.to_string()))
}

/// One search in progress at one provider.
#[derive(Debug)]
pub(crate) struct Asking<'a> {
    endpoint: &'a Endpoint,
    deadline: Instant,
}

impl Asking<'_> {
    /// Leaves the provider alone for a while, as a reply that succeeded asks for.
    pub(crate) fn leave_alone(&self, wait: Duration) {
        self.endpoint.pace.hold_off(wait);
    }

    /// Passes a reply on. A provider that wants to see a person is left alone for a while, by
    /// everybody who shares its breaker: asking again at once would only confirm its suspicion.
    pub(crate) async fn heed_challenge<T>(
        &self,
        reply: Result<T, SearchError>,
    ) -> Result<T, SearchError> {
        if matches!(reply, Err(SearchError::Challenge)) {
            self.endpoint.pace.note(true).await;
            self.endpoint.pace.hold_off(AFTER_CHALLENGE);
        }
        reply
    }

    /// Sends a request, again where that can help, until the deadline.
    pub(crate) async fn ask(&self, request: ApiRequest) -> Result<ApiReply, SearchError> {
        let endpoint = self.endpoint;
        let mut attempt = 1;
        loop {
            endpoint.pace.slot_before(self.deadline).await.map_err(|full| match full {
                Full::Queue => SearchError::Queue { per_second: endpoint.per_second },
                Full::Held(wait) => SearchError::RateLimited { wait },
                Full::Resting(wait) => SearchError::Resting { wait },
            })?;
            let time = self.deadline.saturating_duration_since(Instant::now());
            let error = match endpoint.client.send(request.clone().within(time)).await {
                Ok(reply) => {
                    endpoint.pace.note(false).await;
                    return Ok(reply);
                }
                Err(error) => error,
            };
            // Being asked to slow down is no failure: it is seen to below.
            if !matches!(error, ApiError::RateLimited { .. }) {
                endpoint.pace.note(error.is_transient()).await;
            }
            let Some(wait) = pause_before(attempt, &error) else { return Err(self.explain(error)) };
            tracing::debug!(provider = %endpoint.name, attempt, ?wait, "asking again");
            if matches!(error, ApiError::RateLimited { .. }) {
                endpoint.pace.hold_off(wait);
            }
            if Instant::now().checked_add(wait).is_none_or(|then| then >= self.deadline) {
                return Err(match error {
                    ApiError::RateLimited { retry_after: Some(wait), .. } => {
                        SearchError::RateLimited { wait }
                    }
                    other => self.explain(other),
                });
            }
            tokio::time::sleep(wait).await;
            attempt += 1;
        }
    }

    /// Asks for page after page until there are enough results or no new ones.
    ///
    /// A later page that fails is a problem, not an error: what came before is kept.
    pub(crate) async fn pages(
        &self,
        limit: usize,
        most: usize,
        request: impl Fn(usize) -> Result<ApiRequest, SearchError>,
        parse: impl Fn(&[u8]) -> Result<Reply, SearchError>,
    ) -> Result<Reply, SearchError> {
        let mut all = Reply::default();
        for page in 0..most {
            let reply = match self.ask(request(page)?).await {
                Ok(reply) => parse(&reply.body),
                Err(error) => Err(error),
            };
            let before = all.hits.len();
            match reply {
                Ok(reply) => all.extend(reply),
                Err(error) if page == 0 => return Err(error),
                Err(error) => {
                    let detail = format!("page {} is missing: {error}", page + 1);
                    all.problems.push(Problem::new(
                        ProblemKind::Search,
                        self.endpoint.name.as_str(),
                        detail,
                    ));
                    break;
                }
            }
            if all.hits.len() >= limit || all.hits.len() == before {
                break;
            }
        }
        all.hits.truncate(limit);
        Ok(all)
    }

    /// The error in the user's terms: which variable to look at, and no key in any text.
    fn explain(&self, error: ApiError) -> SearchError {
        match error {
            ApiError::Unauthorised { status, detail, host } => {
                let detail = format!("status {status}: {}", self.tidy(&detail));
                match self.endpoint.name.spec().key {
                    Some(key) => SearchError::KeyRefused {
                        variable: key.variable,
                        given: self.endpoint.key.is_some(),
                        detail,
                    },
                    None => SearchError::Api(ApiError::Status {
                        host,
                        status,
                        detail: self.tidy(&detail),
                    }),
                }
            }
            ApiError::Status { host, status, detail } => {
                SearchError::Api(ApiError::Status { host, status, detail: self.tidy(&detail) })
            }
            ApiError::Timeout { .. } => SearchError::Timeout { time: self.endpoint.timeout },
            other => SearchError::Api(other),
        }
    }

    /// A provider's message as one short line of text. Some quote the key they refuse.
    fn tidy(&self, detail: &str) -> String {
        let said = serde_json::from_str(detail).ok().and_then(|value| read::said(&value));
        let said = said.as_deref().unwrap_or(detail);
        // The key goes first, so that no part of it is left at the cut.
        let line = match &self.endpoint.key {
            Some(key) => clean::plain(&key.redact(said), DETAIL_CHARS),
            None => clean::plain(said, DETAIL_CHARS),
        };
        if line.is_empty() { "no reason given".to_owned() } else { line }
    }
}

/// How long to wait before asking again; none when that cannot help.
fn pause_before(attempt: u32, error: &ApiError) -> Option<Duration> {
    // After a timeout there is no time left by definition.
    if attempt >= ATTEMPTS || !error.is_transient() || matches!(error, ApiError::Timeout { .. }) {
        return None;
    }
    let start = if matches!(error, ApiError::RateLimited { .. }) { SLOW_DOWN } else { PAUSE };
    Some(error.retry_after().unwrap_or(start * 2u32.pow(attempt - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_keeps_its_path() {
        let base = |text| WebUrl::parse(text).unwrap();
        for (from, expected) in [
            ("https://a.example", "https://a.example/search"),
            ("https://a.example/", "https://a.example/search"),
            ("https://a.example/proxy/x/?k=1#f", "https://a.example/proxy/x/search"),
        ] {
            assert_eq!(below(&base(from), "/search").unwrap().as_str(), expected);
        }
    }

    #[test]
    fn only_what_may_pass_is_asked_again() {
        let host = || "a.example".to_owned();
        let status = |status| ApiError::Status { host: host(), status, detail: String::new() };
        assert_eq!(pause_before(1, &status(500)), Some(PAUSE));
        assert_eq!(pause_before(2, &status(503)), Some(PAUSE * 2));
        assert_eq!(pause_before(3, &status(500)), None);
        assert_eq!(pause_before(1, &status(400)), None);
        let limited =
            |retry_after| ApiError::RateLimited { host: host(), status: 429, retry_after };
        assert_eq!(pause_before(1, &limited(None)), Some(SLOW_DOWN));
        assert_eq!(
            pause_before(1, &limited(Some(Duration::from_secs(7)))),
            Some(Duration::from_secs(7))
        );
        assert_eq!(pause_before(1, &ApiError::Timeout { host: host(), time: PAUSE }), None);
    }
}
