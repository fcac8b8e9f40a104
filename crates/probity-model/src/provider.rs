//! One provider: how many ask it at once, how often it is asked again, when it is left alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use probity_core::Secret;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, timeout_at};
use url::Url;

use crate::account::Account;
use crate::breaker::Breaker;
use crate::error::ModelError;
pub use crate::http::ClientError;
use crate::http::{Framing, Http};
use crate::local_speed::{Pace, Speed, is_local};
use crate::model::{Asker, Asking, Model};
use crate::name::ModelName;
use crate::reply::{Partial, Reply, TEXT_BYTES};
use crate::request::Request;
use crate::retry::{RETRIES, pause};
use crate::table::Facts;
use crate::wire::{Call, Protocol, Trouble};
use crate::{tokens, untrusted};

/// How a provider is reached.
#[derive(Debug, Clone)]
pub struct Reach {
    /// Where it is.
    pub base: Url,
    /// Its key, where it wants one.
    pub key: Option<Secret>,
    /// What it speaks.
    pub protocol: Protocol,
    /// How many calls it gets at once, where someone has said so.
    pub concurrency: Option<usize>,
    /// Who asks, where a key alone does not say.
    pub account: Option<Account>,
}

/// Calls that one provider gets at once, unless set otherwise.
pub(crate) const CONCURRENCY: usize = 16;
/// Short calls that count as one, unless someone has said how many calls a provider gets.
pub const SHORT_CALLS: u32 = 2;
/// How long the user's own server may take to say how many slots it has.
const PROPS_TIME: Duration = Duration::from_secs(2);

/// A provider that can be asked. All of its models share connections, permits and the breaker.
#[derive(Debug)]
pub struct Provider {
    protocol: Protocol,
    base: Url,
    key: Option<Secret>,
    http: Http,
    permits: Semaphore,
    /// How many permits a call takes that is not short.
    long_call: u32,
    breaker: Breaker,
    /// Set once a server refused a schema for its answer; then only the prompt has it.
    refuses_schema: AtomicBool,
    /// What ends the fences of every request. One for as long as the provider is open, which is a run: what
    /// requests begin with is then the same to the byte, and providers that keep prefixes charge less for it.
    nonce: String,
    /// The speed of a server on the user's machine.
    pace: Option<Pace>,
    /// Whether that server is still to be asked how many calls it works on at once.
    unprobed: AtomicBool,
}

impl Provider {
    /// Opens a provider. Nothing is sent yet.
    ///
    /// # Errors
    /// When the HTTP client cannot start.
    pub fn open(reach: Reach) -> Result<Arc<Self>, ClientError> {
        let local = is_local(&reach.base);
        // One thing at a time, until the server says that it can do more.
        let concurrency = reach.concurrency.unwrap_or(if local { 1 } else { CONCURRENCY }).max(1);
        let long_call = if local || reach.concurrency.is_some() { 1 } else { SHORT_CALLS };
        let says_slots = local && reach.concurrency.is_none() && reach.protocol == Protocol::Chat;
        Ok(Arc::new(Self {
            protocol: reach.protocol,
            base: reach.base,
            http: Http::new(reach.key.clone(), reach.account)?,
            key: reach.key,
            permits: Semaphore::new(concurrency * long_call as usize),
            long_call,
            pace: local.then(|| Pace::new(concurrency)),
            unprobed: AtomicBool::new(says_slots),
            breaker: Breaker::default(),
            refuses_schema: AtomicBool::new(false),
            nonce: untrusted::nonce(),
        }))
    }

    /// Asks until there is an answer, the failure is final, or the deadline is near.
    async fn ask(
        &self,
        (name, facts): (&ModelName, Facts),
        request: &Request,
        deadline: Instant,
        asker: &dyn Asker,
    ) -> Result<Reply, ModelError> {
        let timeout = || ModelError::Timeout { model: name.to_string() };
        if self.unprobed.swap(false, Ordering::Relaxed) {
            self.probe().await;
        }
        let taken = if request.task.is_short() { 1 } else { self.long_call };
        let permit = timeout_at(deadline, self.permits.acquire_many(taken)).await;
        let _permit = permit.map_err(|_| timeout())?;
        let mut tried = 0;
        let mut last = None;
        loop {
            // A turn that comes when the time is over is no turn.
            if Instant::now() >= deadline {
                return Err(timeout());
            }
            if !self.breaker.allows() {
                // What went wrong says more than that it went wrong often.
                return Err(last.unwrap_or(ModelError::Resting { model: name.to_string() }));
            }
            if let Err(limit) = asker.begin().await {
                let model = name.to_string();
                return Err(last.unwrap_or(ModelError::OverLimit { model, limit }));
            }
            let began = Instant::now();
            let once = timeout_at(deadline, self.once((name, facts), request, asker)).await;
            let error = match once.unwrap_or_else(|_| Err(timeout())) {
                Ok(reply) => {
                    if let Some(pace) = &self.pace {
                        pace.note(reply.tokens, began.elapsed());
                    }
                    self.breaker.note(false);
                    return Ok(reply);
                }
                Err(error) => error,
            };
            if let (ModelError::Timeout { .. }, Some(pace)) = (&error, &self.pace) {
                let input = tokens::of_request(request) as u64;
                pace.was_late(input, u64::from(request.max_output_tokens), began.elapsed());
            }
            asker.failed(&error).await;
            self.breaker.note(error.blames_provider());
            if self.was_about_schema(&error, request) {
                last = Some(error);
                continue;
            }
            let wait = error.retry_after().unwrap_or_else(|| pause(tried));
            if !error.is_transient() || tried >= RETRIES || Instant::now() + wait >= deadline {
                return Err(error);
            }
            tracing::info!(model = %name, %error, ?wait, "asking again");
            sleep(wait).await;
            last = Some(error);
            tried += 1;
        }
    }

    /// Asks the user's own server how many calls it works on at once, as llama.cpp's reports. Others do not know the
    /// question, and then it is one.
    async fn probe(&self) {
        let mut url = self.base.clone();
        url.set_path("/props");
        let asked = tokio::time::timeout(PROPS_TIME, self.http.get(&url, self.key.as_ref())).await;
        let props = asked.ok().flatten();
        let slots = props.and_then(|props| props.get("total_slots").and_then(Value::as_u64));
        let slots = usize::try_from(slots.unwrap_or(1)).unwrap_or(1).clamp(1, CONCURRENCY);
        self.permits.add_permits(slots - 1);
        if let Some(pace) = &self.pace {
            pace.has_slots(slots);
        }
    }

    /// Whether a server refused the request for its schema; once, and then never again.
    fn was_about_schema(&self, error: &ModelError, request: &Request) -> bool {
        let refused = matches!(error, ModelError::Rejected { status: 400 | 404 | 422, .. });
        refused && request.schema.is_some() && !self.refuses_schema.swap(true, Ordering::Relaxed)
    }

    async fn once(
        &self,
        (name, facts): (&ModelName, Facts),
        request: &Request,
        asker: &dyn Asker,
    ) -> Result<Reply, ModelError> {
        let mut request = request.with_nonce(&self.nonce);
        if self.refuses_schema.load(Ordering::Relaxed) {
            request.schema = None;
        }
        let call = Call { name, request: &request, window: facts.window };
        let post = self.protocol.post(&self.base, self.key.as_ref(), &call);
        let whole = post.framing == Framing::Whole;
        let mut partial = Partial::default();
        let mut trouble = None;
        let posted = self.http.post(post, |event| {
            if let Err(found) = self.protocol.take(&event, whole, &mut partial) {
                trouble = Some(found);
                return Err(String::new());
            }
            if partial.len() > TEXT_BYTES {
                return Err(format!("the answer is longer than {TEXT_BYTES} bytes"));
            }
            if !whole && !partial.fresh.is_empty() {
                asker.hear(&std::mem::take(&mut partial.fresh));
            }
            Ok(())
        });
        let posted = posted.await;
        let model = name.to_string();
        match trouble {
            Some(Trouble::Busy(said)) => {
                let detail = self.http.error(&said);
                return Err(ModelError::Busy { model, status: 200, detail, retry_after: None });
            }
            Some(Trouble::Odd(said)) => {
                return Err(ModelError::Malformed { model, reason: self.http.error(&said) });
            }
            None => posted?,
        }
        if !partial.done {
            let reason = "the reply broke off before its end".to_owned();
            return Err(ModelError::BrokenOff { model, reason });
        }
        if let Some(schema) = &request.schema {
            partial.unwrap_shape(&schema.name);
        }
        Ok(counted(partial, &request, name))
    }
}

/// The reply with its tokens, counted by us where the provider did not say.
fn counted(partial: Partial, request: &Request, name: &ModelName) -> Reply {
    // No request has no tokens: a provider that says so did not count.
    let no_input = partial.input.unwrap_or(0) == 0;
    let no_output = partial.output.unwrap_or(0) == 0;
    let mut reply = partial.finish();
    if no_input {
        reply.tokens.input = tokens::of_request(request) as u64;
    }
    if no_output {
        let calls = reply.calls.iter().map(|call| tokens::estimate(&call.arguments.to_string()));
        reply.tokens.output = (tokens::estimate(&reply.text) + calls.sum::<usize>()) as u64;
    }
    reply.tokens.estimated = no_input || no_output;
    reply.tokens.cached = reply.tokens.cached.min(reply.tokens.input);
    reply.model = name.to_string();
    reply
}

/// A model of a provider.
#[derive(Debug)]
pub struct Remote {
    provider: Arc<Provider>,
    name: ModelName,
    facts: Facts,
}

impl Remote {
    /// A model, with what is known of it.
    pub fn new(provider: Arc<Provider>, name: ModelName, facts: Facts) -> Self {
        Self { provider, name, facts }
    }
}

impl Model for Remote {
    fn name(&self) -> &ModelName {
        &self.name
    }

    fn facts(&self) -> Facts {
        self.facts
    }

    fn speed(&self) -> Option<Speed> {
        self.provider.pace.as_ref().map(Pace::speed)
    }

    fn ask<'a>(&'a self, request: &'a Request, until: Instant, asker: &'a dyn Asker) -> Asking<'a> {
        Box::pin(self.provider.ask((&self.name, self.facts), request, until, asker))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(base: &str, concurrency: Option<usize>) -> Arc<Provider> {
        let base = base.parse().unwrap();
        let reach = Reach { base, key: None, protocol: Protocol::Chat, concurrency, account: None };
        Provider::open(reach).unwrap()
    }

    #[test]
    fn short_calls_are_made_more_at_once_unless_somebody_said_how_many() {
        let calls = |provider: &Provider| {
            let permits = provider.permits.available_permits();
            (permits / provider.long_call as usize, permits)
        };
        assert_eq!(calls(&open("https://models.example.org/v1", None)), (16, 32));
        assert_eq!(calls(&open("https://models.example.org/v1", Some(4))), (4, 4));
        assert_eq!(calls(&open("http://127.0.0.1:8080/v1", None)), (1, 1));
    }
}
