//! Headline and summary: each sentence follows from checked statements, or is replaced by one.

use probity_core::{Candidate, counted};
use probity_text::sentences::sentences;

use super::{CheckedStatement, CheckedTheme};
use crate::check::{Pair, Readings, SourceIndex, Support};
use crate::draft::{Form, NOTHING_PLAIN, SUPERSEDED, Unanswered};
use crate::facts::RunFacts;
use crate::phrases::{Phrase, Phrases};
use crate::sentence;
use crate::wording::{attributed, named_document};

/// Sentences of the executive summary, at the least and at the most.
const SUMMARY: std::ops::RangeInclusive<usize> = 3..=5;
/// The longest statement used as a headline, in words.
const HEADLINE_WORDS: usize = 20;
/// The longest title that a headline names, in words.
const TITLE_WORDS: usize = 8;

/// What a draft has for a headline, in the order in which it is taken.
pub(super) struct Heading<'a> {
    pub(super) drafted: &'a str,
    /// The answer as a quotation.
    pub(super) quoted: Option<&'a str>,
    /// What is asked, as a clause.
    pub(super) clause: Option<&'a str>,
}

/// The statements that hold, as the one source of headline and summary.
pub(super) struct Lead {
    statements: SourceIndex,
    phrases: Phrases,
}

impl Lead {
    pub(super) fn new(themes: &[CheckedTheme], facts: &RunFacts) -> Self {
        let statements: Vec<&str> = holding(themes).map(|one| one.text.as_str()).collect();
        let statements = SourceIndex::new(statements.join("\n\n"));
        Self { statements, phrases: Phrases::of_report(facts) }
    }

    /// What has to be read before a sentence can be decided on.
    pub(super) fn pairs(&self, text: &str) -> Vec<Pair> {
        let text = sentence::without_citations(text);
        let claim = Phrases::without_denial(&text);
        self.statements.pairs(claim)
    }

    /// Whether a sentence follows from the statements that hold.
    fn holds(&self, text: &str, readings: &Readings) -> bool {
        self.statements.decide(text, readings).support == Support::Supported
    }

    /// The drafted headline if it follows; else the leading statement if it is short, the answer that is quoted, or
    /// where it is.
    pub(super) fn headline(
        &self,
        words: &Heading<'_>,
        themes: &[CheckedTheme],
        facts: &RunFacts,
        readings: &Readings,
    ) -> Option<String> {
        let drafted = sentence::without_citations(words.drafted);
        // A briefing is headed by its day, which is ours.
        let plain = facts.briefing.is_some() || claims_nothing(&drafted, facts);
        let title = sentence::headline(&drafted);
        let claim = Phrases::without_denial(&drafted);
        let taken = quotes_a_finding(&title, themes, facts)
            || names_a_finding(&title, themes, facts)
            || names_a_list(&title, themes, facts);
        let denied = || self.statements.decide(claim, readings).opposed;
        let holds = match Phrases::contradicted_claim(&drafted) {
            Some(_) => denied(),
            None => self.holds(claim, readings),
        };
        if !title.is_empty() && (plain || taken || holds) {
            return Some(title);
        }
        // A table says nothing in one sentence.
        let is_prose = |one: &&CheckedStatement| matches!(one.form, Form::Prose | Form::Quote);
        let leading = holding(themes).find(is_prose).or_else(|| holding(themes).next())?;
        let short = |text: &str| text.split_whitespace().count() <= HEADLINE_WORDS;
        let title = sentence::headline(&leading.text);
        if leading.form.is_prose() && short(&leading.text) && !title.is_empty() {
            return Some(title);
        }
        let quoted = words.quoted.map(sentence::headline);
        if let Some(quoted) = quoted.filter(|title| quotes_a_finding(title, themes, facts)) {
            return Some(quoted);
        }
        // A document of the user's own has no outlet that a reader knows.
        let outlet = |source: &'_ Candidate| match source.url.is_local() {
            true => Some(named_document(source)).filter(|by| !by.is_empty()),
            false => source.outlet.as_ref().map(ToString::to_string),
        };
        let by_title =
            |source: &'_ Candidate| short_title(&source.title).map(|title| format!("“{title}”"));
        let place = cited(leading, facts).find_map(by_title);
        let place = place.or_else(|| cited(leading, facts).find_map(outlet))?;
        let said = words.clause.map(|clause| format!("{place} says {clause}"));
        let said = said.filter(|title| self.phrases.is_english() && short(title));
        let title = said.unwrap_or_else(|| self.phrases.say(Phrase::TitleIn, &[(&place).into()]));
        Some(sentence::headline(&title))
    }

    /// The drafted sentences that follow, made up to three from the findings and, where those do not
    /// suffice, from what the run did.
    pub(super) fn summary(
        &self,
        drafted: &[String],
        unanswered: &[Unanswered],
        themes: &[CheckedTheme],
        facts: &RunFacts,
        readings: &Readings,
    ) -> Vec<String> {
        let mut summary: Vec<String> =
            unanswered.iter().map(|open| left_open(open, facts)).take(1).collect();
        let mut count: usize = summary.len();
        let mut by = String::new();
        // What is told already, without who says it.
        let mut told: Vec<String> = Vec::new();
        let mut add = |text: String, most: usize| {
            // A passage of several sentences leaves less room, but states one thing.
            let room = summary.len() < most && (count < most || most == *SUMMARY.start());
            let is_new = !told.iter().any(|known| known.contains(&text) || text.contains(known));
            if room && is_new && !text.is_empty() {
                count += sentences(&text).len().max(1);
                told.push(text.clone());
                summary.push(sentence::ended(with_speaker(text, &mut by, themes, facts)));
            }
        };
        let mut is_said_by = false;
        for (at, text) in drafted.iter().map(|text| sentence::without_citations(text)).enumerate() {
            let listed = || names_a_list(text.trim_end_matches('.'), themes, facts);
            if claims_nothing(&text, facts) || listed() || self.holds(&text, readings) {
                let leads = at == 0 && unanswered.is_empty();
                let said_by = said_by(&text, themes, facts, leads);
                is_said_by |= said_by.is_some();
                add(text, *SUMMARY.end());
                said_by.into_iter().for_each(|text| add(text, *SUMMARY.end()));
            }
        }
        let one = unanswered.is_empty() && facts.gate.kept == 1 && facts.unjudged() == 0;
        if one && !is_said_by && facts.briefing.is_none() && !facts.author.is_model {
            add(self.phrases.say(Phrase::Unconfirmed, &[]), *SUMMARY.start());
        }
        let current = || themes.iter().filter(|theme| !theme.heading.starts_with(SUPERSEDED));
        let firsts = current().flat_map(|theme| theme.statements.first());
        let rest = current().flat_map(|theme| theme.statements.iter().skip(1));
        // An entry of a list or a table says little by itself.
        let is_told = |one: &&CheckedStatement| matches!(one.form, Form::Prose | Form::Quote);
        let found = firsts.chain(rest).filter(|one| one.support == Support::Supported);
        for one in found.filter(is_told) {
            add(one.text.clone(), *SUMMARY.start());
        }
        let is_answered = unanswered.is_empty() && holding(themes).next().is_some();
        let done = what_was_done(facts, is_answered);
        done.into_iter().for_each(|text| add(text, *SUMMARY.start()));
        summary
    }
}

/// Whether a sentence only says that the sources are silent on the question: it brings no number of its own.
fn claims_nothing(text: &str, facts: &RunFacts) -> bool {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
    Phrases::says_nothing(text) && numbers.all(|number| facts.question.contains(number))
}

/// Whether a headline is a quotation out of a statement that holds, with the source it is taken from.
fn quotes_a_finding(title: &str, themes: &[CheckedTheme], facts: &RunFacts) -> bool {
    let says = Phrases::of_report(facts).say(Phrase::Says, &[]);
    let quoted = title.strip_prefix('“').and_then(|rest| rest.split_once('”'));
    let Some((value, by)) =
        quoted.and_then(|(value, by)| Some((value, by.strip_prefix(says.as_str())?)))
    else {
        return false;
    };
    let by = by.trim_matches(['“', '”']);
    let of = |candidate: &Candidate| {
        let outlet = candidate.outlet.as_ref().is_some_and(|outlet| outlet.as_str() == by);
        outlet || candidate.title.contains(by) || named_document(candidate) == by
    };
    let by_it = |one: &&CheckedStatement| cited(one, facts).any(of);
    !by.is_empty() && holding(themes).filter(by_it).any(|one| one.text.contains(value))
}

/// Whether a headline is a whole sentence of a statement that holds, under the title of a source that says it.
fn names_a_finding(title: &str, themes: &[CheckedTheme], facts: &RunFacts) -> bool {
    let rest = |candidate: &Candidate| {
        Some(title.strip_prefix(short_title(&candidate.title)?)?.strip_prefix(": ")?.to_owned())
    };
    holding(themes)
        .any(|one| cited(one, facts).filter_map(rest).any(|rest| is_sentence_of(&rest, &one.text)))
}

/// Whether a headline says what a list among the findings names, under the title of its source: all of its items, in their
/// order, by how they begin.
fn names_a_list(title: &str, themes: &[CheckedTheme], facts: &RunFacts) -> bool {
    let phrases = Phrases::of_report(facts);
    let is_item = |one: &&CheckedStatement| matches!(one.form, Form::Item { .. });
    themes.iter().any(|theme| {
        let items: Vec<&CheckedStatement> = theme.statements.iter().filter(is_item).collect();
        let Some(source) = items.first().and_then(|first| cited(first, facts).next()) else {
            return false;
        };
        let by = short_title(&source.title).unwrap_or_default();
        let said = phrases.say(Phrase::Lists, &[by.into(), "".into()]);
        let Some(names) = title.strip_prefix(said.as_str()) else { return false };
        let names: Vec<&str> = names.split(", ").flat_map(|part| part.split(" and ")).collect();
        let holds = |(name, item): (&&str, &&CheckedStatement)| {
            item.support == Support::Supported && item.text.starts_with(*name)
        };
        names.len() == items.len() && names.iter().zip(&items).all(holds)
    })
}

/// Whether a clause is one of the sentences of a text, but for the case of its first letter and the full stop. A part of
/// one may say the opposite.
fn is_sentence_of(clause: &str, text: &str) -> bool {
    let after_first = |sentence: &str| {
        let mut letters = sentence.trim().trim_end_matches('.').chars();
        letters.next().map(|first| (first.to_lowercase().to_string(), letters.as_str().to_owned()))
    };
    let clause = after_first(clause);
    let mut all = sentences(text).into_iter();
    clause.is_some() && all.any(|range| text.get(range).and_then(after_first) == clause)
}

/// How many outlets say a sentence of the summary, where the findings cite more than one that does; of the sentence that
/// leads also which one, where it is one. What is quoted says so itself.
fn said_by(text: &str, themes: &[CheckedTheme], facts: &RunFacts, leads: bool) -> Option<String> {
    let says = |one: &&CheckedStatement| {
        one.text == text || leads && one.form.is_prose() && one.text.contains(text)
    };
    let stated = holding(themes).find(says)?;
    let outlets: std::collections::BTreeSet<_> =
        cited(stated, facts).map(|candidate| &candidate.outlet).collect();
    let phrases = Phrases::of_report(facts);
    let number = match phrases.is_english() {
        true => spelled(outlets.len()),
        false => outlets.len().to_string(),
    };
    if outlets.len() > 1 {
        return Some(phrases.say(Phrase::Agreement, &[(&number).into()]));
    }
    let by = attributed(facts, stated);
    let one = leads && !facts.author.is_model && stated.form != Form::Quote && !by.is_empty();
    one.then(|| phrases.say(Phrase::SaidBy, &[(&by).into()]))
}

/// A small number as a sentence begins with it.
fn spelled(number: usize) -> String {
    const NAMES: [&str; 8] = ["Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];
    let name = number.checked_sub(2).and_then(|at| NAMES.get(at));
    name.map_or_else(|| number.to_string(), |name| (*name).to_owned())
}

/// A sentence of the summary, with who says it where it is a source's own words. Whoever was quoted just before is not
/// named again.
fn with_speaker(
    text: String,
    last: &mut String,
    themes: &[CheckedTheme],
    facts: &RunFacts,
) -> String {
    let is_prose = holding(themes).any(|one| one.form != Form::Quote && one.text.contains(&text));
    let mut quotes = holding(themes).filter(|one| one.form == Form::Quote && !is_prose);
    let quote = quotes.find(|one| one.text.contains(&text));
    let by = quote.map(|quote| attributed(facts, quote)).unwrap_or_default();
    let known = std::mem::replace(last, by);
    let quoted = || sentence::without_citations(&text);
    match last.as_str() {
        "" => text,
        by if by == known => format!("“{}”", quoted()),
        by => format!("{by}: “{}”", quoted()),
    }
}

/// The sources that say a statement.
fn cited<'a>(
    statement: &'a CheckedStatement,
    facts: &'a RunFacts,
) -> impl Iterator<Item = &'a Candidate> {
    let supports = statement.evidence.iter().filter(|one| one.support == Support::Supported);
    supports.filter_map(|one| facts.candidates.iter().find(|c| c.id == one.source))
}

/// A title without the name of its site, if it is short, or what is before its colon.
pub fn short_title(title: &str) -> Option<&str> {
    let whole = unnumbered(title).split(['|', '–', '—']).next().unwrap_or_default().trim();
    let words = |text: &str| text.split_whitespace().count();
    if (1..=TITLE_WORDS).contains(&words(whole)) {
        return Some(whole);
    }
    // One word before a colon says what kind of text it is, not which.
    let before = whole.split(':').next().unwrap_or_default().trim();
    (2..=TITLE_WORDS).contains(&words(before)).then_some(before)
}

/// A title without the number of its chapter or appendix.
pub(crate) fn unnumbered(title: &str) -> &str {
    let title = title.trim();
    let is_number = |word: &str| {
        let mut places = word.split('.').filter(|place| !place.is_empty());
        let is_place = |place: &str| place.len() == 1 || place.bytes().all(|b| b.is_ascii_digit());
        word.ends_with('.') && word.contains(|c: char| c.is_ascii_digit()) && places.all(is_place)
    };
    title.split_once(' ').filter(|(word, _)| is_number(word)).map_or(title, |(_, rest)| rest.trim())
}

/// The statements that their sources support, in order.
pub(super) fn holding(themes: &[CheckedTheme]) -> impl Iterator<Item = &CheckedStatement> {
    let all = themes.iter().flat_map(|theme| &theme.statements);
    all.filter(|statement| statement.support == Support::Supported)
}

/// What the sources do not tell, in a sentence.
fn left_open(open: &Unanswered, facts: &RunFacts) -> String {
    let sentence = match open.lack.as_str() {
        // The headline repeats the question already.
        NOTHING_PLAIN if open.asked.trim() == facts.question.trim() => {
            Phrases::of_report(facts).say(Phrase::NoneStates, &[])
        }
        NOTHING_PLAIN => {
            Phrases::of_report(facts).say(Phrase::NothingPlain, &[(&open.asked).into()])
        }
        lack => format!("The sources {lack} in answer to “{}”.", open.asked),
    };
    sentence::without_citations(&sentence)
}

/// What the run did, in sentences, where the findings are too few for a summary.
fn what_was_done(facts: &RunFacts, is_answered: bool) -> [String; 3] {
    let phrases = Phrases::of_report(facts);
    let named = phrases.say(Phrase::DoneNamed, &[]);
    if let Some(briefing) = &facts.briefing {
        let topics = counted(briefing.told, "topic is", "topics are");
        let outlets = "The articles were taken from the feeds that are followed.".to_owned();
        return [format!("{topics} reported here."), outlets, named];
    }
    let (kept, judged) = (facts.gate.kept, facts.gate.judged);
    // Whether those answer that could not be judged is not known, nor whether any does if no statement holds.
    let answers = is_answered && facts.unjudged() == 0;
    let done = if answers { Phrase::DoneAnswer } else { Phrase::DoneKept };
    [
        phrases.say(done, &[kept.into(), judged.into()]),
        phrases.say(Phrase::DoneQueries, &[facts.queries.len().into()]),
        named,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_sentence_is_not_the_sentence() {
        let text = "This hall is old. It is not open on Sundays.";
        assert!(is_sentence_of("it is not open on Sundays", text));
        assert!(!is_sentence_of("open on Sundays", text));
        assert!(!is_sentence_of("", text));
    }

    #[test]
    fn the_number_of_a_chapter_is_no_part_of_its_title() {
        assert_eq!(unnumbered("3. Source packages"), "Source packages");
        assert_eq!(unnumbered("4.2. Scope "), "Scope");
        assert_eq!(unnumbered("A.6. Rescue"), "Rescue");
        assert_eq!(unnumbered("1984"), "1984");
        assert_eq!(unnumbered("3 days in May"), "3 days in May");
    }
}
