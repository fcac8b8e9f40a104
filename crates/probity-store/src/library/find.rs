//! A query → hits: the engine chooses passages by their terms, the ranking orders the documents.

use std::collections::{HashMap, HashSet};

use probity_core::{CollectionId, DocumentId, SearchHit, WebUrl};

use super::LibraryHit;
use super::finder::Finder;
use super::prepare::{Index, Prepared, count_terms, count_texts, prepare};
use super::rank::{Candidate, Query, Ranked, rank};
use super::reading::named_language;
use super::snippet::snippet;
use crate::sql::{ColumnError, Row, sql};
use crate::tx::{Script, Tx};
use crate::{Engine, StoreError};

/// The name of the library among the providers of a hit.
pub const PROVIDER: &str = "library";
/// How many hits a search gives at most.
pub const HITS: usize = 100;
/// How many passages of a document its excerpt is taken from.
const EXCERPTED: usize = 2;

/// The best documents for a query.
pub(super) async fn find(
    tx: &mut Tx,
    engine: Engine,
    text: &str,
    limit: usize,
    collection: Option<CollectionId>,
) -> Result<Vec<LibraryHit>, StoreError> {
    let limit = limit.min(HITS);
    let prepared = prepare(tx, engine, INDEX, text, limit).await?;
    let Some(Prepared { query, matching, candidates: wanted, read }) = prepared else {
        return Ok(Vec::new());
    };
    let candidates = candidates(tx, &matching, wanted, collection).await?;
    let ranked = rank(&query, &candidates, read);
    hits(tx, &query, &candidates, &ranked, limit).await
}

const INDEX: Index = Index {
    languages: "SELECT language, count(*) AS documents FROM library_documents
                WHERE language IS NOT NULL
                GROUP BY language ORDER BY documents DESC, language LIMIT $1",
    total: count_texts!("library_passages", "number"),
    found_in: count_terms!("library_vocabulary", "library_passages"),
};

const CANDIDATE_PASSAGES: Script = Script {
    sqlite: "SELECT p.document AS document, p.body AS body, d.title AS title, d.language AS language
             FROM (SELECT rowid AS number FROM library_terms
                   WHERE library_terms MATCH $1 AND rank MATCH 'bm25(2.0, 1.0)'
                     AND ($3 = 0 OR rowid / 65536 IN (SELECT document FROM library_collected
                                                      WHERE collection = $3))
                   ORDER BY rank LIMIT $2) AS found
             JOIN library_passages AS p ON p.number = found.number
             JOIN library_documents AS d ON d.number = p.document
             ORDER BY p.number",
    // PostgreSQL's own rank knows nothing of rare words. So the index alone gives the passages that
    // hold the most weight, and of a few times as many as are wanted the repetitions are weighed.
    postgres: "WITH wanted AS MATERIALIZED (
                   SELECT CAST(term AS TSQUERY) AS term, weight
                   FROM json_to_recordset(CAST($1 AS JSON)) AS w (term TEXT, weight FLOAT8)
               ), holding AS MATERIALIZED (
                   SELECT number, sum(weight) AS weight
                   FROM wanted CROSS JOIN LATERAL (
                       SELECT number FROM library_passages
                       WHERE terms @@ wanted.term
                         AND ($3 = 0 OR document IN (SELECT document FROM library_collected
                                                     WHERE collection = $3))
                   ) AS found
                   GROUP BY number ORDER BY 2 DESC, number LIMIT 6 * $2
               ), found AS MATERIALIZED (
                   SELECT p.number
                   FROM holding JOIN library_passages AS p ON p.number = holding.number
                   ORDER BY (SELECT sum(w.weight * ts_rank('{0.1, 0.1, 0.1, 0.2}', p.terms, w.term))
                             FROM wanted AS w) DESC, p.number
                   LIMIT $2
               )
               SELECT p.document AS document, p.body AS body, d.title AS title, d.language AS language
               FROM found
               JOIN library_passages AS p ON p.number = found.number
               JOIN library_documents AS d ON d.number = p.document
               ORDER BY p.number",
};

/// The passages that the engine finds best, in the order of the library.
async fn candidates(
    tx: &mut Tx,
    matching: &str,
    wanted: usize,
    collection: Option<CollectionId>,
) -> Result<Vec<Candidate>, StoreError> {
    let wanted = i64::try_from(wanted).unwrap_or(i64::MAX);
    let query = sql(tx.choose(CANDIDATE_PASSAGES)).bind(matching).bind(wanted);
    // Numbers begin with 1.
    let query = query.bind(collection.unwrap_or_default());
    let rows = tx.all(query).await?;
    let read = |row: &Row| {
        Ok(Candidate {
            document: row.get("document")?,
            title: row.get("title")?,
            body: row.get("body")?,
            language: named_language(&row.get::<String>("language")?),
        })
    };
    rows.iter().map(read).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
}

/// What a hit needs of its document's row.
struct Described {
    id: DocumentId,
    origin: String,
    url: String,
    published: Option<String>,
}

const DESCRIBED: Script = Script {
    sqlite: "SELECT number, id, origin, url, published FROM library_documents
             WHERE url IS NOT NULL AND number IN (SELECT value FROM json_each($1))",
    postgres: "SELECT number, id, origin, url, published FROM library_documents
               WHERE url IS NOT NULL
                 AND number IN (SELECT CAST(value AS BIGINT)
                                FROM json_array_elements_text(CAST($1 AS JSON)) AS value)",
};

async fn described(tx: &mut Tx, ranked: &[Ranked]) -> Result<HashMap<i64, Described>, StoreError> {
    let numbers: Vec<i64> = ranked.iter().map(|ranked| ranked.document).collect();
    let numbers = serde_json::to_string(&numbers).unwrap_or_else(|_| "[]".to_owned());
    let rows = tx.all(sql(tx.choose(DESCRIBED)).bind(&numbers)).await?;
    let read = |row: &Row| -> Result<(i64, Described), ColumnError> {
        let described = Described {
            id: row.get("id")?,
            origin: row.get("origin")?,
            url: row.get("url")?,
            published: row.get("published")?,
        };
        Ok((row.get("number")?, described))
    };
    rows.iter().map(read).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
}

/// The first documents of the ranking with their excerpts; copies of one page are listed once.
async fn hits(
    tx: &mut Tx,
    query: &Query,
    candidates: &[Candidate],
    ranked: &[Ranked],
    limit: usize,
) -> Result<Vec<LibraryHit>, StoreError> {
    let mut described = described(tx, ranked).await?;
    let mut finder = Finder::new(query);
    let mut pages = HashSet::new();
    let mut hits = Vec::new();
    for ranked in ranked {
        let Some(document) = described.remove(&ranked.document) else { continue };
        let Ok(url) = WebUrl::parse(&document.url) else { continue };
        if !pages.insert(url.canonical()) {
            continue;
        }
        let (title, snippet) = excerpt(query, candidates, ranked, &mut finder);
        let published = document.published.and_then(|day| day.parse().ok());
        let providers = vec![PROVIDER.to_owned()];
        hits.push(LibraryHit {
            id: document.id,
            origin: document.origin,
            score: ranked.score,
            hit: SearchHit { url, title, snippet, published, providers },
        });
        if hits.len() == limit {
            break;
        }
    }
    Ok(hits)
}

fn excerpt(
    query: &Query,
    candidates: &[Candidate],
    ranked: &Ranked,
    finder: &mut Finder<'_>,
) -> (String, String) {
    let mut best: Vec<usize> = ranked.passages.iter().copied().take(EXCERPTED).collect();
    best.sort_unstable();
    let passages: Vec<&Candidate> =
        best.iter().filter_map(|index| candidates.get(*index)).collect();
    let Some(first) = passages.first() else { return (String::new(), String::new()) };
    let bodies: Vec<&str> = passages.iter().map(|passage| passage.body.as_str()).collect();
    (first.title.clone(), snippet(query, &first.title, &bodies, first.language, finder))
}
