//! A verb in its clause → who, does what, to whom, and what hangs on which preposition.

use std::ops::Range;

use probity_text::lemma::Form;
use probity_text::tag::Tag;

use super::reading::{Reading, Word};

/// How far behind a participle its `by` may stand.
const BY_REACH: usize = 8;

/// Verbs whose object does what the infinitive behind it says.
const CONTROLLING: &str = "order ask tell force allow require urge persuade enable permit instruct want expect oblige compel command advise invite encourage \
    cause get lead authorise authorize direct sentence";

/// A noun or name that hangs on a preposition.
#[derive(Debug, Clone)]
pub(super) struct Hanging {
    /// Its place.
    pub at: usize,
    /// The preposition.
    pub preposition: Box<str>,
    /// The noun that the phrase stands behind; empty behind a verb.
    pub behind: Box<str>,
}

/// The shape of what is said with one verb.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// The verb, or the word behind a form of be.
    pub predicate: Option<usize>,
    /// "was built": the subject is what it is done to.
    pub passive: bool,
    /// Nouns and names before the verb that hang on nothing.
    pub subject: Vec<usize>,
    /// The subject is a pronoun, or not to be told.
    pub pronoun: bool,
    /// Nouns and names behind the verb that hang on nothing.
    pub object: Vec<usize>,
    /// Who does it, behind `by`.
    pub by: Vec<usize>,
    /// All that hangs on other prepositions.
    pub hanging: Vec<Hanging>,
}

impl Frame {
    /// Reads a clause around its main verb.
    pub(super) fn new(reading: &Reading<'_>, clause: usize) -> Self {
        let Some(words) = reading.clauses.get(clause).map(|clause| clause.words.clone()) else {
            return Self::default();
        };
        let verb = main_verb(reading, &words);
        let mut frame = Self::of_words(reading, words, verb);
        frame.take_subject(reading, clause);
        frame.find_complement(reading);
        frame
    }

    /// Reads a clause around one of its verbs. A verb that does not carry the clause ("…, beating
    /// the favourite", "came from behind to beat them") has the clause's subject.
    pub(super) fn around(reading: &Reading<'_>, verb: usize) -> Self {
        let Some(clause) = reading.word(verb).map(|word| word.clause) else {
            return Self::default();
        };
        let main = Self::new(reading, clause);
        let plain = reading.word(verb).is_some_and(|word| word.tag == Tag::Verb);
        if main.predicate == Some(verb) || !plain {
            return main;
        }
        let Some(words) = reading.clauses.get(clause).map(|clause| clause.words.clone()) else {
            return main;
        };
        let next_verb = reading
            .span(verb + 1..words.end)
            .find(|(_, word)| word.tag == Tag::Verb && word.weight > 0.3)
            .map_or(words.end, |(at, _)| at);
        let mut frame = Self::of_words(reading, verb..next_verb, Some(verb));
        if frame.passive {
            // "a round led by Northgate": what is led stands right before.
            let noun = reading
                .span(words.start..verb)
                .rev()
                .find(|(_, word)| matches!(word.tag, Tag::Noun | Tag::Name))
                .map(|(at, _)| at);
            frame.subject = noun.into_iter().collect();
        } else {
            frame.subject = main.subject;
            frame.pronoun = main.pronoun;
            // "The jury ordered Altira to pay": Altira pays.
            let told = main
                .predicate
                .and_then(|at| reading.word(at))
                .is_some_and(|word| CONTROLLING.split(' ').any(|verb| verb == word.lemma.as_ref()));
            let infinitive = verb
                .checked_sub(1)
                .and_then(|before| reading.word(before))
                .is_some_and(|before| before.lower.as_ref() == "to");
            let between: Vec<usize> = main.object.iter().copied().filter(|at| *at < verb).collect();
            if told && infinitive && !between.is_empty() && !main.passive {
                frame.subject = between;
                frame.pronoun = false;
            }
        }
        frame
    }

    fn of_words(reading: &Reading<'_>, words: Range<usize>, verb: Option<usize>) -> Self {
        let passive = verb.is_some_and(|verb| is_passive(reading, &words, verb));
        let mut frame = Self { predicate: verb, passive, ..Self::default() };
        let mut preposition: Option<(Box<str>, Box<str>)> = None;
        let mut last: Box<str> = "".into();
        let start = words.start;
        let mut filled = false;
        for (at, word) in reading.span(words) {
            match word.tag {
                // "after the light was automated": a conjunction here.
                Tag::Preposition
                    if at == start
                        && verb.is_some()
                        && matches!(
                            word.lower.as_ref(),
                            "after" | "before" | "since" | "until" | "as"
                        ) => {}
                Tag::Preposition => {
                    preposition = Some((word.lower.clone(), last.clone()));
                    filled = false;
                }
                // "before the collision the Petrel": a new phrase hangs on nothing.
                Tag::Determiner if filled && !is_joined(reading, at) => {
                    preposition = None;
                    filled = false;
                }
                Tag::Verb | Tag::Aux | Tag::Modal => {
                    preposition = None;
                    last = "".into();
                }
                Tag::Conjunction if word.lower.as_ref() != "and" && word.lower.as_ref() != "or" => {
                    preposition = None
                }
                Tag::Mark if matches!(word.lower.as_ref(), "," | ";" | ":") => preposition = None,
                Tag::Pronoun
                    if preposition.is_none()
                        && verb.is_none_or(|verb| at < verb)
                        && is_personal(word) =>
                {
                    frame.pronoun = true
                }
                Tag::Noun | Tag::Name if word.amount.is_none() => {
                    if filled && opens_anew(reading, at) {
                        preposition = None;
                    }
                    frame.place(at, preposition.clone());
                    filled = preposition.is_some();
                    last = word.lemma.clone();
                }
                _ => {}
            }
        }
        frame
    }

    /// Puts a noun where it belongs.
    fn place(&mut self, at: usize, preposition: Option<(Box<str>, Box<str>)>) {
        let before = self.predicate.is_none_or(|verb| at < verb);
        match preposition {
            Some((by, behind))
                if by.as_ref() == "by" && !before && (self.passive || behind.is_empty()) =>
            {
                self.by.push(at)
            }
            Some((preposition, behind)) => self.hanging.push(Hanging { at, preposition, behind }),
            None if before => self.subject.push(at),
            None => self.object.push(at),
        }
    }

    /// A clause that has no subject takes that of the clause before it; behind "that" and the like
    /// it is not worth the doubt.
    fn take_subject(&mut self, reading: &Reading<'_>, clause: usize) {
        if !self.subject.is_empty() || self.pronoun {
            return;
        }
        let words = |clause: usize| reading.clauses.get(clause).map(|clause| clause.words.clone());
        let (Some(mine), Some(before)) = (words(clause), clause.checked_sub(1).and_then(words))
        else {
            return;
        };
        let first = |words: &Range<usize>| reading.word(words.start);
        let joined = first(&mine).is_some_and(|word| {
            matches!(word.lower.as_ref(), "and" | "but" | "or")
                || matches!(word.tag, Tag::Verb | Tag::Adverb)
        });
        if joined
            && first(&mine).map(|word| word.sentence) == first(&before).map(|word| word.sentence)
        {
            let other = Self::of_words(reading, before.clone(), main_verb(reading, &before));
            self.subject = other.subject;
            self.pronoun = other.pronoun;
        } else {
            self.pronoun = true;
        }
    }

    /// Behind a form of be, what is said is the adjective or noun that follows it.
    fn find_complement(&mut self, reading: &Reading<'_>) {
        let Some(verb) = self
            .predicate
            .filter(|verb| reading.word(*verb).is_some_and(|word| word.tag == Tag::Aux))
        else {
            return;
        };
        let clause = reading.word(verb).map(|word| word.clause);
        let follows =
            reading.span(verb + 1..(verb + 8).min(reading.words.len())).find(|(_, word)| {
                word.is_content() && word.tag != Tag::Adverb && Some(word.clause) == clause
            });
        if let Some((at, _)) = follows {
            self.predicate = Some(at);
            self.object.retain(|place| *place != at);
        }
    }

    /// Who does it.
    pub(super) fn agent(&self) -> &[usize] {
        if self.passive { &self.by } else { &self.subject }
    }

    /// What it is done to.
    pub(super) fn patient(&self) -> &[usize] {
        if self.passive { &self.subject } else { &self.object }
    }
}

/// "Under its terms Kessin ceded": a name behind a common noun and before a verb is the subject.
fn opens_anew(reading: &Reading<'_>, at: usize) -> bool {
    let name = |word: &Word| word.tag == Tag::Name;
    let common = at
        .checked_sub(1)
        .and_then(|before| reading.word(before))
        .is_some_and(|before| before.tag == Tag::Noun && !before.capital);
    let verb = reading
        .span(at + 1..(at + 4).min(reading.words.len()))
        .find(|(_, word)| !name(word))
        .is_some_and(|(_, word)| matches!(word.tag, Tag::Verb | Tag::Aux | Tag::Modal));
    common && reading.word(at).is_some_and(name) && verb
}

/// Whether a place goes on with a list: "in the hall and the tower".
fn is_joined(reading: &Reading<'_>, at: usize) -> bool {
    at.checked_sub(1)
        .and_then(|at| reading.word(at))
        .is_some_and(|before| matches!(before.lower.as_ref(), "and" | "or" | ","))
}

fn is_personal(word: &Word) -> bool {
    matches!(
        word.lower.as_ref(),
        "he" | "she" | "it" | "they" | "we" | "i" | "you" | "this" | "these" | "which" | "who"
    )
}

/// The verb that the clause is about: the last of its first group (`may have been built`), past a
/// participle that only describes (`the startup, founded in 2019, sells`).
fn main_verb(reading: &Reading<'_>, clause: &Range<usize>) -> Option<usize> {
    let mut helper = None;
    let mut aside = None;
    for (at, word) in reading.span(clause.clone()) {
        match word.tag {
            Tag::Verb if helper.is_none() && is_aside(reading, clause, at) => {
                aside = aside.or(Some(at))
            }
            Tag::Verb => return Some(at),
            Tag::Aux | Tag::Modal => helper = Some(at),
            Tag::Adverb => {}
            _ if helper.is_some() => return helper,
            _ => {}
        }
    }
    helper.or(aside)
}

/// Whether a verb form stands behind a comma or a noun without carrying the clause, which another
/// verb does.
fn is_aside(reading: &Reading<'_>, clause: &Range<usize>, at: usize) -> bool {
    let Some(word) = reading.word(at) else { return false };
    let before = at.checked_sub(1).and_then(|at| reading.word(at));
    let comma = before.is_some_and(|before| before.lower.as_ref() == ",");
    let participle = matches!(word.form, Form::Past | Form::Participle | Form::Ing);
    let described = participle && (comma || has_by(reading, at));
    let carried = reading.span(at + 1..clause.end).any(|(_, other)| {
        matches!(other.tag, Tag::Aux | Tag::Modal)
            || other.tag == Tag::Verb && matches!(other.form, Form::Past | Form::S)
    });
    described && carried && at > clause.start + 1
}

/// Whether a participle is followed by who did it: "founded in 2019 by Mira", not "rose by 12 percent".
fn has_by(reading: &Reading<'_>, verb: usize) -> bool {
    let behind = reading.span(verb + 1..(verb + BY_REACH).min(reading.words.len())).take_while(
        |(_, word)| {
            !matches!(word.tag, Tag::Verb | Tag::Aux | Tag::Modal | Tag::Conjunction)
                && word.lower.as_ref() != ","
        },
    );
    let by = behind.into_iter().find(|(_, word)| word.lower.as_ref() == "by").map(|(at, _)| at);
    by.is_some_and(|by| {
        // "by fewer than 4,000 votes", "by more than two goals".
        let bounded = reading.word(by + 1).is_some_and(|next| {
            matches!(next.lower.as_ref(), "fewer" | "more" | "less" | "about" | "almost" | "nearly")
        });
        !bounded
            && reading
                .word(by + 1)
                .is_some_and(|next| next.tag != Tag::Verb && !is_measure(reading, next))
    })
}

/// "by 12 percent" is how much; "by two engineers" is who.
fn is_measure(reading: &Reading<'_>, word: &Word) -> bool {
    let amount = word.amount.and_then(|number| reading.amounts.get(number));
    amount.is_some_and(|amount| amount.quantity.counts.is_none())
}

fn is_passive(reading: &Reading<'_>, words: &Range<usize>, verb: usize) -> bool {
    let Some(word) = reading
        .word(verb)
        .filter(|word| matches!(word.form, Form::Past | Form::Participle) && word.tag == Tag::Verb)
    else {
        return false;
    };
    let start = reading.clauses.get(word.clause).map_or(words.start, |clause| clause.words.start);
    let helped = reading
        .span(start.max(verb.saturating_sub(4))..verb)
        .any(|(_, word)| word.tag == Tag::Aux && word.lemma.as_ref() == "be");
    helped || has_by(reading, verb)
}
