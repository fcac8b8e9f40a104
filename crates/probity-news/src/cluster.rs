//! Articles → stories: which headlines report the same event.
//!
//! article → features (`features`) → pairs worth comparing (`keys`) → links with the nearest
//! (`nearest`) → average link, level by level (`levels`) → stories (`window`)
//!
//! Two articles are as alike as their words (stems weighted by rarity) and their meaning (static
//! vectors, centred on the news at hand) together say. Both halves are scalar products, so the mean
//! likeness of two groups is the product of their means: average link costs no table of all pairs.
//! Every step follows from the set of articles alone and looks only at neighbours. That is why one
//! article more, or one less, disturbs only the stories near it, and why the order in which articles
//! arrive cannot matter.

mod background;
mod features;
mod keys;
mod levels;
mod measure;
mod minhash;
mod nearest;
mod times;
mod window;

pub use background::Background;
pub use measure::{Agreement, bcubed};
use probity_core::Timestamp;
pub use window::{Story, Window};

/// An article as far as its story is concerned.
#[derive(Debug, Clone, Default)]
pub struct Article {
    /// What distinguishes it from others.
    pub id: String,
    /// Its headline.
    pub title: String,
    /// The beginning of its text, where there is one.
    pub text: String,
    /// When it was published, where that is known.
    pub published: Option<Timestamp>,
}

/// How alike articles must be, and how time counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// The mean likeness at which two groups of articles are one story.
    pub threshold: f32,
    /// How many hours between two groups halve their likeness.
    pub half_life_hours: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { threshold: 0.275, half_life_hours: 5.0 * 24.0 }
    }
}

/// The stories of some articles, whatever their order.
///
/// ```
/// use probity_news::cluster::{Article, Settings, stories};
///
/// let article = |id: &str, title: &str| Article {
///     id: id.to_owned(),
///     title: title.to_owned(),
///     ..Article::default()
/// };
/// let found = stories(
///     [
///         article("a", "Ferry sinks off Lorne Islands, 30 missing"),
///         article("b", "Dozens missing after Lorne Islands ferry sinks"),
///         article("c", "Kestrel Air to buy rival Norvia for $3.1 billion"),
///     ],
///     Settings::default(),
/// );
/// assert_eq!(found.len(), 2);
/// assert_eq!(found[0].articles, ["a", "b"]);
/// ```
pub fn stories(articles: impl IntoIterator<Item = Article>, settings: Settings) -> Vec<Story> {
    let articles: Vec<Article> = articles.into_iter().collect();
    let background = Background::of(articles.iter().map(|article| article.title.as_str()));
    let mut window = Window::new(background, settings);
    for article in articles {
        window.add(article);
    }
    window.stories()
}
