//! Survivors → a draft made of their own words: the answer first, then the evidence by topic.

use std::ops::Range;

use probity_core::SourceId;
use probity_reader::{Stop, Stopped};
use probity_report::draft::{Conflict, Draft, Form, Statement, Theme, Unanswered};

use super::super::SynthesisTask;
use super::answer::{Answered, Band, Choice, choose, passages_read};
use super::conflict::{self, Rivals};
use super::headline;
use super::premise;
use super::question::{Asked, Part};
use super::read::Reading;
use super::retrieve::Library;
use super::sentence::{Fit, fit, row};

/// Sentences of the summary that are taken from the sources.
const SUMMARY: usize = 3;
/// The most topics of a report, and the most sentences of each.
const THEMES: usize = 6;
const PER_THEME: usize = 4;
/// The most rows of a table that are carried over.
const ROWS: usize = 20;
/// A sentence bears on the question if its passage may answer, and the answer may stand in it: the least logit and
/// log-likelihood.
const MAY_ANSWER: f64 = -0.4;
const MAY_HOLD: f64 = -6.0;
/// The best sentences are evidence whatever the reader makes of them.
const BEST: usize = 3;
/// How many words a heading may have.
const HEADING_WORDS: Range<usize> = 2..13;

/// Drafts a report.
///
/// # Errors
/// When it is told to stop.
pub(super) fn draft(
    task: &SynthesisTask<'_>,
    reading: &Reading,
    stop: &Stop,
) -> Result<Draft, Stopped> {
    let asked = Asked::new(task.question);
    let library = Library::new(task.sources);
    let most = passages_read(task.mode);
    let mut findings = Vec::new();
    for part in &asked.parts {
        let mut answered = choose(&asked, part, &library, reading, most, stop)?;
        let rivals = conflict::find(part, &answered, &library);
        if let Some(rivals) = rivals.as_ref().filter(|rivals| rivals.superseded) {
            lead_with(&rivals.leading, &mut answered);
        }
        let denied = premise::denied(part, &answered, &library, reading, stop)?;
        findings.push(Finding { part, answered, rivals, denied });
    }
    Ok(Composer { library, words: task.words }.draft(&asked, &findings))
}

/// Puts a choice in front.
fn lead_with(choice: &Choice, answered: &mut Answered) {
    if let Some(at) = answered.choices.iter().position(|one| one == choice) {
        let leading = answered.choices.remove(at);
        answered.choices.insert(0, leading);
    }
}

/// What the sources have on one part of the question.
struct Finding<'q> {
    part: &'q Part,
    answered: Answered,
    rivals: Option<Rivals>,
    /// A sentence that denies what the question takes for granted.
    denied: Option<Choice>,
}

impl Finding<'_> {
    fn is_answered(&self) -> bool {
        self.answered.band == Band::Plain || self.denied.is_some()
    }
}

struct Composer<'a> {
    library: Library<'a>,
    words: usize,
}

impl Composer<'_> {
    fn draft(&self, asked: &Asked, findings: &[Finding<'_>]) -> Draft {
        let themes = self.themes(findings);
        let unanswered = findings
            .iter()
            .filter(|finding| !finding.is_answered())
            .map(|finding| Unanswered {
                asked: finding.part.text.clone(),
                lack: "say nothing plain".to_owned(),
            })
            .collect();
        Draft {
            headline: self.headline(asked, findings),
            summary: self.summary(findings),
            conflicts: findings.iter().filter_map(|finding| self.conflict(finding)).collect(),
            certainty: findings
                .iter()
                .map(|finding| finding.answered.certainty)
                .min_by(f64::total_cmp),
            themes,
            unanswered,
            confidence: None,
        }
    }

    fn headline(&self, asked: &Asked, findings: &[Finding<'_>]) -> String {
        if let Some(denied) = findings.iter().find_map(|finding| finding.denied.as_ref()) {
            let clause = headline::sentence(denied, &self.library);
            return match clause {
                Some(clause) => format!("Not so: {clause}"),
                None => "The sources contradict what the question takes for granted".to_owned(),
            };
        }
        match findings.iter().find(|finding| finding.is_answered()) {
            Some(finding) => {
                headline::of_answer(finding.part, &finding.answered.choices, &self.library)
            }
            None => headline::of_gap(&asked.text),
        }
    }

    /// The best sentences that say different things, part by part.
    fn summary(&self, findings: &[Finding<'_>]) -> Vec<String> {
        let mut summary: Vec<String> = Vec::new();
        let mut add = |choice: &Choice| {
            // A row of a table reads badly by itself.
            if row(self.library.slice(choice.source, &choice.sentence)).is_some() {
                return;
            }
            let text = self.statement(choice).map(|statement| statement.text);
            if let Some(text) = text.filter(|text| !summary.contains(text)) {
                summary.push(text);
            }
        };
        findings.iter().filter_map(|finding| finding.denied.as_ref()).for_each(&mut add);
        let deepest =
            findings.iter().map(|finding| finding.answered.choices.len()).max().unwrap_or(0);
        for rank in 0..deepest {
            for finding in findings {
                finding.answered.choices.get(rank).into_iter().for_each(&mut add);
            }
        }
        summary.truncate(SUMMARY.max(findings.len()));
        summary
    }

    fn conflict(&self, finding: &Finding<'_>) -> Option<Conflict> {
        let rivals = finding.rivals.as_ref().filter(|rivals| !rivals.superseded)?;
        let statements: Option<Vec<Statement>> = [&rivals.leading, &rivals.other]
            .into_iter()
            .map(|choice| self.statement(choice))
            .collect();
        Some(Conflict { statements: statements?, on_answer: true })
    }

    /// The evidence by topic: where it stands under one heading, it belongs together.
    fn themes(&self, findings: &[Finding<'_>]) -> Vec<Theme> {
        let mut themes: Vec<Theme> = Vec::new();
        let mut words = 0;
        for finding in findings {
            let bearing = finding.answered.choices.iter().enumerate().filter(|(rank, choice)| {
                *rank < BEST || choice.answerable >= MAY_ANSWER && choice.likely >= MAY_HOLD
            });
            for choice in finding.denied.iter().chain(bearing.map(|(_, choice)| choice)) {
                let leads = finding.answered.choices.first() == Some(choice);
                let table = if leads { self.table_beside(choice) } else { Vec::new() };
                for (heading, statement) in self.evidence(choice).into_iter().chain(table) {
                    let length = statement.text.split_whitespace().count();
                    if words + length > self.words && words > 0 {
                        break;
                    }
                    if add(&mut themes, heading, statement) {
                        words += length;
                    }
                }
            }
        }
        themes
    }

    /// What a choice adds to the findings: its sentence, or the table that it is a row of.
    fn evidence(&self, choice: &Choice) -> Vec<(String, Statement)> {
        let heading = self.heading(choice);
        let Some(source) = self.library.source(choice.source) else { return Vec::new() };
        let text = self.library.slice(choice.source, &choice.sentence);
        let statements = match row(text) {
            Some((columns, _)) => rows_around(source.text, &choice.sentence, &columns, source.id),
            None => self.statement(choice).into_iter().collect(),
        };
        statements.into_iter().map(|statement| (heading.clone(), statement)).collect()
    }

    /// The table in the passage of the leading answer: what it sums up.
    fn table_beside(&self, choice: &Choice) -> Vec<(String, Statement)> {
        let Some(source) = self.library.source(choice.source) else { return Vec::new() };
        let mut start = choice.passage.start;
        for line in self.library.slice(choice.source, &choice.passage).split_inclusive('\n') {
            let range = start..start + line.trim_end().len();
            start += line.len();
            if let Some((columns, _)) = row(line.trim_end()) {
                let rows = rows_around(source.text, &range, &columns, source.id);
                let heading = self.heading(choice);
                return rows.into_iter().map(|row| (heading.clone(), row)).collect();
            }
        }
        Vec::new()
    }

    /// A sentence as a statement, with the one that it refers to.
    fn statement(&self, choice: &Choice) -> Option<Statement> {
        let source = self.library.source(choice.source)?;
        let text = self.library.slice(choice.source, &choice.sentence);
        let (text, form) = match fit(text, source.published.is_some()) {
            Fit::Stands => (text, Form::Prose),
            Fit::Refers => match self.with_antecedent(choice) {
                Some(both) => (both, Form::Prose),
                None => (text, Form::Quote),
            },
            Fit::Quoted => (text, Form::Quote),
            Fit::Unfit => return None,
        };
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(Statement { text, cites: vec![source.id], form })
    }

    /// The sentence together with the one before it in its passage, if that one stands by itself.
    fn with_antecedent(&self, choice: &Choice) -> Option<&str> {
        let before =
            self.library.slice(choice.source, &(choice.passage.start..choice.sentence.start));
        let last = probity_text::sentences::sentences(before).pop()?;
        let start = choice.passage.start + last.start;
        let antecedent = before.get(last)?;
        let gap =
            self.library.slice(choice.source, &(start + antecedent.len()..choice.sentence.start));
        (fit(antecedent, false) == Fit::Stands && !gap.contains('\n'))
            .then(|| self.library.slice(choice.source, &(start..choice.sentence.end)))
    }

    /// What a sentence stands under: its heading, or the title of its source.
    fn heading(&self, choice: &Choice) -> String {
        let own = choice.heading.as_ref().map(|line| self.library.slice(choice.source, line));
        let title = self.library.source(choice.source).map_or("", |source| source.title);
        let fits = |text: &str| HEADING_WORDS.contains(&text.split_whitespace().count());
        let short_title = title.split(": ").next();
        own.into_iter()
            .chain([title])
            .chain(short_title)
            .map(clean_heading)
            .find(|heading| fits(heading))
            .unwrap_or_else(|| "What the sources say".to_owned())
    }
}

/// A heading without its number and closing marks.
fn clean_heading(text: &str) -> String {
    let text = text.trim().trim_start_matches(|c: char| !c.is_alphabetic() && c != '"' && c != '“');
    let text = text.split(" | ").next().unwrap_or(text);
    text.trim_end_matches([':', '.', '#', '¶', ' '])
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Puts a statement under its heading, if there is room and nobody said it before.
fn add(themes: &mut Vec<Theme>, heading: String, statement: Statement) -> bool {
    let said = themes.iter_mut().flat_map(|theme| &mut theme.statements);
    if let Some(known) = said.into_iter().find(|known| known.text.contains(&statement.text)) {
        let news = statement.cites.into_iter().filter(|_| known.text == statement.text);
        let news: Vec<SourceId> = news.filter(|id| !known.cites.contains(id)).collect();
        known.cites.extend(news);
        return false;
    }
    let is_row = matches!(statement.form, Form::Row { .. });
    let known = themes.iter().position(|theme| theme.heading == heading);
    match known.and_then(|at| themes.get_mut(at)) {
        Some(theme) => {
            let prose = theme.statements.iter().filter(|one| !matches!(one.form, Form::Row { .. }));
            let room = is_row || prose.count() < PER_THEME;
            if room {
                theme.statements.push(statement);
            }
            room
        }
        None => {
            let room = themes.len() < THEMES;
            if room {
                themes.push(Theme { heading, statements: vec![statement] });
            }
            room
        }
    }
}

/// The rows of the table that a row stands in, in their order.
fn rows_around(
    text: &str,
    line: &Range<usize>,
    columns: &[String],
    source: SourceId,
) -> Vec<Statement> {
    let as_row = |line: &str| {
        let (own, cells) = row(line)?;
        (own == columns).then(|| Statement {
            text: line.trim().to_owned(),
            cites: vec![source],
            form: Form::Row { columns: own, cells },
        })
    };
    let before = text.get(..line.start).unwrap_or_default().lines().rev();
    let mut rows: Vec<Statement> =
        before.skip_while(|line| line.is_empty()).map_while(as_row).take(ROWS).collect();
    rows.reverse();
    rows.extend(text.get(line.start..).unwrap_or_default().lines().map_while(as_row));
    rows.truncate(ROWS);
    rows
}
