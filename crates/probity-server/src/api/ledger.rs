//! The ledger's log: reading it, proving it, undoing a line of it; the codebook; what else was done.

use axum::extract::State;
use jiff::Timestamp as Instant;
use probity_core::{Band, Timestamp};
use probity_credibility::ledger::{Anchor, EventRecord, LedgerEvent, Signature};
use probity_store::access::Action;
use probity_store::ledger::{EventQuery, Intent, Verification};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{Cursor, Listed, Reply, json, rows};
use crate::access::Caller;
use crate::problem::Problem;
use crate::read::{Json, Part, Query, texts};
use crate::state::Server;
use crate::worth::{self, Research};

/// A code that was applied, with the weight it had then.
#[derive(Serialize, ToSchema, JsonSchema)]
pub struct CodeView {
    /// The code.
    pub code: String,
    /// Its weight.
    pub weight: i32,
}

/// A line of the log: everything that is hashed.
#[derive(Serialize, ToSchema, JsonSchema)]
pub struct EventView {
    /// Its place in the log; none for what was only previewed.
    pub seq: Option<i64>,
    /// When it happened.
    pub at: String,
    /// The same in milliseconds since 1970.
    pub at_ms: i64,
    /// `nudge`, `set`, `import` or `revert`.
    pub kind: &'static str,
    /// Whose score.
    pub outlet: String,
    /// The outlet's name from now on, where the event gives one.
    pub name: Option<String>,
    /// The score before.
    pub before: f64,
    /// The score after.
    pub after: f64,
    /// The step of a nudge.
    pub alpha: Option<f64>,
    /// The target of a nudge.
    pub target: Option<f64>,
    /// The codes of a nudge.
    pub codes: Vec<CodeView>,
    /// What was coded: `outlet`, `article` or `report-source`.
    pub subject: &'static str,
    /// Where that is.
    pub reference: Option<String>,
    /// Who did it.
    pub by: String,
    /// What they said about it.
    pub note: Option<String>,
    /// Where an imported score comes from.
    pub provenance: Option<String>,
    /// The event that a revert undoes.
    pub reverts: Option<i64>,
    /// The hash of the event before.
    pub previous: Option<String>,
    /// The hash of this event.
    pub hash: Option<String>,
}

impl EventView {
    /// An event of the log.
    pub fn new(record: &EventRecord) -> Self {
        let codes = record.codes.iter().map(|used| CodeView {
            code: used.code.as_str().to_owned(),
            weight: used.weight.get(),
        });
        Self {
            seq: Some(record.seq),
            at: instant(record.at),
            at_ms: record.at.0,
            kind: record.kind.as_str(),
            outlet: record.outlet.as_str().to_owned(),
            name: record.name.clone(),
            before: record.before,
            after: record.after,
            alpha: record.alpha,
            target: record.target,
            codes: codes.collect(),
            subject: record.subject.kind.as_str(),
            reference: record.subject.reference.clone(),
            by: record.by.clone(),
            note: record.note.clone(),
            provenance: record.provenance.clone(),
            reverts: record.reverts,
            previous: Some(record.previous.clone()),
            hash: Some(record.hash.clone()),
        }
    }

    /// An event that was not appended, and so has no place in the log.
    pub fn preview(record: &EventRecord) -> Self {
        Self { seq: None, previous: None, hash: None, ..Self::new(record) }
    }
}

/// An instant to the millisecond, as it is hashed.
pub fn instant(at: Timestamp) -> String {
    Instant::from_millisecond(at.0)
        .map(|instant| instant.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string())
        .unwrap_or_else(|_| at.to_string())
}

/// A change that was made, or shown.
#[derive(Serialize, ToSchema, JsonSchema)]
pub struct Change {
    /// Whether it was only shown.
    pub dry_run: bool,
    /// How to read the score after it.
    pub band: &'static str,
    /// The event.
    #[serde(flatten)]
    pub event: EventView,
    /// The outlet's authority in research after it.
    pub research: Research,
}

impl Change {
    /// A change as it is answered.
    pub(crate) async fn tell(
        server: &Server,
        event: &LedgerEvent,
        intent: Intent,
    ) -> Result<Self, Problem> {
        let research = worth::after(server, event).await?;
        let record = event.record();
        let band = Band::of(record.after).words();
        let (dry_run, event) = match intent {
            Intent::Apply => (false, EventView::new(record)),
            Intent::Preview => (true, EventView::preview(record)),
        };
        Ok(Self { dry_run, band, event, research })
    }
}

/// Who makes a change, how, and why.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct Signed {
    /// Who does it; where callers log in, always the caller.
    #[serde(default)]
    #[schema(max_length = 200)]
    pub by: Option<String>,
    /// Why, in one line.
    #[serde(default)]
    #[schema(max_length = 2000)]
    pub note: Option<String>,
    /// Add the outlet even if its name is one letter off that of an outlet in the ledger.
    #[serde(default)]
    pub new: bool,
    /// Show what would happen, and write nothing.
    #[serde(default)]
    pub dry_run: bool,
}

impl Signed {
    pub(crate) fn signature(&self, caller: &Caller) -> Result<Signature, Problem> {
        let by = caller.signs_as(self.by.as_deref())?;
        Signature::new(&by, self.note.as_deref()).map_err(|error| {
            let field = if error.to_string().contains("note") { "note" } else { "by" };
            Problem::field(field, error.to_string())
        })
    }

    pub(crate) fn intent(&self) -> Intent {
        if self.dry_run { Intent::Preview } else { Intent::Apply }
    }
}

/// Which part of the log to read.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct LogParams {
    /// The oldest first instead of the latest.
    #[serde(default, deserialize_with = "texts::optional")]
    oldest_first: Option<bool>,
    /// How many to give.
    #[param(minimum = 1, maximum = 200)]
    #[serde(default, deserialize_with = "texts::optional")]
    limit: Option<i64>,
    /// Where to begin: the `next` of the part before.
    cursor: Option<String>,
}

/// Reads the log.
#[utoipa::path(get, path = "/api/ledger/events", tag = "ledger", params(LogParams),
    responses((status = 200, body = Listed<EventView>)))]
pub(crate) async fn events(State(server): State<Server>, Query(asked): Query<LogParams>) -> Reply {
    let limit = rows(asked.limit)?;
    let query = EventQuery {
        outlet: None,
        after: Cursor::read(asked.cursor.as_deref())?,
        newest_first: !asked.oldest_first.unwrap_or(false),
        limit: Some(limit + 1),
    };
    let items: Vec<EventView> =
        server.store.events(&query).await?.iter().map(EventView::new).collect();
    Ok(json(&Listed::cut(items, limit, |last| last.seq.as_ref().and_then(Cursor::write))))
}

fn number(text: &str) -> Result<i64, Problem> {
    text.parse().map_err(|_| Problem::not_found("events are named by their numbers"))
}

/// Shows a line of the log.
#[utoipa::path(get, path = "/api/ledger/events/{seq}", tag = "ledger",
    params(("seq" = i64, Path, description = "The event's number", minimum = 1)),
    responses((status = 200, body = EventView)))]
pub(crate) async fn event(State(server): State<Server>, Part(seq): Part) -> Reply {
    let seq = number(&seq)?;
    let event = server.store.event(seq).await?;
    let event =
        event.ok_or_else(|| Problem::not_found(format!("the ledger has no event {seq}")))?;
    Ok(json(&EventView::new(&event)))
}

/// Undoes an event by a new one.
#[utoipa::path(post, path = "/api/ledger/events/{seq}/revert", tag = "ledger",
    params(("seq" = i64, Path, description = "The event's number", minimum = 1)),
    request_body = Signed, responses((status = 200, body = Change)))]
pub(crate) async fn revert(
    State(server): State<Server>,
    caller: Caller,
    Part(seq): Part,
    Json(signed): Json<Signed>,
) -> Reply {
    let signature = signed.signature(&caller)?;
    let event = server.store.revert(number(&seq)?, &signature, signed.intent()).await?;
    Ok(json(&Change::tell(&server, &event, signed.intent()).await?))
}

/// What else a proof has to hold against.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct VerifyParams {
    /// A head that was noted down earlier, as SEQ:HASH: also prove that nothing before it was
    /// rewritten.
    head: Option<String>,
}

/// The result of a proof.
#[derive(Serialize, ToSchema)]
pub struct Proof {
    /// Whether chain, replay and scores agree.
    pub sound: bool,
    /// How many events were proved.
    pub events: Option<i64>,
    /// How many outlets were proved.
    pub outlets: Option<usize>,
    /// The end of the log as SEQ:HASH, to be noted down elsewhere.
    pub head: Option<String>,
    /// The first thing that is wrong.
    pub fault: Option<String>,
}

impl Proof {
    /// A proof as it is answered.
    pub(crate) fn new(verified: &Verification) -> Self {
        match verified {
            Verification::Sound(sound) => Self {
                sound: true,
                events: Some(sound.events),
                outlets: Some(sound.outlets),
                head: Some(format!("{}:{}", sound.head.seq, sound.head.hash)),
                fault: None,
            },
            Verification::Broken(fault) => Self {
                sound: false,
                events: None,
                outlets: None,
                head: None,
                fault: Some(fault.to_string()),
            },
        }
    }
}

/// Proves that the log is whole and that replaying it gives today's scores.
#[utoipa::path(get, path = "/api/ledger/verify", tag = "ledger", params(VerifyParams),
    responses((status = 200, body = Proof)))]
pub(crate) async fn verify(
    State(server): State<Server>,
    Query(asked): Query<VerifyParams>,
) -> Reply {
    let anchor = asked.head.map(|head| head.parse::<Anchor>()).transpose();
    let anchor = anchor.map_err(|error| Problem::field("head", error.to_string()))?;
    Ok(json(&Proof::new(&server.store.verify(anchor).await?)))
}

/// A code of the codebook.
#[derive(Serialize, ToSchema)]
pub struct CodebookEntry {
    /// Its name.
    pub code: String,
    /// What it says about reliability.
    pub weight: i32,
    /// What it means.
    pub description: String,
    /// Whether it is no longer applied.
    pub retired: bool,
}

/// Lists the codes that editors may apply.
#[utoipa::path(get, path = "/api/codebook", tag = "ledger",
    responses((status = 200, body = Vec<CodebookEntry>)))]
pub(crate) async fn codebook(State(server): State<Server>) -> Reply {
    Ok(json(&codes(&server).await?))
}

/// The codebook as it is listed.
pub(crate) async fn codes(server: &Server) -> Result<Vec<CodebookEntry>, Problem> {
    let codebook = server.store.codebook().await?;
    let entries = codebook.codes().map(|code| CodebookEntry {
        code: code.name.as_str().to_owned(),
        weight: code.weight.get(),
        description: code.description.clone(),
        retired: code.retired,
    });
    Ok(entries.collect())
}

/// Something that a person did apart from changing scores.
#[derive(Serialize, ToSchema)]
pub struct ActionView {
    /// Its place in the log.
    pub seq: i64,
    /// When it was done.
    pub at: String,
    /// Who did it.
    pub who: String,
    /// What was done.
    pub action: String,
    /// To which thing.
    pub subject: String,
}

impl From<Action> for ActionView {
    fn from(action: Action) -> Self {
        let Action { seq, at, who, action, subject } = action;
        Self { seq, at: instant(at), who, action, subject }
    }
}

/// Lists what people did apart from changing scores, the latest first.
#[utoipa::path(get, path = "/api/actions", tag = "ledger", params(super::outlets::EventParams),
    responses((status = 200, body = Listed<ActionView>)))]
pub(crate) async fn actions(
    State(server): State<Server>,
    Query(asked): Query<super::outlets::EventParams>,
) -> Reply {
    let limit = rows(asked.limit)?;
    let before = Cursor::read(asked.cursor.as_deref())?;
    let actions = server.store.actions(before, limit + 1).await?;
    let items: Vec<ActionView> = actions.into_iter().map(ActionView::from).collect();
    Ok(json(&Listed::cut(items, limit, |last| Cursor::write(&last.seq))))
}
