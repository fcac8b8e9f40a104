//! Survivors → draft → checked report; or too few of them → an honest account.

use probity_core::{Decision, Problem, ProblemKind, SourceId, Verdict};
use probity_report::assemble::{Verdicts, assemble_judged};
use probity_report::draft::Draft;
use probity_report::facts::{Author, GateRecord, Revision, RunFacts, Usage};
use probity_report::{CheckedReport, assemble_shortfall};

use crate::analyst::embedded::Embedded;
use crate::analyst::{Analyst, AnalystError, ShortfallTask, SourceView, SynthesisTask};
use crate::driver::{Finished, Run};
use crate::event::Event;
use crate::journal::{JournalError, StepKind};
use crate::stage::{self, skeptic};

pub(crate) async fn write(
    mut run: Run<'_>,
    gate: GateRecord,
    gaps: Vec<String>,
) -> Result<Finished, JournalError> {
    count_kept(&mut run);
    match gate.decision {
        Decision::InsufficientData => explain(run, gate, gaps).await,
        _ => synthesise(run, gate, gaps).await,
    }
}

/// Notes for each query how many of the sources that it found survived.
fn count_kept(run: &mut Run<'_>) {
    for (candidate, found_by) in run.candidates.iter().zip(&run.found_by) {
        if candidate.verdict == Verdict::Read {
            for query in found_by {
                if let Some(query) = run.queries.get_mut(*query) {
                    query.kept += 1;
                }
            }
        }
    }
}

async fn synthesise(
    mut run: Run<'_>,
    gate: GateRecord,
    gaps: Vec<String>,
) -> Result<Finished, JournalError> {
    run.tell(Event::Synthesise { sources: gate.kept });
    let survivors: Vec<SourceView<'_>> = run
        .views()
        .into_iter()
        .filter(|view| run.candidate(view.id).is_some_and(|c| c.verdict == Verdict::Read))
        .collect();
    let task = SynthesisTask {
        question: run.question(),
        mode: run.spec.mode,
        decision: gate.decision,
        words: words(&run, &gate),
        sources: &survivors,
        gaps: &gaps,
    };
    let written = draft(&run, task).await?;
    drop(survivors);
    run.spend(&written.usage);
    run.revisions = written.revisions;
    for problem in written.problems {
        run.problem(problem);
    }
    if let Some(error) = &written.budget {
        run.note_budget(error);
    }
    run.begin_checking();
    let author = written.author;
    // What the draft itself leaves open is a gap, whatever words the sources share with the question.
    let open = written.draft.unanswered.iter().map(|open| format!("“{}”", open.asked));
    let gaps: Vec<String> = open.chain(gaps).collect();
    let report = check(&mut run, written.draft, &gate, &gaps, author).await?;
    let texts = run.read.into_iter().map(|source| (source.id, source.text)).collect();
    Ok(Finished { report, texts })
}

/// A draft, who wrote it, what it cost and what went wrong.
struct Written {
    draft: Draft,
    author: Author,
    usage: Usage,
    revisions: Vec<Revision>,
    problems: Vec<Problem>,
    budget: Option<AnalystError>,
}

/// Asks for a draft and, where that is wanted, for a critique of it. Without a usable draft the
/// embedded analyst writes, and the report says so.
async fn draft(run: &Run<'_>, task: SynthesisTask<'_>) -> Result<Written, JournalError> {
    let ids: Vec<SourceId> = task.sources.iter().map(|view| view.id).collect();
    let seconds = run.spec.limits.synthesis_seconds;
    let inputs = (&ids, task.decision, task.words);
    let answer =
        run.ask(StepKind::Synthesise, &inputs, seconds, || run.analyst.synthesise(task)).await?;
    let mut written = Written {
        draft: Draft::default(),
        author: run.analyst.author(),
        usage: answer.usage,
        revisions: Vec::new(),
        problems: Vec::new(),
        budget: None,
    };
    match answer.result {
        Ok(draft) => written.draft = draft,
        Err(error) => {
            by_rule(&mut written, task, &error).await;
            return Ok(written);
        }
    }
    if run.spec.model.skeptic && written.author.is_model {
        let attacked = skeptic::attack(run, task, std::mem::take(&mut written.draft)).await?;
        written.draft = attacked.draft;
        written.revisions = attacked.revisions;
        written.problems.extend(attacked.problem);
        written.usage.add(&attacked.usage);
        if written.draft.themes.is_empty() {
            let error = AnalystError::Unusable("the critique left nothing of it".to_owned());
            by_rule(&mut written, task, &error).await;
        }
    }
    Ok(written)
}

/// The embedded analyst writes what a model could not.
async fn by_rule(written: &mut Written, task: SynthesisTask<'_>, error: &AnalystError) {
    let embedded = Embedded::new();
    written.draft = embedded.synthesise(task).await.result.unwrap_or_default();
    written.author = embedded.author();
    if matches!(error, AnalystError::Budget(_)) {
        written.budget = Some(error.clone());
    }
    let detail = format!("{error}; the embedded analyst wrote the report instead");
    written.problems.push(Problem::new(ProblemKind::Analysis, "synthesis", detail));
}

/// Checks every citation, and has a model judge those in doubt where that is wanted.
async fn check(
    run: &mut Run<'_>,
    draft: Draft,
    gate: &GateRecord,
    gaps: &[String],
    author: Author,
) -> Result<CheckedReport, JournalError> {
    let on_unverified = run.spec.on_unverified;
    let checked = |run: &Run<'_>, draft: Draft, verdicts: &Verdicts| {
        let views = run.read.iter().map(|source| (source.id, source.text.as_str())).collect();
        let facts = facts(run, gate.clone(), gaps.to_vec(), author.clone());
        assemble_judged(draft, facts, &views, on_unverified, verdicts)
    };
    if !run.spec.model.check || !run.analyst.author().is_model {
        return Ok(checked(run, draft, &Verdicts::new()));
    }
    let unjudged = checked(run, draft.clone(), &Verdicts::new());
    let (verdicts, usage, failed) = stage::check::judge(run, &unjudged).await?;
    run.spend(&usage);
    if failed > 0 {
        let detail = format!("{failed} could not be judged by a model; the own check counts");
        run.problem(Problem::new(ProblemKind::Analysis, "citations", detail));
    }
    Ok(checked(run, draft, &verdicts))
}

/// A short report is shorter in proportion to what it lacks.
fn words(run: &Run<'_>, gate: &GateRecord) -> usize {
    let numbers = &run.spec.numbers;
    match gate.decision {
        Decision::ShortReport => numbers.words * gate.kept / numbers.full_report_from.max(1),
        _ => numbers.words,
    }
}

async fn explain(
    mut run: Run<'_>,
    gate: GateRecord,
    gaps: Vec<String>,
) -> Result<Finished, JournalError> {
    let queries: Vec<String> = run.queries.iter().map(|query| query.text.clone()).collect();
    let unreached = unreached(&run);
    let views = run.views();
    let count = |verdict| run.candidates.iter().filter(|c| c.verdict == verdict).count();
    let task = ShortfallTask {
        question: run.question(),
        queries: &queries,
        sources: &views,
        candidates: run.candidates.len(),
        blocked: count(Verdict::Blocked),
        failed: count(Verdict::Failed),
        gaps: &gaps,
        unreached: &unreached,
    };
    let ids: Vec<SourceId> = views.iter().map(|view| view.id).collect();
    let seconds = run.spec.limits.planning_seconds;
    // Without an answer from anywhere there is nothing that a model could explain better.
    let mut author = Embedded::new().author();
    let answer = if unreached.is_empty() {
        author = run.analyst.author();
        run.ask(StepKind::Explain, &ids, seconds, || run.analyst.explain(task)).await?
    } else {
        Embedded::new().explain(task).await
    };
    let (shortfall, error) = match answer.result {
        Ok(shortfall) => (shortfall, None),
        Err(error) => {
            author = Embedded::new().author();
            (Embedded::new().explain(task).await.result.unwrap_or_default(), Some(error))
        }
    };
    drop(views);
    run.spend(&answer.usage);
    if let Some(error) = error {
        run.note_budget(&error);
        let detail = format!("{error}; the embedded analyst explained the shortfall instead");
        run.problem(Problem::new(ProblemKind::Analysis, "explanation", detail));
    }
    run.begin_checking();
    let facts = facts(&run, gate, gaps, author);
    let texts = run.read.into_iter().map(|source| (source.id, source.text)).collect();
    Ok(Finished { report: assemble_shortfall(shortfall, facts), texts })
}

/// What each provider said, where none of them answered any query and nothing else was found.
fn unreached(run: &Run<'_>) -> Vec<String> {
    if run.queries.iter().any(|query| !query.silent) || !run.candidates.is_empty() {
        return Vec::new();
    }
    let mut said: Vec<&Problem> = Vec::new();
    for problem in run.problems.iter().filter(|problem| problem.kind == ProblemKind::Search) {
        if said.iter().all(|known| known.subject != problem.subject) {
            said.push(problem);
        }
    }
    said.into_iter().map(ToString::to_string).collect()
}

/// The facts of a run that does nothing more.
fn facts(run: &Run<'_>, gate: GateRecord, gaps: Vec<String>, author: Author) -> RunFacts {
    RunFacts {
        run_id: run.spec.run_id.clone(),
        question: run.question().to_owned(),
        mode: run.spec.mode,
        author,
        asked_at: run.spec.asked_at,
        queries: run.queries.clone(),
        candidates: run.candidates.clone(),
        threshold: run.spec.policy.threshold,
        gate,
        gaps,
        problems: run.problems.clone(),
        usage: run.usage.clone(),
        revisions: run.revisions.clone(),
        briefing: None,
        timeline: run.journal.timeline().stages(run.spec.asked_at),
    }
}
