//! One word of a text, with all that comparing needs.

use std::sync::OnceLock;

use probity_text::embed::{Embedder, Vector};
use probity_text::lemma::Form;
use probity_text::lex::{Kind, Token};
use probity_text::lexicon::{is_concept, knows, phrases};
use probity_text::quantity::quantities;
use probity_text::senses::Senses;
use probity_text::tag::{Tag, Tagged};
use probity_text::words::Stemmer;

/// Verbs that say little by themselves.
const LIGHT: &str = "be have do make take get give go say tell become use include report show find note add see come put call \
    describe state announce explain accord mention let keep set begin start remain stay";
/// The rank in the vocabulary where whole words begin; it is ordered by frequency.
const FIRST_RANK: f32 = 1_990.0;

/// A word or mark of a text.
#[derive(Debug)]
pub(in crate::check) struct Word {
    /// Where it begins, in bytes of the text.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Lower-case, without a possessive ending.
    pub lower: Box<str>,
    /// Base form, or a phrase joined by `_` that begins here.
    pub lemma: Box<str>,
    /// Stem in the language of the text.
    pub stem: Box<str>,
    /// What kind of word it is.
    pub tag: Tag,
    /// Which form of its base.
    pub form: Form,
    /// How much it matters; 0 for function words, marks and parts of quantities.
    pub weight: f32,
    /// Whether it is denied.
    pub denied: bool,
    /// Whether the denial reaches only a phrase.
    pub narrow: bool,
    /// Whether it is part of a negation.
    pub cue: bool,

    /// Its clause, among all of the text.
    pub clause: usize,
    /// Its sentence.
    pub sentence: usize,
    /// The quantity it belongs to.
    pub amount: Option<usize>,
    /// Whether it is written with a capital.
    pub capital: bool,
    vector: OnceLock<Vector>,
    senses: OnceLock<Senses>,
}

/// Where a word stands.
pub(super) struct Place {
    pub offset: usize,
    pub clause: usize,
    pub sentence: usize,
    pub denied: bool,
    pub cue: bool,
    pub narrow: bool,
}

impl Word {
    pub(super) fn new(tagged: &Tagged<'_>, place: &Place, stemmer: &Stemmer) -> Self {
        let token = &tagged.token;
        let lower = token.lower.strip_suffix("'s").unwrap_or(&token.lower).trim_end_matches('\'');
        let mut word = Self {
            start: place.offset + token.start,
            end: place.offset + token.end(),
            lower: lower.into(),
            lemma: tagged.lemma.base.as_str().into(),
            stem: stemmer.stem(lower).as_ref().into(),
            tag: tagged.tag,
            form: tagged.lemma.form,
            weight: 0.0,
            denied: place.denied,
            narrow: place.narrow,
            cue: place.cue,
            clause: place.clause,
            sentence: place.sentence,
            amount: None,
            capital: token.is_capital(),
            vector: OnceLock::new(),
            senses: OnceLock::new(),
        };
        word.weight = if place.cue { 0.0 } else { word.usual_weight() };
        word
    }

    /// Rare words matter more than frequent ones, names and nouns more than adverbs.
    fn usual_weight(&self) -> f32 {
        let kind = match self.tag {
            Tag::Adverb if matches!(self.lower.as_ref(), "early" | "late") => 0.7,
            Tag::Adjective if matches!(self.lower.as_ref(), "up" | "down") => 0.8,
            Tag::Name => 1.2,
            Tag::Noun => 1.0,
            Tag::Verb if LIGHT.split_whitespace().any(|light| light == self.lemma.as_ref()) => 0.2,
            Tag::Verb => 0.9,
            Tag::Adjective => 0.8,
            Tag::Adverb if self.lower.len() > 4 && !is_bound(&self.lower) => 0.35,
            _ if matches!(self.lower.as_ref(), "more" | "less" | "fewer" | "against") => 0.6,

            _ => return 0.0,
        };
        let rank = Embedder::embedded().rank(&self.lower);
        let idf = rank
            .map_or(10.0, |rank| ((rank as f32 - FIRST_RANK).max(1.0).ln() + 0.5).clamp(1.0, 10.0));
        kind * (0.4 + 0.06 * idf)
    }

    /// Makes it a name, as which it matters more.
    pub(super) fn become_name(&mut self) {
        self.tag = Tag::Name;
        self.lemma = self.lower.clone();
        if self.weight > 0.0 {
            self.weight = self.usual_weight();
        }
    }

    /// Whether it says something that a claim must find in its source.
    pub(in crate::check) fn is_content(&self) -> bool {
        self.weight > 0.0
    }

    /// What it can mean.
    pub(in crate::check) fn senses(&self) -> &Senses {
        self.senses.get_or_init(|| Senses::of(&self.lower))
    }

    /// Its meaning as a vector.
    pub(in crate::check) fn vector(&self) -> &Vector {
        self.vector.get_or_init(|| Embedder::embedded().embed(&self.lemma.replace('_', " ")))
    }
}

/// Words that make a number a bound or an estimate.
pub(super) fn is_bound(word: &str) -> bool {
    matches!(
        word,
        "more"
            | "less"
            | "fewer"
            | "than"
            | "least"
            | "most"
            | "over"
            | "under"
            | "about"
            | "around"
            | "roughly"
            | "nearly"
            | "almost"
            | "some"
            | "approximately"
            | "just"
            | "only"
            | "exactly"
            | "barely"
            | "up"
    )
}

/// Joins `re-elected` and `go-ahead` to one token where the parts are one word.
pub(super) fn join_compounds<'t>(body: &'t str, tokens: Vec<Token<'t>>) -> Vec<Token<'t>> {
    let mut found: Vec<Token<'t>> = Vec::with_capacity(tokens.len());
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        // "K-418b" and "COVID-19" are names to their end.
        let code = found.last().is_some_and(|last| is_code(last, &token, rest.peek()));
        if code && let Some(last) = found.pop() {
            let mut end = token.end();
            while let Some(next) =
                rest.next_if(|next| next.joined && (next.kind != Kind::Mark || next.is("-")))
            {
                end = next.end();
            }
            let text = body.get(last.start..end).unwrap_or(last.text);
            found.push(Token {
                start: last.start,
                text,
                lower: text.to_lowercase().into(),
                kind: Kind::Word,
                joined: last.joined,
            });
            continue;
        }
        let hyphen = token.is("-")
            && token.joined
            && rest.peek().is_some_and(|next| next.joined && next.kind == Kind::Word);
        let whole =
            found.last().filter(|last| hyphen && last.kind == Kind::Word).and_then(|last| {
                let next = rest.peek()?;
                let lower = format!("{}-{}", last.lower, next.lower);
                let number = !quantities(&last.lower).is_empty();
                let one =
                    !number && (is_prefix(&last.lower) || knows(&lower) || is_concept(&lower));
                let text = body.get(last.start..next.end())?;
                one.then(|| Token {
                    start: last.start,
                    text,
                    lower: if is_prefix(&last.lower) {
                        lower.replace('-', "").into()
                    } else {
                        lower.into()
                    },
                    kind: Kind::Word,
                    joined: last.joined,
                })
            });
        match whole {
            Some(whole) => {
                rest.next();
                found.pop();
                found.push(whole);
            }
            None => found.push(token),
        }
    }
    found
}

/// Whether a capitalised word goes on as a code: a hyphen and a number, without a space.
fn is_code(last: &Token<'_>, token: &Token<'_>, next: Option<&Token<'_>>) -> bool {
    let hyphen = token.is("-")
        && token.joined
        && next.is_some_and(|next| next.joined && next.kind == Kind::Number);
    last.kind == Kind::Word && last.is_capital() && hyphen
}

fn is_prefix(word: &str) -> bool {
    matches!(
        word,
        "re" | "co" | "e" | "pre" | "anti" | "counter" | "over" | "under" | "mis" | "de" | "un"
    )
}

/// Gives the first word of a known phrase (`turn down`, `take part`) the whole phrase as its base,
/// and takes the weight of the others.
pub(super) fn join_phrases(words: &mut [Word]) {
    for at in 0..words.len() {
        let Some(first) = words
            .get(at)
            .filter(|word| word.amount.is_none() && word.tag != Tag::Mark && !word.cue)
        else {
            continue;
        };
        let of_lemma = phrases(&first.lemma).iter();
        let of_lower = phrases(&first.lower).iter().filter(|_| first.lemma != first.lower);
        let found = of_lemma.chain(of_lower).find(|phrase| follows(words, at, phrase)).copied();
        let Some(phrase) = found else { continue };
        let length = phrase.split('_').count();
        let weight = words
            .get(at..at + length)
            .unwrap_or_default()
            .iter()
            .map(|word| word.weight)
            .fold(0.5, f32::max);
        for (place, word) in words.iter_mut().skip(at).take(length).enumerate() {
            word.weight = if place == 0 { weight } else { 0.0 };
            if place == 0 {
                word.lemma = phrase.into();
            }
        }
    }
}

fn follows(words: &[Word], at: usize, phrase: &str) -> bool {
    phrase.split('_').enumerate().skip(1).all(|(offset, part)| {
        words.get(at + offset).is_some_and(|word| {
            word.lower.as_ref() == part || word.lemma.as_ref() == part && word.amount.is_none()
        })
    })
}
