//! Arrow data in, Arrow data out: the same work as for one page, over columns and on several cores.
//!
//! ```text
//! batch | table | stream → roles found by name → pieces of rows → threads → result columns, kept columns beside
//! ```
//!
//! Data comes and goes over the C data interface, so pyarrow, polars, duckdb and pandas can hand it
//! over without copying. Texts are read where they lie; only results are written.

mod check;
mod cluster;
mod extract;
mod roles;
mod score;
mod texts;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use probity_reader::Stop;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyRecordBatch;
use pyo3_arrow::{PyRecordBatch, PyRecordBatchReader, PyTable};

pub(crate) use self::check::check_batch;
pub(crate) use self::cluster::cluster_batch;
pub(crate) use self::extract::extract_batch;
pub(crate) use self::score::score_batch;
use crate::failure::Failure;
use crate::wait;

/// The most rows that a thread takes up at once where each is quick, so that a call can be interrupted
/// between them.
const QUICK_ROWS: usize = 2_048;
/// The same where each row takes its time, so that no thread is left with all of the long ones.
const SLOW_ROWS: usize = 16;
/// The most threads of one call.
const MAX_THREADS: usize = 256;

/// Work on rows.
trait Job: Send + Sync + 'static {
    /// The columns that it gives.
    fn fields(&self) -> Vec<Field>;

    /// The most rows that are worked on at once.
    fn rows(&self) -> usize;

    /// Does the work on some rows. A row that cannot be worked on says so in its column `error`; an
    /// error here is of the whole call.
    fn work(&self, rows: &RecordBatch, stop: &Stop) -> Result<Vec<ArrayRef>, Failure>;
}

/// A job with the columns that are carried along.
#[derive(Clone)]
struct Task {
    job: Arc<dyn Job>,
    /// The columns of the input that are given back as they are, by their places.
    kept: Vec<usize>,
    schema: SchemaRef,
    threads: usize,
}

impl Task {
    fn new(
        job: impl Job,
        input: &Schema,
        keep: &[String],
        threads: Option<usize>,
    ) -> Result<Self, Failure> {
        let results = job.fields();
        let mut fields = Vec::with_capacity(keep.len() + results.len());
        let mut kept = Vec::with_capacity(keep.len());
        for name in keep {
            let place = roles::place(input, name)?;
            if results.iter().any(|field| field.name() == name) {
                return Err(Failure::usage(format!(
                    "`keep` names {name:?}, which is the name of a result"
                ))
                .hint("rename the column before the call"));
            }
            kept.push(place);
            fields.extend(input.fields().get(place).map(|field| field.as_ref().clone()));
        }
        fields.extend(results);
        let threads = match threads {
            Some(0) => return Err(Failure::usage("`threads` has to be at least 1")),
            Some(threads) => threads.min(MAX_THREADS),
            None => thread::available_parallelism().map_or(1, usize::from),
        };
        Ok(Self { job: Arc::new(job), kept, schema: Arc::new(Schema::new(fields)), threads })
    }

    /// The results of some rows, in their order.
    fn batch(&self, rows: &RecordBatch, stop: &Stop) -> Result<RecordBatch, Failure> {
        let share = rows.num_rows().div_ceil(self.threads.max(1)).clamp(1, self.job.rows());
        let pieces = rows.num_rows().div_ceil(share).max(1);
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::with_capacity(pieces));
        let turn = || -> Result<(), Failure> {
            loop {
                let piece = next.fetch_add(1, Ordering::Relaxed);
                if piece >= pieces {
                    return Ok(());
                }
                if stop.is_stopped() {
                    return Err(stopped());
                }
                let from = piece.saturating_mul(share);
                let count = share.min(rows.num_rows().saturating_sub(from));
                let result = self.piece(&rows.slice(from, count), stop)?;
                done.lock().unwrap_or_else(PoisonError::into_inner).push((piece, result));
            }
        };
        thread::scope(|scope| {
            let more = self.threads.min(pieces).saturating_sub(1);
            let others: Vec<_> = (0..more).map(|_| scope.spawn(turn)).collect();
            let own = turn();
            others.into_iter().fold(own, |all, other| {
                let other = other.join();
                all.and(other.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            })
        })?;
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|(piece, _)| *piece);
        let parts: Vec<RecordBatch> = done.into_iter().map(|(_, batch)| batch).collect();
        match parts.as_slice() {
            [one] => Ok(one.clone()),
            parts => concat_batches(&self.schema, parts).map_err(Failure::failed),
        }
    }

    fn piece(&self, rows: &RecordBatch, stop: &Stop) -> Result<RecordBatch, Failure> {
        let mut columns: Vec<ArrayRef> =
            self.kept.iter().filter_map(|place| rows.columns().get(*place).cloned()).collect();
        columns.extend(self.job.work(rows, stop)?);
        RecordBatch::try_new(Arc::clone(&self.schema), columns).map_err(Failure::failed)
    }
}

fn stopped() -> Failure {
    Failure::failed("the work was stopped before it was done")
}

/// Gives the results of a job in the form in which the data came: a batch for a batch, a table for
/// several, and a reader that works as it is read where `stream` asks for one.
fn answer<'py>(
    py: Python<'py>,
    data: AnyRecordBatch,
    task: Task,
    stream: bool,
) -> PyResult<Bound<'py, PyAny>> {
    if stream {
        let reader = Working { input: data.into_reader()?, task };
        return Ok(Bound::new(py, PyRecordBatchReader::new(Box::new(reader)))?.into_any());
    }
    match data {
        AnyRecordBatch::RecordBatch(batch) => {
            let rows = batch.into_inner();
            let result = wait::work(py, |stop| task.batch(&rows, stop))??;
            Ok(Bound::new(py, PyRecordBatch::new(result))?.into_any())
        }
        AnyRecordBatch::Stream(reader) => {
            let input = reader.into_reader()?;
            let schema = Arc::clone(&task.schema);
            let batches = wait::work(py, move |stop| {
                let batches = input.map(|rows| task.batch(&rows.map_err(unreadable)?, stop));
                batches.collect::<Result<Vec<_>, Failure>>()
            })??;
            Ok(Bound::new(py, PyTable::try_new(batches, schema)?)?.into_any())
        }
    }
}

fn unreadable(error: ArrowError) -> Failure {
    Failure::failed(format!("the data could not be read: {error}"))
}

/// A stream whose rows are worked on as they are asked for: what is in memory is one batch.
struct Working {
    input: Box<dyn RecordBatchReader + Send>,
    task: Task,
}

impl Iterator for Working {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let rows = self.input.next()?;
        Some(rows.and_then(|rows| {
            let worked = self.task.batch(&rows, &Stop::never());
            worked.map_err(|failure| ArrowError::ExternalError(Box::new(PyErr::from(failure))))
        }))
    }
}

impl RecordBatchReader for Working {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.task.schema)
    }
}
