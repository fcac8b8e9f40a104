//! Survivors → a draft made of their own words: the answer first, then the evidence by topic.

use std::collections::HashSet;

use probity_core::SourceId;
use probity_reader::{Stop, Stopped};
use probity_report::check::{SourceIndex, Support};
use probity_report::draft::{Conflict, Draft, Form, NOTHING_PLAIN, Statement, Unanswered};
use probity_report::phrases::{Phrase, Phrases};
use probity_text::Language;
use probity_text::table_row::row;
use probity_text::words::{Stemmer, bare, words};

use super::super::{SourceView, SynthesisTask};
use super::answer::{Answered, Band, Choice, choose, passages_read};
use super::conflict::{self, Rivals};
use super::evidence::themes;
use super::headline::{self, Headline};
use super::lists;
use super::made::{MadeOf, Maker};
use super::meant_row::meant_row;
use super::premise::{self, Premise};
use super::question::{Asked, Part};
use super::read::CachedReader;
use super::retrieve::Library;
use super::sentence::{Fit, fit};
use super::sides::{Side, names_both, sides};
use super::stated;
use super::statement::{can_be_shown, excerpt, shown, statement, untold};
use super::usage::Usage;
use super::value;

/// Sentences of the summary that are taken from the sources.
const SUMMARY: usize = 4;
/// Where it is in doubt which sentence answers, the passages of this many are quoted.
const PASSAGES: usize = 3;
/// The same where the reader was not taught the language and answers.
const FOREIGN_PASSAGES: usize = 2;
/// The longest sentence that follows the first one in a summary, in words.
const GLANCE: usize = 45;
/// Beside an answer that is not in doubt, the summary tells only what is this near to it.
const NEARLY: f64 = 2.0;
/// How many sentences the summary has of the passage that leads.
const EXCERPT: usize = 3;
/// How much more authority an outlet needs to lead over a slightly better answer.
const AUTHORITY: f64 = 0.2;
/// Beside how many better sentences one is read to tell whether it says anything else.
const COMPARED: usize = 6;
/// The fewest words beside those of the question that a sentence without a figure brings.
const NEW_WORDS: usize = 2;

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
        // What cannot be shown cannot lead, nor what speaks of one side of a comparison only.
        let sides = sides(&part.text);
        let compares = |choice: &Choice| {
            let text = library.slice(choice.source, &choice.sentence);
            sides.as_ref().is_none_or(|sides| names_both(sides, text))
        };
        answered.choices.sort_by_key(|choice| (!can_be_shown(&library, choice), !compares(choice)));
        if let Some(trusted) = more_trusted(part, &answered, &library) {
            lead_with(&trusted, &mut answered);
        }
        let meant = answered.choices.first().and_then(|best| meant_row(part, best, &library));
        let is_row_meant = meant.is_some();
        if let Some(meant) = meant {
            let place = |one: &Choice| (one.source, one.sentence.clone());
            answered.choices.retain(|choice| place(choice) != place(&meant));
            answered.choices.insert(0, meant);
        }
        let rivals = conflict::find(part, &answered, &library);
        if let Some(rivals) = rivals.as_ref().filter(|rivals| rivals.superseded) {
            lead_with(&rivals.leading, &mut answered);
        }
        let usage = Usage::of(&part.text, task.sources.iter().map(|source| source.text));
        let premise = premise::premise(part, &answered, &library, &usage, reading, stop)?;
        let (found, texts) = (&answered, &library);
        let maker = Maker { part, answered: found, library: texts, usage: &usage, reading, stop };
        let headline = headline::of(&maker, is_row_meant)?;
        // What is in doubt and makes no headline is near at best.
        let is_said = headline.is_some() || is_row_meant || !asked.is_english();
        if !is_said && answered.band == Band::Plain && answered.is_doubtful() {
            answered.band = Band::Near;
        }
        // What the headline is made of leads; a comparison has more to tell than any of its sentences.
        let is_made = |one: &&Headline| one.made_of.is_some() && sides.is_none();
        if let Some(headline) = headline.as_ref().filter(is_made) {
            lead_with(&headline.of, &mut answered);
        }
        let agreeing = agreeing(part, &answered, &library);
        leave_out_repeated(part, &mut answered, &library, reading, stop)?;
        let is_plain = answered.band == Band::Plain;
        let is_foreign = !asked.is_english();
        let passages = match headline.as_ref().and_then(|one| one.made_of) {
            Some(MadeOf::Sentence | MadeOf::List) => 0,
            Some(MadeOf::Passage) => 1,
            None if is_plain && is_foreign => FOREIGN_PASSAGES,
            None if is_plain => usize::from(answered.is_doubtful()),
            None => PASSAGES,
        };
        let answers = is_plain || headline.is_some() || premise.denied().is_some();
        let shown = shown(&library, &answered.choices, passages, is_foreign, answers);
        findings.push(Finding {
            part,
            topic: stated::topic(&part.text, &usage),
            clause: stated::indirect(&part.text, &usage),
            answered,
            headline,
            is_row_meant,
            is_foreign,
            rivals,
            premise,
            agreeing,
            shown,
            sides,
        });
    }
    Ok(Composer { library, words: task.words }.draft(&asked, &findings))
}

/// Leaves out what sources say that have none of the names of the question, where others have some. An answer that was
/// found plainly stays.
fn leave_out_strangers(part: &Part, answered: &mut Answered, library: &Library<'_>) {
    let names = value::names(&part.text);
    let knows = |source: &SourceView<'_>| {
        let mut all = words(source.title).chain(words(source.text));
        all.any(|word| names.contains(bare(&word.lower)))
    };
    let known: Vec<bool> = (0..).map_while(|number| library.source(number)).map(knows).collect();
    let is_known = |choice: &Choice| known.get(choice.source) == Some(&true);
    let leading = answered.choices.first().filter(|_| answered.band == Band::Plain).cloned();
    if answered.choices.iter().any(is_known) {
        answered.choices.retain(|choice| leading.as_ref() == Some(choice) || is_known(choice));
    }
}

/// Of answers that are about equally good, the one whose outlet has more authority, by enough to tell; of those that are
/// the same, the one of the most credible source.
fn more_trusted(part: &Part, answered: &Answered, library: &Library<'_>) -> Option<Choice> {
    let of = |choice: &Choice| {
        library.source(choice.source).map_or((0.0, 0.0), |one| (one.authority, one.credibility))
    };
    let best = answered.choices.first()?;
    let near = || answered.choices.iter().filter(|one| best.score - one.score < conflict::GAP);
    // Equals stay in the order of their scores.
    let trusted = near().rev().max_by(|a, b| of(a).0.total_cmp(&of(b).0))?;
    if of(trusted).0 >= of(best).0 + AUTHORITY {
        return Some(trusted.clone());
    }
    let text = |choice: &Choice| library.slice(choice.source, &choice.span);
    let stands = |one: &Choice| fit(library.slice(one.source, &one.sentence)) == Fit::Stands;
    let same = |one: &&Choice| value::answer_alike(&part.text, text(best), text(one));
    let same = near().rev().filter(same).filter(|one| stands(one));
    let credible = same.max_by(|a, b| of(a).1.total_cmp(&of(b).1))?;
    (of(credible).1 > of(best).1).then(|| credible.clone())
}

/// Leaves out what adds nothing to better sentences: it follows from one of them, or has hardly a word but those of the
/// question. Rows are shown with their table.
fn leave_out_repeated(
    part: &Part,
    answered: &mut Answered,
    library: &Library<'_>,
    reading: &CachedReader,
    stop: &Stop,
) -> Result<(), Stopped> {
    let stemmer = Stemmer::new(Language::detect(&part.text));
    let asked = stemmer.content_stems(&part.text);
    let (mut told, mut known): (Vec<&str>, HashSet<String>) = Default::default();
    let mut kept = Vec::new();
    for choice in answered.choices.drain(..) {
        let text = library.slice(choice.source, &choice.sentence).trim();
        let mut new = stemmer.content_stems(text);
        new.retain(|stem| !asked.contains(stem));
        let says = new.len() >= NEW_WORDS || text.contains(|c: char| c.is_ascii_digit());
        // What has mostly other words says something else; that need not be read.
        let is_near = new.iter().filter(|stem| known.contains(*stem)).count() * 2 >= new.len();
        let is_row = row(text).is_some();
        let repeats = || {
            let better = SourceIndex::new(told.join("\n\n"));
            let check = better.check(text, reading.reader(), stop)?;
            Ok(check.support == Support::Supported)
        };
        let is_compared = (1..COMPARED).contains(&told.len()) && !is_row && is_near;
        if !kept.is_empty() && (!says || is_compared && repeats()?) {
            continue;
        }
        told.extend((!is_row).then_some(text));
        known.extend(new);
        kept.push(choice);
    }
    answered.choices = kept;
    Ok(())
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
    let mut found: Vec<SourceId> = Vec::new();
    for choice in std::iter::once(best).chain(answered.choices.iter().filter(same)) {
        let id = library.source(choice.source).map(|one| one.id);
        found.extend(id.filter(|id| !found.contains(id)));
    }
    found
}

/// What the sources have on one part of the question.
pub(super) struct Finding<'q> {
    pub(super) part: &'q Part,
    /// What is asked about, as a heading, and what is asked, as a clause.
    pub(super) topic: Option<String>,
    pub(super) clause: Option<String>,
    pub(super) answered: Answered,
    /// The answer in a few words.
    headline: Option<Headline>,
    /// Whether the leading answer is the row of a table that the question names.
    is_row_meant: bool,
    /// Whether it is asked in a language that the reader was not taught: the sentence that answers may be any of its
    /// passage.
    is_foreign: bool,
    rivals: Option<Rivals>,
    /// What the question takes for granted.
    premise: Premise,
    /// The sources that give the leading answer.
    pub(super) agreeing: Vec<SourceId>,
    /// How each choice is shown, if not with another.
    shown: Vec<Option<Statement>>,
    /// What the part compares.
    pub(super) sides: Option<[Side; 2]>,
}

impl Finding<'_> {
    pub(super) fn is_answered(&self) -> bool {
        self.answered.band == Band::Plain || self.denied().is_some() || self.headline.is_some()
    }

    /// The sentence that denies what the question takes for granted.
    pub(super) fn denied(&self) -> Option<&Choice> {
        self.premise.denied().map(|(choice, _)| choice)
    }

    /// Whether the answer may stand beside the best sentence. What was made of a sentence and follows from it is an answer.
    fn is_doubtful(&self) -> bool {
        let is_made = self.headline.as_ref().is_some_and(|one| one.made_of.is_some());
        self.answered.is_doubtful() && !is_made
    }

    /// Whether a choice is one of the first that are shown: those are evidence whatever the reader makes of them.
    pub(super) fn is_among_best(&self, choice: &Choice) -> bool {
        let shown = self.answered.choices.iter().zip(&self.shown);
        let shown = shown.filter(|(one, shown)| shown.is_some() || one == &choice);
        let best = if self.is_doubtful() { SUMMARY } else { 1 };
        shown.take(best).any(|(one, _)| one == choice)
    }

    /// A sentence by itself, if a passage that is shown has it: the summary has only the beginning of that.
    fn told_within(&self, sentence: &str) -> Option<Statement> {
        let text = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
        let all = self.shown.iter().flatten();
        let within = all.filter(|told| told.form.is_prose()).find(|told| told.text.contains(&text));
        within.map(|told| Statement { text, ..told.clone() })
    }

    /// How one of the choices is shown.
    pub(super) fn tell(&self, choice: &Choice) -> Option<Statement> {
        let at = self.answered.choices.iter().position(|one| one == choice)?;
        self.shown.get(at)?.clone()
    }
}

struct Composer<'a> {
    library: Library<'a>,
    words: usize,
}

impl Composer<'_> {
    fn draft(&self, asked: &Asked, findings: &[Finding<'_>]) -> Draft {
        // The first plain answer may head the report as a quotation.
        let plain = findings.iter().find(|finding| finding.answered.band == Band::Plain);
        let quoted = plain.and_then(|one| {
            headline::by_value(one.part, &one.answered, one.is_row_meant, &self.library)
        });
        let unanswered = findings
            .iter()
            .filter(|finding| !finding.is_answered())
            .map(|finding| finding.part.text.clone())
            .map(|asked| Unanswered { asked, lack: NOTHING_PLAIN.to_owned() })
            .collect();
        Draft {
            headline: self.headline(asked, findings),
            quoted,
            // A source says why something is so only if it is so.
            clause: findings
                .iter()
                .find(|one| one.is_answered())
                .filter(|one| one.premise == Premise::Stated)
                .and_then(|one| one.clause.clone()),
            summary: self.summary(findings),
            conflicts: findings.iter().filter_map(|finding| self.conflict(finding)).collect(),
            // How sure one can be was measured in the language that the reader was taught.
            certainty: findings
                .iter()
                .filter(|_| asked.is_english())
                .map(|finding| finding.answered.certainty)
                .min_by(f64::total_cmp),
            themes: themes(&self.library, findings, self.words),
            unanswered,
            confidence: None,
            headings: Vec::new(),
        }
    }

    fn headline(&self, asked: &Asked, findings: &[Finding<'_>]) -> String {
        if let Some((choice, claim)) = findings.iter().find_map(|one| one.premise.denied()) {
            let not_so = Phrases::of(&asked.text).say(Phrase::NotSo, &[]);
            let clause = headline::sentence(choice, &self.library);
            return clause.map_or_else(
                || Phrases::contradicted(&headline::lower_first(claim)),
                |clause| format!("{not_so}{clause}"),
            );
        }
        let answered = || findings.iter().filter(|finding| finding.is_answered());
        match answered().next() {
            // What can be said of a long answer in a few words is said once it is checked.
            Some(_) => {
                let headline = answered().find_map(|finding| finding.headline.as_ref());
                headline.map(|one| one.text.clone()).unwrap_or_default()
            }
            None => {
                let whole = findings.first().filter(|_| findings.len() == 1);
                headline::of_gap(&asked.text, whole.and_then(|one| one.clause.as_deref()))
            }
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
            let Some(told) = finding.tell(choice).or_else(|| finding.told_within(text)) else {
                return;
            };
            let made_of = finding.headline.as_ref().and_then(|one| one.made_of);
            // The headline names the items.
            if made_of == Some(MadeOf::List) && matches!(told.form, Form::Item { .. }) {
                return;
            }
            // A passage is for the findings; its sentence says enough, or a few around it where that is in doubt.
            let best = finding.answered.choices.first().map_or(0.0, |best| best.score);
            let is_far = !finding.is_doubtful() && choice.score < best - NEARLY;
            let is_long = !summary.is_empty() && text.split_whitespace().count() > GLANCE;
            if is_far || is_long {
                return;
            }
            let most = match (summary.len(), finding.is_foreign) {
                (0, true) => usize::MAX,
                (0, false) | (1, true) => EXCERPT,
                _ => 1,
            };
            let text = untold(&excerpt(&told.text, text, most), &summary);
            // A sentence that came with the one it refers to needs to be shown once.
            match summary
                .iter_mut()
                .find(|known| known.contains(&text) || text.contains(known.as_str()))
            {
                Some(known) if known.len() < text.len() => *known = text,
                Some(_) => {}
                None => summary.push(text),
            }
            // "In one of these ways:" is told with the ways.
            if leads && told.text.ends_with(':') {
                summary.extend(self.announced(choice));
            }
        };
        for finding in findings {
            finding.denied().into_iter().for_each(|denied| add(finding, denied));
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

    /// The items of the list that a sentence announces.
    fn announced(&self, choice: &Choice) -> Vec<String> {
        let source = self.library.source(choice.source);
        let list = source.and_then(|source| lists::carried(source, &choice.sentence));
        let entries = list.filter(|list| list.is_introduced).map(|list| list.entries);
        entries.into_iter().flatten().map(|(_, entry)| entry.text).collect()
    }

    fn conflict(&self, finding: &Finding<'_>) -> Option<Conflict> {
        let rivals = finding.rivals.as_ref().filter(|rivals| !rivals.superseded)?;
        let side = |choice| statement(&self.library, choice);
        let statements = vec![side(&rivals.leading)?, side(&rivals.other)?];
        Some(Conflict { statements, on_answer: true })
    }
}
