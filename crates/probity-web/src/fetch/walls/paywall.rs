//! Stubs of pages that are for subscribers or members.

use super::plain::{Looks, letters, lines};
use super::{Evidence, Wall};
use crate::fetch::page::FetchOutcome;

/// Up to this many letters a page that its own metadata call not free is a stub.
const DECLARED_LETTERS: usize = 1_000;
/// Up to this many letters a page that asks readers to subscribe to read on is a stub.
const ASKING_LETTERS: usize = 1_200;
/// Up to this many letters a page with a login form is nothing but that.
const LOGIN_LETTERS: usize = 600;
/// How much of the end of a longer text is looked at for where it breaks off.
const END_CHARS: usize = 400;

/// What a page says whose rest is for sale.
const PHRASES: &str = include_str!("phrases/paywall.txt");

/// What a page says that shows nothing without an account.
const LOGIN_PHRASES: &str = include_str!("phrases/login.txt");

/// Titles of login pages.
const LOGIN_TITLES: &str = include_str!("phrases/login-titles.txt");

pub(super) fn find(evidence: &Evidence<'_>, looks: &Looks) -> Option<Wall> {
    if looks.letters < LOGIN_LETTERS && is_login(looks) {
        return Some(Wall::new(FetchOutcome::PaywallStub, "the page asks for a login"));
    }
    let declared = looks.letters < DECLARED_LETTERS && declares_not_free(&looks.source);
    let asking = looks.letters < ASKING_LETTERS && looks.page_says(PHRASES) > 0;
    if !(declared || asking || breaks_off(evidence)) {
        return None;
    }
    let reason = format!(
        "only a stub of about {} words can be seen without a subscription",
        (looks.letters / 5).max(1)
    );
    Some(Wall::new(FetchOutcome::PaywallStub, reason))
}

fn is_login(looks: &Looks) -> bool {
    let has_form = ["type=\"password\"", "type='password'", "type=password"]
        .iter()
        .any(|mark| looks.source.contains(mark));
    let titled = looks
        .title
        .split(['|', '–', '—', '·', '-', ':'])
        .any(|part| lines(LOGIN_TITLES).any(|title| title == part.trim()));
    has_form && (titled || looks.page_says(LOGIN_PHRASES) > 0)
}

/// `"isAccessibleForFree": false` in the page's own metadata, as a truth value or as text.
fn declares_not_free(source: &str) -> bool {
    source.split("isaccessibleforfree").skip(1).any(|after| {
        let value: String = after
            .chars()
            .filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\'' | '\\'))
            .take(12)
            .collect();
        value.starts_with(":false") || value.starts_with("content=false")
    })
}

/// Whether a text that is longer than most stubs ends in a request to subscribe.
fn breaks_off(evidence: &Evidence<'_>) -> bool {
    let Some(document) = evidence.document else { return false };
    let start = document.text.char_indices().rev().nth(END_CHARS).map_or(0, |(at, _)| at);
    let end = super::plain::tidy(document.text.get(start..).unwrap_or_default());
    letters(&end) > 0 && lines(PHRASES).any(|phrase| end.contains(phrase))
}
