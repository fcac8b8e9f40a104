//! A run and its report, under one address: while it is under way, and when it has ended.

use askama::Template;
use axum::extract::State;
use probity_core::Candidate;
use probity_report::format::Format;
use probity_report::html::{Links, fragment};
use probity_store::{RunRecord, RunStatus};

use super::runs::state;
use super::{Frame, Tab, When, go, page};
use crate::access::Caller;
use crate::api::{Reply, runs as api};
use crate::read::Part;
use crate::state::Server;

/// What a report links to on this site.
struct SiteLinks<'a> {
    run: &'a str,
    edits: bool,
    asks: bool,
}

pub(crate) fn encode(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

impl Links for SiteLinks<'_> {
    fn outlet(&self, source: &Candidate) -> Option<String> {
        source.outlet.as_ref().map(|outlet| format!("/outlets/{outlet}"))
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
#[template(path = "report.html")]
struct ReportPage {
    frame: Frame,
    id: String,
    report: String,
    formats: [(&'static str, &'static str); 6],
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
}

/// `GET /runs/{id}`.
pub(crate) async fn show(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    let record = crate::api::runs::find(&server, &id).await?;
    match record.summary.status {
        RunStatus::Finished => report(&server, &caller, &record),
        _ => stopped(&server, &caller, record),
    }
}

fn report(server: &Server, caller: &Caller, record: &RunRecord) -> Reply {
    let report = api::report(record)?;
    let frame = Frame::new(server, caller, report.title(), Tab::Runs);
    let links = SiteLinks { run: &record.summary.id, edits: frame.edits, asks: frame.asks };
    page(&ReportPage {
        report: fragment(&report, &links),
        id: record.summary.id.clone(),
        formats: Format::ALL.map(|format| (format.as_str(), format.words())),
        frame,
    })
}

fn stopped(server: &Server, caller: &Caller, record: RunRecord) -> Reply {
    let run = record.summary;
    page(&StoppedPage {
        frame: Frame::new(server, caller, &run.question, Tab::Runs),
        state: state(&run),
        id: run.id,
        question: run.question,
        error: run.error,
        steps: run.steps,
        asked: When::new(run.asked_at, server.clock.now()),
    })
}

/// `POST /runs/{id}/delete`.
pub(crate) async fn delete(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    api::remove(&server, &caller, &id).await?;
    go("/runs")
}
