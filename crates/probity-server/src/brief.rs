//! A dated digest of the top topics in the shape of a report: for the command line, the API and the page.
//!
//! topics → sources (articles with their texts) → draft → assemble, which checks every sentence
//! against the article that it cites → any format

mod draft;

use probity_core::{
    BriefingId, Candidate, Decision, Mode, Round, Score, SourceId, Timestamp, Verdict, WebUrl,
};
use probity_news::headline::without_outlet;
use probity_news::rank::{RankedTopic, credibility};
use probity_news::topic_view::{self, Topics};
use probity_reader::{Stop, TextReader};
use probity_report::assemble::Texts;
use probity_report::facts::{Author, Briefing, GateRecord, RunFacts, Usage};
use probity_report::{CheckedReport, OnUnverified, assemble};
use probity_store::news::NewBriefing;
use probity_store::topics::{CategoryError, Covered};
use probity_store::{Store, StoreError};

/// The most articles of a topic that a briefing reads.
const ARTICLES: usize = 6;
/// An article that a briefing may cite.
struct Source {
    id: SourceId,
    article: Covered,
    url: WebUrl,
    /// What citations are checked against: outlet and headline, then the text.
    text: String,
}

impl Source {
    /// The publisher's domain, or the host.
    fn outlet(&self) -> String {
        let outlet = self.article.outlet.as_ref().map(ToString::to_string);
        outlet.unwrap_or_else(|| self.url.dns_host().to_owned())
    }
}

/// A topic with the articles that may be cited: of each outlet its newest, that of the outlet which speaks
/// first.
struct Chapter {
    sources: Vec<Source>,
    /// Earlier articles of the same outlets, which may have reported a different figure.
    earlier: Vec<Source>,
    outlets: usize,
}

/// What a briefing should report.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// Only topics of this category.
    pub category: Option<&'a str>,
    /// Only topics with an article since then.
    pub since: Timestamp,
    /// At most this many topics.
    pub topics: usize,
}

/// Writes a briefing; none where there is nothing to report.
///
/// # Errors
/// When there is no such category, or the store fails.
pub async fn brief(
    store: &Store,
    wanted: Wanted<'_>,
    now: Timestamp,
    reader: &TextReader,
) -> Result<Option<CheckedReport>, CategoryError> {
    let found = topic_view::topics(store, wanted.category, wanted.since).await?;
    let chapters = read(store, &found.ranked, wanted.topics).await?;
    if chapters.is_empty() {
        return Ok(None);
    }
    let feeds = usize::try_from(store.newsroom().await?.enabled).unwrap_or(0);
    let facts = facts(&found, &chapters, wanted.since, feeds, now);
    let category = found.category.as_ref().map(|one| one.name.clone());
    // Checking every sentence takes its time, and is not to hold up other answers.
    let reader = reader.clone();
    let (_stopper, stop) = Stop::new();
    let checking = tokio::task::spawn_blocking(move || {
        let draft = draft::draft(&chapters, category.as_deref(), now, &reader)?;
        let texts: Texts =
            sources(&chapters).map(|one| (one.id, one.text.as_str().into())).collect();
        assemble(draft, facts, &texts, OnUnverified::Mark, &reader, &stop)
    });
    Ok(checking.await.ok().and_then(Result::ok))
}

/// How many topics are reported by default.
pub const USUAL_TOPICS: usize = 8;

/// Keeps a briefing so that it can be read again; gives its id.
///
/// # Errors
/// When the store fails.
pub async fn keep(
    store: &Store,
    report: &CheckedReport,
    wanted: Wanted<'_>,
) -> Result<BriefingId, StoreError> {
    let json = probity_report::json::json(report);
    let new = NewBriefing {
        since: wanted.since,
        category: wanted.category,
        title: report.title(),
        report: &json,
    };
    store.keep_briefing(&new).await
}

fn sources(chapters: &[Chapter]) -> impl Iterator<Item = &Source> {
    chapters.iter().flat_map(|chapter| chapter.sources.iter().chain(&chapter.earlier))
}

/// The articles of the top topics with their texts.
async fn read(
    store: &Store,
    ranked: &[RankedTopic],
    most: usize,
) -> Result<Vec<Chapter>, StoreError> {
    let mut chapters = Vec::new();
    let mut next = 0;
    for one in ranked {
        let (mut sources, mut earlier) = (Vec::new(), Vec::new());
        for (place, article) in chosen(one) {
            let Some(url) = article.url.as_deref().and_then(|url| WebUrl::parse(url).ok()) else {
                continue;
            };
            let into = match place {
                Place::Newest => &mut sources,
                Place::Earlier => &mut earlier,
            };
            if into.len() < ARTICLES {
                into.push(source(store, SourceId(next), article, url).await?);
                next += 1;
            }
        }
        if !sources.is_empty() {
            chapters.push(Chapter { sources, earlier, outlets: one.outlets });
        }
        if chapters.len() >= most {
            break;
        }
    }
    Ok(chapters)
}

/// What an article is to a briefing.
enum Place {
    /// The newest of its outlet.
    Newest,
    /// One that its outlet published before.
    Earlier,
}

/// The articles of a topic by outlet, in the order in which outlets speak: the newest of each, then what
/// it published before. An update is published by the same outlet as what it replaces, and is worth the same.
fn chosen(ranked: &RankedTopic) -> Vec<(Place, &Covered)> {
    let outlet = |article: &Covered| match &article.outlet {
        Some(outlet) => outlet.to_string(),
        None => article.url.clone().unwrap_or_default(),
    };
    let mut by_outlet: Vec<(String, Vec<&Covered>)> = Vec::new();
    for article in ranked.articles.iter().filter(|article| article.duplicate_of.is_none()) {
        let name = outlet(article);
        match by_outlet.iter_mut().find(|(known, _)| *known == name) {
            Some((_, articles)) => articles.push(article),
            None => by_outlet.push((name, vec![article])),
        }
    }
    // A topic of copies alone is covered by its representative.
    if by_outlet.is_empty() {
        return ranked.articles.first().map(|first| (Place::Newest, first)).into_iter().collect();
    }
    let mut chosen = Vec::new();
    for (_, mut articles) in by_outlet {
        articles.sort_by_key(|article| std::cmp::Reverse((published(article), article.article)));
        let mut articles = articles.into_iter();
        chosen.extend(articles.next().map(|newest| (Place::Newest, newest)));
        chosen.extend(articles.map(|article| (Place::Earlier, article)));
    }
    chosen
}

/// When an article was published, or at least seen.
fn published(article: &Covered) -> Timestamp {
    article.published_at.unwrap_or(article.seen_at)
}

async fn source(
    store: &Store,
    id: SourceId,
    article: &Covered,
    url: WebUrl,
) -> Result<Source, StoreError> {
    let mut article = article.clone();
    let outlet = article.outlet.as_ref().map(ToString::to_string);
    let outlet = outlet.unwrap_or_else(|| url.dns_host().to_owned());
    if let Some(outlet) = &article.outlet {
        article.title = without_outlet(&article.title, outlet).to_owned();
    }
    let full = store.article_text(article.article).await?.and_then(|text| text.document);
    let body = full.map_or_else(|| article.summary.clone(), |document| document.text);
    let text = format!("{outlet}: {}.\n\n{body}", article.title.trim_end_matches('.'));
    Ok(Source { id, article, url, text })
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
    let articles: usize = found.ranked.iter().map(|ranked| ranked.articles.len()).sum();
    let candidates: Vec<Candidate> = sources(chapters).map(candidate).collect();
    let count = candidates.len();
    RunFacts {
        run_id: format!("brief-{}", now.date()).into(),
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
                "{} of {} topics are covered, from {count} of {articles} articles",
                chapters.len(),
                found.ranked.len()
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
        plan: None,
        rounds: Vec::new(),
        language: None,
        briefing: Some(Briefing {
            since,
            feeds,
            articles,
            topics: found.ranked.len(),
            told: chapters.len(),
            shared: chapters.iter().filter(|chapter| chapter.outlets > 1).count(),
        }),
    }
}

/// An article as a source. Its credibility is its outlet's; there is no question that it could answer.
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
        attribution: None,
        archived: None,
        credibility: Score { total: authority, authority, relevance: 0.0, recency: 0.0 },
        shares: None,
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
