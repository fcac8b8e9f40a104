//! Pages that came instead of the page: challenges, consent forms, stubs, polite not-founds.
//!
//! They come with status 200 as often as not, so the page itself is looked at. The rules are
//! conservative: a page counts as a wall only when it has little text of its own AND bears the
//! marks of a wall. Little text alone is no mark, and a mark in a page with an article's worth of
//! text is none either: an article about captchas is an article. What the text says can only ever
//! cost the page its place, never win it one.
//!
//! | wall | marks |
//! | --- | --- |
//! | [`bot`] | headers and scripts of known protection services; phrases of challenges |
//! | [`consent`] | hosts of consent services; phrases of consent forms |
//! | [`missing`] | a title or heading that says "not found", and text that agrees |
//! | [`paywall`] | `isAccessibleForFree: false`; phrases of paywalls and logins |

mod bot;
mod consent;
mod missing;
mod paywall;
mod plain;

use probity_core::{Document, WebUrl};
use reqwest::header::HeaderMap;

use super::load::PageAnswer;
use super::page::FetchOutcome;
use plain::Looks;

/// From this many letters and digits on, a page has a text of its own: about 400 words.
const ARTICLE_LETTERS: usize = 2_000;

/// What is known of a page that came.
pub(crate) struct Evidence<'a> {
    pub(crate) url: &'a WebUrl,
    pub(crate) status: u16,
    pub(crate) headers: &'a HeaderMap,
    /// The page as it came.
    pub(crate) html: &'a [u8],
    /// The main text, where any was found.
    pub(crate) document: Option<&'a Document>,
}

/// A wall, and why it was taken for one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wall {
    pub(crate) outcome: FetchOutcome,
    pub(crate) reason: String,
}

impl Wall {
    fn new(outcome: FetchOutcome, reason: impl Into<String>) -> Self {
        Self { outcome, reason: reason.into() }
    }
}

/// Tells a wall from a page.
pub(crate) fn find(evidence: &Evidence<'_>) -> Option<Wall> {
    if let Some(wall) = bot::by_headers(evidence) {
        return Some(wall);
    }
    let letters = evidence.document.map_or(0, |document| plain::letters(&document.text));
    if letters >= ARTICLE_LETTERS {
        return None;
    }
    let looks = Looks::of(evidence, letters);
    bot::find(evidence, &looks)
        .or_else(|| consent::find(evidence, &looks))
        .or_else(|| missing::find(&looks))
        .or_else(|| paywall::find(evidence, &looks))
        .or_else(|| needs_script(&looks))
}

/// Tells a challenge from an error: both come with 403, 429 or 503.
pub(crate) fn bot_wall_page(url: &WebUrl, answer: &PageAnswer) -> Option<Wall> {
    let evidence = Evidence {
        url,
        status: answer.status,
        headers: &answer.headers,
        html: &answer.body.bytes,
        document: None,
    };
    bot::by_headers(&evidence).or_else(|| bot::find(&evidence, &Looks::of(&evidence, 0)))
}

/// What a page says that scripts were to fill.
const SCRIPT_PHRASES: &str = include_str!("walls/phrases/scripts.txt");

/// What the element is called that scripts fill.
const SCRIPT_ROOTS: &str = include_str!("walls/phrases/script-roots.txt");
/// A page with more letters than this is no shell.
const SHELL_LETTERS: usize = 200;

/// A shell that scripts were to fill.
fn needs_script(looks: &Looks) -> Option<Wall> {
    let has_root = || plain::lines(SCRIPT_ROOTS).any(|root| looks.source.contains(root));
    let is_shell =
        looks.main_says(SCRIPT_PHRASES) > 0 || (looks.source.contains("<script") && has_root());
    (looks.letters < SHELL_LETTERS && is_shell)
        .then(|| Wall::new(FetchOutcome::Shell, "the page has no text without running its scripts"))
}

#[cfg(test)]
mod tests;
