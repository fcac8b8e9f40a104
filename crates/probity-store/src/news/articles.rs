//! Articles read back: one, some, page by page.

use probity_core::{ArticleId, Document, Timestamp};

use super::PAGE_ROWS;
use super::article::{self, Article, ArticleQuery, ArticleText, Place, select_articles};
use super::marks::Shelf;
use super::write::index_text;
use crate::sql::{Conditions, Row, Value, sql};
use crate::tx::Script;
use crate::{Store, StoreError};

/// The longest reason why a page could not be read that is kept, in characters.
const PROBLEM_CHARS: usize = 500;

const BY_IDS: Script = Script {
    sqlite: select_articles!(
        "FROM articles a WHERE a.id IN (SELECT value FROM json_each($1)) ORDER BY a.id"
    ),
    postgres: select_articles!(
        "FROM articles a
         WHERE a.id IN (SELECT CAST(value AS BIGINT)
                        FROM json_array_elements_text(CAST($1 AS JSON)) AS value)
         ORDER BY a.id"
    ),
};

const KEEP: Script = Script {
    sqlite: "UPDATE articles SET kept = $2 WHERE id IN (SELECT value FROM json_each($1))",
    postgres: "UPDATE articles SET kept = $2
               WHERE id IN (SELECT CAST(value AS BIGINT)
                            FROM json_array_elements_text(CAST($1 AS JSON)) AS value)",
};

pub(super) fn list(ids: &[ArticleId]) -> String {
    serde_json::to_string(ids).unwrap_or_else(|_| "[]".to_owned())
}

impl Store {
    /// An article.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn article(&self, id: ArticleId) -> Result<Option<Article>, StoreError> {
        Ok(self.articles_by_id(&[id]).await?.pop())
    }

    /// These articles, as far as they are there, in the order of their ids.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn articles_by_id(&self, ids: &[ArticleId]) -> Result<Vec<Article>, StoreError> {
        let mut tx = self.read().await?;
        let rows = tx.all(sql(tx.choose(BY_IDS)).bind(&list(ids))).await?;
        let read = rows.iter().map(article::read).collect::<Result<_, _>>();
        read.map_err(|error| tx.unreadable(&error))
    }

    /// The articles that came after a place, in the order in which they were seen; duplicates too,
    /// which are marked. A caller that continues from the last one misses none, whatever other
    /// processes take in meanwhile.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn articles_after(
        &self,
        place: Place,
        limit: i64,
    ) -> Result<Vec<Article>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql(select_articles!(
            "FROM articles a WHERE (a.seen_at, a.id) > ($1, $2)
             ORDER BY a.seen_at, a.id LIMIT $3"
        ));
        let limit = limit.clamp(0, 10 * PAGE_ROWS);
        let rows = tx.all(query.bind(place.seen_at.0).bind(place.id).bind(limit)).await?;
        let read = rows.iter().map(article::read).collect::<Result<_, _>>();
        read.map_err(|error| tx.unreadable(&error))
    }

    /// Articles, the latest first.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn articles(&self, query: &ArticleQuery) -> Result<Vec<Article>, StoreError> {
        let mut tx = self.read().await?;
        let mut only = Conditions::default().and("a.duplicate_of IS NULL", []);
        if let Some(feed) = query.feed {
            only = only.and("a.feed_id = ?", [Value::from(feed)]);
        }
        if let Some(outlet) = &query.outlet {
            only = only.and("a.outlet = ?", [Value::from(outlet.as_str())]);
        }
        if let Some(since) = query.since {
            only = only.and("a.seen_at >= ?", [Value::from(since.0)]);
        }
        if query.unresolved {
            only = only.and("a.resolved = 0", []);
        }
        match &query.shelf {
            Some((reader, Shelf::Unread)) => {
                only = only.and(
                    "NOT EXISTS (SELECT 1 FROM article_marks m WHERE m.reader = ?
                         AND m.article_id = a.id AND m.read_at IS NOT NULL)",
                    [Value::from(reader)],
                );
            }
            Some((reader, Shelf::Starred)) => {
                only = only.and(
                    "a.id IN (SELECT m.article_id FROM article_marks m WHERE m.reader = ?
                         AND m.starred_at IS NOT NULL)",
                    [Value::from(reader)],
                );
            }
            None => {}
        }
        if let Some(before) = query.before {
            let place = [Value::from(before.at.0), Value::from(before.id)];
            only = only.and("(coalesce(a.published_at, a.seen_at), a.id) < (?, ?)", place);
        }
        let limit = query.limit.unwrap_or(PAGE_ROWS).clamp(0, 10 * PAGE_ROWS);
        let statement = only.between(
            select_articles!("FROM articles a"),
            " ORDER BY coalesce(a.published_at, a.seen_at) DESC, a.id DESC LIMIT ?",
            [Value::from(limit)],
        );
        let rows = tx.all(statement).await?;
        let read = rows.iter().map(article::read).collect::<Result<_, _>>();
        read.map_err(|error| tx.unreadable(&error))
    }

    /// The full text of an article, if it was ever asked for.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn article_text(&self, id: ArticleId) -> Result<Option<ArticleText>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT document, fetched_at, problem FROM articles
                         WHERE id = $1 AND fetched_at IS NOT NULL");
        let row = tx.maybe(query.bind(id)).await?;
        let row = row.map(|row| text(&row)).transpose();
        row.map_err(|error| tx.unreadable(&error))
    }

    /// The stored article of a page, by its canonical address.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn article_at(&self, canonical: &str) -> Result<Option<Article>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql(select_articles!("FROM articles a WHERE a.canonical_url = $1"));
        let row = tx.maybe(query.bind(canonical)).await?;
        let row = row.map(|row| article::read(&row)).transpose();
        row.map_err(|error| tx.unreadable(&error))
    }

    /// Keeps the full text of an article and the page it was read from, from when on searches find
    /// it by that too, or why it could not be had. Gives `false` if there is no article of this id.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn keep_text(
        &self,
        id: ArticleId,
        fetched: Result<(&str, &Document), &str>,
    ) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let now = self.clock().now().0;
        let rows = match fetched {
            Ok((page, document)) => {
                let json = serde_json::to_string(document).unwrap_or_default();
                let query =
                    sql("UPDATE articles SET document = $2, fetched_at = $3, problem = NULL,
                            publisher_url = coalesce(publisher_url, $4)
                     WHERE id = $1");
                let query = query.bind(id).bind(&json).bind(now).bind(page);
                let rows = tx.execute(query).await?;
                index_text(&mut tx, self.engine(), id, document).await?;
                rows
            }
            Err(problem) => {
                let problem: String = problem.chars().take(PROBLEM_CHARS).collect();
                let query = sql("UPDATE articles SET fetched_at = $2, problem = $3 WHERE id = $1");
                tx.execute(query.bind(id).bind(now).bind(&problem)).await?
            }
        };
        tx.commit().await?;
        Ok(rows == 1)
    }

    /// Marks these articles as referred to, so that they are not pruned, or no longer does.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn keep_articles(&self, ids: &[ArticleId], kept: bool) -> Result<u64, StoreError> {
        let mut tx = self.write().await?;
        let rows = tx.execute(sql(tx.choose(KEEP)).bind(&list(ids)).bind(i64::from(kept))).await?;
        tx.commit().await?;
        Ok(rows)
    }
}

fn text(row: &Row) -> Result<ArticleText, crate::sql::ColumnError> {
    let document: Option<String> = row.get("document")?;
    let document = document.map(|json| serde_json::from_str(&json)).transpose();
    Ok(ArticleText {
        document: document
            .map_err(|error| crate::sql::ColumnError::new("document", error.to_string()))?,
        fetched_at: Timestamp(row.get("fetched_at")?),
        problem: row.get("problem")?,
    })
}
