//! `probity watch run`: one turn of a saved question, here and now.

use std::sync::Arc;
use std::time::Duration;

use probity_core::WatchId;
use probity_research::work::{Handler, work_on};
use probity_store::queue::RESEARCH;
use probity_store::watches::{WATCH, job_id};

use super::find;
use super::list::TurnView;
use crate::app::App;
use crate::command::worker;
use crate::output;

/// How long to wait before looking again at work that another process has.
const PAUSE: Duration = Duration::from_millis(500);

/// Asks a saved question now and tells what changed.
pub(super) async fn turn(id: WatchId, app: &App) -> anyhow::Result<()> {
    let store = app.store().await?;
    let watch = find(&store, id).await?;
    let before = store.turns(id, 1).await?.first().map_or(0, |turn| turn.id);
    store.watch_now(watch.id).await?;
    let handlers: Vec<Arc<dyn Handler>> =
        worker::handlers(&[RESEARCH, WATCH].map(str::to_owned), app)?;
    let settings = app.settings.worker.of(worker::name()?);
    output::note("Asking it; Ctrl-C leaves it to the workers");
    // Another process may have the watch or its run: then this one waits for it.
    let ended = loop {
        let taken = work_on(&store, &job_id(watch.id), &handlers, &settings).await?;
        let turns = store.turns(id, 1).await?;
        if let Some(turn) = turns.into_iter().next().filter(|turn| turn.id > before) {
            break turn;
        }
        let pending = find(&store, id).await?.pending_run;
        let run = match &pending {
            Some(run) => work_on(&store, run, &handlers, &settings).await?,
            None => None,
        };
        if taken.is_none() && run.is_none() {
            tokio::time::sleep(PAUSE).await;
        }
    };
    let view = TurnView::of(&ended);
    match app.json {
        true => output::print_json(&view)?,
        false => {
            for line in view.lines() {
                output::print_line(&line)?;
            }
        }
    }
    Ok(())
}
