//! `probity worker`: takes work from the queue and does it: runs, feeds and topics, upkeep.

use std::process::ExitCode;
use std::sync::Arc;

use probity_news::schedule::{Totals, Until};
use probity_research::work::{Handler, ResearchHandler, Tally, work};
use probity_server::watch::WatchHandler;
use probity_store::Store;
use probity_store::news::FEEDS;
use probity_store::queue::RESEARCH;
use probity_store::watches::WATCH;
use probity_web::notify::Messenger;
use tokio::sync::watch;

use crate::alert::{self, ALERT, ALERTS, Looker, Sender};
use crate::app::App;
use crate::backend::ProgramBackend;
use crate::command::news;
use crate::daily::{self, BRIEFING, Daily};
use crate::failure::{WithHint as _, usage};
use crate::live::Live;
use crate::open_environment::OpenEnvironment;
use crate::upkeep::{self, UPKEEP, Upkeep};
use crate::{newsroom, output, report_file, signal};

/// The kinds of work that a process does by default. Feeds are polled beside them.
pub(crate) const KINDS: [&str; 6] = [RESEARCH, WATCH, BRIEFING, ALERTS, ALERT, UPKEEP];

/// What may be typed after `probity worker`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many runs to execute at once.
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// The kinds of work to do, separated by commas: research, watch (saved questions), briefing
    /// (the daily one), alerts and alert (finding news, and sending it), feeds (and topics),
    /// upkeep.
    #[arg(long, value_name = "KINDS", value_delimiter = ',', default_values = KINDS)]
    kinds: Vec<String>,
    /// Stop when nothing is left to do.
    #[arg(long)]
    until_empty: bool,
}

/// Runs `probity worker`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let handlers = handlers(&args.kinds, app)?;
    let store = app.store().await?;
    arrange(&args.kinds, app, &store).await?;
    let mut settings = app.settings.worker.clone();
    settings.concurrency = args.concurrency.unwrap_or(settings.concurrency);
    settings.check().map_err(|problem| usage(format!("--concurrency: {problem}")))?;
    let mut settings = settings.of(name()?);
    settings.until_empty = args.until_empty;
    let stop = stop_switch();
    output::note(&format!(
        "Working as {} on {}, up to {} at once; Ctrl-C stops, a second one at once",
        settings.worker,
        store.location(),
        settings.concurrency
    ));
    let working = async {
        match handlers.is_empty() {
            true => Tally::default(),
            false => work(&store, &handlers, &settings, stop.clone()).await,
        }
    };
    let polling = poll_feeds(args, app, &settings.worker, stop.clone());
    let (tally, polled) = tokio::join!(working, polling);
    let polled = polled?;
    if app.json {
        output::print_json(&tally)?;
    } else {
        output::note(&format!(
            "{} done, {} failed, {} cancelled, {} released, {} lost",
            tally.done, tally.failed, tally.cancelled, tally.handed_over, tally.lost
        ));
        if let Some(totals) = polled {
            output::note(&news::run::summary(&totals));
        }
    }
    store.close().await;
    Ok(ExitCode::SUCCESS)
}

/// Sees to it that the work is queued which comes round by itself.
pub(crate) async fn arrange(kinds: &[String], app: &App, store: &Store) -> anyhow::Result<()> {
    for kind in kinds {
        match kind.trim() {
            UPKEEP => upkeep::arrange(store).await?,
            BRIEFING => daily::arrange(store, &app.settings.news, app.clock).await?,
            ALERTS if !app.settings.alerts.channels().is_empty() => alert::arrange(store).await?,
            _ => {}
        }
    }
    Ok(())
}

/// Polls feeds, if that is among the kinds of work to do.
async fn poll_feeds(
    args: &Args,
    app: &App,
    worker: &str,
    stop: watch::Receiver<bool>,
) -> anyhow::Result<Option<Totals>> {
    if !args.kinds.iter().any(|kind| kind.trim() == FEEDS) {
        return Ok(None);
    }
    let until = if args.until_empty { Until::NothingDue } else { Until::Stopped };
    poll(app, worker, until, stop).await.map(Some)
}

/// Polls feeds and groups what they bring, as both become due.
pub(crate) async fn poll(
    app: &App,
    worker: &str,
    until: Until,
    stop: watch::Receiver<bool>,
) -> anyhow::Result<Totals> {
    let schedule = newsroom::schedule(worker.to_owned(), until, app);
    let poller = newsroom::shared_poller(app, &[]).await?;
    newsroom::poll_and_consolidate(app, poller, &schedule, stop, &|_| {}).await
}

/// What this process can do besides polling feeds.
pub(crate) fn handlers(kinds: &[String], app: &App) -> anyhow::Result<Vec<Arc<dyn Handler>>> {
    let mut handlers: Vec<Arc<dyn Handler>> = Vec::new();
    let live = Live::new(app);
    for kind in kinds {
        match kind.trim() {
            RESEARCH => {
                let environment = Arc::new(OpenEnvironment::new(Arc::clone(&live)));
                handlers.push(Arc::new(ResearchHandler::new(environment, app.clock)));
            }
            FEEDS => {}
            WATCH => handlers.push(Arc::new(WatchHandler {
                backend: Arc::new(ProgramBackend::new(Arc::clone(&live))?),
                queue: app.settings.queue.limits(),
                failures_most: app.settings.queue.failures_most,
            })),
            ALERTS => handlers.push(Arc::new(Looker { live: Arc::clone(&live) })),
            ALERT => handlers.push(Arc::new(Sender {
                live: Arc::clone(&live),
                messenger: Messenger::new(app.fetch_settings(&[])?)?,
            })),
            BRIEFING => handlers.push(Arc::new(Daily {
                settings: app.settings.news.clone(),
                reader: app.reader()?,
                clock: app.clock,
            })),
            UPKEEP => {
                let days = app.settings.queue.events_days;
                handlers.push(Arc::new(Upkeep { days, clock: app.clock }));
            }
            other => {
                return Err(usage(format!("--kinds: `{other}` is not a kind of work")))
                    .hint(format!("the kinds are: {}, {FEEDS}", KINDS.join(", ")));
            }
        }
    }
    Ok(handlers)
}

/// Thrown when the process is asked to stop; asked again, it does so at once.
pub(crate) fn stop_switch() -> watch::Receiver<bool> {
    let (switch, stop) = watch::channel(false);
    signal::when_asked_to_stop(move || {
        switch.send_replace(true);
    });
    stop
}

/// A name that no other process has: where it runs, which one it is, and a few random letters.
pub(crate) fn name() -> anyhow::Result<String> {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname")
        .ok()
        .or_else(|| std::env::var("HOSTNAME").ok())
        .unwrap_or_default();
    let host: String = host.trim().chars().filter(char::is_ascii_graphic).take(40).collect();
    let host = if host.is_empty() { "worker".to_owned() } else { host };
    Ok(format!("{host}-{}-{}", std::process::id(), report_file::letters()?))
}
