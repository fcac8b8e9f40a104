//! Survivors → draft → checked report; or too few of them → an honest account.

use probity_core::{Decision, Problem, ProblemKind, SourceId, Verdict};
use probity_report::assemble::{
    Texts, Verdicts, assemble_judged, lead_to_read, statements_to_read,
};
use probity_report::check::Readings;
use probity_report::draft::{Draft, Shortfall};
use probity_report::facts::{Author, GateRecord, Plan, Revision, RunFacts, Usage};
use probity_report::phrases::Phrases;
use probity_report::{CheckedReport, assemble_shortfall};

use crate::analyst::{
    Analyst, AnalystAnswer, AnalystError, Outline, ShortfallTask, SourceView, SynthesisTask,
};
use crate::driver::{Finished, Run};
use crate::event::Event;
use crate::journal::{JournalError, StepKind};
use crate::stage::review::Review;
use crate::stage::{self, sections, skeptic};

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
    for tracked in run.sources.tracked() {
        if tracked.candidate.verdict == Verdict::Read {
            for query in &tracked.found_by {
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
        question: run.asked(),
        mode: run.parts.spec.mode,
        decision: gate.decision,
        words: words(&run, &gate),
        sources: &survivors,
        gaps: &gaps,
        headings: &run.parts.spec.shape.outline,
        parts: &run.plan.parts,
    };
    let facts = facts(&run, gate.clone(), gaps.clone(), run.parts.analyst.author());
    if facts.author.is_model {
        index_ahead(&run, &survivors);
    }
    let drafted = draft(&run, task, &facts).await?;
    let (mut written, readings) = reviewed(&run, task, drafted, &facts).await?;
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
    written.draft.headings.clone_from(&run.parts.spec.shape.outline);
    // What the draft itself leaves open is a gap, whatever words the sources share with the question.
    let open: Vec<&str> = written.draft.unanswered.iter().map(|open| open.asked.as_str()).collect();
    let others = gaps.into_iter().filter(|gap| !open.contains(&gap.as_str()));
    let gaps: Vec<String> = open.iter().map(|open| format!("“{open}”")).chain(others).collect();
    let gate = settled(gate, &written.draft);
    let report = check(&mut run, written.draft, readings, &gate, &gaps, author).await?;
    let texts = run.read.into_iter().map(|source| (source.id, source.text)).collect();
    Ok(Finished { report, texts })
}

/// Prepares the sources that may be cited for their checks, while a model writes.
fn index_ahead(run: &Run<'_>, survivors: &[SourceView<'_>]) {
    let mut texts = texts(run);
    texts.retain(|id, _| survivors.iter().any(|view| view.id == *id));
    // Whoever needs one before its turn makes it, and none waits for the rest.
    tokio::task::spawn_blocking(move || {
        for text in texts.values() {
            text.index();
        }
    });
}

/// Where sources survive but none of them states the answer, the report is short whatever their number.
fn settled(mut gate: GateRecord, draft: &Draft) -> GateRecord {
    let silent = Phrases::says_nothing(&draft.headline);
    if gate.decision == Decision::FullReport && silent {
        gate.decision = Decision::ShortReport;
        gate.rationale.push_str("; none of them states the answer plainly, so the report is short");
    }
    gate
}

/// A draft, who wrote it, what it cost and what went wrong.
struct Written {
    draft: Draft,
    /// The outline that it was written by, if it was written in sections.
    outline: Option<Outline>,
    /// What was read to check it so far.
    readings: Readings,
    author: Author,
    usage: Usage,
    revisions: Vec<Revision>,
    problems: Vec<Problem>,
    budget: Option<AnalystError>,
}

/// Asks for a draft: in sections where it is long and the analyst writes in sections, else in one go. Without a
/// usable draft the embedded analyst writes, and the report says so.
async fn draft(
    run: &Run<'_>,
    task: SynthesisTask<'_>,
    facts: &RunFacts,
) -> Result<Written, JournalError> {
    let mut written = Written {
        draft: Draft::default(),
        outline: None,
        readings: Readings::default(),
        author: run.parts.analyst.author(),
        usage: Usage::default(),
        revisions: Vec::new(),
        problems: Vec::new(),
        budget: None,
    };
    if written.author.is_model && sections::has_sections(task) {
        let parts = sections::write(run, task, facts).await?;
        written.usage.add(&parts.usage);
        written.problems.extend(parts.problems);
        match parts.failure {
            None => {
                (written.draft, written.outline) = (parts.draft, Some(parts.outline));
                written.readings = parts.readings;
                return Ok(written);
            }
            // An analyst without sections writes in one call.
            Some(AnalystError::Unable(_)) => {}
            Some(error) => {
                let detail = format!("{error}; the report was written in one go");
                written.problems.push(Problem::new(ProblemKind::Analysis, "outline", detail));
            }
        }
    }
    let ids: Vec<SourceId> = task.sources.iter().map(|view| view.id).collect();
    let seconds = run.parts.spec.limits.synthesis_seconds;
    let inputs = (&ids, task.decision, task.words);
    let answer = run
        .ask(StepKind::Synthesise, &inputs, seconds, || run.parts.analyst.synthesise(task))
        .await?;
    written.usage.add(&answer.usage);
    match answer.result {
        Ok(draft) => written.draft = draft,
        Err(error) => by_rule(run, &mut written, task, &error).await?,
    }
    Ok(written)
}

/// Holds what a model drafted against the sources: what fails is written again, what stays in doubt is criticised
/// where that is wanted, and what leads a report in sections is written from what holds.
async fn reviewed(
    run: &Run<'_>,
    task: SynthesisTask<'_>,
    mut written: Written,
    facts: &RunFacts,
) -> Result<(Written, Readings), JournalError> {
    if !written.author.is_model {
        return Ok((written, Readings::default()));
    }
    let mut review = Review::new(
        std::mem::take(&mut written.draft),
        std::mem::take(&mut written.readings),
        facts,
    );
    review.read(run).await?;
    review.rewrite(run, task, written.outline.as_ref()).await?;
    if run.parts.spec.model.skeptic {
        let attacked = skeptic::attack(run, task, &mut review).await?;
        written.revisions = attacked.revisions;
        written.problems.extend(attacked.problem);
        if review.draft.themes.is_empty() {
            let error = AnalystError::Unusable("the critique left nothing of it".to_owned());
            written.usage.add(&review.usage);
            by_rule(run, &mut written, task, &error).await?;
            return Ok((written, Readings::default()));
        }
        review.read(run).await?;
    }
    if written.outline.is_some() {
        sections::lead(run, task, &mut review).await?;
    }
    written.usage.add(&review.usage);
    written.problems.extend(review.problems);
    written.draft = review.draft;
    Ok((written, review.readings))
}

/// The embedded analyst writes what a model could not.
async fn by_rule(
    run: &Run<'_>,
    written: &mut Written,
    task: SynthesisTask<'_>,
    error: &AnalystError,
) -> Result<(), JournalError> {
    let ids: Vec<SourceId> = task.sources.iter().map(|view| view.id).collect();
    let inputs = (&ids, task.decision, task.words);
    let drafting = || run.parts.embedded.synthesise(task);
    let answer = run.ask_embedded(StepKind::Synthesise, &inputs, drafting).await?;
    written.draft = answer.result.unwrap_or_default();
    written.author = run.parts.embedded.author();
    if matches!(error, AnalystError::Budget(_)) {
        written.budget = Some(error.clone());
    }
    let detail = format!("{error}; the embedded analyst wrote the report instead");
    written.problems.push(Problem::new(ProblemKind::Analysis, "synthesis", detail));
    Ok(())
}

/// Checks every citation, has a model judge those in doubt where that is wanted, and then headline and summary
/// by the statements that hold.
async fn check(
    run: &mut Run<'_>,
    draft: Draft,
    mut readings: Readings,
    gate: &GateRecord,
    gaps: &[String],
    author: Author,
) -> Result<CheckedReport, JournalError> {
    let facts_of = |run: &Run<'_>| facts(run, gate.clone(), gaps.to_vec(), author.clone());
    let on = run.parts.spec.on_unverified;
    let pairs = statements_to_read(&draft, &facts_of(run), &texts(run));
    readings.extend(run.read_pairs(readings.missing(pairs)).await?);
    let mut verdicts = Verdicts::new();
    if run.parts.spec.model.check && run.parts.analyst.author().is_model {
        let draft = draft.clone();
        let unjudged = assemble_judged(draft, facts_of(run), &texts(run), on, &readings, &verdicts);
        let (judged, usage, failed) = stage::check::judge(run, &unjudged).await?;
        verdicts = judged;
        run.spend(&usage);
        if failed > 0 {
            let detail = format!("{failed} could not be judged by a model; the own check counts");
            run.problem(Problem::new(ProblemKind::Analysis, "citations", detail));
        }
    }
    let pairs = lead_to_read(&draft, &facts_of(run), &texts(run), &readings, &verdicts);
    readings.extend(run.read_pairs(readings.missing(pairs)).await?);
    note_words_alone(run, &readings);
    Ok(assemble_judged(draft, facts_of(run), &texts(run), on, &readings, &verdicts))
}

/// The texts of the sources that were read.
pub(crate) fn texts(run: &Run<'_>) -> Texts {
    run.read.iter().map(|source| (source.id, source.text.clone())).collect()
}

/// Says so where no trained reader checked the citations.
fn note_words_alone(run: &mut Run<'_>, readings: &Readings) {
    if readings.is_lexical() {
        let detail = "there is no trained reader; the citations were checked by words, numbers, names \
                      and quotations alone";
        run.problem(Problem::new(ProblemKind::Analysis, "citations", detail));
    }
}

/// The words aimed at, in proportion to what survived of the most sources that the mode reads.
fn words(run: &Run<'_>, gate: &GateRecord) -> usize {
    let numbers = &run.parts.spec.numbers;
    numbers.words * gate.kept.min(numbers.max_sources()) / numbers.max_sources().max(1)
}

async fn explain(
    mut run: Run<'_>,
    gate: GateRecord,
    gaps: Vec<String>,
) -> Result<Finished, JournalError> {
    let queries: Vec<String> = run.queries.iter().map(|query| query.text.clone()).collect();
    let unreached = unreached(&run);
    let views = run.views();
    let count = |verdict| run.sources.candidates().filter(|c| c.verdict == verdict).count();
    let task = ShortfallTask {
        question: run.asked(),
        queries: &queries,
        sources: &views,
        candidates: run.sources.len(),
        blocked: count(Verdict::Blocked),
        failed: count(Verdict::Failed),
        gaps: &gaps,
        unreached: &unreached,
    };
    let ids: Vec<SourceId> = views.iter().map(|view| view.id).collect();
    let seconds = run.parts.spec.limits.planning_seconds;
    // Without an answer from anywhere there is nothing that a model could explain better.
    let mut author = run.parts.embedded.author();
    let answer = if unreached.is_empty() {
        author = run.parts.analyst.author();
        run.ask(StepKind::Explain, &ids, seconds, || run.parts.analyst.explain(task)).await?
    } else {
        explain_embedded(&run, task).await?
    };
    let (shortfall, error) = match answer.result {
        Ok(shortfall) => (shortfall, None),
        Err(error) => {
            author = run.parts.embedded.author();
            (explain_embedded(&run, task).await?.result.unwrap_or_default(), Some(error))
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

async fn explain_embedded(
    run: &Run<'_>,
    task: ShortfallTask<'_>,
) -> Result<AnalystAnswer<Shortfall>, JournalError> {
    let ids: Vec<SourceId> = task.sources.iter().map(|view| view.id).collect();
    run.ask_embedded(StepKind::Explain, &ids, || run.parts.embedded.explain(task)).await
}

/// What each provider said, where none of them answered any query and nothing else was found.
fn unreached(run: &Run<'_>) -> Vec<String> {
    if run.queries.iter().any(|query| !query.silent) || !run.sources.is_empty() {
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
        run_id: run.parts.spec.run_id.clone(),
        question: run.question().to_owned(),
        mode: run.parts.spec.mode,
        author,
        asked_at: run.parts.spec.asked_at,
        queries: run.queries.clone(),
        candidates: run.sources.candidates().cloned().collect(),
        threshold: run.parts.spec.policy.threshold,
        gate,
        gaps,
        problems: run.problems.clone(),
        usage: run.usage.clone(),
        revisions: run.revisions.clone(),
        briefing: None,
        rounds: run.rounds.clone(),
        language: run.parts.spec.shape.language.as_ref().map(ToString::to_string),
        plan: Some(run.plan.clone()).filter(Plan::has_parts),
        timeline: run.parts.journal.timeline().stages(run.parts.spec.asked_at),
    }
}
