//! Headlines that no source has word for word: question and answer in one sentence, a yes-no question as a claim, a
//! sentence without its brackets. Each is held against what is shown of its source, by the check that every statement of
//! a report passes.

use probity_reader::{Entailment, Stop, Stopped};
use probity_report::check::{SourceIndex, Support};
use probity_report::phrases::{Phrase, Phrases};

use super::answer::{Answered, Band, Choice};
use super::headline::{self, Headline, is_single, lower_first};
use super::question::{AUXILIARIES, Part, Wanted};
use super::read::CachedReader;
use super::retrieve::Library;
use super::sentence::{Fit, fit};
use super::sides::sides;
use super::stated::{self, Value};
use super::statement::{passage_of, statement};
use super::usage::Usage;
use super::value;

/// From here on a sentence that was made follows from its source, as a probability; where it is in doubt whether there is
/// an answer at all, from the second one on.
const FOLLOWS: f64 = 0.8;
const PLAINLY_FOLLOWS: f64 = 0.9;
/// From here on a sentence may deny it.
const DISPUTED: f64 = 0.3;
/// How many of the best sentences are tried, and how many are weighed for a yes or no.
const TRIED: usize = 3;
const WEIGHED: usize = 6;
/// The longest answer that is put into a sentence, in words.
const VALUE_WORDS: usize = 10;

/// What a headline is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MadeOf {
    /// A sentence of a source says it.
    Sentence,
    /// It takes the passage around the sentence.
    Passage,
    /// It is what the items of a list name.
    List,
}

/// What a headline can be made from.
#[derive(Clone, Copy)]
pub(super) struct Maker<'a> {
    pub(super) part: &'a Part,
    pub(super) answered: &'a Answered,
    pub(super) library: &'a Library<'a>,
    /// How the sources use the words of the question.
    pub(super) usage: &'a Usage,
    pub(super) reading: &'a CachedReader,
    pub(super) stop: &'a Stop,
}

impl Maker<'_> {
    /// A headline that states the answer; none where the question has no plain form, or it does not follow.
    pub(super) fn make(&self) -> Result<Option<Headline>, Stopped> {
        match self.part.wanted {
            Wanted::Truth => self.yes_or_no(),
            // What two things differ in is no value.
            _ if sides(&self.part.text).is_some() => Ok(None),
            _ => self.stated(),
        }
    }

    /// The question as a statement, with the answer of the best sentence for which that follows.
    fn stated(&self) -> Result<Option<Headline>, Stopped> {
        let least = match self.answered.band {
            Band::Plain => FOLLOWS,
            Band::Near | Band::Nothing => PLAINLY_FOLLOWS,
        };
        let text = |choice: &Choice| self.library.slice(choice.source, &choice.span);
        let best = self.answered.choices.first().map_or("", text);
        // Where an answer was found plainly, only others that agree with it are put better.
        let may = |choice: &&Choice| {
            least > FOLLOWS || value::answer_alike(&self.part.text, best, text(choice))
        };
        for choice in self.answered.choices.iter().take(TRIED).filter(may) {
            let sentence = self.library.slice(choice.source, &choice.sentence);
            let start = choice.span.start.checked_sub(choice.sentence.start);
            let Some(start) = start.filter(|_| self.is_value(text(choice))) else { continue };
            let value = Value { sentence, span: start..start + choice.span.len() };
            let Some(text) = stated::stated(&self.part.text, &value, self.usage) else { continue };
            if let Some(made_of) = self.follows(&text, choice, least)? {
                return Ok(Some(Headline { text, of: choice.clone(), made_of: Some(made_of) }));
            }
        }
        Ok(None)
    }

    /// Whether an answer is a value of the kind that was asked for, and no clause.
    fn is_value(&self, text: &str) -> bool {
        let clause = text.split_whitespace().any(|word| AUXILIARIES.contains(&word));
        let short = text.split_whitespace().count() <= VALUE_WORDS;
        // Whether it is of the kind that was asked for can be told of some kinds only; where nothing else is sure, the
        // others need more than that it follows.
        let of_kind = match self.part.wanted {
            Wanted::Other => self.answered.band == Band::Plain,
            wanted => value::is_a(wanted, text),
        };
        short && !clause && of_kind && is_single(text)
    }

    /// What is asked as a statement if a sentence bears it out and none denies it, or the sentence that denies it.
    fn yes_or_no(&self) -> Result<Option<Headline>, Stopped> {
        let Some(claim) = stated::claim(&self.part.text, self.usage) else { return Ok(None) };
        let best: Vec<&Choice> = self.answered.choices.iter().take(WEIGHED).collect();
        let texts: Vec<&str> =
            best.iter().map(|one| self.library.slice(one.source, &one.sentence)).collect();
        let read = self.reading.reader().entails(&claim, &texts, self.stop)?;
        let most = |of: fn(&Entailment) -> f64| {
            let all = best.iter().zip(&read).map(|(one, read)| (of(read), *one));
            all.max_by(|a, b| a.0.total_cmp(&b.0))
        };
        let (Some((yes, bears_out)), Some((no, denies))) =
            (most(|one| one.supported), most(|one| one.contradicted))
        else {
            return Ok(None);
        };
        // What one sentence bears out and another may deny is not for a headline.
        if yes >= FOLLOWS && no < DISPUTED {
            let made_of = self.follows(&claim, bears_out, FOLLOWS)?;
            let headline =
                |made_of| Headline { text: claim, of: bears_out.clone(), made_of: Some(made_of) };
            return Ok(made_of.map(headline));
        }
        let denial = || {
            let text = headline::sentence(denies, self.library)?;
            let no = Phrases::of(&self.part.text).say(Phrase::No, &[]);
            let text = format!("{no}{}", lower_first(&text));
            Some(Headline { text, of: denies.clone(), made_of: Some(MadeOf::Sentence) })
        };
        Ok((no >= PLAINLY_FOLLOWS && yes < FOLLOWS).then(denial).flatten())
    }

    /// A sentence without what stands in brackets or after a semicolon, or the clause in it that answers, in at most so
    /// many words.
    pub(super) fn shorter(
        &self,
        choice: &Choice,
        most: usize,
    ) -> Result<Option<Headline>, Stopped> {
        // What two things differ in takes the whole sentence.
        if sides(&self.part.text).is_some() {
            return Ok(None);
        }
        let text = self.library.slice(choice.source, &choice.sentence);
        let clause = text.trim().trim_end_matches('.');
        let span = self.library.slice(choice.source, &choice.span).trim();
        let stands = |_: &String| fit(text) == Fit::Stands;
        let whole = without_brackets(clause).filter(stands);
        // What follows a semicolon is another clause.
        let first = clause.split_once("; ").filter(|(first, _)| first.contains(span));
        let first = first.map(|(first, _)| first.to_owned()).filter(stands);
        let part = is_clause(span).then(|| span.trim_end_matches('.').to_owned());
        let found = whole.into_iter().chain(first).chain(part);
        for text in found.filter(|text| headline::fits(text, most)) {
            if let Some(made_of) = self.follows(&text, choice, FOLLOWS)? {
                return Ok(Some(Headline { text, of: choice.clone(), made_of: Some(made_of) }));
            }
        }
        Ok(None)
    }

    /// Whether a sentence follows from the sentence of a choice, or else from its passage.
    fn follows(&self, text: &str, choice: &Choice, least: f64) -> Result<Option<MadeOf>, Stopped> {
        let own = statement(self.library, choice).map(|told| (MadeOf::Sentence, told));
        let passage = passage_of(self.library, choice).map(|told| (MadeOf::Passage, told));
        for (made_of, told) in own.into_iter().chain(passage) {
            let index = SourceIndex::new(told.text);
            let check = index.check(&format!("{text}."), self.reading.reader(), self.stop)?;
            if check.support == Support::Supported && check.value >= least {
                return Ok(Some(made_of));
            }
        }
        Ok(None)
    }
}

/// A text without what stands in round brackets, if it has any. Those that follow a word at once belong to it.
fn without_brackets(text: &str) -> Option<String> {
    let (mut depth, mut kept) = (0_usize, String::new());
    for letter in text.chars() {
        match letter {
            '(' if depth > 0 || kept.ends_with(' ') => depth += 1,
            ')' if depth > 0 => depth -= 1,
            _ if depth == 0 => kept.push(letter),
            _ => {}
        }
    }
    let kept = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    let kept = kept.replace(" ,", ",").replace(" ;", ";");
    (depth == 0 && kept.len() < text.len()).then_some(kept)
}

/// Whether the words of an answer are a clause by themselves: a name or an article, and a verb after it.
fn is_clause(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let begins = words.next().is_some_and(|first| first.starts_with(char::is_uppercase));
    let verb = words.any(|word| AUXILIARIES.contains(&word));
    let stands = fit(&format!("{}.", text.trim_end_matches('.'))) == Fit::Stands;
    begins && verb && is_single(text) && stands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_go_with_what_is_in_them() {
        let without = without_brackets("The mill (built by monks), now a hall (1850), is open");
        assert_eq!(without.as_deref(), Some("The mill, now a hall, is open"));
        assert_eq!(without_brackets("The mill() is open"), None);
        assert_eq!(without_brackets("The mill (1850 is open"), None);
    }

    #[test]
    fn a_clause_has_a_subject_and_a_verb() {
        assert!(is_clause("Corn was ground by hand in winter"));
        assert!(!is_clause("This corn was ground by hand"));
        assert!(!is_clause("was ground by hand") && !is_clause("Corn Act of 1815"));
    }
}
