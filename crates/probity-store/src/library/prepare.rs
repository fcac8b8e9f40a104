//! What is searched for → what an index is asked: the same for documents and for articles.

use std::collections::HashMap;

use probity_core::Answering;
use probity_text::Language;

use super::dialect::{match_text, search_terms, weighted_text};
use super::rank::Query;
use super::reading::named_language;
use crate::sql::{Row, sql};
use crate::tx::{Script, Tx};
use crate::{Engine, StoreError};

/// How many texts the engine chooses, at least and for every hit asked for.
const CANDIDATES: usize = 60;
const CANDIDATES_A_HIT: usize = 4;
/// How many of them are compared with the query in meaning.
const READ: usize = 24;
const READ_A_HIT: usize = 2;
/// How many languages of an index the words of a query are stemmed for.
const LANGUAGES: i64 = 4;

/// Counts the texts of a table by its key. A server says what it last counted, where there are so many
/// that counting would take longer than the search.
macro_rules! count_texts {
    ($table:literal, $key:literal) => {
        Script {
            sqlite: concat!("SELECT count(*) AS total FROM ", $table),
            postgres: concat!(
                "SELECT CASE WHEN part.counted < 20000 THEN part.counted
                             ELSE greatest(part.counted, coalesce(known.about, 0)) END AS total
                 FROM (SELECT count(*) AS counted FROM (SELECT ",
                $key,
                " FROM ",
                $table,
                " ORDER BY ",
                $key,
                " LIMIT 20000) AS beginning) AS part
                 LEFT JOIN (SELECT CAST(reltuples AS BIGINT) AS about FROM pg_class
                            WHERE oid = to_regclass('",
                $table,
                "')) AS known ON true"
            ),
        }
    };
}
pub(crate) use count_texts;

/// In how many texts of a table each of some terms is. SQLite's index has the counts in a vocabulary.
macro_rules! count_terms {
    ($vocabulary:literal, $table:literal) => {
        Script {
            sqlite: concat!(
                "SELECT term, doc AS found FROM ",
                $vocabulary,
                " WHERE term IN (SELECT value FROM json_each($1))"
            ),
            postgres: concat!(
                "SELECT term, (SELECT count(*) FROM ",
                $table,
                " WHERE terms @@ CAST('''' || term || '''' AS TSQUERY)) AS found
                 FROM json_array_elements_text(CAST($1 AS JSON)) AS term"
            ),
        }
    };
}
pub(crate) use count_terms;

/// The statements that tell what is in an index.
#[derive(Clone, Copy)]
pub(crate) struct Index {
    /// Gives `language`, the most frequent first, as many as `$1`.
    pub(crate) languages: &'static str,
    /// Gives how many texts there are, as `total`; about, where there are very many.
    pub(crate) total: Script,
    /// Gives for each of the JSON list of terms `$1` in how many texts it is, as `term` and `found`.
    pub(crate) found_in: Script,
}

/// A query, ready to be sent.
pub(crate) struct Prepared {
    /// What ranks the candidates.
    pub(crate) query: Query,
    /// What the engine matches.
    pub(crate) matching: String,
    /// How many candidates the engine is asked for.
    pub(crate) candidates: usize,
    /// How many of them are compared with the query in meaning.
    pub(crate) read: usize,
}

/// Reads a text as a query of an index; none where nothing in it can be searched for.
pub(crate) fn prepare<'a>(
    tx: &'a mut Tx,
    engine: Engine,
    index: Index,
    text: &'a str,
    limit: usize,
) -> Answering<'a, Result<Option<Prepared>, StoreError>> {
    Box::pin(async move {
        let mut query = Query::new(text, &languages(tx, index).await?);
        let found_in = found_in(tx, index, &query).await?;
        query.weigh(&found_in, total(tx, index).await?);
        let terms = search_terms(&query, |term| found_in.get(term).copied().unwrap_or(0));
        if terms.is_empty() || limit == 0 {
            return Ok(None);
        }
        let matching = match engine {
            Engine::Sqlite => match_text(&terms),
            Engine::Postgres => weighted_text(&terms),
        };
        Ok(Some(Prepared {
            query,
            matching,
            candidates: CANDIDATES.max(limit * CANDIDATES_A_HIT),
            read: READ.max(limit * READ_A_HIT),
        }))
    })
}

async fn languages(tx: &mut Tx, index: Index) -> Result<Vec<Language>, StoreError> {
    let rows = tx.all(sql(index.languages).bind(LANGUAGES)).await?;
    let name = |row: &Row| Ok(named_language(&row.get::<String>("language")?));
    rows.iter().map(name).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
}

async fn total(tx: &mut Tx, index: Index) -> Result<u64, StoreError> {
    let row = tx.maybe(sql(tx.choose(index.total))).await?;
    let count = row.map(|row| row.get::<i64>("total")).transpose();
    let count = count.map_err(|error| tx.unreadable(&error))?.unwrap_or(0);
    Ok(u64::try_from(count).unwrap_or(0))
}

/// How many texts hold each term of the query.
async fn found_in(
    tx: &mut Tx,
    index: Index,
    query: &Query,
) -> Result<HashMap<String, u64>, StoreError> {
    let terms: Vec<&String> = query.words.iter().flat_map(|word| &word.terms).collect();
    let terms = serde_json::to_string(&terms).unwrap_or_else(|_| "[]".to_owned());
    let rows = tx.all(sql(tx.choose(index.found_in)).bind(&terms)).await?;
    let read = |row: &Row| {
        let found: i64 = row.get("found")?;
        Ok((row.get::<String>("term")?, u64::try_from(found).unwrap_or(0)))
    };
    rows.iter().map(read).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
}
