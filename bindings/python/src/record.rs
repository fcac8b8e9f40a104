//! Results as Python sees them: fields to read, a dictionary to keep, a line to look at.

use pyo3::prelude::*;
use serde::Serialize;

use crate::failure::Failure;

/// A value as plain Python data: dictionaries, lists, texts and numbers.
pub(crate) fn plain<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(Failure::failed)?;
    py.import("json")?.call_method1("loads", (text,))
}

/// Plain Python data as a value, by way of JSON.
pub(crate) fn json<'py>(value: &Bound<'py, PyAny>, name: &str) -> PyResult<serde_json::Value> {
    let py = value.py();
    let written = py.import("json")?.call_method1("dumps", (value,)).map_err(|error| {
        Failure::wrong_type(format!("`{name}` holds what JSON cannot say: {}", error.value(py)))
    })?;
    let text: String = written.extract()?;
    Ok(serde_json::from_str(&text).map_err(|error| Failure::usage(format!("`{name}`: {error}")))?)
}

/// The word that JSON has for a value.
pub(crate) fn word(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

/// The character of a text that contains a byte; Python counts in characters.
pub(crate) fn character(text: &str, byte: usize) -> usize {
    text.get(..byte).map_or_else(|| text.chars().count(), |before| before.chars().count())
}
