//! Claims beside the texts that they cite → verdicts, a row each.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field};
use probity_reader::{Stop, TextReader};
use probity_report::check::check_claim;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_arrow::input::AnyRecordBatch;

use super::roles::{Roles, kept};
use super::texts::Texts;
use super::{Job, SLOW_ROWS, Task, answer, stopped};
use crate::cite::support;
use crate::failure::Failure;
use crate::read::Reader;

/// Checks a column of claims.
struct Checking {
    reader: TextReader,
    claim: usize,
    source: usize,
}

impl Job for Checking {
    fn fields(&self) -> Vec<Field> {
        let item = Arc::new(Field::new_list_field(DataType::Utf8, true));
        vec![
            Field::new("support", DataType::Utf8, true),
            Field::new("value", DataType::Float64, true),
            Field::new("contradicted", DataType::Boolean, true),
            Field::new("passage", DataType::Utf8, true),
            Field::new("reasons", DataType::List(item), true),
            Field::new("error", DataType::Utf8, true),
        ]
    }

    fn rows(&self) -> usize {
        SLOW_ROWS
    }

    fn work(&self, rows: &RecordBatch, stop: &Stop) -> Result<Vec<ArrayRef>, Failure> {
        let (claims, sources) = (Texts::of(rows, self.claim)?, Texts::of(rows, self.source)?);
        let (mut supports, mut passages) = (StringBuilder::new(), StringBuilder::new());
        let (mut values, mut contradicted) = (Float64Builder::new(), BooleanBuilder::new());
        let mut reasons = ListBuilder::new(StringBuilder::new());
        let mut errors = StringBuilder::new();
        for row in 0..rows.num_rows() {
            let claim = claims.get(row).filter(|claim| !claim.trim().is_empty());
            let (Some(claim), Some(source)) = (claim, sources.get(row)) else {
                supports.append_null();
                values.append_null();
                contradicted.append_null();
                passages.append_null();
                reasons.append_null();
                let missing = if claim.is_none() { "claim" } else { "source" };
                errors.append_value(format!("there is no {missing}"));
                continue;
            };
            let check = check_claim(claim, source, &self.reader, stop).map_err(|_| stopped())?;
            supports.append_value(support(check.support));
            values.append_value(check.value);
            contradicted.append_value(check.opposed);
            passages.append_option(check.passage.map(|passage| passage.text));
            check.reasons.iter().for_each(|reason| reasons.values().append_value(reason));
            reasons.append(true);
            errors.append_null();
        }
        Ok(vec![
            Arc::new(supports.finish()),
            Arc::new(values.finish()),
            Arc::new(contradicted.finish()),
            Arc::new(passages.finish()),
            Arc::new(reasons.finish()),
            Arc::new(errors.finish()),
        ])
    }
}

/// Checks the rows of Arrow data: columns `claim` and `source`, the text that the claim cites.
#[pyfunction]
#[pyo3(signature = (data, *, columns=None, keep=None, reader=None, threads=None, stream=false))]
pub(crate) fn check_batch<'py>(
    py: Python<'py>,
    data: AnyRecordBatch,
    columns: Option<&Bound<'py, PyDict>>,
    keep: Option<&Bound<'py, PyAny>>,
    reader: Option<&Reader>,
    threads: Option<usize>,
    stream: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let schema = data.schema()?;
    let roles = Roles::find(&schema, &["claim", "source"], columns)?;
    let reader = reader.map_or_else(TextReader::default, |reader| reader.engine().clone());
    let job = Checking { reader, claim: roles.needed("claim")?, source: roles.needed("source")? };
    let task = Task::new(job, &schema, &kept(keep)?, threads)?;
    answer(py, data, task, stream)
}
