//! Runs and their journals: what was asked, what was done, its result.
//!
//! A journal only grows: a step is appended once, under the hash of its inputs, and a second
//! attempt to append the same step changes nothing. Deleting a run deletes its journal.

pub(crate) mod append;
mod citing;
pub mod kin;
pub mod marks;
pub mod shares;

use probity_core::{RunId, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::events::{self, NewEvent};
use crate::sql::{ColumnError, Conditions, Row, Value, sql};
use crate::tx::Tx;
use crate::{Store, StoreError, uploads};

/// The most runs that one list gives.
const PAGE_ROWS: i64 = 1_000;

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunStatus {
    /// A worker has it, or died while doing so.
    Running,
    /// It has its report, or its account of why there is none.
    Finished,
    /// It ended with an error.
    Failed,
    /// It was interrupted and can be resumed.
    Interrupted,
}

impl RunStatus {
    /// The status's name.
    pub fn as_str(self) -> &'static str {
        match self {
            RunStatus::Running => "running",
            RunStatus::Finished => "finished",
            RunStatus::Failed => "failed",
            RunStatus::Interrupted => "interrupted",
        }
    }

    fn parse(text: &str) -> Result<Self, ColumnError> {
        [Self::Running, Self::Finished, Self::Failed, Self::Interrupted]
            .into_iter()
            .find(|status| status.as_str() == text)
            .ok_or_else(|| ColumnError::new("status", format!("is `{text}`")))
    }
}

/// A run about to begin.
#[derive(Debug, Clone, Copy)]
pub struct NewRun<'a> {
    /// Its id.
    pub id: &'a RunId,
    /// The question.
    pub question: &'a str,
    /// Its mode.
    pub mode: &'a str,
    /// Everything it was asked to do, as JSON.
    pub spec: &'a str,
    /// When it was asked.
    pub asked_at: Timestamp,
}

/// How a run ended, or why it does not go on.
#[derive(Debug, Clone, Copy)]
pub struct Ending<'a> {
    /// Its status from now on.
    pub status: RunStatus,
    /// What its gate decided.
    pub decision: Option<&'a str>,
    /// Its headline.
    pub title: Option<&'a str>,
    /// Its report as JSON.
    pub report: Option<&'a str>,
    /// What went wrong.
    pub error: Option<&'a str>,
}

/// A run as lists show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunSummary {
    /// Its id.
    pub id: RunId,
    /// The question.
    pub question: String,
    /// Its mode.
    pub mode: String,
    /// How far it has come.
    pub status: RunStatus,
    /// What its gate decided.
    pub decision: Option<String>,
    /// Its headline.
    pub title: Option<String>,
    /// What went wrong.
    pub error: Option<String>,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// When something was last written to it.
    pub touched_at: Timestamp,
    /// How many steps its journal holds.
    pub steps: i64,
    /// Whether it waits for its plan to be approved.
    pub plan_waits: bool,
}

/// A run with all that is kept of it but its journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRecord {
    /// What lists show.
    pub summary: RunSummary,
    /// Everything it was asked to do, as JSON.
    pub spec: String,
    /// Its report as JSON, once it has one.
    pub report: Option<String>,
}

/// A step that was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalEntry {
    /// The hash of kind and inputs.
    pub key: String,
    /// The kind of step, by name.
    pub kind: String,
    /// The inputs as JSON.
    pub inputs: String,
    /// The output as JSON.
    pub output: String,
    /// The hash of the output.
    pub digest: String,
    /// When it was finished.
    pub at: Timestamp,
    /// How long it took, in milliseconds.
    pub millis: i64,
}

impl JournalEntry {
    /// The hash that a step is found by.
    pub fn key_of(kind: &str, inputs: &str) -> String {
        hash(&[kind.as_bytes(), &[0], inputs.as_bytes()])
    }

    /// The hash by which a change to an output is noticed.
    pub fn digest_of(output: &str) -> String {
        hash(&[output.as_bytes()])
    }

    /// What of it was changed after it was written, if anything was.
    pub fn changed(&self) -> Option<&'static str> {
        if Self::key_of(&self.kind, &self.inputs) != self.key {
            Some("inputs")
        } else if Self::digest_of(&self.output) != self.digest {
            Some("output")
        } else {
            None
        }
    }
}

fn hash(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    parts.iter().for_each(|part| hash.update(part));
    probity_core::hex(hash.finalize().iter())
}

/// Which runs to list.
#[derive(Debug, Clone, Default)]
pub struct RunQuery {
    /// Only runs whose id begins like this.
    pub prefix: Option<String>,
    /// Only runs of this status.
    pub status: Option<RunStatus>,
    /// Only runs whose question or headline holds this.
    pub text: Option<String>,
    /// Only runs with this tag.
    pub tag: Option<String>,
    /// Only runs with a star.
    pub starred: bool,
    /// Only runs whose gate decided this.
    pub decision: Option<String>,
    /// At most this many.
    pub limit: Option<i64>,
    /// After this many.
    pub offset: i64,
    /// Only runs that come after this one in the list: when it was asked, and its id.
    pub after: Option<(Timestamp, RunId)>,
}

macro_rules! select_runs {
    ($columns:literal, $rest:literal) => {
        concat!(
            "SELECT r.id, r.question, r.mode, r.status, r.decision, r.title, r.error, r.asked_at,
                    r.touched_at, (SELECT count(*) FROM journal j WHERE j.run_id = r.id) AS steps,
                    CASE WHEN r.status = 'running' THEN
                      (SELECT coalesce(sum(CASE j.kind WHEN 'offer' THEN 1
                                                       WHEN 'approve' THEN -1 ELSE 0 END), 0)
                       FROM journal j WHERE j.run_id = r.id)
                    ELSE 0 END AS open_offers",
            $columns,
            " FROM runs r ",
            $rest
        )
    };
}

impl Store {
    /// Writes a run down before it begins. Gives `false` if the id is taken.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn create_run(&self, run: &NewRun<'_>) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let made = insert(&mut tx, run, self.clock().now()).await?;
        tx.commit().await?;
        Ok(made)
    }

    /// The journal of a run, in the order in which its steps were finished.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn journal(&self, run: &RunId) -> Result<Vec<JournalEntry>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT step_key, kind, inputs, output, digest, at, millis FROM journal
                         WHERE run_id = $1 ORDER BY seq");
        let rows = tx.all(query.bind(run)).await?;
        let read = |row: &Row| {
            Ok(JournalEntry {
                key: row.get("step_key")?,
                kind: row.get("kind")?,
                inputs: row.get("inputs")?,
                output: row.get("output")?,
                digest: row.get("digest")?,
                at: Timestamp(row.get("at")?),
                millis: row.get("millis")?,
            })
        };
        let entries = rows.iter().map(|row| read(row).map_err(|e: ColumnError| tx.unreadable(&e)));
        entries.collect()
    }

    /// Writes down how a run ended, with the last events of its stream. What is not given stays as it
    /// was; an end that the stream had before is taken back, because the run went on. A run that has its
    /// report has ended, and stays as it is.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn end_run(
        &self,
        id: &RunId,
        ending: &Ending<'_>,
        last: &[NewEvent],
    ) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        let finished = sql("SELECT id FROM runs WHERE id = $1 AND status = $2");
        let finished = finished.bind(id).bind(RunStatus::Finished.as_str());
        if tx.maybe(finished).await?.is_some() {
            return tx.undo().await;
        }
        events::reopen(&mut tx, id).await?;
        let after = events::count(&mut tx, id).await?;
        events::insert(self, &mut tx, id, after, last).await?;
        end(&mut tx, id, ending, self.clock().now()).await?;
        self.commit_and_tell(tx, id).await
    }

    /// A run.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn run(&self, id: &RunId) -> Result<Option<RunRecord>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql(select_runs!(", r.spec, r.report", "WHERE r.id = $1")).bind(id);
        let row = tx.maybe(query).await?;
        let read = |row: &Row| {
            let (spec, report) = (row.get("spec")?, row.get("report")?);
            Ok(RunRecord { summary: summary(row)?, spec, report })
        };
        row.map(|row| read(&row).map_err(|e: ColumnError| tx.unreadable(&e))).transpose()
    }

    /// Runs, the latest first.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn runs(&self, query: &RunQuery) -> Result<Vec<RunSummary>, StoreError> {
        let mut tx = self.read().await?;
        let text = query.text.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let like = text.map(containing);
        let mut only = Conditions::default();
        if let Some(prefix) = query.prefix.as_deref().filter(|prefix| !prefix.is_empty()) {
            let values = [Value::from(prefix), Value::from(prefix)];
            only = only.and("substr(r.id, 1, length(?)) = ?", values);
        }
        if let Some(status) = query.status {
            only = only.and("r.status = ?", [Value::from(status.as_str())]);
        }
        if let Some(decision) = &query.decision {
            only = only.and("r.decision = ?", [Value::from(decision)]);
        }
        if let Some(like) = &like {
            let within =
                "(lower(r.question) LIKE ? ESCAPE '!' OR lower(r.title) LIKE ? ESCAPE '!')";
            only = only.and(within, [Value::from(like), Value::from(like)]);
        }
        if let Some(tag) = &query.tag {
            let tagged = "EXISTS (SELECT 1 FROM run_tags t WHERE t.run_id = r.id AND t.tag = ?)";
            only = only.and(tagged, [Value::from(tag)]);
        }
        if query.starred {
            only = only.and("EXISTS (SELECT 1 FROM run_stars s WHERE s.run_id = r.id)", []);
        }
        if let Some((at, id)) = &query.after {
            only = only.and("(r.asked_at, r.id) < (?, ?)", [Value::from(at.0), Value::from(id)]);
        }
        let limit = query.limit.unwrap_or(PAGE_ROWS).clamp(0, PAGE_ROWS);
        let list = only.between(
            select_runs!("", ""),
            " ORDER BY r.asked_at DESC, r.id DESC LIMIT ? OFFSET ?",
            [Value::from(limit), Value::from(query.offset.max(0))],
        );
        let rows = tx.all(list).await?;
        rows.iter().map(|row| summary(row).map_err(|e| tx.unreadable(&e))).collect()
    }

    /// Deletes a run, its journal, its events, its place in the queue and the documents that were
    /// uploaded for it alone; a worker that has it stops. Gives `false` if there is none of this
    /// id.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn delete_run(&self, id: &RunId) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        // Every writer to a run locks its job first; so does this.
        tx.execute(sql("DELETE FROM jobs WHERE id = $1").bind(id)).await?;
        let brought = uploads::of_run(&mut tx, id).await?;
        let rows = tx.execute(sql("DELETE FROM runs WHERE id = $1").bind(id)).await?;
        uploads::delete_unused(&mut tx, &brought).await?;
        self.commit_and_tell(tx, id).await?;
        Ok(rows > 0)
    }
}

/// A pattern for whatever holds a text, in large or small letters.
fn containing(text: &str) -> String {
    containing_exactly(&text.to_lowercase())
}

/// A pattern for whatever holds a text; nothing in the text is a pattern itself.
fn containing_exactly(text: &str) -> String {
    let mut like = String::from("%");
    for c in text.chars() {
        if matches!(c, '%' | '_' | '!') {
            like.push('!');
        }
        like.push(c);
    }
    like.push('%');
    like
}

pub(crate) async fn insert(
    tx: &mut Tx,
    run: &NewRun<'_>,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let query = sql("INSERT INTO runs (id, question, mode, status, spec, asked_at, touched_at)
                     VALUES ($1, $2, $3, 'running', $4, $5, $6) ON CONFLICT (id) DO NOTHING");
    let query = query.bind(run.id).bind(run.question).bind(run.mode).bind(run.spec);
    Ok(tx.execute(query.bind(run.asked_at.0).bind(now.0)).await? == 1)
}

pub(crate) async fn end(
    tx: &mut Tx,
    id: &RunId,
    ending: &Ending<'_>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let query = sql("UPDATE runs SET status = $2, decision = coalesce($3, decision),
                title = coalesce($4, title), report = coalesce($5, report), error = $6,
                touched_at = $7
         WHERE id = $1");
    let query = query.bind(id).bind(ending.status.as_str()).bind(ending.decision);
    let query = query.bind(ending.title).bind(ending.report).bind(ending.error);
    tx.execute(query.bind(now.0)).await.map(drop)
}

fn summary(row: &Row) -> Result<RunSummary, ColumnError> {
    Ok(RunSummary {
        id: row.get("id")?,
        question: row.get("question")?,
        mode: row.get("mode")?,
        status: RunStatus::parse(&row.get::<String>("status")?)?,
        decision: row.get("decision")?,
        title: row.get("title")?,
        error: row.get("error")?,
        asked_at: Timestamp(row.get("asked_at")?),
        touched_at: Timestamp(row.get("touched_at")?),
        steps: row.get("steps")?,
        plan_waits: row.get::<i64>("open_offers")? > 0,
    })
}
