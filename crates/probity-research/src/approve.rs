//! A plan before the user: offered, and approved, changed or answered before anything is searched
//! for.
//!
//! ```text
//! plan → offer (journalled, with its deadline) → approver ─┬─ go on, perhaps with another plan or an answer
//!                                                          └─ wait: the run is left until it is approved
//! ```
//!
//! The approval is a step of the journal like any other, so a run that dies meanwhile asks again,
//! and a replay never does. A process that cannot ask leaves the run; a later approval writes that
//! step down and has the run resumed.

use probity_core::{Answering, RunId, Timestamp};
use probity_store::{Store, StoreError};
use serde::{Deserialize, Serialize};

use crate::analyst::Plan;
use crate::journal::{self, Entry, StepKind};

/// How often a plan is offered at most: as it was made, and as it became after a question back was answered.
pub const OFFERS: usize = 2;
/// The longest answer to a question back, in characters.
pub const ANSWER_CHARS: usize = 1_000;

/// A plan as it is submitted to the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// Which offer of the run it is, from 1.
    pub number: usize,
    /// The plan.
    pub plan: Plan,
    /// What the analyst would rather know first; empty where the question is clear.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub clarify: String,
    /// Until when it is valid.
    pub until: Timestamp,
}

/// The user's answer to an offer. By default, that it is right as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Approved {
    /// The plan to follow instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// The answer to the question back; the plan is made again with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

/// What an approver says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruling {
    /// The run continues.
    Go(Approved),
    /// The answer comes later.
    Wait,
    /// The run stops; it can be resumed, and asks again then.
    Stop,
}

/// The user, who can be asked about a plan.
pub trait Approver: Send + Sync {
    /// Puts an offer before them.
    fn approve<'a>(&'a self, offer: &'a Offer) -> Answering<'a, Ruling>;
}

/// No approver: every plan is followed as it is.
pub struct Unattended;

impl Approver for Unattended {
    fn approve<'a>(&'a self, _: &'a Offer) -> Answering<'a, Ruling> {
        Box::pin(std::future::ready(Ruling::Go(Approved::default())))
    }
}

/// The approver is elsewhere: the run waits until the answer is in its journal.
pub struct Elsewhere;

impl Approver for Elsewhere {
    fn approve<'a>(&'a self, _: &'a Offer) -> Answering<'a, Ruling> {
        Box::pin(std::future::ready(Ruling::Wait))
    }
}

/// What an approval is found by in the journal of a run.
pub(crate) fn inputs(question: &str, number: usize) -> (&str, usize) {
    (question, number)
}

/// The offer of a run that has not been answered yet, if there is one.
pub fn open_offer(question: &str, entries: &[Entry]) -> Option<Offer> {
    let has = |kind: StepKind, number: usize| {
        let key = key_of(kind, question, number);
        entries.iter().find(|entry| entry.key == key)
    };
    let last = (1..=OFFERS).rev().find_map(|number| has(StepKind::Offer, number));
    let offer: Offer = serde_json::from_str(&last?.output).ok()?;
    has(StepKind::Approve, offer.number).is_none().then_some(offer)
}

/// The step that records the user's answer to an offer.
pub fn approval(question: &str, offer: &Offer, approved: &Approved, at: Timestamp) -> Entry {
    let inputs = serde_json::to_string(&inputs(question, offer.number)).unwrap_or_default();
    let output = serde_json::to_string(approved).unwrap_or_default();
    journal::entry(StepKind::Approve, inputs, output, at)
}

fn key_of(kind: StepKind, question: &str, number: usize) -> String {
    let inputs = serde_json::to_string(&inputs(question, number)).unwrap_or_default();
    Entry::key_of(kind.as_str(), &inputs)
}

/// Why a plan could not be approved.
#[derive(Debug, thiserror::Error)]
pub enum ApproveError {
    /// The run made no offer, or it was answered.
    #[error("no plan of run {0} waits for approval")]
    NothingWaits(String),
    /// Another answer was faster.
    #[error("the plan of run {0} has just been approved by someone else")]
    Beaten(String),
    /// The plan cannot be followed.
    #[error("the plan {0}")]
    Plan(String),
    /// What was asked back was not answered, or nothing was asked.
    #[error("{0}")]
    Answer(&'static str),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Records the answer to the offer of a run, and makes the run due where it waits for a worker. Gives the
/// offer that it was about.
///
/// # Errors
/// When nothing waits, what was said cannot be used, or the store fails.
pub async fn give(
    store: &Store,
    run: &RunId,
    question: &str,
    said: Approved,
    now: Timestamp,
) -> Result<Offer, ApproveError> {
    let waiting = store.journal(run).await?;
    let offer = open_offer(question, &waiting);
    let offer = offer.ok_or_else(|| ApproveError::NothingWaits(run.to_owned().into()))?;
    let answer = said.answer.as_deref().map(str::trim);
    match answer {
        Some(_) if offer.clarify.is_empty() => {
            return Err(ApproveError::Answer("the model asked nothing back"));
        }
        Some("") => return Err(ApproveError::Answer("the answer is empty")),
        Some(long) if long.chars().count() > ANSWER_CHARS => {
            return Err(ApproveError::Answer("the answer is longer than 1,000 characters"));
        }
        _ => {}
    }
    let plan = said.plan.map(crate::plan_file::checked).transpose().map_err(ApproveError::Plan)?;
    let answer = answer.filter(|_| plan.is_none()).map(str::to_owned);
    let entry = approval(question, &offer, &Approved { plan, answer }, now);
    store.append_step(run, &entry).await?;
    let written = store.journal(run).await?;
    if !written.iter().any(|known| known.key == entry.key && known.digest == entry.digest) {
        return Err(ApproveError::Beaten(run.to_owned().into()));
    }
    store.hasten(run).await?;
    Ok(offer)
}
