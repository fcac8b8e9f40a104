//! What the engines add to the tables of a store.

use crate::sql::{made_sql, sql};
use crate::table::Table;
use crate::tx::Tx;
use crate::{Engine, StoreError};

/// Moving takes as long as it takes.
pub(super) async fn lift_limits(tx: &mut Tx) -> Result<(), StoreError> {
    if tx.engine() == Engine::Postgres {
        tx.execute(sql("SET LOCAL statement_timeout = 0")).await?;
    }
    Ok(())
}

/// Empties a table of what every new store holds, past the triggers that keep it: what is put in
/// its place is kept by them again.
pub(super) async fn clear(tx: &mut Tx, table: &Table) -> Result<(), StoreError> {
    let name = &table.name;
    let any = made_sql(format!("SELECT CAST(1 AS BIGINT) AS one FROM {name} LIMIT 1"));
    if tx.maybe(any).await?.is_none() {
        return Ok(());
    }
    let delete = format!("DELETE FROM {name}");
    match tx.engine() {
        Engine::Postgres => {
            tx.execute(made_sql(format!("ALTER TABLE {name} DISABLE TRIGGER USER"))).await?;
            tx.execute(made_sql(delete)).await?;
            tx.execute(made_sql(format!("ALTER TABLE {name} ENABLE TRIGGER USER"))).await?;
        }
        Engine::Sqlite => {
            let query = sql("SELECT name, sql FROM sqlite_schema
                             WHERE type = 'trigger' AND tbl_name = $1");
            let mut again = Vec::new();
            for row in tx.all(query.bind(name)).await? {
                let read = || Ok((row.get::<String>("name")?, row.get::<String>("sql")?));
                let (trigger, text) = read().map_err(|error| tx.unreadable(&error))?;
                tx.execute(made_sql(format!("DROP TRIGGER {trigger}"))).await?;
                again.push(text);
            }
            tx.execute(made_sql(delete)).await?;
            for text in again {
                tx.execute(made_sql(text)).await?;
            }
        }
    }
    Ok(())
}

/// The statement that puts a row in. A search vector, which only PostgreSQL has, is left empty for
/// the rebuild.
pub(super) async fn insertion(tx: &mut Tx, table: &Table) -> Result<String, StoreError> {
    let mut names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    let mut values: Vec<String> = (1..=names.len()).map(|place| format!("${place}")).collect();
    let vectors = match tx.engine() {
        Engine::Sqlite => Vec::new(),
        Engine::Postgres => columns_where(tx, &table.name, VECTORS).await?,
    };
    for vector in &vectors {
        names.push(vector);
        values.push("''".to_owned());
    }
    let overriding = match tx.engine() {
        Engine::Sqlite => "",
        Engine::Postgres => " OVERRIDING SYSTEM VALUE",
    };
    let (names, values) = (names.join(", "), values.join(", "));
    Ok(format!("INSERT INTO {} ({names}){overriding} VALUES ({values})", table.name))
}

/// Has PostgreSQL number the rows that come after those that were put in.
pub(super) async fn go_on_counting(tx: &mut Tx, table: &Table) -> Result<(), StoreError> {
    if tx.engine() == Engine::Sqlite {
        return Ok(());
    }
    for column in columns_where(tx, &table.name, IDENTITIES).await? {
        let name = &table.name;
        let next = format!(
            "SELECT setval(pg_get_serial_sequence('{name}', '{column}'),
                           (SELECT coalesce(max({column}), 0) + 1 FROM {name}), false)"
        );
        tx.execute(made_sql(next)).await?;
    }
    Ok(())
}

const VECTORS: &str = "SELECT CAST(column_name AS TEXT) AS name FROM information_schema.columns
                       WHERE table_schema = current_schema() AND table_name = $1
                         AND data_type = 'tsvector'";
const IDENTITIES: &str = "SELECT CAST(column_name AS TEXT) AS name FROM information_schema.columns
                          WHERE table_schema = current_schema() AND table_name = $1
                            AND is_identity = 'YES'";

async fn columns_where(
    tx: &mut Tx,
    table: &str,
    which: &'static str,
) -> Result<Vec<String>, StoreError> {
    let rows = tx.all(sql(which).bind(table)).await?;
    let names = rows.iter().map(|row| row.get("name"));
    names.collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
}
