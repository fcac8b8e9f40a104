//! Documents that a user brings along for a run: read when they arrive, kept as texts, asked by any worker.
//!
//! An upload belongs to its maker. It stays as long as a run asks it and goes with the last of
//! them; one that no run asks is forgotten after a while.

use probity_core::{RunId, Timestamp};

use crate::library::ReadDocument;
use crate::sql::{ColumnError, Row, sql};
use crate::tx::Tx;
use crate::{Store, StoreError};

/// The most documents of one upload.
pub const DOCUMENTS: i64 = 200;
/// The most text of one upload, in bytes: a run holds all of it in memory.
pub const TEXT_BYTES: i64 = 64 * 1024 * 1024;
/// The most uploads of one owner that no run asks yet.
pub const OPEN: i64 = 20;

/// What was uploaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    /// Its id, which cannot be guessed.
    pub id: String,
    /// Who made it.
    pub owner: String,
    /// When it was made.
    pub made_at: Timestamp,
    /// Its documents in the order of their arrival.
    pub documents: Vec<UploadedDocument>,
}

/// A document of an upload, without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadedDocument {
    /// Its number in the upload, from 1.
    pub place: i64,
    /// The file's name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// How many bytes the file had.
    pub bytes: i64,
    /// How many words it has.
    pub words: i64,
}

/// A document about to be kept.
#[derive(Debug, Clone, Copy)]
pub struct NewDocument<'a> {
    /// The file's name. A second one of this name takes the place of the first.
    pub name: &'a str,
    /// How many bytes the file had.
    pub bytes: i64,
    /// What was read.
    pub reading: &'a ReadDocument,
}

/// The result of bringing a document along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Brought {
    /// It is kept under this number.
    At(i64),
    /// The upload has as many documents as it takes.
    TooMany,
    /// The upload holds as much text as it takes.
    TooLong,
    /// There is no such upload.
    Gone,
}

impl Store {
    /// Makes an upload. Gives `false` if the owner has too many that no run asks.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn make_upload(&self, id: &str, owner: &str) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let open = sql("SELECT count(*) AS open FROM uploads u WHERE u.owner = $1 AND NOT EXISTS
                            (SELECT 1 FROM upload_runs r WHERE r.upload_id = u.id)");
        if number(&mut tx, open.bind(owner), "open").await? >= OPEN {
            return Ok(false);
        }
        let query = sql("INSERT INTO uploads (id, owner, made_at) VALUES ($1, $2, $3)");
        tx.execute(query.bind(id).bind(owner).bind(self.clock().now().0)).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Keeps a document in an upload.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn bring(
        &self,
        upload: &str,
        document: &NewDocument<'_>,
    ) -> Result<Brought, StoreError> {
        let text = &document.reading.document.text;
        let size = i64::try_from(text.len()).unwrap_or(i64::MAX);
        let words = i64::try_from(text.split_whitespace().count()).unwrap_or(i64::MAX);
        let reading = serde_json::to_string(document.reading).unwrap_or_default();
        let mut tx = self.write().await?;
        // The upload's row serves as the lock that keeps its documents numbered.
        let lock = sql("UPDATE uploads SET made_at = $2 WHERE id = $1");
        if tx.execute(lock.bind(upload).bind(self.clock().now().0)).await? == 0 {
            return Ok(Brought::Gone);
        }
        let again = sql("DELETE FROM upload_documents WHERE upload_id = $1 AND name = $2");
        tx.execute(again.bind(upload).bind(document.name)).await?;
        let query = sql("SELECT count(*) AS documents, coalesce(max(place), 0) AS last,
                                CAST(coalesce(sum(size), 0) AS BIGINT) AS size
                         FROM upload_documents WHERE upload_id = $1");
        let row = tx.maybe(query.bind(upload)).await?;
        let read = |row: &Row| {
            Ok((row.get::<i64>("documents")?, row.get::<i64>("last")?, row.get::<i64>("size")?))
        };
        let held = row.as_ref().map(read).transpose().map_err(|error| tx.unreadable(&error))?;
        let (documents, last, held) = held.unwrap_or_default();
        if documents >= DOCUMENTS {
            return Ok(Brought::TooMany);
        }
        if held.saturating_add(size) > TEXT_BYTES {
            return Ok(Brought::TooLong);
        }
        let query = sql("INSERT INTO upload_documents
                             (upload_id, place, name, title, bytes, words, size, reading)
                         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)");
        let query = query.bind(upload).bind(last + 1).bind(document.name);
        let query = query.bind(&document.reading.document.title).bind(document.bytes);
        tx.execute(query.bind(words).bind(size).bind(&reading)).await?;
        tx.commit().await?;
        Ok(Brought::At(last + 1))
    }

    /// An upload.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn upload(&self, id: &str) -> Result<Option<Upload>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT id, owner, made_at FROM uploads WHERE id = $1");
        let Some(row) = tx.maybe(query.bind(id)).await? else { return Ok(None) };
        let query = sql("SELECT place, name, title, bytes, words FROM upload_documents
                         WHERE upload_id = $1 ORDER BY place LIMIT $2");
        let rows = tx.all(query.bind(id).bind(DOCUMENTS)).await?;
        let read = || -> Result<Upload, ColumnError> {
            Ok(Upload {
                id: row.get("id")?,
                owner: row.get("owner")?,
                made_at: Timestamp(row.get("made_at")?),
                documents: rows.iter().map(document).collect::<Result<_, _>>()?,
            })
        };
        read().map(Some).map_err(|error| tx.unreadable(&error))
    }

    /// The documents of an upload with their names, as they were read.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn upload_readings(
        &self,
        id: &str,
    ) -> Result<Vec<(String, ReadDocument)>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT name, reading FROM upload_documents
                         WHERE upload_id = $1 ORDER BY place LIMIT $2");
        let rows = tx.all(query.bind(id).bind(DOCUMENTS)).await?;
        let read = |row: &Row| {
            let reading: String = row.get("reading")?;
            let reading = serde_json::from_str(&reading);
            let reading =
                reading.map_err(|error| ColumnError::new("reading", error.to_string()))?;
            Ok((row.get("name")?, reading))
        };
        let all = rows.iter().map(read).collect::<Result<_, ColumnError>>();
        all.map_err(|error| tx.unreadable(&error))
    }

    /// Takes documents out of an upload: those from this number on.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn take_back(&self, upload: &str, from: i64) -> Result<u64, StoreError> {
        let mut tx = self.write().await?;
        let query = sql("DELETE FROM upload_documents WHERE upload_id = $1 AND place >= $2");
        let gone = tx.execute(query.bind(upload).bind(from)).await?;
        tx.commit().await?;
        Ok(gone)
    }

    /// Takes one document out of an upload. Gives `false` if there is none of this number.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn take_out(&self, upload: &str, place: i64) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let query = sql("DELETE FROM upload_documents WHERE upload_id = $1 AND place = $2");
        let gone = tx.execute(query.bind(upload).bind(place)).await?;
        tx.commit().await?;
        Ok(gone == 1)
    }

    /// Deletes an upload that no run asks. Gives `false` where there is none, or a run asks it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn delete_upload(&self, id: &str) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let gone = tx.execute(sql(DELETE_UNASKED).bind(id)).await?;
        tx.commit().await?;
        Ok(gone == 1)
    }

    /// Notes that a run asks an upload.
    ///
    /// # Errors
    /// When the store fails, or there is no such upload or run.
    pub async fn ask_upload(&self, upload: &str, run: &RunId) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        let query = sql("INSERT INTO upload_runs (upload_id, run_id) VALUES ($1, $2)
                         ON CONFLICT DO NOTHING");
        tx.execute(query.bind(upload).bind(run)).await?;
        tx.commit().await
    }

    /// Whether a run asks an upload, so that it stays as it is.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn upload_is_asked(&self, id: &str) -> Result<bool, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT run_id FROM upload_runs WHERE upload_id = $1 LIMIT 1");
        Ok(tx.maybe(query.bind(id)).await?.is_some())
    }

    /// The upload that a run asks: every reader of the run may read its documents.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn upload_of_run(&self, run: &RunId) -> Result<Option<String>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT upload_id FROM upload_runs WHERE run_id = $1 LIMIT 1");
        let row = tx.maybe(query.bind(run)).await?;
        row.map(|row| row.get("upload_id").map_err(|error| tx.unreadable(&error))).transpose()
    }

    /// Forgets uploads that were last touched before a time and that no run asks.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn forget_uploads(&self, before: Timestamp) -> Result<u64, StoreError> {
        let mut tx = self.write().await?;
        let query = sql("DELETE FROM uploads WHERE made_at < $1 AND NOT EXISTS
                            (SELECT 1 FROM upload_runs r WHERE r.upload_id = uploads.id)");
        let gone = tx.execute(query.bind(before.0)).await?;
        tx.commit().await?;
        Ok(gone)
    }
}

const DELETE_UNASKED: &str = "
    DELETE FROM uploads WHERE id = $1 AND NOT EXISTS
        (SELECT 1 FROM upload_runs r WHERE r.upload_id = uploads.id)";

/// The uploads that a run asks; to be let go once the run is gone.
pub(crate) async fn of_run(tx: &mut Tx, run: &RunId) -> Result<Vec<String>, StoreError> {
    let query = sql("SELECT upload_id FROM upload_runs WHERE run_id = $1");
    let rows = tx.all(query.bind(run)).await?;
    let ids = rows.iter().map(|row| row.get("upload_id"));
    ids.collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
}

/// Deletes those of these uploads that no run asks any more.
pub(crate) async fn delete_unused(tx: &mut Tx, uploads: &[String]) -> Result<(), StoreError> {
    for id in uploads {
        tx.execute(sql(DELETE_UNASKED).bind(id)).await?;
    }
    Ok(())
}

fn document(row: &Row) -> Result<UploadedDocument, ColumnError> {
    Ok(UploadedDocument {
        place: row.get("place")?,
        name: row.get("name")?,
        title: row.get("title")?,
        bytes: row.get("bytes")?,
        words: row.get("words")?,
    })
}

async fn number(
    tx: &mut Tx,
    query: crate::sql::Query<'_>,
    column: &'static str,
) -> Result<i64, StoreError> {
    let row = tx.maybe(query).await?;
    let value = row.map(|row| row.get(column)).transpose();
    Ok(value.map_err(|error| tx.unreadable(&error))?.unwrap_or_default())
}
