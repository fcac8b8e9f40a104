//! `probity watch list` and `show`: what is saved, and what changed.

use probity_core::{WatchId, printable};
use probity_report::novelty::Novelty;
use probity_store::watches::{Outcome, Turn, WATCHES_MOST, Watch};
use serde::Serialize;

use super::find;
use crate::app::App;
use crate::newsroom::span;
use crate::output;

/// How many turns are shown.
const TURNS: i64 = 50;

/// A saved question as JSON.
#[derive(Serialize)]
pub(super) struct Line<'a> {
    #[serde(flatten)]
    watch: &'a Watch,
    ask: serde_json::Value,
}

impl<'a> Line<'a> {
    pub(super) fn of(watch: &'a Watch) -> Self {
        Self { watch, ask: serde_json::from_str(&watch.ask).unwrap_or_default() }
    }
}

/// A turn as JSON.
#[derive(Serialize)]
pub(super) struct TurnView<'a> {
    #[serde(flatten)]
    turn: &'a Turn,
    novelty: Option<Novelty>,
}

impl<'a> TurnView<'a> {
    pub(super) fn of(turn: &'a Turn) -> Self {
        let novelty = turn.novelty.as_deref().and_then(|text| serde_json::from_str(text).ok());
        Self { turn, novelty }
    }

    /// What a turn came to, a line each; the first says it as a whole.
    pub(super) fn lines(&self) -> Vec<String> {
        let first = match self.turn.outcome {
            Outcome::First => "first asked".to_owned(),
            Outcome::Same => "nothing new".to_owned(),
            Outcome::Changed => "something changed".to_owned(),
            Outcome::Failed => {
                let why = self.turn.problem.as_deref().unwrap_or("stopped");
                format!("failed: {}", printable::line(why))
            }
        };
        let run = self.turn.run.as_deref().map(|run| format!(" ({run})")).unwrap_or_default();
        let lines = self.novelty.iter().flat_map(Novelty::lines);
        let lines = lines.map(|line| format!("  {}", printable::line(&line)));
        std::iter::once(format!("{first}{run}")).chain(lines).collect()
    }
}

/// Runs `probity watch list`.
pub(super) async fn all(app: &App) -> anyhow::Result<()> {
    let watches = match app.existing_store().await? {
        Some(store) => store.watches(WatchId(0), WATCHES_MOST).await?,
        None => Vec::new(),
    };
    if app.json {
        return output::print_json(&watches.iter().map(Line::of).collect::<Vec<_>>());
    }
    if watches.is_empty() {
        output::note("No saved questions; `probity watch add \"…\" --every 1d` saves one");
    }
    let now = app.clock.now();
    for watch in &watches {
        output::print_line(&format!(
            "{:>4}  every {:<6}  {:<12}  {}",
            watch.id,
            span(watch.every_ms),
            state(watch, now.0),
            printable::brief(&watch.question, 100)
        ))?;
    }
    Ok(())
}

fn state(watch: &Watch, now: i64) -> String {
    match (&watch.pending_run, watch.paused, watch.next_at) {
        (Some(_), _, _) => "being asked".to_owned(),
        (None, true, _) => "paused".to_owned(),
        (None, false, Some(at)) if at.0 > now => format!("in {}", span(at.0 - now)),
        (None, false, Some(_)) => "due".to_owned(),
        (None, false, None) => "stopped".to_owned(),
    }
}

/// Runs `probity watch show`.
pub(super) async fn one(id: WatchId, app: &App) -> anyhow::Result<()> {
    let store = app.store().await?;
    let watch = find(&store, id).await?;
    let turns = store.turns(id, TURNS).await?;
    if app.json {
        let views: Vec<TurnView<'_>> = turns.iter().map(TurnView::of).collect();
        let mut shown = serde_json::to_value(Line::of(&watch))?;
        if let Some(shown) = shown.as_object_mut() {
            shown.insert("turns".to_owned(), serde_json::to_value(views)?);
        }
        return output::print_json(&shown);
    }
    output::print_line(&printable::line(&watch.question))?;
    let (every, state) = (span(watch.every_ms), state(&watch, app.clock.now().0));
    output::print_line(&format!("every {every}, {state}, for {}", printable::line(&watch.owner)))?;
    for turn in &turns {
        let mut lines = TurnView::of(turn).lines().into_iter();
        let first = lines.next().unwrap_or_default();
        output::print_line(&format!("{}  {first}", turn.at))?;
        for line in lines {
            output::print_line(&line)?;
        }
    }
    Ok(())
}
