//! The briefing as a page.

use askama::Template;
use axum::extract::State;
use probity_report::html::fragment;
use serde::Deserialize;

use super::run::SiteLinks;
use super::topics::{Choice, categories, times};
use super::{Frame, Tab, page};
use crate::access::Caller;
use crate::api::Reply;
use crate::api::brief::{USUAL_SINCE, usual};
use crate::read::Query;
use crate::state::Server;

#[derive(Template)]
#[template(path = "brief.html")]
struct BriefPage {
    frame: Frame,
    categories: Vec<Choice>,
    times: Vec<Choice>,
    /// The briefing, where there is anything to tell.
    report: Option<String>,
}

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
        frame,
    })
}
