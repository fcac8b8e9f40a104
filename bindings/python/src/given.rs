//! What callers hand over → values that the engine takes, or a sentence that names the argument.

use probity_core::limits::JSON_LINE_BYTES;
use probity_core::{WebUrl, printable};
use probity_credibility::Question;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::failure::Failure;

/// The longest title, snippet, claim or other short text, in bytes.
pub(crate) const SHORT_BYTES: usize = JSON_LINE_BYTES;
/// The longest text of a source, in bytes: what a page may have.
pub(crate) const LONG_BYTES: usize = 20 * 1024 * 1024;
/// How much of a value a message quotes, in characters.
const QUOTED_CHARS: usize = 80;

/// A text argument, borrowed.
pub(crate) fn text<'a>(
    value: &'a Bound<'_, PyAny>,
    name: &str,
    most: usize,
) -> Result<&'a str, Failure> {
    let Ok(string) = value.cast::<PyString>() else {
        return Err(Failure::wrong_type(format!(
            "`{name}` has to be a text (str), not {}",
            kind(value)
        )));
    };
    let text = string.to_str().map_err(|_| {
        Failure::usage(format!("`{name}` holds surrogates, which are no characters"))
            .hint("replace them first: text.encode(\"utf-8\", \"replace\").decode()")
    })?;
    bounded(text.len(), name, most)?;
    Ok(text)
}

/// A text argument that may be left out or be None, which is an empty one.
pub(crate) fn optional_text<'a>(
    value: Option<&'a Bound<'_, PyAny>>,
    name: &str,
    most: usize,
) -> Result<&'a str, Failure> {
    match value {
        Some(value) if !value.is_none() => text(value, name, most),
        _ => Ok(""),
    }
}

/// Bytes, or a text as its bytes, borrowed.
pub(crate) fn bytes<'a>(value: &'a Bound<'_, PyAny>, name: &str) -> Result<&'a [u8], Failure> {
    match value.cast::<PyBytes>() {
        Ok(bytes) => {
            let bytes = bytes.as_bytes();
            bounded(bytes.len(), name, LONG_BYTES)?;
            Ok(bytes)
        }
        Err(_) if value.is_instance_of::<PyString>() => {
            Ok(text(value, name, LONG_BYTES)?.as_bytes())
        }
        Err(_) => Err(Failure::wrong_type(format!(
            "`{name}` has to be bytes or a text (str), not {}",
            kind(value)
        ))),
    }
}

/// The texts of a list, borrowed from the objects that it held when it was looked at.
pub(crate) fn texts(
    values: &Bound<'_, PyAny>,
    name: &str,
    most: usize,
) -> Result<Vec<String>, Failure> {
    if values.is_instance_of::<PyString>() || values.is_instance_of::<PyBytes>() {
        return Err(Failure::wrong_type(format!(
            "`{name}` has to be a list of texts, not one text"
        ))
        .hint(format!("put it into a list: {name}=[…]")));
    }
    let listed = values.try_iter().map_err(|_| {
        Failure::wrong_type(format!("`{name}` has to be a list of texts, not {}", kind(values)))
    })?;
    let mut texts = Vec::new();
    for value in listed {
        let value = value.map_err(|error| Failure::failed(format!("`{name}`: {error}")))?;
        if texts.len() >= most {
            return Err(Failure::usage(format!("`{name}` has more than {most} texts"))
                .hint("call once for each part of them"));
        }
        texts.push(text(&value, &format!("{name}[{}]", texts.len()), LONG_BYTES)?.to_owned());
    }
    Ok(texts)
}

/// A question that can be answered.
pub(crate) fn question(value: &Bound<'_, PyAny>) -> Result<Question, Failure> {
    let text = text(value, "question", SHORT_BYTES)?;
    Question::new(text).map_err(|error| {
        Failure::usage(error)
            .hint("ask about something, for example: How loud may music be at night?")
    })
}

/// The address of a page.
pub(crate) fn url(value: &Bound<'_, PyAny>, name: &str) -> Result<WebUrl, Failure> {
    parse_url(text(value, name, SHORT_BYTES)?)
}

/// The address of a page, from a text.
pub(crate) fn parse_url(text: &str) -> Result<WebUrl, Failure> {
    WebUrl::parse(text).map_err(|error| {
        Failure::usage(format!("{}: {error}", printable::brief(text, QUOTED_CHARS)))
            .hint("give the whole address, for example https://www.reuters.com/world/")
    })
}

fn bounded(bytes: usize, name: &str, most: usize) -> Result<(), Failure> {
    if bytes <= most {
        return Ok(());
    }
    Err(Failure::usage(format!("`{name}` has {bytes} bytes; at most {most} are taken"))
        .hint("hand over a part of it"))
}

/// What a value is, in Python's words.
pub(crate) fn kind(value: &Bound<'_, PyAny>) -> String {
    let name = value.get_type().name().map(|name| name.to_string());
    name.unwrap_or_else(|_| "something else".to_owned())
}
