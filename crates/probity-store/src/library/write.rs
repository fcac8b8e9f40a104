//! Entries → rows: a document, its passages, and their terms, in one transaction a batch.

use probity_core::{Document, Timestamp, WebUrl};

use super::dialect::{fts5_text, tsvector_text};
use super::follow::Known;
use super::reading::{Entry, Indexed, Passage, hash, language_name, named_language};
use super::terms::terms;
use probity_text::words::Stemmer;

use crate::sql::{made_sql, sql};
use crate::tx::{Script, Tx};
use crate::{Engine, StoreError};

/// How many passages of one document are indexed: as many as the numbering has room for.
const PASSAGES: usize = 65_536;
/// How many digits of its origin's hash name a document.
const ID_DIGITS: usize = 12;
/// The most files that one folder is compared with.
const KNOWN: i64 = 1_000_000;

/// The name of a document: short, and the same as long as it comes from the same place.
pub(super) fn document_id(origin: &str) -> String {
    hash(origin.as_bytes()).chars().take(ID_DIGITS).collect()
}

/// The origins below a folder as a range of texts: from the first to just after the last.
pub(super) fn range_below(path: &str) -> (String, String) {
    let folder = path.trim_end_matches(std::path::MAIN_SEPARATOR);
    let after = char::from_u32(u32::from(std::path::MAIN_SEPARATOR) + 1).unwrap_or('0');
    (format!("{folder}{}", std::path::MAIN_SEPARATOR), format!("{folder}{after}"))
}

/// What the index knows of a file or of everything below a folder.
pub(super) async fn known(tx: &mut Tx, path: &str) -> Result<Vec<(String, Known)>, StoreError> {
    let (from, until) = range_below(path);
    let query = sql("SELECT origin, bytes, modified, hash, reader, indexed_at, failure
                     FROM library_documents
                     WHERE origin = $1 OR (origin >= $2 AND origin < $3)
                     LIMIT $4");
    let rows = tx.all(query.bind(path).bind(&from).bind(&until).bind(KNOWN)).await?;
    let read = |row: &crate::sql::Row| {
        Ok((
            row.get("origin")?,
            Known {
                bytes: u64::try_from(row.get::<i64>("bytes")?).unwrap_or(0),
                modified: row.get("modified")?,
                hash: row.get("hash")?,
                reader: row.get("reader")?,
                indexed_at: Timestamp(row.get("indexed_at")?),
                failure: row.get("failure")?,
            },
        ))
    };
    rows.iter().map(read).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
}

/// Writes an entry in place of what the index had of the same origin.
pub(super) async fn put(
    tx: &mut Tx,
    engine: Engine,
    entry: &Entry,
    reader: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
    let number = put_document(tx, entry, reader, now).await?;
    tx.execute(sql("DELETE FROM library_passages WHERE document = $1").bind(number)).await?;
    if let Ok(indexed) = &entry.reading {
        put_passages(tx, engine, number, indexed).await?;
    }
    Ok(())
}

const PUT_DOCUMENT: &str = "
    INSERT INTO library_documents
        (id, origin, bytes, modified, hash, reader, indexed_at, failure,
         url, canonical_url, outlet, title, published, language, words, details, markdown)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
    ON CONFLICT (origin) DO UPDATE SET
        bytes = excluded.bytes, modified = excluded.modified, hash = excluded.hash,
        reader = excluded.reader, indexed_at = excluded.indexed_at, failure = excluded.failure,
        url = excluded.url, canonical_url = excluded.canonical_url, outlet = excluded.outlet,
        title = excluded.title, published = excluded.published, language = excluded.language,
        words = excluded.words, details = excluded.details, markdown = excluded.markdown
    RETURNING number";

async fn put_document(
    tx: &mut Tx,
    entry: &Entry,
    reader: i64,
    now: Timestamp,
) -> Result<i64, StoreError> {
    let id = document_id(&entry.origin);
    let bytes = i64::try_from(entry.bytes).unwrap_or(i64::MAX);
    let query = sql(PUT_DOCUMENT).bind(&id).bind(&entry.origin).bind(bytes).bind(entry.modified);
    let query = query.bind(&entry.hash).bind(reader).bind(now.0);
    let row = match &entry.reading {
        Err(reason) => {
            let absent = || Option::<&str>::None;
            let query = query.bind(reason).bind(absent()).bind(absent()).bind(absent());
            let query = query.bind(absent()).bind(absent()).bind(absent());
            tx.maybe(query.bind(Option::<i64>::None).bind(absent()).bind(absent())).await?
        }
        Ok(indexed) => {
            let url = own_url(tx, &entry.origin, &indexed.url).await?;
            let canonical = url.canonical();
            let reading = &indexed.reading;
            let published = reading.document.stated_day().map(|day| day.to_string());
            let details = details(&reading.document);
            let language = language_name(indexed.language);
            let query = query.bind(Option::<&str>::None);
            let query = query.bind(url.as_str()).bind(canonical.as_str());
            let query = query.bind(reading.outlet.as_ref().map(probity_core::Outlet::as_str));
            let query = query.bind(&reading.document.title).bind(published.as_deref());
            let query = query.bind(&language);
            let query = query.bind(i64::try_from(indexed.words).unwrap_or(i64::MAX));
            tx.maybe(query.bind(&details).bind(&reading.document.markdown)).await?
        }
    };
    let number = row.map(|row| row.get("number")).transpose();
    Ok(number.map_err(|error| tx.unreadable(&error))?.unwrap_or_default())
}

/// The document as JSON without its texts, which have places of their own.
fn details(document: &Document) -> String {
    // Field by field: a clone would hold both texts once more.
    let bare = Document {
        title: document.title.clone(),
        byline: document.byline.clone(),
        site_name: document.site_name.clone(),
        published: document.published,
        published_is_guessed: document.published_is_guessed,
        updated: document.updated,
        lang: document.lang.clone(),
        canonical: document.canonical.clone(),
        text: String::new(),
        markdown: String::new(),
        page_starts: document.page_starts.clone(),
        headings: document.headings.clone(),
        lists: document.lists.clone(),
        claim_reviews: document.claim_reviews.clone(),
        signals: document.signals.clone(),
        cut_short: document.cut_short.clone(),
    };
    serde_json::to_string(&bare).unwrap_or_default()
}

/// The address of a document: one that stands for a file stays what it was when the file was first
/// indexed, and is made different from that of another file of the same name.
async fn own_url(tx: &mut Tx, origin: &str, url: &WebUrl) -> Result<WebUrl, StoreError> {
    if !url.is_local() {
        return Ok(url.clone());
    }
    let query = sql("SELECT origin, url FROM library_documents
                     WHERE url IS NOT NULL AND (origin = $1 OR canonical_url = $2)
                     ORDER BY origin = $1 DESC LIMIT 1");
    let canonical = url.canonical();
    let Some(row) = tx.maybe(query.bind(origin).bind(canonical.as_str())).await? else {
        return Ok(url.clone());
    };
    let unreadable = |error| tx.unreadable(&error);
    let holder: String = row.get("origin").map_err(unreadable)?;
    let held = WebUrl::parse(&row.get::<String>("url").map_err(unreadable)?);
    Ok(match held {
        Ok(held) if holder == origin && held.is_local() => held,
        _ if holder == origin => url.clone(),
        _ => {
            let marked = format!("{url}?file={}", document_id(origin));
            WebUrl::parse(&marked).unwrap_or_else(|_| url.clone())
        }
    })
}

/// How many passages one statement puts in, so that a long document is not held once more as JSON.
const AT_ONCE: usize = 512;
/// How many rows a statement of SQLite may have, the most first: each number has a statement of its own that stays
/// prepared. As values of their own texts are written as they are; in JSON they would be escaped and read again,
/// which took a third of the time.
const ROWS: [usize; 3] = [32, 8, 1];

const PUT_BODIES: &str = "INSERT INTO library_passages (number, document, body)";
const PUT_TERMS: &str = "INSERT INTO library_terms (rowid, title, body)";

/// A statement that puts in rows with numbers from `$1` on, `$2`, and a text of their own each.
fn put_rows(into: &str, rows: usize) -> String {
    use std::fmt::Write as _;

    let mut text = format!("{into} VALUES ");
    for row in 0..rows {
        let comma = if row == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}($1 + {row}, $2, ${})", row + 3);
    }
    text
}

const PUT_PASSAGES: &str = "
    INSERT INTO library_passages (number, document, body, terms)
    SELECT $1 * 65536 + $4 + body.place - 1, $1, body.text, CAST(terms.text AS TSVECTOR)
    FROM json_array_elements_text(CAST($2 AS JSON)) WITH ORDINALITY AS body (text, place)
    JOIN json_array_elements_text(CAST($3 AS JSON)) WITH ORDINALITY AS terms (text, place)
      ON body.place = terms.place";

async fn put_passages(
    tx: &mut Tx,
    engine: Engine,
    number: i64,
    indexed: &Indexed,
) -> Result<(), StoreError> {
    let kept = indexed.passages.get(..PASSAGES).unwrap_or(&indexed.passages);
    if engine == Engine::Sqlite {
        return put_values(tx, number, indexed, kept).await;
    }
    for (first, some) in (0_i64..).step_by(AT_ONCE).zip(kept.chunks(AT_ONCE)) {
        let bodies = json(some.iter().map(|passage| indexed.body(passage)));
        let vector = |passage: &Passage| {
            tsvector_text(&indexed.title_terms, passage.terms.split_ascii_whitespace())
        };
        let terms = json(some.iter().map(vector));
        let put = sql(PUT_PASSAGES).bind(number).bind(&bodies).bind(&terms);
        tx.execute(put.bind(first)).await?;
    }
    Ok(())
}

async fn put_values(
    tx: &mut Tx,
    document: i64,
    indexed: &Indexed,
    mut passages: &[Passage],
) -> Result<(), StoreError> {
    let title = fts5_text(&indexed.title_terms);
    let mut number = document * 65_536;
    for rows in ROWS {
        while let Some((some, rest)) = passages.split_at_checked(rows) {
            let bodies = made_sql(put_rows(PUT_BODIES, rows)).bind(number).bind(document);
            let bodies = some.iter().fold(bodies, |put, passage| put.bind(indexed.body(passage)));
            tx.execute(bodies).await?;
            let terms = made_sql(put_rows(PUT_TERMS, rows)).bind(number).bind(&title);
            let terms = some.iter().fold(terms, |put, passage| put.bind(&passage.terms));
            tx.execute(terms).await?;
            number += i64::try_from(rows).unwrap_or_default();
            passages = rest;
        }
    }
    Ok(())
}

fn json(texts: impl Iterator<Item = impl serde::Serialize>) -> String {
    serde_json::to_string(&texts.collect::<Vec<_>>()).unwrap_or_else(|_| "[]".to_owned())
}

/// Notes another time of change of a file whose bytes are the same.
pub(super) async fn touch(tx: &mut Tx, origin: &str, modified: i64) -> Result<(), StoreError> {
    let query = sql("UPDATE library_documents SET modified = $1 WHERE origin = $2");
    tx.execute(query.bind(modified).bind(origin)).await.map(drop)
}

const DROP_ORIGINS: Script = Script {
    sqlite: "DELETE FROM library_documents WHERE origin IN (SELECT value FROM json_each($1))",
    postgres: "DELETE FROM library_documents
               WHERE origin IN (SELECT json_array_elements_text(CAST($1 AS JSON)))",
};

/// Takes documents out of the index.
pub(super) async fn drop_origins(tx: &mut Tx, origins: &[String]) -> Result<u64, StoreError> {
    let origins = json(origins.iter());
    tx.execute(sql(tx.choose(DROP_ORIGINS)).bind(&origins)).await
}

/// Notes that a folder was indexed.
pub(super) async fn note_folder(tx: &mut Tx, path: &str, now: Timestamp) -> Result<(), StoreError> {
    let query = sql("INSERT INTO library_folders (path, indexed_at) VALUES ($1, $2)
                     ON CONFLICT (path) DO UPDATE SET indexed_at = excluded.indexed_at");
    tx.execute(query.bind(path).bind(now.0)).await.map(drop)
}

/// How many documents are looked at together when the terms are made anew.
const REINDEX_PAGE: i64 = 100;

const PUT_TERMS_AGAIN: Script = Script {
    sqlite: "INSERT INTO library_terms (rowid, title, body) VALUES ($1, $2, $3)",
    postgres: "UPDATE library_passages SET terms = CAST($3 AS TSVECTOR) WHERE number = $1
                 AND $2 = ''",
};

/// Makes the terms of every passage anew, where there are none.
pub(crate) async fn reindex(tx: &mut Tx, engine: Engine) -> Result<(), StoreError> {
    let mut last = -1;
    loop {
        let query = sql("SELECT number, coalesce(title, '') AS title,
                                coalesce(language, '') AS language
                         FROM library_documents WHERE number > $1 AND failure IS NULL
                         ORDER BY number LIMIT $2");
        let rows = tx.all(query.bind(last).bind(REINDEX_PAGE)).await?;
        if rows.is_empty() {
            return Ok(());
        }
        for row in rows {
            let read = || {
                let (title, language): (String, String) = (row.get("title")?, row.get("language")?);
                Ok((row.get::<i64>("number")?, title, language))
            };
            let (number, title, language) = read().map_err(|error| tx.unreadable(&error))?;
            last = number;
            let stemmer = Stemmer::new(named_language(&language));
            reindex_document(tx, engine, number, &terms(&title, &stemmer), &stemmer).await?;
        }
    }
}

async fn reindex_document(
    tx: &mut Tx,
    engine: Engine,
    document: i64,
    title: &[String],
    stemmer: &Stemmer,
) -> Result<(), StoreError> {
    let query = sql("SELECT number, body FROM library_passages WHERE document = $1
                     ORDER BY number");
    for row in tx.all(query.bind(document)).await? {
        let read = || Ok((row.get::<i64>("number")?, row.get::<String>("body")?));
        let (number, body) = read().map_err(|error| tx.unreadable(&error))?;
        let body = terms(&body, stemmer);
        let (title, body) = match engine {
            Engine::Sqlite => (fts5_text(title), fts5_text(&body)),
            Engine::Postgres => {
                (String::new(), tsvector_text(title, body.iter().map(String::as_str)))
            }
        };
        let put = sql(tx.choose(PUT_TERMS_AGAIN)).bind(number).bind(&title).bind(&body);
        tx.execute(put).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_a_range_that_leaves_out_its_namesakes() {
        let (from, until) = range_below("/home/ann");
        let below = |path: &str| path >= from.as_str() && path < until.as_str();
        assert!(below("/home/ann/a.md") && below("/home/ann/b/é.md"));
        assert!(!below("/home/anna/a.md") && !below("/home/ann.md") && !below("/home"));
        let (from, until) = range_below("/");
        assert!("/etc/x" >= from.as_str() && "/etc/x" < until.as_str());
    }

    #[test]
    fn an_id_is_short_and_depends_on_the_origin_alone() {
        assert_eq!(document_id("/a").len(), ID_DIGITS);
        assert_eq!(document_id("/a"), document_id("/a"));
        assert_ne!(document_id("/a"), document_id("/b"));
    }
}
