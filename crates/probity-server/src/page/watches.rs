//! Saved questions as pages: what is watched, and what changed.

use askama::Template;
use axum::extract::State;
use probity_core::{Mode, Timestamp, WatchId};
use probity_store::watches::{Outcome, Turn, Watch};
use serde::Deserialize;

use super::show::due;
use super::{Frame, Tab, When, go, page};
use crate::access::Caller;
use crate::api::watches::{self as api, TURNS, WatchChangeBody};
use crate::api::{Cursor, Listed, Reply};
use crate::backend::Ask;
use crate::limits;
use crate::read::{Form, Part, Query};
use crate::state::Server;

struct Row {
    id: WatchId,
    question: String,
    owner: String,
    every: String,
    state: String,
    last_run: Option<String>,
    last: Option<When>,
    changed: Option<When>,
}

impl Row {
    fn new(watch: Watch, now: Timestamp) -> Self {
        Self {
            state: state(&watch, now),
            every: every(watch.every_ms),
            id: watch.id,
            question: watch.question,
            owner: watch.owner,
            last_run: watch.last_run.map(String::from),
            last: watch.last_at.map(|at| When::new(at, now)),
            changed: watch.changed_at.map(|at| When::new(at, now)),
        }
    }
}

/// How often something is asked, in the largest unit that tells it exactly.
fn every(millis: i64) -> String {
    let minutes = millis / 60_000;
    let (count, unit) = match minutes {
        m if m % (7 * 24 * 60) == 0 => (m / (7 * 24 * 60), "week"),
        m if m % (24 * 60) == 0 => (m / (24 * 60), "day"),
        m if m % 60 == 0 => (m / 60, "hour"),
        m => (m, "minute"),
    };
    if count == 1 { format!("every {unit}") } else { format!("every {count} {unit}s") }
}

fn state(watch: &Watch, now: Timestamp) -> String {
    match (&watch.pending_run, watch.paused, watch.next_at) {
        (Some(_), _, _) => "being asked".to_owned(),
        (None, true, _) => "paused".to_owned(),
        (None, false, Some(at)) => format!("due {}", due(at, now)),
        (None, false, None) => "stopped; ask it now to go on".to_owned(),
    }
}

#[derive(Template)]
#[template(path = "watches.html")]
struct WatchesPage {
    frame: Frame,
    watches: Vec<Row>,
    next: Option<String>,
    modes: [Mode; 3],
    asked: NewForm,
    problem: Option<String>,
}

/// Where in the list to begin, and a question that comes from elsewhere.
#[derive(Deserialize)]
pub(crate) struct From {
    cursor: Option<String>,
    question: Option<String>,
}

async fn draw(
    server: &Server,
    caller: &Caller,
    cursor: Option<&str>,
    asked: NewForm,
    problem: Option<String>,
) -> Reply {
    let (limit, now) = (limits::USUAL_ROWS, server.clock.now());
    let after = Cursor::read(cursor)?.unwrap_or_default();
    let watches = server.store.watches(after, limit + 1).await?;
    let rows: Vec<Row> = watches.into_iter().map(|watch| Row::new(watch, now)).collect();
    let Listed { items, next } = Listed::cut(rows, limit, |last| Cursor::write(&last.id));
    page(&WatchesPage {
        frame: Frame::new(server, caller, "Saved questions", Tab::Runs),
        watches: items,
        next,
        modes: [Mode::Quick, Mode::Standard, Mode::Deep],
        asked,
        problem,
    })
}

/// `GET /watches`.
pub(crate) async fn list(
    State(server): State<Server>,
    caller: Caller,
    Query(from): Query<From>,
) -> Reply {
    let asked = NewForm { question: from.question.unwrap_or_default(), ..NewForm::default() };
    draw(&server, &caller, from.cursor.as_deref(), asked, None).await
}

/// What the form holds.
#[derive(Default, Deserialize)]
pub(crate) struct NewForm {
    #[serde(default)]
    question: String,
    every: Option<String>,
    mode: Option<Mode>,
    search: Option<String>,
}

/// `POST /watches`.
pub(crate) async fn create(
    State(server): State<Server>,
    caller: Caller,
    Form(asked): Form<NewForm>,
) -> Reply {
    let ask = Ask {
        question: asked.question.clone(),
        mode: asked.mode,
        search: asked.search.clone(),
        ..Ask::default()
    };
    match api::add(&server, &caller, &ask, asked.every.as_deref().unwrap_or("1d")).await {
        Ok(id) => go(&format!("/watches/{id}")),
        Err(problem) if problem.status().is_client_error() => {
            let why = problem.detail().to_owned();
            draw(&server, &caller, None, asked, Some(why)).await
        }
        Err(problem) => Err(problem),
    }
}

struct TurnRow {
    at: When,
    words: String,
    run: Option<String>,
    before: Option<String>,
    lines: Vec<String>,
}

impl TurnRow {
    fn new(turn: Turn, now: Timestamp) -> Self {
        let words = match (turn.outcome, &turn.problem) {
            (Outcome::First, _) => "first asked".to_owned(),
            (Outcome::Same, _) => "nothing new".to_owned(),
            (Outcome::Changed, _) => "something changed".to_owned(),
            (Outcome::Failed, why) => format!("failed: {}", why.as_deref().unwrap_or("stopped")),
        };
        let compared = turn.outcome == Outcome::Changed;
        Self {
            at: When::new(turn.at, now),
            words,
            lines: api::lines(&turn),
            before: turn.before.filter(|_| compared),
            run: turn.run.map(String::from),
        }
    }
}

#[derive(Template)]
#[template(path = "watch.html")]
struct WatchPage {
    frame: Frame,
    watch: Row,
    paused: bool,
    pending: Option<String>,
    owns: bool,
    turns: Vec<TurnRow>,
}

/// `GET /watches/{id}`.
pub(crate) async fn show(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    let watch = api::find(&server, &id).await?;
    let now = server.clock.now();
    let turns = server.store.turns(watch.id, TURNS).await?;
    let frame = Frame::new(&server, &caller, &watch.question, Tab::Runs);
    page(&WatchPage {
        owns: frame.asks && caller.owns(&watch.owner),
        frame,
        paused: watch.paused,
        pending: watch.pending_run.clone().map(String::from),
        turns: turns.into_iter().map(|turn| TurnRow::new(turn, now)).collect(),
        watch: Row::new(watch, now),
    })
}

/// What the form of a saved question holds.
#[derive(Deserialize)]
pub(crate) struct ChangeForm {
    every: Option<String>,
    /// `yes` or `no`.
    paused: Option<String>,
}

/// `POST /watches/{id}`.
pub(crate) async fn change(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    Form(asked): Form<ChangeForm>,
) -> Reply {
    let paused = asked.paused.map(|said| said == "yes");
    api::alter(&server, &caller, &id, &WatchChangeBody { every: asked.every, paused }).await?;
    go(&format!("/watches/{}", api::find(&server, &id).await?.id))
}

/// `POST /watches/{id}/run`.
pub(crate) async fn run(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    let watch = api::run_now(&server, &caller, &id).await?;
    go(&format!("/watches/{}", watch.id))
}

/// `POST /watches/{id}/remove`.
pub(crate) async fn remove(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    api::remove(&server, &caller, &id).await?;
    go("/watches")
}

#[cfg(test)]
mod tests {
    use super::every;

    #[test]
    fn times_are_told_in_their_largest_whole_unit() {
        let minute = 60_000;
        let texts = [15, 90, 60, 24 * 60, 7 * 24 * 60, 10 * 24 * 60].map(|m| every(m * minute));
        let expected = [
            "every 15 minutes",
            "every 90 minutes",
            "every hour",
            "every day",
            "every week",
            "every 10 days",
        ];
        assert_eq!(texts, expected);
    }
}
