//! Bytes of a page or file → clean text with what the page says of itself.

use std::time::Duration;

use bytes::Bytes;
use jiff::civil::Date;
use probity_core::Document;
use probity_web::extract::in_time::EXTRACT_TIME;
use probity_web::extract::markdown::tables;
use probity_web::extract::{ExtractError, extract_in_time};
use pyo3::prelude::*;
use serde::Serialize;

use crate::failure::Failure;
use crate::{given, record, wait};

/// A heading of a text.
#[pyclass(frozen, get_all, eq, module = "probity")]
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Heading {
    /// How deep it is: 1 for the highest.
    level: u8,
    /// Its text.
    text: String,
    /// The character of the page's text at which it begins.
    start: usize,
}

#[pymethods]
impl Heading {
    fn __repr__(&self) -> String {
        format!("Heading({} {})", "#".repeat(usize::from(self.level)), self.text)
    }
}

/// A page or file as text. Everything in it is untrusted.
#[pyclass(frozen, module = "probity")]
pub(crate) struct Extracted {
    read: probity_web::extract::Extracted,
}

/// What is kept of a page as plain data.
#[derive(Serialize)]
struct Plain<'a> {
    title: &'a str,
    author: Option<&'a str>,
    site: Option<&'a str>,
    published: Option<Date>,
    updated: Option<Date>,
    language: Option<&'a str>,
    canonical: Option<&'a str>,
    kind: probity_web::extract::BodyKind,
    charset: Option<&'a str>,
    cut_short: Option<&'a str>,
    headings: Vec<Heading>,
    tables: Vec<Vec<Vec<String>>>,
    page_starts: Vec<usize>,
    text: &'a str,
    markdown: &'a str,
}

impl Extracted {
    fn document(&self) -> &Document {
        &self.read.document
    }
}

#[pymethods]
impl Extracted {
    /// The main text: one paragraph, heading, list item or table row a line.
    #[getter]
    fn text(&self) -> &str {
        &self.document().text
    }

    /// The main text as Markdown.
    #[getter]
    fn markdown(&self) -> &str {
        &self.document().markdown
    }

    /// The title, or an empty text.
    #[getter]
    fn title(&self) -> &str {
        &self.document().title
    }

    /// Who wrote it.
    #[getter]
    fn author(&self) -> Option<&str> {
        self.document().byline.as_deref()
    }

    /// The name that the site gives itself.
    #[getter]
    fn site(&self) -> Option<&str> {
        self.document().site_name.as_deref()
    }

    /// The day it was published.
    #[getter]
    fn published(&self) -> Option<Date> {
        self.document().published
    }

    /// The day it was last changed.
    #[getter]
    fn updated(&self) -> Option<Date> {
        self.document().updated
    }

    /// The language, as a two-letter code.
    #[getter]
    fn language(&self) -> Option<&str> {
        self.document().lang.as_deref()
    }

    /// The address that the page names as its own.
    #[getter]
    fn canonical(&self) -> Option<&str> {
        self.document().canonical.as_deref()
    }

    /// What the bytes turned out to be: html, pdf, docx and so on.
    #[getter]
    fn kind(&self) -> String {
        record::word(&self.read.kind)
    }

    /// Why the text ends before the document does, if a limit ended it.
    #[getter]
    fn cut_short(&self) -> Option<&str> {
        self.document().cut_short.as_deref()
    }

    /// The headings among the lines of the text.
    #[getter]
    fn headings(&self) -> Vec<Heading> {
        let text = &self.document().text;
        let heading = |heading: &probity_core::Heading| {
            let line = text.get(heading.start..)?.lines().next()?;
            let start = record::character(text, heading.start);
            Some(Heading { level: heading.level, text: line.to_owned(), start })
        };
        self.document().headings.iter().filter_map(heading).collect()
    }

    /// The tables, each a list of rows of cells, its head first.
    #[getter]
    fn tables(&self) -> Vec<Vec<Vec<String>>> {
        tables(&self.document().markdown)
    }

    /// For paged formats, the character of the text at which each page begins.
    #[getter]
    fn page_starts(&self) -> Vec<usize> {
        let text = &self.document().text;
        self.document().page_starts.iter().map(|start| record::character(text, *start)).collect()
    }

    /// Everything as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let document = self.document();
        let plain = Plain {
            title: &document.title,
            author: self.author(),
            site: self.site(),
            published: document.published,
            updated: document.updated,
            language: self.language(),
            canonical: self.canonical(),
            kind: self.read.kind,
            charset: self.read.charset.as_deref(),
            cut_short: self.cut_short(),
            headings: self.headings(),
            tables: self.tables(),
            page_starts: self.page_starts(),
            text: &document.text,
            markdown: &document.markdown,
        };
        record::plain(py, &plain)
    }

    fn __repr__(&self) -> String {
        let document = self.document();
        let characters = document.text.chars().count();
        format!("Extracted({:?}, {characters} characters, {})", document.title, self.read.kind)
    }
}

/// Reads a page: HTML, or any format that the engine knows, as text or bytes.
#[pyfunction]
#[pyo3(signature = (html, url=None, *, content_type=None, seconds=None))]
pub(crate) fn extract(
    py: Python<'_>,
    html: &Bound<'_, PyAny>,
    url: Option<&Bound<'_, PyAny>>,
    content_type: Option<&Bound<'_, PyAny>>,
    seconds: Option<f64>,
) -> PyResult<Extracted> {
    let bytes = given::bytes(html, "html")?;
    let url = match url.filter(|url| !url.is_none()) {
        Some(url) => Some(given::url(url, "url")?),
        None => None,
    };
    let said = given::optional_text(content_type, "content_type", given::SHORT_BYTES)?;
    // Python's texts are Unicode whatever the page says of itself.
    let said = match (said, bytes_were_text(html)) {
        ("", true) => Some("text/html; charset=utf-8".to_owned()),
        ("", false) => None,
        (said, _) => Some(said.to_owned()),
    };
    let bytes = Bytes::copy_from_slice(bytes);
    let read = wait::run(py, extract_in_time(bytes, said, url, time(seconds)?))?;
    Ok(Extracted { read: read.map_err(refused)? })
}

/// Reads a PDF file.
#[pyfunction]
#[pyo3(signature = (data, *, seconds=None))]
pub(crate) fn extract_pdf(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    seconds: Option<f64>,
) -> PyResult<Extracted> {
    if bytes_were_text(data) {
        return Err(Failure::wrong_type("`data` has to be bytes, not str")
            .hint("read the file with open(path, \"rb\")")
            .into());
    }
    let bytes = Bytes::copy_from_slice(given::bytes(data, "data")?);
    let said = Some("application/pdf".to_owned());
    let read = wait::run(py, extract_in_time(bytes, said, None, time(seconds)?))?;
    Ok(Extracted { read: read.map_err(refused)? })
}

fn bytes_were_text(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<pyo3::types::PyString>()
}

/// How long a document may take; never longer than an hour.
pub(crate) fn time(seconds: Option<f64>) -> Result<Duration, Failure> {
    const LONGEST: f64 = 3_600.0;
    match seconds {
        None => Ok(EXTRACT_TIME),
        Some(seconds) if seconds > 0.0 && seconds <= LONGEST => {
            Ok(Duration::from_secs_f64(seconds))
        }
        Some(seconds) => Err(Failure::usage(format!(
            "`seconds` is {seconds}; it has to lie above 0 and not above {LONGEST}"
        ))),
    }
}

/// Why a document has no text, as the caller sees it.
fn refused(error: ExtractError) -> Failure {
    match error {
        ExtractError::Unsupported(_) | ExtractError::TooLarge { .. } => Failure::usage(error),
        ExtractError::TimedOut(_) => Failure::failed(error).hint("give it more: seconds=60"),
        _ => Failure::failed(error),
    }
}
