//! Survivors → a draft made of their own words: the answer first, then the evidence by topic.

use probity_core::SourceId;
use probity_reader::{Stop, Stopped};
use probity_report::draft::{Conflict, Draft, NOTHING_PLAIN, Statement, Unanswered};
use probity_report::phrases::{Phrase, Phrases};
use probity_text::table_row::row;

use super::super::SynthesisTask;
use super::answer::{Answered, Band, Choice, choose, passages_read};
use super::conflict::{self, Rivals};
use super::evidence::themes;
use super::headline;
use super::meant_row::meant_row;
use super::premise;
use super::question::{Asked, Part};
use super::read::CachedReader;
use super::retrieve::Library;
use super::sides::{Side, sides};
use super::statement::{Shown, shown, statement};
use super::value;

/// Sentences of the summary that are taken from the sources.
const SUMMARY: usize = 4;
/// Where it is in doubt which sentence answers, the passages of this many are quoted.
const PASSAGES: usize = 3;
/// How much more authority an outlet needs to lead over a slightly better answer.
const AUTHORITY: f64 = 0.2;
/// The most sources that are cited for the leading answer.
const AGREEING: usize = 4;

/// Drafts a report.
///
/// # Errors
/// When it is told to stop.
pub(super) fn draft(
    task: &SynthesisTask<'_>,
    reading: &CachedReader,
    stop: &Stop,
) -> Result<Draft, Stopped> {
    let asked = Asked::new(task.question);
    let library = Library::new(task.sources);
    let most = passages_read(task.mode);
    let mut findings = Vec::new();
    for part in &asked.parts {
        let mut answered = choose(&asked, part, &library, reading, most, stop)?;
        if let Some(trusted) = more_trusted(&answered, &library) {
            lead_with(&trusted, &mut answered);
        }
        let meant = answered.choices.first().and_then(|best| meant_row(part, best, &library));
        let is_row_meant = meant.is_some();
        if let Some(meant) = meant {
            let is_it =
                |one: &Choice| (one.source, &one.sentence) == (meant.source, &meant.sentence);
            answered.choices.retain(|choice| !is_it(choice));
            answered.choices.insert(0, meant);
        }
        let rivals = conflict::find(part, &answered, &library);
        if let Some(rivals) = rivals.as_ref().filter(|rivals| rivals.superseded) {
            lead_with(&rivals.leading, &mut answered);
        }
        let denied = premise::denied(part, &answered, &library, reading, stop)?;
        let agreeing = agreeing(part, &answered, &library);
        let compared = match sides(&part.text) {
            Some(sides) => {
                let ask = |side: &Side| {
                    let part = Part { text: side.question.clone(), ..part.clone() };
                    let mut choices = choose(&asked, &part, &library, reading, most, stop)?.choices;
                    // What answers the whole question may speak of one side only.
                    choices.extend(answered.choices.iter().cloned());
                    Ok(choices)
                };
                let [one, other] = &sides;
                let answers = [ask(one)?, ask(other)?];
                Some((sides, answers))
            }
            None => None,
        };
        let passages = if answered.is_doubtful() { PASSAGES } else { 0 };
        let shown = shown(&library, &answered.choices, passages);
        findings.push(Finding {
            part,
            answered,
            is_row_meant,
            rivals,
            denied,
            agreeing,
            shown,
            compared,
        });
    }
    Ok(Composer { library, words: task.words }.draft(&asked, &findings))
}

/// Of answers that are about equally good, the one whose outlet has more authority, by enough to tell.
fn more_trusted(answered: &Answered, library: &Library<'_>) -> Option<Choice> {
    let authority =
        |choice: &Choice| library.source(choice.source).map_or(0.0, |one| one.authority);
    let best = answered.choices.first()?;
    let near = answered.choices.iter().filter(|one| best.score - one.score < conflict::GAP);
    // Equal authorities stay in the order of their scores.
    let trusted = near.rev().max_by(|a, b| authority(a).total_cmp(&authority(b)))?;
    (authority(trusted) >= authority(best) + AUTHORITY).then(|| trusted.clone())
}

/// Puts a choice in front.
fn lead_with(choice: &Choice, answered: &mut Answered) {
    if let Some(at) = answered.choices.iter().position(|one| one == choice) {
        let leading = answered.choices.remove(at);
        answered.choices.insert(0, leading);
    }
}

/// The sources that give the leading answer, as far as spans tell; whether they say so is checked later.
fn agreeing(part: &Part, answered: &Answered, library: &Library<'_>) -> Vec<SourceId> {
    let Some(best) = answered.choices.first() else { return Vec::new() };
    let text = |choice: &Choice| library.slice(choice.source, &choice.span);
    let same = |choice: &&Choice| value::answer_alike(&part.text, text(best), text(choice));
    let mut found: Vec<SourceId> =
        library.source(best.source).map(|one| one.id).into_iter().collect();
    for id in answered
        .choices
        .iter()
        .filter(same)
        .filter_map(|choice| Some(library.source(choice.source)?.id))
    {
        if !found.contains(&id) && found.len() < AGREEING {
            found.push(id);
        }
    }
    found
}

/// What the sources have on one part of the question.
pub(super) struct Finding<'q> {
    pub(super) part: &'q Part,
    pub(super) answered: Answered,
    /// Whether the leading answer is the row of a table that the question names.
    is_row_meant: bool,
    rivals: Option<Rivals>,
    /// A sentence that denies what the question takes for granted.
    pub(super) denied: Option<Choice>,
    /// The sources that give the leading answer.
    pub(super) agreeing: Vec<SourceId>,
    /// How each choice is shown.
    shown: Vec<Shown>,
    /// What the part compares, and what the sources have on either.
    pub(super) compared: Option<([Side; 2], [Vec<Choice>; 2])>,
}

impl Finding<'_> {
    fn is_answered(&self) -> bool {
        self.answered.band == Band::Plain || self.denied.is_some()
    }

    /// Whether a choice is one of the first that are shown: those are evidence whatever the reader makes of them.
    pub(super) fn is_among_best(&self, choice: &Choice) -> bool {
        let shown = self.answered.choices.iter().zip(&self.shown);
        let shown = shown.filter(|(_, shown)| **shown != Shown::Inside);
        let best = if self.answered.is_doubtful() { SUMMARY } else { 1 };
        shown.take(best).any(|(one, _)| one == choice)
    }

    /// How one of the choices is shown.
    pub(super) fn tell(&self, choice: &Choice) -> Option<Statement> {
        let at = self.answered.choices.iter().position(|one| one == choice)?;
        match self.shown.get(at)? {
            Shown::As(told) => Some(told.clone()),
            Shown::Inside | Shown::Unfit => None,
        }
    }
}

struct Composer<'a> {
    library: Library<'a>,
    words: usize,
}

impl Composer<'_> {
    fn draft(&self, asked: &Asked, findings: &[Finding<'_>]) -> Draft {
        let themes = themes(&self.library, findings, self.words);
        let unanswered = findings
            .iter()
            .filter(|finding| !finding.is_answered())
            .map(|finding| Unanswered {
                asked: finding.part.text.clone(),
                lack: NOTHING_PLAIN.to_owned(),
            })
            .collect();
        Draft {
            headline: self.headline(asked, findings),
            summary: self.summary(findings),
            conflicts: findings.iter().filter_map(|finding| self.conflict(finding)).collect(),
            // How sure one can be was measured in the language that the reader was taught.
            certainty: findings
                .iter()
                .filter(|_| asked.is_english())
                .map(|finding| finding.answered.certainty)
                .min_by(f64::total_cmp),
            themes,
            unanswered,
            confidence: None,
            headings: Vec::new(),
        }
    }

    fn headline(&self, asked: &Asked, findings: &[Finding<'_>]) -> String {
        if let Some(denied) = findings.iter().find_map(|finding| finding.denied.as_ref()) {
            let clause = headline::sentence(denied, &self.library);
            return match clause {
                Some(clause) => {
                    format!("{}{clause}", Phrases::of(&asked.text).say(Phrase::NotSo, &[]))
                }
                None => "The sources contradict what the question takes for granted".to_owned(),
            };
        }
        let answered = || findings.iter().filter(|finding| finding.is_answered());
        let own = answered().find_map(|finding| {
            headline::sentence_of(finding.part, &finding.answered.choices, &self.library)
        });
        let value = |finding: &Finding<'_>| {
            headline::by_value(finding.part, &finding.answered, finding.is_row_meant, &self.library)
        };
        let under_title = |finding: &Finding<'_>| {
            headline::under_title(finding.answered.choices.first()?, &self.library)
        };
        match answered().next() {
            // What can be said of a long answer in a few words is said once it is checked.
            Some(finding) => {
                own.or_else(|| value(finding)).or_else(|| under_title(finding)).unwrap_or_default()
            }
            None => headline::of_gap(&asked.text),
        }
    }

    /// The best sentences that say different things, part by part.
    fn summary(&self, findings: &[Finding<'_>]) -> Vec<String> {
        let mut summary: Vec<String> = Vec::new();
        let mut add = |finding: &Finding<'_>, choice: &Choice| {
            // A row of a table reads badly by itself, unless it is the one that was asked for.
            let leads = finding.answered.choices.first() == Some(choice);
            let text = self.library.slice(choice.source, &choice.sentence).trim();
            if row(text).is_some() {
                summary.extend((leads && finding.is_row_meant).then(|| text.to_owned()));
                return;
            }
            let Some(told) = finding.tell(choice) else { return };
            let text = told.text;
            // A sentence that came with the one it refers to needs to be shown once.
            match summary
                .iter_mut()
                .find(|known| known.contains(&text) || text.contains(known.as_str()))
            {
                Some(known) if known.len() < text.len() => *known = text,
                Some(_) => {}
                None => summary.push(text),
            }
        };
        for finding in findings {
            finding.denied.iter().for_each(|denied| add(finding, denied));
        }
        let deepest =
            findings.iter().map(|finding| finding.answered.choices.len()).max().unwrap_or(0);
        for rank in 0..deepest {
            for finding in findings {
                finding.answered.choices.get(rank).into_iter().for_each(|one| add(finding, one));
            }
        }
        summary.truncate(SUMMARY.max(findings.len()));
        summary
    }

    fn conflict(&self, finding: &Finding<'_>) -> Option<Conflict> {
        let rivals = finding.rivals.as_ref().filter(|rivals| !rivals.superseded)?;
        let statements: Option<Vec<Statement>> = [&rivals.leading, &rivals.other]
            .into_iter()
            .map(|choice| statement(&self.library, choice))
            .collect();
        Some(Conflict { statements: statements?, on_answer: true })
    }
}
