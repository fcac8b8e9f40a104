//! Real `probity serve` processes, and watchers that follow runs through them as a browser would: over
//! server-sent events, coming back with the last number they saw, each time to another server.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use probity_store::events::{END, RunEvent};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// How long a watcher waits before it comes back.
const BACK: Duration = Duration::from_millis(100);
/// How often a server is started until it stays.
const STARTS: u32 = 300;
/// A connection on which nothing comes for so long is given up: a server says every now and then that
/// it is there.
const SILENCE: Duration = Duration::from_secs(60);

/// The program, which is built with the tests: the workspace's tests need it as well.
pub(crate) fn program() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let program = tests.ancestors().nth(2).unwrap().join("probity");
    assert!(program.exists(), "build the program first: cargo build --workspace");
    program
}

/// A server process that carries out no runs, with a folder of its own.
pub(crate) struct Web {
    child: Child,
    pub(crate) port: u16,
    _home: tempfile::TempDir,
}

impl Web {
    /// Starts a server on a free port and waits until it answers.
    pub(crate) fn start(store: &str) -> Self {
        // The database may be away just now; then a supervisor would start it again.
        for _ in 0..STARTS {
            if let Some(web) = Self::try_start(store) {
                return web;
            }
            std::thread::sleep(BACK);
        }
        panic!("probity serve does not start")
    }

    fn try_start(store: &str) -> Option<Self> {
        let home = tempfile::tempdir().unwrap();
        let config = home.path().join("config.toml");
        std::fs::write(&config, "").unwrap();
        let child = Command::new(program())
            .args(["serve", "--no-workers", "--bind", "127.0.0.1:0"])
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", home.path())
            .env("PROBITY_HOME", home.path())
            .env("PROBITY_CONFIG", config)
            .env("PROBITY_STORE", store)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // From here on it ends with this value.
        let mut web = Self { child, port: 0, _home: home };
        let mut line = String::new();
        BufReader::new(web.child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        web.port = line.trim().trim_end_matches('/').rsplit(':').next()?.parse().ok()?;
        Some(web)
    }

    /// Ends it without a warning.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks it to end, and waits until it has.
    pub(crate) fn terminate(mut self) {
        Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where the servers are now.
#[derive(Clone)]
pub(crate) struct Ports(Arc<Vec<AtomicU16>>);

impl Ports {
    pub(crate) fn of(webs: &[Web]) -> Self {
        Self(Arc::new(webs.iter().map(|web| AtomicU16::new(web.port)).collect()))
    }

    pub(crate) fn set(&self, which: usize, port: u16) {
        self.0[which].store(port, Ordering::SeqCst);
    }

    fn get(&self, which: usize) -> u16 {
        self.0[which % self.0.len()].load(Ordering::SeqCst)
    }
}

/// An event as a watcher sees it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    id: String,
    kind: String,
    data: String,
}

impl From<&RunEvent> for Seen {
    fn from(event: &RunEvent) -> Self {
        Self { id: event.seq.to_string(), kind: event.kind.clone(), data: event.event.clone() }
    }
}

/// What a watcher saw in all, and how often it had to come back for it.
pub(crate) struct Watched {
    pub(crate) seen: Vec<Seen>,
    pub(crate) connections: usize,
}

/// Follows a run to its end, from one server and then from the other.
pub(crate) async fn watch(ports: Ports, first: usize, run: String) -> Watched {
    let mut watched = Watched { seen: Vec::new(), connections: 0 };
    while watched.seen.last().is_none_or(|last| last.kind != END) {
        let port = ports.get(first + watched.connections);
        watched.connections += 1;
        // Now and then it leaves by itself, as people do.
        let most = fastrand::usize(5..40);
        // However a connection ends, what counts is what came over it.
        let _ = follow(port, &run, &mut watched.seen, most).await;
        tokio::time::sleep(BACK).await;
    }
    watched
}

/// One connection: goes on after what was seen, until it ends or so many events have come.
async fn follow(port: u16, run: &str, seen: &mut Vec<Seen>, most: usize) -> std::io::Result<()> {
    let stream = TcpStream::connect(("127.0.0.1", port)).await?;
    let mut stream = tokio::io::BufReader::new(stream);
    let last = seen.last().map_or("0", |last| &last.id);
    // The older protocol, so that the body comes as it is and ends with the connection.
    let head = format!(
        "GET /api/runs/{run}/events HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\
         Accept: text/event-stream\r\nLast-Event-ID: {last}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await?;
    let (mut event, mut come, mut line) = (Seen::default(), 0, String::new());
    let mut is_body = false;
    while come < most {
        line.clear();
        let read = tokio::time::timeout(SILENCE, stream.read_line(&mut line)).await;
        if read.map_err(std::io::Error::other)?? == 0 || !line.ends_with('\n') {
            break;
        }
        let text = line.trim_end_matches(['\r', '\n']);
        match text.split_once(": ") {
            _ if !is_body => is_body = text.is_empty(),
            Some(("id", id)) => event.id = id.to_owned(),
            Some(("event", kind)) => event.kind = kind.to_owned(),
            Some(("data", data)) => event.data = data.to_owned(),
            // An empty line ends an event; only a whole one counts.
            None if text.is_empty() && !event.id.is_empty() => {
                seen.push(std::mem::take(&mut event));
                come += 1;
            }
            _ => {}
        }
    }
    Ok(())
}
