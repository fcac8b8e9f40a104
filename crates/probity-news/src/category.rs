//! How relevant an article is to a category, from 0 to 1, without a language model.
//!
//! category (description, examples, keywords) → [`Profile`]; article → likeness of meaning, shared
//! stems, keywords → a value between 0 and 1
//!
//! The weights were set on headlines of this crate's tests with labels of five categories; the
//! tests print how well the values separate them.

use std::collections::HashSet;

use probity_text::Language;
use probity_text::embed::{Embedder, Vector};
use probity_text::words::Stemmer;

/// From this value on an article belongs to a category.
pub const RELEVANT: f64 = 0.5;
/// The least relevance of an article to a category that its feed is meant for.
pub const BY_FEED: f64 = 0.6;
/// How much of an article's text counts beside its headline, in bytes.
const LEAD_BYTES: usize = 600;
/// The likeness of meaning at which nothing is decided yet.
const EVEN: f64 = 0.2;
/// The weight of similarity beyond that.
const MEANING: f64 = 11.0;
/// The weight of a keyword in the headline; in the text half of it.
const KEYWORD: f64 = 2.6;
/// The weight of the case that all stems of the headline are words of the category.
const SHARED: f64 = 5.0;
/// What counts against every article: most belong to no given category.
const DOUBT: f64 = 1.4;

/// A category as it was read.
pub struct Profile {
    description: Vector,
    examples: Vec<Vector>,
    keywords: Vec<Vec<String>>,
    stems: HashSet<String>,
}

impl Profile {
    /// Reads a category.
    pub fn new(name: &str, description: &str, examples: &[String], keywords: &[String]) -> Self {
        let embedder = Embedder::embedded();
        let stems = |text: &str| Stemmer::new(Language::of_headline(text)).content_stems(text);
        let words = format!("{name}. {description}. {}", keywords.join(", "));
        let own: HashSet<String> =
            stems(&words).into_iter().chain(examples.iter().flat_map(|text| stems(text))).collect();
        Self {
            description: embedder.embed(&words),
            examples: examples.iter().map(|text| embedder.embed(text)).collect(),
            keywords: keywords.iter().map(|word| stems(word)).filter(|s| !s.is_empty()).collect(),
            stems: own,
        }
    }

    /// How relevant an article is, from 0 to 1.
    ///
    /// ```
    /// use probity_news::category::Profile;
    ///
    /// let sport = Profile::new("Sport", "Football, tennis and other games", &[], &[]);
    /// let shown = |title| sport.relevance(title, "");
    /// assert!(shown("Rovers win the football cup") > shown("Bank raises interest rates"));
    /// ```
    pub fn relevance(&self, title: &str, text: &str) -> f64 {
        let lead = text.get(..text.floor_char_boundary(LEAD_BYTES)).unwrap_or_default();
        let stemmer = Stemmer::new(Language::of_headline(title));
        let (title_stems, lead_stems) = (stemmer.content_stems(title), stemmer.content_stems(lead));
        if title_stems.is_empty() && lead_stems.is_empty() {
            return 0.0;
        }
        let embedder = Embedder::embedded();
        let likeness = self.likeness(&embedder.embed(title));
        let likeness = if lead.trim().is_empty() {
            likeness
        } else {
            // A headline that teases is explained by what follows it.
            likeness.max(0.5 * likeness + 0.5 * self.likeness(&embedder.embed(lead)))
        };
        let keyword = match (self.names(&title_stems), self.names(&lead_stems)) {
            (true, _) => KEYWORD,
            (false, true) => KEYWORD / 2.0,
            (false, false) => 0.0,
        };
        let shared = title_stems.iter().filter(|stem| self.stems.contains(*stem)).count() as f64
            / title_stems.len().max(1) as f64;
        let sum = MEANING * (likeness - EVEN) + keyword + SHARED * shared - DOUBT;
        1.0 / (1.0 + (-sum).exp())
    }

    /// The best of the likenesses to what describes the category and to its examples.
    fn likeness(&self, vector: &Vector) -> f64 {
        let all = self.examples.iter().chain([&self.description]);
        all.map(|own| f64::from(own.cosine(vector))).fold(0.0, f64::max)
    }

    /// Whether a text has all stems of a keyword.
    fn names(&self, stems: &[String]) -> bool {
        self.keywords.iter().any(|keyword| keyword.iter().all(|stem| stems.contains(stem)))
    }
}
