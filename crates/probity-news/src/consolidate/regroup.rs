//! Groups the articles of the window again, from where the turn before left off.
//!
//! ```text
//! articles in the store − articles of the last turn → what came, went or changed → stories
//! ```
//!
//! The stories follow from the articles and from the background that they are weighed against, and
//! from nothing else. So what is kept from turn to turn saves work and changes no result: whichever
//! process takes the next turn finds the same stories.

use std::collections::HashMap;
use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;
use probity_core::{ArticleId, Timestamp};
use probity_store::topics::WindowArticle;

use crate::cluster::{Article, Background, Settings, Story, Window};

/// The largest window that is kept from turn to turn, in articles; a larger one is rebuilt each
/// time, so that an idle process does not sit on gigabytes.
const KEPT_MOST: usize = 250_000;
/// A background is good for so long, in milliseconds (six hours).
const GOOD_FOR: i64 = 6 * 3_600_000;
/// It is rebuilt when the window has grown or shrunk by one part in this many.
const DRIFT_PART: usize = 10;
/// When more than one part in this many of the window came or went, a fresh start is quicker.
const FRESH_PART: usize = 3;

/// A background, and of what it was made when.
pub(super) struct Basis {
    /// What distinguishes it from others.
    pub(super) digest: String,
    pub(super) background: Background,
}

impl Basis {
    /// A background with its text.
    pub(super) fn new(background: Background, text: &str) -> Self {
        let digest = format!("{:016x}", FixedState::default().hash_one(text));
        Self { digest, background }
    }
}

/// Whether a background still serves a window of this many articles.
pub(super) fn serves(made_at: Timestamp, of: usize, articles: usize, now: Timestamp) -> bool {
    let is_fresh = now.0.abs_diff(made_at.0) < GOOD_FOR.unsigned_abs();
    is_fresh && of.abs_diff(articles) <= of / DRIFT_PART
}

/// The window as a turn left it.
pub(super) struct Standing {
    basis: String,
    window: Window,
    /// The articles in it, with a hash of what they say and when they said it.
    known: HashMap<ArticleId, u64, FixedState>,
}

impl Standing {
    /// An empty window over a background.
    fn new(basis: Basis) -> Self {
        let window = Window::new(basis.background, Settings::default());
        Self { basis: basis.digest, window, known: HashMap::default() }
    }

    /// The background it was weighed against.
    pub(super) fn basis(&self) -> &str {
        &self.basis
    }

    /// Whether it is small enough to be kept.
    pub(super) fn is_kept(&self) -> bool {
        self.known.len() <= KEPT_MOST
    }

    /// A window that holds just these articles: what a turn left, brought up to date, or a new one
    /// where a basis is given.
    pub(super) fn of(left: Option<Self>, basis: Option<Basis>, articles: &[WindowArticle]) -> Self {
        let mut standing = match (left, basis) {
            (Some(left), None) => left,
            (_, Some(basis)) => Self::new(basis),
            (None, None) => Self::new(Basis {
                digest: String::new(),
                background: Background::of(articles.iter().map(|one| one.title.as_str())),
            }),
        };
        standing.bring_up_to_date(articles);
        standing
    }

    fn bring_up_to_date(&mut self, articles: &[WindowArticle]) {
        let now: HashMap<ArticleId, u64, FixedState> =
            articles.iter().map(|article| (article.id, print(article))).collect();
        let stays = |(id, print): (&ArticleId, &u64)| now.get(id) == Some(print);
        let gone: Vec<ArticleId> =
            self.known.iter().filter(|one| !stays(*one)).map(|(id, _)| *id).collect();
        let is_new = |one: &&WindowArticle| self.known.get(&one.id) != now.get(&one.id);
        let come: Vec<&WindowArticle> = articles.iter().filter(is_new).collect();
        if (gone.len() + come.len()).saturating_mul(FRESH_PART) > self.known.len() {
            self.window.clear();
            articles.iter().for_each(|one| self.window.add(article(one)));
        } else {
            for id in &gone {
                self.window.drop(&id.to_string());
            }
            come.iter().for_each(|one| self.window.add(article(one)));
        }
        self.known = now;
    }

    /// The stories, those with the earliest articles first.
    pub(super) fn stories(&mut self) -> Vec<Story> {
        self.window.stories()
    }
}

fn print(article: &WindowArticle) -> u64 {
    FixedState::default().hash_one((&article.title, &article.summary, article.time().0))
}

fn article(article: &WindowArticle) -> Article {
    Article {
        id: article.id.to_string(),
        title: article.title.clone(),
        text: article.summary.clone(),
        published: Some(article.time()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TITLES: [&str; 12] = [
        "Ferry sinks off Lorne Islands, 30 missing",
        "Dozens missing after Lorne Islands ferry sinks",
        "Lorne Islands ferry: captain arrested",
        "Lorne ferry captain held after sinking",
        "Kestrel Air to buy rival Norvia for $3.1 billion",
        "Kestrel Air agrees takeover of Norvia",
        "Regulator looks at Kestrel takeover of Norvia",
        "Solvane budget vote fails in parliament",
        "Parliament of Solvane rejects the budget",
        "Storm closes ferry ports on Lorne",
        "Storm shuts ports as ferries stay in",
        "Chip maker Orun cuts jobs after trial",
    ];

    fn articles(chosen: &[(i64, usize, i64)]) -> Vec<WindowArticle> {
        let mut found: Vec<WindowArticle> = chosen
            .iter()
            .map(|(id, title, hours)| WindowArticle {
                id: ArticleId(*id),
                title: TITLES[*title].to_owned(),
                summary: String::new(),
                published_at: Some(Timestamp(hours * 3_600_000)),
                seen_at: Timestamp(0),
                topic: None,
            })
            .collect();
        found.sort_by_key(|one| one.id);
        found.dedup_by_key(|one| one.id);
        found
    }

    fn basis() -> Basis {
        let background = Background::of(TITLES);
        let text = background.to_text();
        Basis::new(background, &text)
    }

    proptest! {
        /// Articles come, go, and are corrected, a few of them or nearly all from turn to turn.
        #[test]
        fn a_window_that_was_kept_tells_what_a_fresh_one_tells(
            first in prop::collection::vec((0..40_i64, 0..12_usize, 0..72_i64), 20..40),
            turns in prop::collection::vec(
                (prop::collection::vec((0..60_i64, 0..12_usize, 0..72_i64), 0..8), 0..40_i64),
                1..6,
            ),
        ) {
            let mut now = first;
            let mut kept = Standing::of(None, Some(basis()), &articles(&now));
            for (more, dropped) in turns {
                // What is said last of an article is what counts.
                now.retain(|one| one.0 != dropped && more.iter().all(|new| new.0 != one.0));
                now.extend(more);
                let articles = articles(&now);
                kept = Standing::of(Some(kept), None, &articles);
                let mut fresh = Standing::of(None, Some(basis()), &articles);
                prop_assert_eq!(kept.stories(), fresh.stories());
                prop_assert_eq!(kept.window.len(), articles.len());
            }
        }
    }

    #[test]
    fn a_background_serves_until_it_is_old_or_the_window_is_another() {
        let (made, hour) = (Timestamp(0), 3_600_000_i64);
        let serves = |of, articles, hours: i64| serves(made, of, articles, Timestamp(hours * hour));
        assert!(serves(1_000, 1_100, 5) && serves(1_000, 900, 5));
        assert!(!serves(1_000, 1_101, 5) && !serves(1_000, 899, 5));
        assert!(!serves(1_000, 1_000, 6), "it is old");
        assert!(!serves(1_000, 1_000, -7), "a clock was wrong");
        assert!(!serves(0, 1, 0) && serves(0, 0, 0));
    }
}
