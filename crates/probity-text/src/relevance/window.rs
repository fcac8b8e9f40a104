//! The windows of a text: one or two neighbouring sentences, and how much of the question each holds.
//!
//! An answer has the question's terms and the value it asks for together, not scattered over the
//! page. Names may stand anywhere in the text; a heading, the title and the sentences around lend a
//! part of what they say. Sentences that only ask or repeat the question lend no more than a heading:
//! a page cannot earn a score by quoting the question at itself.

use std::ops::Range;

use super::reading::{Reading, Word};
use super::scale;
use super::values::{MEANT, Values};
use crate::quantity::{Amount, quantities};
use crate::question::{Kind, Part, Role, Term};

/// Sentences before and after a window that lend it their words.
const NEAR: (usize, usize) = (3, 1);
/// A window that says fewer new words than this only repeats the question.
const NEWS: usize = 2;
/// What is left of a window that only repeats or asks the question.
const ECHO: f64 = 0.2;
/// Below this a window counts for nothing, whatever value it has.
const HOPELESS: f64 = 0.1;
/// What a clock time counts for a time of day: `10 pm` for `night`.
const CLOCK: f64 = 0.85;

/// One or two sentences.
#[derive(Debug, Clone, Default)]
pub(super) struct Window {
    /// Which sentences.
    pub sentences: Range<usize>,
    /// How well each term is matched, with what the surroundings lend.
    pub matches: Vec<f64>,
    /// How surely the value is there that the kind asks for.
    pub value: f64,
    /// How much of the question it holds, from 0 to 1.
    pub strength: f64,
    /// Whether it only asks or repeats the question.
    pub echo: bool,
    /// How well each term is matched anywhere in the text or its title.
    pub anywhere: Vec<f64>,
    /// Where the terms of its part begin in the lens.
    pub first: usize,
}

/// What the terms of one part of the question find in a text.
pub(super) struct Finds<'a, 't> {
    part: &'a Part,
    reading: &'a Reading<'t>,
    first: usize,
    /// For each sentence.
    rows: Vec<Row>,
    /// What the title and the whole text lend to every window.
    everywhere: Vec<f64>,
    /// The best match of each term in the title.
    in_title: Vec<f64>,
}

/// What one sentence holds.
struct Row {
    /// How well it matches each term.
    matches: Vec<f64>,
    /// How many new words it states; none where it asks or repeats the question.
    news: usize,
    /// The sentence that is the heading above it.
    heading: Option<usize>,
}

impl<'a, 't> Finds<'a, 't> {
    /// Compares every sentence with the terms of a part, which begin at `first` in the lens.
    pub(super) fn new(
        part: &'a Part,
        first: usize,
        reading: &'a Reading<'t>,
        title: &Reading<'_>,
    ) -> Self {
        let mut heading = None;
        let mut rows = Vec::with_capacity(reading.sentences.len());
        for (at, sentence) in reading.sentences.iter().enumerate() {
            let mut matches = reading.matches(sentence, &part.terms, first);
            clock(
                &part.terms,
                reading.text.get(sentence.bytes.clone()).unwrap_or_default(),
                &mut matches,
            );
            let news = if sentence.asks { 0 } else { reading.news(sentence) };
            rows.push(Row { matches, news, heading });
            if sentence.heading {
                heading = Some(at);
            }
        }
        let titles: Vec<Vec<f64>> = title
            .sentences
            .iter()
            .map(|sentence| title.matches(sentence, &part.terms, first))
            .collect();
        let in_title =
            |at: usize| titles.iter().filter_map(|row| row.get(at)).copied().fold(0.0, f64::max);
        let in_title = (0..part.terms.len()).map(in_title).collect();
        let mut finds = Self { part, reading, first, rows, everywhere: Vec::new(), in_title };
        finds.everywhere = finds.lent_everywhere(title);
        finds
    }

    /// The best windows, strongest first, no two of which share a sentence.
    pub(super) fn best(&self, count: usize) -> Vec<Window> {
        let values = self.values();
        let mut known: Vec<Option<f64>> = vec![None; self.rows.len()];
        let mut value = |at: usize| -> f64 {
            let (Some(slot), Some(sentence)) = (known.get_mut(at), self.reading.sentences.get(at))
            else {
                return 0.0;
            };
            *slot.get_or_insert_with(|| values.of(sentence))
        };
        let mut windows: Vec<Window> =
            self.spans().map(|sentences| self.window(sentences)).collect();
        // Looking for values is dear, so it is left out where even the value could not help.
        for window in windows.iter_mut().filter(|window| window.strength >= HOPELESS) {
            window.value = window.sentences.clone().map(&mut value).fold(0.0, f64::max);
            window.strength = self.strength(window);
        }
        windows.sort_by(|a, b| {
            b.strength.total_cmp(&a.strength).then(a.sentences.start.cmp(&b.sentences.start))
        });
        let mut apart: Vec<Window> = Vec::new();
        for window in windows {
            let meets = |other: &Window| {
                other.sentences.start < window.sentences.end
                    && window.sentences.start < other.sentences.end
            };
            if apart.len() < count && !apart.iter().any(meets) {
                let anywhere = (0..self.part.terms.len()).map(|term| self.anywhere(term));
                apart.push(Window { anywhere: anywhere.collect(), ..window });
            }
        }
        apart
    }

    /// How much of the question each sentence holds, by itself or with the one beside it, beyond what
    /// every sentence under this title holds.
    pub(super) fn each(&self) -> Vec<f64> {
        let lent = Window { matches: self.everywhere.clone(), ..Window::default() };
        let lent = self.strength(&lent);
        let values = self.values();
        let value = |at: usize| self.reading.sentences.get(at).map_or(0.0, |one| values.of(one));
        let values: Vec<f64> = (0..self.rows.len()).map(value).collect();
        let mut strengths = vec![0.0_f64; self.rows.len()];
        for sentences in self.spans() {
            let mut window = self.window(sentences.clone());
            let found = sentences.clone().filter_map(|at| values.get(at)).copied();
            window.value = found.fold(0.0, f64::max);
            let share = if sentences.len() == 1 { 1.0 } else { scale::PAIRED };
            let strength = share * (self.strength(&window) - lent).max(0.0);
            for slot in strengths.get_mut(sentences).into_iter().flatten() {
                *slot = slot.max(strength);
            }
        }
        strengths
    }

    /// Looks for the values of the part.
    pub(super) fn values(&self) -> Values<'a, 't> {
        let subject = self.part.terms.iter().position(|term| term.subject);
        let titled = subject.and_then(|at| self.in_title.get(at)).is_some_and(|at| *at >= MEANT);
        Values::new(self.part, self.first, self.reading, titled)
    }

    /// The best match of a term in the text and its title.
    fn anywhere(&self, term: usize) -> f64 {
        let in_text = self.rows.iter().filter_map(|row| row.matches.get(term)).copied();
        in_text.chain(self.in_title.get(term).copied()).fold(0.0, f64::max)
    }

    fn spans(&self) -> impl Iterator<Item = Range<usize>> {
        let pair = |at: usize| self.belong(at, at + 1).then_some(at..at + 2);
        (0..self.rows.len()).flat_map(move |at| [Some(at..at + 1), pair(at)]).flatten()
    }

    /// Whether two sentences stand together: in one paragraph, or as a question and its answer.
    fn belong(&self, one: usize, other: usize) -> bool {
        match (self.reading.sentences.get(one), self.reading.sentences.get(other)) {
            (Some(a), Some(b)) => a.paragraph == b.paragraph || a.asks && other == one + 1,
            _ => false,
        }
    }

    /// A window as if its value were there.
    fn window(&self, sentences: Range<usize>) -> Window {
        let near =
            sentences.start.saturating_sub(NEAR.0)..(sentences.end + NEAR.1).min(self.rows.len());
        let around: Vec<usize> = near
            .filter(|at| self.belong(*at, sentences.start) || self.belong(sentences.start, *at))
            .collect();
        let heading = self.rows.get(sentences.start).and_then(|row| row.heading);
        let news: usize =
            sentences.clone().filter_map(|at| self.rows.get(at)).map(|row| row.news).sum();
        let found = |sentence: usize, term: usize| {
            self.rows
                .get(sentence)
                .and_then(|row| row.matches.get(term))
                .copied()
                .unwrap_or_default()
        };
        let states = |at: usize| self.rows.get(at).is_some_and(|row| row.news > 0);
        let matches = (0..self.part.terms.len()).map(|term| {
            let own = sentences
                .clone()
                .map(|at| found(at, term) * if states(at) { 1.0 } else { scale::ASKED });
            let lent = around.iter().map(|at| scale::AROUND * found(*at, term));
            let above = heading.map(|at| scale::HEADING * found(at, term));
            let everywhere = self.everywhere.get(term).copied();
            own.chain(lent).chain(above).chain(everywhere).fold(0.0, f64::max)
        });
        let mut window = Window {
            matches: matches.collect(),
            value: 1.0,
            strength: 0.0,
            echo: news < NEWS,
            anywhere: Vec::new(),
            first: self.first,
            sentences,
        };
        window.strength = self.strength(&window);
        window
    }

    /// How much of the question a window holds: a mean over its terms that counts a missing one more
    /// than a plain mean would, less where the value or the names are missing.
    fn strength(&self, window: &Window) -> f64 {
        let (mut sum, mut all, mut named, mut names) = (0.0, 0.0, 0.0, 0.0);
        let (mut told, mut asked, mut office) = (0.0_f64, 0, None);
        for (term, found) in self.part.terms.iter().zip(&window.matches) {
            let found = if term.role == Role::Kind { found.max(window.value) } else { *found };
            sum += term.weight * found.max(scale::ABSENT).powf(scale::POWER);
            all += term.weight;
            if term.role == Role::Name {
                named += term.weight * found;
                names += term.weight;
            }
            if matches!(term.role, Role::Content | Role::Asked) {
                told = told.max(found);
                if asked == 0 && self.part.kind == Kind::Person && term.senses.is_person() {
                    office = Some(found);
                }
                asked += 1;
            }
        }
        if all <= 0.0 {
            return 0.0;
        }
        let coverage = (sum / all).powf(1.0 / scale::POWER);
        let missing = if names > 0.0 { 1.0 - named / names } else { 0.0 };
        let echo = if window.echo { ECHO } else { 1.0 };
        let strength = coverage
            * (scale::FLOOR + (1.0 - scale::FLOOR) * window.value)
            * (1.0 - scale::NAMELESS * missing)
            * echo;
        // To speak of the same museum is not to speak of its director, and to name its founder neither.
        let vacant = office.is_some_and(|found| found < scale::MISSING);
        let unanswered = self.part.kind.is_typed() && window.value < scale::SURE;
        let beside = asked == 1 && told < scale::MISSING && unanswered;
        let hollow = names > 0.0 && (vacant || beside);
        if hollow { strength.min(scale::HOLLOW) } else { strength }
    }

    fn lent_everywhere(&self, title: &Reading<'_>) -> Vec<f64> {
        let lent = |(at, term): (usize, &Term)| {
            let in_title = self.in_title.get(at).copied().unwrap_or_default();
            match term.role {
                Role::Name | Role::Number => {
                    let found = self.anywhere(at);
                    let spelled = found == 0.0
                        && term.acronym
                        && (spells(self.reading, &term.word) || spells(title, &term.word));
                    scale::ANYWHERE * if spelled { 1.0 } else { found }
                }
                _ => scale::TITLE * in_title,
            }
        };
        self.part.terms.iter().enumerate().map(lent).collect()
    }
}

/// A clock time stands for the time of day that the question names.
fn clock(terms: &[Term], sentence: &str, matches: &mut [f64]) {
    let hours = |term: &Term| match term.base.as_str() {
        "night" | "overnight" => Some((20, 30)),
        "evening" => Some((17, 23)),
        "morning" => Some((5, 12)),
        "afternoon" => Some((12, 18)),
        _ => None,
    };
    for (term, found) in terms.iter().zip(matches) {
        let Some((from, to)) = hours(term).filter(|_| *found < CLOCK) else { continue };
        let within = |minutes: u16| {
            (from..to).contains(&(minutes / 60)) || (from..to).contains(&(minutes / 60 + 24))
        };
        let tells = |amount: &Amount| matches!(amount, Amount::Clock(clock) if within(clock.from) || within(clock.to));
        if quantities(sentence).iter().any(|one| tells(&one.amount)) {
            *found = CLOCK;
        }
    }
}

/// Whether the first letters of neighbouring words with capitals spell an acronym, or two words
/// together make it: `O 2`.
fn spells(reading: &Reading<'_>, acronym: &str) -> bool {
    let mut initials = String::new();
    for word in &reading.words {
        let Some(form) = reading.form(word) else { continue };
        if word.capital {
            initials.extend(form.lower.chars().next());
        } else if form.content {
            initials.push(' ');
        }
    }
    let joined = |pair: &[Word]| matches!(pair, [a, b] if acronym.strip_prefix(reading.lower(a)) == Some(reading.lower(b)));
    initials.contains(acronym) || reading.words.windows(2).any(joined)
}
