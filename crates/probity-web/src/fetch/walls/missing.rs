//! Pages that say "not found" with a status that says otherwise.

use super::Wall;
use super::plain::{Looks, lines};
use crate::fetch::page::FetchOutcome;

/// Up to this many letters a page that calls itself missing is.
const LETTERS: usize = 1_000;
/// A page with fewer letters than this has nothing else to say.
const BARE_LETTERS: usize = 150;

/// What the title or heading of a missing page is, or one of its parts.
const NAMES: &str = include_str!("phrases/missing-names.txt");

/// What the text of a missing page says.
const PHRASES: &str = include_str!("phrases/missing.txt");

pub(super) fn find(looks: &Looks) -> Option<Wall> {
    if looks.letters >= LETTERS {
        return None;
    }
    let named = names_missing(&looks.title) || names_missing(&looks.heading);
    let agrees = looks.letters < BARE_LETTERS || looks.main_says(PHRASES) > 0;
    (named && agrees).then(|| {
        Wall::new(
            FetchOutcome::NotFound,
            "the page says that it was not found, whatever its status says",
        )
    })
}

/// Whether a title, or a part of it between bars, dashes or colons, names a missing page.
fn names_missing(title: &str) -> bool {
    let is_name = |part: &str| {
        let part = part.trim().trim_end_matches(['.', '!']);
        lines(NAMES).any(|name| name.trim_end_matches(['.', '!']) == part)
    };
    is_name(title)
        || title.split(['|', '–', '—', '·', '•', '»', '«', ':']).any(is_name)
        || title.split(" - ").any(is_name)
}
