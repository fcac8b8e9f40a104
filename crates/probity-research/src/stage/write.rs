//! Survivors → draft → checked report; or too few of them → an honest account.

use std::collections::BTreeMap;

use probity_core::{Decision, Problem, ProblemKind, SourceId, Verdict};
use probity_report::facts::{GateRecord, RunFacts};
use probity_report::{assemble, assemble_shortfall};

use crate::analyst::embedded::Embedded;
use crate::analyst::{Analyst, ShortfallTask, SourceView, SynthesisTask};
use crate::driver::{Finished, Run};
use crate::event::Event;
use crate::journal::{JournalError, StepKind};

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
    let ids: Vec<SourceId> = survivors.iter().map(|view| view.id).collect();
    let seconds = run.spec.limits.synthesis_seconds;
    let inputs = (&ids, gate.decision, task.words);
    let answer =
        run.ask(StepKind::Synthesise, &inputs, seconds, || run.analyst.synthesise(task)).await?;
    let (draft, problem) = match answer.result {
        Ok(draft) => (draft, None),
        Err(error) => {
            let detail = format!("{error}; the embedded analyst wrote the report instead");
            let draft = Embedded::new().synthesise(task).await.result.unwrap_or_default();
            (draft, Some(Problem::new(ProblemKind::Analysis, "synthesis", detail)))
        }
    };
    drop(survivors);
    run.spend(&answer.usage);
    if let Some(problem) = problem {
        run.problem(problem);
    }
    run.begin_checking();
    let on_unverified = run.spec.on_unverified;
    let (facts, texts) = close(run, gate, gaps);
    let views = texts.iter().map(|(id, text)| (*id, text.as_str())).collect();
    let report = assemble(draft, facts, &views, on_unverified);
    Ok(Finished { report, texts })
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
    };
    let ids: Vec<SourceId> = views.iter().map(|view| view.id).collect();
    let seconds = run.spec.limits.planning_seconds;
    let answer = run.ask(StepKind::Explain, &ids, seconds, || run.analyst.explain(task)).await?;
    let (shortfall, problem) = match answer.result {
        Ok(shortfall) => (shortfall, None),
        Err(error) => {
            let detail = format!("{error}; the embedded analyst explained the shortfall instead");
            let shortfall = Embedded::new().explain(task).await.result.unwrap_or_default();
            (shortfall, Some(Problem::new(ProblemKind::Analysis, "explanation", detail)))
        }
    };
    drop(views);
    run.spend(&answer.usage);
    if let Some(problem) = problem {
        run.problem(problem);
    }
    run.begin_checking();
    let (facts, texts) = close(run, gate, gaps);
    Ok(Finished { report: assemble_shortfall(shortfall, facts), texts })
}

/// The facts of a run that does nothing more, and the texts of its sources.
fn close(
    run: Run<'_>,
    gate: GateRecord,
    gaps: Vec<String>,
) -> (RunFacts, BTreeMap<SourceId, String>) {
    let facts = RunFacts {
        run_id: run.spec.run_id.clone(),
        question: run.question().to_owned(),
        mode: run.spec.mode,
        author: run.analyst.author(),
        asked_at: run.spec.asked_at,
        queries: run.queries,
        candidates: run.candidates,
        threshold: run.spec.policy.threshold,
        gate,
        gaps,
        problems: run.problems,
        usage: run.usage,
        timeline: run.journal.timeline().stages(run.spec.asked_at),
    };
    let texts = run.read.into_iter().map(|source| (source.id, source.text)).collect();
    (facts, texts)
}
