//! Which language a page is in.

use super::super::tree::{Attr, NodeId};
use super::Sources;

/// From what length a text is long enough to tell its language by.
const MIN_TEXT_BYTES: usize = 200;

/// The language as a two-letter code: as the page declares it, else as its text reads.
pub(super) fn language(page: &Sources<'_>) -> Option<String> {
    declared(page).or_else(|| crate::extract::detect_language(page.text))
}

fn declared(page: &Sources<'_>) -> Option<String> {
    let said = page
        .tree
        .attr(NodeId::ROOT, Attr::Lang)
        .or_else(|| {
            page.meta.first(&[
                "http-equiv:content-language",
                "og:locale",
                "dc.language",
                "language",
                "inlanguage",
            ])
        })
        .or(page.data.language.as_deref());
    let code: String = said?
        .trim()
        .chars()
        .take_while(char::is_ascii_alphabetic)
        .collect::<String>()
        .to_ascii_lowercase();
    // A template's default is often left in place: text in another script tells.
    let wrong_script = page.text.len() >= MIN_TEXT_BYTES && is_other_script(&code, page.text);
    (code.len() == 2 && !wrong_script).then_some(code)
}

/// Whether a text is written in letters that its declared language does not use.
fn is_other_script(code: &str, text: &str) -> bool {
    let latin = matches!(
        code,
        "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "sv" | "da" | "no" | "fi" | "pl" | "cs"
    );
    if !latin {
        return false;
    }
    let letters = || text.chars().take(2_000).filter(|c| c.is_alphabetic());
    letters().filter(|c| *c >= '\u{370}').count() * 2 > letters().count()
}
