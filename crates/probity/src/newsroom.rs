//! What the commands of the newsroom share: something that polls, the consolidator, a feed by its name, times.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use probity_core::{FeedId, Shared, Timestamp, WebUrl, printable};
use probity_credibility::feed::FeedItem;
use probity_credibility::outlet::Resolver;
use probity_model::model_set::Assignment;
use probity_news::consolidate::{Consolidator, Judge, Turn};
use probity_news::discover::{Found, Offered, discover};
use probity_news::full_text::FullTexts;
use probity_news::poll::{Polled, Poller};
use probity_news::schedule::{self, Event, LEASE, Polls, Schedule, Totals, Until};
use probity_research::run::ModelUse;
use probity_server::{FeedPreview, Look, OfferedFeed, PreviewItem};
use probity_store::news::{FeedRecord, job_id};
use probity_store::{SharedStore, Store, StoreError};
use probity_web::fetch::{Fetcher, RawResponse};
use tokio::sync::watch;

use crate::app::App;
use crate::command::news::consolidate::summary;
use crate::command::worker;
use crate::failure::{WithHint as _, missing, usage};
use crate::live::Live;
use crate::models;

/// What is said where there is nothing yet.
pub(crate) const NO_FEEDS: &str = "There are no feeds; `probity feeds add URL` adds one.";

/// Private hosts that a command may open.
#[derive(Default, clap::Args)]
pub(crate) struct OpenHosts {
    /// Open exactly this host and port, even if its address is private. May be repeated.
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) allow_host: Vec<String>,
}

/// Something that polls feeds and reads articles by the settings, with more hosts opened.
pub(crate) async fn poller(app: &App, allow_hosts: &[String]) -> anyhow::Result<Poller> {
    open(app, allow_hosts, None).await
}

/// The same in step with all processes of the store: together they ask no host faster than is
/// polite.
pub(crate) async fn shared_poller(app: &App, allow_hosts: &[String]) -> anyhow::Result<Poller> {
    let store = app.store().await?;
    let shared = SharedStore::new(&store, app.settings.queue.max_cost_per_day);
    open(app, allow_hosts, Some(Arc::new(shared))).await
}

/// How a worker of this name polls, by the settings.
pub(crate) fn schedule(worker: String, until: Until, app: &App) -> Schedule {
    Schedule { worker, until, settings: app.settings.news.clone(), clock: app.clock }
}

/// How often it checks whether the consolidator is due.
const CHECKED_EVERY: Duration = Duration::from_secs(15);

/// The consolidator over the store, by the settings.
pub(crate) async fn consolidator(app: &App) -> anyhow::Result<Consolidator> {
    Ok(Consolidator::new(app.store().await?, app.settings.news.clone(), app.clock))
}

/// The consolidator that takes turns: it asks the language model of `[news] model`, where one is named.
pub(crate) async fn judging_consolidator(app: &App) -> anyhow::Result<Consolidator> {
    let consolidator = consolidator(app).await?;
    let choice = &app.settings.news.model;
    let assignment = Assignment::make(&app.settings.model, Some(choice), None)
        .map_err(|error| usage(format!("[news] model: {error}")))?;
    let limits = app.settings.model.limits;
    let model = ModelUse { assignment, limits, ..ModelUse::default() };
    let Some(model_set) = models::open(app, &model)? else { return Ok(consolidator) };
    let shared = SharedStore::new(&app.store().await?, app.settings.queue.max_cost_per_day);
    Ok(consolidator.judged_by(Judge::new(model_set.sharing(Arc::new(shared)), limits)))
}

/// Takes one turn of the consolidator now; gives nothing if another process is at it.
pub(crate) async fn consolidate(app: &App) -> anyhow::Result<Option<Turn>> {
    Ok(judging_consolidator(app).await?.take_turn_now(&worker::name()?).await?)
}

/// Polls feeds and takes the consolidator's turns, as both fall due.
pub(crate) async fn poll_and_consolidate(
    app: &App,
    poller: Poller,
    schedule: &Schedule,
    stop: watch::Receiver<bool>,
    tell: &(dyn Fn(&Event) + Sync),
) -> anyhow::Result<Totals> {
    let store = app.store().await?;
    let live = Live::new(app);
    let live =
        LiveConsolidator { consolidator: judging_consolidator(app).await?, app: live.app(), live };
    let poller = Arc::new(poller);
    let polls: Arc<dyn Polls> = Arc::<Poller>::clone(&poller);
    let stopped = stopped(stop.clone());
    let polling = schedule::run(&store, polls, schedule, stop, tell);
    match schedule.until {
        Until::NothingDue => {
            let totals = polling.await?;
            log_turn(live.consolidator.take_turn_now(&schedule.worker).await);
            tokio::select! {
                () = read_wanted(&poller) => {}
                () = stopped => {}
            }
            Ok(totals)
        }
        // A turn that is cut off when polling ends is taken again by the next process.
        Until::Stopped => tokio::select! {
            totals = polling => Ok(totals?),
            never = live.run(&poller, &schedule.worker) => match never {},
        },
    }
}

/// The consolidator, and the settings that it was made of.
struct LiveConsolidator {
    consolidator: Consolidator,
    app: Arc<App>,
    live: Arc<Live>,
}

impl LiveConsolidator {
    /// Takes the turns of the consolidator as they fall due, until it is dropped.
    async fn run(mut self, poller: &Poller, worker: &str) -> Infallible {
        loop {
            self.reload().await;
            if log_turn(self.consolidator.take_turn(worker).await) {
                read_wanted(poller).await;
            }
            tokio::time::sleep(CHECKED_EVERY).await;
        }
    }

    /// Takes up what was changed on the page, such as the key of the model that judges.
    async fn reload(&mut self) {
        let app = self.live.app();
        if Arc::ptr_eq(&app, &self.app) {
            return;
        }
        match judging_consolidator(&app).await {
            Ok(consolidator) => self.consolidator = consolidator,
            Err(error) => {
                tracing::warn!(error = format!("{error:#}"), "topics are judged as before");
            }
        }
        self.app = app;
    }
}

/// Waits for the stop signal; for ever if it cannot come any more.
async fn stopped(mut stop: watch::Receiver<bool>) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Tells what a turn came to. Gives whether there was one.
fn log_turn(turn: Result<Option<Turn>, StoreError>) -> bool {
    match turn {
        Ok(Some(turn)) => {
            tracing::info!(topics = turn.stories, "{}", summary(&turn));
            true
        }
        Ok(None) => false,
        Err(error) => {
            tracing::warn!(%error, "topics could not be consolidated");
            false
        }
    }
}

/// Reads pages for categories that want full texts.
async fn read_wanted(poller: &Poller) {
    match poller.read_wanted().await {
        Ok(FullTexts { read: 0, failed: 0 }) => {}
        Ok(FullTexts { read, failed }) => tracing::info!(read, failed, "full texts"),
        Err(error) => tracing::warn!(%error, "full texts could not be stored"),
    }
}

async fn open(
    app: &App,
    allow_hosts: &[String],
    shared: Option<Arc<dyn Shared>>,
) -> anyhow::Result<Poller> {
    let fetcher = Fetcher::sharing(app.fetch_settings(allow_hosts)?, shared);
    let fetcher = fetcher.context("cannot prepare the fetcher")?;
    let resolver = Resolver::new(&app.settings.credibility.outlets)
        .context("the configuration of outlets cannot be used")?;
    let settings = app.settings.news.clone();
    Ok(Poller::new(app.store().await?, fetcher, resolver, settings, app.clock))
}

/// What is at an address where a feed is expected, as the server shows it before it is added.
pub(crate) async fn look(app: &App, url: &WebUrl) -> anyhow::Result<Look> {
    let shared = SharedStore::new(&app.store().await?, app.settings.queue.max_cost_per_day);
    let fetcher = Fetcher::sharing(app.fetch_settings(&[])?, Some(Arc::new(shared)));
    let fetcher = fetcher.context("cannot prepare the fetcher")?;
    let found = match discover(&fetcher, url, app.clock.now()).await? {
        Found::Feed(found) => found,
        Found::Page(offered) => {
            let offer = |one: Offered| OfferedFeed { url: one.url.to_string(), title: one.title };
            return Ok(Look::Page(offered.into_iter().map(offer).collect()));
        }
    };
    if let Some(problem) = found.feed.broken() {
        anyhow::bail!("{} cannot be read: {problem}", found.url);
    }
    let items = found.feed.items.iter().take(FeedPreview::ITEMS).map(|item| PreviewItem {
        title: item.title.clone(),
        url: address(&item.addresses),
        published_at: item.published.map(|at| at.to_string()),
    });
    Ok(Look::Feed(Box::new(FeedPreview {
        items: items.collect(),
        url: found.url.to_string(),
        site_url: found.feed.site,
        format: found.feed.format.as_str().to_owned(),
        items_count: found.feed.items.len(),
        title: found.feed.title,
        problem: found.feed.problem,
    })))
}

/// The address that an item leads to, as the feed has it.
fn address(item: &FeedItem) -> Option<String> {
    let mut given = item.link.iter().chain(&item.alternates).chain(&item.permalink);
    given.next().cloned()
}

/// The feed of an id or an address.
pub(crate) async fn pick(store: &Store, name: &str) -> anyhow::Result<FeedRecord> {
    let found = match name.parse::<FeedId>() {
        Ok(id) => store.feed(id).await?,
        Err(_) => {
            let url = WebUrl::parse(name)
                .map_err(|_| {
                    usage(format!("`{}` is not the number of a feed", printable::brief(name, 80)))
                })
                .hint("give the number that `probity feeds list` shows, or the whole address")?;
            store.feed_at(url.as_str()).await?
        }
    };
    found.ok_or_else(|| missing("feed", name)).hint("`probity feeds list` shows them all")
}

/// Polls one feed now, whether it is due or not, or takes in an answer that is at hand.
pub(crate) async fn poll_one(
    store: &Store,
    poller: &Poller,
    feed: &FeedRecord,
    raw: Option<RawResponse>,
) -> anyhow::Result<Polled> {
    let claimed = store.claim_one(&worker::name()?, &job_id(feed.id), LEASE).await?;
    let claimed = claimed
        .ok_or_else(|| anyhow::anyhow!("feed {} cannot be polled now", feed.id))
        .hint("another process polls it, or it is disabled: see `probity feeds show`")?;
    let polled = match raw {
        Some(raw) => poller.take(&claimed.fence, feed, Ok(raw)).await,
        None => poller.poll(&claimed.fence, feed).await,
    };
    Ok(polled?)
}

/// The host of a feed's address.
pub(crate) fn host(url: &str) -> String {
    WebUrl::parse(url).map_or_else(|_| String::new(), |url| url.dns_host().to_owned())
}

/// A time as it was typed: `24h`, `7d`, a day or an instant.
pub(crate) fn since(text: &str, now: Timestamp) -> anyhow::Result<Timestamp> {
    Timestamp::since(text, now)
        .map_err(|error| usage(printable::line(&error.to_string()).to_string()))
}

/// A wait in the largest unit that tells it well.
pub(crate) fn span(millis: i64) -> String {
    let (sign, millis) = if millis < 0 { ("-", -millis) } else { ("", millis) };
    let minutes = millis / 60_000;
    match minutes {
        0 => format!("{sign}{} s", millis / 1_000),
        1..=119 => format!("{sign}{minutes} min"),
        120..=2_879 => format!("{sign}{} h", minutes / 60),
        _ => format!("{sign}{} d", minutes / (24 * 60)),
    }
}
