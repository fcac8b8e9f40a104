//! Looks through a whole store for damage, on either engine.
//!
//! ```text
//! what the engine finds → every row read → every reference followed → what hashes and counts prove
//! ```
//!
//! What cannot be read is named and skipped, so that one broken table does not hide another. A
//! change to a text that no hash covers (a title, a note), or within a page of a full-text index,
//! leaves no trace and cannot be found.

use std::collections::BTreeMap;

use probity_core::Answering;

use crate::runs::JournalEntry;
use crate::sql::{Cell, Row, made_sql, sql};
use crate::table::{self, Table, page};
use crate::tx::Tx;
use crate::{Store, StoreError};

/// The most faults of one kind that are named.
pub(crate) const MAX_FAULTS: usize = 20;

/// Columns that hold JSON.
const JSON: [(&str, &str); 8] = [
    ("runs", "spec"),
    ("runs", "report"),
    ("journal", "inputs"),
    ("journal", "output"),
    ("run_events", "event"),
    ("library_documents", "details"),
    ("articles", "document"),
    ("outlet_signals", "signals"),
];

/// Tables whose rows are numbered from 1 without gaps: by what, and within what.
const NUMBERED: [(&str, &str, Option<&str>); 3] = [
    ("journal", "seq", Some("run_id")),
    ("run_events", "seq", Some("run_id")),
    ("actions", "seq", None),
];

impl Store {
    /// Looks through everything for damage and says what is damaged; empty if nothing is.
    ///
    /// # Errors
    /// When the store is too damaged to be looked through, or cannot be reached.
    pub fn examine(&self) -> Answering<'_, Result<Vec<String>, StoreError>> {
        Box::pin(async move {
            let whole = Self::in_memory().await?;
            let mut model = whole.read().await?;
            let mut tables = Vec::new();
            for table in table::tables(&mut model).await? {
                let references = references(&mut model, &table).await?;
                tables.push((table, references));
            }
            // It has one connection, which the engine's part needs too.
            drop(model);
            let mut faults = self.examine_engine(&whole).await?;
            whole.close().await;
            for (table, references) in &tables {
                faults.extend(self.examine_rows(table).await?);
                for reference in references {
                    faults.extend(self.examine_reference(table, reference).await?);
                }
            }
            Ok(faults)
        })
    }

    /// Reads every row of a table. What cannot be read is a fault, unless the store does not answer at all.
    async fn examine_rows(&self, table: &Table) -> Result<Vec<String>, StoreError> {
        let mut looker = Looker::new(table);
        let mut tx = self.read().await?;
        let mut last: Option<Vec<Cell>> = None;
        loop {
            let rows = match page(&mut tx, table, last.as_deref()).await {
                Ok(rows) => rows,
                Err(error) => {
                    looker.faults.push(unread(&table.name, error)?);
                    return Ok(looker.faults);
                }
            };
            rows.iter().for_each(|row| looker.look(row));
            match rows.into_iter().next_back() {
                Some(row) if looker.faults.len() < MAX_FAULTS => last = Some(row),
                _ => return Ok(looker.faults),
            }
        }
    }

    /// Whether every row that a table refers to is there.
    async fn examine_reference(
        &self,
        table: &Table,
        reference: &Reference,
    ) -> Result<Option<String>, StoreError> {
        let Reference { column, parent, key } = reference;
        let child = &table.name;
        let query = made_sql(format!(
            "SELECT CAST(count(*) AS BIGINT) AS lost FROM {child} AS c WHERE c.{column} IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM {parent} AS p WHERE p.{key} = c.{column})"
        ));
        let mut tx = self.read().await?;
        let row = match tx.maybe(query).await {
            Ok(row) => row,
            Err(error) => return unread(child, error).map(Some),
        };
        let lost = row.map(|row| row.get::<i64>("lost")).transpose();
        let lost = lost.map_err(|error| tx.unreadable(&error))?.unwrap_or(0);
        let fault =
            || format!("{lost} rows of {child} refer to a row of {parent} that is not there");
        Ok((lost > 0).then(fault))
    }
}

/// A table that cannot be read is damaged; a store that does not answer is another matter.
fn unread(table: &str, error: StoreError) -> Result<String, StoreError> {
    match error {
        StoreError::Unreachable { .. } | StoreError::Failing { .. } | StoreError::Busy { .. } => {
            Err(error)
        }
        StoreError::Damaged { why, .. } | StoreError::Unreadable { why, .. } => {
            Ok(format!("the table {table} cannot be read: {why}"))
        }
        StoreError::Sql { source, .. } => Ok(format!("the table {table} cannot be read: {source}")),
        other => Ok(format!("the table {table} cannot be read: {other}")),
    }
}

/// A column whose values are keys of another table.
struct Reference {
    column: String,
    parent: String,
    key: String,
}

/// What a table refers to, as an empty SQLite store of this version says.
async fn references(model: &mut Tx, table: &Table) -> Result<Vec<Reference>, StoreError> {
    let query = sql("SELECT \"table\" AS parent, \"from\" AS child_column, \"to\" AS parent_column
                     FROM pragma_foreign_key_list($1) ORDER BY id");
    let rows = model.all(query.bind(&table.name)).await?;
    let read = |row: &Row| {
        let (column, parent) = (row.get("child_column")?, row.get("parent")?);
        Ok(Reference { column, parent, key: row.get("parent_column")? })
    };
    rows.iter().map(read).collect::<Result<_, _>>().map_err(|error| model.unreadable(&error))
}

/// Looks at the rows of a table one after the other.
struct Looker<'t> {
    table: &'t Table,
    json: Vec<usize>,
    /// The column of the number, and what it counts within.
    numbered: Option<(usize, Option<usize>)>,
    next: BTreeMap<String, i64>,
    faults: Vec<String>,
}

impl<'t> Looker<'t> {
    fn new(table: &'t Table) -> Self {
        let place = |name: &str| table.columns.iter().position(|column| column.name == name);
        let own = JSON.iter().filter(|(owner, _)| *owner == table.name);
        let json = own.filter_map(|(_, column)| place(column)).collect();
        let numbered = NUMBERED.iter().find(|(owner, ..)| *owner == table.name);
        let numbered =
            numbered.and_then(|(_, number, within)| Some((place(number)?, within.and_then(place))));
        Self { table, json, numbered, next: BTreeMap::new(), faults: Vec::new() }
    }

    fn look(&mut self, row: &[Cell]) {
        let name = &self.table.name;
        // Nothing that is kept holds one; a page that was overwritten does.
        if row.iter().any(|cell| matches!(cell, Cell::Text(Some(text)) if text.contains('\0'))) {
            self.faults.push(format!("{} holds a zero byte", self.whose(row)));
        }
        for place in &self.json {
            let Some(Cell::Text(Some(text))) = row.get(*place) else { continue };
            if serde_json::from_str::<serde::de::IgnoredAny>(text).is_err() {
                let column = self.table.columns.get(*place).map_or("", |column| &column.name);
                self.faults.push(format!("{}: its {column} is not JSON", self.whose(row)));
            }
        }
        if let Some((number, within)) = self.numbered {
            let within = within.and_then(|place| text(row, place)).unwrap_or_default();
            let next = self.next.entry(within.to_owned()).or_insert(1);
            if let Some(Cell::Int(Some(found))) = row.get(number) {
                if found != next {
                    let of =
                        if within.is_empty() { String::new() } else { format!(" of {within}") };
                    self.faults.push(format!("{name}{of} lacks number {next}"));
                }
                *next = found + 1;
            }
        }
        if name == "journal"
            && let Some(entry) = entry(self.table, row)
            && let Some(part) = entry.changed()
        {
            let whose = self.whose(row);
            self.faults.push(format!("{whose} ({}) was changed: its {part}", entry.kind));
        }
    }

    /// The row by its key, as a person would name it.
    fn whose(&self, row: &[Cell]) -> String {
        let key = self.table.key.iter().filter_map(|place| match row.get(*place)? {
            Cell::Text(Some(text)) => Some(text.clone()),
            Cell::Int(Some(number)) => Some(number.to_string()),
            _ => None,
        });
        format!("{} {}", self.table.name, key.collect::<Vec<_>>().join(" "))
    }
}

fn text(row: &[Cell], place: usize) -> Option<&str> {
    match row.get(place)? {
        Cell::Text(text) => text.as_deref(),
        _ => None,
    }
}

/// A row of the journal, as far as its hashes go.
fn entry(table: &Table, row: &[Cell]) -> Option<JournalEntry> {
    let of = |name: &str| {
        let place = table.columns.iter().position(|column| column.name == name)?;
        text(row, place).map(str::to_owned)
    };
    Some(JournalEntry {
        key: of("step_key")?,
        kind: of("kind")?,
        inputs: of("inputs")?,
        output: of("output")?,
        digest: of("digest")?,
        at: probity_core::Timestamp(0),
        millis: 0,
    })
}
