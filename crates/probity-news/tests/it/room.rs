//! A newsroom for tests: a store, a loopback web of many hosts, and something that polls.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use probity_core::{Clock, FeedId, WebUrl};
use probity_credibility::outlet::{OutletRules, Resolver};
use probity_news::NewsSettings;
use probity_news::poll::{Polled, Poller};
use probity_news::schedule::{self, Event, LEASE, Schedule, Totals, Until};
use probity_store::news::{Added, FeedRecord, NewFeed, job_id};
use probity_store::{Location, Store};
use probity_testkit::bad_web::BadWeb;
use probity_testkit::postgres::TestDatabase;
use probity_web::fetch::{AllowedHost, FetchSettings, Fetcher};
use tokio::sync::watch;

/// Every name under `.example` is the loopback server.
struct Everywhere(SocketAddr);

impl probity_web::fetch::Resolver for Everywhere {
    fn resolve(&self, _: &str) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> {
        futures::future::ready(Ok(vec![self.0])).boxed()
    }
}

/// How feeds are fetched in tests: these hosts lead to the server, and no one waits.
pub(crate) fn fetching(web: SocketAddr, hosts: &[String]) -> FetchSettings {
    let mut allow: Vec<AllowedHost> =
        hosts.iter().map(|host| format!("{host}:{}", web.port()).parse().unwrap()).collect();
    allow.push(web.to_string().parse().unwrap());
    FetchSettings {
        delay: Duration::ZERO,
        per_host: 64,
        robots: false,
        backoff: Duration::from_millis(1),
        time: Duration::from_secs(20),
        allow_hosts: allow,
        resolver: Arc::new(Everywhere(web)),
        ..FetchSettings::default()
    }
}

pub(crate) fn poller(store: &Store, fetching: FetchSettings, settings: NewsSettings) -> Poller {
    let fetcher = Fetcher::new(fetching).unwrap();
    let resolver = Resolver::new(&OutletRules::default()).unwrap();
    Poller::new(store.clone(), fetcher, resolver, settings, Clock::System)
}

pub(crate) async fn add(store: &Store, url: &str) -> FeedId {
    let parsed = WebUrl::parse(url).unwrap();
    let host = parsed.dns_host();
    match store.add_feed(&NewFeed { url, host, ..NewFeed::default() }).await.unwrap() {
        Added::New(id) => id,
        other => panic!("{other:?}"),
    }
}

/// Polls a feed now.
pub(crate) async fn poll(store: &Store, poller: &Poller, id: FeedId) -> Polled {
    let claimed = store.claim_one("test", &job_id(id), LEASE).await.unwrap();
    let claimed = claimed.expect("the feed can be taken up");
    poller.poll(&claimed.fence, &feed(store, id).await).await.unwrap()
}

pub(crate) async fn feed(store: &Store, id: FeedId) -> FeedRecord {
    store.feed(id).await.unwrap().unwrap()
}

/// One round over what is due.
pub(crate) async fn round(
    store: &Store,
    poller: Poller,
    worker: &str,
    settings: NewsSettings,
    watch: &(dyn Fn(&Event) + Sync),
) -> Totals {
    let schedule = Schedule {
        worker: worker.to_owned(),
        until: Until::NothingDue,
        settings,
        clock: Clock::System,
    };
    let (_stop, stopped) = watch::channel(false);
    schedule::run(store, Arc::new(poller), &schedule, stopped, watch).await.unwrap()
}

/// An RSS document of numbered items.
pub(crate) fn rss(host: &str, numbers: std::ops::Range<usize>) -> String {
    let items: String = numbers
        .rev()
        .map(|n| {
            format!(
                "<item><guid>{host}-{n}</guid><title>Story {n} of {host}</title>\
                 <link>https://{host}/story/{n}</link>\
                 <description>The harbour of {host} was closed {n} times.</description></item>"
            )
        })
        .collect();
    format!("<rss version=\"2.0\"><channel><title>News of {host}</title>{items}</channel></rss>")
}

/// A store that vanishes with the test.
pub(crate) struct Place {
    pub(crate) argument: String,
    _folder: Option<tempfile::TempDir>,
    _database: Option<TestDatabase>,
}

impl Place {
    pub(crate) fn file() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let argument = format!("sqlite:{}", folder.path().join("probity.db").display());
        Self { argument, _folder: Some(folder), _database: None }
    }

    pub(crate) async fn on_each_engine() -> Vec<Self> {
        let database = TestDatabase::create().await.map(|database| Self {
            argument: database.url(),
            _folder: None,
            _database: Some(database),
        });
        [Some(Self::file()), database].into_iter().flatten().collect()
    }

    pub(crate) async fn open(&self) -> Store {
        Store::open(&Location::parse(&self.argument).unwrap()).await.unwrap()
    }
}

/// The address of a path on one of the server's many hosts.
pub(crate) fn at(web: &BadWeb, host: &str, path: &str) -> String {
    format!("http://{host}:{}{path}", web.address().port())
}
