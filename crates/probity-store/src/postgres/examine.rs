//! What a database of a server lacks of what the migrations made. Pages are the server's own care.

use std::collections::BTreeSet;

use crate::StoreError;
use crate::examine::MAX_FAULTS;
use crate::migrate::server_scripts;
use crate::sql::{Row, sql};
use crate::tx::Tx;

/// Every table, usable index and working trigger that is there.
const PRESENT: &str = "SELECT 'TABLE' AS kind, CAST(tablename AS TEXT) AS name FROM pg_tables
                       WHERE schemaname = current_schema()
                       UNION ALL
                       SELECT 'INDEX', CAST(c.relname AS TEXT) FROM pg_index i
                       JOIN pg_class c ON c.oid = i.indexrelid
                       JOIN pg_namespace n ON n.oid = c.relnamespace
                       WHERE n.nspname = current_schema() AND i.indisvalid
                       UNION ALL
                       SELECT 'TRIGGER', CAST(t.tgname AS TEXT) FROM pg_trigger t
                       JOIN pg_class c ON c.oid = t.tgrelid
                       JOIN pg_namespace n ON n.oid = c.relnamespace
                       WHERE n.nspname = current_schema() AND NOT t.tgisinternal
                         AND t.tgenabled IN ('O', 'A')";

/// Tables, indexes and triggers that are missing, unfinished or switched off.
pub(crate) async fn faults(tx: &mut Tx) -> Result<Vec<String>, StoreError> {
    let rows = tx.all(sql(PRESENT)).await?;
    let read = |row: &Row| Ok((row.get::<String>("kind")?, row.get::<String>("name")?));
    let present = rows.iter().map(read).collect::<Result<BTreeSet<_>, _>>();
    let present = present.map_err(|error| tx.unreadable(&error))?;
    let missing = server_scripts()
        .flat_map(made)
        .filter(|(kind, name)| !present.contains(&((*kind).to_owned(), (*name).to_owned())));
    let fault = |(kind, name): (&str, &str)| {
        let kind = kind.to_lowercase();
        format!("the {kind} {name} is missing, unfinished or switched off")
    };
    Ok(missing.map(fault).take(MAX_FAULTS).collect())
}

/// What a migration makes: kind and name.
fn made(script: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    script.lines().filter_map(|line| {
        let rest = line.strip_prefix("CREATE ")?;
        let mut words = rest.split_whitespace().skip_while(|word| *word == "UNIQUE");
        let kind = words.next().filter(|kind| ["TABLE", "INDEX", "TRIGGER"].contains(kind))?;
        let name = words.find(|word| !["CONCURRENTLY", "IF", "NOT", "EXISTS"].contains(word))?;
        Some((kind, name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_migrations_make_is_read_from_their_text() {
        let text = "CREATE TABLE runs (\n  id TEXT\n);\nCREATE UNIQUE INDEX a ON runs (id);\n\
                    CREATE INDEX CONCURRENTLY IF NOT EXISTS b ON runs (id);\nCREATE FUNCTION f()\n\
                    CREATE TRIGGER c BEFORE INSERT ON runs";
        let made: Vec<_> = made(text).collect();
        assert_eq!(made, [("TABLE", "runs"), ("INDEX", "a"), ("INDEX", "b"), ("TRIGGER", "c")]);
    }
}
