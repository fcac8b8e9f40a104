//! A query → articles: the engine chooses by terms, the library's ranking orders them.

use std::collections::HashMap;

use probity_core::Timestamp;
use serde::Serialize;

use super::article::{self, Article, select_articles};
use crate::library::HITS;
use crate::library::finder::Finder;
use crate::library::prepare::{Index, Prepared, count_terms, count_texts, prepare};
use crate::library::rank::{Candidate, Query, rank};
use crate::library::reading::named_language;
use crate::library::snippet::snippet;
use crate::sql::{Row, sql};
use crate::tx::{Script, Tx};
use crate::{Store, StoreError};

/// The name of stored news among the providers of a hit.
pub const PROVIDER: &str = "news";
/// How much of a full text is ranked and excerpted, in bytes: its beginning says what it is about.
const BODY_BYTES: usize = 8 * 1024;

/// An article that a search found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NewsHit {
    /// The article.
    #[serde(flatten)]
    pub article: Article,
    /// The higher the better; between two queries it means nothing.
    pub score: f64,
    /// What it says on the query.
    pub snippet: String,
}

impl Store {
    /// The best articles for a query, among those seen since then.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn news_search(
        &self,
        text: &str,
        since: Option<Timestamp>,
        limit: usize,
    ) -> Result<Vec<NewsHit>, StoreError> {
        let limit = limit.min(HITS);
        let mut tx = self.read().await?;
        let prepared = prepare(&mut tx, self.engine(), INDEX, text, limit).await?;
        let Some(Prepared { query, matching, candidates: wanted, read }) = prepared else {
            return Ok(Vec::new());
        };
        let since = since.map_or(i64::MIN, |since| since.0);
        let found = candidates(&mut tx, &matching, wanted, since).await?;
        Ok(order(&query, found, limit, read))
    }
}

const INDEX: Index = Index {
    // The latest show which languages are read; counting all would take longer than the search.
    languages: "SELECT language, count(*) AS articles
                FROM (SELECT language FROM articles ORDER BY seen_at DESC, id DESC LIMIT 2000)
                     AS latest
                GROUP BY language ORDER BY articles DESC, language LIMIT $1",
    total: count_texts!("articles", "id"),
    found_in: count_terms!("article_vocabulary", "articles"),
};

const FOUND: Script = Script {
    // Ids grow with the time that articles were seen at, and the index knows ids only.
    sqlite: select_articles!(
        ", a.document AS document FROM (SELECT rowid AS id FROM article_terms
               WHERE article_terms MATCH $1 AND rank MATCH 'bm25(2.0, 1.0)'
                 AND rowid >= (SELECT coalesce(min(id), 0) FROM (SELECT id FROM articles
                                   WHERE seen_at >= $3 ORDER BY seen_at, id LIMIT 1))
               ORDER BY rank LIMIT $2) AS found
         JOIN articles AS a ON a.id = found.id
         WHERE a.seen_at >= $3 AND a.duplicate_of IS NULL ORDER BY a.id DESC"
    ),
    // As in the library: the index alone gives the articles that hold the most weight.
    postgres: concat!(
        "WITH wanted AS MATERIALIZED (
             SELECT CAST(term AS TSQUERY) AS term, weight
             FROM json_to_recordset(CAST($1 AS JSON)) AS w (term TEXT, weight FLOAT8)
         ), found AS MATERIALIZED (
             SELECT id, sum(weight) AS weight
             FROM wanted CROSS JOIN LATERAL (
                 SELECT id FROM articles WHERE terms @@ wanted.term AND seen_at >= $3
             ) AS held
             GROUP BY id ORDER BY 2 DESC, id DESC LIMIT $2
         ) ",
        select_articles!(
            ", a.document AS document FROM found JOIN articles AS a ON a.id = found.id
             WHERE a.duplicate_of IS NULL ORDER BY a.id DESC"
        )
    ),
};

async fn candidates(
    tx: &mut Tx,
    matching: &str,
    wanted: usize,
    since: i64,
) -> Result<Vec<(Article, String)>, StoreError> {
    let wanted = i64::try_from(wanted).unwrap_or(i64::MAX);
    let rows = tx.all(sql(tx.choose(FOUND)).bind(matching).bind(wanted).bind(since)).await?;
    let read = |row: &Row| {
        let article = article::read(row)?;
        let document: Option<String> = row.get("document")?;
        let body = document.and_then(|json| beginning(&json));
        let body = body.unwrap_or_else(|| article.summary.clone());
        Ok((article, body))
    };
    rows.iter().map(read).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
}

fn beginning(json: &str) -> Option<String> {
    let document: probity_core::Document = serde_json::from_str(json).ok()?;
    let text = document.text;
    text.get(..text.floor_char_boundary(BODY_BYTES)).map(str::to_owned)
}

fn order(query: &Query, found: Vec<(Article, String)>, limit: usize, read: usize) -> Vec<NewsHit> {
    let candidate = |(article, body): &(Article, String)| Candidate {
        // The later of two equals goes first.
        document: -article.id.0,
        title: article.title.clone(),
        body: body.clone(),
        language: named_language(&article.language),
    };
    let candidates: Vec<Candidate> = found.iter().map(candidate).collect();
    let ranked = rank(query, &candidates, read);
    let mut finder = Finder::new(query);
    let mut articles: HashMap<i64, (Article, String)> =
        found.into_iter().map(|(article, body)| (-article.id.0, (article, body))).collect();
    let hits = ranked.into_iter().take(limit).filter_map(|ranked| {
        let (article, body) = articles.remove(&ranked.document)?;
        let language = named_language(&article.language);
        let snippet = snippet(query, &article.title, &[&body], language, &mut finder);
        Some(NewsHit { article, score: ranked.score, snippet })
    });
    hits.collect()
}
