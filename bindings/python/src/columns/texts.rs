//! Texts and days of a column, whichever of Arrow's kinds they are, read where they lie.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Date32Type, TimestampMillisecondType};
use arrow_array::{Array as _, ArrayRef, RecordBatch};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{DataType, TimeUnit};
use bytes::Bytes;
use jiff::civil::Date;
use probity_core::Timestamp;

use crate::failure::Failure;

/// Milliseconds of a day.
const DAY_MS: i64 = 86_400_000;

/// A column of texts or bytes.
#[derive(Debug, Clone)]
pub(super) struct Texts(ArrayRef);

impl Texts {
    /// A column of texts. Dictionaries are written out; a column of nothing has no text at all.
    pub(super) fn of(rows: &RecordBatch, place: usize) -> Result<Self, Failure> {
        let column = column(rows, place)?;
        match column.data_type() {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ok(Self(column)),
            DataType::Null | DataType::Dictionary(..) => {
                Ok(Self(cast(&column, &DataType::Utf8, name(rows, place))?))
            }
            other => Err(wrong(name(rows, place), "texts", other)),
        }
    }

    /// A column of texts or bytes.
    pub(super) fn or_bytes(rows: &RecordBatch, place: usize) -> Result<Self, Failure> {
        let column = column(rows, place)?;
        match column.data_type() {
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView => Ok(Self(column)),
            _ => Self::of(rows, place),
        }
    }

    /// The text of a row; none where there is none.
    pub(super) fn get(&self, row: usize) -> Option<&str> {
        if self.0.is_null(row) {
            return None;
        }
        match self.0.data_type() {
            DataType::Utf8 => Some(self.0.as_string::<i32>().value(row)),
            DataType::LargeUtf8 => Some(self.0.as_string::<i64>().value(row)),
            DataType::Utf8View => Some(self.0.as_string_view().value(row)),
            _ => None,
        }
    }

    /// The bytes of a row.
    pub(super) fn bytes(&self, row: usize) -> Option<&[u8]> {
        if self.0.is_null(row) {
            return None;
        }
        match self.0.data_type() {
            DataType::Binary => Some(self.0.as_binary::<i32>().value(row)),
            DataType::LargeBinary => Some(self.0.as_binary::<i64>().value(row)),
            DataType::BinaryView => Some(self.0.as_binary_view().value(row)),
            _ => self.get(row).map(str::as_bytes),
        }
    }

    /// The bytes of a row, which live as long as whoever reads them.
    pub(super) fn shared(&self, row: usize) -> Option<Bytes> {
        self.bytes(row)?;
        Some(Bytes::from_owner(Cell { column: self.clone(), row }))
    }

    /// Whether the column holds texts, which are Unicode whatever they say of themselves.
    pub(super) fn are_unicode(&self) -> bool {
        matches!(self.0.data_type(), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
    }
}

/// One row of a column, kept in memory by it.
struct Cell {
    column: Texts,
    row: usize,
}

impl AsRef<[u8]> for Cell {
    fn as_ref(&self) -> &[u8] {
        self.column.bytes(self.row).unwrap_or_default()
    }
}

/// A column of instants or days.
#[derive(Debug, Clone)]
pub(super) struct Instants(ArrayRef);

impl Instants {
    /// A column of dates, timestamps, or texts that say one.
    pub(super) fn of(rows: &RecordBatch, place: usize) -> Result<Self, Failure> {
        let column = column(rows, place)?;
        let to = match column.data_type() {
            DataType::Date32 => return Ok(Self(column)),
            DataType::Date64 | DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
                DataType::Timestamp(TimeUnit::Millisecond, None)
            }
            DataType::Timestamp(_, zone) => {
                DataType::Timestamp(TimeUnit::Millisecond, zone.clone())
            }
            DataType::Null => DataType::Date32,
            other => return Err(wrong(name(rows, place), "dates or timestamps", other)),
        };
        Ok(Self(cast(&column, &to, name(rows, place))?))
    }

    /// The instant of a row; of a day, its beginning.
    pub(super) fn get(&self, row: usize) -> Option<Timestamp> {
        if self.0.is_null(row) {
            return None;
        }
        let milliseconds = match self.0.data_type() {
            DataType::Date32 => {
                i64::from(self.0.as_primitive::<Date32Type>().value(row)).checked_mul(DAY_MS)?
            }
            _ => self.0.as_primitive::<TimestampMillisecondType>().value(row),
        };
        jiff::Timestamp::from_millisecond(milliseconds).ok()?;
        Some(Timestamp(milliseconds))
    }

    /// The day of a row.
    pub(super) fn day(&self, row: usize) -> Option<Date> {
        self.get(row).map(Timestamp::date)
    }
}

/// A day as Arrow counts it.
pub(super) fn day_number(day: Date) -> i32 {
    let since = Timestamp::at_start_of(day).0.div_euclid(DAY_MS);
    i32::try_from(since).unwrap_or_default()
}

fn column(rows: &RecordBatch, place: usize) -> Result<ArrayRef, Failure> {
    let column = rows.columns().get(place).map(Arc::clone);
    column.ok_or_else(|| Failure::failed("the batches of the data differ in their columns"))
}

fn name(rows: &RecordBatch, place: usize) -> &str {
    rows.schema_ref().fields().get(place).map_or("", |field| field.name().as_str())
}

/// Another kind of column; what cannot be said in it becomes nothing.
fn cast(column: &ArrayRef, to: &DataType, name: &str) -> Result<ArrayRef, Failure> {
    let options = CastOptions { safe: true, ..CastOptions::default() };
    cast_with_options(column, to, &options)
        .map_err(|_| wrong(name, &to.to_string(), column.data_type()))
}

fn wrong(name: &str, wanted: &str, got: &DataType) -> Failure {
    Failure::wrong_type(format!("the column {name:?} has to hold {wanted}, not {got}"))
}
