//! A chosen sentence → a statement that can be shown: by itself, with what it refers to, or as a quotation.

use probity_report::draft::{Form, Statement};

use super::answer::Choice;
use super::retrieve::Library;
use super::sentence::{Fit, fit};

/// A sentence as a statement, with the one that it refers to.
pub(super) fn statement(library: &Library<'_>, choice: &Choice) -> Option<Statement> {
    let source = library.source(choice.source)?;
    let text = library.slice(choice.source, &choice.sentence);
    let (text, form) = match fit(text, source.published.is_some()) {
        Fit::Stands => (text, Form::Prose),
        Fit::Refers => match with_antecedent(library, choice) {
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
fn with_antecedent<'a>(library: &Library<'a>, choice: &Choice) -> Option<&'a str> {
    let before = library.slice(choice.source, &(choice.passage.start..choice.sentence.start));
    let last = probity_text::sentences::sentences(before).pop()?;
    let start = choice.passage.start + last.start;
    let antecedent = before.get(last)?;
    let gap = library.slice(choice.source, &(start + antecedent.len()..choice.sentence.start));
    (fit(antecedent, false) == Fit::Stands && !gap.contains('\n'))
        .then(|| library.slice(choice.source, &(start..choice.sentence.end)))
}
