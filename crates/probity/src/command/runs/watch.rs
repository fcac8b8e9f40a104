//! Watching a run that any process executes, and cancelling it.

use std::process::ExitCode;

use probity_core::printable;
use probity_store::events::RunEvent;
use probity_store::queue::Cancelled;
use serde_json::{Value, json};

use super::find;
use crate::app::App;
use crate::failure::usage;
use crate::output;

/// What may be typed after `probity runs events`.
#[derive(clap::Args)]
pub(crate) struct EventsArgs {
    /// The run: its id, the beginning of it, or `last`.
    run: String,
    /// Go on until the run ends.
    #[arg(long, short)]
    follow: bool,
    /// Only events after this number.
    #[arg(long, value_name = "SEQ", default_value_t = 0)]
    after: i64,
}

/// What may be typed after `probity runs cancel`.
#[derive(clap::Args)]
pub(crate) struct CancelArgs {
    /// The run: its id, the beginning of it, or `last`.
    run: String,
}

/// Shows a run's events, one a line.
pub(crate) async fn events(args: &EventsArgs, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let id = find(&store, &args.run).await?.summary.id;
    if args.follow {
        let mut feed = store.follow(&id, args.after);
        while let Some(event) = feed.next().await {
            show(&event, app)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut after = args.after;
    loop {
        let page = store.events_after(&id, after, probity_store::events::PAGE_EVENTS).await?;
        let Some(last) = page.last() else { break };
        after = last.seq;
        for event in &page {
            show(event, app)?;
        }
    }
    if after == 0 {
        output::note(&format!(
            "No events of {id} are kept: those of a run that ended are forgotten after {} days, and old \
             versions kept none of runs outside the queue",
            app.settings.queue.events_days
        ));
    }
    Ok(ExitCode::SUCCESS)
}

fn show(event: &RunEvent, app: &App) -> anyhow::Result<()> {
    let mut content: Value = serde_json::from_str(&event.event).unwrap_or_default();
    if app.json {
        let line = json!({ "seq": event.seq, "at": event.at, "event": content });
        return output::print_line(&line.to_string());
    }
    let fields = content.as_object_mut().map(|fields| {
        fields.remove("event");
        let one = |(name, value): (&String, &Value)| match value {
            Value::String(text) => format!("{name}: {text}"),
            other => format!("{name}: {other}"),
        };
        fields.iter().map(one).collect::<Vec<_>>().join(", ")
    });
    let head = format!("{:>5}  {:<10}  ", event.seq, event.kind);
    let room = app.style.width().saturating_sub(head.chars().count()).max(40);
    output::print_line(&format!("{head}{}", printable::brief(&fields.unwrap_or_default(), room)))
}

/// Cancels a run.
pub(crate) async fn cancel(args: &CancelArgs, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let id = find(&store, &args.run).await?.summary.id;
    let said = match store.cancel(&id).await? {
        Cancelled::AtOnce => format!("Cancelled {id} before it started"),
        Cancelled::Asked => format!("Asked the worker of {id} to stop; it stops within seconds"),
        Cancelled::Nothing => {
            return Err(usage(format!("run {id} is neither waiting nor running")));
        }
    };
    output::print_line(&said)?;
    Ok(ExitCode::SUCCESS)
}
