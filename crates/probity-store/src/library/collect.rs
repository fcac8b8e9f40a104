//! Collections: documents of the library under a name, to be searched and asked by themselves.

use probity_core::{CollectionId, DocumentId, Timestamp, WebUrl, printable};
use serde::{Deserialize, Serialize};

use super::write::range_below;
use super::{Library, resolved};
use crate::StoreError;
use crate::sql::{ColumnError, Row, sql};
use crate::tx::{Script, Tx};

/// The longest name of a collection, in characters.
pub const COLLECTION_CHARS: usize = 60;
/// The most collections of a library.
pub const COLLECTIONS_MOST: usize = 200;
/// The most documents that are moved at once.
const MOVED_MOST: i64 = 100_000;

/// A collection, in figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collection {
    /// Its number.
    pub id: CollectionId,
    /// Its name.
    pub name: String,
    /// How many documents are in it.
    pub documents: u64,
    /// When it was made.
    pub made_at: Timestamp,
}

/// The result of putting documents into a collection, or taking them out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Moved {
    /// How many documents went in or out; those that were there already are not counted.
    pub moved: u64,
    /// What the library does not have.
    pub unknown: Vec<String>,
}

/// Why something could not be done with a collection.
#[derive(Debug, thiserror::Error)]
pub enum CollectionError {
    /// The name is none.
    #[error("a collection's name has 1 to {COLLECTION_CHARS} characters in one line, and no comma")]
    Name,
    /// Another one has the name.
    #[error("there is a collection “{0}” already")]
    Taken(String),
    /// There are too many.
    #[error("there are {COLLECTIONS_MOST} collections already; remove one first")]
    TooMany,
    /// There is none.
    #[error("there is no collection “{0}”")]
    Unknown(String),
    /// It has nothing that could be asked.
    #[error("the collection “{0}” holds no document")]
    Empty(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A name as it is kept, if it is one.
fn checked(name: &str) -> Result<String, CollectionError> {
    let line = printable::line(name);
    let name = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_one = (1..=COLLECTION_CHARS).contains(&name.chars().count()) && !name.contains(',');
    if is_one { Ok(name) } else { Err(CollectionError::Name) }
}

fn read(row: &Row) -> Result<Collection, ColumnError> {
    Ok(Collection {
        id: row.get("id")?,
        name: row.get("name")?,
        documents: u64::try_from(row.get::<i64>("documents")?).unwrap_or(0),
        made_at: Timestamp(row.get("made_at")?),
    })
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT c.id AS id, c.name AS name, c.made_at AS made_at,
                    (SELECT count(*) FROM library_collected d WHERE d.collection = c.id) AS documents
             FROM library_collections c ",
            $rest
        )
    };
}

const PUT: Script = Script {
    sqlite: "INSERT INTO library_collected (collection, document)
             SELECT $1, value FROM json_each($2) WHERE true ON CONFLICT DO NOTHING",
    postgres: "INSERT INTO library_collected (collection, document)
               SELECT $1, CAST(value AS BIGINT)
               FROM json_array_elements_text(CAST($2 AS JSON)) AS value ON CONFLICT DO NOTHING",
};

const TAKE_OUT: Script = Script {
    sqlite: "DELETE FROM library_collected
             WHERE collection = $1 AND document IN (SELECT value FROM json_each($2))",
    postgres: "DELETE FROM library_collected
               WHERE collection = $1
                 AND document IN (SELECT CAST(value AS BIGINT)
                                  FROM json_array_elements_text(CAST($2 AS JSON)) AS value)",
};

/// Which way documents go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Into the collection.
    In,
    /// Out of it; the library keeps them.
    Out,
}

impl Library {
    /// Every collection, by name.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn collections(&self) -> Result<Vec<Collection>, CollectionError> {
        let mut tx = self.store.read().await?;
        all(&mut tx, sql(select!("ORDER BY c.key LIMIT 1000"))).await
    }

    /// The collections that hold a document, by name.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn collections_of(
        &self,
        id: &DocumentId,
    ) -> Result<Vec<Collection>, CollectionError> {
        let mut tx = self.store.read().await?;
        let query = sql(select!(
            "WHERE c.id IN (SELECT h.collection FROM library_collected h
                            JOIN library_documents d ON d.number = h.document WHERE d.id = $1)
             ORDER BY c.key LIMIT 1000"
        ));
        all(&mut tx, query.bind(id)).await
    }

    /// The collection of a name, whatever its case, or of a number.
    ///
    /// # Errors
    /// When there is none, or the store fails.
    pub async fn collection(&self, named: &str) -> Result<Collection, CollectionError> {
        let mut tx = self.store.read().await?;
        find(&mut tx, named).await
    }

    /// Makes a collection.
    ///
    /// # Errors
    /// When the name is none or taken, there are too many, or the store fails.
    pub async fn make_collection(&self, name: &str) -> Result<Collection, CollectionError> {
        let name = checked(name)?;
        let mut tx = self.store.write().await?;
        let known = all(&mut tx, sql(select!("ORDER BY c.key LIMIT 1000"))).await?;
        if known.len() >= COLLECTIONS_MOST {
            return Err(CollectionError::TooMany);
        }
        refuse_taken(&mut tx, &name, CollectionId::default()).await?;
        let (key, now) = (name.to_lowercase(), self.store.clock().now());
        let query = sql("INSERT INTO library_collections (name, key, made_at) VALUES ($1, $2, $3)");
        tx.execute(query.bind(&name).bind(&key).bind(now.0)).await?;
        let made = find(&mut tx, &name).await?;
        tx.commit().await?;
        Ok(made)
    }

    /// Gives a collection another name.
    ///
    /// # Errors
    /// When there is no such collection, the name is none or taken, or the store fails.
    pub async fn rename_collection(
        &self,
        id: CollectionId,
        name: &str,
    ) -> Result<(), CollectionError> {
        let name = checked(name)?;
        let mut tx = self.store.write().await?;
        refuse_taken(&mut tx, &name, id).await?;
        let query = sql("UPDATE library_collections SET name = $1, key = $2 WHERE id = $3");
        let key = name.to_lowercase();
        let changed = tx.execute(query.bind(&name).bind(&key).bind(id)).await?;
        if changed == 0 {
            return Err(CollectionError::Unknown(id.to_string()));
        }
        Ok(tx.commit().await?)
    }

    /// Removes a collection; its documents stay in the library.
    ///
    /// # Errors
    /// When there is no such collection, or the store fails.
    pub async fn remove_collection(&self, id: CollectionId) -> Result<(), CollectionError> {
        let mut tx = self.store.write().await?;
        let query = sql("DELETE FROM library_collections WHERE id = $1");
        if tx.execute(query.bind(id)).await? == 0 {
            return Err(CollectionError::Unknown(id.to_string()));
        }
        Ok(tx.commit().await?)
    }

    /// Puts documents into a collection or takes them out, by id, origin or address, or all of those below a folder.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn collect(
        &self,
        collection: CollectionId,
        names: &[&str],
        way: Way,
    ) -> Result<Moved, CollectionError> {
        let mut tx = self.store.write().await?;
        let mut moved = Moved::default();
        for name in names {
            let numbers = numbers(&mut tx, &resolved(name)).await?;
            if numbers.is_empty() {
                moved.unknown.push((*name).to_owned());
                continue;
            }
            let numbers = serde_json::to_string(&numbers).unwrap_or_else(|_| "[]".to_owned());
            let script = if way == Way::In { PUT } else { TAKE_OUT };
            let query = sql(tx.choose(script)).bind(collection).bind(&numbers);
            moved.moved += tx.execute(query).await?;
        }
        tx.commit().await?;
        Ok(moved)
    }

    /// The same library with nothing but a collection in its lists and searches.
    pub fn within(&self, collection: &Collection) -> Self {
        Self { store: self.store.clone(), collection: Some(collection.id) }
    }
}

async fn all(
    tx: &mut Tx,
    query: crate::sql::Query<'_>,
) -> Result<Vec<Collection>, CollectionError> {
    let rows = tx.all(query).await?;
    let read = rows.iter().map(read).collect::<Result<_, _>>();
    Ok(read.map_err(|error| tx.unreadable(&error))?)
}

async fn find(tx: &mut Tx, named: &str) -> Result<Collection, CollectionError> {
    let query = sql(select!(
        "WHERE c.key = $1 OR CAST(c.id AS TEXT) = $1 ORDER BY c.key = $1 DESC LIMIT 1"
    ));
    let key = named.trim().to_lowercase();
    let found = all(tx, query.bind(&key)).await?.pop();
    found.ok_or_else(|| CollectionError::Unknown(printable::brief(named, COLLECTION_CHARS)))
}

async fn refuse_taken(tx: &mut Tx, name: &str, but: CollectionId) -> Result<(), CollectionError> {
    let query = sql(select!("WHERE c.key = $1 AND c.id <> $2"));
    let key = name.to_lowercase();
    match all(tx, query.bind(&key).bind(but)).await?.pop() {
        Some(other) => Err(CollectionError::Taken(other.name)),
        None => Ok(()),
    }
}

/// The numbers of the documents that a name means.
async fn numbers(tx: &mut Tx, name: &str) -> Result<Vec<i64>, CollectionError> {
    let canonical = WebUrl::parse(name).map(|url| url.canonical());
    let canonical = canonical.as_ref().map_or(name, |url| url.as_str());
    let (from, until) = range_below(name);
    let query = sql("SELECT number FROM library_documents
                     WHERE id = $1 OR origin = $1 OR canonical_url = $2
                        OR (origin >= $3 AND origin < $4)
                     ORDER BY number LIMIT $5");
    let query = query.bind(name).bind(canonical).bind(&from).bind(&until).bind(MOVED_MOST);
    let rows = tx.all(query).await?;
    let read = rows.iter().map(|row| row.get("number")).collect::<Result<_, _>>();
    Ok(read.map_err(|error| tx.unreadable(&error))?)
}
