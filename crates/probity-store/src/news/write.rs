//! Items → rows and terms: what is known is left alone, what changed is corrected, what is new is kept.

use std::collections::{HashMap, HashSet};

use probity_core::{ArticleId, Document, FeedId};
use probity_text::Language;
use probity_text::words::Stemmer;
use serde::Serialize;

use super::{NewArticle, cut};
use crate::library::dialect::{fts5_text, tsvector_text};
use crate::library::reading::{language_name, named_language};
use crate::library::terms::terms;
use crate::sql::{Row, sql};
use crate::tx::{Script, Tx};
use crate::{Engine, StoreError};

/// How far back a feed's list of an article may be noted late: a day. Else every poll would write
/// every article that it has seen before.
pub(super) const LISTED_WITHIN: i64 = 24 * 3_600_000;
/// How much of a full text is indexed, in bytes.
const TEXT_BYTES: usize = 256 * 1024;

/// What of a document's items is not known yet, ready to be written.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    fresh: Vec<Fresh>,
    /// Known articles whose words the feed has changed.
    changed: Vec<(ArticleId, String, String)>,
    /// Known articles that were not noted as listed for a day.
    listed: Vec<ArticleId>,
}

/// A new article as the statements take it. The names are short because they are repeated.
#[derive(Debug, Serialize)]
struct Fresh {
    k: String,
    guid: Option<String>,
    url: Option<String>,
    canonical: Option<String>,
    publisher: Option<String>,
    outlet: Option<String>,
    resolved: i64,
    method: String,
    try_at: Option<i64>,
    title: String,
    summary: String,
    author: Option<String>,
    language: String,
    published: Option<i64>,
    #[serde(skip)]
    title_terms: Vec<String>,
    #[serde(skip)]
    body_terms: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    terms: Option<String>,
}

const KNOWN: Script = Script {
    sqlite: "SELECT id, item_key, title, summary, listed_at FROM articles
             WHERE feed_id = $1 AND item_key IN (SELECT value FROM json_each($2))",
    postgres: "SELECT id, item_key, title, summary, listed_at FROM articles
               WHERE feed_id = $1
                 AND item_key IN (SELECT json_array_elements_text(CAST($2 AS JSON)))",
};

const KNOWN_PAGES: Script = Script {
    sqlite: "SELECT id, canonical_url, listed_at FROM articles
             WHERE canonical_url IN (SELECT value FROM json_each($1))",
    postgres: "SELECT id, canonical_url, listed_at FROM articles
               WHERE canonical_url IN (SELECT json_array_elements_text(CAST($1 AS JSON)))",
};

/// Compares the items of a feed's document with what is kept. Nothing is locked meanwhile: only the
/// holder of the feed's lease does this, and what others bring meanwhile is met when it is written.
pub(super) async fn sort(
    tx: &mut Tx,
    engine: Engine,
    feed: FeedId,
    items: &[NewArticle],
    now: i64,
) -> Result<Sorted, StoreError> {
    let mut sorted = Sorted::default();
    let keys = json(items.iter().map(|item| fit(&item.item_key)));
    let rows = tx.all(sql(tx.choose(KNOWN)).bind(feed).bind(&keys)).await?;
    let mut known = HashMap::with_capacity(rows.len());
    for row in &rows {
        let (key, held) = held(row).map_err(|error| tx.unreadable(&error))?;
        known.insert(key, held);
    }
    let pages = json(items.iter().filter_map(|item| item.canonical_url.as_deref().map(fit)));
    let rows = tx.all(sql(tx.choose(KNOWN_PAGES)).bind(&pages)).await?;
    let mut seen_pages = HashSet::new();
    for row in &rows {
        let (id, url, listed) = page(row).map_err(|error| tx.unreadable(&error))?;
        seen_pages.insert(url);
        if listed < now - LISTED_WITHIN {
            sorted.listed.push(id);
        }
    }
    let mut stemmers = HashMap::new();
    let mut keys = HashSet::new();
    // The last item of a feed is the oldest: in this order, ids grow with time.
    for item in items.iter().rev() {
        let key = fit(&item.item_key);
        if !keys.insert(key.clone()) {
            continue;
        }
        if let Some(held) = known.get(&key) {
            let (title, summary) = (fit(&item.title), fit(&item.summary));
            if held.title != title || held.summary != summary {
                sorted.changed.push((held.id, title, summary));
            }
            if held.listed < now - LISTED_WITHIN {
                sorted.listed.push(held.id);
            }
            continue;
        }
        let canonical = item.canonical_url.as_deref().map(fit);
        if canonical.is_some_and(|page| !seen_pages.insert(page)) {
            continue;
        }
        sorted.fresh.push(prepare(item, key, engine, &mut stemmers));
    }
    Ok(sorted)
}

struct Held {
    id: ArticleId,
    title: String,
    summary: String,
    listed: i64,
}

fn held(row: &Row) -> Result<(String, Held), crate::sql::ColumnError> {
    let held = Held {
        id: row.get("id")?,
        title: row.get("title")?,
        summary: row.get("summary")?,
        listed: row.get("listed_at")?,
    };
    Ok((row.get("item_key")?, held))
}

fn page(row: &Row) -> Result<(ArticleId, String, i64), crate::sql::ColumnError> {
    Ok((row.get("id")?, row.get("canonical_url")?, row.get("listed_at")?))
}

fn prepare(
    item: &NewArticle,
    key: String,
    engine: Engine,
    stemmers: &mut HashMap<Language, Stemmer>,
) -> Fresh {
    let (title, summary) = (fit(&item.title), fit(&item.summary));
    let language = Language::detect(&format!("{title}. {summary}"));
    let stemmer = stemmers.entry(language).or_insert_with(|| Stemmer::new(language));
    let (title_terms, body_terms) = (terms(&title, stemmer), terms(&summary, stemmer));
    let vector = (engine == Engine::Postgres)
        .then(|| tsvector_text(&title_terms, body_terms.iter().map(String::as_str)));
    Fresh {
        k: key,
        guid: item.guid.as_deref().map(fit),
        url: item.url.as_deref().map(fit),
        canonical: item.canonical_url.as_deref().map(fit),
        publisher: item.publisher_url.as_deref().map(fit),
        outlet: item.outlet.as_ref().map(|outlet| outlet.as_str().to_owned()),
        resolved: i64::from(item.resolved),
        method: item.method.clone(),
        try_at: item.try_at.map(|at| at.0),
        title,
        summary,
        author: item.author.as_deref().map(fit),
        language: language_name(language),
        published: item.published_at.map(|at| at.0),
        title_terms,
        body_terms,
        terms: vector,
    }
}

const TAKE_TURN: &str = "
    UPDATE news_turn SET seen_at = CASE WHEN seen_at < $1 THEN $1 ELSE seen_at + 1 END
    WHERE one = 1 RETURNING seen_at";

const PUT: Script = Script {
    sqlite: "INSERT INTO articles (feed_id, item_key, guid, url, canonical_url, publisher_url,
                 outlet, resolved, method, try_at, title, summary, author, language,
                 published_at, seen_at, listed_at)
             SELECT $1, value ->> 'k', value ->> 'guid', value ->> 'url', value ->> 'canonical',
                 value ->> 'publisher', value ->> 'outlet', value ->> 'resolved',
                 value ->> 'method', value ->> 'try_at', value ->> 'title', value ->> 'summary',
                 value ->> 'author', value ->> 'language', value ->> 'published', $3, $3
             FROM json_each($2) WHERE true ORDER BY key
             ON CONFLICT DO NOTHING RETURNING id, item_key",
    postgres: "INSERT INTO articles (feed_id, item_key, guid, url, canonical_url, publisher_url,
                 outlet, resolved, method, try_at, title, summary, author, language,
                 published_at, seen_at, listed_at, terms)
             SELECT $1, v.k, v.guid, v.url, v.canonical, v.publisher, v.outlet, v.resolved,
                 v.method, v.try_at, v.title, v.summary, v.author, v.language, v.published,
                 $3, $3, CAST(v.terms AS TSVECTOR)
             FROM json_to_recordset(CAST($2 AS JSON)) AS v (k TEXT, guid TEXT, url TEXT,
                 canonical TEXT, publisher TEXT, outlet TEXT, resolved BIGINT, method TEXT,
                 try_at BIGINT, title TEXT, summary TEXT, author TEXT, language TEXT,
                 published BIGINT, terms TEXT)
             ON CONFLICT DO NOTHING RETURNING id, item_key",
};

const PUT_TERMS: &str = "
    INSERT INTO article_terms (rowid, title, body)
    SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each($1)";

const NOTE_LISTED: Script = Script {
    sqlite: "UPDATE articles SET listed_at = $2 WHERE id IN (SELECT value FROM json_each($1))",
    postgres: "UPDATE articles SET listed_at = $2
               WHERE id IN (SELECT CAST(value AS BIGINT)
                            FROM json_array_elements_text(CAST($1 AS JSON)) AS value)",
};

/// Writes what is new and corrects what changed; gives how many of each.
pub(super) async fn put(
    tx: &mut Tx,
    engine: Engine,
    feed: FeedId,
    sorted: &Sorted,
    now: i64,
) -> Result<(Vec<ArticleId>, usize), StoreError> {
    let mut ids = Vec::new();
    if !sorted.fresh.is_empty() {
        ids = put_fresh(tx, engine, feed, &sorted.fresh, now).await?;
    }
    for (id, title, summary) in &sorted.changed {
        let query = sql("UPDATE articles SET title = $2, summary = $3, changed_at = $4
                         WHERE id = $1");
        tx.execute(query.bind(*id).bind(title).bind(summary).bind(now)).await?;
        index_again(tx, engine, *id).await?;
    }
    if !sorted.listed.is_empty() {
        let listed = json(sorted.listed.iter());
        tx.execute(sql(tx.choose(NOTE_LISTED)).bind(&listed).bind(now)).await?;
    }
    Ok((ids, sorted.changed.len()))
}

async fn put_fresh(
    tx: &mut Tx,
    engine: Engine,
    feed: FeedId,
    fresh: &[Fresh],
    now: i64,
) -> Result<Vec<ArticleId>, StoreError> {
    let turn = tx.maybe(sql(TAKE_TURN).bind(now)).await?;
    let seen_at = turn.map(|row| row.get::<i64>("seen_at")).transpose();
    let seen_at = seen_at.map_err(|error| tx.unreadable(&error))?.unwrap_or(now);
    let rows = json(fresh.iter());
    let rows = tx.all(sql(tx.choose(PUT)).bind(feed).bind(&rows).bind(seen_at)).await?;
    let mut ids = HashMap::with_capacity(rows.len());
    for row in &rows {
        let pair =
            row.get::<String>("item_key").and_then(|key| Ok((key, row.get::<ArticleId>("id")?)));
        let (key, id) = pair.map_err(|error| tx.unreadable(&error))?;
        ids.insert(key, id);
    }
    if engine == Engine::Sqlite {
        let indexed = fresh.iter().filter_map(|row| {
            let id = *ids.get(&row.k)?;
            Some((id, fts5_text(&row.title_terms), fts5_text(&row.body_terms)))
        });
        tx.execute(sql(PUT_TERMS).bind(&json(indexed))).await?;
    }
    let mut ids: Vec<ArticleId> = ids.into_values().collect();
    ids.sort_unstable();
    Ok(ids)
}

/// Reindexes an article by its words as they are kept.
pub(super) async fn index_again(
    tx: &mut Tx,
    engine: Engine,
    id: ArticleId,
) -> Result<(), StoreError> {
    let query = sql("SELECT document FROM articles WHERE id = $1 AND document IS NOT NULL");
    let row = tx.maybe(query.bind(id)).await?;
    let document = row.map(|row| row.get::<String>("document")).transpose();
    let document = document.map_err(|error| tx.unreadable(&error))?;
    let document = document.and_then(|json| serde_json::from_str(&json).ok());
    index_text(tx, engine, id, &document.unwrap_or_default()).await
}

/// How many articles are looked up together when all are reindexed.
const REINDEX_PAGE: i64 = 500;

/// Reindexes every article, in a store that was filled past the index.
pub(crate) async fn reindex(tx: &mut Tx, engine: Engine) -> Result<(), StoreError> {
    let mut last = ArticleId(-1);
    loop {
        let query = sql("SELECT id FROM articles WHERE id > $1 ORDER BY id LIMIT $2");
        let rows = tx.all(query.bind(last).bind(REINDEX_PAGE)).await?;
        if rows.is_empty() {
            return Ok(());
        }
        for row in rows {
            last = row.get("id").map_err(|error| tx.unreadable(&error))?;
            index_again(tx, engine, last).await?;
        }
    }
}

/// Indexes an article by its headline, summary and full text.
pub(super) async fn index_text(
    tx: &mut Tx,
    engine: Engine,
    id: ArticleId,
    document: &Document,
) -> Result<(), StoreError> {
    let query = sql("SELECT title, summary, language FROM articles WHERE id = $1");
    let Some(row) = tx.maybe(query.bind(id)).await? else { return Ok(()) };
    let field = |name| row.get::<String>(name).map_err(|error| tx.unreadable(&error));
    let (title, summary, language) = (field("title")?, field("summary")?, field("language")?);
    let stemmer = Stemmer::new(named_language(&language));
    let text = &document.text;
    let text = text.get(..text.floor_char_boundary(TEXT_BYTES)).unwrap_or(text);
    let title = terms(&title, &stemmer);
    let mut body = terms(&summary, &stemmer);
    body.extend(terms(text, &stemmer));
    match engine {
        Engine::Sqlite => {
            tx.execute(sql("DELETE FROM article_terms WHERE rowid = $1").bind(id)).await?;
            let row = json([(id, fts5_text(&title), fts5_text(&body))].into_iter());
            tx.execute(sql(PUT_TERMS).bind(&row)).await?;
        }
        Engine::Postgres => {
            let query = sql("UPDATE articles SET terms = CAST($2 AS TSVECTOR) WHERE id = $1");
            tx.execute(
                query.bind(id).bind(&tsvector_text(&title, body.iter().map(String::as_str))),
            )
            .await?;
        }
    }
    Ok(())
}

/// A text that every engine can keep: not endless, and without the character that ends texts in C.
pub(super) fn fit(text: &str) -> String {
    let text = cut(text);
    if text.contains('\0') { text.replace('\0', "") } else { text.to_owned() }
}

fn json(values: impl Iterator<Item = impl Serialize>) -> String {
    serde_json::to_string(&values.collect::<Vec<_>>()).unwrap_or_else(|_| "[]".to_owned())
}
