//! The briefing as a page, those of other days, and all of them as a feed.

use askama::Template;
use axum::extract::State;
use axum::response::IntoResponse as _;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use probity_core::BriefingId;
use probity_report::assemble::Body;
use probity_report::html::fragment;
use probity_store::news::Briefing;
use serde::Deserialize;

use super::run::SiteLinks;
use super::topics::{Choice, categories, times};
use super::{Frame, Tab, When, go, page};
use crate::access::Caller;
use crate::api::Reply;
use crate::api::brief::{KeepBody, USUAL_SINCE, find, keep_now, usual};
use crate::api::ledger::instant;
use crate::problem::Problem;
use crate::read::{Form, Part, Query};
use crate::state::Server;

#[derive(Template)]
#[template(path = "brief.html")]
struct BriefPage {
    frame: Frame,
    categories: Vec<Choice>,
    times: Vec<Choice>,
    /// The briefing, where there is anything to tell.
    report: Option<String>,
    category: String,
    since: String,
    earlier: Vec<Earlier>,
}

/// A briefing that was kept, as the page lists it.
struct Earlier {
    id: BriefingId,
    title: String,
    category: Option<String>,
    made: When,
}

impl Earlier {
    async fn list(server: &Server) -> Result<Vec<Self>, Problem> {
        let kept = server.store.briefings(None, LISTED).await?;
        let now = server.clock.now();
        let earlier = |one: Briefing| Self {
            id: one.id,
            title: one.title,
            category: one.category,
            made: When::new(one.made_at, now),
        };
        Ok(kept.into_iter().map(earlier).collect())
    }
}

/// How many earlier briefings a page lists.
const LISTED: i64 = 60;
/// How many briefings the feed holds.
const FED: i64 = 30;

/// What to tell.
#[derive(Deserialize)]
pub(crate) struct Asked {
    category: Option<String>,
    since: Option<String>,
}

/// `GET /brief`.
pub(crate) async fn show(
    State(server): State<Server>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Reply {
    let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let (category, since) = (given(&asked.category), given(&asked.since));
    let made = usual(&server, category.as_deref(), since.as_deref()).await?;
    let frame = Frame::new(&server, &caller, "Briefing", Tab::News);
    let links = SiteLinks { run: "", edits: false, asks: frame.asks };
    page(&BriefPage {
        categories: categories(&server, category.as_deref()).await?,
        times: times(Some(since.as_deref().unwrap_or(USUAL_SINCE))),
        report: made.map(|report| fragment(&report, &links)),
        category: category.unwrap_or_default(),
        since: since.unwrap_or_else(|| USUAL_SINCE.to_owned()),
        earlier: Earlier::list(&server).await?,
        frame,
    })
}

/// `POST /brief`.
pub(crate) async fn keep(
    State(server): State<Server>,
    caller: Caller,
    Form(asked): Form<Asked>,
) -> Reply {
    let body = KeepBody { category: asked.category, since: asked.since };
    let kept = keep_now(&server, &caller, &body).await?;
    go(&format!("/brief/{}", kept.id))
}

#[derive(Template)]
#[template(path = "briefing.html")]
struct KeptPage {
    frame: Frame,
    made: When,
    report: String,
}

/// `GET /brief/{id}`.
pub(crate) async fn kept(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    let (briefing, report) = find(&server, &id).await?;
    let frame = Frame::new(&server, &caller, &briefing.title, Tab::News);
    let links = SiteLinks { run: "", edits: false, asks: frame.asks };
    let made = When::new(briefing.made_at, server.clock.now());
    page(&KeptPage { made, report: fragment(&report, &links), frame })
}

/// An entry of the feed.
struct Entry {
    id: BriefingId,
    title: String,
    at: String,
    summary: Vec<String>,
    headings: Vec<String>,
}

#[derive(Template)]
#[template(path = "briefings.xml", escape = "html")]
struct BriefingFeed {
    site: String,
    updated: String,
    entries: Vec<Entry>,
}

/// `GET /brief/feed.xml`.
pub(crate) async fn feed(State(server): State<Server>, headers: HeaderMap) -> Reply {
    let mut entries = Vec::new();
    for one in server.store.briefings(None, FED).await? {
        let (one, report) = match find(&server, &one.id.to_string()).await {
            // It was forgotten since the list was read.
            Err(problem) if problem.status() == StatusCode::NOT_FOUND => continue,
            found => found?,
        };
        let (summary, headings) = match report.body() {
            Body::Report { summary, themes, .. } => {
                (summary.clone(), themes.iter().map(|theme| theme.heading.clone()).collect())
            }
            Body::Shortfall { account, .. } => (account.clone(), Vec::new()),
        };
        let at = instant(one.made_at);
        entries.push(Entry { id: one.id, title: one.title, at, summary, headings });
    }
    let updated = entries.first().map_or_else(|| instant(server.clock.now()), |one| one.at.clone());
    let site = server.doors.origin(&headers);
    let text = BriefingFeed { site, updated, entries }.render();
    let mut response = text.map_err(|error| Problem::internal(&error))?.into_response();
    let media = HeaderValue::from_static("application/atom+xml; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, media);
    Ok(response)
}
