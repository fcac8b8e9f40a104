//! Moves a store: everything in one, to the other, checked to the last value.
//!
//! ```text
//! source (one snapshot) → rows → target (one transaction) → read back, compare → commit → verify the ledger
//! ```
//!
//! The source stays as it is and may be in use: what is moved is what it held at one moment. The
//! target must hold nothing but what every new store holds. Tables, columns and their order come
//! from a new store in memory, so a table that is added by a migration is moved without a word
//! here; only what an engine keeps for its own searches is rebuilt.

mod schema;

use sha2::{Digest as _, Sha256};

use crate::ledger::Verification;
use crate::sql::{Cell, made_sql};
use crate::table::{self, Table, page};
use crate::tx::Tx;
use crate::{Store, StoreError, library, news};

/// Why a store was not moved.
#[derive(Debug, thiserror::Error)]
pub enum RelocateError {
    /// One of the stores failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The target has been used.
    #[error("{location} is not empty: its table {table} has {rows} rows; name a new database")]
    NotEmpty {
        /// Which store.
        location: String,
        /// The table.
        table: String,
        /// How many rows it has.
        rows: u64,
    },
    /// The ledger of a store does not verify.
    #[error("the ledger of {location} does not verify: {why}")]
    Ledger {
        /// Which store.
        location: String,
        /// What is wrong with it.
        why: String,
    },
    /// What arrived is not what was sent.
    #[error("table {table} did not arrive as it was sent; nothing was written")]
    Differs {
        /// The table.
        table: String,
    },
}

/// What was moved: the rows of each table.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Relocated {
    /// Tables and their rows, in the order in which they were moved.
    pub tables: Vec<(String, u64)>,
    /// How many events the ledger has; all of them verify.
    pub ledger_events: i64,
}

/// How much a table holds: the rows, and a sum of their hashes that does not depend on their order,
/// because engines sort texts in different ways.
#[derive(Debug, Default, PartialEq, Eq)]
struct Content {
    rows: u64,
    hash: [u8; 32],
}

impl Content {
    fn add(&mut self, row: &[Cell]) {
        let mut hash = Sha256::new();
        for cell in row {
            match cell {
                Cell::Int(None) | Cell::Real(None) | Cell::Text(None) => hash.update([0]),
                Cell::Int(Some(value)) => {
                    hash.update([1]);
                    hash.update(value.to_le_bytes());
                }
                Cell::Real(Some(value)) => {
                    hash.update([2]);
                    hash.update(value.to_bits().to_le_bytes());
                }
                Cell::Text(Some(value)) => {
                    hash.update([3]);
                    hash.update(value.len().to_le_bytes());
                    hash.update(value.as_bytes());
                }
            }
        }
        self.rows += 1;
        for (sum, byte) in self.hash.iter_mut().zip(hash.finalize()) {
            *sum ^= byte;
        }
    }
}

/// Moves everything in one store to another. `on_table` is called for each table as it arrives.
///
/// # Errors
/// When a store fails, the target is not empty, or what arrived is not what was sent. The target is
/// then as it was, except where its ledger does not verify in the end, which the error says.
pub async fn relocate(
    from: &Store,
    to: &Store,
    mut on_table: impl FnMut(&str, u64),
) -> Result<Relocated, RelocateError> {
    verify(from).await?;
    let fresh = Store::in_memory().await?;
    let tables = table::tables(&mut fresh.read().await?).await?;
    let mut source = from.read().await?;
    let mut target = to.write().await?;
    schema::lift_limits(&mut target).await?;
    check_empty(&mut fresh.read().await?, &mut target, &tables, to.location()).await?;
    for table in tables.iter().rev() {
        schema::clear(&mut target, table).await?;
    }
    let mut moved = Relocated::default();
    for table in &tables {
        let sent = copy(&mut source, &mut target, table).await?;
        let arrived = content(&mut target, table).await?;
        if sent != arrived {
            return Err(RelocateError::Differs { table: table.name.clone() });
        }
        schema::go_on_counting(&mut target, table).await?;
        on_table(&table.name, sent.rows);
        moved.tables.push((table.name.clone(), sent.rows));
    }
    library::reindex(&mut target, to.engine()).await?;
    news::reindex(&mut target, to.engine()).await?;
    drop(source);
    target.commit().await?;
    moved.ledger_events = verify(to).await?;
    Ok(moved)
}

async fn verify(store: &Store) -> Result<i64, RelocateError> {
    let broken = |why: String| RelocateError::Ledger { location: store.location().to_owned(), why };
    match store.verify(None).await? {
        Verification::Sound(sound) => Ok(sound.events),
        Verification::Broken(fault) => Err(broken(fault.to_string())),
    }
}

/// The target may hold what every new store holds, and nothing else.
async fn check_empty(
    fresh: &mut Tx,
    target: &mut Tx,
    tables: &[Table],
    location: &str,
) -> Result<(), RelocateError> {
    for table in tables {
        let (own, usual) = (content(target, table).await?, content(fresh, table).await?);
        if own.rows != usual.rows {
            let (location, table) = (location.to_owned(), table.name.clone());
            return Err(RelocateError::NotEmpty { location, table, rows: own.rows });
        }
    }
    Ok(())
}

async fn content(tx: &mut Tx, table: &Table) -> Result<Content, StoreError> {
    let mut content = Content::default();
    let mut last = None;
    loop {
        let rows = page(tx, table, last.as_deref()).await?;
        rows.iter().for_each(|row| content.add(row));
        match rows.into_iter().next_back() {
            Some(row) => last = Some(row),
            None => return Ok(content),
        }
    }
}

async fn copy(source: &mut Tx, target: &mut Tx, table: &Table) -> Result<Content, StoreError> {
    let mut content = Content::default();
    let mut last: Option<Vec<Cell>> = None;
    let insert = schema::insertion(target, table).await?;
    loop {
        let rows = page(source, table, last.as_deref()).await?;
        for row in &rows {
            content.add(row);
            let query = row.iter().fold(made_sql(insert.clone()), |query, cell| query.bind(cell));
            target.execute(query).await?;
        }
        match rows.into_iter().next_back() {
            Some(row) => last = Some(row),
            None => return Ok(content),
        }
    }
}
