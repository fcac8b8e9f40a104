//! Bodies of pages → texts with their metadata, a row each.

use std::sync::Arc;
use std::time::Duration;

use arrow_array::builder::{Date32Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field};
use probity_core::WebUrl;
use probity_reader::Stop;
use probity_web::extract::in_time::places;
use probity_web::extract::{ExtractError, Extracted, extract_in_time};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_arrow::input::AnyRecordBatch;

use super::roles::{Roles, kept};
use super::texts::{Texts, day_number};
use super::{Job, SLOW_ROWS, Task, answer, stopped};
use crate::extract::time;
use crate::failure::Failure;
use crate::{record, wait};

/// The columns that are read.
const ROLES: [&str; 3] = ["html", "url", "content_type"];
/// The text columns, in order; Markdown comes last, where it is wanted.
const TEXTS: [&str; 8] =
    ["text", "title", "author", "site", "language", "canonical", "kind", "cut_short"];

/// Reads a column of pages.
struct Extracting {
    html: usize,
    roles: Roles,
    markdown: bool,
    time: Duration,
}

/// The results so far.
#[derive(Default)]
struct Columns {
    texts: [StringBuilder; 8],
    days: [Date32Builder; 2],
    markdown: StringBuilder,
    error: StringBuilder,
}

impl Columns {
    fn push(&mut self, read: Result<Extracted, String>) {
        let (read, error) = match read {
            Ok(read) => (Some(read), None),
            Err(error) => (None, Some(error)),
        };
        let document = read.as_ref().map(|read| &read.document);
        let kind = read.as_ref().map(|read| record::word(&read.kind));
        let texts = [
            document.map(|document| document.text.as_str()),
            document.map(|document| document.title.as_str()),
            document.and_then(|document| document.byline.as_deref()),
            document.and_then(|document| document.site_name.as_deref()),
            document.and_then(|document| document.lang.as_deref()),
            document.and_then(|document| document.canonical.as_deref()),
            kind.as_deref(),
            document.and_then(|document| document.cut_short.as_deref()),
        ];
        self.texts.iter_mut().zip(texts).for_each(|(column, text)| column.append_option(text));
        let days = [document.and_then(|d| d.published), document.and_then(|d| d.updated)];
        let days = days.map(|day| day.map(day_number));
        self.days.iter_mut().zip(days).for_each(|(column, day)| column.append_option(day));
        self.markdown.append_option(document.map(|document| document.markdown.as_str()));
        self.error.append_option(error);
    }
}

impl Job for Extracting {
    fn fields(&self) -> Vec<Field> {
        let text = |name: &str| Field::new(name, DataType::Utf8, true);
        let mut fields: Vec<Field> = TEXTS.into_iter().map(text).collect();
        fields.extend(["published", "updated"].map(|n| Field::new(n, DataType::Date32, true)));
        if self.markdown {
            fields.push(text("markdown"));
        }
        fields.push(text("error"));
        fields
    }

    fn rows(&self) -> usize {
        SLOW_ROWS
    }

    fn work(&self, rows: &RecordBatch, stop: &Stop) -> Result<Vec<ArrayRef>, Failure> {
        let bodies = Texts::or_bytes(rows, self.html)?;
        let texts =
            |role| self.roles.optional(role).map(|place| Texts::of(rows, place)).transpose();
        let (urls, kinds) = (texts("url")?, texts("content_type")?);
        let usual = bodies.are_unicode().then(|| "text/html; charset=utf-8".to_owned());
        let mut results = Columns::default();
        for row in 0..rows.num_rows() {
            if stop.is_stopped() {
                return Err(stopped());
            }
            let Some(body) = bodies.shared(row) else {
                results.push(Err("there is no page".to_owned()));
                continue;
            };
            // An address that is none costs the page its relative links, no more.
            let url = urls.as_ref().and_then(|urls| WebUrl::parse(urls.get(row)?).ok());
            let kind = kinds.as_ref().and_then(|kinds| kinds.get(row)).map(str::to_owned);
            let reading = extract_in_time(body, kind.or_else(|| usual.clone()), url, self.time);
            let read = wait::block(reading)?;
            results.push(read.map_err(|error: ExtractError| error.to_string()));
        }
        let mut arrays: Vec<ArrayRef> = Vec::new();
        arrays.extend(results.texts.iter_mut().map(|one| Arc::new(one.finish()) as ArrayRef));
        arrays.extend(results.days.iter_mut().map(|one| Arc::new(one.finish()) as ArrayRef));
        if self.markdown {
            arrays.push(Arc::new(results.markdown.finish()));
        }
        arrays.push(Arc::new(results.error.finish()));
        Ok(arrays)
    }
}

/// Reads the rows of Arrow data: column `html` (texts or bytes), and `url` and `content_type` where
/// they are known.
#[pyfunction]
#[pyo3(signature = (data, *, columns=None, keep=None, markdown=false, seconds=None, threads=None, stream=false))]
#[expect(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
pub(crate) fn extract_batch<'py>(
    py: Python<'py>,
    data: AnyRecordBatch,
    columns: Option<&Bound<'py, PyDict>>,
    keep: Option<&Bound<'py, PyAny>>,
    markdown: bool,
    seconds: Option<f64>,
    threads: Option<usize>,
    stream: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let schema = data.schema()?;
    let roles = Roles::find(&schema, &ROLES, columns)?;
    let html = roles.needed("html")?;
    let job = Extracting { html, roles, markdown, time: time(seconds)? };
    // Who waits for a place lets the deadlines of its pages run.
    let threads = threads.map(|threads| threads.min(places()));
    let task = Task::new(job, &schema, &kept(keep)?, threads)?;
    answer(py, data, task, stream)
}
