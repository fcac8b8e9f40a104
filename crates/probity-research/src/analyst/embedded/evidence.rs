//! Sentences that bear on the question → topics, each with a leading statement and what adds to it.
//!
//! What is under one heading belongs together. The sentence that answers best leads its topic; the
//! rest follows newest first, then by credibility, then as the source has it. Tables and lists are
//! carried over whole, and a question about change gets a timeline.

use std::cmp::{Ordering, Reverse};
use std::ops::Range;

use jiff::civil::Date;
use probity_report::draft::{Form, Statement, Theme};
use probity_text::date_mention::dates;
use probity_text::table_row::row;

use super::answer::Choice;
use super::compose::Finding;
use super::lines::lines_around;
use super::lists;
use super::question::Part;
use super::retrieve::Library;
use super::sentence::{is_code, speaks};
use super::sides::{capital, compared_in};
use super::statement::statement;

/// The most topics of a report, and the most sentences of each.
const THEMES: usize = 6;
const PER_THEME: usize = 4;
/// The most rows of a table that are carried over.
const ROWS: usize = 20;
/// A sentence bears on the question if its passage may answer, and the answer may stand in it: the least logit and
/// log-likelihood.
const MAY_ANSWER: f64 = -0.4;
const MAY_HOLD: f64 = -6.0;
/// Nor does it add anything if it is this much worse than the best answer.
const FAR: f64 = 3.0;
/// The most words of a heading, and the fewest of letters alone: a date or a number names nothing.
const HEADING_WORDS: usize = 16;
const NAMING_WORDS: usize = 2;
/// The fewest events that make a timeline.
const EVENTS: usize = 3;

/// The evidence on all parts of a question, in at most this many words.
pub(super) fn themes(library: &Library<'_>, findings: &[Finding<'_>], words: usize) -> Vec<Theme> {
    let mut gathered = Gathered { topics: Vec::new(), left: words };
    for finding in findings {
        let first = gathered.topics.len();
        let part = finding.part;
        let choices = &finding.answered.choices;
        let best = choices.first().map_or(0.0, |best| best.score);
        let bears = |rank: usize, choice: &Choice| {
            let may = finding.is_answered() && may_answer(choice, best);
            // A whole table or list is only worth it if its source has nothing better to say.
            let text = library.slice(choice.source, &choice.sentence);
            let source = library.source(choice.source);
            let list = || lists::holding(source?, &choice.sentence);
            let is_row = || row(text).is_some() || list().is_some();
            let first = || choices.iter().position(|one| one.source == choice.source) == Some(rank);
            finding.is_among_best(choice) || may && (!is_row() || first())
        };
        let bearing = choices.iter().enumerate().filter(|(rank, choice)| bears(*rank, choice));
        let bearing: Vec<&Choice> = bearing.map(|(_, choice)| choice).collect();
        for event in timeline(library, part, choices) {
            gathered.add("What happened when", event, false);
        }
        if let Some(sides @ [one, other]) = &finding.sides {
            let heading = format!("{} and {}", one.name, other.name);
            let table = compared_in(library, sides, choices)
                .map(|choice| table_of(library, choice.source, &choice.sentence));
            let rows = table.into_iter().flatten();
            rows.for_each(|placed| gathered.add(&heading, placed, false));
        }
        for choice in finding.denied().into_iter().chain(bearing) {
            let heading = heading(library, finding, choice);
            let leads = choices.first() == Some(choice);
            let table = if leads { table_beside(library, choice) } else { Vec::new() };
            for placed in evidence(library, finding, choice, leads).into_iter().chain(table) {
                gathered.add(&heading, placed, finding.is_among_best(choice));
            }
        }
        // The answer leads; of the other topics those of the most credible sources come first.
        if let Some(others) = gathered.topics.get_mut(first + 1..) {
            let credibility = |(_, told): &(String, Vec<Placed>)| {
                told.iter().map(|one| one.credibility).fold(0.0, f64::max)
            };
            others.sort_by(|a, b| credibility(b).total_cmp(&credibility(a)));
        }
    }
    gathered.into_themes()
}

/// Whether a sentence may answer as well, where the best answer has this score.
fn may_answer(choice: &Choice, best: f64) -> bool {
    choice.answerable >= MAY_ANSWER && choice.likely >= MAY_HOLD && choice.score > best - FAR
}

/// A statement and where it comes from.
struct Placed {
    statement: Statement,
    published: Option<Date>,
    credibility: f64,
    source: usize,
    start: usize,
}

impl Placed {
    fn new(library: &Library<'_>, source: usize, start: usize, statement: Statement) -> Self {
        let view = library.source(source);
        let published = view.and_then(|view| view.published);
        let credibility = view.map_or(0.0, |view| view.credibility);
        Self { statement, published, credibility, source, start }
    }

    /// Newest first, then the most credible, then as the source has it; a timeline keeps its own order.
    fn in_order(&self, other: &Self) -> Ordering {
        let is_event = |one: &Self| matches!(one.statement.form, Form::Entry { .. });
        if is_event(self) || is_event(other) {
            return is_event(other).cmp(&is_event(self));
        }
        Reverse(self.published)
            .cmp(&Reverse(other.published))
            .then(other.credibility.total_cmp(&self.credibility))
            .then((self.source, self.start).cmp(&(other.source, other.start)))
    }
}

/// Topics as they grow.
struct Gathered {
    topics: Vec<(String, Vec<Placed>)>,
    /// How many words there is room for.
    left: usize,
}

impl Gathered {
    /// Puts a statement under its heading, if nobody said it before and there is room, or it is one of the best.
    fn add(&mut self, heading: &str, placed: Placed, best: bool) {
        let text = &placed.statement.text;
        let all = self.topics.iter_mut().flat_map(|(_, told)| told);
        for known in all.filter(|known| known.source == placed.source) {
            // What a sentence came with, or a timeline has, needs to be shown once.
            let told = known.statement.text.as_str();
            let is_event = matches!(known.statement.form, Form::Entry { .. });
            if told.contains(text.as_str()) || is_event && text.contains(told) {
                return;
            }
            if text.contains(known.statement.text.as_str()) && known.statement.form.is_prose() {
                known.statement.text.clone_from(text);
                return;
            }
        }
        let length = text.split_whitespace().count();
        if length > self.left && !best && !self.topics.is_empty() {
            return;
        }
        if self.topics.len() < THEMES && self.topics.iter().all(|(known, _)| known != heading) {
            self.topics.push((heading.to_owned(), Vec::new()));
        }
        let topic = self.topics.iter_mut().find(|(known, _)| known == heading);
        let Some((_, told)) = topic else { return };
        let prose = told.iter().filter(|one| !is_carried_over(&one.statement.form)).count();
        if is_carried_over(&placed.statement.form) || prose < PER_THEME {
            self.left = self.left.saturating_sub(length);
            told.push(placed);
        }
    }

    fn into_themes(self) -> Vec<Theme> {
        self.topics
            .into_iter()
            .map(|(heading, mut told)| {
                // The best sentence leads with its list or table, which keeps its order.
                let first = told.first().map(|one| one.source);
                let leads = told.first().is_some_and(|one| !is_carried_over(&one.statement.form));
                let follows = |one: &Placed| {
                    Some(one.source) == first && is_carried_over(&one.statement.form)
                };
                if let Some(rest) = told.get_mut(usize::from(leads)..) {
                    rest.sort_by(|a, b| follows(b).cmp(&follows(a)).then(a.in_order(b)));
                }
                let statements = told.into_iter().map(|placed| placed.statement).collect();
                Theme { heading, statements }
            })
            .collect()
    }
}

/// Whether a statement is part of a table, a list or a timeline, which are shown whole.
fn is_carried_over(form: &Form) -> bool {
    matches!(form, Form::Row { .. } | Form::Item { .. } | Form::Entry { .. })
}

/// What a choice adds to the findings: its sentence, or the table or list that it stands in.
fn evidence(
    library: &Library<'_>,
    finding: &Finding<'_>,
    choice: &Choice,
    leads: bool,
) -> Vec<Placed> {
    let Some(source) = library.source(choice.source) else { return Vec::new() };
    let text = library.slice(choice.source, &choice.sentence);
    let place = |(start, statement)| Placed::new(library, choice.source, start, statement);
    if row(text).is_some() {
        return table_of(library, choice.source, &choice.sentence);
    }
    let list = lists::carried(source, &choice.sentence);
    if let Some(list) = list.as_ref().filter(|list| !list.is_introduced) {
        let all = list.introduction.iter().chain(&list.entries);
        return all.cloned().map(place).collect();
    }
    // What a sentence announces comes with it where it answers.
    let list = list.filter(|_| leads);
    // "In one of these ways:" says something only with what follows it.
    let announced = || Statement {
        text: text.split_whitespace().collect::<Vec<_>>().join(" "),
        cites: vec![source.id],
        form: Form::Quote,
    };
    let mut told = finding.tell(choice).or_else(|| list.is_some().then(announced));
    if let Some(told) = told.as_mut().filter(|told| leads && told.form.is_prose()) {
        told.cites.extend(finding.agreeing.iter().filter(|id| **id != source.id));
    }
    let told = told.map(|told| (choice.sentence.start, told));
    told.into_iter().chain(list.into_iter().flat_map(|list| list.entries)).map(place).collect()
}

/// The table in the passage of the leading answer: what it sums up.
fn table_beside(library: &Library<'_>, choice: &Choice) -> Vec<Placed> {
    let mut start = choice.passage.start;
    for line in library.slice(choice.source, &choice.passage).split_inclusive('\n') {
        let range = start..start + line.trim_end().len();
        start += line.len();
        if row(line.trim_end()).is_some() {
            return table_of(library, choice.source, &range);
        }
    }
    Vec::new()
}

/// The rows of the table that a row stands in, in their order, at most [`ROWS`].
fn table_of(library: &Library<'_>, source: usize, line: &Range<usize>) -> Vec<Placed> {
    let (Some(view), Some((columns, _))) =
        (library.source(source), row(library.slice(source, line)))
    else {
        return Vec::new();
    };
    let same = |line: &str| {
        let (own, cells) = row(line).filter(|(own, _)| *own == columns)?;
        let form = Form::Row { columns: own, cells };
        Some(Statement { text: line.trim().to_owned(), cites: vec![view.id], form })
    };
    let rows = lines_around(view.text, line.start, ROWS / 2, ROWS, same).into_iter().take(ROWS);
    rows.map(|(range, told)| Placed::new(library, source, range.start, told)).collect()
}

/// What a sentence stands under: its heading, if need be with the title that it is a part of, what is asked about, or
/// the title of its source.
fn heading(library: &Library<'_>, finding: &Finding<'_>, choice: &Choice) -> String {
    let own = choice.heading.as_ref().map(|line| library.slice(choice.source, line));
    let title = clean_heading(library.source(choice.source).map_or("", |source| source.title));
    let short_title = title.split(": ").next().unwrap_or_default().to_owned();
    let own = own.map(clean_heading);
    let own = own.filter(|own| !own.is_empty() && *own != title && *own != short_title);
    // "Description" names no part of anything by itself.
    let both =
        own.as_ref().filter(|_| !short_title.is_empty()).map(|own| format!("{short_title}: {own}"));
    let names = |text: &str| {
        let is_name = |word: &&str| {
            word.contains(char::is_alphabetic) && !word.contains(|c: char| c.is_ascii_digit())
        };
        text.split_whitespace().filter(is_name).count() >= NAMING_WORDS
    };
    // What asks or speaks is its source's voice, and what was cut is no name.
    let fits = |text: &String| {
        text.split_whitespace().count() <= HEADING_WORDS
            && names(text)
            && !text.ends_with(['?', '…'])
            && !is_code(text)
            && !speaks(text)
    };
    let clause = || finding.clause.as_deref().map(capital);
    let asked = finding.topic.clone().filter(fits).or_else(clause);
    let found = own.into_iter().chain(both).chain(asked).chain([title, short_title]).find(fits);
    found.unwrap_or_else(|| "What the sources say".to_owned())
}

/// A heading without its number and closing marks.
fn clean_heading(text: &str) -> String {
    let text = text.trim().split(" | ").next().unwrap_or_default();
    // "A.6." and "3.2" number a part.
    let is_number = |word: &&str| word.contains(|c: char| c.is_ascii_digit()) && word.contains('.');
    let words = text.split_whitespace().skip_while(is_number);
    let text = words.collect::<Vec<_>>().join(" ");
    let text = text.trim_start_matches(|c: char| !c.is_alphabetic() && c != '"' && c != '“');
    text.trim_end_matches([':', '.', '#', '¶', ' ']).to_owned()
}

/// The events that dated sentences tell, in the order of their dates, where a question asks for change.
fn timeline(library: &Library<'_>, part: &Part, choices: &[Choice]) -> Vec<Placed> {
    let best = choices.first().map_or(0.0, |best| best.score);
    let may = |rank: usize, choice: &Choice| rank < EVENTS || may_answer(choice, best);
    let mut events: Vec<((i32, u8, u8), Placed)> = Vec::new();
    let asked = choices.iter().enumerate().filter(|_| part.asks_for_change());
    for (_, choice) in asked.filter(|(rank, choice)| may(*rank, choice)) {
        let Some(told) = statement(library, choice).filter(|told| told.form.is_prose()) else {
            continue;
        };
        let mut found = dates(&told.text).into_iter().filter(|(_, date)| date.weekday.is_none());
        let (Some((range, date)), None) = (found.next(), found.next()) else { continue };
        let (Some(year), Some(when)) = (date.year, told.text.get(range)) else { continue };
        let key = (year, date.month.unwrap_or(0), date.day.unwrap_or(0));
        let form = Form::Entry { when: when.to_owned() };
        let statement = Statement { form, ..told };
        let start = choice.sentence.start;
        events.push((key, Placed::new(library, choice.source, start, statement)));
    }
    events.sort_by_key(|(key, _)| *key);
    let enough = events.len() >= EVENTS;
    events.into_iter().filter(|_| enough).map(|(_, placed)| placed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unlikely_or_far_behind_the_best_answer_is_no_evidence() {
        let choice = |answerable, likely, score| Choice {
            source: 0,
            sentence: 0..1,
            span: 0..1,
            passage: 0..1,
            heading: None,
            plain: 0.0,
            answerable,
            likely,
            score,
        };
        assert!(may_answer(&choice(1.0, -1.0, 5.0), 7.0));
        assert!(!may_answer(&choice(1.0, -1.0, 5.0), 9.5), "far behind");
        assert!(!may_answer(&choice(-1.0, -1.0, 5.0), 7.0), "its passage answers nothing");
        assert!(!may_answer(&choice(1.0, -8.0, 5.0), 7.0), "the answer is not in it");
    }
}
