//! The finding in one clause: the answer's own sentence where it is short and whole, else who answers what, else the
//! sentence under the title that says of what it speaks.

use probity_core::ClaimReview;
use probity_report::assemble::short_title;
use probity_report::phrases::{Phrase, Phrases};

use super::answer::{Answered, Choice};
use super::question::Part;
use super::retrieve::Library;
use super::sentence::{Fit, fit};
use super::value;

/// The longest headline, in words.
const WORDS: usize = 20;
/// Another sentence with the same answer heads the report if it is this near to the best.
const NEAR: f64 = 2.0;
/// The longest answer that is quoted by itself, in words.
const VALUE_WORDS: usize = 16;

/// The best sentence as a headline, or another one with the same answer that is nearly as good.
pub(super) fn sentence_of(
    part: &Part,
    choices: &[Choice],
    library: &Library<'_>,
) -> Option<String> {
    let best = choices.first()?;
    let text = |choice: &Choice| library.slice(choice.source, &choice.span);
    let near = choices.iter().filter(|choice| best.score - choice.score <= NEAR);
    let same = near.filter(|choice| value::answer_alike(&part.text, text(best), text(choice)));
    std::iter::once(best).chain(same).find_map(|choice| standing(choice, library))
}

/// A sentence as a headline, if it is short enough and says of what it speaks, or its title does.
pub(super) fn sentence(choice: &Choice, library: &Library<'_>) -> Option<String> {
    standing(choice, library).or_else(|| under_title(choice, library))
}

fn standing(choice: &Choice, library: &Library<'_>) -> Option<String> {
    let (text, clause) = clause(choice, library);
    (fit(text) == Fit::Stands && is_short(&clause)).then_some(clause)
}

/// A sentence that refers to what its title names.
pub(super) fn under_title(choice: &Choice, library: &Library<'_>) -> Option<String> {
    let (text, clause) = clause(choice, library);
    let title = short_title(library.source(choice.source)?.title)?;
    let headline = format!("{title}: {}", lower_first(&clause));
    (fit(text) == Fit::Refers && is_short(&headline)).then_some(headline)
}

/// A sentence, and the same without its full stop.
fn clause<'a>(choice: &Choice, library: &Library<'a>) -> (&'a str, String) {
    let text = library.slice(choice.source, &choice.sentence);
    (text, text.trim().trim_end_matches('.').to_owned())
}

fn is_short(text: &str) -> bool {
    text.split_whitespace().count() <= WORDS
}

/// Who answers what, where no sentence is short enough but the answer is. What is left of the row that was asked for is
/// the answer, whatever it looks like.
pub(super) fn by_value(
    part: &Part,
    answered: &Answered,
    is_row_meant: bool,
    library: &Library<'_>,
) -> Option<String> {
    let best = answered.choices.first()?;
    let phrases = Phrases::of(&part.text);
    let sentence = library.slice(best.source, &best.sentence).trim();
    // What is in a review is the claim, and not the answer.
    if ClaimReview::is_sentence(sentence) {
        return Some(sentence.trim_end_matches('.').to_owned());
    }
    let value = library.slice(best.source, &best.span).trim();
    let value = value.trim_matches(['.', ',', ';', ':', '“', '”', '"', ' ']);
    let words = value.split_whitespace().count();
    let by = named(best, library);
    // What few words mean is the reader's to tell, and it was taught English.
    let is_answer = match phrases.is_english() {
        true => value::is_an_answer(part, value, !answered.is_doubtful()),
        false => value::is_a(part.wanted, value),
    };
    let is_answer = is_answer || is_row_meant && best.span != best.sentence;
    if let Some(by) = &by
        && (1..=VALUE_WORDS).contains(&words)
        && is_single(value)
        && is_answer
    {
        let headline = format!("“{value}”{}{by}", phrases.say(Phrase::Says, &[]));
        return Some(headline).filter(|text| is_short(text));
    }
    None
}

/// What spans a colon or half a bracket is no single value.
fn is_single(value: &str) -> bool {
    let balanced =
        |open: char, close: char| value.matches(open).count() == value.matches(close).count();
    let whole =
        balanced('(', ')') && balanced('[', ']') && value.matches('"').count().is_multiple_of(2);
    whole && !value.contains(['\n', '“', '”', ';']) && !value.contains(": ")
}

/// What a source is called: its title in quotation marks if it is short, else its outlet. A document of the user's own
/// has no outlet that a reader knows.
fn named(choice: &Choice, library: &Library<'_>) -> Option<String> {
    let source = library.source(choice.source)?;
    let is_local = probity_core::WebUrl::parse(source.url).is_ok_and(|url| url.is_local());
    let title = short_title(source.title).or(is_local.then(|| source.title.trim()));
    let by = title.map_or_else(|| source.outlet.to_owned(), |title| format!("“{title}”"));
    (!by.trim_matches(['“', '”']).is_empty()).then_some(by)
}

/// What is said where no source answers.
pub(super) fn of_gap(question: &str) -> String {
    let phrases = Phrases::of(question);
    let asked = question.trim().trim_end_matches(['?', ' ']);
    let asked = if phrases.is_english() { lower_first(asked) } else { asked.to_owned() };
    format!("{}: {asked}", phrases.say(Phrase::NotSaid, &[]))
}

/// A text whose first word, if it is a common one, begins with a small letter.
fn lower_first(text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or_default();
    let lower = first.to_lowercase();
    let common = probity_text::stopwords::stopwords(probity_text::Language::English)
        .contains(lower.as_str());
    if common && text.len() > lower.len() && first != "I" {
        return format!("{lower}{}", text.get(first.len()..).unwrap_or_default());
    }
    text.to_owned()
}
