//! A draft held against its sources before it becomes a report: what fails is written again once, what stays in doubt
//! is criticised once.
//!
//! ```text
//! statements → (read) → failing sections → rewritten → (read) → in doubt → critic
//! ```

use futures::stream::{StreamExt, TryStreamExt, iter};
use probity_core::{Problem, ProblemKind, SourceId};
use probity_report::assemble::{CheckedStatement, findings_checked, statements_to_read};
use probity_report::check::{Readings, Support};
use probity_report::draft::{Draft, Theme};
use probity_report::facts::{RunFacts, Usage};

use crate::analyst::{
    AnalystAnswer, AnalystError, Doubt, Fault, Outline, PlannedSection, SectionTask, SynthesisTask,
};
use crate::driver::Run;
use crate::journal::{JournalError, StepKind};
use crate::stage::summarise::digest;
use crate::stage::write::texts;

/// A section fails when more than this share of its statements is not supported.
const FAILING: f64 = 0.25;
/// The most sections of a report that are written again.
const REWRITES: usize = 4;
/// The longest passage shown with a fault, in characters.
const PASSAGE_CHARS: usize = 600;

/// A draft with what was read to check it.
pub(crate) struct Review<'a> {
    pub(crate) draft: Draft,
    pub(crate) readings: Readings,
    pub(crate) usage: Usage,
    pub(crate) problems: Vec<Problem>,
    /// What the report says of its run, as far as the check has to know it.
    facts: &'a RunFacts,
}

impl<'a> Review<'a> {
    pub(crate) fn new(draft: Draft, readings: Readings, facts: &'a RunFacts) -> Self {
        let (usage, problems) = (Usage::default(), Vec::new());
        Self { draft, readings, usage, problems, facts }
    }

    /// Has read what was not read yet.
    pub(crate) async fn read(&mut self, run: &Run<'_>) -> Result<(), JournalError> {
        let pairs = statements_to_read(&self.draft, self.facts, &texts(run));
        let missing = self.readings.missing(pairs);
        self.readings.extend(run.read_pairs(missing).await?);
        Ok(())
    }

    /// What the check makes of each statement of the findings.
    pub(crate) fn checked(&self, run: &Run<'_>) -> Vec<Option<CheckedStatement>> {
        findings_checked(&self.draft, self.facts, &texts(run), &self.readings)
    }

    /// Has the sections written again that fail, with what is wrong with them. A section that is no better for it
    /// stays as it was.
    pub(crate) async fn rewrite(
        &mut self,
        run: &Run<'_>,
        task: SynthesisTask<'_>,
        outline: Option<&Outline>,
    ) -> Result<(), JournalError> {
        let faults = by_theme(&self.draft, self.checked(run));
        let made;
        let outline = match outline {
            Some(outline) => outline,
            None => {
                made = outline_of(&self.draft, task);
                &made
            }
        };
        let most = outline.sections.len().div_ceil(2).min(REWRITES);
        let failing = |(_, (all, faults)): &(usize, (usize, Vec<Fault>))| {
            faults.len() as f64 > FAILING * *all as f64
        };
        let failing: Vec<(usize, (usize, Vec<Fault>))> =
            faults.into_iter().enumerate().filter(failing).take(most).collect();
        let asking = failing.iter().filter_map(|(theme, (_, faults))| {
            let heading = &self.draft.themes.get(*theme)?.heading;
            let own = |one: &PlannedSection| one.heading == *heading && !one.facts.is_empty();
            let place = outline.sections.iter().position(own)?;
            Some(async move {
                let task = SectionTask { report: task, outline, place, faults };
                Ok::<_, JournalError>((*theme, write_section(run, task).await?))
            })
        });
        // Collected, because a run must be able to move between threads while it waits for these.
        let asking: Vec<_> = asking.collect();
        let parallel = run.parallel();
        let answers: Vec<(usize, AnalystAnswer<Theme>)> =
            iter(asking).buffered(parallel).try_collect().await?;
        for (theme, answer) in answers {
            self.usage.add(&answer.usage);
            match answer.result {
                Ok(again) => self.replace(run, theme, again).await?,
                // An analyst without sections rewrites none.
                Err(AnalystError::Unable(_)) => {}
                Err(error) => {
                    let detail = format!("{error}; a section that failed its check stayed");
                    self.problems.push(Problem::new(ProblemKind::Analysis, "rewriting", detail));
                }
            }
        }
        Ok(())
    }

    /// Puts a section in the place of another if more of it holds.
    async fn replace(
        &mut self,
        run: &Run<'_>,
        place: usize,
        again: Theme,
    ) -> Result<(), JournalError> {
        let before = share_held(&by_theme(&self.draft, self.checked(run)), place);
        let mut other = Draft { themes: Vec::new(), ..self.draft.clone() };
        for (index, theme) in local(&self.draft).into_iter().enumerate() {
            other.push(if index == place { again.clone() } else { theme });
        }
        let first = std::mem::replace(&mut self.draft, other);
        self.read(run).await?;
        if share_held(&by_theme(&self.draft, self.checked(run)), place) <= before {
            self.draft = first;
        }
        Ok(())
    }

    /// The statements of the findings that their sources do not fully support, with what the sources say.
    pub(crate) fn doubts(&self, run: &Run<'_>) -> Vec<Doubt> {
        let checked = self.checked(run).into_iter().enumerate();
        let doubts = checked.filter_map(|(claim, checked)| {
            let checked = checked?;
            let in_doubt = checked.support != Support::Supported && !checked.form.is_inference();
            let cites = checked.evidence.iter().map(|evidence| evidence.source).collect();
            in_doubt.then(|| Doubt { claim, cites, fault: fault(&checked) })
        });
        doubts.collect()
    }
}

/// Asks for one section, unless that was done before.
pub(crate) async fn write_section(
    run: &Run<'_>,
    task: SectionTask<'_>,
) -> Result<AnalystAnswer<Theme>, JournalError> {
    let planned = task.outline.sections.get(task.place);
    let ids: Vec<SourceId> = task.report.sources.iter().map(|view| view.id).collect();
    let faults = digest(&serde_json::to_string(task.faults).unwrap_or_default());
    let inputs = (planned, task.place, &ids, task.report.words, faults);
    let seconds = run.parts.spec.limits.synthesis_seconds;
    run.ask(StepKind::Section, &inputs, seconds, || run.parts.analyst.section(task)).await
}

/// For each theme how many statements it has and which of them no source supports.
fn by_theme(draft: &Draft, checked: Vec<Option<CheckedStatement>>) -> Vec<(usize, Vec<Fault>)> {
    let mut checked = checked.into_iter();
    let theme = |theme: &Theme| {
        let own: Vec<CheckedStatement> =
            checked.by_ref().take(theme.statements.len()).flatten().collect();
        let fails = |one: &&CheckedStatement| {
            one.support == Support::Unsupported && !one.form.is_inference()
        };
        (theme.statements.len(), own.iter().filter(fails).map(fault).collect())
    };
    draft.themes.iter().map(theme).collect()
}

/// The share of a theme's statements that are not without support.
fn share_held(themes: &[(usize, Vec<Fault>)], place: usize) -> f64 {
    themes.get(place).map_or(0.0, |(all, faults)| 1.0 - faults.len() as f64 / (*all).max(1) as f64)
}

fn fault(checked: &CheckedStatement) -> Fault {
    let passage = checked.evidence.iter().find_map(|evidence| evidence.passage.as_deref());
    Fault {
        text: checked.text.clone(),
        reasons: checked.reasons.clone(),
        passage: probity_core::printable::brief(passage.unwrap_or_default(), PASSAGE_CHARS),
    }
}

/// The themes of a draft with conclusions that count their own statements, from 0.
fn local(draft: &Draft) -> Vec<Theme> {
    let mut before = 0;
    let theme = |theme: &Theme| {
        let mut theme = theme.clone();
        for statement in &mut theme.statements {
            if let probity_report::draft::Form::Inference { from } = &mut statement.form {
                from.iter_mut().for_each(|place| *place = place.saturating_sub(before));
            }
        }
        before += theme.statements.len();
        theme
    };
    draft.themes.iter().map(theme).collect()
}

/// The outline that a draft written in one go would have had: each theme has the facts of the sources it cites.
fn outline_of(draft: &Draft, task: SynthesisTask<'_>) -> Outline {
    let mut places = Vec::new();
    let mut next = 0;
    for source in task.sources {
        places.push(next..next + source.facts.len());
        next += source.facts.len();
    }
    let section = |theme: &Theme| {
        let cites: Vec<SourceId> =
            theme.statements.iter().flat_map(|statement| statement.cites.clone()).collect();
        let cited = task.sources.iter().zip(&places).filter(|(one, _)| cites.contains(&one.id));
        PlannedSection {
            heading: theme.heading.clone(),
            purpose: String::new(),
            facts: cited.flat_map(|(_, places)| places.clone()).collect(),
        }
    };
    Outline { sections: draft.themes.iter().map(section).collect() }
}
