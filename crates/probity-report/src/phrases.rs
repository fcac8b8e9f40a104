//! What a report says in our own words, in the language of its question or in the one that was asked for.
//!
//! The phrases stand in a table, `phrases.tsv`, a line each and a column a language. Headings and labels are part of the
//! shape of a report, in English unless another language was asked for; what sources say is never translated.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use probity_text::Language;
use probity_text::words::{Word, words};

use crate::facts::RunFacts;

/// The phrases by their keys, a text for each language.
static TABLE: LazyLock<HashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let lines = include_str!("phrases.tsv").lines().filter(|line| !line.starts_with('#')).skip(1);
    let mut fields = lines.map(|line| line.split('\t'));
    std::iter::from_fn(|| fields.next())
        .filter_map(|mut fields| Some((fields.next()?, fields.collect())))
        .collect()
});

/// The languages of the table, in the order of its columns.
const LANGUAGES: [Language; 9] = [
    Language::English,
    Language::German,
    Language::Spanish,
    Language::French,
    Language::Italian,
    Language::Portuguese,
    Language::Dutch,
    Language::Polish,
    Language::Swedish,
];

/// How each of them is asked for: its codes, its English name and its own.
const NAMES: [&[&str]; LANGUAGES.len()] = [
    &["en", "eng", "english"],
    &["de", "deu", "ger", "german", "deutsch"],
    &["es", "spa", "spanish", "español", "espanol", "castellano"],
    &["fr", "fra", "fre", "french", "français", "francais"],
    &["it", "ita", "italian", "italiano"],
    &["pt", "por", "portuguese", "português", "portugues"],
    &["nl", "nld", "dut", "dutch", "nederlands"],
    &["pl", "pol", "polish", "polski"],
    &["sv", "swe", "swedish", "svenska"],
];

/// A question of fewer words does not show its language. Single letters do not count: they are small words of some.
const FEWEST_WORDS: usize = 3;

/// Stands for a blank at an end of a phrase, which an editor would take away.
const BLANK: char = '␣';

macro_rules! phrases {
    ($($name:ident $key:literal,)*) => {
        /// A thing that a report says.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Phrase {
            $(#[doc = concat!("`", $key, "` of the table.")] $name,)*
        }

        impl Phrase {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            fn key(self) -> &'static str {
                match self { $(Self::$name => $key,)* }
            }
        }
    };
}

phrases! {
    Searches "searches",
    SearchesRounds "searches-rounds",
    Analyzed "analyzed",
    Blocked "blocked",
    OneSource "one-source",
    Relevant "relevant",
    UnjudgedMore "unjudged-more",
    Only "only",
    TooFew "too-few",
    Short "short",
    Dropped "dropped",
    Scores "scores",
    None "none",
    Credibility "credibility",
    Breadth "breadth",
    Verified "verified",
    Partly "partly",
    Conflicts "conflicts",
    Contested "contested",
    Certainty "certainty",
    NoGap "no-gap",
    NoGapLast "no-gap-last",
    Gaps "gaps",
    GapsLast "gaps-last",
    Unjudged "unjudged",
    ByRule "by-rule",
    NoConflict "no-conflict",
    NoFinding "no-finding",
    BetterQuestions "better-questions",
    NotSaid "not-said",
    NotPlain "not-plain",
    NotPlainAsked "not-plain-asked",
    NotSo "not-so",
    No "no",
    Says "says",
    Lists "lists",
    Agreement "agreement",
    SaidBy "said-by",
    Unconfirmed "unconfirmed",
    NothingPlain "nothing-plain",
    NoneStates "none-states",
    DoneAnswer "done-answer",
    DoneKept "done-kept",
    DoneQueries "done-queries",
    DoneNamed "done-named",
    TitleNone "title-none",
    TitleAnswer "title-answer",
    TitleIn "title-in",
    StateMedia "state-media",
    Company "company",
    Advocacy "advocacy",
    Preprint "preprint",
    Post "post",
    Satire "satire",
    NotEnough "not-enough",
    Searched "searched",
    AndMore "and-more",
    Found "found",
    FoundBlocked "found-blocked",
    FoundFailed "found-failed",
    FoundRead "found-read",
    Bears "bears",
    NoAnswer "no-answer",
    Nearest "nearest",
    NoneNearest "none-nearest",
    SetAside "set-aside",
    JudgedNothing "judged-nothing",
    Judged5 "judged-5",
    Judged4 "judged-4",
    Judged3 "judged-3",
    Judged2 "judged-2",
    Judged1 "judged-1",
    HeadingMethodology "h-methodology",
    HeadingSummary "h-summary",
    HeadingFindings "h-findings",
    HeadingConflicts "h-conflicts",
    HeadingConfidence "h-confidence",
    HeadingShortfall "h-shortfall",
    HeadingSources "h-sources",
    LabelLimited "l-limited",
    LabelQuestion "l-question",
    LabelSearches "l-searches",
    LabelAnalyzed "l-analyzed",
    LabelBlocked "l-blocked",
    LabelLevel "l-level",
    LabelRationale "l-rationale",
    LevelLow "level-low",
    LevelMedium "level-medium",
    LevelHigh "level-high",
    SourceCredibility "s-credibility",
    SourceRelevance "s-relevance",
    SourcePublished "s-published",
    SourceUndated "s-undated",
    SourceArchived "s-archived",
    AboutKind "about-kind",
    AboutAsked "about-asked",
    AboutModel "about-model",
    AboutRule "about-rule",
}

/// A value that a phrase names.
#[derive(Debug, Clone, Copy)]
pub enum Value<'a> {
    /// A number of things, by which words agree.
    Count(usize),
    /// Anything else.
    Text(&'a str),
}

impl From<usize> for Value<'_> {
    fn from(count: usize) -> Self {
        Self::Count(count)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

/// The phrases of one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phrases {
    column: usize,
}

/// Stands before a claim that the sources contradict.
const CONTRADICTED: &str = "The sources contradict that ";

impl Phrases {
    /// The language of everything for which no other was asked.
    pub(crate) const ENGLISH: Self = Self { column: 0 };

    /// The phrases for a question. One that is not plainly in another language of the table is answered in English.
    ///
    /// ```
    /// use probity_report::phrases::{Phrase, Phrases};
    ///
    /// let german = Phrases::of("Wann muss die Musik in der Nacht aufhören?");
    /// assert_eq!(german.say(Phrase::OneSource, &[]), "Eine Quelle sagt das.");
    /// assert_eq!(Phrases::of("Wann?").say(Phrase::OneSource, &[]), "One source says so.");
    /// ```
    pub fn of(question: &str) -> Self {
        let is_long = |word: &Word<'_>| word.lower.chars().nth(1).is_some();
        let language = match words(question).filter(is_long).nth(FEWEST_WORDS - 1) {
            Some(_) => Language::of_headline(question),
            None => Language::English,
        };
        let column = LANGUAGES.iter().position(|one| *one == language).unwrap_or(0);
        Self { column }
    }

    /// The phrases for a report: in the language that was asked for, else in that of the question. One that is not in
    /// the table is in English.
    pub fn of_report(facts: &RunFacts) -> Self {
        match &facts.language {
            Some(name) => Self::named(name).unwrap_or(Self::ENGLISH),
            None => Self::of(&facts.question),
        }
    }

    /// The phrases for headings and labels, which programs read: in English unless another language was asked for.
    pub fn of_shape(facts: &RunFacts) -> Self {
        facts.language.as_deref().and_then(Self::named).unwrap_or(Self::ENGLISH)
    }

    /// The phrases of every language, English first.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..LANGUAGES.len()).map(|column| Self { column })
    }

    /// The phrases of a language by its code or name, such as `pt-BR` or `Deutsch`.
    fn named(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase();
        // A region or a script after the code changes nothing here.
        let code = name.split(['-', ' ']).next().unwrap_or_default();
        let column = NAMES.iter().position(|known| known.contains(&code))?;
        Some(Self { column })
    }

    /// The code of the language, as documents declare it.
    pub(crate) fn code(self) -> &'static str {
        NAMES.get(self.column).and_then(|names| names.first()).copied().unwrap_or("en")
    }

    /// A phrase that names no value.
    pub(crate) fn word(self, phrase: Phrase) -> &'static str {
        self.template(phrase)
    }

    /// Whether they are English.
    pub fn is_english(self) -> bool {
        self.column == 0
    }

    /// A phrase with its values.
    pub fn say(self, phrase: Phrase, values: &[Value<'_>]) -> String {
        fill(self.template(phrase), values)
    }

    /// Whether a text begins by saying that the sources are silent, in any of the languages: an analyst that stands in
    /// for another may write in another one.
    pub fn says_nothing(text: &str) -> bool {
        Self::all().any(|one| text.starts_with(one.template(Phrase::NotSaid)))
    }

    /// What a headline says that the sources contradict. Only English questions are turned into claims.
    pub fn contradicted(claim: &str) -> String {
        format!("{CONTRADICTED}{claim}")
    }

    /// The claim that a headline says the sources contradict.
    pub fn contradicted_claim(headline: &str) -> Option<&str> {
        headline.strip_prefix(CONTRADICTED)
    }

    /// A text without a denial that stands before it, in any of the languages.
    pub(crate) fn without_denial(text: &str) -> &str {
        let denials = |phrase: Phrase| Self::all().map(move |one| one.say(phrase, &[]));
        let mut denials = denials(Phrase::NotSo).chain(denials(Phrase::No));
        let claim = denials.find_map(|denial| text.strip_prefix(denial.as_str()));
        claim.or_else(|| Self::contradicted_claim(text)).unwrap_or(text)
    }

    /// How an outlet's kind is named before its words, which runs keep in English.
    pub(crate) fn attribution(self, english: &str) -> String {
        const KINDS: [Phrase; 6] = [
            Phrase::StateMedia,
            Phrase::Company,
            Phrase::Advocacy,
            Phrase::Preprint,
            Phrase::Post,
            Phrase::Satire,
        ];
        let of = Self::ENGLISH;
        let kind = KINDS.into_iter().find(|kind| of.template(*kind) == english);
        kind.map_or_else(|| english.to_owned(), |kind| self.say(kind, &[]))
    }

    fn template(self, phrase: Phrase) -> &'static str {
        TABLE.get(phrase.key()).and_then(|row| row.get(self.column)).copied().unwrap_or_default()
    }
}

/// Puts values in the place of `{0}`, and what agrees with them in the place of `{0|one|many}`.
fn fill(template: &str, values: &[Value<'_>]) -> String {
    let mut text = String::new();
    // Values are put in afterwards, so that a mark in one of them stays.
    let template = template.replace(BLANK, " ");
    let mut rest = template.as_str();
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let Some((hole, tail)) = after.split_once('}') else {
            rest = "";
            break;
        };
        let mut parts = hole.split('|');
        let value =
            parts.next().and_then(|at| at.parse().ok()).and_then(|at: usize| values.get(at));
        match (value, parts.next(), parts.next()) {
            (Some(Value::Count(1)), Some(one), Some(_)) => text.push_str(one),
            (Some(_), Some(_), Some(many)) => text.push_str(many),
            (Some(Value::Count(count)), ..) => write!(text, "{count}").unwrap_or_default(),
            (Some(Value::Text(value)), ..) => text.push_str(value),
            (None, ..) => {}
        }
        rest = tail;
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_phrase_stands_in_every_language_with_the_same_values() {
        let mut keys: BTreeSet<&str> = TABLE.keys().copied().collect();
        for phrase in Phrase::ALL {
            assert!(keys.remove(phrase.key()), "{phrase:?} is missing");
            let row = &TABLE[phrase.key()];
            assert_eq!(row.len(), LANGUAGES.len(), "{phrase:?}");
            let holes = |text: &str| -> BTreeSet<char> {
                text.split('{').skip(1).filter_map(|hole| hole.chars().next()).collect()
            };
            for text in row {
                assert!(!text.trim().is_empty(), "{phrase:?}");
                assert_eq!(holes(text), holes(row[0]), "{phrase:?}: {text}");
                assert_eq!(
                    text.matches('{').count(),
                    text.matches('}').count(),
                    "{phrase:?}: {text}"
                );
            }
        }
        assert!(keys.is_empty(), "nobody says {keys:?}");
    }

    #[test]
    fn words_agree_with_their_numbers_and_blanks_stay() {
        let english = Phrases { column: 0 };
        let relevant =
            |kept: usize, read: usize| english.say(Phrase::Relevant, &[kept.into(), read.into()]);
        assert_eq!(relevant(1, 1), "1 of 1 source read was relevant to the question");
        assert_eq!(relevant(0, 4), "0 of 4 sources read were relevant to the question");
        assert_eq!(english.say(Phrase::Says, &[]), ", says ");
        assert_eq!(english.say(Phrase::AndMore, &[3.into()]), " and 3 more");
        assert_eq!(fill("{0} and {1", &["a".into()]), "a and ");
        assert_eq!(fill("{7}{x|a|b}", &[1.into()]), "");
    }

    #[test]
    fn a_language_is_asked_for_by_code_or_name() {
        for (name, column) in
            [("de", 1), ("Deutsch", 1), ("pt-BR", 5), ("Brazilian", 0), ("POLISH", 7), ("fr CA", 3)]
        {
            let found = Phrases::named(name).unwrap_or(Phrases::ENGLISH);
            assert_eq!(found.column, column, "{name}");
        }
        assert_eq!(Phrases::named("tlh"), None);
        assert_eq!(Phrases::named(""), None);
    }

    #[test]
    fn a_question_is_answered_in_its_own_language_or_in_english() {
        for (question, language) in [
            ("Wie viele Menschen wohnen in der Stadt?", 1),
            ("¿Cuántas personas viven en la ciudad?", 2),
            ("Combien de personnes vivent dans la ville ?", 3),
            ("Quante persone vivono nella città e dove?", 4),
            ("Quantas pessoas vivem na cidade e onde?", 5),
            ("Hoeveel mensen wonen er in de stad?", 6),
            ("Ile osób mieszka w tym mieście i od kiedy?", 7),
            ("Hur många människor bor i staden?", 8),
            ("Was ist Paludikultur?", 1),
            ("Was fressen Wölfe in Deutschland am meisten?", 1),
            ("¿Qué es el silbo?", 2),
            ("Die Hard sequel", 0),
            ("How many people live in the town?", 0),
            ("Port Ellery ferry timetable", 0),
            ("C;I:", 0),
            ("人口はどれくらいですか", 0),
        ] {
            assert_eq!(Phrases::of(question).column, language, "{question}");
        }
    }
}
