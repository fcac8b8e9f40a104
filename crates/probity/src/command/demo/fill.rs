//! Fills a store: documents, an editor's codings, feeds and their topics, finished runs.

use std::path::Path;

use anyhow::Context as _;
use probity_core::{Mode, Timestamp, counted};
use probity_research::work::work;
use probity_server::{Ask, Backend as _};
use probity_store::ledger::Intent;
use probity_store::queue::{Enqueued, RESEARCH, RunJob};
use probity_store::topics::NewCategory;
use tokio::sync::watch;

use super::town;
use crate::app::App;
use crate::backend::ProgramBackend;
use crate::command::outlets::{change, code};
use crate::command::{feeds, library, worker};
use crate::live::Live;
use crate::{newsroom, output};

/// Who signs and asks in the demo.
const EDITOR: &str = "Ada (demo)";
/// How many runs go on at once while the demo fills.
const RUNS_AT_ONCE: usize = 2;

/// Fills everything.
pub(super) async fn fill(app: &App, folder: &Path) -> anyhow::Result<()> {
    documents(app, &folder.join("library")).await?;
    codings(app).await?;
    news(app).await?;
    runs(app).await
}

async fn documents(app: &App, folder: &Path) -> anyhow::Result<()> {
    for (name, text) in town::DOCUMENTS {
        let path = folder.join(name);
        if let Some(above) = path.parent() {
            std::fs::create_dir_all(above)?;
        }
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let count = library::add_folder(app, folder).await?;
    output::note(&format!("Indexed {} of Port Ellery", counted(count, "document", "documents")));
    Ok(())
}

async fn codings(app: &App) -> anyhow::Result<()> {
    let store = app.store().await?;
    for (outlet, codes, note) in town::CODINGS {
        let codes = [(*codes).to_owned()];
        let asked = code::Asked {
            target: outlet,
            outlet: None,
            codes: &codes,
            by: EDITOR,
            note: Some(note),
            alpha: None,
            run: None,
            new: true,
        };
        let (request, newcomer) = code::read(&asked, app)?;
        store.code(request, newcomer, Intent::Apply).await.map_err(change::explain)?;
    }
    output::note(&format!("Coded outlets {} times", town::CODINGS.len()));
    Ok(())
}

async fn news(app: &App) -> anyhow::Result<()> {
    let store = app.store().await?;
    for (name, description) in town::CATEGORIES {
        let new = NewCategory {
            name: (*name).to_owned(),
            description: (*description).to_owned(),
            ..NewCategory::default()
        };
        store.add_category(&new).await?;
    }
    for feed in town::FEEDS {
        feeds::add_document(app, feed.url, &document(feed, app.clock.now())?).await?;
    }
    let turn = newsroom::consolidate(app).await?;
    let topics = turn.map_or(0, |turn| turn.stories);
    output::note(&format!("Grouped the news into {}", counted(topics, "topic", "topics")));
    Ok(())
}

/// A feed whose items are as old as the town says, counted from now.
fn document(feed: &town::Feed, now: Timestamp) -> anyhow::Result<Vec<u8>> {
    let mut items = Vec::new();
    for (hours, url, title, summary) in feed.items {
        let published = Timestamp::since(&format!("{hours}h"), now)?;
        items.push(serde_json::json!({
            "id": url, "url": url, "title": title, "summary": summary,
            "date_published": published.to_string(),
        }));
    }
    let version = "https://jsonfeed.org/version/1.1";
    let feed = serde_json::json!({ "version": version, "title": feed.title, "items": items });
    Ok(feed.to_string().into_bytes())
}

async fn runs(app: &App) -> anyhow::Result<()> {
    let store = app.store().await?;
    let backend = ProgramBackend::new(Live::new(app))?;
    for (question, deep) in town::QUESTIONS {
        let mode = if *deep { Mode::Deep } else { Mode::Standard };
        let ask = Ask {
            question: (*question).to_owned(),
            mode: Some(mode),
            search: Some("library".to_owned()),
            ..Ask::default()
        };
        let spec = backend.spec(&ask).map_err(|error| anyhow::anyhow!("{}", error.why))?;
        let written = serde_json::to_string(&spec)?;
        let run = spec.entry(&written);
        let added =
            store.enqueue_run(&run, &RunJob::of(EDITOR), app.settings.queue.limits()).await?;
        anyhow::ensure!(added == Enqueued::Added, "a run could not be queued");
    }
    output::note(&format!("Answering {} questions …", town::QUESTIONS.len()));
    let handlers = worker::handlers(&[RESEARCH.to_owned()], app)?;
    let mut settings = app.settings.worker.of(worker::name()?);
    settings.concurrency = RUNS_AT_ONCE;
    settings.until_empty = true;
    // Stopping the demo drops all of this.
    let (_open, stop) = watch::channel(false);
    let tally = work(&store, &handlers, &settings, stop).await;
    anyhow::ensure!(tally.failed == 0, "{} runs failed", tally.failed);
    output::note(&format!("{} runs are finished", tally.done));
    Ok(())
}
