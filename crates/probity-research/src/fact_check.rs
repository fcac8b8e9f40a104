//! Any text → its statements → evidence for each → supported, contradicted, or not found.
//!
//! ```text
//! text → statements → the pages each cites → weigh → search for what is still open → weigh → verdicts
//! ```
//!
//! A statement is a small run of its own: what it cites and what a search finds for it goes through the
//! same scoring, permits and fetching as the sources of a report, over one journal, so that a page that
//! several statements need is read once. Addresses in the text are candidates like any others: the text
//! is not trusted, and naming a page in it does not open the page.

mod claims;
mod links;
mod weigh;

use std::collections::HashMap;

use futures::future::{BoxFuture, FutureExt as _};
use futures::stream::{StreamExt, TryStreamExt, iter};
use jiff::civil::Date;
use probity_core::limits::QUESTION_MAX_CHARS;
use probity_core::{Candidate, Problem, ProblemKind, Round, SearchHit, WebUrl};
use probity_credibility::{Question, Scorer};
use probity_report::assemble::Texts;
use probity_report::check::{Passage, Wanted};
use probity_report::facts::Usage;
use serde::Serialize;

pub use claims::{CLAIMS_MOST, Claim, Statements, TEXT_BYTES, Unchecked, statements};
pub use weigh::Standing;

use crate::driver::{Parts, Run, RunError};
use crate::event::Event;
use crate::gather::{FoundHit, Origin};
use crate::read::read;
use crate::stage;
use weigh::{Pool, Weighed};

/// How many statements are gathered for at once.
const PARALLEL: usize = 4;
/// How many pages are read for one statement, beside those it cites.
pub const SEARCHED_PAGES: usize = 3;
/// How many of the pages that a statement cites are read.
pub const CITED_PAGES: usize = 3;
/// What stands for the question of a check, which asks its statements instead.
pub const NO_QUESTION: &str = "Are these statements supported?";
/// The provider's name for a page that the text itself cites.
const CITED: &str = "cited";

/// The outcome of a text's statements.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FactCheck {
    /// Its statements with their verdicts, in the order of the text.
    pub claims: Vec<CheckedClaim>,
    /// The sentences that were not checked, and why.
    pub unchecked: Vec<UncheckedSentence>,
    /// What went wrong on the way.
    pub problems: Vec<Problem>,
    /// What language models cost, if any were asked.
    pub usage: Usage,
}

impl FactCheck {
    /// How many statements have a verdict.
    pub fn count(&self, standing: Standing) -> usize {
        self.claims.iter().filter(|claim| claim.verdict == standing).count()
    }
}

/// A sentence that was not checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UncheckedSentence {
    /// The sentence.
    pub text: String,
    /// Why.
    pub reason: Unchecked,
}

/// A statement with its verdict.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckedClaim {
    /// What it says, without its citations.
    pub claim: String,
    /// Where it is in the text, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The verdict.
    pub verdict: Standing,
    /// Whether some sources support it and others deny it.
    pub disputed: bool,
    /// Why, in words.
    pub why: String,
    /// What speaks for it or against it, the weightiest first.
    pub evidence: Vec<Evidence>,
    /// The pages it cites, and the outcome of each.
    pub cited: Vec<CitedPage>,
}

/// Which way a passage speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stance {
    /// It supports the statement.
    For,
    /// It says otherwise.
    Against,
    /// It comes near and decides nothing.
    Near,
}

impl Stance {
    /// The stance's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Stance::For => "for",
            Stance::Against => "against",
            Stance::Near => "near",
        }
    }
}

/// A passage that speaks for or against a statement.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evidence {
    /// Which way it speaks.
    pub stance: Stance,
    /// The page's address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Whose page it is.
    pub outlet: Option<String>,
    /// The authority of its outlet, from 0 to 1: the ledger's score or the tier.
    pub authority: f64,
    /// The page's score when it was found.
    pub credibility: f64,
    /// When it was published.
    pub published: Option<Date>,
    /// Whether the text itself cites it here.
    pub cited: bool,
    /// How well it supports the statement, from 0 to 1.
    pub value: f64,
    /// The passage.
    pub passage: Passage,
    /// What differs, in words.
    pub reasons: Vec<String>,
}

/// A page that a statement cites.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CitedPage {
    /// Its address.
    pub url: String,
    /// Its score.
    pub credibility: f64,
    /// Whether it was read.
    pub read: bool,
    /// Its outcome, in words.
    pub outcome: String,
}

/// Checks the statements of a text. The question of the parts' specification
/// ([`NO_QUESTION`]) is not asked; the statements are.
///
/// # Errors
/// When the journal fails, the policy contradicts itself, or the check is stopped.
pub async fn fact_check(parts: Parts<'_>, text: &str) -> Result<FactCheck, RunError> {
    let Statements { claims, unchecked } = statements(text);
    let of = claims.len();
    let progress = |number: usize, title: &str| {
        parts.watcher.watch(&Event::Step { number, of, title: title.to_owned() });
    };
    let mut cases: Vec<Case> = claims.into_iter().map(Case::new).collect();
    let mut pool = Pool::default();
    progress(0, "Reading what the text cites");
    gather(&parts, &mut cases, &mut pool, Way::Cited).await?;
    let mut trained = weigh_all(&parts, &mut cases, &pool, progress).await?;
    progress(0, "Searching for what is still open");
    gather(&parts, &mut cases, &mut pool, Way::Search).await?;
    trained &= weigh_all(&parts, &mut cases, &pool, progress).await?;
    let usage = weigh::ask_about_doubts(&parts, &mut cases).await?;
    let mut problems: Vec<Problem> = Vec::new();
    if !trained {
        let detail =
            "there is no trained reader; words, numbers, names and quotations were compared";
        problems.push(Problem::new(ProblemKind::Analysis, "statements", detail));
    }
    for problem in cases.iter_mut().flat_map(|case| std::mem::take(&mut case.problems)) {
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
    Ok(FactCheck {
        claims: cases.into_iter().map(|case| case.close(&pool)).collect(),
        unchecked: unchecked
            .into_iter()
            .map(|(text, reason)| UncheckedSentence { text, reason })
            .collect(),
        problems,
        usage,
    })
}

/// A statement on its way to a verdict.
struct Case {
    claim: Claim,
    /// The pages read for it, by their place in the pool.
    sources: Vec<usize>,
    /// How many of them were weighed.
    weighed: usize,
    findings: Vec<Weighed>,
    cited: Vec<CitedPage>,
    problems: Vec<Problem>,
}

impl Case {
    fn new(claim: Claim) -> Self {
        let (sources, findings) = (Vec::new(), Vec::new());
        Self { claim, sources, weighed: 0, findings, cited: Vec::new(), problems: Vec::new() }
    }

    fn close(self, pool: &Pool) -> CheckedClaim {
        let decided = weigh::decide(&self.findings, pool);
        let evidence = weigh::evidence(self.findings, pool, &self.claim);
        CheckedClaim {
            claim: self.claim.text,
            start: self.claim.bytes.start,
            end: self.claim.bytes.end,
            verdict: decided.standing,
            disputed: decided.disputed,
            why: decided.why,
            evidence,
            cited: self.cited,
        }
    }
}

/// Where to look for evidence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// On the pages that the statement cites.
    Cited,
    /// Wherever a search finds it.
    Search,
}

/// What gathering for one statement brought.
struct Brought {
    case: usize,
    candidates: Vec<Candidate>,
    texts: Texts,
    problems: Vec<Problem>,
}

/// Gathers for every statement that needs it, some at once, and pools what was read.
async fn gather(
    parts: &Parts<'_>,
    cases: &mut [Case],
    pool: &mut Pool,
    way: Way,
) -> Result<(), RunError> {
    let wanted: Vec<(usize, &Claim)> = cases
        .iter()
        .enumerate()
        .filter(|(_, case)| match way {
            Way::Cited => !case.claim.cites.is_empty(),
            Way::Search => weigh::decide(&case.findings, pool).standing == Standing::NotFound,
        })
        .map(|(at, case)| (at, &case.claim))
        .collect();
    // Boxed, because a server that drops the whole check has to be able to send it between threads.
    let gathering: Vec<BoxFuture<'_, Result<Brought, RunError>>> =
        wanted.into_iter().map(|(at, claim)| gather_one(parts, at, claim, way).boxed()).collect();
    let brought: Vec<Brought> = iter(gathering).buffered(PARALLEL).try_collect().await?;
    for Brought { case, candidates, mut texts, problems } in brought {
        let Some(case) = cases.get_mut(case) else { continue };
        for candidate in candidates {
            if way == Way::Cited {
                case.cited.push(CitedPage {
                    url: candidate.url.to_string(),
                    credibility: candidate.credibility.total,
                    read: texts.contains_key(&candidate.id),
                    outcome: candidate.reason.clone(),
                });
            }
            if let Some(text) = texts.remove(&candidate.id) {
                let at = pool.add(candidate, &text);
                if !case.sources.contains(&at) {
                    case.sources.push(at);
                }
            }
        }
        case.problems.extend(problems);
    }
    Ok(())
}

/// Gathers for one statement.
async fn gather_one(
    parts: &Parts<'_>,
    case: usize,
    claim: &Claim,
    way: Way,
) -> Result<Brought, RunError> {
    let mut brought =
        Brought { case, candidates: Vec::new(), texts: Texts::new(), problems: Vec::new() };
    let asked = shortened(&claim.spelled_out, QUESTION_MAX_CHARS);
    // A statement of nothing but small words cannot be looked for.
    let Ok(question) = Question::new(asked) else { return Ok(brought) };
    let mut spec = parts.spec.clone();
    spec.question = question;
    spec.numbers.round1_sources = match way {
        Way::Cited => CITED_PAGES,
        Way::Search => SEARCHED_PAGES,
    };
    let scorer = Scorer::new(spec.policy.clone(), HashMap::new(), spec.asked_at)?;
    let part = Parts { spec: &spec, cancel: parts.cancel.clone(), ..*parts };
    let mut run = Run::new(part, scorer);
    match way {
        Way::Cited => {
            let hits = claim.cites.iter().map(|url| cited(url, claim)).collect();
            stage::search::enter(&mut run, Round::First, hits).await?;
        }
        Way::Search => {
            stage::search::search(&mut run, Round::First, vec![asked.to_owned()]).await?
        }
    }
    stage::fetch::fetch(&mut run, Round::First).await?;
    brought.texts = run.read.into_iter().map(|source| (source.id, source.text)).collect();
    brought.candidates = run.sources.into_candidates();
    brought.problems = run.problems;
    Ok(brought)
}

/// A page that a statement cites, as a candidate: the statement is what is known of its content.
fn cited(url: &WebUrl, claim: &Claim) -> FoundHit {
    let hit = SearchHit {
        url: url.clone(),
        title: String::new(),
        snippet: claim.text.clone(),
        published: None,
        providers: vec![CITED.to_owned()],
    };
    FoundHit { hit, origin: Origin::Web, outlet: None }
}

/// Weighs what was read for each statement since the last time; says whether a trained reader did.
async fn weigh_all(
    parts: &Parts<'_>,
    cases: &mut [Case],
    pool: &Pool,
    progress: impl Fn(usize, &str),
) -> Result<bool, RunError> {
    let indexes = pool.indexes(cases.iter().flat_map(Case::unweighed));
    let mut wanted = Wanted::default();
    for case in cases.iter() {
        for index in case.unweighed().filter_map(|source| indexes.get(&source)) {
            wanted.add(index.pairs(&case.claim.spelled_out));
        }
        // Looking for passages is work without waiting: let others have their turn.
        tokio::task::yield_now().await;
    }
    let pairs = wanted.into_pairs();
    let readings = read(parts.journal, parts.embedded.reader(), &parts.cancel, pairs).await?;
    for (at, case) in cases.iter_mut().enumerate() {
        if case.unweighed().next().is_none() {
            continue;
        }
        progress(at + 1, &case.claim.text);
        let fresh: Vec<usize> = case.unweighed().collect();
        case.weighed = case.sources.len();
        for source in fresh {
            case.findings.extend(weigh::weigh(&case.claim, source, &indexes, &readings));
        }
        tokio::task::yield_now().await;
    }
    Ok(!readings.is_lexical())
}

impl Case {
    fn unweighed(&self) -> impl Iterator<Item = usize> {
        self.sources.iter().copied().skip(self.weighed)
    }
}

fn shortened(text: &str, chars: usize) -> &str {
    match text.char_indices().nth(chars) {
        Some((at, _)) => text.get(..at).unwrap_or(text),
        None => text,
    }
}
