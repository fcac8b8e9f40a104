//! How well a word of a text stands for a term of the question, from 0 to 1.
//!
//! The same stem counts in full, a word of the same family or meaning nearly, a mere neighbour in the
//! space of embeddings little. A guitarist is not a guitar: a person named after a thing is not that
//! thing. And `closed` is near `open` in that space, but says the reverse.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::concepts::{self, Concept};
use crate::embed::Vector;
use crate::question::{Kind, Role, Term};
use crate::senses::{Relation, Senses};

/// A word of the same family: `inspect` and `inspection`.
const FAMILY: f64 = 0.9;
/// A word of the same meaning.
const SYNONYM: f64 = 0.85;
/// The same letters but for one: a slip of the pen.
const MISSPELT: f64 = 0.8;
/// A doer and what is done (`inspect`, `inspector`), or a compound and its last part.
const RELATED: f64 = 0.7;
/// A synonym in a rare sense only.
const RARE_SYNONYM: f64 = 0.5;
/// A more general word: `vehicle` for `lorry`.
const BROADER: f64 = 0.4;
/// A person and the thing they are named after: `guitar` and `guitarist`.
const NAMESAKE: f64 = 0.3;
/// A word that says the reverse. To a yes-no question it is as good as a synonym.
const OPPOSITE: f64 = 0.2;
/// A special word for a general one, one step down, and what each further step takes.
const SPECIAL: (f64, f64) = (0.64, 0.06);
/// What a special word counts more where the class of the answer is asked for.
const MEMBER: f64 = 0.2;
/// The most that a neighbour counts.
const NEIGHBOUR: f64 = 0.65;
/// Cosines up to the first are chance, from the second on they count as [`NEIGHBOUR`].
const NEAR: (f64, f64) = (0.3, 0.7);
/// The same for the class of the answer, where members of the class stand for it.
const NEAR_ASKED: (f64, f64) = (0.25, 0.6);
/// Words whose spelling tells of one family agree in at least this much meaning.
const FAMILY_COSINE: f32 = 0.3;

/// A word of a text, as far as it is compared.
pub(super) struct Candidate<'a> {
    pub word: &'a str,
    pub stem: &'a str,
    pub vector: &'a Vector,
    pub senses: &'a Senses,
    /// Whether neighbours in the space of embeddings mean anything: its words are English.
    pub english: bool,
}

/// How well a word stands for a term of a question of some kind.
pub(super) fn affinity(term: &Term, kind: Kind, candidate: &Candidate<'_>) -> f64 {
    if term.stem == candidate.stem || same_but_for_accents(&term.stem, candidate.stem) {
        return 1.0;
    }
    if term.role == Role::Number || candidate.word.starts_with(|c: char| c.is_ascii_digit()) {
        return 0.0;
    }
    if term.role == Role::Name {
        return name(term, candidate);
    }
    if term.is_unknown() && misspelt(&term.word, candidate.word) {
        return MISSPELT;
    }
    let cosine = term.vector.cosine(candidate.vector);
    let (from, to) = if term.role == Role::Asked { NEAR_ASKED } else { NEAR };
    let near = if candidate.english {
        ((f64::from(cosine) - from) / (to - from)).clamp(0.0, 1.0) * NEIGHBOUR
    } else {
        0.0
    };
    let family = by_spelling(&term.word, candidate.word).filter(|_| cosine >= FAMILY_COSINE);
    match tie(term, kind, candidate) {
        Some(Tie::AtMost(most)) => near.min(most),
        Some(Tie::AtLeast(least)) if family != Some(NAMESAKE) => near.max(least),
        _ => family.unwrap_or(near),
    }
}

/// What the meaning of two words says about their likeness.
enum Tie {
    AtLeast(f64),
    AtMost(f64),
}

fn tie(term: &Term, kind: Kind, candidate: &Candidate<'_>) -> Option<Tie> {
    let opposite = || {
        if matches!(kind, Kind::YesNo | Kind::Permission) {
            Tie::AtLeast(RELATED)
        } else {
            Tie::AtMost(OPPOSITE)
        }
    };
    // "closed" is the reverse of "reopen" as it is of "open".
    let undone = term.word.strip_prefix("re").filter(|rest| rest.len() > 3).map(Senses::of);
    if undone.is_some_and(|rest| rest.relation(candidate.senses) == Some(Relation::Opposite)) {
        return Some(opposite());
    }
    let member = if term.role == Role::Asked { MEMBER } else { 0.0 };
    let by_senses = term.senses.relation(candidate.senses).map(|relation| match relation {
        Relation::Opposite => opposite(),
        Relation::Namesake => Tie::AtMost(NAMESAKE),
        Relation::Doer => Tie::AtLeast(RELATED),
        Relation::Family => Tie::AtLeast(FAMILY),
        Relation::Synonym { common: true } => Tie::AtLeast(SYNONYM),
        Relation::Synonym { common: false } => Tie::AtLeast(RARE_SYNONYM),
        Relation::Kind(steps) => {
            Tie::AtLeast(member + SPECIAL.0 - SPECIAL.1 * steps.saturating_sub(1) as f64)
        }
        Relation::Broader => Tie::AtLeast(BROADER),
    });
    match (by_senses, concepts::relation(term.senses.bases(), candidate.senses.bases())) {
        (Some(Tie::AtMost(most)), _) => Some(Tie::AtMost(most)),
        (_, Some(Concept::Opposite)) => Some(opposite()),
        (Some(Tie::AtLeast(least)), Some(Concept::Same)) => Some(Tie::AtLeast(least.max(RELATED))),
        (None, Some(Concept::Same)) => Some(Tie::AtLeast(RELATED)),
        (by_senses, None) => by_senses,
    }
}

/// How well a word stands for a name: another form of it, or the same with a slip of the pen.
fn name(term: &Term, candidate: &Candidate<'_>) -> f64 {
    let relation = term.senses.relation(candidate.senses);
    if matches!(relation, Some(Relation::Family | Relation::Synonym { common: true }))
        || demonym(&term.word, candidate.word)
    {
        FAMILY
    } else if misspelt(&term.word, candidate.word) {
        MISSPELT
    } else {
        0.0
    }
}

fn shared(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count()
}

fn rest(word: &str, skip: usize) -> String {
    word.chars().skip(skip).collect()
}

/// `Valdorian` for `Valdoria`.
fn demonym(name: &str, word: &str) -> bool {
    const OF_NAMES: &[&str] = &["", "'s", "a", "e", "y", "ia", "land", "o"];
    const OF_PEOPLE: &[&str] =
        &["n", "an", "ian", "ish", "ese", "ns", "ans", "ians", "er", "ers", "s", "'s", "i", "ic"];
    let length = shared(name, word);
    length >= 4
        && OF_NAMES.contains(&rest(name, length).as_str())
        && OF_PEOPLE.contains(&rest(word, length).as_str())
}

/// What two words count for each other whose spelling tells of one family.
fn by_spelling(a: &str, b: &str) -> Option<f64> {
    /// Endings that make one English word of a family from another.
    const ENDINGS: &[&str] = &[
        "", "s", "es", "e", "y", "i", "ies", "ed", "d", "ing", "ings", "ly", "al", "ally", "ial",
        "ation", "ations", "ion", "ions", "tion", "tions", "sion", "ment", "ments", "ness", "ity",
        "ities", "ty", "ance", "ances", "ence", "ences", "ancy", "ency", "ant", "ants", "ent",
        "ents", "able", "ible", "ability", "ibility", "ive", "ives", "ous", "ful", "ic", "ical",
        "ics", "ism", "age", "ages", "ure", "ures", "ary", "ory", "ize", "ise", "ized", "ised",
        "izing", "ising", "ization", "isation", "ify", "ified", "en", "ship", "hood", "dom", "th",
        "an", "ian", "ians", "ish", "ate", "ates", "ated", "ating", "er", "ers", "or", "ors",
        "ator", "ators", "ist", "ists", "eer", "eers",
    ];
    const DOERS: &[&str] = &["er", "ers", "or", "ors", "ator", "ators", "ant", "ants"];
    const NAMESAKES: &[&str] = &["ist", "ists", "ian", "ians", "eer", "eers"];
    let length = shared(a, b);
    let longest = a.chars().count().max(b.chars().count());
    let (x, y) = (rest(a, length), rest(b, length));
    if length >= 3
        && length * 10 >= longest * 4
        && ENDINGS.contains(&x.as_str())
        && ENDINGS.contains(&y.as_str())
    {
        let one = |list: &[&str]| list.contains(&x.as_str()) != list.contains(&y.as_str());
        return Some(if one(NAMESAKES) {
            NAMESAKE
        } else if one(DOERS) {
            RELATED
        } else {
            FAMILY
        });
    }
    is_compound(a, b).then_some(RELATED)
}

/// Whether one word is the last part of the other: `seashells`, `shell`.
fn is_compound(a: &str, b: &str) -> bool {
    let (a, b) = (a.trim_end_matches('s'), b.trim_end_matches('s'));
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    short.len() >= 4 && long.len() >= short.len() + 3 && long.ends_with(short)
}

/// Whether two stems differ in accents only: `temür` and `temur`.
fn same_but_for_accents(a: &str, b: &str) -> bool {
    (!a.is_ascii() || !b.is_ascii()) && plain(a).eq(plain(b))
}

fn plain(word: &str) -> impl Iterator<Item = char> {
    word.nfd().filter(|c| !is_combining_mark(*c))
}

/// Whether a word of at least five letters is another with one letter changed, added or dropped, or
/// two neighbours swapped.
fn misspelt(a: &str, b: &str) -> bool {
    const LETTERS: usize = 5;
    let letters =
        |word: &str| plain(word.strip_suffix("'s").unwrap_or(word)).collect::<Vec<char>>();
    let (a, b) = (letters(a), letters(b));
    let (short, long) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
    if short.len() < LETTERS
        || long.len() - short.len() > 1
        || !short.iter().all(|c| c.is_alphabetic())
    {
        return false;
    }
    let head = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let tail = |word: &[char], skip: usize| word.get(head + skip..).unwrap_or_default().to_vec();
    if short.len() < long.len() {
        return tail(short, 0) == tail(long, 1);
    }
    let swapped = short.get(head) == long.get(head + 1) && short.get(head + 1) == long.get(head);
    tail(short, 1) == tail(long, 1) || swapped && tail(short, 2) == tail(long, 2)
}
