//! `probity feeds add`: a feed by its address, or by that of a page that offers it.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use probity_core::{WebUrl, counted, printable};
use probity_news::discover::{Found, FoundFeed, discover};
use probity_news::feed::{self, FEED_BYTES};
use probity_news::poll::{Polled, Poller};
use probity_store::news::{Added, FeedRecord, NewFeed};
use probity_web::fetch::{Fetcher, RawResponse};
use serde::Serialize;

use crate::app::App;
use crate::failure::{WithHint as _, usage};
use crate::json_lines::open;
use crate::newsroom::{OpenHosts, poll_one, poller};
use crate::output;

/// The longest wait between two polls of a feed, in minutes: a month.
const INTERVAL_MOST: u32 = 43_200;

/// What may be typed after `probity feeds add`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The address of a feed, or of a page that offers one.
    #[arg(value_name = "URL")]
    url: String,
    /// What to call it, instead of its own title.
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// A category that its articles belong to by default. May be repeated.
    #[arg(long, value_name = "NAME")]
    category: Vec<String>,
    /// Poll it every N minutes, instead of adapting to how often it changes.
    #[arg(long, value_name = "MINUTES", value_parser = clap::value_parser!(u32).range(1..=i64::from(INTERVAL_MOST)))]
    interval: Option<u32>,
    /// Of a page that offers several feeds, add all; by default the first.
    #[arg(long)]
    all: bool,
    /// Read its document from this file instead of the network; `-` is stdin.
    #[arg(long, value_name = "FILE", conflicts_with = "all")]
    from: Option<PathBuf>,
    #[command(flatten)]
    open: OpenHosts,
}

/// What was added, as JSON.
#[derive(Serialize)]
struct Output {
    feed: FeedRecord,
    added: bool,
    polled: Option<Polled>,
}

/// Runs `probity feeds add`.
pub(crate) async fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    let url = WebUrl::parse(&args.url)
        .map_err(|error| usage(format!("{}: {error}", printable::brief(&args.url, 80))))
        .hint("give the whole address, for example https://www.example.org/feed.xml")?;
    let poller = poller(app, &args.open.allow_host).await?;
    let found = match &args.from {
        Some(file) => vec![from_file(file, &url, app)?],
        None => find(&args, &url, app).await?,
    };
    let mut outputs = Vec::new();
    for found in found {
        if let Some(problem) = found.feed.broken() {
            return Err(anyhow::anyhow!("{} cannot be read: {problem}", found.url))
                .hint("nothing was added; try again when the feed is whole");
        }
        outputs.push(add(&args, app, &poller, found).await?);
    }
    if app.json {
        output::print_json(&outputs)?;
    } else {
        for output in &outputs {
            print(output)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The feeds at an address: itself, or those that the page there offers.
async fn find(args: &Args, url: &WebUrl, app: &App) -> anyhow::Result<Vec<FoundFeed>> {
    let fetcher = Fetcher::new(app.fetch_settings(&args.open.allow_host)?);
    let fetcher = fetcher.context("cannot prepare the fetcher")?;
    let hint = "give the address of an RSS, Atom or JSON feed, or of a page that links one";
    let offered = match discover(&fetcher, url, app.clock.now()).await.hint(hint)? {
        Found::Feed(found) => return Ok(vec![*found]),
        Found::Page(offered) => offered,
    };
    let wanted = if args.all { offered.len() } else { 1 };
    if let Some(others) = offered.get(wanted..).filter(|others| !others.is_empty()) {
        output::note(&format!("The page offers {} more (--all adds them):", others.len()));
        for other in others {
            output::note(&format!("  {}  {}", other.url, other.title));
        }
    }
    let mut found = Vec::new();
    for offer in offered.into_iter().take(wanted) {
        match discover(&fetcher, &offer.url, app.clock.now()).await {
            Ok(Found::Feed(feed)) => found.push(*feed),
            Ok(Found::Page(_)) => output::note(&format!("{} is not a feed", offer.url)),
            Err(error) => output::note(&error.to_string()),
        }
    }
    if found.is_empty() {
        return Err(anyhow::anyhow!("the page {url} offers a feed, but it cannot be read"))
            .hint(hint);
    }
    Ok(found)
}

fn from_file(file: &Path, url: &WebUrl, app: &App) -> anyhow::Result<FoundFeed> {
    let mut body = Vec::new();
    open(file)?
        .take(FEED_BYTES as u64 + 1)
        .read_to_end(&mut body)
        .with_context(|| format!("cannot read {}", file.display()))?;
    at_hand(body, url, app)
        .with_context(|| format!("cannot read {}", file.display()))
        .hint("give the file of an RSS, Atom or JSON feed")
}

/// A feed whose document is here already.
fn at_hand(body: Vec<u8>, url: &WebUrl, app: &App) -> anyhow::Result<FoundFeed> {
    let feed = feed::read(&body, Some(url), app.clock.now())?;
    let raw = RawResponse::at_hand(url, body);
    Ok(FoundFeed { url: url.clone(), feed, raw })
}

/// Adds a feed by its document, and does not poll it again for as long as a feed can wait.
pub(crate) async fn add_document(app: &App, url: &str, document: &[u8]) -> anyhow::Result<()> {
    let address = WebUrl::parse(url)?;
    let args = Args {
        url: url.to_owned(),
        title: None,
        category: Vec::new(),
        interval: Some(INTERVAL_MOST),
        all: false,
        from: None,
        open: OpenHosts::default(),
    };
    let poller = poller(app, &[]).await?;
    let found = at_hand(document.to_vec(), &address, app)?;
    add(&args, app, &poller, found).await.map(drop)
}

async fn add(args: &Args, app: &App, poller: &Poller, found: FoundFeed) -> anyhow::Result<Output> {
    let store = app.store().await?;
    let FoundFeed { url, feed, raw } = found;
    let new = NewFeed {
        url: url.as_str(),
        host: url.dns_host(),
        title: &feed.title,
        label: args.title.as_deref(),
        categories: &args.category,
        interval: args.interval.map(|minutes| Duration::from_secs(u64::from(minutes) * 60)),
        ..NewFeed::default()
    };
    let (id, added) = match store.add_feed(&new).await? {
        Added::New(id) => (id, true),
        Added::Exists(id) => (id, false),
        Added::Full => {
            return Err(anyhow::anyhow!("there are as many feeds as a store polls"))
                .hint("remove some with `probity feeds remove`");
        }
    };
    let missing = || anyhow::anyhow!("feed {id} was removed meanwhile");
    let record = store.feed(id).await?.ok_or_else(missing)?;
    let polled = match added || args.from.is_some() {
        true => Some(poll_one(&store, poller, &record, Some(raw)).await?),
        false => None,
    };
    let feed = store.feed(id).await?.ok_or_else(missing)?;
    Ok(Output { feed, added, polled })
}

fn print(output: &Output) -> anyhow::Result<()> {
    let feed = &output.feed;
    let name = printable::brief(feed.name(), 100);
    let agg = if feed.aggregator { " (agg)" } else { "" };
    let text = match (&output.polled, output.added) {
        (Some(polled), true) => {
            let count = counted(polled.new, "article", "articles");
            format!("Feed {} added: {name}{agg}, {count}.", feed.id)
        }
        (Some(polled), false) => {
            let count = counted(polled.new, "new article", "new articles");
            format!("Feed {}: {name}{agg}, {count}.", feed.id)
        }
        (None, _) => format!("Feed {} already exists: {name}{agg}.", feed.id),
    };
    output::print_line(&text)?;
    if let Some(reason) = output.polled.as_ref().and_then(|polled| polled.reason.as_deref()) {
        output::note(&format!("Not everything was read: {reason}"));
    }
    Ok(())
}
