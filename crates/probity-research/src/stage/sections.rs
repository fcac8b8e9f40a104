//! A long report in parts: an outline, its sections at the same time, and what leads them once they stand.

use futures::stream::{StreamExt, TryStreamExt, iter};
use probity_core::{Problem, ProblemKind, SourceId};
use probity_report::assemble::statements_to_read;
use probity_report::check::{Readings, Support};
use probity_report::draft::{Draft, Theme};
use probity_report::facts::{RunFacts, Usage};

use crate::analyst::{AnalystError, Outline, SectionTask, SynthesisTask};
use crate::driver::Run;
use crate::journal::{JournalError, StepKind};
use crate::stage::review::{Review, write_section};
use crate::stage::summarise::digest;
use crate::stage::write::texts;

/// A report of more words than this is written in sections; a shorter one in one go.
pub(crate) const ONE_DRAFT_WORDS: usize = 1_200;

/// Whether a report is written in sections: it is long, or its sections are given.
pub(crate) fn has_sections(task: SynthesisTask<'_>) -> bool {
    task.words > ONE_DRAFT_WORDS || !task.headings.is_empty()
}

/// The sections of a report, what they cost, and what went wrong with some of them.
#[derive(Default)]
pub(crate) struct Sections {
    pub(crate) draft: Draft,
    pub(crate) outline: Outline,
    pub(crate) usage: Usage,
    pub(crate) problems: Vec<Problem>,
    /// What was read to check them.
    pub(crate) readings: Readings,
    /// Why there are none, if there are none.
    pub(crate) failure: Option<AnalystError>,
}

/// Outlines a report and has its sections written at the same time. One that cannot be had leaves the others. Each is
/// read beside its sources as soon as it is there, while others are still being written.
pub(crate) async fn write(
    run: &Run<'_>,
    task: SynthesisTask<'_>,
    facts: &RunFacts,
) -> Result<Sections, JournalError> {
    let mut sections = Sections::default();
    let ids: Vec<SourceId> = task.sources.iter().map(|view| view.id).collect();
    let inputs = (&ids, task.decision, task.words);
    let seconds = run.parts.spec.limits.synthesis_seconds;
    let answer =
        run.ask(StepKind::Outline, &inputs, seconds, || run.parts.analyst.outline(task)).await?;
    sections.usage.add(&answer.usage);
    sections.outline = match answer.result {
        Ok(outline) => outline,
        Err(error) => return Ok(Sections { failure: Some(error), ..sections }),
    };
    let outline = &sections.outline;
    let asking = (0..outline.sections.len()).map(|place| async move {
        let section = SectionTask { report: task, outline, place, faults: &[] };
        let answer = write_section(run, section).await?;
        let readings = match &answer.result {
            Ok(theme) => read_alone(run, theme, facts).await?,
            Err(_) => Readings::default(),
        };
        Ok::<_, JournalError>((answer, readings))
    });
    // Collected, because a run must be able to move between threads while it waits for these.
    let asking: Vec<_> = asking.collect();
    let parallel = run.parallel();
    let answers: Vec<_> = iter(asking).buffered(parallel).try_collect().await?;
    for (planned, (answer, readings)) in sections.outline.sections.iter().zip(answers) {
        sections.usage.add(&answer.usage);
        sections.readings.extend(readings);
        match answer.result {
            Ok(theme) => sections.draft.push(theme),
            Err(error) => {
                let detail = format!("{error}; the section “{}” was left out", planned.heading);
                sections.problems.push(Problem::new(ProblemKind::Analysis, "section", detail));
                sections.failure.get_or_insert(error);
            }
        }
    }
    if !sections.draft.themes.is_empty() {
        sections.failure = None;
    }
    Ok(sections)
}

/// Has the statements of one section read beside their sources.
async fn read_alone(
    run: &Run<'_>,
    theme: &Theme,
    facts: &RunFacts,
) -> Result<Readings, JournalError> {
    let mut alone = Draft::default();
    alone.push(theme.clone());
    let pairs = statements_to_read(&alone, facts, &texts(run));
    run.read_pairs(Readings::default().missing(pairs)).await
}

/// Has headline, summary and disagreements written from the statements that hold. Without them the report leads with
/// its first statements.
pub(crate) async fn lead(
    run: &Run<'_>,
    task: SynthesisTask<'_>,
    review: &mut Review<'_>,
) -> Result<(), JournalError> {
    let held = holding(review, run);
    let written = digest(&serde_json::to_string(&held).unwrap_or_default());
    let seconds = run.parts.spec.limits.synthesis_seconds;
    let asking = || run.parts.analyst.lead(task, &held);
    let answer = run.ask(StepKind::Lead, &written, seconds, asking).await?;
    review.usage.add(&answer.usage);
    match answer.result {
        Ok(lead) => {
            review.draft.headline = lead.headline;
            review.draft.summary = lead.summary;
            review.draft.conflicts = lead.conflicts;
            review.draft.confidence = lead.confidence;
        }
        Err(error) => {
            let detail = format!("{error}; the report leads with its first statements");
            review.problems.push(Problem::new(ProblemKind::Analysis, "headline", detail));
        }
    }
    Ok(())
}

/// The themes with those of their statements that their sources fully support.
fn holding(review: &Review<'_>, run: &Run<'_>) -> Vec<Theme> {
    let mut checked = review.checked(run).into_iter();
    let mut themes = Vec::new();
    for theme in &review.draft.themes {
        let own = theme.statements.iter().zip(checked.by_ref());
        let holds = own.filter(|(_, checked)| {
            checked.as_ref().is_some_and(|checked| checked.support == Support::Supported)
        });
        let statements = holds.map(|(statement, _)| statement.clone()).collect();
        themes.push(Theme { heading: theme.heading.clone(), statements });
    }
    themes.retain(|theme| !theme.statements.is_empty());
    themes
}
