//! A question as it is read: its parts, what kind of thing each asks for, and what it takes for granted.
//!
//! Only the form of an English question is looked at, by its question words; what it means is the reader's
//! business. In other languages a question is one part that asks for anything.

use probity_text::Language;
use probity_text::words::{Stemmer, Word, bare, words};

/// The most parts that a question is taken apart into.
const PARTS: usize = 4;
/// A query of fewer keywords finds anything, and nobody types more.
const FEWEST: usize = 3;
const KEYWORDS: usize = 12;

/// What kind of thing is asked for, as far as the question words say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// How much, how many, how long.
    Amount,
    /// When, which year.
    Time,
    /// Who, where.
    Name,
    /// Whether it is so.
    Truth,
    /// Anything else.
    Other,
}

/// One thing that a question asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The part as the reader is asked it.
    pub text: String,
    /// What it asks for.
    pub wanted: Wanted,
    /// The statement that a yes-no question asks about.
    pub claim: Option<String>,
}

/// A question made ready to be read against passages.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The question.
    pub text: String,
    /// Its parts; at least one.
    pub parts: Vec<Part>,
    /// Its language.
    pub language: Language,
}

const QUESTION_WORDS: &[&str] =
    &["what", "which", "who", "whom", "whose", "when", "where", "why", "how"];
/// Verbs that begin a yes-no question.
pub(super) const AUXILIARIES: &[&str] = &[
    "is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "can", "could", "will",
    "would", "shall", "should", "may", "might", "must",
];
const PRONOUNS: &[&str] = &["it", "its", "they", "them", "their", "he", "she", "him", "his", "her"];
/// What makes "how …" a question for an amount.
const MEASURED: &[&str] = &[
    "many", "much", "long", "tall", "high", "far", "old", "big", "large", "wide", "deep", "heavy",
    "fast", "often", "soon", "late", "early", "hot", "cold",
];
/// What makes "what …" or "which …" a question for a time.
const TIMES: &[&str] = &["year", "years", "date", "day", "month", "century", "decade", "time"];

/// What makes a question one about change.
const CHANGES: &str = "change changed changes evolve evolved developed history timeline milestones";

impl Part {
    /// Whether it asks how something changed, so that the order of events tells most.
    pub fn asks_for_change(&self) -> bool {
        let asks = |word: &Word<'_>| matches!(word.lower.as_ref(), "how" | "when" | "what");
        let changes = |word: Word<'_>| CHANGES.split(' ').any(|change| change == word.lower);
        words(&self.text).take(3).any(|word| asks(&word)) && words(&self.text).any(changes)
    }
}

impl Asked {
    /// Reads a question.
    pub fn new(question: &str) -> Self {
        let text = question.trim().to_owned();
        let language = Language::detect(&text);
        if language != Language::English {
            let part = Part {
                wanted: super::question_words::wanted(&text, language),
                text: text.clone(),
                claim: None,
            };
            return Self { text, parts: vec![part], language };
        }
        let pieces = split(&text);
        let subject = pieces.first().map(|first| subject(first)).unwrap_or_default();
        let parts = pieces.iter().enumerate().map(|(number, piece)| {
            let refers = words(piece).any(|word| PRONOUNS.contains(&word.lower.as_ref()));
            let text = match pieces.first() {
                Some(first) if number > 0 && words(piece).count() == 1 => spelled_out(piece, first),
                _ if number > 0 && refers && !subject.is_empty() => format!("{piece} ({subject})"),
                _ => piece.clone(),
            };
            Part { text, wanted: wanted(piece), claim: claim(piece) }
        });
        Self { parts: parts.collect(), text, language }
    }

    /// Whether the trained reader was taught its language.
    pub fn is_english(&self) -> bool {
        self.language == Language::English
    }

    /// The words that carry the topic, as a person types them into a search box; none where they say no
    /// more than the question.
    pub fn keywords(&self) -> Option<String> {
        keywords(&self.text, self.language)
    }
}

impl Asked {
    /// The same without the names of places, people and things: what others may say about it.
    pub fn keywords_without_names(&self) -> Option<String> {
        let keywords = self.keywords()?;
        let common: Vec<&str> = keywords
            .split_whitespace()
            .filter(|word| !word.starts_with(char::is_uppercase))
            .collect();
        (common.len() >= FEWEST && common.len() < keywords.split_whitespace().count())
            .then(|| common.join(" "))
    }
}

/// The content words of a question in their order.
pub fn keywords(question: &str, language: Language) -> Option<String> {
    let stemmer = Stemmer::new(language);
    let content: Vec<&str> = words(question)
        .filter(|word| stemmer.content_stem(&word.lower).is_some())
        .map(|word| bare(word.raw))
        .collect();
    (FEWEST..=KEYWORDS).contains(&content.len()).then(|| content.join(" "))
}

/// Cuts a question before each "and" that begins another one, and after each question mark.
fn split(question: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    for sentence in question.split_inclusive('?') {
        let all: Vec<Word<'_>> = words(sentence).collect();
        let mut start = 0;
        for (at, word) in all.iter().enumerate() {
            let next = all.get(at + 1);
            let begins =
                next.is_some_and(|next| is_question_word(next)) && word.lower == "and" && at > 1;
            if begins && let Some(next) = next {
                push(sentence.get(start..word.start), &mut pieces);
                start = next.start;
            }
        }
        push(sentence.get(start..), &mut pieces);
    }
    // A statement before the question sets its scene; it belongs to what follows it.
    if pieces.len() > PARTS || pieces.iter().skip(1).any(|piece| !is_asking(piece)) {
        return vec![question.to_owned()];
    }
    if pieces.is_empty() { vec![question.to_owned()] } else { pieces }
}

fn push(piece: Option<&str>, pieces: &mut Vec<String>) {
    let piece = piece.unwrap_or_default().trim().trim_end_matches([',', ';', ' ']);
    if piece.chars().any(char::is_alphanumeric) {
        let end = if piece.ends_with('?') { "" } else { "?" };
        pieces.push(format!("{piece}{end}"));
    }
}

fn is_question_word(word: &Word<'_>) -> bool {
    QUESTION_WORDS.contains(&word.lower.as_ref())
}

/// Whether a word belongs to the beginning of a question, before what it asks about.
pub(super) fn opens_a_question(word: &Word<'_>) -> bool {
    let lower = word.lower.as_ref();
    QUESTION_WORDS.contains(&lower) || AUXILIARIES.contains(&lower) || MEASURED.contains(&lower)
}

fn is_asking(piece: &str) -> bool {
    words(piece)
        .take(4)
        .any(|word| is_question_word(&word) || AUXILIARIES.contains(&word.lower.as_ref()))
}

/// A question word by itself with the rest of the question before it: "when?" after "Who founded the town?" is
/// "when founded the town?", which is no English, but has every word that the answer is known by.
fn spelled_out(piece: &str, first: &str) -> String {
    let all: Vec<Word<'_>> = words(first).collect();
    let asking = all.iter().position(is_question_word).map_or(0, |at| at + 1);
    let rest = all.get(asking).and_then(|word| first.get(word.start..)).unwrap_or_default();
    format!("{} {rest}", piece.trim_end_matches('?'))
}

/// What a question is about: its names, or all of its content words.
fn subject(question: &str) -> String {
    let all: Vec<Word<'_>> = words(question).skip(1).collect();
    let names: Vec<&str> = all
        .iter()
        .filter(|word| word.raw.starts_with(char::is_uppercase))
        .map(|word| bare(word.raw))
        .collect();
    if !names.is_empty() {
        return names.join(" ");
    }
    let stemmer = Stemmer::new(Language::English);
    let content = all.iter().filter(|word| stemmer.content_stem(&word.lower).is_some());
    content.map(|word| bare(word.raw)).collect::<Vec<_>>().join(" ")
}

/// Whether a question that begins like a yes-no question asks which of two things: "Is it warm or cold?".
fn asks_which(all: &[Word<'_>]) -> bool {
    all.iter().any(|word| word.lower == "or")
}

fn wanted(piece: &str) -> Wanted {
    let all: Vec<Word<'_>> = words(piece).collect();
    let lower = |at: usize| all.get(at).map_or("", |word| word.lower.as_ref());
    if AUXILIARIES.contains(&lower(0)) {
        return if asks_which(&all) { Wanted::Other } else { Wanted::Truth };
    }
    // "In which year" and "of whom" begin with a preposition.
    let Some(at) = all.iter().take(3).position(is_question_word) else { return Wanted::Other };
    match (lower(at), lower(at + 1)) {
        ("how", next) if MEASURED.contains(&next) => Wanted::Amount,
        ("when", _) => Wanted::Time,
        ("what" | "which", next) if TIMES.contains(&next) => Wanted::Time,
        ("who" | "whom" | "whose" | "where", _) => Wanted::Name,
        _ => Wanted::Other,
    }
}

/// What a yes-no question asks about, roughly in the order of a statement, which is enough for the reader.
fn claim(piece: &str) -> Option<String> {
    let all: Vec<Word<'_>> = words(piece).collect();
    let first = all.first().filter(|first| AUXILIARIES.contains(&first.lower.as_ref()));
    first.filter(|_| !asks_which(&all))?;
    let rest = piece.get(all.get(1)?.start..)?.trim_end_matches(['?', ' ', '.']);
    let mut letters = rest.chars();
    let claim = format!("{}{}.", letters.next()?.to_uppercase(), letters.as_str());
    claim.split_whitespace().nth(1).is_some().then_some(claim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(question: &str) -> Vec<String> {
        Asked::new(question).parts.into_iter().map(|part| part.text).collect()
    }

    #[test]
    fn two_questions_are_read_apart_and_keep_their_subject() {
        assert_eq!(
            parts("How tall is Mount Teide and when was it first climbed?"),
            ["How tall is Mount Teide?", "when was it first climbed? (Mount Teide)"]
        );
        assert_eq!(parts("Who wrote it? When was it sung?").len(), 2);
        assert_eq!(
            parts("Who founded the town and when?"),
            ["Who founded the town?", "when founded the town?"]
        );
    }

    #[test]
    fn one_question_stays_whole() {
        for question in [
            "What do cats and dogs eat?",
            "Which songs and dances did they choose?",
            "The bridge fell in 1931. Why?",
            "Wie hoch ist der Berg und wann wurde er bestiegen?",
        ] {
            assert_eq!(parts(question), [question], "{question}");
        }
    }

    #[test]
    fn question_words_say_what_is_wanted() {
        for (question, expected) in [
            ("How many people live there?", Wanted::Amount),
            ("In which year was it built?", Wanted::Time),
            ("Who built it?", Wanted::Name),
            ("Is the harbour open?", Wanted::Truth),
            ("Is the harbour deep or shallow?", Wanted::Other),
            ("How does the pump work?", Wanted::Other),
            ("Why is it closed?", Wanted::Other),
        ] {
            assert_eq!(wanted(question), expected, "{question}");
        }
    }

    #[test]
    fn a_question_about_change_is_known_by_its_words() {
        let asks = |question: &str| Asked::new(question).parts[0].asks_for_change();
        assert!(asks("How has the ferry timetable changed since 1990?"));
        assert!(asks("What is the history of the lighthouse?"));
        assert!(!asks("How high is the lighthouse?"));
    }

    #[test]
    fn a_yes_no_question_asks_about_a_statement() {
        let claimed = claim("Is the harbour open on Sundays?");
        assert_eq!(claimed.as_deref(), Some("The harbour open on Sundays."));
        assert_eq!(claim("Why did the mill close in 1920?"), None);
        assert_eq!(claim("Is the harbour deep or shallow?"), None);
    }

    #[test]
    fn keywords_are_what_a_person_types() {
        let asked = Asked::new("What are the opening hours of the Tarn museum?");
        assert_eq!(asked.keywords().as_deref(), Some("opening hours Tarn museum"));
        assert_eq!(Asked::new("What is rust?").keywords(), None);
        // Fragments that find anything are no queries.
        assert_eq!(
            Asked::new("How many columns can an SQLite table have?").keywords_without_names(),
            None
        );
        let wider = Asked::new("What do guitarists in Varn charge for private weddings?");
        let wider = wider.keywords_without_names();
        assert_eq!(wider.as_deref(), Some("guitarists charge private weddings"));
    }
}
