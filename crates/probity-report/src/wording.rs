//! Sentences that several formats say in the same words. Cleaned, not yet escaped.

use probity_core::{Candidate, printable};
use probity_text::date_mention::is_relative;

use crate::assemble::{CheckedReport, CheckedStatement, unnumbered};
use crate::confidence::Level;
use crate::escape::one_line;
use crate::facts::RunFacts;
use crate::methodology::kind;
use crate::phrases::{Phrase, Phrases};
use crate::reference::publisher;

/// How much of the title is at the foot of each page, in characters.
const RUNNING_TITLE_CHARS: usize = 90;

/// How much of a title is shown before a quotation from a document without a publisher, in characters.
const QUOTED_TITLE_CHARS: usize = 60;

/// Stands before a conclusion in every format.
pub(crate) const INFERRED: &str = "Inferred:";
/// Stand around the citations of what a conclusion is drawn from.
pub(crate) const DRAWN_FROM: (&str, &str) = ("(from", ")");
/// Heads the column of a table that has the citations.
pub(crate) const CITED: &str = "Sources";

/// Who says what is quoted, and when.
pub(crate) fn attribution(report: &CheckedReport, quote: &CheckedStatement) -> String {
    attributed(report.facts(), quote)
}

/// The same by the facts of a run.
pub(crate) fn attributed(facts: &RunFacts, quote: &CheckedStatement) -> String {
    let said = quote.evidence.first().map(|evidence| evidence.source);
    let Some(source) = facts.candidates.iter().find(|c| Some(c.id) == said) else {
        return String::new();
    };
    // A document of the user's own has no publisher that a reader knows.
    let by = match source.url.is_local() && !source.title.trim().is_empty() {
        true => named_document(source),
        false => publisher(source).to_owned(),
    };
    let phrases = Phrases::of_report(facts);
    let by = match source.published {
        Some(day) if phrases.is_english() => format!("{by}, {}", day.strftime("%-d %B %Y")),
        // The months of other languages are not known here; this form is read in all of them.
        Some(day) => format!("{by}, {day}"),
        // It is not known which month "last month" was.
        None if is_relative(&quote.text) => {
            format!("{by}, {}", phrases.word(Phrase::SourceUndated))
        }
        None => by,
    };
    match source.attribution.as_deref().map(str::trim).filter(|kind| !kind.is_empty()) {
        Some(kind) => format!("{} ({by})", with_capital(&phrases.attribution(kind))),
        None => by,
    }
}

/// When a source was published, and when an archive captured what was read of it.
pub(crate) fn dated(shape: Phrases, source: &Candidate) -> String {
    let say = |phrase, day: String| shape.say(phrase, &[(&day).into()]);
    let mut text = match source.published {
        Some(day) => say(Phrase::SourcePublished, day.to_string()),
        None => shape.word(Phrase::SourceUndated).to_owned(),
    };
    if let Some(day) = source.archived {
        text.push_str(&say(Phrase::SourceArchived, day.to_string()));
    }
    text
}

/// The name of a level in a report.
pub(crate) fn level(shape: Phrases, level: Level) -> &'static str {
    shape.word(match level {
        Level::Low => Phrase::LevelLow,
        Level::Medium => Phrase::LevelMedium,
        Level::High => Phrase::LevelHigh,
    })
}

/// What a report without disagreements says.
pub(crate) fn no_conflict(facts: &RunFacts) -> String {
    Phrases::of_report(facts).say(Phrase::NoConflict, &[])
}

/// What a report says when checking left nothing of the draft.
pub(crate) fn no_finding(facts: &RunFacts) -> String {
    Phrases::of_report(facts).say(Phrase::NoFinding, &[])
}

/// Stands before the questions that might have led to a report.
pub(crate) fn better_questions(facts: &RunFacts) -> String {
    Phrases::of_report(facts).say(Phrase::BetterQuestions, &[])
}

/// What a document of the user's own is called.
pub(crate) fn named_document(source: &Candidate) -> String {
    document_name(source.url.as_str(), &source.title)
}

/// What a document of the user's own is called: its title or, if that is a whole sentence, its file.
pub fn document_name(url: &str, title: &str) -> String {
    let title = unnumbered(title);
    let whole = printable::brief(title, QUOTED_TITLE_CHARS);
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let file = path.rsplit('/').next().filter(|file| !file.is_empty() && whole != title);
    file.map_or(whole, |file| printable::brief(file, QUOTED_TITLE_CHARS))
}

fn with_capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The line below the title: how the report came about, and when.
pub(crate) fn about(facts: &RunFacts) -> String {
    format!("{} · {} · {}", kind(facts), asked(facts), author(facts))
}

/// When it was asked.
pub(crate) fn asked(facts: &RunFacts) -> String {
    let day = facts.asked_at.date().to_string();
    Phrases::of_shape(facts).say(Phrase::AboutAsked, &[(&day).into()])
}

/// Who wrote it.
pub(crate) fn author(facts: &RunFacts) -> String {
    let shape = Phrases::of_shape(facts);
    match facts.author.is_model {
        true => shape.say(Phrase::AboutModel, &[(&one_line(&facts.author.name)).into()]),
        false => shape.word(Phrase::AboutRule).to_owned(),
    }
}

/// The title as it is at the foot of each page.
pub(crate) fn running_title(report: &CheckedReport) -> String {
    printable::brief(&one_line(report.title()), RUNNING_TITLE_CHARS)
}
