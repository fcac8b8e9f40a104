//! A headless browser without a network of its own, driven over its debugging pipe: no port, no driver.

use std::io;
use std::process::Stdio;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::super::limits::{RENDER_MEMORY_KB, RENDER_MESSAGE_BYTES};

/// Puts the browser's debugging pipe, its files 3 and 4, on our ends of its input and output. Its memory is bounded
/// where the system can do that.
const ON_PIPES: &str =
    "ulimit -d \"$0\" 2>/dev/null; exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null";
/// What a browser is called, by default where it lies.
const NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome", "chrome"];
/// Nothing is reached but through the pipe: names do not resolve, and what needs no name meets a closed port.
const SEALED: &[&str] = &[
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=socks5://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    // Newer browsers know the second name alone, older ones the first.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-default-apps",
    "--dns-prefetch-disable",
];
const PLAIN: &[&str] = &[
    "--headless",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--mute-audio",
];

/// A browser, which ends with this value.
pub(super) struct Browser {
    _child: Child,
    commands: ChildStdin,
    messages: BufReader<ChildStdout>,
    /// The current message.
    partial: Vec<u8>,
    next: u64,
    _profile: TempDir,
}

impl Browser {
    /// Starts a browser by its name or path.
    pub(super) fn start(program: &str) -> io::Result<Self> {
        let program = found(program)?;
        let profile = tempfile::tempdir()?;
        let mut command = Command::new("sh");
        command.arg("-c").arg(ON_PIPES).arg(RENDER_MEMORY_KB.to_string());
        command.arg(program).args(PLAIN).args(SEALED);
        if is_root() {
            // Its own sandbox refuses to run as root.
            command.arg("--no-sandbox");
        }
        let mut child = command
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let (Some(commands), Some(messages)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        Ok(Self {
            _child: child,
            commands,
            messages: BufReader::new(messages),
            partial: Vec::new(),
            next: 0,
            _profile: profile,
        })
    }

    /// Sends a command; its answer carries the number that this gives.
    pub(super) async fn send(
        &mut self,
        session: Option<&str>,
        method: &str,
        params: Value,
    ) -> io::Result<u64> {
        self.next += 1;
        let mut message = json!({ "id": self.next, "method": method, "params": params });
        if let (Some(session), Some(fields)) = (session, message.as_object_mut()) {
            fields.insert("sessionId".to_owned(), session.into());
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.commands.write_all(&bytes).await?;
        self.commands.flush().await?;
        Ok(self.next)
    }

    /// The next message. What was read of one stays where the wait for it is given up.
    ///
    /// # Errors
    /// When the browser ended, or says too much or nothing that is understood.
    pub(super) async fn next(&mut self) -> io::Result<Value> {
        let room = RENDER_MESSAGE_BYTES.saturating_sub(self.partial.len() as u64);
        let mut messages = (&mut self.messages).take(room);
        if messages.read_until(0, &mut self.partial).await? == 0 || self.partial.pop() != Some(0) {
            let is_full = self.partial.len() as u64 + 1 >= RENDER_MESSAGE_BYTES;
            let why = if is_full { "it says too much at once" } else { "it ended" };
            return Err(io::Error::other(why));
        }
        let message = serde_json::from_slice(&self.partial);
        self.partial.clear();
        message.map_err(io::Error::from)
    }

    /// The result of a command; what comes meanwhile is skipped.
    pub(super) async fn call(
        &mut self,
        session: Option<&str>,
        method: &str,
        params: Value,
    ) -> io::Result<Value> {
        let id = self.send(session, method, params).await?;
        loop {
            let mut message = self.next().await?;
            if message.get("id").and_then(Value::as_u64) == Some(id) {
                return match message.get("error") {
                    Some(error) => Err(io::Error::other(format!("{method}: {error}"))),
                    None => Ok(message.get_mut("result").map(Value::take).unwrap_or_default()),
                };
            }
        }
    }
}

/// A program by its path, or by its name on the path; one of the names that a browser goes by stands for all.
fn found(program: &str) -> io::Result<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_there = |name: &&str| match name.contains('/') {
        true => std::path::Path::new(name).exists(),
        false => std::env::split_paths(&path).any(|folder| folder.join(name).exists()),
    };
    let others = if NAMES.contains(&program) { NAMES } else { &[] };
    let name = std::iter::once(&program).chain(others).copied().find(is_there);
    let missing = || io::Error::new(io::ErrorKind::NotFound, format!("there is no {program}"));
    name.map(str::to_owned).ok_or_else(missing)
}

#[cfg(unix)]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}
