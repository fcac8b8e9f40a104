//! A report from facts: in one draft where it is short, by outline, sections and lead where it is long.

use probity_core::{Decision, SourceId};
use probity_model::{Request, Schema, Task};
use probity_report::draft::{Draft, Theme};
use serde_json::{Value, json};

use super::super::{AnalystAnswer, AnalystError, Lead, Outline, SectionTask, SynthesisTask};
use super::Llm;
use super::material::{Material, Stated};
use super::read::{self, Cited};
use super::show::Shown;
use crate::run::RunSpec;
use crate::stage::sections::ONE_DRAFT_WORDS;

/// Tokens of an answer besides the report itself: its structure, and what a model thinks first.
const BESIDES_WORDS: u32 = 6_000;
/// The most tokens that a word of the report takes, structure included.
const PER_WORD: u32 = 3;
/// The most tokens of facts that one draft is written from.
const DRAFT_FACTS: usize = 10_000;
/// The most tokens of facts that an outline is made from; quotations are left out there.
const OUTLINE_FACTS: usize = 12_000;
/// The most tokens of facts that one section is written from.
const SECTION_FACTS: usize = 5_000;
/// The words of a section that reads well, and how many sections a report has at most.
const SECTION_WORDS: usize = 350;
/// The fewest and the most sections of a report.
const SECTIONS: std::ops::RangeInclusive<usize> = 3..=8;
/// The most tokens of checked statements that a lead is written from.
const LEAD_STATEMENTS: usize = 8_000;

impl Llm<'_> {
    pub(super) async fn synthesise(&self, task: SynthesisTask<'_>) -> AnalystAnswer<Draft> {
        let material = Material::of(task.question, task.sources);
        let output = output(task.words);
        let room = self.room(Task::Synthesise, output).min(DRAFT_FACTS);
        let shown = material.show(&material.places(), true, room);
        let values = json!({
            "question": task.question, "words": task.words, "gaps": task.gaps, "sources": shown,
            "short": is_short(task),
        });
        let cited = cited(&material, &shown, task);
        let asking = Asking { task: Task::Synthesise, output, schema: read::draft_schema() };
        self.written(asking, values, |reply| read::draft(reply, &cited)).await
    }

    pub(super) async fn outline(&self, task: SynthesisTask<'_>) -> AnalystAnswer<Outline> {
        let material = Material::of(task.question, task.sources);
        let output = Task::Outline.output_tokens();
        let room = self.room(Task::Outline, output).min(OUTLINE_FACTS);
        let shown = material.show(&material.places(), false, room);
        let wanted = match task.headings.len() {
            0 => sections(task.words),
            given => given,
        };
        let values = json!({
            "question": task.question, "parts": task.parts, "sources": shown,
            "least": SECTIONS.start(), "most": wanted, "headings": task.headings,
        });
        let asking = Asking { task: Task::Outline, output, schema: read::outline_schema() };
        self.written(asking, values, |reply| read::outline(reply, &material, wanted, task.headings))
            .await
    }

    pub(super) async fn section(&self, task: SectionTask<'_>) -> AnalystAnswer<Theme> {
        let SectionTask { report, outline, place, faults } = task;
        let Some(planned) = outline.sections.get(place) else {
            return AnalystAnswer::none(AnalystError::Failed(
                "there is no such section".to_owned(),
            ));
        };
        let material = Material::of(report.question, report.sources);
        let words = words_of(report.words, outline, place);
        let output = output(words);
        let room = self.room(Task::Section, output).min(SECTION_FACTS);
        let shown = material.show(&planned.facts, true, room);
        let headings: Vec<&str> = outline.sections.iter().map(|s| s.heading.as_str()).collect();
        let faults: Vec<Value> = faults
            .iter()
            .map(|fault| {
                json!({
                    "text": fault.text, "reasons": fault.reasons.join("; "),
                    "passage": super::show::clean(&fault.passage),
                })
            })
            .collect();
        let values = json!({
            "question": report.question, "headings": headings, "words": words,
            "heading": planned.heading, "purpose": planned.purpose, "sources": shown,
            "faults": faults,
        });
        let cited = cited(&material, &shown, report);
        let asking = Asking { task: Task::Section, output, schema: read::section_schema() };
        let heading = planned.heading.clone();
        let read = |reply: &_| {
            let statements = read::section(reply, &cited)?;
            Ok(Theme { heading: heading.clone(), statements })
        };
        self.written(asking, values, read).await
    }

    pub(super) async fn lead(
        &self,
        task: SynthesisTask<'_>,
        themes: &[Theme],
    ) -> AnalystAnswer<Lead> {
        let sources = labelled(task);
        let output = Task::Lead.output_tokens();
        let mut room = self.room(Task::Lead, output).min(LEAD_STATEMENTS);
        let mut written = Vec::new();
        for theme in themes {
            let mut statements = Vec::new();
            for statement in &theme.statements {
                let cites = labels(&statement.cites, task);
                let size = probity_model::tokens::estimate(&statement.text) + 6;
                if size <= room {
                    room -= size;
                    statements.push(json!({"text": statement.text, "cites": cites}));
                }
            }
            written.push(json!({"heading": theme.heading, "statements": statements}));
        }
        let values = json!({
            "question": task.question, "sources": sources, "themes": written, "gaps": task.gaps,
            "short": is_short(task),
        });
        let cited = Cited { material: None, shown: ids(task), sources: task.sources };
        let asking = Asking { task: Task::Lead, output, schema: read::lead_schema() };
        self.written(asking, values, |reply| read::lead(reply, &cited)).await
    }

    /// Asks for a part of a report, which may be heard as it is written.
    async fn written<T>(
        &self,
        asking: Asking,
        values: Value,
        read: impl Fn(&probity_model::Reply) -> Result<T, String>,
    ) -> AnalystAnswer<T> {
        let Asking { task, output, schema } = asking;
        let judgement = self.caller.begin(task, self.limits.synthesis_seconds);
        let result = match self.frame.request(task, values, Some(schema)) {
            Ok(request) => {
                let stream = matches!(task, Task::Synthesise | Task::Section);
                let request = Request { stream, max_output_tokens: output, ..request };
                judgement.ask(request, read).await
            }
            Err(error) => Err(error),
        };
        judgement.answer(result)
    }
}

/// The calls that a run makes after its plan, about; the user's own server is asked how long they take.
pub(super) fn expected(spec: &RunSpec) -> Vec<(Task, usize)> {
    let (sources, words) = (spec.numbers.max_sources(), spec.numbers.words);
    let mut calls = vec![(Task::Summarise, sources), (Task::Gaps, 1), (Task::Score, sources)];
    match words > ONE_DRAFT_WORDS || !spec.shape.outline.is_empty() {
        true => {
            calls.extend([(Task::Outline, 1), (Task::Section, sections(words)), (Task::Lead, 1)])
        }
        false => calls.push((Task::Synthesise, 1)),
    }
    calls
}

/// How many sections a report of that many words has.
fn sections(words: usize) -> usize {
    (words / SECTION_WORDS).clamp(*SECTIONS.start(), *SECTIONS.end())
}

/// What is asked for, how long the answer may be and which shape it has.
struct Asking {
    task: Task,
    output: u32,
    schema: Schema,
}

/// The most tokens of an answer of that many words.
fn output(words: usize) -> u32 {
    BESIDES_WORDS + PER_WORD * u32::try_from(words).unwrap_or(u32::MAX / 8)
}

fn is_short(task: SynthesisTask<'_>) -> bool {
    task.decision == Decision::ShortReport
}

/// The words of a section: its share by the facts it has, so that no section is stretched.
fn words_of(words: usize, outline: &Outline, place: usize) -> usize {
    let all: usize = outline.sections.iter().map(|section| section.facts.len()).sum();
    let own = outline.sections.get(place).map_or(0, |section| section.facts.len());
    (words * own / all.max(1)).max(60)
}

fn ids(task: SynthesisTask<'_>) -> Vec<SourceId> {
    task.sources.iter().map(|source| source.id).collect()
}

/// The sources of a report as a prompt names them, without any of their text.
pub(super) fn labelled(task: SynthesisTask<'_>) -> Vec<Shown> {
    task.sources.iter().enumerate().map(|(i, source)| Shown::frame(source, i + 1)).collect()
}

/// The labels of sources, as a sentence cites them.
pub(super) fn labels(cites: &[SourceId], task: SynthesisTask<'_>) -> String {
    let place = |id: &SourceId| task.sources.iter().position(|source| source.id == *id);
    let labels = cites.iter().filter_map(place).map(|place| format!("S{}", place + 1));
    labels.collect::<Vec<_>>().join(", ")
}

fn cited<'a>(material: &'a Material<'a>, shown: &[Stated], task: SynthesisTask<'a>) -> Cited<'a> {
    let shown = shown.iter().map(|stated| stated.source.id).collect();
    Cited { material: Some(material), shown, sources: task.sources }
}
