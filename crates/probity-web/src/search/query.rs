//! What is asked of every provider: the words, how many results, in which language.

use probity_text::Language;
use serde::{Deserialize, Serialize};

use super::filter::{Filters, PageType};

/// The longest query that is sent anywhere, in characters; longer ones are cut at a word.
pub const QUERY_CHARS: usize = 500;
/// The most results that may be asked of one provider.
pub const RESULTS_MAX: usize = 100;
/// How many results are asked of one provider, unless set otherwise.
pub const RESULTS: usize = 10;

/// How many words it takes to guess a language: "die hard" is no German.
const GUESS_WORDS: usize = 4;

/// A language as a lower-case tag of two or three letters: `en`, `de`, `pt`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Lang(String);

/// Why a text names no language.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a language code (expected two or three letters, such as en or de)")]
pub struct LangError(String);

impl Lang {
    /// Takes the language of a tag such as `de`, `DE` or `de-AT`.
    ///
    /// # Errors
    /// When the tag does not begin with two or three letters.
    pub fn new(tag: &str) -> Result<Self, LangError> {
        let main = tag.trim().split(['-', '_']).next().unwrap_or_default();
        if matches!(main.len(), 2 | 3) && main.bytes().all(|b| b.is_ascii_alphabetic()) {
            Ok(Self(main.to_ascii_lowercase()))
        } else {
            Err(LangError(tag.chars().take(20).collect()))
        }
    }

    /// The code.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Lang {
    type Error = LangError;

    fn try_from(tag: String) -> Result<Self, LangError> {
        Self::new(&tag)
    }
}

impl From<Lang> for String {
    fn from(lang: Lang) -> Self {
        lang.0
    }
}

/// One query, as every provider gets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Query {
    /// The words, on one line, never empty.
    text: String,
    /// How many results are wanted of each provider.
    limit: usize,
    /// The language the results should be in, where a provider can choose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lang: Option<Lang>,
    /// Which results are wanted.
    #[serde(default, skip_serializing_if = "Filters::is_empty")]
    filters: Filters,
}

/// Why there is nothing to search for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the query is empty; give at least one word to search for")]
pub struct EmptyQuery;

impl Query {
    /// Takes words to search for. White space is folded, invisible characters go, and what is
    /// longer than [`QUERY_CHARS`] is cut at a word.
    ///
    /// # Errors
    /// When nothing is left.
    pub fn new(text: &str) -> Result<Self, EmptyQuery> {
        // A query is what the user typed, not markup: `<` and `&` stay as they are.
        let line = probity_core::printable::line(text).replace(char::REPLACEMENT_CHARACTER, " ");
        let text = cut_at_word(&line.split_whitespace().collect::<Vec<_>>().join(" "), QUERY_CHARS);
        if text.is_empty() {
            return Err(EmptyQuery);
        }
        Ok(Self { text, limit: RESULTS, lang: None, filters: Filters::default() })
    }

    /// Asks for another number of results, 1 to [`RESULTS_MAX`].
    #[must_use]
    pub fn with_limit(mut self, limit: usize) -> Self {
        self.limit = limit.clamp(1, RESULTS_MAX);
        self
    }

    /// Prefers a language.
    #[must_use]
    pub fn with_lang(mut self, lang: Option<Lang>) -> Self {
        self.lang = lang;
        self
    }

    /// Wants some results only. Their language is preferred too.
    #[must_use]
    pub fn with_filters(mut self, filters: Filters) -> Self {
        self.lang = filters.lang.clone().or(self.lang);
        self.filters = filters;
        self
    }

    /// Which results are wanted.
    pub fn filters(&self) -> &Filters {
        &self.filters
    }

    /// The words with what engines understand of the filters: `site:`, `-site:` and `filetype:`.
    /// The words give way where both do not fit.
    pub(crate) fn with_operators(&self, chars: usize, words: usize) -> String {
        let filters = &self.filters;
        let sites: Vec<String> =
            filters.sites.iter().map(|site| format!("site:{}", site.as_str())).collect();
        let not = filters.exclude_sites.iter().map(|site| format!("-site:{}", site.as_str()));
        let mut operators: Vec<String> = match sites.as_slice() {
            [] => Vec::new(),
            [one] => vec![one.clone()],
            many => vec![format!("({})", many.join(" OR "))],
        };
        operators.extend(not);
        if filters.kind == Some(PageType::Pdf) {
            operators.push("filetype:pdf".to_owned());
        }
        if operators.is_empty() {
            return self.within(chars, words);
        }
        let operators = operators.join(" ");
        let room = chars.saturating_sub(operators.chars().count() + 1);
        let left = words.saturating_sub(operators.split(' ').count());
        format!("{} {operators}", self.within(room, left))
    }

    /// The words.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many results are wanted of each provider.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// The language preferred.
    pub fn lang(&self) -> Option<&Lang> {
        self.lang.as_ref()
    }

    /// The language preferred, else the one that the words are in if they are enough to tell.
    ///
    /// English is never guessed: it is what a provider takes anyway.
    pub(crate) fn likely_lang(&self) -> Option<Lang> {
        if self.lang.is_some() || self.text.split(' ').count() < GUESS_WORDS {
            return self.lang.clone();
        }
        let language = Language::detect(&self.text);
        Lang::new(code_of(language).filter(|_| language != Language::English)?).ok()
    }

    /// The words within a provider's own bounds on characters and words.
    pub(crate) fn within(&self, chars: usize, words: usize) -> String {
        let few: Vec<&str> = self.text.split(' ').take(words).collect();
        cut_at_word(&few.join(" "), chars)
    }

    /// The content words alone, for engines that require every word they are given.
    ///
    /// All words when every one of them is a stopword.
    pub(crate) fn keywords(&self, most: usize) -> Vec<String> {
        let language = Language::detect(&self.text);
        let list = probity_text::words::Stemmer::new(language);
        let words: Vec<String> =
            probity_text::words::words(&self.text).map(|word| word.lower.into_owned()).collect();
        let content: Vec<String> =
            words.iter().filter(|word| list.content_stem(word).is_some()).cloned().collect();
        let mut chosen = if content.is_empty() { words } else { content };
        let mut seen = std::collections::HashSet::new();
        chosen.retain(|word| seen.insert(word.clone()));
        chosen.truncate(most);
        chosen
    }
}

/// The code of a language that can be detected.
pub(crate) fn code_of(language: Language) -> Option<&'static str> {
    Some(match language {
        Language::English => "en",
        Language::Arabic => "ar",
        Language::Danish => "da",
        Language::Dutch => "nl",
        Language::Finnish => "fi",
        Language::French => "fr",
        Language::German => "de",
        Language::Greek => "el",
        Language::Hungarian => "hu",
        Language::Italian => "it",
        Language::Norwegian => "no",
        Language::Polish => "pl",
        Language::Portuguese => "pt",
        Language::Romanian => "ro",
        Language::Russian => "ru",
        Language::Spanish => "es",
        Language::Swedish => "sv",
        Language::Tamil => "ta",
        Language::Turkish => "tr",
        Language::Other => return None,
    })
}

fn cut_at_word(text: &str, max: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(max) else { return text.to_owned() };
    let head = text.get(..end).unwrap_or(text);
    let whole = if text.get(end..).is_some_and(|rest| rest.starts_with(' ')) {
        head
    } else {
        head.rsplit_once(' ').map_or(head, |(whole, _)| whole)
    };
    whole.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_one_bounded_line() {
        assert_eq!(Query::new("  noise\n\tordinance\u{1b} ").unwrap().text(), "noise ordinance");
        assert_eq!(Query::new("Vec<T> & co").unwrap().text(), "Vec<T> & co");
        assert_eq!(Query::new(" \u{200e} "), Err(EmptyQuery));
        let long = Query::new(&"word ".repeat(1000)).unwrap();
        assert!(long.text().chars().count() <= QUERY_CHARS && long.text().ends_with("word"));
        assert_eq!(Query::new(&"x".repeat(1000)).unwrap().text().len(), QUERY_CHARS);
    }

    #[test]
    fn limits_stay_in_bounds() {
        let query = Query::new("x").unwrap();
        assert_eq!(query.clone().with_limit(0).limit(), 1);
        assert_eq!(query.with_limit(1_000_000).limit(), RESULTS_MAX);
    }

    #[test]
    fn a_provider_gets_no_more_than_it_takes() {
        let query = Query::new("one two three four").unwrap();
        assert_eq!(query.within(100, 2), "one two");
        assert_eq!(query.within(9, 50), "one two");
        assert_eq!(query.within(7, 50), "one two");
    }

    #[test]
    fn filters_become_operators_and_words_give_way_to_them() {
        let site = |host: &str| super::super::filter::Site::new(host).unwrap();
        let filters = Filters {
            sites: vec![site("a.example"), site("b.example")],
            exclude_sites: vec![site("c.a.example")],
            kind: Some(PageType::Pdf),
            ..Filters::default()
        };
        let query = Query::new("one two three four").unwrap();
        assert_eq!(query.with_operators(400, 50), "one two three four");
        let query = query.with_filters(filters);
        let operators = "(site:a.example OR site:b.example) -site:c.a.example filetype:pdf";
        assert_eq!(query.with_operators(400, 50), format!("one two three four {operators}"));
        assert_eq!(query.with_operators(400, 7), format!("one two {operators}"));
    }

    #[test]
    fn keywords_are_distinct_content_words() {
        let query = Query::new("What does the noise ordinance say about noise at night?").unwrap();
        let words = query.keywords(10);
        assert!(words.contains(&"noise".to_owned()) && words.contains(&"ordinance".to_owned()));
        assert!(!words.contains(&"the".to_owned()));
        assert_eq!(words.iter().filter(|word| *word == "noise").count(), 1);
        assert_eq!(
            Query::new("who is the who").unwrap().keywords(10).first().map(String::as_str),
            Some("who")
        );
    }

    #[test]
    fn a_language_is_guessed_only_from_enough_words() {
        let likely = |text: &str| {
            Query::new(text).unwrap().likely_lang().map(|lang| lang.as_str().to_owned())
        };
        assert_eq!(
            likely("Wie viel verlangt ein Gitarrist für eine Hochzeit?").as_deref(),
            Some("de")
        );
        assert_eq!(likely("How much does a guitarist charge for a wedding?"), None);
        assert_eq!(likely("die hard"), None);
        let chosen = Query::new("die hard").unwrap().with_lang(Lang::new("fr").ok());
        assert_eq!(chosen.likely_lang(), Lang::new("fr").ok());
    }

    #[test]
    fn languages_are_codes() {
        assert_eq!(Lang::new("de-AT").unwrap().as_str(), "de");
        assert_eq!(Lang::new("PT_br").unwrap().as_str(), "pt");
        for wrong in ["", "english", "e", "d3", "../x"] {
            assert!(Lang::new(wrong).is_err(), "{wrong}");
        }
    }
}
