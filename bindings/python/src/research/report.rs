//! A report as Python sees it: in every format, with its sources and its evidence.

use probity_core::Decision;
use probity_report::format::{Choices, Format, render};
use probity_report::json::ReportJson;
use probity_report::{CheckedReport, html, markdown};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::Value;

use crate::failure::Failure;
use crate::given::{self, SHORT_BYTES};
use crate::{record, wait};

/// How high a report is shown in a notebook, in pixels.
const FRAME_PIXELS: usize = 640;

/// A checked report, or the account of why the sources do not suffice.
#[pyclass(frozen, module = "probity")]
pub(crate) struct Report {
    inner: CheckedReport,
}

impl Report {
    /// A report of a run that came to its end.
    pub(super) fn new(inner: CheckedReport) -> Self {
        Self { inner }
    }

    fn field<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let value = serde_json::to_value(ReportJson::new(&self.inner)).map_err(Failure::failed)?;
        record::plain(py, value.get(name).unwrap_or(&Value::Null))
    }
}

#[pymethods]
impl Report {
    /// The headline.
    #[getter]
    fn title(&self) -> &str {
        self.inner.title()
    }

    /// The question.
    #[getter]
    fn question(&self) -> &str {
        &self.inner.facts().question
    }

    /// What the gate decided: full_report, short_report or insufficient_data.
    #[getter]
    fn decision(&self) -> &'static str {
        self.inner.facts().gate.decision.as_str()
    }

    /// Why it decided so.
    #[getter]
    fn rationale(&self) -> &str {
        &self.inner.facts().gate.rationale
    }

    /// Whether the sources sufficed for a report.
    #[getter]
    fn answered(&self) -> bool {
        self.inner.facts().gate.decision != Decision::InsufficientData
    }

    /// The report as Markdown.
    #[getter]
    fn markdown(&self, py: Python<'_>) -> String {
        py.detach(|| markdown::markdown(&self.inner))
    }

    /// The report as one HTML page that needs nothing else.
    #[getter]
    fn html(&self, py: Python<'_>) -> String {
        py.detach(|| html::html(&self.inner))
    }

    /// Everything as JSON, in the format of `probity research --json`.
    #[getter]
    fn json(&self, py: Python<'_>) -> String {
        py.detach(|| probity_report::json::json(&self.inner))
    }

    /// The sources that the report cites, in the order of their numbers.
    #[getter]
    fn sources<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "sources")
    }

    /// Every page that was seen, with its score, its verdict and the reason.
    #[getter]
    fn candidates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "candidates")
    }

    /// The checked statements, each with the passages that support it.
    #[getter]
    fn statements<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "statements")
    }

    /// What went wrong on the way.
    #[getter]
    fn problems<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "problems")
    }

    /// How sure the report is, and why; None where there is none.
    #[getter]
    fn confidence<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "confidence")
    }

    /// Everything as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        record::plain(py, &ReportJson::new(&self.inner))
    }

    /// The report as the bytes of a file: md, html, pdf, docx, json, bibtex or ris.
    fn render<'py>(
        &self,
        py: Python<'py>,
        format: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let format = given::text(format, "format", SHORT_BYTES)?;
        let format: Format = format.parse().map_err(|error| {
            Failure::usage(error).hint("name md, html, pdf, docx, json, bibtex or ris")
        })?;
        let choices = Choices { system_fonts: true, ..Choices::default() };
        let rendered = wait::work(py, |_| render(&self.inner, format, choices))?;
        Ok(PyBytes::new(py, &rendered.map_err(Failure::failed)?.bytes))
    }

    /// The report in a frame of its own, so that its style stays its own and nothing in it can run.
    fn _repr_html_(&self, py: Python<'_>) -> String {
        let page = self.html(py);
        format!(
            "<iframe sandbox=\"\" title=\"{}\" srcdoc=\"{}\" \
             style=\"width:100%;height:{FRAME_PIXELS}px;border:1px solid #8888\"></iframe>",
            attribute(self.inner.title()),
            attribute(&page)
        )
    }

    fn _repr_markdown_(&self, py: Python<'_>) -> String {
        self.markdown(py)
    }

    fn __str__(&self, py: Python<'_>) -> String {
        self.markdown(py)
    }

    fn __repr__(&self) -> String {
        format!("Report({}: {:?})", self.decision(), self.inner.title())
    }
}

/// A text as the value of an attribute.
fn attribute(text: &str) -> String {
    let mut written = String::with_capacity(text.len() + text.len() / 8);
    for letter in text.chars() {
        match letter {
            '&' => written.push_str("&amp;"),
            '"' => written.push_str("&quot;"),
            '<' => written.push_str("&lt;"),
            '>' => written.push_str("&gt;"),
            letter => written.push(letter),
        }
    }
    written
}
