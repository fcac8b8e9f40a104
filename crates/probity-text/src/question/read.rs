//! Tagged words of an English question → its kind, what told it, and its two main nouns.

use crate::tag::{Tag, Tagged};

use super::kind::{Kind, Tense};

/// What the words of a question say about it. Numbers are places of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reading {
    pub kind: Kind,
    pub tense: Tense,
    /// Words that told the kind: an answer shows a value instead of them.
    pub told: Vec<usize>,
    /// The noun that names the class of the answer: `symptoms` in `what are the symptoms of`.
    pub asked: Option<usize>,
    /// The noun that the question is about: `guitarists` in `how much do guitarists charge`.
    pub subject: Option<usize>,
}

const PRICE: &[&str] = &[
    "price",
    "cost",
    "charge",
    "fee",
    "fare",
    "rent",
    "salary",
    "wage",
    "tuition",
    "toll",
    "pay",
    "spend",
    "earn",
    "worth",
    "expensive",
    "cheap",
    "budget",
    "fine",
    "tariff",
    "expenditure",
];
const CAUSE: &[&str] = &["cause", "reason", "trigger"];
const CONTRAST: &[&str] =
    &["difference", "differ", "distinguish", "distinction", "compare", "versus", "vs", "different"];
const PERMISSION: &[&str] = &[
    "legal",
    "illegal",
    "allow",
    "allowed",
    "permit",
    "permitted",
    "forbid",
    "forbidden",
    "ban",
    "banned",
    "prohibit",
    "prohibited",
    "lawful",
    "require",
    "required",
    "oblige",
    "mandatory",
    "compulsory",
];
const SIZE: &[&str] = &[
    "far", "tall", "high", "deep", "wide", "big", "large", "heavy", "fast", "old", "hot", "cold",
    "thick", "loud", "close", "steep", "strong", "small", "quickly",
];
const MEASURE: &[&str] = &[
    "temperature",
    "percentage",
    "percent",
    "distance",
    "height",
    "depth",
    "length",
    "width",
    "weight",
    "speed",
    "size",
    "population",
    "capacity",
    "rate",
    "share",
    "proportion",
    "limit",
    "age",
    "altitude",
    "elevation",
    "density",
    "area",
    "volume",
    "duration",
];
const TIME: &[&str] =
    &["year", "date", "day", "month", "decade", "century", "time", "deadline", "season", "era"];
const PLACE: &[&str] = &[
    "city",
    "town",
    "country",
    "state",
    "region",
    "place",
    "street",
    "province",
    "county",
    "continent",
    "village",
    "district",
    "location",
];
const PERSON: &[&str] = &[
    "person",
    "man",
    "woman",
    "player",
    "president",
    "king",
    "queen",
    "leader",
    "author",
    "scientist",
];

/// Whether a word can open a question.
pub(super) fn opens(word: &str) -> bool {
    asks(word)
        || matches!(
            word,
            "is" | "are"
                | "was"
                | "were"
                | "do"
                | "does"
                | "did"
                | "can"
                | "may"
                | "should"
                | "will"
        )
}

fn asks(word: &str) -> bool {
    matches!(
        word,
        "how"
            | "what"
            | "what's"
            | "when"
            | "where"
            | "which"
            | "who"
            | "whom"
            | "whose"
            | "why"
            | "who's"
    )
}

/// Reads one English question.
pub(super) fn read(words: &[Tagged<'_>]) -> Reading {
    let mut reading = Words(words).reading();
    let kind = reading.kind;
    reading.subject = Words(words).subject(&reading.told, reading.asked);
    if kind == Kind::Contrast {
        reading.asked = None;
    }
    reading
}

struct Words<'a, 't>(&'a [Tagged<'t>]);

impl Words<'_, '_> {
    fn word(&self, at: usize) -> &str {
        self.0.get(at).map_or("", |tagged| tagged.token.lower.as_ref())
    }

    fn base(&self, at: usize) -> &str {
        self.0.get(at).map_or("", |tagged| tagged.lemma.base.as_str())
    }

    fn tag(&self, at: usize) -> Option<Tag> {
        self.0.get(at).map(|tagged| tagged.tag)
    }

    fn is(&self, at: usize, list: &[&str]) -> bool {
        list.contains(&self.word(at)) || list.contains(&self.base(at))
    }

    fn find(&self, list: &[&str], from: usize) -> Option<usize> {
        (from..self.0.len()).find(|at| self.is(*at, list))
    }

    fn told(&self, kind: Kind, told: impl IntoIterator<Item = usize>) -> Reading {
        Reading {
            kind,
            tense: self.tense(),
            told: told.into_iter().collect(),
            asked: None,
            subject: None,
        }
    }

    fn tense(&self) -> Tense {
        let has = |list: &[&str]| (0..self.0.len()).any(|at| list.contains(&self.word(at)));
        if has(&["will", "next"]) {
            Tense::Future
        } else if has(&["did", "was", "were"]) {
            Tense::Past
        } else {
            Tense::Any
        }
    }

    fn reading(&self) -> Reading {
        let Some(open) = (0..self.0.len()).find(|at| asks(self.word(*at))) else {
            return self.without_question_word();
        };
        let how_much = matches!(self.word(open + 1), "much" | "many");
        if let Some(contrast) =
            self.find(CONTRAST, 0).filter(|_| self.word(open) != "why" && !how_much)
        {
            return self.told(Kind::Contrast, [contrast]);
        }
        match self.word(open) {
            "how" => self.how(open + 1),
            "when" => self.told(Kind::Date, []),
            "why" => self.told(Kind::Cause, []),
            "who" | "whom" | "whose" | "who's" => self.told(Kind::Person, []),
            "where" => self.told(Kind::Place, []),
            _ => self.what(open),
        }
    }

    /// A yes-no question, or keywords without a sentence: `cost of a passport`.
    fn without_question_word(&self) -> Reading {
        let permission: Vec<usize> =
            (0..self.0.len()).filter(|at| self.is(*at, PERMISSION)).collect();
        match self.tag(0) {
            Some(Tag::Modal)
                if matches!(self.word(0), "may" | "can" | "must" | "should" | "could") =>
            {
                self.told(Kind::Permission, permission)
            }
            Some(Tag::Aux) if !permission.is_empty() => self.told(Kind::Permission, permission),
            Some(Tag::Aux | Tag::Modal) => self.told(Kind::YesNo, []),
            _ if self.word(0) == "define" => self.told(Kind::Definition, [0]),
            _ => {
                let lists =
                    [(Kind::Contrast, CONTRAST), (Kind::Price, PRICE), (Kind::Cause, CAUSE)];
                let found =
                    lists.iter().find_map(|(kind, list)| Some((*kind, self.find(list, 0)?)));
                found.map_or_else(|| self.told(Kind::Open, []), |(kind, at)| self.told(kind, [at]))
            }
        }
    }

    fn how(&self, next: usize) -> Reading {
        let helper = |at: usize| matches!(self.tag(at), Some(Tag::Aux | Tag::Modal));
        match self.word(next) {
            "much" | "expensive" => match self.find(PRICE, next + 1) {
                Some(price) => self.told(Kind::Price, [next, price]),
                None if helper(next + 1) => self.told(Kind::Price, [next]),
                None => self.told(Kind::Measure, [next]),
            },
            "many" => Reading { asked: self.group(next + 1), ..self.told(Kind::Count, [next]) },
            "long" => self.told(
                Kind::Duration,
                [Some(next), self.find(&["take", "last"], next)].into_iter().flatten(),
            ),
            "often" | "frequently" | "regularly" => self.told(Kind::Frequency, [next]),
            "come" => self.told(Kind::Cause, [next]),
            "to" => self.told(Kind::Method, []),
            _ if self.is(next, SIZE) => self.told(Kind::Measure, [next]),
            "can" | "do" | "should" | "could" if self.is_anyone(next + 1) => {
                self.told(Kind::Method, [])
            }
            "can" => self.told(Kind::Method, []),
            _ => self.told(Kind::Open, []),
        }
    }

    fn is_anyone(&self, at: usize) -> bool {
        matches!(self.word(at), "i" | "you" | "we" | "one" | "people" | "someone" | "anyone" | "my")
            || matches!(self.word(at), "a" | "an") && self.tag(at + 1).is_some()
    }

    fn what(&self, open: usize) -> Reading {
        let next = open + 1;
        let linked =
            matches!(self.word(next), "is" | "are" | "was" | "were") || self.word(open) == "what's";
        let helped = matches!(self.tag(next), Some(Tag::Aux | Tag::Modal));
        let verb = matches!(self.tag(next), Some(Tag::Verb)) && !self.word(next).ends_with("ing");
        let asked =
            if helped && !linked || verb { None } else { self.group(next + usize::from(linked)) };
        let read = |kind, told: Option<usize>| Reading {
            asked: asked.filter(|at| told != Some(*at)),
            ..self.told(kind, told)
        };
        if let Some(noun) = asked {
            let lists = [
                (Kind::Date, TIME),
                (Kind::Place, PLACE),
                (Kind::Person, PERSON),
                (Kind::Count, &["number"]),
                (Kind::Measure, MEASURE),
                (Kind::Price, PRICE),
                (Kind::Cause, CAUSE),
            ];
            if let Some((kind, _)) = lists.iter().find(|(_, list)| self.is(noun, list)) {
                return read(*kind, Some(noun));
            }
        }
        if let Some(price) = self
            .find(PRICE, next)
            .filter(|_| matches!(self.word(next), "do" | "does" | "did" | "will" | "would"))
        {
            return read(Kind::Price, Some(price));
        }
        if let Some(cause) = Some(next).filter(|at| self.is(*at, CAUSE) || self.word(*at) == "led")
        {
            return read(Kind::Cause, Some(cause));
        }
        if let Some(meaning) = self.find(&["meant", "mean", "definition", "meaning"], next) {
            return read(Kind::Definition, Some(meaning));
        }
        if linked && matches!(self.word(next + 1), "a" | "an") && self.0.len() <= open + 10 {
            return Reading { asked: None, ..self.told(Kind::Definition, None) };
        }
        read(if linked || helped || verb { Kind::Open } else { Kind::Which }, None)
    }

    /// The head of the group of nouns that begins here: `effects` in `the health effects of coffee`.
    fn group(&self, from: usize) -> Option<usize> {
        let mut head = None;
        for at in from..self.0.len() {
            match self.tag(at)? {
                Tag::Noun => {
                    head = Some(at);
                    // "which material's weight": what follows belongs to it.
                    if self.word(at).ends_with("'s") {
                        break;
                    }
                }
                Tag::Determiner | Tag::Adjective | Tag::Number | Tag::Name | Tag::Adverb
                    if head.is_none() => {}
                Tag::Name => {}
                // "which programming languages": a form in -ing before a noun.
                Tag::Verb if head.is_none() && self.word(at).ends_with("ing") => {}
                _ => break,
            }
        }
        head
    }

    /// The head of the first group of nouns that neither tells the kind nor names its class.
    fn subject(&self, told: &[usize], asked: Option<usize>) -> Option<usize> {
        let mut at = asked.map_or(0, |asked| asked + 1);
        while at < self.0.len() {
            match self.group(at).filter(|head| *head >= at) {
                Some(head) if self.tag(at) == Some(Tag::Noun) || head == at => {
                    if !told.contains(&head) {
                        return Some(head);
                    }
                    at = head + 1;
                }
                _ => at += 1,
            }
        }
        None
    }
}
