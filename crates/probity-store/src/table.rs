//! The tables of a store by name and column, for code that walks all of them without knowing their
//! meaning.

use crate::StoreError;
use crate::sql::{Cell, ColumnKind, Query, Row, Value, made_sql, sql};
use crate::tx::Tx;

/// How many rows are read at once. Few, because a row may hold a whole page or report.
const PAGE_ROWS: usize = 100;

/// A table, as every store has it.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) columns: Vec<Column>,
    /// The positions of the columns that identify its rows, in order.
    pub(crate) key: Vec<usize>,
}

#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) kind: ColumnKind,
}

/// The tables of a SQLite store in the order in which they were made, so that none comes before one
/// that it refers to. What SQLite keeps for its own searches is left out.
pub(crate) async fn tables(tx: &mut Tx) -> Result<Vec<Table>, StoreError> {
    let query = sql("SELECT s.name FROM sqlite_schema s
                     JOIN pragma_table_list l ON l.name = s.name AND l.schema = 'main'
                     WHERE s.type = 'table' AND l.type = 'table' AND s.name NOT LIKE 'sqlite!_%' ESCAPE '!'
                       AND s.name <> 'probity_migrations'
                     ORDER BY s.rowid");
    let mut tables = Vec::new();
    for row in tx.all(query).await? {
        let name: String = row.get("name").map_err(|error| tx.unreadable(&error))?;
        tables.push(table(tx, name).await?);
    }
    Ok(tables)
}

async fn table(tx: &mut Tx, name: String) -> Result<Table, StoreError> {
    let query = sql("SELECT name, type, pk FROM pragma_table_info($1) ORDER BY cid");
    let rows = tx.all(query.bind(&name)).await?;
    let mut columns = Vec::new();
    let mut key = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        let read = |row: &Row| {
            Ok((row.get::<String>("name")?, row.get::<String>("type")?, row.get::<i64>("pk")?))
        };
        let (column, declared, in_key) = read(row).map_err(|error| tx.unreadable(&error))?;
        let kind = match declared.as_str() {
            "INTEGER" => ColumnKind::Int,
            "REAL" => ColumnKind::Real,
            _ => ColumnKind::Text,
        };
        if in_key > 0 {
            key.push((in_key, place));
        }
        columns.push(Column { name: column, kind });
    }
    key.sort_unstable();
    Ok(Table { name, columns, key: key.into_iter().map(|(_, place)| place).collect() })
}

/// The rows that come after a row, in the order of the table's key.
pub(crate) async fn page(
    tx: &mut Tx,
    table: &Table,
    after: Option<&[Cell]>,
) -> Result<Vec<Vec<Cell>>, StoreError> {
    let key = || table.key.iter().filter_map(|place| Some((table.columns.get(*place)?, *place)));
    let names = |names: Vec<&str>| names.join(", ");
    let columns = names(table.columns.iter().map(|column| column.name.as_str()).collect());
    let order = names(key().map(|(column, _)| column.name.as_str()).collect());
    let mut text = format!("SELECT {columns} FROM {}", table.name);
    if after.is_some() {
        let places: Vec<String> = (1..=table.key.len()).map(|place| format!("${place}")).collect();
        text.push_str(&format!(" WHERE ({order}) > ({})", places.join(", ")));
    }
    text.push_str(&format!(" ORDER BY {order} LIMIT {PAGE_ROWS}"));
    let mut query: Query<'_> = made_sql(text);
    for (_, place) in key() {
        if let Some(cell) = after.and_then(|row| row.get(place)) {
            query = query.bind(Value::from(cell));
        }
    }
    let rows = tx.all(query).await?;
    let read = |row: &Row| {
        let cells = table.columns.iter().enumerate();
        cells.map(|(place, column)| row.cell(place, column.kind)).collect::<Result<Vec<_>, _>>()
    };
    rows.iter().map(read).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
}
