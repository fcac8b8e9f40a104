//! One sentence for a person, from the same analysis as the score.
//!
//! It quotes words of the question, and of the text at most one word: a text cannot speak through it.

use super::Found;
use super::reading::Reading;
use super::scale::{MISSING, SURE};
use super::values::Values;
use super::window::Window;
use crate::question::{Kind, Part, Role, Term};
use crate::words::bare;

/// A term is there from this match on.
const THERE: f64 = 0.5;
/// How many words are quoted in one list.
const QUOTED: usize = 3;
/// The longest quoted word, in characters.
const WORD_CHARS: usize = 24;

/// Says why a text has its score.
pub(super) fn why(score: u8, found: &[Found<'_>], reading: &Reading<'_>) -> String {
    let Some(best) = found.iter().max_by(|a, b| a.value.total_cmp(&b.value)) else {
        let nothing = if reading.words.is_empty() {
            "The text has no words"
        } else {
            "The question has no content word"
        };
        return format!("{nothing} to judge by.");
    };
    let view = View { part: best.part, window: &best.window, reading };
    let missed =
        found.iter().filter(|other| super::scale::score(other.value) < super::KEPT).count();
    match score {
        4.. if missed > 0 => {
            format!("{} That answers one part of the question, not all.", view.answers())
        }
        4.. => view.answers(),
        3 => view.touches(),
        2 => view.shares(),
        _ => view.off_topic(),
    }
}

struct View<'a, 't> {
    part: &'a Part,
    window: &'a Window,
    reading: &'a Reading<'t>,
}

impl View<'_, '_> {
    fn answers(&self) -> String {
        let there = quoted(&self.there());
        match phrases(self.part.kind) {
            Some((has, _)) if self.window.value >= SURE && !there.is_empty() => {
                format!("{} and speaks of {there} in one place.", capital(has))
            }
            _ if there.is_empty() => "Speaks to the question in one place.".to_owned(),
            _ => format!("Speaks of {there} in one place, as the question does."),
        }
    }

    fn touches(&self) -> String {
        let there = self.there();
        let subject = if there.is_empty() {
            "Touches the topic".to_owned()
        } else {
            format!("Speaks of {}", quoted(&there))
        };
        match self.lack() {
            Some(lack) => format!("{subject}, but {lack}."),
            None => format!("{subject}; key specifics are missing."),
        }
    }

    fn shares(&self) -> String {
        if self.window.echo {
            return "Repeats the question without answering it.".to_owned();
        }
        if let Some(other) = self.other_price() {
            let missing = self.missing();
            let rest = if missing.is_empty() {
                String::new()
            } else {
                format!("; nothing on {}", quoted(&missing))
            };
            return format!("Names prices, but of {other}{rest}.");
        }
        let there = self.there();
        let (shared, joint) = if there.is_empty() {
            ("Shares little with the question".to_owned(), "and")
        } else {
            (format!("Shares {} with the question", quoted(&there)), "but")
        };
        match self.lack() {
            Some(lack) => format!("{shared}, {joint} {lack}."),
            None => format!("{shared}, but does not address it."),
        }
    }

    fn off_topic(&self) -> String {
        if self.window.echo && !self.there().is_empty() {
            return "Repeats the question without answering it.".to_owned();
        }
        let there = self.there();
        if there.is_empty() {
            "Off topic: shares no important word with the question.".to_owned()
        } else {
            format!("Off topic: shares only {} with the question.", quoted(&there))
        }
    }

    /// What is not there: the value that is asked for, or the weightiest terms.
    fn lack(&self) -> Option<String> {
        let missing = self.missing();
        match phrases(self.part.kind) {
            Some((_, lacks)) if self.window.value < SURE => Some(match missing.is_empty() {
                true => lacks.to_owned(),
                false => format!("{lacks} and says nothing on {}", quoted(&missing)),
            }),
            _ if !missing.is_empty() => Some(format!("says nothing on {}", quoted(&missing))),
            _ => Some(self.apart())
                .filter(|apart| !apart.is_empty())
                .map(|apart| format!("speaks of {} elsewhere only", quoted(&apart))),
        }
    }

    /// The weightiest terms that the window has, names only where there is nothing else.
    fn there(&self) -> Vec<&str> {
        let found = terms(self.part, &self.window.matches, |found| found >= THERE);
        let plain: Vec<&str> =
            found.iter().filter(|term| is_telling(term)).map(|term| term.shown.as_str()).collect();
        if plain.is_empty() {
            found
                .iter()
                .filter(|term| term.role == Role::Name)
                .map(|term| term.shown.as_str())
                .collect()
        } else {
            plain
        }
    }

    /// The weightiest terms that neither the text nor its title has.
    fn missing(&self) -> Vec<&str> {
        self.lacking(&self.window.anywhere)
    }

    /// The weightiest terms that only the window lacks: the text speaks of them elsewhere.
    fn apart(&self) -> Vec<&str> {
        let nowhere = self.missing();
        let lacking = self.lacking(&self.window.matches);
        lacking.into_iter().filter(|term| !nowhere.contains(term)).collect()
    }

    fn lacking(&self, matches: &[f64]) -> Vec<&str> {
        terms(self.part, matches, |found| found < MISSING)
            .into_iter()
            .filter(|term| is_telling(term))
            .map(|term| term.shown.as_str())
            .collect()
    }

    /// A noun whose price the text names, where it is not the one that was asked for.
    fn other_price(&self) -> Option<String> {
        (self.part.kind == Kind::Price && self.window.value < SURE).then_some(())?;
        let noun = Values::new(self.part, self.window.first, self.reading, false).other_price()?;
        Some(quote(&noun))
    }
}

/// The terms whose match fits, the weightiest first.
fn terms<'a>(part: &'a Part, matches: &[f64], fits: impl Fn(f64) -> bool) -> Vec<&'a Term> {
    let found = part.terms.iter().zip(matches).filter(|(_, found)| fits(**found));
    let mut terms: Vec<&Term> = found.map(|(term, _)| term).collect();
    terms.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    terms
}

fn is_telling(term: &Term) -> bool {
    matches!(term.role, Role::Content | Role::Asked)
}

/// What a text does that has the value of a kind, and what one does that lacks it.
fn phrases(kind: Kind) -> Option<(&'static str, &'static str)> {
    Some(match kind {
        Kind::Price => ("names a price", "names no price for it"),
        Kind::Count => ("gives a number", "gives no number of them"),
        Kind::Measure => ("gives a figure", "gives no figure"),
        Kind::Duration => ("says how long", "does not say how long"),
        Kind::Frequency => ("says how often", "does not say how often"),
        Kind::Date => ("gives a date", "gives no date for it"),
        Kind::Cause => ("gives a reason", "gives no reason"),
        Kind::Method => ("tells how it is done", "does not tell how it is done"),
        Kind::Contrast => ("sets the two against each other", "does not compare them"),
        Kind::Person => ("says who", "does not say who"),
        Kind::Place => ("names a place", "does not say where"),
        Kind::Permission => ("says what is allowed", "does not say what is allowed"),
        Kind::Definition => ("says what it means", "does not say what it means"),
        Kind::YesNo | Kind::Which | Kind::Open => return None,
    })
}

/// `'a', 'b' and 'c'`.
fn quoted(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().take(QUOTED).map(|word| quote(word)).collect();
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// A word in quotation marks, with the number that names it: letters and digits only.
fn quote(word: &str) -> String {
    let plain: String = bare(word)
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, '-' | '.' | ' '))
        .take(WORD_CHARS)
        .collect();
    format!("'{plain}'")
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
