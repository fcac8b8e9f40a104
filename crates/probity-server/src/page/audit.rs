//! The audit log: every change of a score, whether the chain holds, and what else people did.

use askama::Template;
use axum::extract::State;
use probity_store::ledger::EventQuery;
use serde::Deserialize;

use super::outlets::EventRow;
use super::{Frame, Tab, When, go, page};
use crate::access::Caller;
use crate::api::ledger::{Proof, Signed};
use crate::api::{Cursor, Listed, Reply};
use crate::limits;
use crate::problem::Problem;
use crate::read::{Part, Query};
use crate::state::Server;

/// How many of people's other actions the page shows.
const ACTIONS: i64 = 50;

struct ActionRow {
    at: When,
    who: String,
    action: String,
    subject: String,
}

#[derive(Template)]
#[template(path = "audit.html")]
struct AuditPage {
    frame: Frame,
    proof: Proof,
    events: Vec<EventRow>,
    next: Option<String>,
    actions: Vec<ActionRow>,
}

/// Where in the log to begin.
#[derive(Deserialize)]
pub(crate) struct From {
    cursor: Option<String>,
}

/// `GET /audit`.
pub(crate) async fn show(
    State(server): State<Server>,
    caller: Caller,
    Query(from): Query<From>,
) -> Reply {
    let now = server.clock.now();
    let query = EventQuery {
        outlet: None,
        after: Cursor::read(from.cursor.as_deref())?,
        newest_first: true,
        limit: Some(limits::USUAL_ROWS + 1),
    };
    let frame = Frame::new(&server, &caller, "Audit log", Tab::None);
    let actions = async {
        match frame.rules {
            true => server.store.actions(None, ACTIONS).await,
            false => Ok(Vec::new()),
        }
    };
    let (events, actions, proof) =
        tokio::try_join!(server.store.events(&query), actions, server.store.verify(None))?;
    let rows: Vec<EventRow> = events.iter().map(|event| EventRow::new(event, now)).collect();
    let Listed { items, next } =
        Listed::cut(rows, limits::USUAL_ROWS, |last| Cursor::write(&last.seq));
    let actions = actions.into_iter().map(|done| ActionRow {
        at: When::new(done.at, now),
        who: done.who,
        action: done.action,
        subject: done.subject,
    });
    page(&AuditPage {
        proof: Proof::new(&proof),
        events: items,
        next,
        actions: actions.collect(),
        frame,
    })
}

/// `POST /audit/{seq}/revert`.
pub(crate) async fn revert(State(server): State<Server>, caller: Caller, Part(seq): Part) -> Reply {
    let seq = seq.parse().map_err(|_| Problem::not_found("events are named by their numbers"))?;
    let signed = Signed::default();
    let event = server.store.revert(seq, &signed.signature(&caller)?, signed.intent()).await?;
    go(&format!("/outlets/{}#h-history", event.record().outlet))
}
