//! The way of a folder into the index: walk, compare, read, write, report.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use probity_core::{Answering, Document, WebUrl};
use serde::{Deserialize, Serialize};

use super::folder::{WalkOptions, walk};
use super::follow::{Plan, plan};
use super::read_ahead::{Outcome, read_ahead};
use super::reading::{Entry, Indexed, ReadDocument, Reader, hash, prepare};
use super::terms::Glossary;
use super::{LibraryError, look, write};
use crate::Store;

/// How many documents are written in one transaction.
const BATCH: usize = 250;
/// How many bytes of files are written in one transaction.
const BATCH_BYTES: u64 = 4 * 1024 * 1024;
/// The reader's version of pages that were fetched: they are replaced when they are added again.
pub(super) const PAGE_READER: i64 = 0;

/// How a folder is indexed.
#[derive(Debug, Clone, Copy, Default)]
pub struct AddOptions {
    /// How far to walk.
    pub walk: WalkOptions,
    /// Whether files that did not change are read again all the same.
    pub again: bool,
}

/// How far it has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// How many files are to be looked into.
    pub total: usize,
    /// How many have been.
    pub done: usize,
}

/// A file of which nothing could be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failed {
    /// Where it is.
    pub origin: String,
    /// Why nothing could be read.
    pub why: String,
}

/// A file of which a limit left out a part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadInPart {
    /// Where it is.
    pub origin: String,
    /// Which limit.
    pub why: String,
}

/// The result of indexing a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddReport {
    /// The folder or file.
    pub path: String,
    /// Documents that are new.
    pub added: usize,
    /// Documents that were read again because they changed.
    pub changed: usize,
    /// Documents that are as they were.
    pub unchanged: usize,
    /// Documents whose files are gone.
    pub removed: usize,
    /// Files of which nothing could be read.
    pub failed: Vec<Failed>,
    /// Files of which only a part is in the index, whenever they were read.
    #[serde(default)]
    pub read_in_part: Vec<ReadInPart>,
    /// Files and folders that were passed over, by reason.
    pub passed_over: BTreeMap<String, usize>,
    /// Whether a limit ended the walk before all files were seen.
    pub cut_short: bool,
}

impl AddReport {
    fn fail(&mut self, origin: String, why: String) {
        self.failed.push(Failed { origin, why });
    }

    /// How many documents the index now has of the folder.
    pub fn documents(&self) -> usize {
        self.added + self.changed + self.unchanged
    }

    fn wrote_anything(&self) -> bool {
        self.added + self.changed + self.removed > 0
    }
}

/// What adding one page did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ingested {
    /// It is new.
    Added,
    /// It replaced an older state.
    Changed,
    /// It is as it was.
    Unchanged,
}

/// Brings the index up to date with a folder or a file.
pub(super) fn ingest_path<'a>(
    store: &'a Store,
    path: &'a Path,
    reader: Arc<dyn Reader>,
    options: AddOptions,
    watch: &'a mut (dyn FnMut(&Progress) + Send),
) -> Answering<'a, Result<AddReport, LibraryError>> {
    Box::pin(async move {
        let path_error =
            |why: String| LibraryError::Path { path: path.to_string_lossy().into_owned(), why };
        let root =
            tokio::fs::canonicalize(path).await.map_err(|error| path_error(error.to_string()))?;
        let Some(origin) = root.to_str().map(str::to_owned) else {
            return Err(path_error("its name is not UTF-8".to_owned()));
        };
        let walked = {
            let root = root.clone();
            tokio::task::spawn_blocking(move || walk(&root, options.walk)).await
        };
        let mut walked = walked.map_err(|error| path_error(error.to_string()))?;
        let mut tx = store.read().await?;
        let known = write::known(&mut tx, &origin).await?.into_iter().collect();
        drop(tx);
        let plan = plan(&mut walked, known, reader.version(), options.again);
        let mut report = AddReport {
            path: origin.clone(),
            unchanged: plan.unchanged,
            cut_short: walked.cut_short,
            ..AddReport::default()
        };
        for (reason, count) in &walked.passed_over {
            report.passed_over.insert(reason.reason().to_owned(), *count);
        }
        for (path, reason) in walked.unreadable {
            report.fail(path.to_string_lossy().into_owned(), reason);
        }
        carry_out(store, plan, &root, &reader, &mut report, watch).await?;
        if root.is_dir() && report.wrote_anything() {
            let mut tx = store.write().await?;
            write::note_folder(&mut tx, &origin, store.clock().now()).await?;
            tx.commit().await?;
        }
        report.read_in_part = look::read_in_part(&mut store.read().await?, &origin).await?;
        Ok(report)
    })
}

/// Reads what is to be read, writes it in batches, and drops what is gone.
async fn carry_out(
    store: &Store,
    plan: Plan,
    root: &Path,
    reader: &Arc<dyn Reader>,
    report: &mut AddReport,
    watch: &mut (dyn FnMut(&Progress) + Send),
) -> Result<(), LibraryError> {
    for (path, reason) in plan.still_failed {
        report.fail(path, reason);
    }
    let mut progress = Progress { total: plan.to_read.len(), done: 0 };
    watch(&progress);
    let mut outcomes = read_ahead(plan.to_read, root, reader).map_err(LibraryError::Threads)?;
    let mut batch = Batch::default();
    while let Some((outcome, room)) = outcomes.recv().await {
        batch.take(outcome, report);
        // A large document is written before others are read beside it.
        let room = batch.is_full().then_some(room);
        progress.done += 1;
        watch(&progress);
        if batch.is_full() {
            std::mem::take(&mut batch).write(store, reader.version()).await?;
        }
        drop(room);
    }
    batch.write(store, reader.version()).await?;
    for gone in plan.gone.chunks(BATCH) {
        let mut tx = store.write().await?;
        let dropped = write::drop_origins(&mut tx, gone).await?;
        tx.commit().await?;
        report.removed += usize::try_from(dropped).unwrap_or(0);
    }
    Ok(())
}

/// What the next transaction writes.
#[derive(Default)]
struct Batch {
    entries: Vec<Entry>,
    touched: Vec<(String, i64)>,
    bytes: u64,
}

impl Batch {
    /// Counts an outcome and keeps what has to be written of it.
    fn take(&mut self, outcome: Outcome, report: &mut AddReport) {
        match outcome {
            Outcome::Unreadable { origin, reason } => report.fail(origin, reason),
            Outcome::Same { origin, modified, failure } => {
                if let Some(modified) = modified {
                    self.touched.push((origin.clone(), modified));
                }
                match failure {
                    Some(reason) => report.fail(origin, reason),
                    None => report.unchanged += 1,
                }
            }
            Outcome::Read { entry, was_known } => {
                match &entry.reading {
                    Err(reason) => report.fail(entry.origin.clone(), reason.clone()),
                    Ok(_) if was_known => report.changed += 1,
                    Ok(_) => report.added += 1,
                }
                self.bytes += entry.bytes;
                self.entries.push(*entry);
            }
        }
    }

    fn is_full(&self) -> bool {
        self.entries.len() + self.touched.len() >= BATCH || self.bytes >= BATCH_BYTES
    }

    async fn write(self, store: &Store, reader: i64) -> Result<(), LibraryError> {
        if self.entries.is_empty() && self.touched.is_empty() {
            return Ok(());
        }
        let now = store.clock().now();
        let mut tx = store.write().await?;
        for entry in &self.entries {
            write::put(&mut tx, store.engine(), entry, reader, now).await?;
        }
        for (origin, modified) in &self.touched {
            write::touch(&mut tx, origin, *modified).await?;
        }
        Ok(tx.commit().await?)
    }
}

/// Indexes one page under the address it was asked for.
pub(super) async fn ingest_page(
    store: &Store,
    url: &WebUrl,
    reading: ReadDocument,
) -> Result<Ingested, LibraryError> {
    let arrival = Arrival {
        origin: url.canonical().as_str().to_owned(),
        bytes: reading.document.markdown.len() as u64,
        hash: fingerprint(&reading),
        version: PAGE_READER,
    };
    // What a page on the web says of its own address is not believed: it would borrow authority.
    ingest(store, arrival, prepare(reading, url.clone(), &mut Glossary::default())).await
}

/// What tells one state of a document from another.
pub(super) fn fingerprint(reading: &ReadDocument) -> String {
    let Document { title, markdown, cut_short, .. } = &reading.document;
    let mut whole = format!("{title}\n{markdown}");
    if let Some(why) = cut_short {
        whole.push_str("\n\n");
        whole.push_str(why);
    }
    hash(whole.as_bytes())
}

/// A document that came by itself, not out of a folder.
pub(super) struct Arrival {
    pub(super) origin: String,
    pub(super) bytes: u64,
    pub(super) hash: String,
    /// Its reader's version.
    pub(super) version: i64,
}

/// Writes a document that came by itself, unless it is as it was.
pub(super) fn ingest(
    store: &Store,
    arrival: Arrival,
    reading: Result<Indexed, String>,
) -> Answering<'_, Result<Ingested, LibraryError>> {
    Box::pin(async move {
        let Arrival { origin, bytes, hash, version } = arrival;
        let now = store.clock().now();
        let entry = Entry { origin, bytes, modified: now.0, hash, reading };
        let mut tx = store.write().await?;
        let known = write::known(&mut tx, &entry.origin).await?;
        let known = known.into_iter().find(|(origin, _)| *origin == entry.origin);
        let taken = match known {
            Some((_, known)) if known.hash == entry.hash => Ingested::Unchanged,
            Some(_) => Ingested::Changed,
            None => Ingested::Added,
        };
        if taken != Ingested::Unchanged {
            write::put(&mut tx, store.engine(), &entry, version, now).await?;
            tx.commit().await?;
        }
        Ok(taken)
    })
}
