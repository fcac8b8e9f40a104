//! The terms of a question: each content word with its role and its weight.

use crate::Language;
use crate::embed::{Embedder, Vector};
use crate::lemma::lemma;
use crate::senses::Senses;
use crate::tag::{Tag, Tagged};
use crate::words::{Stemmer, bare, words};

use super::kind::Kind;
use super::read::Reading;

/// What a term does in the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// What the question is about.
    Content,
    /// A name: sets the scene, and is often only in the title of a source.
    Name,
    /// A number or a year.
    Number,
    /// The class of the answer: `symptoms`, `strategies`. An answer may name members of it instead.
    Asked,
    /// The word that told the kind: `cost`, `take`, `difference`. An answer shows a value instead.
    Kind,
    /// A word that says little anywhere: `say`, `use`, `kind`.
    Light,
}

impl Role {
    /// What a term of this role weighs beside a content word.
    fn weight(self) -> f64 {
        match self {
            Role::Content | Role::Asked => 1.0,
            Role::Name => 0.55,
            Role::Number => 0.2,
            Role::Kind => 0.3,
            Role::Light => 0.25,
        }
    }
}

/// A content word of a question.
#[derive(Debug, Clone)]
pub struct Term {
    /// The word, lower-case.
    pub word: String,
    /// The word as it stands in the question.
    pub shown: String,
    /// What it does.
    pub role: Role,
    /// Whether it is the thing that the question is about.
    pub subject: bool,
    /// What it counts: its rarity times the weights of its role and its class.
    pub weight: f64,
    /// Whether it says what is done or happens: `open` in `when did the line open`.
    pub(crate) verb: bool,
    /// The number that names it: `4` of `line 4`. Line 5 is another thing.
    pub(crate) number: Option<String>,
    /// Whether it is written in capitals only: `IPCC`.
    pub(crate) acronym: bool,
    pub(crate) stem: String,
    pub(crate) base: String,
    pub(crate) vector: Vector,
    pub(crate) senses: Senses,
}

impl Term {
    /// Whether no vocabulary knows it: a rare name, or a slip of the pen.
    pub(crate) fn is_unknown(&self) -> bool {
        self.senses.is_empty() && Embedder::embedded().rank(&self.word).is_none()
    }
}

/// Words that say little in any question.
const LIGHT: &[&str] = &[
    "say",
    "tell",
    "mention",
    "state",
    "apply",
    "happen",
    "type",
    "kind",
    "sort",
    "example",
    "name",
    "call",
    "know",
    "use",
    "take",
    "put",
    "find",
    "come",
    "various",
    "certain",
    "several",
    "different",
    "compare",
    "regard",
    "concern",
    "accord",
    "mean",
    "way",
    "thing",
    "want",
    "need",
    "explain",
    "describe",
    "list",
    "term",
    "process",
    "part",
    "group",
    "piece",
    "place",
    "common",
    "key",
    "stand",
    "aspect",
    "entity",
    "factor",
    "member",
    "main",
    "mainly",
    "major",
    "important",
    "particular",
    "specific",
    "general",
    "generally",
    "typical",
    "typically",
    "usual",
    "usually",
    "normally",
    "currently",
    "current",
    "today",
    "nowadays",
    "actually",
    "exactly",
    "really",
    "concept",
    "idea",
    "number",
    "amount",
    "level",
    "case",
    "role",
    "person",
    "people",
];

/// The rarity of a word, from 1 to 10, by its place in a vocabulary that is ordered by frequency.
pub(crate) fn rarity(word: &str) -> f64 {
    /// Pieces below this are letters and signs.
    const FIRST_WORD: f64 = 1_990.0;
    match Embedder::embedded().rank(word.strip_suffix("'s").unwrap_or(word)) {
        Some(rank) => ((f64::from(rank) - FIRST_WORD).max(1.0).ln() + 0.5).clamp(1.0, 10.0),
        None => 10.0,
    }
}

/// The terms of one part of a question. Texts are read by [`words`], and so are the terms: `17th` is
/// one word there and two tokens here.
pub(super) fn terms(
    text: &str,
    tagged: &[Tagged<'_>],
    reading: &Reading,
    stemmer: &Stemmer,
) -> Vec<Term> {
    let english = stemmer.language() == Language::English;
    let mut terms: Vec<Term> = Vec::new();
    let (Some(first), Some(last)) = (tagged.first(), tagged.last()) else {
        return terms;
    };
    for word in
        words(text).filter(|word| (first.token.start..=last.token.start).contains(&word.start))
    {
        let Some(at) = tagged.iter().position(|one| one.token.end() > word.start) else {
            continue;
        };
        let (Some(one), shown, word) = (tagged.get(at), word.raw, word.lower.as_ref()) else {
            continue;
        };
        let Some(stem) = stemmer.content_stem(word) else {
            continue;
        };
        if let Some(named) = named_by(tagged, at)
            && let Some(term) = terms.iter_mut().find(|term| term.word == named)
            && term.number.replace(word.to_owned()).is_none()
        {
            term.shown = format!("{} {word}", term.shown);
        }
        if terms.iter().any(|term| term.stem == *stem) {
            continue;
        }
        let role = role(tagged, at, reading, stemmer.language());
        let senses = if english { Senses::of(word) } else { Senses::default() };
        let heft = if english && matches!(role, Role::Content | Role::Asked) {
            heft(one, &senses)
        } else {
            1.0
        };
        terms.push(Term {
            word: word.to_owned(),
            shown: shown.to_owned(),
            role,
            subject: role == Role::Content && reading.subject == Some(at),
            weight: role.weight() * heft * rarity(word) / 10.0,
            verb: role == Role::Content && (one.tag == Tag::Verb || closes(tagged, at)),
            number: None,
            acronym: is_acronym(one.token.text),
            base: lemma(word),
            vector: Embedder::embedded().embed(word),
            senses,
            stem: stem.into_owned(),
        });
    }
    terms
}

/// Whether a word that can be a verb is what an auxiliary at the beginning waits for: `open` in `when did
/// the tunnel open`.
fn closes(tagged: &[Tagged<'_>], at: usize) -> bool {
    let helped = tagged
        .iter()
        .take(at)
        .any(|one| matches!(one.token.lower.as_ref(), "did" | "do" | "does" | "will" | "would"));
    let can_act = tagged
        .get(at)
        .is_some_and(|one| crate::lexicon::kinds(&one.lemma.base).is_some_and(|k| k.verb > 0.1));
    let after = tagged.get(at + 1..).unwrap_or_default();
    let verbs = || tagged.iter().any(|one| one.tag == Tag::Verb);
    helped && can_act && !after.iter().any(Tagged::is_content) && !verbs()
}

/// The noun that a number right behind it names: `line` in `line 4`.
fn named_by<'a>(tagged: &'a [Tagged<'_>], at: usize) -> Option<&'a str> {
    let [noun, number] = tagged.get(at.checked_sub(1)?..=at)? else { return None };
    let is_number = number.token.text.bytes().all(|byte| byte.is_ascii_digit());
    let adjacent = number.token.start == noun.token.end() + 1;
    // After "does" a noun such as "line" is easily taken for a verb.
    let noun_too = || crate::lexicon::kinds(&noun.lemma.base).is_some_and(|k| k.noun >= 0.3);
    let is_noun = matches!(noun.tag, Tag::Noun | Tag::Name) || noun.is_content() && noun_too();
    // What follows would be counted: "rose 5 percent".
    let counts = tagged.get(at + 1).is_some_and(|next| next.tag == Tag::Noun);
    (is_noun && is_number && adjacent && !counts).then(|| noun.token.lower.as_ref())
}

fn is_acronym(text: &str) -> bool {
    let text = bare(text);
    (2..=8).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
}

fn role(words: &[Tagged<'_>], at: usize, reading: &Reading, language: Language) -> Role {
    let Some(tagged) = words.get(at) else {
        return Role::Light;
    };
    let word = tagged.token.lower.as_ref();
    let light = language == Language::English
        && (LIGHT.contains(&word) || LIGHT.contains(&tagged.lemma.base.as_str()));
    if reading.told.contains(&at) {
        Role::Kind
    } else if tagged.token.text.starts_with(|c: char| c.is_numeric()) {
        Role::Number
    } else if language != Language::German && is_name(words, at) {
        Role::Name
    } else if reading.asked == Some(at) && (reading.kind == Kind::Count || !light) {
        Role::Asked
    } else if light {
        Role::Light
    } else {
        Role::Content
    }
}

/// What a word of this class tells beside a noun that names a thing.
fn heft(tagged: &Tagged<'_>, senses: &Senses) -> f64 {
    match tagged.tag {
        Tag::Adverb => 0.25,
        Tag::Adjective => 0.5,
        Tag::Verb => 0.6,
        _ if senses.is_time() => 0.5,
        _ => 1.0,
    }
}

/// Whether a word is part of a name. In a question that is written like a headline, or in a language
/// that writes nouns with capitals, a capital says nothing.
fn is_name(words: &[Tagged<'_>], at: usize) -> bool {
    let is_open = |tagged: &&Tagged<'_>| tagged.is_content();
    let plain = words.iter().filter(is_open).any(|tagged| !tagged.token.is_capital());
    words.get(at).is_some_and(|tagged| plain && tagged.tag == Tag::Name)
}
