//! Many feeds, several schedulers, processes that die: nothing is polled twice at once, lost or doubled.

use std::collections::{BTreeSet, HashMap};
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use probity_core::FeedId;
use probity_news::NewsSettings;
use probity_news::schedule::Event;
use probity_store::Store;
use probity_store::news::{ArticleQuery, FeedQuery, Place as Mark};
use probity_testkit::bad_web::{BadWeb, Reply, bombs};

use crate::room::{Place, add, at, fetching, poller, round, rss};

const TASK: &str = "PROBITY_TEST_NEWSROOM";
const XML: (&str, &str) = ("content-type", "application/rss+xml");

/// The second process: polls what is due, over and over, and tells of every poll once it is kept.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "the second process of other tests; does nothing on its own"]
async fn scheduler() {
    let task = std::env::var(TASK).expect("started by another test");
    let (web, place) = task.split_once(' ').unwrap();
    let web: SocketAddr = web.parse().unwrap();
    let store = Store::open(&place.parse_location()).await.unwrap();
    let settings = NewsSettings { concurrency: 4, per_host: 4, ..NewsSettings::default() };
    let worker = format!("p{}", std::process::id());
    let tell = |event: &Event| {
        if let Event::Polled { polled, .. } = event {
            println!("ack {} {};", polled.feed, polled.new);
        }
    };
    loop {
        let poller = poller(&store, fetching(web, &[]), settings.clone());
        let totals = round(&store, poller, &worker, settings.clone(), &tell).await;
        if totals.polls == 0 {
            println!("idle;");
            if std::env::var("PROBITY_TEST_ONCE").is_ok() {
                return;
            }
            // Makes every feed due again: work without end, until this process is killed.
            store.poll_now(None).await.unwrap();
        }
    }
}

trait ParseLocation {
    fn parse_location(&self) -> probity_store::Location;
}

impl ParseLocation for str {
    fn parse_location(&self) -> probity_store::Location {
        probity_store::Location::parse(self).unwrap()
    }
}

fn start(web: &BadWeb, place: &Place, once: bool) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "many::scheduler", "--ignored", "--nocapture"])
        .env(TASK, format!("{} {}", web.address(), place.argument))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if once {
        command.env("PROBITY_TEST_ONCE", "1");
    }
    command.spawn().unwrap()
}

/// How many requests for each path are in progress, and the most there ever were.
#[derive(Default)]
struct Traffic {
    now: Mutex<HashMap<String, usize>>,
    most: AtomicUsize,
}

impl Traffic {
    fn begin(&self, path: &str) {
        let mut now = self.now.lock().unwrap();
        let count = now.entry(path.to_owned()).or_default();
        *count += 1;
        self.most.fetch_max(*count, Ordering::SeqCst);
    }

    fn end(&self, path: &str) {
        *self.now.lock().unwrap().get_mut(path).unwrap() -= 1;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_schedulers_never_poll_one_feed_at_once_nor_keep_an_item_twice() {
    const FEEDS: usize = 30;
    for place in Place::on_each_engine().await {
        let traffic = Arc::new(Traffic::default());
        let seen = Arc::clone(&traffic);
        let web = BadWeb::start(move |asked| {
            let path = asked.page().to_owned();
            seen.begin(&path);
            let seen = Arc::clone(&seen);
            let body = rss(&format!("h{}.example", path.trim_start_matches('/')), 0..20);
            // Slow enough that a second poll of the same feed would meet the first.
            Reply::with(200, &[XML], body)
                .after(Duration::from_millis(30))
                .then(move || seen.end(&path))
        });
        let web = web.await.unwrap();
        let store = place.open().await;
        for n in 0..FEEDS {
            add(&store, &web.url(&format!("/{n}"))).await;
        }
        let children: Vec<Child> = (0..2).map(|_| start(&web, &place, true)).collect();
        let mut polls = 0;
        let mut workers = 0;
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let own = text.matches("ack ").count();
            polls += own;
            workers += usize::from(own > 0);
        }
        assert_eq!(polls, FEEDS, "each feed was polled once");
        assert_eq!(workers, 2, "both took part");
        assert_eq!(traffic.most.load(Ordering::SeqCst), 1, "a feed was polled twice at once");
        for n in 0..FEEDS {
            assert_eq!(web.count(&format!("/{n}")), 1);
        }
        let room = store.newsroom().await.unwrap();
        assert_eq!(room.articles, i64::try_from(FEEDS * 20).unwrap());
    }
}

/// Lets a scheduler tell of a few polls and kills it; gives the articles that were acknowledged.
fn run_and_kill(web: &BadWeb, place: &Place, turn: usize) -> usize {
    let mut child = start(web, place, false);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut acknowledged = 0;
    let count = |line: &str| {
        let (_, rest) = line.rsplit_once("ack ")?;
        rest.strip_suffix(';')?.split_once(' ')?.1.parse::<usize>().ok()
    };
    let mut polls = 0;
    while polls <= turn % 5 {
        let line = lines.next().expect("it goes on until it is killed").unwrap();
        if let Some(new) = count(&line) {
            acknowledged += new;
            polls += 1;
        }
    }
    child.kill().unwrap();
    acknowledged += lines.map_while(Result::ok).filter_map(|line| count(&line)).sum::<usize>();
    child.wait().unwrap();
    acknowledged
}

#[tokio::test(flavor = "multi_thread")]
async fn schedulers_that_are_killed_lose_no_article_and_double_none() {
    const FEEDS: usize = 12;
    const KILLS: usize = 12;
    for place in Place::on_each_engine().await {
        // Each time a feed is asked it has five items more, and forgets none.
        let web = BadWeb::start(|asked| {
            let host = format!("h{}.example", asked.page().trim_start_matches('/'));
            Reply::with(200, &[XML], rss(&host, 0..(asked.nth + 1) * 5))
        });
        let web = web.await.unwrap();
        let store = place.open().await;
        for n in 0..FEEDS {
            add(&store, &web.url(&format!("/{n}"))).await;
        }
        let mut acknowledged = 0;
        for turn in 0..KILLS {
            acknowledged += run_and_kill(&web, &place, turn);
            // Whoever is killed keeps its leases until they run out; the next need not wait here.
            free_leases(&store).await;
        }
        let articles = all_articles(&store).await;
        assert!(articles.len() >= acknowledged, "{} < {acknowledged}", articles.len());
        let distinct: BTreeSet<&(Option<FeedId>, String)> = articles.iter().collect();
        assert_eq!(distinct.len(), articles.len(), "an item was kept twice");
        // Of every feed the items are whole: what a poll brought is there with all before it.
        let mut brought = 0;
        for feed in store.feeds(&FeedQuery::default()).await.unwrap() {
            let own = articles.iter().filter(|(id, _)| *id == Some(feed.id)).count();
            assert_eq!(own % 5, 0, "half a poll was kept");
            assert_eq!(i64::try_from(own).unwrap(), feed.brought, "feed and articles disagree");
            brought += own;
        }
        assert_eq!(brought, articles.len());
    }
}

/// Hands back what dead schedulers had.
async fn free_leases(store: &Store) {
    let leased = store.jobs(Some(probity_store::queue::JobState::Leased)).await.unwrap();
    for job in leased {
        let fence = probity_store::queue::Fence {
            job: job.id,
            worker: job.worker.unwrap(),
            attempt: job.attempt,
        };
        store.reschedule(&fence, Duration::ZERO).await.unwrap();
    }
}

async fn all_articles(store: &Store) -> Vec<(Option<FeedId>, String)> {
    let mut all = Vec::new();
    let mut mark = Mark::default();
    loop {
        let page = store.articles_after(mark, 1_000).await.unwrap();
        let Some(last) = page.last() else { return all };
        mark = Mark::after(last);
        all.extend(page.iter().map(|a| (a.feed_id, a.guid.clone().unwrap())));
    }
}

/// What the n-th of many feeds does. A tenth is trouble.
fn behave(n: usize, nth: usize, port: u16) -> Reply {
    let good = || Reply::with(200, &[XML], rss(&format!("f{n}.example"), 0..5));
    if !n.is_multiple_of(10) {
        return good();
    }
    match (n / 10) % 10 {
        0 => good().after(Duration::from_millis(800)),
        1 => Reply::status(500),
        2 => Reply::with(200, &[XML], "<rss><channel><item><title>Bro"),
        3 => Reply::redirect(301, &format!("http://f{n}.example:{port}/elsewhere{nth}")),
        4 => Reply::redirect(302, "/loop"),
        5 => Reply::head(200, &[XML]).forever(vec![b'x'; 64 * 1024], Duration::ZERO),
        6 => Reply::with(
            200,
            &[XML],
            "<!DOCTYPE lolz [<!ENTITY a \"lol\"><!ENTITY b \"&a;&a;&a;&a;\">]><rss><channel><title>&b;</title></channel></rss>",
        ),
        7 => Reply::with(
            200,
            &[XML],
            "<!DOCTYPE r [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><rss><channel><title>&x;</title></channel></rss>",
        ),
        8 => Reply::with(
            200,
            &[XML, ("content-encoding", "gzip")],
            bombs::gzip(50 * 1024 * 1024).unwrap(),
        ),
        _ => Reply::head(200, &[XML]).send(&b"<rss><channel>"[..]).hold(),
    }
}

fn resident_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// A round over `feeds` feeds of which a tenth is trouble; prints what it took.
async fn troubled_round(feeds: usize) {
    let place = Place::file();
    let store = place.open().await;
    let web = BadWeb::start(|asked| {
        let host = asked.header("host").unwrap_or_default();
        let n =
            host.split('.').next().and_then(|f| f.strip_prefix('f')).and_then(|n| n.parse().ok());
        match (n, asked.page()) {
            (Some(_), "/loop") => Reply::redirect(302, "/loop2"),
            (Some(_), "/loop2") => Reply::redirect(302, "/loop"),
            (Some(n), page) if page.starts_with("/elsewhere") => {
                Reply::with(200, &[XML], rss(&format!("f{n}.example"), 0..5))
            }
            (Some(n), _) => behave(n, asked.nth, asked.server.port()),
            _ => Reply::status(404),
        }
    });
    let web = web.await.unwrap();
    let hosts: Vec<String> = (0..feeds).map(|n| format!("f{n}.example")).collect();
    for host in &hosts {
        add(&store, &at(&web, host, "/feed")).await;
    }
    let settings = NewsSettings { concurrency: 32, per_host: 2, ..NewsSettings::default() };
    let mut fetching = fetching(web.address(), &hosts);
    fetching.time = Duration::from_secs(3);
    fetching.retries = 0;
    let poller = poller(&store, fetching, settings.clone());
    let highest = Arc::new(AtomicUsize::new(0));
    let before = resident_kilobytes();
    let shared = Arc::clone(&highest);
    let watch = move |event: &Event| {
        if let Event::Polled { .. } = event {
            shared.fetch_max(usize::try_from(resident_kilobytes()).unwrap(), Ordering::SeqCst);
        }
    };
    let begun = std::time::Instant::now();
    let totals = round(&store, poller, "round", settings, &watch).await;
    let peak = highest.load(Ordering::SeqCst);
    println!(
        "{feeds} feeds in {:.1} s; resident {} MB before, at most {} MB; {totals:?}",
        begun.elapsed().as_secs_f64(),
        before / 1024,
        peak / 1024
    );
    assert_eq!(totals.polls, u64::try_from(feeds).unwrap(), "one round polls each once");
    // Good, slow, redirected ones and what came before a break.
    let good: usize = (0..feeds).filter(|n| n % 10 != 0 || matches!((n / 10) % 10, 0 | 3)).count();
    let articles = store.newsroom().await.unwrap().articles;
    assert_eq!(articles, i64::try_from(good * 5).unwrap());
    let failing = FeedQuery { failing: true, limit: Some(50_000), ..FeedQuery::default() };
    let failing = store.feeds(&failing).await.unwrap();
    assert!(failing.iter().all(|feed| feed.next_at.is_some()), "a failing feed is tried again");
    // Neither the endless ones nor the bombs were held in memory: each alone is larger than this.
    assert!(peak < 1024 * 1024, "{peak} kB");
    let latest = ArticleQuery { limit: Some(1), ..ArticleQuery::default() };
    assert_eq!(store.articles(&latest).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_over_many_feeds_ends_although_a_tenth_is_trouble() {
    troubled_round(200).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes a minute; run it by name"]
async fn a_round_over_a_thousand_feeds_ends_although_a_tenth_is_trouble() {
    troubled_round(1_000).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_with_many_slow_feeds_does_not_keep_others_waiting() {
    let place = Place::file();
    let store = place.open().await;
    let order = Arc::new(Mutex::new(Vec::new()));
    let web = BadWeb::start(|asked| {
        let host = asked.header("host").unwrap_or_default().split(':').next().unwrap().to_owned();
        let body = rss(&format!("{}{host}", asked.page().trim_start_matches('/')), 0..1);
        let reply = Reply::with(200, &[XML], body);
        if host == "slow.example" { reply.after(Duration::from_millis(100)) } else { reply }
    });
    let web = web.await.unwrap();
    for n in 0..40 {
        add(&store, &at(&web, "slow.example", &format!("/{n}"))).await;
    }
    let mut hosts = vec!["slow.example".to_owned()];
    for n in 0..10 {
        hosts.push(format!("quick{n}.example"));
        add(&store, &at(&web, &format!("quick{n}.example"), "/feed")).await;
    }
    let settings = NewsSettings { concurrency: 4, per_host: 2, ..NewsSettings::default() };
    let poller = poller(&store, fetching(web.address(), &hosts), settings.clone());
    let shared = Arc::clone(&order);
    let watch = move |event: &Event| {
        if let Event::Polled { polled, .. } = event {
            shared.lock().unwrap().push(polled.url.contains("slow"));
        }
    };
    let totals = round(&store, poller, "fair", settings, &watch).await;
    assert_eq!(totals.polls, 50);
    let order = order.lock().unwrap();
    let last_quick = order.iter().rposition(|slow| !slow).unwrap();
    // Although the forty were due first, the others are done while a few of them are.
    assert!(last_quick < 25, "the last of the others came {last_quick}th");
}
