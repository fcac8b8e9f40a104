//! Pages that ask for consent before they show anything.

use super::plain::{Looks, letters};
use super::{Evidence, Wall};
use crate::fetch::page::FetchOutcome;

/// Up to this many letters a page that speaks of consent is only that.
const LETTERS: usize = 900;

/// Beginnings of hosts that serve nothing but consent forms.
const HOSTS: &[&str] = &["consent.", "guce.", "myprivacy.", "cmp.", "privacy-gate."];

/// What consent forms say, each in its own words.
const PHRASES: &str = include_str!("phrases/consent.txt");

pub(super) fn find(evidence: &Evidence<'_>, looks: &Looks) -> Option<Wall> {
    let host = evidence.url.dns_host();
    let by_host = HOSTS.iter().any(|head| host.starts_with(head)) && looks.page_says(PHRASES) >= 1;
    // A banner on an ordinary page is no wall: the main text must speak of consent itself, and
    // what speaks of it beside the main text counts only where there is little else.
    let in_main = looks.main_says(PHRASES);
    let in_sight = match letters(&looks.visible) < 2 * LETTERS {
        true => looks.page_says(PHRASES),
        false => in_main,
    };
    let by_words = looks.letters < LETTERS && in_main >= 1 && in_sight >= 3;
    (by_host || by_words).then(|| {
        Wall::new(
            FetchOutcome::ConsentWall,
            "a page that asks for consent came instead of the page",
        )
    })
}
