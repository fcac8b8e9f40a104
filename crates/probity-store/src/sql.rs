//! Statements with their values, and rows, the same for both engines.
//!
//! One `$1` text serves SQLite and PostgreSQL. A value that is missing would silently be NULL on
//! SQLite, so a [`Query`] counts its placeholders before it runs.

use std::borrow::Cow;

use probity_core::{
    ArticleId, BriefingId, CategoryId, CollectionId, DocumentId, FeedId, RunId, TopicId, UserName,
    WatchId,
};
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{Decode, Postgres, Row as _, Sqlite, Type};

/// A value to bind. Absence has a type, because PostgreSQL asks for one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value<'q> {
    Int(Option<i64>),
    Real(Option<f64>),
    Text(Option<&'q str>),
}

impl From<i64> for Value<'_> {
    fn from(value: i64) -> Self {
        Self::Int(Some(value))
    }
}

impl From<Option<i64>> for Value<'_> {
    fn from(value: Option<i64>) -> Self {
        Self::Int(value)
    }
}

impl From<f64> for Value<'_> {
    fn from(value: f64) -> Self {
        Self::Real(Some(value))
    }
}

impl From<Option<f64>> for Value<'_> {
    fn from(value: Option<f64>) -> Self {
        Self::Real(value)
    }
}

impl<'q> From<&'q str> for Value<'q> {
    fn from(value: &'q str) -> Self {
        Self::Text(Some(value))
    }
}

impl<'q> From<&'q String> for Value<'q> {
    fn from(value: &'q String) -> Self {
        Self::Text(Some(value))
    }
}

impl<'q> From<Option<&'q str>> for Value<'q> {
    fn from(value: Option<&'q str>) -> Self {
        Self::Text(value)
    }
}

/// One statement with its values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Query<'q> {
    pub(crate) sql: Cow<'static, str>,
    pub(crate) values: Vec<Value<'q>>,
}

/// Begins a statement.
pub(crate) fn sql<'q>(text: &'static str) -> Query<'q> {
    Query { sql: Cow::Borrowed(text), values: Vec::new() }
}

/// Begins a statement whose text was put together here, of names that are ours.
pub(crate) fn made_sql<'q>(text: String) -> Query<'q> {
    Query { sql: Cow::Owned(text), values: Vec::new() }
}

/// The conditions of a statement, only those that are asked for: one text that allowed for all of them
/// would have one plan for all, which is good for none.
#[derive(Debug, Default)]
pub(crate) struct Conditions<'q> {
    text: String,
    values: Vec<Value<'q>>,
}

impl<'q> Conditions<'q> {
    /// Adds a condition; each `?` in it is one of the values, in order.
    pub(crate) fn and<const N: usize>(
        mut self,
        condition: &'static str,
        values: [Value<'q>; N],
    ) -> Self {
        self.text.push_str(if self.text.is_empty() { " WHERE " } else { " AND " });
        self.add(condition, values);
        self
    }

    /// The whole statement: what comes before the conditions and what comes after, in which each
    /// `?` is one of the last values.
    pub(crate) fn between<const N: usize>(
        mut self,
        before: &'static str,
        after: &'static str,
        values: [Value<'q>; N],
    ) -> Query<'q> {
        self.add(after, values);
        Query { sql: Cow::Owned(format!("{before}{}", self.text)), values: self.values }
    }

    fn add<const N: usize>(&mut self, text: &str, values: [Value<'q>; N]) {
        let mut place = self.values.len();
        for piece in text.split_inclusive('?') {
            let number = piece.strip_suffix('?');
            self.text.push_str(number.unwrap_or(piece));
            if number.is_some() {
                place += 1;
                self.text.push_str(&format!("${place}"));
            }
        }
        self.values.extend(values);
    }
}

impl<'q> Query<'q> {
    /// The value of the next placeholder.
    pub(crate) fn bind(mut self, value: impl Into<Value<'q>>) -> Self {
        self.values.push(value.into());
        self
    }

    /// Whether every placeholder has its value, and every value its placeholder.
    pub(crate) fn is_complete(&self) -> bool {
        let highest = self
            .sql
            .split('$')
            .skip(1)
            .filter_map(|rest| {
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                rest.get(..digits)?.parse::<usize>().ok()
            })
            .max();
        highest.unwrap_or(0) == self.values.len()
    }
}

/// A row of either engine.
pub(crate) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

/// What the engines store in a column.
pub(crate) trait Stored:
    for<'r> Decode<'r, Sqlite> + Type<Sqlite> + for<'r> Decode<'r, Postgres> + Type<Postgres>
{
}

impl<T> Stored for T where
    T: for<'r> Decode<'r, Sqlite> + Type<Sqlite> + for<'r> Decode<'r, Postgres> + Type<Postgres>
{
}

/// What a column can be read as.
pub(crate) trait Column: Sized {
    /// How it is stored.
    type Stored: Stored;

    fn of(stored: Self::Stored) -> Self;
}

macro_rules! plain_columns {
    ($($kind:ty),+) => {$(
        impl Column for $kind {
            type Stored = Self;

            fn of(stored: Self) -> Self {
                stored
            }
        }
    )+};
}

plain_columns!(i64, f64, String, Option<i64>, Option<f64>, Option<String>);

/// Ids are stored as their numbers.
macro_rules! id_columns {
    ($($id:ident),+) => {$(
        impl Column for $id {
            type Stored = i64;

            fn of(stored: i64) -> Self {
                Self(stored)
            }
        }

        impl Column for Option<$id> {
            type Stored = Option<i64>;

            fn of(stored: Option<i64>) -> Self {
                stored.map($id)
            }
        }

        impl From<$id> for Value<'_> {
            fn from(id: $id) -> Self {
                id.0.into()
            }
        }

        impl From<Option<$id>> for Value<'_> {
            fn from(id: Option<$id>) -> Self {
                id.map(|id| id.0).into()
            }
        }
    )+};
}

id_columns!(ArticleId, BriefingId, CategoryId, CollectionId, FeedId, TopicId, WatchId);

/// Other ids are stored as their texts.
macro_rules! text_id_columns {
    ($($id:ident),+) => {$(
        impl Column for $id {
            type Stored = String;

            fn of(stored: String) -> Self {
                stored.into()
            }
        }

        impl Column for Option<$id> {
            type Stored = Option<String>;

            fn of(stored: Option<String>) -> Self {
                stored.map($id::from)
            }
        }

        impl<'a> From<&'a $id> for Value<'a> {
            fn from(id: &'a $id) -> Self {
                id.as_str().into()
            }
        }

        impl<'a> From<Option<&'a $id>> for Value<'a> {
            fn from(id: Option<&'a $id>) -> Self {
                id.map($id::as_str).into()
            }
        }
    )+};
}

text_id_columns!(DocumentId, RunId, UserName);

/// Why a column cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("`{column}` {why}")]
pub(crate) struct ColumnError {
    column: &'static str,
    why: String,
}

impl ColumnError {
    pub(crate) fn new(column: &'static str, why: impl Into<String>) -> Self {
        Self { column, why: why.into() }
    }
}

impl Row {
    /// The value of a column.
    pub(crate) fn get<T: Column>(&self, column: &'static str) -> Result<T, ColumnError> {
        let value: Result<T::Stored, _> = match self {
            Self::Sqlite(row) => row.try_get(column),
            Self::Postgres(row) => row.try_get(column),
        };
        value.map(T::of).map_err(|error| ColumnError::new(column, explain(&error)))
    }
}

/// What kind of value a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    Int,
    Real,
    Text,
}

/// A value that was read, for code that moves rows without knowing their meaning.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell {
    Int(Option<i64>),
    Real(Option<f64>),
    Text(Option<String>),
}

impl<'q> From<&'q Cell> for Value<'q> {
    fn from(cell: &'q Cell) -> Self {
        match cell {
            Cell::Int(value) => Self::Int(*value),
            Cell::Real(value) => Self::Real(*value),
            Cell::Text(value) => Self::Text(value.as_deref()),
        }
    }
}

impl Row {
    /// The value of a column by its place.
    pub(crate) fn cell(&self, place: usize, kind: ColumnKind) -> Result<Cell, ColumnError> {
        match kind {
            ColumnKind::Int => self.at(place).map(Cell::Int),
            ColumnKind::Real => self.at(place).map(Cell::Real),
            ColumnKind::Text => self.at(place).map(Cell::Text),
        }
    }

    fn at<T: Column>(&self, place: usize) -> Result<T, ColumnError> {
        let value: Result<T::Stored, _> = match self {
            Self::Sqlite(row) => row.try_get(place),
            Self::Postgres(row) => row.try_get(place),
        };
        value.map(T::of).map_err(|error| ColumnError::new("a column", explain(&error)))
    }
}

fn explain(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::ColumnDecode { source, .. } => format!("does not decode: {source}"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_numbered_through() {
        let made = Conditions::default()
            .and("a = ?", [Value::from(1)])
            .and("(b, c) < (?, ?)", [Value::from(2), Value::from("x")])
            .between("SELECT 1 FROM t", " LIMIT ? OFFSET ?", [Value::from(9), Value::from(0)]);
        assert_eq!(
            made.sql,
            "SELECT 1 FROM t WHERE a = $1 AND (b, c) < ($2, $3) LIMIT $4 OFFSET $5"
        );
        assert!(made.is_complete());
        let none = Conditions::default().between("SELECT 1 FROM t", "", []);
        assert_eq!(none.sql, "SELECT 1 FROM t");
    }

    #[test]
    fn a_missing_value_is_noticed() {
        assert!(sql("SELECT 1").is_complete());
        assert!(sql("SELECT $1, $2, $1").bind(1).bind("x").is_complete());
        assert!(!sql("SELECT $1, $2").bind(1).is_complete());
        assert!(!sql("SELECT $1").bind(1).bind(2).is_complete());
        assert!(!sql("SELECT $10").bind(1).is_complete());
    }
}
