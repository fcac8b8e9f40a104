//! A finished report that comes with the program, so that whoever is new sees at once what comes out.

use std::sync::LazyLock;

use askama::Template;
use axum::extract::State;
use probity_report::assemble::Body;
use probity_report::html::{Links, fragment};
use probity_report::{CheckedReport, restore};

use super::{Bar, Frame, Tab, page};
use crate::access::Caller;
use crate::api::Reply;
use crate::problem::Problem;
use crate::state::Server;

/// A run over the example library, as `probity research --json` wrote it.
static EXAMPLE: LazyLock<Option<CheckedReport>> =
    LazyLock::new(|| restore(include_str!("../../assets/example.json")).ok());

/// The example at a glance: what was asked, what was found, and the evidence behind one sentence.
pub(super) struct Glance {
    pub(super) question: String,
    pub(super) title: String,
    pub(super) summary: String,
    pub(super) statement: String,
    pub(super) passage: String,
    pub(super) source: String,
    pub(super) outlet: String,
    pub(super) bar: Bar,
    pub(super) relevance: String,
    pub(super) counts: String,
}

/// The example at a glance.
pub(super) fn glance() -> Option<Glance> {
    let report = EXAMPLE.as_ref()?;
    let facts = report.facts();
    let statement = report
        .statements()
        .find(|statement| statement.evidence.iter().any(|evidence| evidence.passage.is_some()))?;
    let evidence = statement.evidence.iter().find(|evidence| evidence.passage.is_some())?;
    let (_, source) = report.sources().find(|(_, source)| source.id == evidence.source)?;
    let summary = match report.body() {
        Body::Report { summary, .. } => summary.join(" "),
        Body::Shortfall { account, .. } => account.join(" "),
    };
    let blocked = facts
        .candidates
        .iter()
        .filter(|candidate| candidate.verdict == probity_core::Verdict::Blocked)
        .count();
    Some(Glance {
        question: facts.question.clone(),
        title: report.title().to_owned(),
        summary,
        statement: statement.text.clone(),
        passage: evidence.passage.clone()?,
        source: source.title.clone(),
        outlet: source.outlet.as_ref().map_or_else(String::new, |one| one.as_str().to_owned()),
        bar: Bar::new(source.credibility.total),
        relevance: source
            .relevance
            .as_ref()
            .map_or_else(String::new, |one| format!("{}/5", one.score)),
        counts: format!(
            "{} candidates, {} sources cited, {blocked} blocked",
            facts.candidates.len(),
            report.sources().count()
        ),
    })
}

struct ExampleLinks;

impl Links for ExampleLinks {
    fn methodology(&self) -> Option<String> {
        Some("/methodology".to_owned())
    }
}

#[derive(Template)]
#[template(path = "example.html")]
struct ExamplePage {
    frame: Frame,
    report: String,
}

/// `GET /example`.
pub(crate) async fn show(State(server): State<Server>, caller: Caller) -> Reply {
    let report = EXAMPLE.as_ref();
    let report = report.ok_or_else(|| Problem::not_found("this program has no example"))?;
    page(&ExamplePage {
        frame: Frame::new(&server, &caller, report.title(), Tab::Ask),
        report: fragment(report, &ExampleLinks),
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_is_a_report_with_evidence() {
        let glance = super::glance().expect("the example can be read");
        assert!(glance.summary.len() > 100 && glance.passage.len() > 20);
        assert!(!glance.source.is_empty() && !glance.relevance.is_empty());
    }
}
