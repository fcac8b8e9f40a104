//! What went wrong on the wire, in words that name no secret.

use std::error::Error;
use std::io;

/// What happened, said plainly where it is known, else in the library's words.
pub(crate) fn in_words(error: &reqwest::Error) -> String {
    if let Some(error) = cause::<rustls::Error>(error) {
        return format!("no secure connection could be made: {error}");
    }
    if let Some(error) = cause::<io::Error>(error) {
        match error.kind() {
            io::ErrorKind::ConnectionRefused => return "the connection was refused".to_owned(),
            io::ErrorKind::ConnectionReset => return "the connection was reset".to_owned(),
            _ => {}
        }
    }
    match cause::<hyper::Error>(error) {
        Some(error) if error.is_parse() => format!("the answer is not proper HTTP: {error}"),
        Some(error) if error.is_incomplete_message() => {
            "the connection was closed before the answer was complete".to_owned()
        }
        _ => causes(error),
    }
}

/// The innermost causes carry the news; the outer ones only say "error sending request".
fn causes(error: &reqwest::Error) -> String {
    let mut words = String::new();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let text = inner.to_string();
        // Wrappers repeat their cause's text; each is said once.
        if !text.is_empty() && !words.contains(&text) && !text.starts_with("client error (") {
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
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref)
            .and_then(|carried| carried.downcast_ref::<T>())
        {
            return Some(found);
        }
        next = current.source();
    }
    None
}
