//! The finding in one clause: the answer's own sentence where it is short and whole, else who answers what, else the
//! sentence under the title that says of what it speaks.

use std::ops::Range;

use probity_core::ClaimReview;
use probity_reader::Stopped;
use probity_report::assemble::{HEADLINE_CHARS, document_name, short_title};
use probity_report::phrases::{Phrase, Phrases};
use probity_text::words::{bare, words};

use super::answer::{Answered, Band, Choice};
use super::lists;
use super::made::{MadeOf, Maker};
use super::question::{AUXILIARIES, Part, Wanted};
use super::retrieve::Library;
use super::sentence::{Fit, fit, links, without_link};
use super::sides::sides;
use super::usage::has_verb;
use super::value::{self, names};

/// The longest headline, in words, and the longest where no shorter one says it.
const WORDS: usize = 20;
const MOST_WORDS: usize = 25;
/// Another sentence with the same answer heads the report if it is this near to the best.
const NEAR: f64 = 2.0;
/// The longest words of a source that are quoted, and with who says them.
const VALUE_WORDS: usize = 16;
/// The shortest that say something by themselves.
const CLAUSE_WORDS: usize = 4;
/// What links a clause to the one before.
const LINKING: &[&str] = &["and", "but", "or", "so", "nor", "yet", "while", "whereas"];
/// What leads into a main clause.
const LEADING: &[&str] =
    &["when", "if", "while", "although", "because", "since", "as", "unless", "though", "whereas"];
/// What else makes words from the middle of a sentence a part of another clause, or none.
const PARTIAL: &[&str] = &[
    "which", "who", "whose", "where", "that", "than", "not", "to", "of", "in", "on", "at", "by",
    "for", "from", "with",
];
/// What divides a sentence.
const MARKS: [&str; 7] = [", ", "; ", ": ", " (", ") ", " – ", " — "];

/// What the best sentences on a part of a question say in a few words; none where that takes more words, or where no
/// source answers.
pub(super) fn of(maker: &Maker<'_>, is_row_meant: bool) -> Result<Option<Headline>, Stopped> {
    let Maker { part, answered, library, .. } = *maker;
    let is_plain = answered.band == Band::Plain;
    let Some(best) = answered.choices.first() else { return Ok(None) };
    let of_best = |text: String| Headline { text, of: best.clone(), made_of: None };
    let is_review = ClaimReview::is_sentence(library.slice(best.source, &best.sentence).trim());
    if is_plain && (is_row_meant || is_review) {
        return Ok(by_value(part, answered, is_row_meant, library).map(of_best));
    }
    // The source's own words come first, if they say plainly what is asked; a sentence does not say yes or no.
    let own = sentence_of(part, &answered.choices, library).filter(|_| is_plain);
    let says = |own: &Headline| part.wanted != Wanted::Truth && is_direct(part, &own.text);
    if own.as_ref().is_some_and(says) {
        return Ok(own);
    }
    if let Some(made) = maker.make()? {
        return Ok(Some(made));
    }
    if !is_plain {
        return Ok(None);
    }
    if let Some(text) = of_list(part, best, library) {
        return Ok(Some(Headline { made_of: Some(MadeOf::List), ..of_best(text) }));
    }
    if let Some(shorter) = maker.shorter(own.as_ref().map_or(best, |own| &own.of), WORDS)? {
        return Ok(Some(shorter));
    }
    let whole = own.or_else(|| standing(best, library, MOST_WORDS).map(of_best));
    if whole.is_some() {
        return Ok(whole);
    }
    if let Some(shorter) = maker.shorter(best, MOST_WORDS)? {
        return Ok(Some(shorter));
    }
    // A part of a sentence heads no report where it is in doubt whether that answers.
    if answered.is_doubtful() && Phrases::of(&part.text).is_english() {
        return Ok(None);
    }
    let titled = || under_title(best, library).or_else(|| by_value(part, answered, false, library));
    Ok(titled().or_else(|| as_quotation(part, best, library)).map(of_best))
}

/// A headline, and the sentence of a source that it is made from.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Headline {
    pub(super) text: String,
    pub(super) of: Choice,
    /// What it follows from, where it is not the sentence itself.
    pub(super) made_of: Option<MadeOf>,
}

/// The best sentence as a headline, or another one with the same answer that is nearly as good.
fn sentence_of(part: &Part, choices: &[Choice], library: &Library<'_>) -> Option<Headline> {
    let best = choices.first()?;
    let text = |choice: &Choice| library.slice(choice.source, &choice.span);
    let near = choices.iter().filter(|choice| best.score - choice.score <= NEAR);
    let same = near.filter(|choice| value::answer_alike(&part.text, text(best), text(choice)));
    let headline = |choice: &Choice| {
        let own = standing(choice, library, WORDS)?;
        // "The network went live in 1971" does not say which, but its title may.
        let names = |title: &str| !is_named(part, &own) && is_named(part, title);
        let title = short_title(library.source(choice.source)?.title).filter(|title| names(title));
        let text = title.and_then(|_| titled(choice, &own, library)).unwrap_or_else(|| own.clone());
        Some(Headline { text, of: choice.clone(), made_of: None })
    };
    std::iter::once(best).chain(same).find_map(headline)
}

/// Whether a sentence says by itself what is asked: it names what the question names, and begins with what it is about.
fn is_direct(part: &Part, sentence: &str) -> bool {
    const POINTING: &[&str] = &["it", "they"];
    let points = sentence.split_whitespace().any(|word| POINTING.contains(&lower(word).as_str()));
    let whole = !sentence.contains('(');
    let leads = LEADING.contains(&first_word(sentence).as_str());
    whole && is_named(part, sentence) && !leads && !points
}

fn lower(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

fn first_word(text: &str) -> String {
    text.split_whitespace().next().map(lower).unwrap_or_default()
}

/// Whether a text has one of the names that the question has, if it has any: what is written with a capital, or with
/// signs or digits as in a program.
fn is_named(part: &Part, text: &str) -> bool {
    let inner = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let is_marked = |word: &String| {
        word.contains(|c: char| !c.is_alphabetic() && !matches!(c, '\'' | '’' | '-'))
    };
    let mut names = names(&part.text);
    names.extend(part.text.split_whitespace().map(inner).filter(is_marked));
    let all = words(text).map(|word| bare(&word.lower).to_owned());
    let mut all = all.chain(text.split_whitespace().map(inner));
    names.is_empty() || all.any(|word| names.contains(&word))
}

/// A sentence as a headline, if it is short enough and says of what it speaks, or its title does.
pub(super) fn sentence(choice: &Choice, library: &Library<'_>) -> Option<String> {
    standing(choice, library, WORDS).or_else(|| under_title(choice, library))
}

fn standing(choice: &Choice, library: &Library<'_>, most: usize) -> Option<String> {
    let (text, clause) = clause(choice, library);
    // A sentence that goes over a line begins with something else, such as a heading.
    let whole = fits(&clause, most) && !clause.contains('\n') && has_verb(main_clause(&clause));
    (fit(text) == Fit::Stands && whole).then_some(clause)
}

/// What stands before a relative clause.
fn main_clause(text: &str) -> &str {
    let cut = [", which ", ", who ", ", where "].iter().filter_map(|mark| text.find(mark)).min();
    text.get(..cut.unwrap_or(text.len())).unwrap_or(text)
}

/// A clause under the title of its source.
fn titled(choice: &Choice, clause: &str, library: &Library<'_>) -> Option<String> {
    let title = short_title(library.source(choice.source)?.title)?;
    Some(format!("{title}: {}", lower_first(clause))).filter(|text| is_short(text))
}

/// A sentence that refers to what its title names.
fn under_title(choice: &Choice, library: &Library<'_>) -> Option<String> {
    let (text, clause) = clause(choice, library);
    let may = fit(text) == Fit::Refers && !links(text);
    titled(choice, &clause, library).filter(|_| may)
}

/// A sentence, and the same without its full stop.
fn clause<'a>(choice: &Choice, library: &Library<'a>) -> (&'a str, String) {
    let text = library.slice(choice.source, &choice.sentence);
    (text, text.trim().trim_end_matches('.').to_owned())
}

fn is_short(text: &str) -> bool {
    fits(text, WORDS)
}

/// Whether a text has at most so many words and is not cut where a headline is.
pub(super) fn fits(text: &str, most: usize) -> bool {
    text.split_whitespace().count() <= most && text.chars().count() <= HEADLINE_CHARS
}

/// Who answers what, where no sentence is short enough but the answer is. What is left of the row that was asked for is
/// the answer, whatever it looks like.
pub(super) fn by_value(
    part: &Part,
    answered: &Answered,
    is_row_meant: bool,
    library: &Library<'_>,
) -> Option<String> {
    // A part of a sentence tells one side of a comparison.
    let best = answered.choices.first().filter(|_| sides(&part.text).is_none())?;
    let phrases = Phrases::of(&part.text);
    let sentence = library.slice(best.source, &best.sentence).trim();
    // What is in a review is the claim, and not the answer.
    if ClaimReview::is_sentence(sentence) {
        return Some(sentence.trim_end_matches('.').to_owned());
    }
    let value = library.slice(best.source, &best.span).trim();
    // What few words mean is the reader's to tell, and it was taught English.
    let is_answer = match phrases.is_english() {
        true => value::is_an_answer(part, value, !answered.is_doubtful()),
        false => value::is_a(part.wanted, value),
    };
    let is_cell = is_row_meant && best.span != best.sentence;
    let is_value = is_cell || value::is_a(part.wanted, value);
    // Whether it is so takes a clause to say, and so does what has no kind.
    let is_clause = !is_cell && (is_answer || part.wanted == Wanted::Truth);
    let by = named(best, library)?;
    let clause = is_clause.then(|| (around(sentence, library, best), CLAUSE_WORDS));
    // The middle of a sentence says less than a name, a time or an amount alone.
    let clause = clause.filter(|(text, _)| {
        let first = first_word(text);
        let is_part = [LEADING, PARTIAL].concat().contains(&first.as_str()) || is_value;
        !AUXILIARIES.contains(&first.as_str()) && (sentence.starts_with(*text) || !is_part)
    });
    let value = is_value.then_some((value, 1));
    let is_quotable = |(text, least): &(&str, usize)| {
        is_single(text) && (*least..=VALUE_WORDS).contains(&text.split_whitespace().count())
    };
    let told = clause.into_iter().chain(value).map(|(text, least)| (trimmed(text), least));
    let (said, _) = told.into_iter().find(is_quotable)?;
    let headline = format!("“{said}”{}{by}", phrases.say(Phrase::Says, &[]));
    Some(headline).filter(|text| fits(text, MOST_WORDS))
}

/// The whole sentence with who says it, where both together are short enough. It may speak of somebody by a pronoun,
/// because it is quoted.
fn as_quotation(part: &Part, best: &Choice, library: &Library<'_>) -> Option<String> {
    let sentence = library.slice(best.source, &best.sentence);
    let said = trimmed(sentence);
    let may =
        matches!(fit(sentence), Fit::Stands | Fit::Refers) && is_single(said) && has_verb(said);
    let says = Phrases::of(&part.text).say(Phrase::Says, &[]);
    let outlet = || library.source(best.source).map(|source| source.outlet.to_owned());
    let by = [named(best, library), outlet().filter(|by| !by.is_empty())].into_iter().flatten();
    let mut all = by.map(|by| format!("“{said}”{says}{by}")).filter(|_| may);
    all.find(|text| fits(text, MOST_WORDS))
}

/// A text without marks around it, and without a word at its end that links it to the next one.
fn trimmed(text: &str) -> &str {
    without_link(text.trim_matches(['.', ',', ';', ':', '“', '”', '"', ' ']))
}

/// The part of a sentence that an answer stands in, between the marks that divide it, with what follows and what is
/// before as far as that can be quoted.
fn around<'a>(sentence: &'a str, library: &Library<'_>, best: &Choice) -> &'a str {
    let whole = library.slice(best.source, &best.sentence);
    let skipped = best.sentence.start + (whole.len() - whole.trim_start().len());
    let at = |place: usize| place.saturating_sub(skipped).min(sentence.len());
    let ends = MARKS.iter().flat_map(|mark| sentence.match_indices(mark));
    let mut parts: Vec<Range<usize>> = ends.map(|(at, mark)| at..at + mark.len()).collect();
    parts.extend([0..0, sentence.len()..sentence.len()]);
    parts.sort_by_key(|mark| mark.start);
    let mut before = parts.iter().rev().map(|mark| mark.end);
    let start = before.find(|end| *end <= at(best.span.start));
    let after = parts.iter().map(|mark| mark.start).filter(|start| *start >= at(best.span.end));
    let fits = |range: &Range<usize>| {
        let text = sentence.get(range.clone()).unwrap_or_default();
        text.split_whitespace().count() <= VALUE_WORDS && is_single(trimmed(text))
    };
    let (Some(start), Some(end)) = (start, after.clone().next()) else { return sentence };
    let end = after.map(|end| start..end).rfind(fits).map_or(end, |range| range.end);
    let start = if fits(&(0..end)) { 0 } else { start };
    let text = sentence.get(start..end).unwrap_or_default();
    let linking = |text: &&str| LINKING.contains(&text.split(' ').next().unwrap_or_default());
    Some(text).filter(linking).and_then(|text| text.split_once(' ')).map_or(text, |(_, rest)| rest)
}

/// What a list names that the best sentence introduces, where it is asked what or which things there are.
fn of_list(part: &Part, best: &Choice, library: &Library<'_>) -> Option<String> {
    let source = library.source(best.source)?;
    let list = lists::carried(source, &best.sentence)
        .filter(|list| list.is_introduced && part.wanted == Wanted::Other)?;
    let names: Option<Vec<&str>> =
        list.entries.iter().map(|(_, entry)| lists::name(&entry.text)).collect();
    let (last, others) = names.as_ref()?.split_last().filter(|(_, others)| others.len() > 1)?;
    let names = format!("{} and {last}", others.join(", "));
    let title = short_title(source.title)?;
    let text = Phrases::of(&part.text).say(Phrase::Lists, &[title.into(), (&names).into()]);
    Some(text).filter(|text| is_short(text))
}

/// What spans a colon or half a bracket is no single value.
pub(super) fn is_single(value: &str) -> bool {
    let balanced =
        |open: char, close: char| value.matches(open).count() == value.matches(close).count();
    let whole =
        balanced('(', ')') && balanced('[', ']') && value.matches('"').count().is_multiple_of(2);
    whole && !value.contains(['\n', '“', '”', ';']) && !value.contains(": ")
}

/// What a source is called: its title in quotation marks if it is short, else its outlet. A document of the user's own
/// has no outlet that a reader knows, but a name.
fn named(choice: &Choice, library: &Library<'_>) -> Option<String> {
    let source = library.source(choice.source)?;
    if let Some(title) = short_title(source.title) {
        return Some(format!("“{title}”"));
    }
    let is_local = probity_core::WebUrl::parse(source.url).is_ok_and(|url| url.is_local());
    let by = if is_local { document_name(source.url, source.title) } else { source.outlet.into() };
    (!by.is_empty()).then_some(by)
}

/// What is said where no source answers plainly: what they do not say as a clause, if there is one, else as it was asked.
pub(super) fn of_gap(question: &str, clause: Option<&str>) -> String {
    let phrases = Phrases::of(question);
    match clause.filter(|_| phrases.is_english()) {
        Some(clause) => format!("{} {clause}", phrases.say(Phrase::NotPlain, &[])),
        None => phrases.say(Phrase::NotPlainAsked, &[question.trim().into()]),
    }
}

/// A text whose first word, if it is a common one, begins with a small letter.
pub(super) fn lower_first(text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or_default();
    let lower = first.to_lowercase();
    let common = probity_text::stopwords::stopwords(probity_text::Language::English)
        .contains(lower.as_str());
    if common && text.len() > lower.len() && first != "I" {
        return format!("{lower}{}", text.get(first.len()..).unwrap_or_default());
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use probity_reader::{Stop, TextReader};

    use super::super::super::SourceView;
    use super::super::question::Asked;
    use super::super::read::CachedReader;
    use super::super::usage::Usage;
    use super::*;

    /// The headline of a question whose answer is `span` of the only sentence, with this certainty.
    fn headline(question: &str, text: &str, span: &str, certainty: f64) -> Option<String> {
        let sources = [SourceView::of_text("The hall of Varn", text)];
        let library = Library::new(&sources);
        let start = text.find(span).unwrap();
        let best = Choice {
            source: 0,
            sentence: 0..text.len(),
            span: start..start + span.len(),
            passage: 0..text.len(),
            heading: None,
            score: 5.0,
            answerable: 2.0,
            plain: 2.0,
            likely: -1.0,
        };
        let answered = Answered { choices: vec![best], band: Band::Plain, certainty, read: 1 };
        let (asked, usage) = (Asked::new(question), Usage::of(question, [text].into_iter()));
        let reading = CachedReader::new(TextReader::Lexical);
        let stop = &Stop::never();
        let part = asked.parts.first().unwrap();
        let maker = Maker {
            part,
            answered: &answered,
            library: &library,
            usage: &usage,
            reading: &reading,
            stop,
        };
        of(&maker, false).unwrap().map(|headline| headline.text)
    }

    #[test]
    fn a_part_of_a_sentence_is_no_headline_where_it_is_in_doubt() {
        let text = "The new wing of the hall, which the bishop of the valley liked less than the sandstone of the old \
                    one and seldom entered, was built in brick in 1908, as the chronicle of his chaplain says.";
        let question = "Since when is there a wing in brick?";
        let sure = headline(question, text, "1908", 0.6).unwrap();
        assert!(sure.starts_with('“') && sure.ends_with("says “The hall of Varn”"), "{sure}");
        assert_eq!(headline(question, text, "1908", 0.4), None);
    }

    #[test]
    fn a_sentence_of_25_words_heads_the_report_where_no_shorter_one_does() {
        let text = "A virtual mill is a name that stands for any one of several mills, all of which grind much the same \
                    kind of corn.";
        let title = text.trim_end_matches('.');
        assert_eq!(
            headline("What is a virtual mill?", text, "a name", 0.5).as_deref(),
            Some(title)
        );
    }
}
