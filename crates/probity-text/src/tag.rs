//! What each word of an English sentence is: noun, verb, name, auxiliary, preposition and so on.
//!
//! A small tagger: closed classes by list, open classes by the lexicon and by what stands before.
//! Right often enough to find subjects, predicates and the scope of a negation, and cheap.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::lemma::{Form, Lemma, lemmas};
use crate::lex::{Kind, Token};
use crate::lexicon::kinds;

/// The kind of a word in its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tag {
    /// A common noun.
    Noun,
    /// A proper name, or a part of one.
    Name,
    /// A verb with a meaning of its own.
    Verb,
    /// A form of be, have or do that helps another verb or links to an adjective.
    Aux,
    /// can, may, will, must.
    Modal,
    /// An adjective.
    Adjective,
    /// An adverb.
    Adverb,
    /// An article or another word that opens a noun phrase.
    Determiner,
    /// A pronoun.
    Pronoun,
    /// A preposition, and `to` before a verb.
    Preposition,
    /// A word that joins clauses or phrases.
    Conjunction,
    /// Digits or a number word.
    Number,
    /// Punctuation.
    Mark,
}

/// A token with what it is and its base form.
#[derive(Debug, Clone)]
pub struct Tagged<'a> {
    /// The token.
    pub token: Token<'a>,
    /// What it is here.
    pub tag: Tag,
    /// Its base form here.
    pub lemma: Lemma,
}

impl Tagged<'_> {
    /// Whether it is a verb that can carry a clause: past, present or with an auxiliary.
    pub fn is_finite(&self) -> bool {
        match self.tag {
            Tag::Aux | Tag::Modal => {
                !matches!(self.token.lower.as_ref(), "be" | "been" | "being" | "having")
            }
            Tag::Verb => matches!(self.lemma.form, Form::Past | Form::S | Form::Base),
            _ => false,
        }
    }

    /// Whether it says something by itself.
    pub fn is_content(&self) -> bool {
        matches!(self.tag, Tag::Noun | Tag::Name | Tag::Verb | Tag::Adjective | Tag::Adverb)
    }
}

const CLOSED: &[(Tag, &str)] = &[
    (
        Tag::Aux,
        "be am is are was were been being have has had having do does did 's 're 've isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't it's he's she's they're we're",
    ),
    (
        Tag::Modal,
        "will would can could may might must shall should cannot can't won't wouldn't couldn't shouldn't mustn't mightn't",
    ),
    (
        Tag::Determiner,
        "a an the this that these those my your his her its our their each every all some any no both either neither many much few several most another such what whose half other",
    ),
    (
        Tag::Pronoun,
        "i you he she it we they me him us them who whom which someone anyone everyone somebody anybody everybody nobody nothing something anything everything none itself himself herself themselves one ones others yours theirs ours whoever there",
    ),
    (
        Tag::Preposition,
        "of in on at by for with from to into onto over under above below between among through during before after about against without within across behind beyond near off per since until till toward towards upon via despite except inside outside around along amid beside besides like unlike as than up down out due",
    ),
    (
        Tag::Conjunction,
        "and or but nor yet so while whereas although though because if unless when whenever where whether once",
    ),
    (
        Tag::Adverb,
        "not never very too also just only even still already now then here soon ever again often always sometimes usually rarely seldom almost nearly about quite rather well away back ago later together instead however therefore thus perhaps maybe n't yet today yesterday tomorrow more less most least further far long early late",
    ),
];

static CLASSES: LazyLock<HashMap<&str, Tag>> = LazyLock::new(|| {
    let mut classes = HashMap::new();
    for (tag, words) in CLOSED {
        for word in words.split_whitespace() {
            classes.entry(word).or_insert(*tag);
        }
    }
    classes
});

/// Tags the tokens of one sentence.
///
/// ```
/// use probity_text::{lex::tokens, tag::{Tag, tag}};
///
/// let tags: Vec<_> = tag(tokens("The council rejected Dunn's plan.")).iter().map(|t| t.tag).collect();
/// assert_eq!(tags, [Tag::Determiner, Tag::Noun, Tag::Verb, Tag::Name, Tag::Noun, Tag::Mark]);
/// ```
pub fn tag(tokens: Vec<Token<'_>>) -> Vec<Tagged<'_>> {
    let mut found: Vec<Tagged<'_>> = Vec::with_capacity(tokens.len());
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        let next = rest.peek();
        let tagged = decide(&found, token, next);
        found.push(tagged);
    }
    found
}

fn decide<'a>(before: &[Tagged<'a>], token: Token<'a>, next: Option<&Token<'a>>) -> Tagged<'a> {
    // "Berlin-based" and "better-paid" say what something is like.
    let compound =
        token.joined && before.last().is_some_and(|last| last.token.is("-") && last.token.joined);
    let (tag, lemma) = match token.kind {
        Kind::Mark => (Tag::Mark, base(&token.lower)),
        Kind::Number => (Tag::Number, base(&token.lower)),
        Kind::Word => match CLASSES.get(token.lower.as_ref()).filter(|_| !is_acronym(&token)) {
            Some(tag) => closed(before, *tag, &token, next),
            // "no longer" says when, not how long.
            None if token.lower == "longer"
                && before.last().is_some_and(|last| last.token.lower == "no") =>
            {
                (Tag::Adverb, base("longer"))
            }
            None if is_name(before, &token, next) => (
                Tag::Name,
                base(token.lower.strip_suffix("'s").unwrap_or(&token.lower).trim_end_matches('\'')),
            ),
            None => open(before, &token, next),
        },
    };
    let tag = if compound && tag == Tag::Verb { Tag::Adjective } else { tag };
    Tagged { token, tag, lemma }
}

fn base(word: &str) -> Lemma {
    Lemma { base: word.to_owned(), form: Form::Base }
}

/// `US` and `IT` are names where `us` and `it` are not.
fn is_acronym(token: &Token<'_>) -> bool {
    token.text.len() > 1 && token.text.chars().all(|c| c.is_uppercase() || c.is_ascii_digit())
}

fn closed(
    before: &[Tagged<'_>],
    tag: Tag,
    token: &Token<'_>,
    next: Option<&Token<'_>>,
) -> (Tag, Lemma) {
    let word = token.lower.as_ref();
    let lemma = if tag == Tag::Aux {
        lemmas(word).into_iter().next().unwrap_or_else(|| base(word))
    } else {
        base(word)
    };
    let noun_next = next
        .is_some_and(|next| next.kind == Kind::Word && !CLASSES.contains_key(next.lower.as_ref()));
    let after_noun =
        before.last().is_some_and(|last| matches!(last.tag, Tag::Noun | Tag::Name | Tag::Pronoun));
    let tag = match word {
        // "have" and "do" are verbs of their own before a noun phrase.
        "have" | "has" | "had"
            if next.is_some_and(|next| {
                next.kind == Kind::Number
                    || CLASSES.get(next.lower.as_ref()) == Some(&Tag::Determiner)
            }) =>
        {
            Tag::Verb
        }
        "am" if before.last().is_some_and(|last| last.tag == Tag::Number) => Tag::Noun,
        "may" if token.is_capital() && !before.is_empty() => Tag::Name,
        "up" | "down" if before.last().is_some_and(|last| last.tag == Tag::Aux) => Tag::Adjective,
        "that"
            if after_noun
                || !noun_next
                || before.last().is_some_and(|last| last.tag == Tag::Verb) =>
        {
            Tag::Conjunction
        }
        "her" | "his" if !noun_next => Tag::Pronoun,
        _ => tag,
    };
    (tag, lemma)
}

/// Whether a word is a name: a capital inside a sentence, or at its start where no common word fits.
fn is_name(before: &[Tagged<'_>], token: &Token<'_>, next: Option<&Token<'_>>) -> bool {
    if !token.is_capital() {
        return false;
    }
    let opening = before.iter().all(|tagged| tagged.tag == Tag::Mark)
        || before.last().is_some_and(|last| {
            matches!(last.token.text, ":" | "•" | "—" | "-") && !last.token.joined
        });
    if !opening || is_acronym(token) {
        return true;
    }
    let lower = token.lower.strip_suffix("'s").unwrap_or(&token.lower);
    // "Google removed three apps": what no noun can be is a name before a verb.
    let verb_next = next.is_some_and(|next| {
        next.lower.ends_with("ed")
            || matches!(CLASSES.get(next.lower.as_ref()), Some(Tag::Aux | Tag::Modal))
    });
    if verb_next
        && lemmas(lower).iter().all(|lemma| kinds(&lemma.base).is_none_or(|kinds| kinds.noun < 0.1))
    {
        return true;
    }
    let common = lemmas(lower).iter().any(|lemma| kinds(&lemma.base).is_some());
    !common
        || next.is_some_and(|next| next.is_capital() && !CLASSES.contains_key(next.lower.as_ref()))
            && kinds(lower).is_none_or(|kinds| kinds.noun < 0.5)
}

/// Where a word of an open class stands.
struct Place {
    /// The word before it, past adverbs.
    last: Option<Tag>,
    last_aux: bool,
    last_do: bool,
    to: bool,
    next_noun: bool,
    next_opens: bool,
    next_to: bool,
    /// `by`, `to` or `from` follows, as behind a verb of change.
    next_moves: bool,
    /// An adverb stands right before.
    adverb: bool,
    /// An auxiliary follows: the word is a noun then, whatever else it could be.
    next_helps: bool,
    next_number: bool,
}

fn open(before: &[Tagged<'_>], token: &Token<'_>, next: Option<&Token<'_>>) -> (Tag, Lemma) {
    let candidates = lemmas(&token.lower);
    let place = place(before, next);
    let mut best: Option<(f32, Tag, Lemma)> = None;
    for lemma in candidates {
        let kinds = kinds(&lemma.base).unwrap_or_else(|| guessed(&token.lower));
        for (tag, share) in [
            (Tag::Noun, kinds.noun),
            (Tag::Verb, kinds.verb),
            (Tag::Adjective, kinds.adjective),
            (Tag::Adverb, kinds.adverb),
        ] {
            let score = share.sqrt() * fit(tag, lemma.form, &place);
            if share > 0.0 && best.as_ref().is_none_or(|(top, _, _)| score > *top) {
                best = Some((score, tag, lemma.clone()));
            }
        }
    }
    best.map_or_else(|| (Tag::Noun, base(&token.lower)), |(_, tag, lemma)| (tag, lemma))
}

fn guessed(word: &str) -> crate::lexicon::Kinds {
    let mut kinds = crate::lexicon::Kinds { noun: 0.8, verb: 0.02, adjective: 0.1, adverb: 0.0 };
    if word.ends_with("ly") {
        kinds.adverb = 2.0;
    } else if word.ends_with("ed") || word.ends_with("ing") {
        kinds.verb = 1.5;
    } else if word.ends_with("ous")
        || word.ends_with("ful")
        || word.ends_with("ic")
        || word.ends_with("able")
    {
        kinds.adjective = 1.5;
    }
    kinds
}

fn place(before: &[Tagged<'_>], next: Option<&Token<'_>>) -> Place {
    let mut back = before.iter().rev().filter(|tagged| tagged.tag != Tag::Adverb);
    let last = match back.next() {
        // "the Alto 5" is a name to its end.
        Some(number) if number.tag == Tag::Number => back
            .next()
            .filter(|tagged| matches!(tagged.tag, Tag::Name | Tag::Noun))
            .or(Some(number)),
        last => last,
    };
    let next_class = next.and_then(|next| CLASSES.get(next.lower.as_ref()).copied());
    let next_open = next.is_some_and(|next| next.kind == Kind::Word && next_class.is_none());
    // "Dunn's plan": what is owned is a thing.
    let owner = |tagged: &Tagged<'_>| {
        matches!(tagged.tag, Tag::Name | Tag::Noun) && tagged.token.lower.ends_with(['\'', '’'])
            || tagged.token.lower.ends_with("'s")
    };
    Place {
        last: last.map(|tagged| if owner(tagged) { Tag::Determiner } else { tagged.tag }),
        last_do: last.is_some_and(|tagged| tagged.lemma.base == "do"),
        last_aux: last.is_some_and(|tagged| tagged.tag == Tag::Aux),
        to: last.is_some_and(|tagged| tagged.token.lower == "to"),
        next_noun: next_open,
        next_moves: next.is_some_and(|next| matches!(next.lower.as_ref(), "by" | "to" | "from")),
        adverb: before.last().is_some_and(|last| last.tag == Tag::Adverb),
        next_helps: matches!(next_class, Some(Tag::Aux | Tag::Modal)),
        next_number: next
            .is_some_and(|next| next.kind == Kind::Number || matches!(next.text, "$" | "€" | "£")),
        next_to: next.is_some_and(|next| next.lower == "to"),
        next_opens: next.is_some_and(|next| next.kind == Kind::Number)
            || matches!(next_class, Some(Tag::Determiner | Tag::Preposition | Tag::Pronoun)),
    }
}

/// How well a kind and form fit where the word stands.
fn fit(tag: Tag, form: Form, place: &Place) -> f32 {
    let verbal = matches!(form, Form::Past | Form::Participle | Form::Ing);
    let nominal = matches!(place.last, Some(Tag::Determiner | Tag::Adjective | Tag::Number));
    let subject = matches!(place.last, Some(Tag::Noun | Tag::Name | Tag::Pronoun));
    match tag {
        Tag::Verb if place.last == Some(Tag::Modal) => 3.0,
        Tag::Verb if place.to && form == Form::Base => 2.0,
        Tag::Verb if place.last_aux && verbal => 3.0,
        Tag::Verb if place.last_do && form == Form::Base => 3.0,
        Tag::Verb if place.last_aux => 0.3,
        Tag::Verb if place.next_helps && (!verbal || place.last == Some(Tag::Determiner)) => 0.15,
        // "still lives", "no longer sells".
        Tag::Verb if place.adverb && matches!(form, Form::S | Form::Base) && !nominal => 2.2,
        Tag::Verb if place.last == Some(Tag::Verb) && !verbal => 0.3,
        // "people over 65 rose by a third"
        Tag::Verb if verbal && form != Form::Ing && place.next_moves => 2.6,
        Tag::Verb if nominal && verbal && place.next_noun => 0.5,
        Tag::Verb if nominal && verbal => 0.9,
        Tag::Verb if place.last == Some(Tag::Conjunction) && place.next_number => 1.6,
        Tag::Verb if place.last == Some(Tag::Mark) && place.next_to && form != Form::Ing => 1.6,
        Tag::Verb if nominal => 0.15,
        // "Parking costs 18 euros": at the start, a noun as often as not.
        Tag::Verb if form == Form::Ing && place.last.is_none() => 0.9,
        Tag::Verb if verbal => 2.0,
        Tag::Verb if subject && place.next_to => 2.0,
        Tag::Verb if subject && place.next_number => 2.4,
        Tag::Verb if subject && place.next_opens => 1.6,
        Tag::Verb if subject => 1.1,
        Tag::Verb if place.last == Some(Tag::Preposition) => 0.2,
        Tag::Verb => 0.8,
        _ if place.last == Some(Tag::Modal) => 0.3,
        Tag::Noun if form == Form::S && nominal => 1.6,
        Tag::Noun if nominal && !verbal => {
            if place.next_noun {
                1.0
            } else {
                1.5
            }
        }
        Tag::Noun if place.last == Some(Tag::Preposition) && !verbal => 1.3,
        Tag::Noun if verbal => 0.3,
        Tag::Noun if place.last_aux => 0.6,
        Tag::Noun => 1.0,
        Tag::Adjective if verbal && form != Form::Ing && nominal && place.next_noun => 2.0,
        Tag::Adjective if matches!(form, Form::Comparative | Form::Superlative) => 2.5,
        Tag::Adjective if form == Form::S || verbal => 0.1,
        Tag::Adjective
            if (nominal || place.last == Some(Tag::Preposition))
                && !place.next_noun
                && form == Form::Base =>
        {
            0.4
        }
        Tag::Adjective if place.next_noun || place.last_aux => 1.4,
        Tag::Adjective => 0.8,
        Tag::Adverb if form == Form::Base => 0.9,
        _ => 0.2,
    }
}

/// Tags in which a word behind an article and a name is the thing that has the name, even where it could
/// be a verb too: `tunnel` in `when did the Arden tunnel open`.
pub(crate) fn named_things(mut tagged: Vec<Tagged<'_>>) -> Vec<Tagged<'_>> {
    for at in 2..tagged.len() {
        let before = tagged.get(..at).unwrap_or_default();
        let name = before.iter().rposition(|one| one.tag != Tag::Name);
        let opened = name.filter(|name| name + 1 < at).and_then(|name| before.get(name));
        let is_thing = |one: &Tagged<'_>| {
            one.tag == Tag::Verb
                && one.lemma.form == Form::Base
                && kinds(&one.lemma.base).is_some_and(|kinds| kinds.noun >= 0.3)
        };
        let opened = opened.is_some_and(|one| one.tag == Tag::Determiner);
        if let Some(one) = tagged.get_mut(at).filter(|one| opened && is_thing(one)) {
            one.tag = Tag::Noun;
        }
    }
    tagged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex::tokens;

    fn tags(text: &str) -> Vec<(String, Tag)> {
        tag(tokens(text))
            .into_iter()
            .filter(|tagged| tagged.is_content())
            .map(|tagged| (tagged.lemma.base, tagged.tag))
            .collect()
    }

    #[test]
    fn verbs_nouns_and_adjectives_are_told_apart() {
        let expected = |words: &[(&str, Tag)]| {
            words.iter().map(|(word, tag)| ((*word).to_owned(), *tag)).collect::<Vec<_>>()
        };
        assert_eq!(
            tags("The council cut the budget"),
            expected(&[("council", Tag::Noun), ("cut", Tag::Verb), ("budget", Tag::Noun)])
        );
        assert_eq!(tags("A cut was made"), expected(&[("cut", Tag::Noun), ("make", Tag::Verb)]));
        assert_eq!(
            tags("The old mill closed in March."),
            expected(&[
                ("old", Tag::Adjective),
                ("mill", Tag::Noun),
                ("close", Tag::Verb),
                ("march", Tag::Name)
            ])
        );
        assert_eq!(
            tags("They plan to build homes"),
            expected(&[("plan", Tag::Verb), ("build", Tag::Verb), ("home", Tag::Noun)])
        );
        assert_eq!(
            tags("Prices rose sharply"),
            expected(&[("price", Tag::Noun), ("rise", Tag::Verb), ("sharply", Tag::Adverb)])
        );
    }

    #[test]
    fn names_are_found_at_the_start_too() {
        let first = |text: &str| tag(tokens(text))[0].tag;
        assert_eq!(first("Halvorsen won."), Tag::Name);
        assert_eq!(first("Wheat prices fell."), Tag::Noun);
        assert_eq!(first("The mill closed."), Tag::Determiner);
        assert_eq!(first("KSA launched it."), Tag::Name);
    }
}
