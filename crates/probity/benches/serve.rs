//! What a server takes: 200 clients that read while 50 runs with a scripted model are in progress, and
//! then 1,000 watchers of one run. Prints answer times, failures and memory.
//!
//! ```text
//! ulimit -n 8192; cargo bench -p probity --bench serve            # as `scripts/bench-serve` does
//! PROBITY_BENCH_SECONDS=10 cargo bench -p probity --bench serve
//! ```
//!
//! Clients read a page or an API answer every second, as people do; `PROBITY_BENCH_PAUSE=0` has them
//! read as fast as they can, which measures throughput instead. The clients and the model share the
//! machine with the server.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    reason = "a benchmark prints, and cannot go on without its parts"
)]

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader as LineReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use probity_testkit::fake_api::FakeApi;
use probity_testkit::model::chat;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

const READERS: usize = 200;
const RUNS: usize = 50;
const WATCHERS: usize = 1_000;
/// How long the model thinks while others read, and while others watch, in milliseconds.
const THINKING: u64 = 1_000;
const THINKING_LONG: u64 = 4_000;
const QUESTION: &str = "How loud may amplified music be at night in Port Ellery?";

fn from_env(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// The program under test, ended with the benchmark.
struct Server {
    child: Child,
    host: String,
    _home: tempfile::TempDir,
}

impl Server {
    fn start(model: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        let tree = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let config = home.path().join("config.toml");
        let settings = format!(
            "[model]\ndefault = \"compatible:scripted\"\n[model.compatible]\nkey = \"none\"\n\
             base_url = \"{model}/v1\"\nconcurrency = 64\n[worker]\nconcurrency = {RUNS}\n"
        );
        std::fs::write(&config, settings).unwrap();
        let command = |args: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_probity"));
            command.args(args).env("PROBITY_HOME", home.path().join("data"));
            command.env("PROBITY_CONFIG", &config).current_dir(tree).stdin(Stdio::null());
            command
        };
        let added = command(&["library", "add", "examples/library"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert!(added.success(), "the example library cannot be added");
        let mut serve = command(&["serve", "--bind", "127.0.0.1:0", "--rate", "1000000"]);
        let mut child = serve.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        LineReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let host = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
        Self { child, host, _home: home }
    }

    /// The memory it has in use, in megabytes.
    fn megabytes(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes =
            line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
        kilobytes.unwrap_or(0) / 1024
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client with a connection that it keeps.
struct Client {
    host: String,
    stream: Option<BufReader<TcpStream>>,
}

impl Client {
    fn new(host: &str) -> Self {
        Self { host: host.to_owned(), stream: None }
    }

    /// Sends a request; gives the status and the body. A connection that was closed is opened again.
    async fn send(
        &mut self,
        method: &str,
        path: &str,
        body: &str,
    ) -> std::io::Result<(u16, Vec<u8>)> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => BufReader::new(TcpStream::connect(&self.host).await?),
        };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        stream.write_all(request.as_bytes()).await?;
        let (status, length) = head(&mut stream).await?;
        let body = match length {
            Some(length) => {
                let mut body = vec![0; length];
                stream.read_exact(&mut body).await?;
                body
            }
            None => chunks(&mut stream).await?,
        };
        self.stream = Some(stream);
        Ok((status, body))
    }
}

async fn line(stream: &mut BufReader<TcpStream>) -> std::io::Result<String> {
    let mut line = String::new();
    match stream.read_line(&mut line).await? {
        0 => Err(std::io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(line.trim_end().to_owned()),
    }
}

/// The status of an answer, and its length if it says one.
async fn head(stream: &mut BufReader<TcpStream>) -> std::io::Result<(u16, Option<usize>)> {
    let first = line(stream).await?;
    let status = first.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let mut length = None;
    loop {
        let line = line(stream).await?.to_ascii_lowercase();
        if line.is_empty() {
            return Ok((status, length));
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok();
        }
    }
}

async fn chunks(stream: &mut BufReader<TcpStream>) -> std::io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let size = usize::from_str_radix(&line(stream).await?, 16).unwrap_or(0);
        let mut chunk = vec![0; size + 2];
        stream.read_exact(&mut chunk).await?;
        if size == 0 {
            return Ok(body);
        }
        body.extend_from_slice(&chunk[..size]);
    }
}

fn question() -> String {
    json!({ "question": QUESTION, "search": "library", "mode": "quick" }).to_string()
}

/// Answer times of an address, and how often it failed.
#[derive(Default)]
struct Seen {
    times: Vec<Duration>,
    failures: usize,
}

fn at(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    let place = (times.len() as f64 * share) as usize;
    times.get(place.min(times.len().saturating_sub(1))).copied().unwrap_or_default()
}

async fn read_and_ask(server: &Server, run: &str, seconds: u64, pause: Duration) -> bool {
    let paths = [
        "/".to_owned(),
        "/runs".to_owned(),
        format!("/runs/{run}"),
        "/api/runs".to_owned(),
        format!("/api/runs/{run}"),
        format!("/api/runs/{run}/report?format=md"),
        "/outlets".to_owned(),
        "/api/outlets?limit=50".to_owned(),
        "/outlets/reuters.com".to_owned(),
        "/audit".to_owned(),
        "/library".to_owned(),
        "/api/library/search?q=noise".to_owned(),
        "/news".to_owned(),
        "/methodology".to_owned(),
    ];
    let paths = Arc::new(paths);
    let end = Instant::now() + Duration::from_secs(seconds);
    let readers: Vec<_> = (0..READERS)
        .map(|n| {
            let (mut client, paths) = (Client::new(&server.host), Arc::clone(&paths));
            tokio::spawn(async move {
                let mut seen: BTreeMap<usize, Seen> = BTreeMap::new();
                // Not all in the same moment.
                tokio::time::sleep(pause * n as u32 / READERS as u32).await;
                let mut place = n;
                while Instant::now() < end {
                    place = (place + 1) % paths.len();
                    let begun = Instant::now();
                    let answer = client.send("GET", &paths[place], "").await;
                    let seen = seen.entry(place).or_default();
                    match answer {
                        Ok((200, _)) => seen.times.push(begun.elapsed()),
                        _ => seen.failures += 1,
                    }
                    tokio::time::sleep(pause.saturating_sub(begun.elapsed())).await;
                }
                seen
            })
        })
        .collect();
    let askers: Vec<_> = (0..RUNS)
        .map(|_| {
            let mut client = Client::new(&server.host);
            tokio::spawn(async move {
                let (mut done, mut failed) = (0, 0);
                while Instant::now() < end {
                    match client.send("POST", "/api/research", &question()).await {
                        Ok((200, _)) => done += 1,
                        _ => failed += 1,
                    }
                }
                (done, failed)
            })
        })
        .collect();
    let mut memory = Vec::new();
    while Instant::now() < end {
        memory.push(server.megabytes());
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    let mut all: BTreeMap<usize, Seen> = BTreeMap::new();
    for reader in readers {
        for (place, seen) in reader.await.unwrap() {
            let one = all.entry(place).or_default();
            one.times.extend(seen.times);
            one.failures += seen.failures;
        }
    }
    let (mut done, mut failed) = (0, 0);
    for asker in askers {
        let (more, worse) = asker.await.unwrap();
        done += more;
        failed += worse;
    }
    println!(
        "{:44} {:>7} {:>9} {:>9} {:>9} {:>8}",
        "address", "reads", "median", "p99", "most", "failed"
    );
    let mut together = Vec::new();
    for (place, seen) in &mut all {
        let times = &mut seen.times;
        let (half, most) = (at(times, 0.5), at(times, 0.99));
        let worst = times.last().copied().unwrap_or_default();
        let name = paths[*place].replace(run, "ID");
        println!(
            "{name:44} {:>7} {half:>9.1?} {most:>9.1?} {worst:>9.1?} {:>8}",
            times.len(),
            seen.failures
        );
        together.extend_from_slice(times);
    }
    let failures: usize = all.values().map(|seen| seen.failures).sum();
    let p99 = at(&mut together, 0.99);
    let rate = together.len() as f64 / seconds as f64;
    println!("{READERS} readers: {rate:.0} reads a second, p99 {p99:.1?}, {failures} failed");
    println!("{RUNS} runs at once: {done} finished, {failed} failed");
    let tenth = (memory.len() / 6).max(1);
    let mean = |part: &[u64]| part.iter().sum::<u64>() / part.len().max(1) as u64;
    println!(
        "memory: {} MB in the second sixth, {} MB in the last, {} MB at most",
        mean(&memory[tenth.min(memory.len() - 1)..(2 * tenth).min(memory.len())]),
        mean(&memory[memory.len() - tenth..]),
        memory.iter().max().unwrap()
    );
    failures == 0 && failed == 0
}

/// Follows a run's events to their end; gives their numbers.
async fn watch(host: String, run: String, joined: Arc<AtomicU64>) -> std::io::Result<Vec<u64>> {
    let mut stream = BufReader::new(TcpStream::connect(&host).await?);
    let request = format!(
        "GET /api/runs/{run}/events HTTP/1.1\r\nHost: {host}\r\nAccept: text/event-stream\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    let (status, _) = head(&mut stream).await?;
    if status != 200 {
        return Err(std::io::Error::other(status.to_string()));
    }
    joined.fetch_add(1, Ordering::Relaxed);
    let mut numbers = Vec::new();
    loop {
        let line = line(&mut stream).await?;
        if let Some(number) = line.strip_prefix("id:") {
            numbers.push(number.trim().parse().unwrap_or(0));
        }
        if line.strip_prefix("event:").is_some_and(|kind| kind.trim() == "end") {
            return Ok(numbers);
        }
    }
}

async fn be_watched(server: &Server) -> bool {
    let before = server.megabytes();
    let mut client = Client::new(&server.host);
    let asker = {
        let mut client = Client::new(&server.host);
        tokio::spawn(async move { client.send("POST", "/api/research", &question()).await })
    };
    let run = loop {
        let (_, body) = client.send("GET", "/api/runs?limit=1", "").await.unwrap();
        let listed: Value = serde_json::from_slice(&body).unwrap();
        let newest = &listed["items"][0];
        if newest["status"] == "running" {
            break newest["id"].as_str().unwrap().to_owned();
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    let joined = Arc::new(AtomicU64::new(0));
    let watchers: Vec<_> = (0..WATCHERS)
        .map(|_| tokio::spawn(watch(server.host.clone(), run.clone(), Arc::clone(&joined))))
        .collect();
    let mut most = 0;
    let mut at_once = 0;
    while !asker.is_finished() {
        most = most.max(server.megabytes());
        at_once = joined.load(Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let answered = asker.await.unwrap().map_or(0, |(status, body)| {
        if status != 200 {
            println!("{}", String::from_utf8_lossy(&body));
        }
        status
    });
    let mut whole = 0;
    let mut events = 0;
    for watcher in watchers {
        if let Ok(Ok(numbers)) = watcher.await {
            events = numbers.len() as u64;
            whole += usize::from(numbers.iter().copied().eq(1..=events));
        }
    }
    println!(
        "{WATCHERS} watchers of one run: {at_once} while it ran, {whole} heard all {events} events in \
         order; memory {before} MB before, {most} MB at most"
    );
    whole == WATCHERS && answered == 200
}

#[tokio::main]
async fn main() {
    let thinking = Arc::new(AtomicU64::new(0));
    let model = {
        let thinking = Arc::clone(&thinking);
        FakeApi::start(move |request| {
            let wait = Duration::from_millis(thinking.load(Ordering::Relaxed));
            chat(&request.json(), |_, said| said).after(wait)
        })
        .await
    };
    let server = Server::start(&model.url());
    let mut client = Client::new(&server.host);
    let (status, body) = client.send("POST", "/api/research", &question()).await.unwrap();
    assert_eq!(status, 200, "{}", String::from_utf8_lossy(&body));
    let first: Value = serde_json::from_slice(&body).unwrap();
    let run = first["id"].as_str().expect("a run has an id").to_owned();

    thinking.store(THINKING, Ordering::Relaxed);
    let seconds = from_env("PROBITY_BENCH_SECONDS", 60);
    let pause = Duration::from_millis(from_env("PROBITY_BENCH_PAUSE", 1_000));
    let read = read_and_ask(&server, &run, seconds, pause).await;
    thinking.store(THINKING_LONG, Ordering::Relaxed);
    let watched = be_watched(&server).await;
    if !(read && watched) {
        println!("something failed");
        drop(server);
        std::process::exit(1);
    }
}
