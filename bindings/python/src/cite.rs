//! Does a source say what a claim says?

use probity_reader::TextReader;
use probity_report::check::{Check, Support, check_claim};
use pyo3::prelude::*;
use serde::Serialize;

use crate::failure::Failure;
use crate::given::{self, LONG_BYTES, SHORT_BYTES};
use crate::read::Reader;
use crate::{record, wait};

/// What checking a claim against a source found.
#[pyclass(frozen, get_all, eq, module = "probity")]
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Citation {
    /// The verdict: supported, partly or unsupported.
    support: String,
    /// How well the claim is supported, from 0 to 1.
    value: f64,
    /// Whether the source says otherwise, rather than less or nothing.
    contradicted: bool,
    /// The passage that comes closest.
    passage: Option<String>,
    /// The character of the source at which the passage begins.
    start: Option<usize>,
    /// One past the character at which it ends.
    end: Option<usize>,
    /// What is missing or different.
    reasons: Vec<String>,
}

impl Citation {
    fn new(source: &str, check: Check) -> Self {
        let place = check.passage.as_ref();
        Self {
            support: support(check.support).to_owned(),
            value: check.value,
            contradicted: check.opposed,
            start: place.map(|passage| record::character(source, passage.start)),
            end: place.map(|passage| record::character(source, passage.end)),
            passage: check.passage.map(|passage| passage.text),
            reasons: check.reasons,
        }
    }
}

#[pymethods]
impl Citation {
    /// Whether the source supports the claim.
    #[getter]
    fn supported(&self) -> bool {
        self.support == support(Support::Supported)
    }

    /// The check as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        record::plain(py, self)
    }

    fn __repr__(&self) -> String {
        let passage = self.passage.as_deref().unwrap_or_default();
        format!("Citation({}, {:.2}: {passage:?})", self.support, self.value)
    }
}

/// The verdict's word, as JSON has it.
pub(crate) fn support(support: Support) -> &'static str {
    match support {
        Support::Supported => "supported",
        Support::Partly => "partly",
        Support::Unsupported => "unsupported",
    }
}

/// Checks a claim against the text of the source that it cites, as a report's citations are checked.
#[pyfunction]
#[pyo3(signature = (claim, source, *, reader=None))]
pub(crate) fn check_citation(
    py: Python<'_>,
    claim: &Bound<'_, PyAny>,
    source: &Bound<'_, PyAny>,
    reader: Option<&Reader>,
) -> PyResult<Citation> {
    let claim = given::text(claim, "claim", SHORT_BYTES)?;
    let source = given::text(source, "source", LONG_BYTES)?;
    if claim.trim().is_empty() {
        return Err(Failure::usage("`claim` is empty; there is nothing to check").into());
    }
    let reader = reader.map_or_else(TextReader::default, |reader| reader.engine().clone());
    let check = wait::work(py, |stop| check_claim(claim, source, &reader, stop))?;
    Ok(Citation::new(source, check.map_err(Failure::failed)?))
}
