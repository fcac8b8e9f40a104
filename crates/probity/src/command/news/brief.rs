//! `probity news brief`: a dated digest of the top topics in the shape of a report.
//!
//! topics → sources (articles with their texts) → draft → assemble, which checks every sentence
//! against the article that it cites → any format

mod draft;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use probity_core::{Candidate, Decision, Mode, Round, Score, SourceId, Timestamp, Verdict, WebUrl};
use probity_news::headline::without_outlet;
use probity_news::rank::{Told, credibility};
use probity_news::tell::Topics;
use probity_reader::Stop;
use probity_report::assemble::Texts;
use probity_report::facts::{Author, Briefing, GateRecord, RunFacts, Usage};
use probity_report::{OnUnverified, assemble};
use probity_store::Store;
use probity_store::topics::Covered;

use super::topics::find;
use crate::app::App;
use crate::format::{self, Form};
use crate::newsroom::since;
use crate::output;

/// What may be typed after `probity news brief`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only topics of this category.
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    /// Only topics with an article since then: 24h, 7d, a day or an instant.
    #[arg(long, value_name = "TIME", default_value = "24h")]
    since: String,
    /// Tell at most so many topics.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=50))]
    topics: u32,
    #[command(flatten)]
    form: Form,
    /// Write to a file instead of stdout.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The most articles of a topic that a briefing reads.
const ARTICLES: usize = 6;
/// The exit code of a command that has nothing to report.
const NOTHING: u8 = 3;

/// An article that a briefing may cite.
pub(super) struct Source {
    pub(super) id: SourceId,
    pub(super) article: Covered,
    pub(super) url: WebUrl,
    /// What citations are checked against: outlet and headline, then the text.
    pub(super) text: String,
}

impl Source {
    /// The publisher's domain, or the host.
    pub(super) fn outlet(&self) -> String {
        let outlet = self.article.outlet.as_ref().map(ToString::to_string);
        outlet.unwrap_or_else(|| self.url.dns_host().to_owned())
    }
}

/// A topic with the articles that may be cited, the one that speaks for it first.
pub(super) struct Chapter {
    pub(super) sources: Vec<Source>,
    pub(super) outlets: usize,
}

/// Runs `probity news brief`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    args.form.check(args.output.as_deref(), app)?;
    let found = find(args.category.as_deref(), Some(&args.since), app).await?;
    let chapters = read(&app.store().await?, &found.told, args.topics).await?;
    if chapters.is_empty() {
        output::note("There is nothing to brief on: no topics since then.");
        return Ok(ExitCode::from(NOTHING));
    }
    let now = app.clock.now();
    let since = since(&args.since, now)?;
    let feeds = app.store().await?.newsroom().await?.enabled;
    let facts = facts(&found, &chapters, since, usize::try_from(feeds)?, now);
    let reader = app.reader()?;
    let category = found.category.as_ref().map(|one| one.name.as_str());
    let draft = draft::draft(&chapters, category, now, &reader)?;
    let texts: Texts<'_> = sources(&chapters).map(|one| (one.id, one.text.as_str())).collect();
    let report = assemble(draft, facts, &texts, OnUnverified::Mark, &reader, &Stop::never())?;
    if let Some(note) = format::write(&report, &args.form, args.output.as_deref(), app)? {
        output::note(&note);
    }
    Ok(ExitCode::SUCCESS)
}

fn sources(chapters: &[Chapter]) -> impl Iterator<Item = &Source> {
    chapters.iter().flat_map(|chapter| &chapter.sources)
}

/// The articles of the top topics, one of each outlet, with their texts.
async fn read(store: &Store, told: &[Told], most: u32) -> anyhow::Result<Vec<Chapter>> {
    let mut chapters = Vec::new();
    let mut next = 0;
    for one in told {
        let mut seen: BTreeMap<String, ()> = BTreeMap::new();
        let mut sources = Vec::new();
        for article in &one.articles {
            let Some(url) = article.url.as_deref().and_then(|url| WebUrl::parse(url).ok()) else {
                continue;
            };
            let outlet = article.outlet.as_ref().map(ToString::to_string);
            let outlet = outlet.unwrap_or_else(|| url.dns_host().to_owned());
            let repeats = article.duplicate_of.is_some() && !sources.is_empty();
            if repeats || seen.insert(outlet.clone(), ()).is_some() || sources.len() >= ARTICLES {
                continue;
            }
            let mut article = article.clone();
            if let Some(outlet) = &article.outlet {
                article.title = without_outlet(&article.title, outlet).to_owned();
            }
            let full = store.article_text(article.article).await?.and_then(|text| text.document);
            let body = full.map_or_else(|| article.summary.clone(), |document| document.text);
            let text = format!("{outlet}: {}.\n\n{body}", article.title.trim_end_matches('.'));
            sources.push(Source { id: SourceId(next), article, url, text });
            next += 1;
        }
        if !sources.is_empty() {
            chapters.push(Chapter { sources, outlets: one.outlets });
        }
        if chapters.len() >= usize::try_from(most).unwrap_or(usize::MAX) {
            break;
        }
    }
    Ok(chapters)
}

fn facts(
    found: &Topics,
    chapters: &[Chapter],
    since: Timestamp,
    feeds: usize,
    now: Timestamp,
) -> RunFacts {
    let subject = match &found.category {
        Some(category) => format!("News of the category {}", category.name),
        None => "News of all categories".to_owned(),
    };
    let articles: usize = found.told.iter().map(|told| told.articles.len()).sum();
    let candidates: Vec<Candidate> = sources(chapters).map(candidate).collect();
    let count = candidates.len();
    RunFacts {
        run_id: format!("brief-{}", now.date()),
        question: subject,
        mode: Mode::Standard,
        author: Author { name: "embedded".to_owned(), is_model: false },
        asked_at: now,
        queries: Vec::new(),
        candidates,
        threshold: 0.0,
        gate: GateRecord {
            decision: Decision::FullReport,
            rationale: format!(
                "{} of {} topics are told, from {count} of {articles} articles",
                chapters.len(),
                found.told.len()
            ),
            cutoff: 1,
            judged: count,
            kept: count,
        },
        gaps: Vec::new(),
        problems: Vec::new(),
        usage: Usage::default(),
        timeline: Vec::new(),
        revisions: Vec::new(),
        briefing: Some(Briefing {
            since,
            feeds,
            articles,
            topics: found.told.len(),
            told: chapters.len(),
            shared: chapters.iter().filter(|chapter| chapter.outlets > 1).count(),
        }),
    }
}

/// An article as a source. Its credibility is its outlet's; nobody asked a question that it could answer.
fn candidate(source: &Source) -> Candidate {
    let article = &source.article;
    let authority = credibility(article);
    let known = article.credibility.is_some();
    Candidate {
        id: source.id,
        url: source.url.clone(),
        title: article.title.clone(),
        snippet: article.summary.clone(),
        outlet: article.outlet.clone(),
        credibility: Score { total: authority, authority, relevance: 0.0, recency: 0.0 },
        explanation: format!(
            "the {} score of its outlet",
            if known { "ledger's" } else { "neutral" }
        ),
        published: article.published_at.map(Timestamp::date),
        providers: vec!["news".to_owned()],
        round: Round::First,
        outcome: Some("ok".to_owned()),
        relevance: None,
        verdict: Verdict::Read,
        reason: format!("covers topic {}", article.topic),
    }
}
