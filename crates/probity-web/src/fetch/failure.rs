//! What went wrong on the wire, in words that name no secret.

use std::error::Error;

/// The innermost causes carry the news; the outer ones only say "error sending request".
pub(crate) fn in_words(error: &reqwest::Error) -> String {
    let mut words = String::new();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let text = inner.to_string();
        // Wrappers repeat their cause's text; each is said once.
        if !text.is_empty() && !words.contains(&text) {
            if !words.is_empty() {
                words.push_str(": ");
            }
            words.push_str(&text);
        }
        cause = inner.source();
    }
    if words.is_empty() { error.to_string() } else { words }
}

/// Looks through the causes of an error for one of a kind.
pub(crate) fn cause<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    let mut next = Some(error);
    while let Some(current) = next {
        if let Some(found) = current.downcast_ref::<T>() {
            return Some(found);
        }
        // An io::Error hides what it carries from `source()` of itself.
        if let Some(found) = current
            .downcast_ref::<std::io::Error>()
            .and_then(std::io::Error::get_ref)
            .and_then(|carried| carried.downcast_ref::<T>())
        {
            return Some(found);
        }
        next = current.source();
    }
    None
}
