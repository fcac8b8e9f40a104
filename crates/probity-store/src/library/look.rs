//! What the library holds: lists, single documents, figures; and taking documents out.

use jiff::civil::Date;
use probity_core::{CollectionId, Document, Outlet, Timestamp, WebUrl};

use super::write::range_below;
use super::{Folder, LanguageCount, ListOptions, Listed, ReadInPart, Status, Stored};
use crate::StoreError;
use crate::sql::{ColumnError, Row, sql};
use crate::tx::Tx;

/// How many details are in memory at once: those of a long document are long.
const AT_ONCE: u16 = 50;
/// How many folders and languages the status names.
const NAMED: i64 = 1_000;

const LIST: &str = "
    SELECT id, origin, url, outlet, title, published, language, words, bytes, indexed_at, failure
    FROM library_documents
    WHERE origin > $1 AND ($2 = 0 OR failure IS NOT NULL)
      AND (origin = $3 OR (origin >= $4 AND origin < $5) OR $3 = '')
      AND ($7 = 0 OR number IN (SELECT document FROM library_collected WHERE collection = $7))
    ORDER BY origin LIMIT $6";

/// Documents in the order of their origins.
pub(super) async fn list(
    tx: &mut Tx,
    options: &ListOptions,
    collection: Option<CollectionId>,
) -> Result<Vec<Listed>, StoreError> {
    let under = options.under.as_deref().unwrap_or_default();
    let (from, until) = range_below(under);
    let limit = i64::try_from(options.limit).unwrap_or(i64::MAX);
    let query = sql(LIST).bind(options.after.as_deref().unwrap_or_default());
    let query = query.bind(i64::from(options.failed)).bind(under).bind(&from).bind(&until);
    // Numbers of collections begin with 1.
    let rows = tx.all(query.bind(limit).bind(collection.unwrap_or_default())).await?;
    rows.iter().map(listed).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
}

fn listed(row: &Row) -> Result<Listed, ColumnError> {
    let url: Option<String> = row.get("url")?;
    let outlet: Option<String> = row.get("outlet")?;
    let published: Option<String> = row.get("published")?;
    let count = |value: Option<i64>| u64::try_from(value.unwrap_or(0)).unwrap_or(0);
    Ok(Listed {
        id: row.get("id")?,
        origin: row.get("origin")?,
        url: url.and_then(|url| WebUrl::parse(&url).ok()),
        outlet: outlet.and_then(|outlet| Outlet::new(&outlet).ok()),
        title: row.get::<Option<String>>("title")?.unwrap_or_default(),
        published: published.and_then(|day| day.parse::<Date>().ok()),
        language: row.get("language")?,
        words: count(row.get("words")?),
        bytes: count(row.get("bytes")?),
        indexed_at: Timestamp(row.get("indexed_at")?),
        failure: row.get("failure")?,
    })
}

const SHOW: &str = "
    SELECT number, id, origin, url, outlet, title, published, language, words, bytes, indexed_at,
           failure, details, markdown
    FROM library_documents
    WHERE id = $1 OR origin = $1 OR canonical_url = $2
    ORDER BY failure IS NOT NULL, number LIMIT 1";

/// One document by its id, its origin or its address.
pub(super) async fn show(tx: &mut Tx, name: &str) -> Result<Option<Stored>, StoreError> {
    let canonical = WebUrl::parse(name).map(|url| url.canonical());
    let canonical = canonical.as_ref().map_or(name, |url| url.as_str());
    let Some(row) = tx.maybe(sql(SHOW).bind(name).bind(canonical)).await? else {
        return Ok(None);
    };
    let unreadable = |error| tx.unreadable(&error);
    let about = listed(&row).map_err(unreadable)?;
    let number: i64 = row.get("number").map_err(unreadable)?;
    let details: Option<String> = row.get("details").map_err(unreadable)?;
    let markdown: Option<String> = row.get("markdown").map_err(unreadable)?;
    let mut document = detailed(details.as_deref()).map_err(unreadable)?;
    document.markdown = markdown.unwrap_or_default();
    document.text = text(tx, number).await?;
    Ok(Some(Stored { about, document }))
}

/// A document without its texts, from its details.
fn detailed(details: Option<&str>) -> Result<Document, ColumnError> {
    let Some(details) = details else { return Ok(Document::default()) };
    serde_json::from_str(details).map_err(|error| ColumnError::new("details", error.to_string()))
}

const IN_PART: &str = "
    SELECT origin, details FROM library_documents
    WHERE (origin = $1 OR (origin >= $2 AND origin < $3)) AND origin > $4
      AND details LIKE '%\"cut_short\":%'
    ORDER BY origin LIMIT $5";

/// A file or those below a folder of which only a part was read, in the order of their origins.
pub(super) async fn read_in_part(tx: &mut Tx, path: &str) -> Result<Vec<ReadInPart>, StoreError> {
    let (from, until) = range_below(path);
    let mut found: Vec<ReadInPart> = Vec::new();
    let mut after = String::new();
    loop {
        let query = sql(IN_PART).bind(path).bind(&from).bind(&until);
        let rows = tx.all(query.bind(&after).bind(i64::from(AT_ONCE))).await?;
        for row in &rows {
            let mut read = || -> Result<(), ColumnError> {
                let details: Option<String> = row.get("details")?;
                after = row.get("origin")?;
                let why = detailed(details.as_deref())?.cut_short;
                found.extend(why.map(|why| ReadInPart { origin: after.clone(), why }));
                Ok(())
            };
            read().map_err(|error| tx.unreadable(&error))?;
        }
        if rows.len() < usize::from(AT_ONCE) {
            return Ok(found);
        }
    }
}

/// The publisher that a document names.
pub(super) async fn outlet(tx: &mut Tx, url: &WebUrl) -> Result<Option<Outlet>, StoreError> {
    let query = sql("SELECT outlet FROM library_documents WHERE canonical_url = $1 LIMIT 1");
    let Some(row) = tx.maybe(query.bind(url.canonical().as_str())).await? else { return Ok(None) };
    let outlet: Option<String> = row.get("outlet").map_err(|error| tx.unreadable(&error))?;
    Ok(outlet.and_then(|outlet| Outlet::new(&outlet).ok()))
}

/// A document's text: its passages put together.
async fn text(tx: &mut Tx, document: i64) -> Result<String, StoreError> {
    let query = sql("SELECT body FROM library_passages WHERE document = $1 ORDER BY number");
    let rows = tx.all(query.bind(document)).await?;
    rows.iter()
        .map(|row| row.get::<String>("body"))
        .collect::<Result<_, _>>()
        .map_err(|error| tx.unreadable(&error))
}

const TOTALS: &str = "
    SELECT count(language) AS documents, count(failure) AS failed,
           CAST(coalesce(sum(words), 0) AS BIGINT) AS words,
           CAST(coalesce(sum(bytes), 0) AS BIGINT) AS bytes,
           CAST(coalesce(max(indexed_at), 0) AS BIGINT) AS indexed_at,
           (SELECT count(*) FROM library_passages) AS passages
    FROM library_documents";

/// The library in figures.
pub(super) async fn status(tx: &mut Tx) -> Result<Status, StoreError> {
    let folders = folders(tx).await?;
    let languages = languages(tx).await?;
    let Some(row) = tx.maybe(sql(TOTALS)).await? else { return Ok(Status::default()) };
    let count = |column| -> Result<u64, ColumnError> {
        Ok(u64::try_from(row.get::<i64>(column)?).unwrap_or(0))
    };
    let read = || -> Result<Status, ColumnError> {
        let last: i64 = row.get("indexed_at")?;
        Ok(Status {
            documents: count("documents")?,
            failed: count("failed")?,
            passages: count("passages")?,
            words: count("words")?,
            bytes: count("bytes")?,
            indexed_at: (last > 0).then_some(Timestamp(last)),
            languages,
            folders,
        })
    };
    read().map_err(|error| tx.unreadable(&error))
}

async fn folders(tx: &mut Tx) -> Result<Vec<Folder>, StoreError> {
    let query = sql("SELECT path, indexed_at FROM library_folders ORDER BY path LIMIT $1");
    let rows = tx.all(query.bind(NAMED)).await?;
    let read = |row: &Row| {
        Ok(Folder { path: row.get("path")?, indexed_at: Timestamp(row.get("indexed_at")?) })
    };
    rows.iter().map(read).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
}

async fn languages(tx: &mut Tx) -> Result<Vec<LanguageCount>, StoreError> {
    let query = sql("SELECT language, count(*) AS documents FROM library_documents
                     WHERE language IS NOT NULL
                     GROUP BY language ORDER BY documents DESC, language LIMIT $1");
    let rows = tx.all(query.bind(NAMED)).await?;
    let read = |row: &Row| {
        let documents = u64::try_from(row.get::<i64>("documents")?).unwrap_or(0);
        Ok(LanguageCount { language: row.get("language")?, documents })
    };
    rows.iter().map(read).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
}

/// Takes out a document by its id, origin or address, or everything below a folder.
pub(super) async fn remove(tx: &mut Tx, name: &str) -> Result<u64, StoreError> {
    let canonical = WebUrl::parse(name).map(|url| url.canonical());
    let canonical = canonical.as_ref().map_or(name, |url| url.as_str());
    let (from, until) = range_below(name);
    let query = sql("DELETE FROM library_documents
                     WHERE id = $1 OR origin = $1 OR canonical_url = $2
                        OR (origin >= $3 AND origin < $4)");
    let removed = tx.execute(query.bind(name).bind(canonical).bind(&from).bind(&until)).await?;
    let query = sql("DELETE FROM library_folders WHERE path = $1 OR (path >= $2 AND path < $3)");
    tx.execute(query.bind(name).bind(&from).bind(&until)).await?;
    Ok(removed)
}
