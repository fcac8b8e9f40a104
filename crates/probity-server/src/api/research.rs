//! Questions in, runs out: asked, waited for, watched, stopped, resumed.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event as Sent, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, StatusCode, header};
use probity_research::RunSpec;
use probity_store::RunStatus;
use probity_store::events::{Feed, RunEvent};
use probity_store::queue::{Cancelled, Enqueued, Requeued, RunJob};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use utoipa::{IntoParams, ToSchema};

use super::collections;
use super::ledger::instant;
use super::runs::{RunDetail, detail, find};
use super::{Cursor, Listed, Reply, json, rows};
use crate::access::{Caller, Scope};
use crate::backend::{Ask, AskError};
use crate::limits;
use crate::problem::Problem;
use crate::read::{Json, Part, Query, texts};
use crate::state::Server;

/// How often a run id is drawn again because it is taken.
const ID_TRIES: usize = 8;
/// How long a caller who waits for a report is kept waiting.
pub(crate) const REPORT_TIME: Duration = Duration::from_secs(900);
/// How long to wait before asking again when too much waits already, in seconds.
pub(crate) const FULL_SECONDS: u64 = 30;

/// The event for a plan that waits for approval.
pub(crate) const OFFER: &str = "offer";

/// Writes a question down and queues it; gives the run's id.
pub(crate) async fn ask(server: &Server, caller: &Caller, ask: &Ask) -> Result<String, Problem> {
    let upload = ask.upload.as_deref().map(str::trim).filter(|id| !id.is_empty());
    if let Some(id) = upload {
        brought(server, caller, id).await?;
    }
    if let Some(id) = ask.run.as_deref().map(str::trim).filter(|id| !id.is_empty()) {
        earlier(server, caller, id).await?;
    }
    let named = ask.collection.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let collection = match named {
        Some(named) => Some(collections::filled(server, named).await?.name),
        None => None,
    };
    let ask = &Ask { collection, ..ask.clone() };
    enqueue(server, caller, upload, || server.backend.spec(ask).map_err(refused)).await
}

/// What is wrong with a question, for the caller.
pub(crate) fn refused(error: AskError) -> Problem {
    match error.field {
        "question" => Problem::question(error.why),
        field => Problem::field(field, error.why),
    }
}

/// Queues a run that is described again until its id is free; gives the id.
pub(crate) async fn enqueue(
    server: &Server,
    caller: &Caller,
    upload: Option<&str>,
    describe: impl Fn() -> Result<RunSpec, Problem>,
) -> Result<String, Problem> {
    for _ in 0..ID_TRIES {
        let spec = describe()?;
        let written = serde_json::to_string(&spec).map_err(|error| Problem::internal(&error))?;
        let run = spec.entry(&written);
        let job = RunJob { failures_most: server.failures_most, ..RunJob::of(&caller.name) };
        match server.store.enqueue_run(&run, &job, server.queue).await? {
            Enqueued::Added => {
                server.metrics.asked.fetch_add(1, Ordering::Relaxed);
                if let Some(upload) = upload {
                    server.store.ask_upload(upload, &spec.run_id).await?;
                }
                server.store.note(&caller.name, "question asked", &spec.run_id).await?;
                return Ok(spec.run_id.into());
            }
            Enqueued::Exists => {}
            Enqueued::QueueFull => {
                let why = "too many runs wait already; try again later";
                return Err(Problem::unavailable(why, FULL_SECONDS));
            }
            Enqueued::OwnerFull => {
                let why = "too many of your runs wait already; let some of them end first";
                return Err(Problem::unavailable(why, FULL_SECONDS));
            }
        }
    }
    Err(Problem::unavailable("no free run id was found; try again", 1))
}

/// Makes sure that documents that were uploaded are the caller's, and that there are some.
async fn brought(server: &Server, caller: &Caller, id: &str) -> Result<(), Problem> {
    let upload = server.store.upload(id).await?.filter(|upload| caller.owns(&upload.owner));
    match upload {
        Some(upload) if !upload.documents.is_empty() => Ok(()),
        _ => {
            Err(Problem::field("upload", "these documents are no longer stored; upload them again"))
        }
    }
}

/// Makes sure that the sources of an earlier run can be asked, and that the caller may read them at all.
async fn earlier(server: &Server, caller: &Caller, id: &str) -> Result<(), Problem> {
    if !caller.may(Scope::Read) {
        return Err(Problem::forbidden("asking the sources of a run needs the right to read it"));
    }
    match server.store.run(&id.into()).await? {
        Some(record) if record.report.is_some() => Ok(()),
        Some(_) => Err(Problem::field("run", "has no report yet; wait for it to end")),
        None => Err(Problem::field("run", "there is no such run")),
    }
}

/// A run that was asked for. Dropping it cancels the run, if that was asked for too.
struct Asked {
    id: String,
    gone: Gone,
}

/// Asks a question on a task of its own: a client that goes away leaves no orphaned run.
async fn ask_surely(server: &Server, caller: Caller, asked: Ask) -> Result<Asked, Problem> {
    let (tell, hear) = tokio::sync::oneshot::channel();
    let server = server.clone();
    tokio::spawn(async move {
        let answer = ask(&server, &caller, &asked).await.map(|id| {
            let run = asked.cancel_if_gone.then(|| id.clone());
            Asked { id, gone: Gone { server, run } }
        });
        // If the client has gone, it is dropped here.
        let _ = tell.send(answer);
    });
    hear.await.map_err(|error| Problem::internal(&error))?
}

/// Asks a question and waits for the report, or for the account of why there is none. A run that waits for its plan
/// to be approved is answered with 202; its plan is at `/api/runs/{id}/plan`.
#[utoipa::path(post, path = "/api/research", tag = "research", request_body = Ask,
    responses((status = 200, body = RunDetail), (status = 202, body = RunDetail)))]
pub(crate) async fn research(
    State(server): State<Server>,
    caller: Caller,
    Json(asked): Json<Ask>,
) -> Reply {
    let Asked { id, mut gone } = ask_surely(&server, caller, asked).await?;
    let mut feed = server.store.follow(&id.as_str().into(), 0);
    let mut stopping = server.stopping.subscribe();
    let waited = tokio::select! {
        waited = tokio::time::timeout(REPORT_TIME, to_the_end(&mut feed)) => waited.ok(),
        _ = stopping.wait_for(|stopping| *stopping) => None,
    };
    gone.run = None;
    if waited == Some(false) {
        // It waits for its plan to be approved; no worker waits for that.
        return Ok(
            (StatusCode::ACCEPTED, json(&detail(find(&server, &id).await?)?)).into_response()
        );
    }
    if waited.is_none() {
        let why = format!("run {id} continues; read it at /api/runs/{id} when it has ended");
        return Err(Problem::unavailable(why, FULL_SECONDS));
    }
    let record = find(&server, &id).await?;
    match record.summary.status {
        RunStatus::Finished => Ok(json(&detail(record)?)),
        _ => {
            let why = record.summary.error.unwrap_or_else(|| "it was stopped".to_owned());
            Err(Problem::conflict(format!("run {id} has no report: {why}")))
        }
    }
}

/// Follows a run to its end, or to where it waits for its plan to be approved. Says whether it ended.
async fn to_the_end(feed: &mut Feed) -> bool {
    while let Some(event) = feed.next().await {
        if event.kind == OFFER {
            return false;
        }
    }
    true
}

/// Cancels a run when its client disconnects.
pub(crate) struct Gone {
    pub(crate) server: Server,
    /// The run; none where it is to go on.
    pub(crate) run: Option<String>,
}

impl Drop for Gone {
    fn drop(&mut self) {
        let Some(run) = self.run.take() else { return };
        let server = self.server.clone();
        tokio::spawn(async move {
            if let Err(error) = server.store.cancel(&run).await {
                tracing::warn!(%run, %error, "a run without a waiting client could not be cancelled");
            }
        });
    }
}

/// Asks a question and streams what happens, as server-sent events.
#[utoipa::path(post, path = "/api/research/stream", tag = "research", request_body = Ask,
    responses((status = 200, description = "Events: `start plan search fetch block summarise gaps \
        gate synthesise report|error end`, and others between them; `end` is the last. The id of an \
        event is its number.", body = String, content_type = "text/event-stream")))]
pub(crate) async fn stream(
    State(server): State<Server>,
    caller: Caller,
    Json(asked): Json<Ask>,
) -> Reply {
    let Asked { id, gone } = ask_surely(&server, caller, asked).await?;
    Ok(events_of(&server, &id, 0, Some(gone)))
}

/// Where in a run's events to begin.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct EventParams {
    /// Only events after this number.
    #[param(minimum = 0)]
    #[serde(default, deserialize_with = "texts::optional")]
    pub(crate) after: Option<i64>,
    /// How many to give, where a list is asked for.
    #[param(minimum = 1, maximum = 200)]
    #[serde(default, deserialize_with = "texts::optional")]
    limit: Option<i64>,
    /// Where to begin: the `next` of the part before, where a list is asked for.
    cursor: Option<String>,
}

/// An event of a run.
#[derive(Serialize, ToSchema)]
pub struct RunEventView {
    /// Its number, from 1, without gaps.
    pub seq: i64,
    /// When it was written.
    pub at: String,
    /// What happened, with its name in `event`.
    #[schema(value_type = Object)]
    pub event: serde_json::Value,
}

impl From<&RunEvent> for RunEventView {
    fn from(event: &RunEvent) -> Self {
        Self {
            seq: event.seq,
            at: instant(event.at),
            event: serde_json::from_str(&event.event).unwrap_or_default(),
        }
    }
}

/// Streams what happens in a run from its beginning, or from where `Last-Event-ID` says.
///
/// A client that accepts `application/json` only gets a list of what has happened so far.
#[utoipa::path(get, path = "/api/runs/{id}/events", tag = "runs",
    params(("id" = String, Path, description = "The run's id"), EventParams,
           ("Last-Event-ID" = Option<i64>, Header, description = "The last event that was seen")),
    responses((status = 200, description = "The events", content(
        (String = "text/event-stream"), (Listed<RunEventView> = "application/json")))))]
pub(crate) async fn events(
    State(server): State<Server>,
    Part(id): Part,
    headers: HeaderMap,
    Query(asked): Query<EventParams>,
) -> Reply {
    let accepts = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    let wants_list = accepts.is_some_and(|accepts| {
        accepts.contains("application/json") && !accepts.contains("text/event-stream")
    });
    find(&server, &id).await?;
    let after = seen(&headers)?.or(asked.after).unwrap_or(0).max(0);
    if !wants_list {
        return Ok(events_of(&server, &id, after, None));
    }
    let limit = rows(asked.limit)?;
    let after = Cursor::read(asked.cursor.as_deref())?.unwrap_or(after);
    let events = server.store.events_after(&id.as_str().into(), after, limit + 1).await?;
    let items: Vec<RunEventView> = events.iter().map(RunEventView::from).collect();
    Ok(json(&Listed::cut(items, limit, |last| Cursor::write(&last.seq))))
}

/// The last event that a client saw, which it says when it comes back.
pub(crate) fn seen(headers: &HeaderMap) -> Result<Option<i64>, Problem> {
    let Some(value) = headers.get("last-event-id") else { return Ok(None) };
    let number = value.to_str().ok().and_then(|text| text.trim().parse::<i64>().ok());
    number.map(Some).ok_or_else(|| Problem::field("Last-Event-ID", "an event's id is a number"))
}

/// Counts a stream while it is open.
struct Open(Server);

impl Open {
    fn new(server: &Server) -> Self {
        server.metrics.watchers.fetch_add(1, Ordering::Relaxed);
        Self(server.clone())
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.metrics.watchers.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A stream's state: what it follows, what is queued but not sent, and what ends with it.
struct EventStream<T, G> {
    feed: Feed,
    waiting: VecDeque<Sent>,
    tell: T,
    stopping: watch::Receiver<bool>,
    _open: Open,
    _gone: G,
}

/// A run's events on their way to a client, each written as the client wants it. The stream ends after
/// the last event, or when the server stops: then the client comes back, to whichever server.
pub(crate) fn streamed<T, G>(server: &Server, run: &str, after: i64, gone: G, tell: T) -> Response
where
    T: FnMut(&RunEvent) -> Vec<Sent> + Send + 'static,
    G: Send + 'static,
{
    let stream = EventStream {
        feed: server.store.follow(&run.into(), after),
        waiting: VecDeque::new(),
        tell,
        stopping: server.stopping.subscribe(),
        _open: Open::new(server),
        _gone: gone,
    };
    let stream = futures::stream::unfold(stream, |mut stream| async move {
        loop {
            if let Some(sent) = stream.waiting.pop_front() {
                return Some((Ok::<_, Infallible>(sent), stream));
            }
            let event = tokio::select! {
                event = stream.feed.next() => event?,
                _ = stream.stopping.wait_for(|stopping| *stopping) => return None,
            };
            stream.waiting.extend((stream.tell)(&event));
        }
    });
    let beat = KeepAlive::new().interval(limits::HEARTBEAT).text("alive");
    let mut response = Sse::new(stream).keep_alive(beat).into_response();
    // Proxies are asked not to hold events back.
    response.headers_mut().insert("x-accel-buffering", http::HeaderValue::from_static("no"));
    response
}

fn events_of(server: &Server, run: &str, after: i64, gone: Option<Gone>) -> Response {
    streamed(server, run, after, gone, |event| {
        let sent = Sent::default().id(event.seq.to_string()).event(&event.kind);
        vec![sent.data(one_line(&event.event))]
    })
}

/// JSON has no line ends of its own; a text with one would be two lines of an event.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// The result of stopping a run.
#[derive(Serialize, ToSchema)]
pub struct Stopped {
    /// `stopped` if it had not begun, `stopping` if its worker was notified.
    pub state: &'static str,
}

/// Stops a run. Nothing that was done is lost; it can be resumed.
#[utoipa::path(post, path = "/api/runs/{id}/cancel", tag = "runs",
    params(("id" = String, Path, description = "The run's id")),
    responses((status = 202, body = Stopped)))]
pub(crate) async fn cancel(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    let state = stop(&server, &caller, &id).await?;
    Ok((StatusCode::ACCEPTED, json(&Stopped { state })).into_response())
}

/// Cancels a run.
pub(crate) async fn stop(
    server: &Server,
    caller: &Caller,
    id: &str,
) -> Result<&'static str, Problem> {
    owned(server, caller, id).await?;
    let state = match server.store.cancel(id).await? {
        Cancelled::AtOnce => "stopped",
        Cancelled::Asked => "stopping",
        Cancelled::Nothing => {
            return Err(Problem::conflict(format!("run {id} is not in progress")));
        }
    };
    server.store.note(&caller.name, "run stopped", id).await?;
    Ok(state)
}

/// A run that exists and is the caller's, or anyone's for an admin.
pub(crate) async fn owned(server: &Server, caller: &Caller, id: &str) -> Result<(), Problem> {
    find(server, id).await?;
    let job = server.store.job(id).await?;
    if job.is_some_and(|job| !caller.owns(&job.owner)) {
        return Err(Problem::forbidden("the run belongs to another user; ask them, or an admin"));
    }
    Ok(())
}

/// Has a run that failed or was stopped resumed, from where it was.
#[utoipa::path(post, path = "/api/runs/{id}/resume", tag = "runs",
    params(("id" = String, Path, description = "The run's id")),
    responses((status = 202, body = Stopped)))]
pub(crate) async fn resume(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    go_on(&server, &caller, &id).await?;
    Ok((StatusCode::ACCEPTED, json(&Stopped { state: "queued" })).into_response())
}

/// Queues a run again.
pub(crate) async fn go_on(server: &Server, caller: &Caller, id: &str) -> Result<(), Problem> {
    owned(server, caller, id).await?;
    let job = RunJob { failures_most: server.failures_most, ..RunJob::of(&caller.name) };
    match server.store.requeue_run(&id.into(), &job, server.queue).await? {
        Requeued::Queued => {}
        Requeued::Open => return Err(Problem::conflict(format!("run {id} is in progress"))),
        Requeued::Finished => return Err(Problem::conflict(format!("run {id} has its report"))),
        Requeued::Unknown => return Err(Problem::not_found(format!("there is no run {id}"))),
        Requeued::Full => {
            let why = "too many runs wait already; try again later";
            return Err(Problem::unavailable(why, FULL_SECONDS));
        }
    }
    server.store.note(&caller.name, "run resumed", id).await?;
    Ok(())
}
