//! A list of ratings on the page: what it would change, what it contradicts and what cannot be read of it, before
//! anything is done.

use askama::Template;
use axum::extract::{Request, State};
use probity_credibility::ledger::LedgerEvent;
use probity_store::ledger::{Conflict, Intent};
use serde::Deserialize;

use super::{Bar, Frame, Tab, page};
use crate::access::Caller;
use crate::api::Reply;
use crate::api::ratings::{ImportParams, ListImport, import_list};
use crate::limits::{FORM_LIST_BYTES, PAGE_ROWS};
use crate::read::{self, FormPairs, texts};
use crate::state::Server;

/// What the form holds.
#[derive(Default, Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    list: String,
    #[serde(default)]
    provenance: Option<String>,
    #[serde(default, deserialize_with = "texts::optional")]
    weight: Option<f64>,
    #[serde(default)]
    by: Option<String>,
    #[serde(default)]
    note: Option<String>,
    /// `import`, or anything else to see first what it would do.
    #[serde(default)]
    step: Option<String>,
}

impl Asked {
    fn weight(&self) -> f64 {
        self.weight.unwrap_or(1.0)
    }
}

/// A score as a list moves it.
struct Move {
    outlet: String,
    before: String,
    after: Bar,
}

struct Contradiction {
    outlet: String,
    had: String,
    rated: String,
}

/// What a list did or would do.
struct Effect {
    done: bool,
    changed: usize,
    unchanged: usize,
    moves: Vec<Move>,
    contradictions: Vec<Contradiction>,
    contradicted: usize,
    bad: Vec<String>,
    unreadable: usize,
}

impl Effect {
    fn new(taken: ListImport) -> Self {
        let ListImport { intent, imported, bad, .. } = taken;
        let most = usize::try_from(PAGE_ROWS).unwrap_or(usize::MAX);
        let moved = |event: &LedgerEvent| {
            let record = event.record();
            Move {
                outlet: record.outlet.as_str().to_owned(),
                before: format!("{:.2}", record.before),
                after: Bar::new(record.after),
            }
        };
        let contradiction = |Conflict { outlet, had, rated }: &Conflict| Contradiction {
            outlet: outlet.as_str().to_owned(),
            had: format!("{had:.2}"),
            rated: format!("{rated:.2}"),
        };
        Self {
            done: intent == Intent::Apply,
            changed: imported.events.len(),
            unchanged: imported.unchanged,
            moves: imported.events.iter().take(most).map(moved).collect(),
            contradicted: imported.conflicts.len(),
            contradictions: imported.conflicts.iter().take(most).map(contradiction).collect(),
            unreadable: bad.len(),
            bad: bad.iter().take(most).map(ToString::to_string).collect(),
        }
    }
}

#[derive(Template)]
#[template(path = "ratings.html")]
struct RatingsPage {
    frame: Frame,
    asked: Asked,
    effect: Option<Effect>,
    problem: Option<String>,
    list_bytes: usize,
}

fn draw(
    server: &Server,
    caller: &Caller,
    asked: Asked,
    effect: Option<Effect>,
    problem: Option<String>,
) -> Reply {
    let frame = Frame::new(server, caller, "Import ratings", Tab::Outlets);
    page(&RatingsPage { frame, asked, effect, problem, list_bytes: FORM_LIST_BYTES })
}

/// `GET /outlets/import`.
pub(crate) async fn show(State(server): State<Server>, caller: Caller) -> Reply {
    draw(&server, &caller, Asked::default(), None, None)
}

/// `POST /outlets/import`.
pub(crate) async fn import(
    State(server): State<Server>,
    caller: Caller,
    request: Request,
) -> Reply {
    let FormPairs(pairs) = read::form_pairs_within(request, FORM_LIST_BYTES).await?;
    let mut asked: Asked = read::form_of(&pairs)?;
    let params = ImportParams {
        provenance: asked.provenance.clone(),
        weight: asked.weight,
        by: asked.by.clone(),
        note: asked.note.clone(),
        dry_run: Some(asked.step.as_deref() != Some("import")),
    };
    match import_list(&server, &caller, &asked.list, &params).await {
        Ok(taken) => {
            let effect = Effect::new(taken);
            if effect.done {
                asked.list.clear();
            }
            draw(&server, &caller, asked, Some(effect), None)
        }
        // What the person can fix is said where they can fix it.
        Err(problem) if problem.status().is_client_error() => {
            let why = match problem.field_name() {
                Some("list") => format!("The list cannot be imported: {}.", problem.detail()),
                _ => problem.detail().to_owned(),
            };
            draw(&server, &caller, asked, None, Some(why))
        }
        Err(problem) => Err(problem),
    }
}
