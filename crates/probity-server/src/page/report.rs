//! A finished run: its report, and everything one can do with it.

use askama::Template;
use axum::extract::State;
use probity_core::Timestamp;
use probity_report::CheckedReport;
use probity_report::format::Format;
use probity_report::html::{contents, fragment};
use probity_store::RunRecord;
use probity_store::runs::kin::Kinship;
use probity_store::runs::shares::Share;
use serde::Deserialize;

use super::run::{SiteLinks, encode};
use super::runs::state;
use super::{Frame, Tab, When, go, page};
use crate::access::Caller;
use crate::api::next::{self, Next, NextKind};
use crate::api::{Reply, runs as api, shares};
use crate::problem::Problem;
use crate::read::{Form, Part};
use crate::state::Server;

/// A report with fewer headings than this is seen at a glance and has no table of contents.
const LONG: usize = 9;

/// A run that came of this one.
struct Child {
    id: String,
    title: String,
    kind: &'static str,
    state: &'static str,
    asked: When,
    again: bool,
}

/// A link as the page lists it.
struct Listed {
    id: String,
    by: String,
    made: When,
    until: String,
}

impl Listed {
    fn new(share: Share, now: Timestamp) -> Self {
        Self {
            id: share.id,
            by: share.by,
            made: When::new(share.made_at, now),
            until: share.expires_at.date().to_string(),
        }
    }
}

#[derive(Template)]
#[template(path = "report.html")]
struct ReportPage {
    frame: Frame,
    id: String,
    report: String,
    /// Anchor, words, and whether it is below another heading.
    contents: Vec<(String, String, bool)>,
    formats: [(&'static str, &'static str); Format::ALL.len()],
    /// What this run came of: how, its id and its headline.
    parent: Option<(&'static str, String, String)>,
    is_again: bool,
    children: Vec<Child>,
    shares: Vec<Listed>,
    /// With commas between them.
    tags: String,
    /// A link that was made just now, and how many sources have a card.
    fresh: Option<(String, usize)>,
}

fn came(kind: Kinship) -> &'static str {
    match kind {
        Kinship::Follow => "Asked of the sources of",
        Kinship::Again => "Asked again after",
        Kinship::Deepen => "Goes further than",
    }
}

fn goes(kind: Kinship) -> &'static str {
    match kind {
        Kinship::Follow => "follow-up",
        Kinship::Again => "asked again",
        Kinship::Deepen => "further",
    }
}

async fn children(server: &Server, run: &str) -> Result<Vec<Child>, Problem> {
    let now = server.clock.now();
    let mut children = Vec::new();
    for kin in server.store.children(&run.into()).await? {
        let Some(record) = server.store.run(&kin.run).await? else { continue };
        let run = record.summary;
        children.push(Child {
            kind: goes(kin.kind),
            state: state(&run),
            again: kin.kind == Kinship::Again && record.report.is_some(),
            asked: When::new(run.asked_at, now),
            title: run.title.unwrap_or(run.question),
            id: run.id.into(),
        });
    }
    Ok(children)
}

/// The headings of a long report; nothing where it is short.
fn headings(report: &CheckedReport) -> Vec<(String, String, bool)> {
    let all = contents(report);
    if all.len() < LONG { Vec::new() } else { all }
}

/// The page of a finished run, with a link that was made just now.
pub(super) async fn report(
    server: &Server,
    caller: &Caller,
    record: &RunRecord,
    fresh: Option<String>,
) -> Reply {
    let report = api::report(record)?;
    let id = record.summary.id.clone();
    let frame = Frame::new(server, caller, report.title(), Tab::Runs);
    let links = SiteLinks { run: &id, edits: frame.edits, asks: frame.asks };
    let kin = server.store.parent(&id).await?;
    let is_again = kin.as_ref().is_some_and(|kin| kin.kind == Kinship::Again);
    let parent = match kin {
        Some(kin) => server.store.run(&kin.run).await?.map(|record| {
            let run = record.summary;
            (came(kin.kind), run.id.into(), run.title.unwrap_or(run.question))
        }),
        None => None,
    };
    let mut marks = server.store.run_marks(&[&id]).await?;
    let tags = marks.remove(&id).unwrap_or_default().tags;
    let tags = tags.into_iter().collect::<Vec<_>>().join(", ");
    let now = server.clock.now();
    let shares = match frame.asks {
        true => server.store.shares(&id).await?,
        false => Vec::new(),
    };
    page(&ReportPage {
        report: fragment(&report, &links),
        contents: headings(&report),
        formats: Format::ALL.map(|format| (format.as_str(), format.words())),
        children: children(server, &id).await?,
        shares: shares.into_iter().map(|share| Listed::new(share, now)).collect(),
        tags,
        fresh: fresh.map(|path| (path, report.sources().count())),
        frame,
        id: id.into(),
        parent,
        is_again,
    })
}

/// What the form about a link held.
#[derive(Deserialize)]
pub(crate) struct Sharing {
    #[serde(default, deserialize_with = "crate::read::texts::optional")]
    days: Option<u32>,
}

/// `POST /runs/{id}/share`. The link is shown in the answer, because it cannot be shown later.
pub(crate) async fn share(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    Form(sharing): Form<Sharing>,
) -> Reply {
    let shared = shares::share(&server, &caller, &id, sharing.days).await?;
    report(&server, &caller, &api::find(&server, &id).await?, Some(shared.path)).await
}

/// `POST /runs/{id}/share/{name}/revoke`.
pub(crate) async fn revoke(
    State(server): State<Server>,
    caller: Caller,
    axum::extract::Path((id, name)): axum::extract::Path<(String, String)>,
) -> Reply {
    shares::revoke(&server, &caller, &id, &name).await?;
    go(&format!("/runs/{}#h-keep", encode(&id)))
}

/// What the form about going on held.
#[derive(Deserialize)]
pub(crate) struct GoingOn {
    kind: NextKind,
    question: Option<String>,
    beyond: Option<String>,
}

/// `POST /runs/{id}/next`.
pub(crate) async fn go_on(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    Form(going): Form<GoingOn>,
) -> Reply {
    let GoingOn { kind, question, beyond } = going;
    let next = Next { kind, question, mode: None, beyond: beyond.is_some() };
    let run = next::go_on(&server, &caller, &id, &next).await?;
    go(&format!("/runs/{}", encode(&run)))
}
