//! A chosen sentence → a statement that can be shown: by itself, with what it refers to, with its passage, or as a
//! quotation.

use std::ops::Range;

use probity_model::untrusted::quarantine;
use probity_report::draft::{Form, Statement};
use probity_text::Language;
use probity_text::sentences::sentences;
use probity_text::table_row::row;

use super::answer::Choice;
use super::lists;
use super::retrieve::Library;
use super::sentence::{Fit, dangles, fit};
use super::usage::is_fragment;

/// How much of a passage is quoted around a sentence, in words.
const PASSAGE_WORDS: usize = 75;
/// The same where any of its sentences may answer: the passage as it was read.
const WHOLE_PASSAGE_WORDS: usize = 120;

/// A sentence as a statement, with what it refers to. What goes on from something that cannot be shown is none.
pub(super) fn statement(library: &Library<'_>, choice: &Choice) -> Option<Statement> {
    let text = library.slice(choice.source, &choice.sentence);
    let is_english =
        || Language::detect(library.slice(choice.source, &choice.passage)) == Language::English;
    if is_fragment(text) && is_english() {
        return None;
    }
    let (text, form) = match fit(text) {
        Fit::Stands => (text, Form::Prose),
        Fit::Refers => match with_antecedent(library, choice) {
            Some(both) => (both, Form::Prose),
            None if dangles(text) => return None,
            None => (text, Form::Quote),
        },
        Fit::Quoted if !dangles(text) => (text, Form::Quote),
        Fit::Quoted | Fit::Code | Fit::Unfit => return None,
    };
    told(library, choice, text, form)
}

/// The best sentence as a statement: if need be with the one before it, whatever that is, because its answer counts for
/// more than its style.
fn leading(library: &Library<'_>, choice: &Choice) -> Option<Statement> {
    let quoted = || {
        let text = with_one_before(library, choice);
        can_lead(library, choice).then(|| told(library, choice, text, Form::Quote))?
    };
    statement(library, choice).or_else(quoted)
}

fn can_lead(library: &Library<'_>, choice: &Choice) -> bool {
    fit(library.slice(choice.source, &choice.sentence)) != Fit::Unfit
}

fn told(library: &Library<'_>, choice: &Choice, text: &str, form: Form) -> Option<Statement> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(Statement { text, cites: vec![library.source(choice.source)?.id], form })
}

/// A sentence with the one before it in its passage, if it goes on from that.
fn with_one_before<'a>(library: &Library<'a>, choice: &Choice) -> &'a str {
    let before = library.slice(choice.source, &(choice.passage.start..choice.sentence.start));
    let own = library.slice(choice.source, &choice.sentence);
    let last = sentences(before).pop().filter(|one| {
        let text = before.get(one.clone()).unwrap_or_default();
        dangles(own) && row(text).is_none() && !matches!(fit(text), Fit::Unfit | Fit::Code)
    });
    let both = last.map(|one| {
        library.slice(choice.source, &(choice.passage.start + one.start..choice.sentence.end))
    });
    both.filter(|both| both.split_whitespace().count() <= PASSAGE_WORDS).unwrap_or(own)
}

/// The sentence together with those before it in its paragraph, back to one that stands by itself.
fn with_antecedent<'a>(library: &Library<'a>, choice: &Choice) -> Option<&'a str> {
    let before = library.slice(choice.source, &(choice.passage.start..choice.sentence.start));
    let paragraph = before.rfind('\n').map_or(0, |at| at + 1);
    let earlier = sentences(before).into_iter().rev();
    let (start, _) = earlier
        .map(|one| (one.start, fit(before.get(one).unwrap_or_default())))
        .take_while(|(start, fit)| *start >= paragraph && matches!(fit, Fit::Stands | Fit::Refers))
        .find(|(_, fit)| *fit == Fit::Stands)?;
    let both = library.slice(choice.source, &(choice.passage.start + start..choice.sentence.end));
    (both.split_whitespace().count() <= PASSAGE_WORDS).then_some(both)
}

/// Whether a choice can be shown at all: as a sentence, as a row, or with the list that it belongs to.
pub(super) fn can_be_shown(library: &Library<'_>, choice: &Choice) -> bool {
    let in_list = || {
        let source = library.source(choice.source);
        source.is_some_and(|source| lists::carried(source, &choice.sentence).is_some())
    };
    let is_row = || row(library.slice(choice.source, &choice.sentence)).is_some();
    can_lead(library, choice) || is_row() || in_list()
}

/// The passage of a choice, as it is quoted.
pub(super) fn passage_of(library: &Library<'_>, choice: &Choice) -> Option<Statement> {
    with_passage(library, choice, &[], PASSAGE_WORDS, false).map(|(_, told)| told)
}

/// How the choices are shown, in their order. Where it is in doubt which sentence answers, the first ones come with
/// their passages, as quotations where nothing answers, and what a passage shows already is not shown again. The first
/// passage is whole if any of its sentences may answer.
pub(super) fn shown(
    library: &Library<'_>,
    choices: &[Choice],
    passages: usize,
    is_whole: bool,
    answers: bool,
) -> Vec<Option<Statement>> {
    // Where nothing answers, nothing is said in the report's own voice.
    let voiced = |told: Statement| match told.form {
        Form::Prose if !answers => Statement { form: Form::Quote, ..told },
        _ => told,
    };
    let mut quoted: Vec<(usize, Range<usize>)> = Vec::new();
    let show = |(rank, choice): (usize, &Choice)| {
        let start = choice.sentence.start;
        if quoted.iter().any(|(source, range)| *source == choice.source && range.contains(&start)) {
            return None;
        }
        // An item of a list is explained by its list, which comes with it.
        if let Some(item) = item(library, choice) {
            return Some(item);
        }
        let most = if is_whole && rank == 0 { WHOLE_PASSAGE_WORDS } else { PASSAGE_WORDS };
        let passage = || with_passage(library, choice, &quoted, most, answers);
        let Some((range, told)) = (quoted.len() < passages).then(passage).flatten() else {
            let told =
                if rank == 0 { leading(library, choice) } else { statement(library, choice) };
            return told.map(voiced);
        };
        quoted.push((choice.source, range));
        Some(told)
    };
    choices.iter().enumerate().map(show).collect()
}

/// Of a passage the sentences around one of its own, at most so many: those that follow, and those before it where there
/// are too few. What one refers to stands before it.
pub(super) fn excerpt(passage: &str, sentence: &str, most: usize) -> String {
    let sentence = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
    let all = sentences(passage);
    let text = |range: &Range<usize>| passage.get(range.clone()).unwrap_or_default();
    let own =
        all.iter().position(|one| sentence.starts_with(text(one)) || text(one).contains(&sentence));
    let Some(own) = own.filter(|_| all.len() > most) else { return passage.to_owned() };
    let refers = fit(&sentence) == Fit::Refers;
    let first = own.saturating_sub(usize::from(refers)).min(all.len().saturating_sub(most));
    let last = (first + most.max(1 + own - first)).min(all.len()) - 1;
    match (all.get(first), all.get(last)) {
        (Some(first), Some(last)) => text(&(first.start..last.end)).to_owned(),
        _ => passage.to_owned(),
    }
}

/// A text without the sentences at its beginning that are told already, unless those are all.
pub(super) fn untold(text: &str, told: &[String]) -> String {
    let is_told = |sentence: &str| told.iter().any(|known| known.contains(sentence));
    let all = sentences(text);
    let first = all.iter().find(|one| !is_told(text.get((*one).clone()).unwrap_or_default()));
    first.and_then(|one| text.get(one.start..)).unwrap_or(text).to_owned()
}

/// The item of a list that a choice stands in, if the list is carried over.
fn item(library: &Library<'_>, choice: &Choice) -> Option<Statement> {
    let source = library.source(choice.source)?;
    let list = lists::carried(source, &choice.sentence)?;
    list.entry_of(source, &choice.sentence).cloned()
}

/// A sentence with as much of its passage as is worth quoting, in so many words, and is not quoted yet. None where there is no more to
/// quote, or where it is no running text.
fn with_passage(
    library: &Library<'_>,
    choice: &Choice,
    quoted: &[(usize, Range<usize>)],
    most: usize,
    answers: bool,
) -> Option<(Range<usize>, Statement)> {
    let source = library.source(choice.source)?;
    let passage = library.slice(choice.source, &choice.passage);
    let start = choice.passage.start;
    let all: Vec<_> =
        sentences(passage).into_iter().map(|one| start + one.start..start + one.end).collect();
    let words =
        |range: &Range<usize>| library.slice(choice.source, range).split_whitespace().count();
    let is_new = |range: &Range<usize>| {
        !quoted.iter().any(|(of, known)| *of == choice.source && known.contains(&range.start))
    };
    let is_prose = |range: &Range<usize>| {
        let text = library.slice(choice.source, range);
        // What speaks to programs is not quoted beside an answer either.
        let is_said = !matches!(fit(text), Fit::Unfit | Fit::Code);
        row(text).is_none() && is_said && quarantine(text).removed == 0
    };
    let own = all.iter().position(|one| one.end > choice.sentence.start)?;
    let (mut first, mut last, mut left) = (own, own, most.checked_sub(words(&choice.sentence))?);
    let refers = fit(library.slice(choice.source, &choice.sentence)) == Fit::Refers;
    // What follows explains a sentence more often than what is before it, unless it refers to that.
    loop {
        let takes = |at: usize| all.get(at).filter(|one| is_prose(one) && is_new(one)).map(words);
        let after = takes(last + 1).filter(|length| *length <= left);
        let before = first.checked_sub(1).and_then(takes).filter(|length| *length <= left);
        match (after, before) {
            (_, Some(length)) if refers && first == own => {
                (first, left) = (first - 1, left - length)
            }
            (Some(length), _) => (last, left) = (last + 1, left - length),
            (None, Some(length)) => (first, left) = (first - 1, left - length),
            (None, None) => break,
        }
    }
    let (from, to) = (all.get(first)?.start, all.get(last)?.end);
    let text = library.slice(choice.source, &(from..to));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut fits = all.get(first..=last)?.iter().map(|one| fit(library.slice(choice.source, one)));
    // Whose sentences all speak of things by name is told like any other, where it answers.
    let stands = fits.next() == Some(Fit::Stands)
        && fits.all(|fit| matches!(fit, Fit::Stands | Fit::Refers));
    let form = if stands && answers { Form::Prose } else { Form::Quote };
    let told = Statement { text, cites: vec![source.id], form };
    (first < last).then_some((from..to, told))
}
