//! A run and its report, under one address: while it is in progress, and when it has ended.

use askama::Template;
use axum::extract::State;
use axum::response::sse::Event as Sent;
use http::HeaderMap;
use probity_core::{Candidate, Timestamp};
use probity_report::html::Links;
use probity_research::Event;
use probity_research::event::Stage;
use probity_store::events::{END, PAGE_EVENTS, RunEvent};
use probity_store::queue::JobState;
use probity_store::{RunStatus, RunSummary};
use serde::Serialize;

use super::report::report;
use super::runs::state;
use super::show::lasted;
use super::story::{Row, STAGES, Story};
use super::{Frame, Tab, When, go, page};
use crate::access::Caller;
use crate::api::{Reply, research, runs as api};
use crate::problem::Problem;
use crate::read::{Part, Query};
use crate::state::Server;

/// The provider that searches the user's own documents.
const LIBRARY: &str = "library";

/// The provider that searches what was brought along.
pub(super) const FILES: &str = "files";

/// The provider that searches the sources of an earlier run.
const EARLIER: &str = probity_research::recall::PROVIDER;

/// What a report links to on this site.
pub(super) struct SiteLinks<'a> {
    pub(super) run: &'a str,
    pub(super) edits: bool,
    pub(super) asks: bool,
}

pub(crate) fn encode(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

impl Links for SiteLinks<'_> {
    fn outlet(&self, source: &Candidate) -> Option<String> {
        source.outlet.as_ref().map(|outlet| format!("/outlets/{outlet}"))
    }

    fn open(&self, source: &Candidate) -> Option<String> {
        let by = |name: &str| source.providers.iter().any(|provider| provider == name);
        let url = encode(source.url.as_str());
        // Sources of an earlier run come as that run's, whoever found them first.
        if by(FILES) || by(EARLIER) && source.url.is_local() {
            return Some(format!("/runs/{}/file?url={url}", encode(self.run)));
        }
        by(LIBRARY).then(|| format!("/library/{url}"))
    }

    fn marks(&self, source: &Candidate) -> Vec<(&'static str, String)> {
        let Some(outlet) = source.outlet.as_ref().filter(|_| self.edits) else {
            return Vec::new();
        };
        let (run, url) = (encode(self.run), encode(source.url.as_str()));
        let to = |code: &str| format!("/outlets/{outlet}/code?codes={code}&run={run}&url={url}");
        vec![("reliable", to("high-quality-source")), ("unreliable", to("source-unreliable"))]
    }

    fn ask(&self, question: &str) -> Option<String> {
        self.asks.then(|| format!("/?question={}", encode(question)))
    }

    fn methodology(&self) -> Option<String> {
        Some("/methodology".to_owned())
    }
}

#[derive(Template)]
#[template(path = "live.html")]
struct LivePage {
    frame: Frame,
    id: String,
    question: String,
    mode: String,
    asked: When,
    story: Story,
    stages: [(Stage, &'static str); 6],
    seen: i64,
    /// For how many seconds it has been in progress.
    elapsed: Option<i64>,
    /// How many runs wait before it, if it waits.
    ahead: Option<i64>,
    workers: bool,
}

impl LivePage {
    fn lasted(seconds: &i64) -> String {
        lasted(*seconds)
    }
}

#[derive(Template)]
#[template(path = "stopped.html")]
struct StoppedPage {
    frame: Frame,
    id: String,
    question: String,
    state: &'static str,
    error: Option<String>,
    steps: i64,
    asked: When,
    story: Story,
    stages: [(Stage, &'static str); 6],
}

/// `GET /runs/{id}`.
pub(crate) async fn show(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    let record = api::find(&server, &id).await?;
    if record.summary.status == RunStatus::Finished {
        return report(&server, &caller, &record, None).await;
    }
    if let Some(plan) = super::plan::waiting(&server, &caller, &record.summary).await? {
        return Ok(plan);
    }
    let place = server.store.queue_place(&id).await?;
    let is_open =
        place.is_some_and(|place| matches!(place.state, JobState::Queued | JobState::Leased));
    let StorySoFar { story, seen, began } = story_so_far(&server, &id).await?;
    let run = record.summary;
    let asked = When::new(run.asked_at, server.clock.now());
    let frame = Frame::new(&server, &caller, &run.question, Tab::Runs);
    let stages = STAGES;
    if !is_open && run.status != RunStatus::Running {
        let state = state(&run);
        let RunSummary { id, question, error, steps, .. } = run;
        return page(&StoppedPage {
            frame,
            id: id.into(),
            question,
            state,
            error,
            steps,
            asked,
            story,
            stages,
        });
    }
    let ahead = place.filter(|place| place.state == JobState::Queued).map(|place| place.ahead);
    let RunSummary { id, question, mode, .. } = run;
    let workers = server.workers;
    let elapsed = began.map(|at| server.clock.now().0.saturating_sub(at.0).max(0) / 1_000);
    page(&LivePage {
        frame,
        id: id.into(),
        question,
        mode,
        asked,
        story,
        stages,
        seen,
        elapsed,
        ahead,
        workers,
    })
}

/// The events of a run so far, as the page shows them.
#[derive(Default)]
struct StorySoFar {
    story: Story,
    /// The number of the last event.
    seen: i64,
    /// When it began, or was last taken up again.
    began: Option<Timestamp>,
}

async fn story_so_far(server: &Server, id: &str) -> Result<StorySoFar, Problem> {
    let mut so_far = StorySoFar::default();
    loop {
        let events = server.store.events_after(&id.into(), so_far.seen, PAGE_EVENTS).await?;
        let Some(last) = events.last() else { return Ok(so_far) };
        so_far.seen = last.seq;
        for event in &events {
            let Some(read) = read(event) else { continue };
            if matches!(read, Event::Start { .. } | Event::Resumed) {
                so_far.began = Some(event.at);
            }
            so_far.story.take(&read);
        }
    }
}

fn read(event: &RunEvent) -> Option<Event> {
    serde_json::from_str(&event.event).ok()
}

/// A part of the page that changed.
#[derive(Serialize)]
struct Patch<'a> {
    stage: &'a str,
    id: String,
    html: String,
}

/// `GET /runs/{id}/live`: the rows of the page as they change.
pub(crate) async fn live(
    State(server): State<Server>,
    Part(id): Part,
    headers: HeaderMap,
    Query(asked): Query<research::EventParams>,
) -> Reply {
    api::find(&server, &id).await?;
    let after = research::seen(&headers)?.or(asked.after).unwrap_or(0).max(0);
    // Rows depend on earlier events, so the page starts with the first.
    let mut story = Story::default();
    Ok(research::streamed(&server, &id, 0, (), move |event| {
        let Some(read) = read(event) else { return Vec::new() };
        let rows = story.take(&read);
        if event.seq <= after && event.kind != END {
            return Vec::new();
        }
        let sent = |kind: &str, data: String| {
            Sent::default().id(event.seq.to_string()).event(kind).data(data)
        };
        let patch = |row: &Row| Patch {
            stage: row.stage.as_str(),
            id: format!("row-{}", row.key),
            html: row.render().unwrap_or_default(),
        };
        let patches: Vec<Patch<'_>> = rows.iter().map(patch).collect();
        let state = serde_json::json!({
            "rows": patches, "now": story.now, "spent": story.spent,
        });
        // A plan that waits has a page of its own under the same address.
        match event.kind == END || matches!(read, Event::Offer(_)) {
            true => vec![sent("end", "{}".to_owned())],
            false => vec![sent("rows", state.to_string())],
        }
    }))
}

/// `POST /runs/{id}/cancel`.
pub(crate) async fn cancel(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    research::stop(&server, &caller, &id).await?;
    go(&format!("/runs/{}", encode(&id)))
}

/// `POST /runs/{id}/resume`.
pub(crate) async fn resume(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    research::go_on(&server, &caller, &id).await?;
    go(&format!("/runs/{}", encode(&id)))
}

/// `POST /runs/{id}/delete`.
pub(crate) async fn delete(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    api::remove(&server, &caller, &id).await?;
    go("/runs")
}
