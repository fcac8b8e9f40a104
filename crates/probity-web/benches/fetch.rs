//! A thousand pages from a server with 50 ms latency: politely from one host, and from a thousand.
//!
//! ```text
//! cargo bench -p probity-web --bench fetch                  both parts, the polite one takes four minutes
//! cargo bench -p probity-web --bench fetch -- --pages 100   fewer pages
//! cargo bench -p probity-web --bench fetch -- hosts         only the part with many hosts
//! ```
//!
//! Pages are fetched, checked against robots.txt and extracted as in earnest. The server runs in
//! the same process, so its memory and its share of the cores are part of the figures.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark stops at the first surprise and prints its figures"
)]

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt};
use probity_core::WebUrl;
use probity_credibility::Permit;
use probity_testkit::bad_web::cases::GOOD;
use probity_testkit::bad_web::{BadWeb, Reply};
use probity_web::fetch::{FetchSettings, Fetcher, Resolver};

const LATENCY: Duration = Duration::from_millis(50);
/// How many pages of one host are wanted at the same time; the fetcher lets few through.
const WANTED_AT_ONCE: usize = 16;

/// Every name leads to the one server.
struct AllNames(SocketAddr);

impl Resolver for AllNames {
    fn resolve(&self, _: &str) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> {
        futures::future::ready(Ok(vec![self.0])).boxed()
    }
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let number = arguments.iter().position(|word| word == "--pages").map(|at| &arguments[at + 1]);
    let pages: usize = number.map_or(1000, |text| text.parse().unwrap());
    let only = |name: &str| arguments.iter().any(|word| word == name);
    if !only("polite") {
        many_hosts(pages).await;
    }
    if !only("hosts") {
        one_host(pages).await;
    }
}

async fn server() -> BadWeb {
    BadWeb::start(|asked| match asked.page() {
        "/robots.txt" => Reply::text("User-agent: *\nAllow: /\n").after(LATENCY),
        _ => Reply::html(GOOD).after(LATENCY),
    })
    .await
    .unwrap()
}

/// One page from each of many hosts, as fast as the default settings go.
async fn many_hosts(pages: usize) {
    let server = server().await;
    let hosts: Vec<String> = (0..pages).map(|nth| format!("host{nth}.example")).collect();
    let settings = FetchSettings {
        allow_hosts: hosts.iter().map(|host| format!("{host}:80").parse().unwrap()).collect(),
        resolver: Arc::new(AllNames(server.address())),
        ..FetchSettings::default()
    };
    let at_once = settings.concurrency;
    let urls = hosts.iter().map(|host| format!("http://{host}/page")).collect();
    run(&format!("{pages} hosts, {at_once} at once"), Fetcher::new(settings).unwrap(), urls, pages)
        .await;
}

/// Many pages of one host at the default politeness.
async fn one_host(pages: usize) {
    let server = server().await;
    let settings = FetchSettings {
        allow_hosts: vec![server.address().to_string().parse().unwrap()],
        ..FetchSettings::default()
    };
    let name =
        format!("1 host, {} at once, {} ms apart", settings.per_host, settings.delay.as_millis());
    let urls = (0..pages).map(|nth| server.url(&format!("/page{nth}"))).collect();
    run(&name, Fetcher::new(settings).unwrap(), urls, WANTED_AT_ONCE).await;
}

async fn run(name: &str, fetcher: Fetcher, urls: Vec<String>, at_once: usize) {
    let total = urls.len();
    let before = memory("VmRSS:");
    let start = Instant::now();
    let permits = urls.into_iter().map(|url| Permit::by_user(WebUrl::parse(&url).unwrap()));
    let mut fetched = futures::stream::iter(permits)
        .map(|permit| {
            let fetcher = fetcher.clone();
            async move { fetcher.fetch(&permit).await }
        })
        .buffer_unordered(at_once);
    let (mut read, mut done, mut resident) = (0, 0, Vec::new());
    while let Some(page) = fetched.next().await {
        done += 1;
        read += usize::from(page.outcome.is_read());
        if done % (total / 10).max(1) == 0 {
            resident.push(memory("VmRSS:").to_string());
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{name}: {read} of {total} pages read in {seconds:.1} s, {:.0} pages/s",
        total as f64 / seconds
    );
    println!(
        "  memory MB: {before} before, then {}; peak {}",
        resident.join(" "),
        memory("VmHWM:")
    );
}

/// A figure of this process's memory in MB.
fn memory(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(field)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0) / 1024
}
