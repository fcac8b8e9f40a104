//! The report as one HTML file: no network, nothing from outside that runs, evidence at hand.
//!
//! [`fragment`] gives the same report without the file around it, for a page that has a head of its
//! own and links of its own beside the sources. Every text goes through the template's escaping; the policy in the page's head allows exactly
//! the one style sheet and the one script that are ours, by their hashes, and nothing else.

mod findings;
mod passage;
mod source;
mod statement;

use askama::Template;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use probity_core::Candidate;
use sha2::{Digest, Sha256};

use crate::appendix::Appendix;
use crate::assemble::{Body, CheckedReport};
use crate::chart::Chart;
use crate::escape::one_line;
use crate::methodology::{kind, methodology};
use crate::phrases::{Phrase, Phrases};
use crate::waterfall::Waterfall;
use crate::wording::{
    CITED, DRAWN_FROM, INFERRED, asked, author, better_questions, level, no_conflict, no_finding,
};
use findings::{BlockView, Viewer};
use source::SourceView;
use statement::Numbering;

/// The style sheet of a report.
pub const CSS: &str = include_str!("../assets/report.css");
/// What adds keys, taps and sorting to a report; reading needs none of it.
pub const JS: &str = include_str!("../assets/report.js");

/// What a page links to from within a report. A file of its own links to nothing but the sources.
pub trait Links {
    /// A page about whose page a source is.
    fn outlet(&self, _: &Candidate) -> Option<String> {
        None
    }

    /// Where a source is opened, if not at its address: a document of the user's is stored.
    fn open(&self, _: &Candidate) -> Option<String> {
        None
    }

    /// What a reader may say about a source: the words, and where to say it.
    fn marks(&self, _: &Candidate) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Where a better question can be asked.
    fn ask(&self, _: &str) -> Option<String> {
        None
    }

    /// A page that explains the scores.
    fn methodology(&self) -> Option<String> {
        None
    }
}

/// No links: for a standalone file.
struct Alone;

impl Links for Alone {}

#[derive(Template)]
#[template(path = "report.html")]
struct Page {
    policy: String,
    css: &'static str,
    js: &'static str,
    title: String,
    body: String,
    language: &'static str,
}

#[derive(Template)]
#[template(path = "report_body.html")]
struct Contents {
    title: String,
    disclaimer: Option<String>,
    fields: Vec<(&'static str, String)>,
    asked: String,
    kind: String,
    author: String,
    shape: Shape,
    is_briefing: bool,
    text: Text,
    sources: Vec<SourceView>,
    chart: Chart,
    waterfall: Waterfall,
    appendix: Appendix,
    no_conflict: String,
    no_finding: String,
    better_questions: String,
    methodology: Option<String>,
}

/// Headings and labels, in the language of the report's shape.
struct Shape {
    limited: &'static str,
    methodology: &'static str,
    summary: &'static str,
    findings: &'static str,
    conflicts: &'static str,
    confidence: &'static str,
    level: &'static str,
    rationale: &'static str,
    shortfall: &'static str,
    sources: &'static str,
}

impl Shape {
    fn of(phrases: Phrases) -> Self {
        Self {
            limited: phrases.word(Phrase::LabelLimited),
            methodology: phrases.word(Phrase::HeadingMethodology),
            summary: phrases.word(Phrase::HeadingSummary),
            findings: phrases.word(Phrase::HeadingFindings),
            conflicts: phrases.word(Phrase::HeadingConflicts),
            confidence: phrases.word(Phrase::HeadingConfidence),
            level: phrases.word(Phrase::LabelLevel),
            rationale: phrases.word(Phrase::LabelRationale),
            shortfall: phrases.word(Phrase::HeadingShortfall),
            sources: phrases.word(Phrase::HeadingSources),
        }
    }
}

/// What is between the methodology and the sources.
enum Text {
    Report {
        summary: String,
        themes: Vec<(String, Vec<BlockView>)>,
        conflicts: Vec<Vec<BlockView>>,
        level: &'static str,
        rationale: String,
    },
    Shortfall {
        account: Vec<String>,
        better_queries: Vec<(String, Option<String>)>,
    },
}

/// Renders a report as a file that needs nothing else.
pub fn html(report: &CheckedReport) -> String {
    let page = Page {
        policy: policy(),
        css: CSS,
        js: JS,
        title: one_line(report.title()),
        body: fragment(report, &Alone),
        language: Phrases::of_shape(report.facts()).code(),
    };
    // Writing into a string cannot fail.
    page.render().unwrap_or_default()
}

/// Renders a report for a page that has [`CSS`] and [`JS`] already.
pub fn fragment(report: &CheckedReport, links: &dyn Links) -> String {
    let facts = report.facts();
    let sources: Vec<SourceView> =
        report.sources().map(|(n, c)| SourceView::new(n, c, links)).collect();
    let disclaimer = match report.body() {
        Body::Report { disclaimer, .. } => disclaimer.as_deref().map(one_line),
        Body::Shortfall { .. } => None,
    };
    let fields = methodology(facts).into_iter();
    let contents = Contents {
        title: one_line(report.title()),
        disclaimer,
        fields: fields.map(|(name, value)| (name, one_line(&value))).collect(),
        asked: asked(facts),
        shape: Shape::of(Phrases::of_shape(facts)),
        kind: match facts.briefing {
            Some(_) => kind(facts),
            None => format!("{} · {}", facts.gate.decision.words(), facts.mode),
        },
        author: author(facts),
        is_briefing: facts.briefing.is_some(),
        text: text(report, &sources, links),
        chart: Chart::new(report),
        waterfall: Waterfall::new(&facts.timeline),
        appendix: Appendix::new(facts),
        sources,
        no_conflict: no_conflict(facts),
        no_finding: no_finding(facts),
        better_questions: better_questions(facts),
        methodology: links.methodology(),
    };
    contents.render().unwrap_or_default()
}

/// The headings of what [`fragment`] renders: anchor, words, and whether it is below another.
pub fn contents(report: &CheckedReport) -> Vec<(String, String, bool)> {
    let shape = Phrases::of_shape(report.facts());
    let top = |anchor: &str, words: &str| (anchor.to_owned(), words.to_owned(), false);
    let mut all = vec![top("h-methodology", shape.word(Phrase::HeadingMethodology))];
    match report.body() {
        Body::Report { themes, .. } => {
            all.extend([
                top("h-summary", shape.word(Phrase::HeadingSummary)),
                top("h-findings", shape.word(Phrase::HeadingFindings)),
            ]);
            let themes = themes.iter().enumerate();
            all.extend(themes.map(|(place, theme)| {
                (format!("theme-{}", place + 1), one_line(&theme.heading), true)
            }));
            all.push(top("h-conflicts", shape.word(Phrase::HeadingConflicts)));
            all.push(top("h-confidence", shape.word(Phrase::HeadingConfidence)));
        }
        Body::Shortfall { .. } => {
            all.push(top("h-shortfall", shape.word(Phrase::HeadingShortfall)))
        }
    }
    if report.sources().next().is_some() {
        all.push(top("h-sources", shape.word(Phrase::HeadingSources)));
    }
    all.push(top("h-appendix", "How This Was Made"));
    all
}

fn text(report: &CheckedReport, sources: &[SourceView], links: &dyn Links) -> Text {
    let mut viewer = Viewer { report, sources, numbering: Numbering::default() };
    match report.body() {
        Body::Report { summary, themes, conflicts, confidence, .. } => Text::Report {
            summary: summary.iter().map(|s| one_line(s)).collect::<Vec<_>>().join(" "),
            themes: themes
                .iter()
                .map(|theme| (one_line(&theme.heading), viewer.blocks(&theme.statements)))
                .collect(),
            conflicts: conflicts.iter().map(|statements| viewer.blocks(statements)).collect(),
            level: level(Phrases::of_shape(report.facts()), confidence.level),
            rationale: one_line(&confidence.rationale),
        },
        Body::Shortfall { account, better_queries, elsewhere } => Text::Shortfall {
            account: account.iter().chain([elsewhere]).map(|part| one_line(part)).collect(),
            better_queries: better_queries.iter().map(|q| (one_line(q), links.ask(q))).collect(),
        },
    }
}

/// The content security policy: our two inline parts by hash, an empty icon, nothing else.
fn policy() -> String {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; img-src data:; \
         base-uri 'none'; form-action 'none'",
        hash(CSS),
        hash(JS)
    )
}
