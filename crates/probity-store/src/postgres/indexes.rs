//! Builds indexes on a server while others go on reading and writing.
//!
//! `CREATE INDEX CONCURRENTLY` takes several transactions of its own and leaves an index that is not
//! valid when it is interrupted. Such a one is taken away and built again.

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, Row as _};

use super::Server;

/// How every statement of such a migration begins; the index's name follows.
const BUILD: &str = "CREATE INDEX CONCURRENTLY IF NOT EXISTS ";

/// One index to be built.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Build<'a> {
    name: &'a str,
    statement: &'a str,
}

#[cfg(test)]
impl Build<'_> {
    pub(crate) fn name(&self) -> &str {
        self.name
    }
}

/// The builds that a migration's text asks for, in order.
pub(crate) fn builds(script: &str) -> Vec<Build<'_>> {
    let read = |text| {
        // Comments may come before it.
        let (_, statement) = str::split_at_checked(text, text.find(BUILD)?)?;
        let name = statement.strip_prefix(BUILD)?.split_whitespace().next()?;
        Some(Build { name, statement })
    };
    script.split(';').filter_map(read).collect()
}

/// The same text for a transaction, where no other process can interfere.
pub(crate) fn at_once(script: &str) -> String {
    script.replace(BUILD, "CREATE INDEX IF NOT EXISTS ")
}

/// Builds what is missing, over a connection of its own.
pub(crate) async fn build(server: &Server, script: &str) -> Result<(), sqlx::Error> {
    let mut connection = PgConnection::connect_with(&server.pool.connect_options()).await?;
    // A large index takes as long as it takes. Behind a pooler a setting would stay with a
    // connection that is another's next; there, connections begin without our limits.
    if !server.pooled {
        connection.execute("SET statement_timeout = 0; SET lock_timeout = 0").await?;
    }
    for build in builds(script) {
        if is_broken(&mut connection, build.name).await? {
            tracing::info!(index = build.name, "an index was left half built; building it again");
            // The name comes from our own migration.
            let drop = format!("DROP INDEX CONCURRENTLY IF EXISTS {}", build.name);
            connection.execute(sqlx::raw_sql(AssertSqlSafe(drop))).await?;
        }
        let statement = AssertSqlSafe(build.statement.to_owned());
        connection.execute(sqlx::raw_sql(statement)).await?;
    }
    connection.close().await
}

/// Whether an index is there but was never finished.
async fn is_broken(connection: &mut PgConnection, name: &str) -> Result<bool, sqlx::Error> {
    let query = sqlx::query(
        "SELECT NOT indisvalid AS broken FROM pg_index WHERE indexrelid = to_regclass($1)",
    );
    let row = query.persistent(false).bind(name).fetch_optional(connection).await?;
    row.map(|row| row.try_get("broken")).transpose().map(|broken| broken.unwrap_or(false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_are_read_with_their_names() {
        let script = "-- Why.\nCREATE INDEX CONCURRENTLY IF NOT EXISTS a_b ON a (b);\n\n\
                      CREATE INDEX CONCURRENTLY IF NOT EXISTS c ON a (c) WHERE d;\n";
        let read: Vec<(&str, &str)> =
            builds(script).iter().map(|build| (build.name, build.statement)).collect();
        assert_eq!(
            read,
            [
                ("a_b", "CREATE INDEX CONCURRENTLY IF NOT EXISTS a_b ON a (b)"),
                ("c", "CREATE INDEX CONCURRENTLY IF NOT EXISTS c ON a (c) WHERE d"),
            ]
        );
    }
}
