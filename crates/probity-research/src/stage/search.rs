//! Queries → candidates, each scored once against the original question and the queries that found it.

use std::collections::{BTreeMap, BTreeSet};

use futures::stream::{FuturesOrdered, TryStreamExt};
use probity_core::{Candidate, Outlet, Problem, ProblemKind, Round, Shares, SourceId, Verdict};
use probity_credibility::{Admission, Assessment, Discovery, QuestionScorer, RelevanceMode};
use probity_report::facts::SentQuery;

use crate::driver::Run;
use crate::event::Event;
use crate::gather::{FoundHit, Origin, SearchAnswer};
use crate::journal::{JournalError, StepKind};
use crate::sources::{Fresh, Tracked};

/// With fewer results that may be read than this, a run says so.
const FEW: usize = 3;

pub(crate) async fn search(
    run: &mut Run<'_>,
    round: Round,
    queries: Vec<String>,
) -> Result<(), JournalError> {
    let answers = send(run, round, &queries).await?;
    let (first, known) = (run.queries.len(), run.sources.len());
    for (query, answer) in queries.iter().zip(&answers) {
        run.queries.push(SentQuery {
            text: query.clone(),
            round,
            hits: answer.hits.len(),
            kept: 0,
            silent: answer.silent,
        });
        answer.problems.iter().for_each(|problem| run.problem(problem.clone()));
    }
    let fresh = run.sources.merge(first, answers);
    admit_all(run, round, fresh).await?;
    // By query: results that are new, and those of them that are blocked.
    let mut counts: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for Tracked { candidate, found_by, .. } in run.sources.tracked().skip(known) {
        let Some(query) = found_by.first() else { continue };
        let (fresh, blocked) = counts.entry(*query).or_default();
        *fresh += 1;
        *blocked += usize::from(candidate.verdict == Verdict::Blocked);
    }
    for (index, query) in run.queries.iter().enumerate().skip(first) {
        let (fresh, blocked) = counts.get(&index).copied().unwrap_or_default();
        let (query, hits) = (query.text.clone(), query.hits);
        run.tell(Event::Searched { round, query, hits, fresh, blocked });
    }
    tell_blocks(run, known);
    tell_starvation(run);
    Ok(())
}

/// Says once that very few results pass that the run will probably not find its sources, and what helps.
fn tell_starvation(run: &mut Run<'_>) {
    const SUBJECT: &str = "relevance";
    let all = run.sources.len();
    let passed = run.sources.candidates().filter(|one| one.verdict != Verdict::Blocked).count();
    let is_reported = run.problems.iter().any(|problem| problem.subject == SUBJECT);
    let helps = run.parts.spec.policy.relevance == RelevanceMode::Overlap;
    if passed < FEW && passed < all && helps && !is_reported {
        let detail = format!(
            "only {passed} of {all} results may be read: the words of the others do not show that \
             they are about the question; `--relevance soft` counts words of like meaning too"
        );
        run.problem(Problem::new(ProblemKind::Search, SUBJECT, detail));
    }
}

/// Enters results that no query brought.
pub(crate) async fn enter(
    run: &mut Run<'_>,
    round: Round,
    hits: Vec<FoundHit>,
) -> Result<(), JournalError> {
    let (first, known) = (run.queries.len(), run.sources.len());
    let fresh = run.sources.merge(first, vec![SearchAnswer { hits, ..SearchAnswer::default() }]);
    admit_all(run, round, fresh).await?;
    tell_blocks(run, known);
    Ok(())
}

/// Scores new results and enters them among the candidates.
async fn admit_all(run: &mut Run<'_>, round: Round, fresh: Vec<Fresh>) -> Result<(), JournalError> {
    look_up_ledger(run, &fresh).await?;
    fresh.into_iter().for_each(|fresh| admit(run, round, fresh));
    Ok(())
}

/// Sends all queries at once; answers come back in the order of the queries.
async fn send(
    run: &Run<'_>,
    round: Round,
    queries: &[String],
) -> Result<Vec<SearchAnswer>, JournalError> {
    let limit = run.parts.spec.limits.results_per_query;
    let gatherer = run.parts.gatherer;
    let sending: FuturesOrdered<_> = queries
        .iter()
        .map(|query| {
            run.tell(Event::Search { round, query: query.clone() });
            async move {
                let inputs = (query, limit);
                run.step(StepKind::Search, &inputs, async || gatherer.search(query, limit).await)
                    .await
            }
        })
        .collect();
    sending.try_collect().await
}

/// Asks the ledger about the outlets of new results. Without an answer their tiers count.
async fn look_up_ledger(run: &mut Run<'_>, fresh: &[Fresh]) -> Result<(), JournalError> {
    let outlets: BTreeSet<Outlet> =
        fresh.iter().filter_map(|fresh| outlet_of(run, &fresh.found)).collect();
    let outlets: Vec<Outlet> = outlets.into_iter().collect();
    if outlets.is_empty() {
        return Ok(());
    }
    let gatherer = run.parts.gatherer;
    let asked =
        run.step(StepKind::Ledger, &outlets, async || gatherer.ledger(&outlets).await).await?;
    match asked {
        Ok(opinions) => run.scorer.learn(opinions),
        Err(reason) => {
            let detail = format!("{reason}; authority was taken from the tiers");
            run.problem(Problem::new(ProblemKind::Search, "ledger", detail));
        }
    }
    Ok(())
}

/// Whose page a result is: the publisher that a document of the user's own names, or its address.
fn outlet_of(run: &Run<'_>, found: &FoundHit) -> Option<Outlet> {
    match found.origin {
        Origin::Library => run.scorer.outlet_of_document(&found.hit.url, found.outlet.as_ref()),
        Origin::Web | Origin::Named => run.scorer.outlet_of(&found.hit.url),
    }
}

/// Scores a candidate against the question and the queries that found it.
pub(crate) fn scorer_of<'r>(run: &'r Run<'_>, id: SourceId) -> QuestionScorer<'r> {
    scorer_for(run, run.sources.get(id).map_or(&[], |tracked| tracked.found_by.as_slice()))
}

fn scorer_for<'r>(run: &'r Run<'_>, found_by: &[usize]) -> QuestionScorer<'r> {
    let queries = found_by.iter().filter_map(|query| run.queries.get(*query));
    let queries = queries.map(|query| query.text.as_str());
    run.scorer.for_question(run.question()).found_by(queries.filter(|text| *text != run.question()))
}

/// Scores a result and enters it among the candidates.
fn admit(run: &mut Run<'_>, round: Round, fresh: Fresh) {
    let Fresh { found, found_by } = fresh;
    let own = found.origin == Origin::Library;
    let named = if own { outlet_of(run, &found) } else { None };
    let FoundHit { hit, origin, .. } = found;
    let id = run.sources.next_id();
    let mut scorer = scorer_for(run, &found_by).of_outlet(named);
    let (assessment, admission) = scorer.admit(Discovery::from(&hit));
    let (verdict, reason) = match admission {
        _ if origin != Origin::Web => {
            (Verdict::Unused, "not read: others of your documents came first".to_owned())
        }
        Admission::Permitted(_) => (Verdict::Unused, "not read: other pages came first".to_owned()),
        Admission::Blocked => (Verdict::Blocked, why_blocked(&assessment)),
    };
    let explanation = match origin {
        Origin::Web => assessment.explanation(),
        _ => assessment.explanation_of_handed_over(),
    };
    let candidate = Candidate {
        id,
        url: hit.url,
        title: hit.title,
        snippet: hit.snippet,
        outlet: assessment.authority.outlet.clone(),
        attribution: assessment.authority.attribution().map(str::to_owned),
        credibility: assessment.score,
        shares: Some(shares(&assessment)),
        explanation,
        published: hit.published,
        archived: None,
        providers: hit.providers,
        round,
        outcome: None,
        relevance: None,
        verdict,
        reason,
    };
    run.sources.enter(Tracked { candidate, origin, found_by });
}

/// Why a page is not downloaded, with both shares that its relevance is the better of.
fn why_blocked(assessment: &Assessment) -> String {
    let authority = assessment.score.authority;
    let shares = shares(assessment);
    format!("credibility at or below the threshold: authority {authority:.2}, {shares}")
}

fn shares(assessment: &Assessment) -> Shares {
    let query = assessment.query.as_ref().map(|query| query.share.value);
    Shares { question: assessment.question.value, query }
}

/// Tells of the blocked among the candidates beyond those that were known before.
fn tell_blocks(run: &Run<'_>, known: usize) {
    let blocked = run.sources.candidates().skip(known).filter(|c| c.verdict == Verdict::Blocked);
    blocked.for_each(|candidate| tell_block(run, candidate, candidate.credibility.total));
}

/// Tells that a page was refused, and for which score.
pub(crate) fn tell_block(run: &Run<'_>, candidate: &Candidate, score: f64) {
    run.tell(Event::Block {
        id: candidate.id,
        url: candidate.url.to_string(),
        score,
        threshold: run.parts.spec.policy.threshold,
        why: candidate.explanation.clone(),
    });
}
