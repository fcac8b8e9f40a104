//! Who covers which topic, and the value of that by today's ledger.

use probity_core::{ArticleId, CategoryId, Outlet, Timestamp, TopicId};
use serde::Serialize;

use super::WINDOW_MOST;
use crate::sql::{ColumnError, Conditions, Row, Value, sql};
use crate::tx::{Script, Tx};
use crate::{Engine, Store, StoreError};

/// Which coverage to read.
#[derive(Debug, Clone, Copy, Default)]
pub struct CoverageQuery {
    /// Only topics with an article since then.
    pub since: Option<Timestamp>,
    /// Only this topic.
    pub topic: Option<TopicId>,
    /// How relevant articles are to this category.
    pub category: Option<CategoryId>,
}

/// An article in its topic, with its current value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Covered {
    /// The topic.
    pub topic: TopicId,
    /// The article.
    pub article: ArticleId,
    /// Its headline.
    pub title: String,
    /// What it says of itself.
    pub summary: String,
    /// Where it is.
    pub url: Option<String>,
    /// Who published it, where that is known.
    pub outlet: Option<Outlet>,
    /// Its outlet's score in the ledger; none where the ledger does not know it.
    pub credibility: Option<f64>,
    /// How relevant it is to the category; none where that was not judged.
    pub relevance: Option<f64>,
    /// When it was published, if that is known.
    pub published_at: Option<Timestamp>,
    /// When it was seen.
    pub seen_at: Timestamp,
    /// The earlier article that it repeats.
    pub duplicate_of: Option<ArticleId>,
}

impl Store {
    /// The articles of topics, topic by topic, joined with the ledger as it is now.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn coverage(&self, query: &CoverageQuery) -> Result<Vec<Covered>, StoreError> {
        let mut tx = self.read().await?;
        let topics = topics(&mut tx, query).await?;
        let category = query.category.unwrap_or(CategoryId(-1));
        let mut found: Vec<Covered> = Vec::new();
        for some in topics.chunks(PAGE_TOPICS) {
            let some: Vec<String> = some.iter().map(TopicId::to_string).collect();
            let some = match tx.engine() {
                Engine::Sqlite => format!("[{}]", some.join(",")),
                Engine::Postgres => format!("{{{}}}", some.join(",")),
            };
            let left = WINDOW_MOST.saturating_sub(i64::try_from(found.len()).unwrap_or(i64::MAX));
            let select = sql(tx.choose(MEMBERS)).bind(&some).bind(category);
            for row in &tx.all(select.bind(left)).await? {
                found.push(read(row).map_err(|error| tx.unreadable(&error))?);
            }
        }
        Ok(found)
    }
}

/// How many topics are read at a time. Few, so that an index leads to their articles: of many at once a
/// server would rather read every membership that there is.
const PAGE_TOPICS: usize = 250;

macro_rules! select_members {
    ($topics:literal) => {
        concat!(
            "SELECT m.topic_id, a.id, a.title, a.summary,
                    coalesce(a.publisher_url, a.url) AS address, a.outlet, o.credibility_score,
                    r.value, a.published_at, a.seen_at, m.duplicate_of
             FROM topic_members m
             JOIN articles a ON a.id = m.article_id
             LEFT JOIN outlets o ON o.domain = a.outlet
             LEFT JOIN article_relevance r ON r.article_id = a.id AND r.category_id = $2
             WHERE m.topic_id ",
            $topics,
            " ORDER BY m.topic_id, m.article_id LIMIT $3"
        )
    };
}

/// The articles of a list of topics. A server knows how long an array is, and so whether its index
/// helps; of what is in a JSON list it knows nothing.
const MEMBERS: Script = Script {
    sqlite: select_members!("IN (SELECT value FROM json_each($1))"),
    postgres: select_members!("= ANY (CAST($1 AS BIGINT[]))"),
};

/// The numbers of the topics that are asked for, in order.
async fn topics(tx: &mut Tx, query: &CoverageQuery) -> Result<Vec<TopicId>, StoreError> {
    let mut only = Conditions::default();
    if let Some(since) = query.since {
        only = only.and("last_at >= ?", [Value::from(since.0)]);
    }
    if let Some(topic) = query.topic {
        only = only.and("id = ?", [Value::from(topic)]);
    }
    let select = only.between("SELECT id FROM topics", " LIMIT ?", [Value::from(WINDOW_MOST)]);
    let rows = tx.all(select).await?;
    let ids = rows.iter().map(|row| row.get::<TopicId>("id")).collect::<Result<Vec<_>, _>>();
    let mut ids = ids.map_err(|error| tx.unreadable(&error))?;
    ids.sort_unstable();
    Ok(ids)
}

fn read(row: &Row) -> Result<Covered, ColumnError> {
    let outlet: Option<String> = row.get("outlet")?;
    let outlet = outlet.map(|text| Outlet::new(&text)).transpose();
    Ok(Covered {
        topic: row.get("topic_id")?,
        article: row.get("id")?,
        title: row.get("title")?,
        summary: row.get("summary")?,
        url: row.get("address")?,
        outlet: outlet.map_err(|error| ColumnError::new("outlet", error.to_string()))?,
        credibility: row.get("credibility_score")?,
        relevance: row.get("value")?,
        published_at: row.get::<Option<i64>>("published_at")?.map(Timestamp),
        seen_at: Timestamp(row.get("seen_at")?),
        duplicate_of: row.get("duplicate_of")?,
    })
}
