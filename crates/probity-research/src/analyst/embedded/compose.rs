//! Survivors → a draft made of their own words: the answer first, then the evidence by topic.

use std::collections::HashMap;

use probity_core::SourceId;
use probity_reader::{Stop, Stopped};
use probity_report::draft::{Conflict, Draft, Form, NOTHING_PLAIN, Statement, Unanswered};
use probity_report::phrases::{Phrase, Phrases};
use probity_text::table_row::row;
use probity_text::words::{bare, words};

use super::super::SynthesisTask;
use super::answer::{Answered, Band, Choice, choose, passages_read};
use super::conflict::{self, Rivals};
use super::evidence::themes;
use super::headline::{self, Headline};
use super::made::{MadeOf, Maker};
use super::meant_row::meant_row;
use super::premise;
use super::question::{Asked, Part, Wanted};
use super::read::CachedReader;
use super::retrieve::Library;
use super::sides::{Side, sides};
use super::stated;
use super::statement::{Shown, can_be_shown, excerpt, shown, statement};
use super::usage::Usage;
use super::value;

/// Sentences of the summary that are taken from the sources.
const SUMMARY: usize = 4;
/// Where it is in doubt which sentence answers, the passages of this many are quoted.
const PASSAGES: usize = 3;
/// The longest sentence that follows the first one in a summary, in words.
const GLANCE: usize = 45;
/// Beside an answer that is not in doubt, the summary tells only what is this near to it.
const NEARLY: f64 = 2.0;
/// How many sentences the summary has of the passage that leads.
const EXCERPT: usize = 3;
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
        leave_out_strangers(part, &mut answered, &library);
        // What cannot be shown cannot lead.
        answered.choices.sort_by_key(|choice| !can_be_shown(&library, choice));
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
        let usage = Usage::of(&part.text, task.sources.iter().map(|source| source.text));
        let (found, texts) = (&answered, &library);
        let maker = Maker { part, answered: found, library: texts, usage: &usage, reading, stop };
        let headline = headline::of(&maker, is_row_meant)?;
        // What heads the report leads; a comparison has more to tell than any of its sentences.
        if let Some(headline) = headline.as_ref().filter(|_| sides(&part.text).is_none()) {
            lead_with(&headline.of, &mut answered);
        }
        let agreeing = agreeing(part, &answered, &library);
        let ask = |part: &Part| choose(&asked, part, &library, reading, most, stop);
        let compared = compared(part, &answered, ask)?;
        let passages = match headline.as_ref().and_then(|one| one.made_of) {
            Some(MadeOf::Sentence | MadeOf::List) => 0,
            Some(MadeOf::Passage) => 1,
            None if answered.is_doubtful() => PASSAGES,
            None => 0,
        };
        let shown = shown(&library, &answered.choices, passages);
        let asked = stated::indirect(&part.text, &usage);
        findings.push(Finding {
            part,
            heading: asked.unwrap_or_else(|| part.text.clone()),
            answered,
            headline,
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

/// What a part compares, and what the sources have on either side.
type Compared = Option<([Side; 2], [Vec<Choice>; 2])>;

/// Asks about each side of a comparison by itself.
fn compared(
    part: &Part,
    answered: &Answered,
    ask: impl Fn(&Part) -> Result<Answered, Stopped>,
) -> Result<Compared, Stopped> {
    let Some(sides) = sides(&part.text) else { return Ok(None) };
    let of_side = |side: &Side| {
        let part = Part { text: side.question.clone(), ..part.clone() };
        let mut choices = ask(&part)?.choices;
        // What answers the whole question may speak of one side only.
        choices.extend(answered.choices.iter().cloned());
        Ok(choices)
    };
    let [one, other] = &sides;
    let answers = [of_side(one)?, of_side(other)?];
    Ok(Some((sides, answers)))
}

/// Leaves out what sources say that have none of the names of the question, where others have some. An answer that was
/// found plainly stays.
fn leave_out_strangers(part: &Part, answered: &mut Answered, library: &Library<'_>) {
    let names = value::names(&part.text);
    let mut known: HashMap<usize, bool> = HashMap::new();
    let mut knows = |choice: &Choice| {
        *known.entry(choice.source).or_insert_with(|| {
            library.source(choice.source).is_some_and(|source| {
                let mut all = words(source.title).chain(words(source.text));
                all.any(|word| names.contains(bare(&word.lower)))
            })
        })
    };
    if !answered.choices.iter().any(&mut knows) {
        return;
    }
    let is_plain = answered.band == Band::Plain;
    let leading = answered.choices.first().cloned().filter(|_| is_plain);
    answered.choices.retain(|choice| leading.as_ref() == Some(choice) || knows(choice));
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
    /// What is asked, as a heading.
    pub(super) heading: String,
    pub(super) answered: Answered,
    /// The answer in a few words.
    headline: Option<Headline>,
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
    pub(super) compared: Compared,
}

impl Finding<'_> {
    fn is_answered(&self) -> bool {
        self.answered.band == Band::Plain || self.denied.is_some() || self.headline.is_some()
    }

    /// Whether the answer may stand beside the best sentence. What was made of a sentence and follows from it is an answer.
    fn is_doubtful(&self) -> bool {
        let is_made = self.headline.as_ref().is_some_and(|one| one.made_of.is_some());
        self.answered.is_doubtful() && !is_made
    }

    /// Whether a choice is one of the first that are shown: those are evidence whatever the reader makes of them.
    pub(super) fn is_among_best(&self, choice: &Choice) -> bool {
        let shown = self.answered.choices.iter().zip(&self.shown);
        let shown = shown.filter(|(_, shown)| **shown != Shown::Inside);
        let best = if self.is_doubtful() { SUMMARY } else { 1 };
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
            quoted: self.quoted(findings),
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
        match answered().next() {
            // What can be said of a long answer in a few words is said once it is checked.
            Some(_) => {
                let headline = answered().find_map(|finding| finding.headline.as_ref());
                headline.map(|one| one.text.clone()).unwrap_or_default()
            }
            None => headline::of_gap(&asked.text),
        }
    }

    /// The first plain answer as a quotation.
    fn quoted(&self, findings: &[Finding<'_>]) -> Option<String> {
        let plain = findings.iter().find(|finding| finding.answered.band == Band::Plain)?;
        headline::by_value(plain.part, &plain.answered, plain.is_row_meant, &self.library)
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
            let made_of = finding.headline.as_ref().and_then(|one| one.made_of);
            // The headline names the items.
            if made_of == Some(MadeOf::List) && matches!(told.form, Form::Item { .. }) {
                return;
            }
            // A passage is for the findings; its sentence says enough, or a few around it where that is in doubt.
            let best = finding.answered.choices.first().map_or(0.0, |best| best.score);
            if !finding.is_doubtful()
                && (choice.score < best - NEARLY || !self.agrees(finding, choice))
            {
                return;
            }
            if !summary.is_empty() && text.split_whitespace().count() > GLANCE {
                return;
            }
            let is_other = |one: &Choice| one.source != choice.source;
            let most = match finding.answered.choices.first() {
                _ if summary.is_empty() => EXCERPT,
                Some(best) if finding.is_doubtful() && is_other(best) => EXCERPT - 1,
                _ => 1,
            };
            let text = excerpt(&told.text, text, most);
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
        // What was made of question and answer leads; its source follows.
        let made = findings.iter().filter_map(|finding| finding.headline.as_ref());
        let made = made.filter(|one| matches!(one.made_of, Some(MadeOf::Passage | MadeOf::List)));
        let made: Vec<String> = made.map(|one| format!("{}.", one.text)).collect();
        let deepest =
            findings.iter().map(|finding| finding.answered.choices.len()).max().unwrap_or(0);
        for rank in 0..deepest {
            for finding in findings {
                finding.answered.choices.get(rank).into_iter().for_each(|one| add(finding, one));
            }
        }
        summary.truncate(SUMMARY.max(findings.len()));
        made.into_iter().chain(summary).collect()
    }

    /// Whether a sentence gives the value that the headline states, where it states one, or is of another source, which
    /// may know better.
    fn agrees(&self, finding: &Finding<'_>, choice: &Choice) -> bool {
        let made = finding.headline.as_ref().filter(|one| one.made_of.is_some());
        let Some(made) = made.filter(|_| finding.part.wanted != Wanted::Other) else { return true };
        let text = |choice: &Choice| self.library.slice(choice.source, &choice.span);
        let is_other = choice.source != made.of.source;
        is_other || value::answer_alike(&finding.part.text, text(&made.of), text(choice))
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
