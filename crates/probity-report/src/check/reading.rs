//! Text → words in their sentences and clauses, with what is needed to compare two texts.

mod word;

use std::collections::HashSet;
use std::ops::Range;

use probity_text::Language;
use probity_text::clause::clauses;
use probity_text::hedge::{Hedge, hedges, reaches_on};
use probity_text::lex::tokens;
use probity_text::negation::{denied, negations};
use probity_text::quantity::{Quantity, Unit, in_tokens};
use probity_text::sentences::sentences;
use probity_text::tag::{Tag, Tagged, tag};
use probity_text::words::Stemmer;

pub(super) use word::Word;

/// How many sentences of a text are read. A book has fewer.
const SENTENCES: usize = 20_000;
/// Numbers below this tell one thing from another: `line 4`, `platform 9`.
const LABELS: f64 = 1_000.0;
/// How much of a text is looked at to tell its language.
const LANGUAGE_BYTES: usize = 4_000;

/// A sentence of a text.
#[derive(Debug)]
pub(super) struct Sentence {
    /// Its bytes in the text.
    pub bytes: Range<usize>,
    /// Its words.
    pub words: Range<usize>,
    /// Its clauses.
    pub clauses: Range<usize>,
    /// Its quantities.
    pub quantities: Range<usize>,
}

/// A clause of a sentence.
#[derive(Debug)]
pub(super) struct Clause {
    /// Its words.
    pub words: Range<usize>,
    /// How firmly it is said, with what a verb before it adds: each hedge and the word it rests on.
    pub hedges: Vec<(Hedge, usize)>,
}

/// A quantity, and the words that spell it.
#[derive(Debug)]
pub(super) struct Amount {
    /// What it is, with byte ranges in the whole text.
    pub quantity: Quantity,
    /// The words that spell it.
    pub words: Range<usize>,
    /// The sentence it is in.
    pub sentence: usize,
    /// Whether it tells one thing from others rather than counts: `line 4`, `version 3`.
    pub label: bool,
}

/// A text, read.
#[derive(Debug)]
pub(super) struct Reading<'t> {
    /// The text.
    pub text: &'t str,
    /// Its words, marks among them.
    pub words: Vec<Word>,
    /// Its clauses.
    pub clauses: Vec<Clause>,
    /// Its sentences.
    pub sentences: Vec<Sentence>,
    /// Its quantities.
    pub amounts: Vec<Amount>,
}

impl<'t> Reading<'t> {
    /// Reads a text. `known` tells which words are names by what is known from elsewhere.
    pub(super) fn new(text: &'t str, known: impl Fn(&str) -> bool) -> Self {
        let opening = text.get(..text.floor_char_boundary(LANGUAGE_BYTES)).unwrap_or(text);
        let stemmer = Stemmer::new(Language::detect(opening));
        let mut reading = Self {
            text,
            words: Vec::new(),
            clauses: Vec::new(),
            sentences: Vec::new(),
            amounts: Vec::new(),
        };
        for bytes in sentences(text).into_iter().take(SENTENCES) {
            reading.add_sentence(bytes, &stemmer);
        }
        reading.settle_names(known);
        reading
    }

    /// A capital at the start of a sentence is a name where the same word is one elsewhere.
    fn settle_names(&mut self, known: impl Fn(&str) -> bool) {
        let inside: HashSet<Box<str>> = self
            .words
            .iter()
            .filter(|word| word.tag == Tag::Name)
            .map(|word| word.lower.clone())
            .collect();
        for word in &mut self.words {
            let common = matches!(word.tag, Tag::Noun | Tag::Verb | Tag::Adjective);
            if word.capital && common && (inside.contains(&word.lower) || known(&word.lower)) {
                word.become_name();
            }
        }
    }

    fn add_sentence(&mut self, bytes: Range<usize>, stemmer: &Stemmer) {
        let Some(body) = self.text.get(bytes.clone()) else { return };
        let joined = word::join_compounds(body, tokens(body));
        let quantities = in_tokens(&joined);
        let tagged = tag(joined);
        let split = clauses(&tagged);
        let denial = negations(&tagged, &split);
        let denied = denied(&tagged, &denial);
        let (first_word, first_clause, first_amount) =
            (self.words.len(), self.clauses.len(), self.amounts.len());
        let sentence = self.sentences.len();
        for (at, each) in tagged.iter().enumerate() {
            let clause = split.iter().position(|clause| clause.contains(&at)).unwrap_or(0);
            let cue = denial.iter().any(|cue| cue.at.contains(&at));
            let narrow = denial.iter().any(|cue| {
                cue.scope.contains(&at) && !cue.scope.contains(&cue.at.start) && cue.scope.len() < 8
            });
            let place = word::Place {
                offset: bytes.start,
                clause: first_clause + clause,
                sentence,
                denied: denied.get(at).copied().unwrap_or(false),
                cue,
                narrow,
            };
            self.words.push(Word::new(each, &place, stemmer));
        }
        self.add_clauses(&tagged, &split, first_word);
        for quantity in quantities {
            self.add_amount(quantity, first_word, bytes.start, sentence);
        }
        let words = first_word..self.words.len();
        self.settle_directions(words.clone());
        self.settle_countries(words.clone());
        word::join_phrases(self.words.get_mut(words.clone()).unwrap_or_default());
        self.sentences.push(Sentence {
            bytes,
            words,
            clauses: first_clause..self.clauses.len(),
            quantities: first_amount..self.amounts.len(),
        });
    }

    /// "up from 55 percent", "down 8 percent": here the small word tells which way it went.
    fn settle_directions(&mut self, words: Range<usize>) {
        for at in words {
            let next = self.words.get(at + 1);
            let moves = next.is_some_and(|next| {
                next.lower.as_ref() == "from" || next.amount.is_some() && next.tag == Tag::Number
            });
            if let Some(word) = self.words.get_mut(at).filter(|word| {
                moves && matches!(word.lower.as_ref(), "up" | "down") && word.amount.is_none()
            }) {
                word.tag = Tag::Adjective;
                word.weight = 0.6;
            }
        }
    }

    /// "American" has no word for the first of "United States".
    fn settle_countries(&mut self, words: Range<usize>) {
        for at in words {
            let country = self
                .words
                .get(at + 1)
                .is_some_and(|next| matches!(next.lower.as_ref(), "states" | "kingdom"));
            if let Some(word) =
                self.words.get_mut(at).filter(|word| country && word.lower.as_ref() == "united")
            {
                word.weight = 0.0;
            }
        }
    }

    fn add_clauses(&mut self, tagged: &[Tagged<'_>], split: &[Range<usize>], first_word: usize) {
        let mut reaching: Vec<(Hedge, usize)> = Vec::new();
        for clause in split {
            let mut found: Vec<(Hedge, usize)> = hedges(tagged, clause.clone())
                .into_iter()
                .map(|(hedge, at)| (hedge, first_word + at))
                .collect();
            // "believes that …" hedges what is believed, but not what follows a semicolon or "but".
            let fresh = tagged.get(clause.start).is_some_and(|first| {
                matches!(first.token.lower.as_ref(), ";" | "but" | "while" | "whereas" | "and")
            });
            if fresh {
                reaching.clear();
            }
            found.extend(reaching.iter().copied());
            let inside = tagged.get(clause.clone()).unwrap_or_default();
            if inside.iter().any(reaches_on) {
                reaching = found.clone();
            }
            self.clauses.push(Clause {
                words: first_word + clause.start..first_word + clause.end,
                hedges: found,
            });
        }
    }

    fn add_amount(
        &mut self,
        mut quantity: Quantity,
        first_word: usize,
        offset: usize,
        sentence: usize,
    ) {
        quantity.range = quantity.range.start + offset..quantity.range.end + offset;
        quantity.counts = quantity.counts.map(|noun| noun.start + offset..noun.end + offset);
        let inside =
            |word: &Word| word.start >= quantity.range.start && word.end <= quantity.range.end;
        let spelled = self
            .words
            .iter()
            .enumerate()
            .skip(first_word)
            .filter(|(_, word)| inside(word))
            .map(|(at, _)| at);
        let (first, last) =
            spelled.fold((usize::MAX, 0), |(first, last), at| (first.min(at), last.max(at)));
        if first > last || first == last && self.is_in_name(first, first_word) {
            return;
        }
        let number = self.amounts.len();
        // "more than" and "at least" are part of what the number means.
        for word in
            self.words.get_mut(first.saturating_sub(3).max(first_word)..first).unwrap_or_default()
        {
            if word::is_bound(&word.lower) {
                word.weight = 0.0;
            }
        }
        for word in self.words.get_mut(first..=last).unwrap_or_default() {
            word.amount = Some(number);
            word.weight = 0.0;
        }
        let plain = quantity.counts.is_none()
            && quantity.unit == Unit::Count
            // "Brenna has 3,200 inhabitants and Colm 4,100": large numbers count.
            && matches!(quantity.amount, probity_text::quantity::Amount::Point { value, .. } if value < LABELS);
        let behind =
            first.checked_sub(1).filter(|at| *at >= first_word).and_then(|at| self.words.get(at));
        let label = plain
            && behind.is_some_and(|word| {
                matches!(word.tag, Tag::Noun | Tag::Name) && word.amount.is_none()
            });
        self.amounts.push(Amount { quantity, words: first..last + 1, sentence, label });
    }

    /// "The Flip One", "Channel Four": a capital in the middle of a sentence, behind a name.
    fn is_in_name(&self, at: usize, first_word: usize) -> bool {
        let spelled = |word: &Word| word.capital && word.lower.chars().all(char::is_alphabetic);
        let name = |word: &Word| word.tag == Tag::Name && word.amount.is_none();
        self.words.get(at).is_some_and(spelled)
            && at > first_word
            && at.checked_sub(1).and_then(|before| self.words.get(before)).is_some_and(name)
    }

    /// The word at a place.
    pub(super) fn word(&self, at: usize) -> Option<&Word> {
        self.words.get(at)
    }

    /// The words of a range, each with its place.
    pub(super) fn span(
        &self,
        range: Range<usize>,
    ) -> impl DoubleEndedIterator<Item = (usize, &Word)> {
        let words = self.words.get(range.clone()).unwrap_or_default();
        words.iter().enumerate().map(move |(at, word)| (range.start + at, word))
    }

    /// The preposition or subordinating word that governs a place: the nearest one before it, past
    /// articles, adjectives and numbers.
    pub(super) fn governor(&self, at: usize) -> Option<&Word> {
        let sentence = self.word(at)?.sentence;
        let start = self.sentences.get(sentence)?.words.start;
        for (_, word) in self.span(start.max(at.saturating_sub(6))..at).rev() {
            match word.tag {
                Tag::Preposition => return Some(word),
                Tag::Determiner | Tag::Adjective | Tag::Number | Tag::Name | Tag::Adverb => {}
                Tag::Noun if word.amount.is_some() || word.weight > 0.0 => {}
                Tag::Mark if word.lower.as_ref() == "-" || word.lower.as_ref() == "$" => {}
                _ => return None,
            }
        }
        None
    }
}
