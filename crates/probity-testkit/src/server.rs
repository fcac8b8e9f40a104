//! A private PostgreSQL server that a test may stop, pause and start again.
//!
//! Other tests share one server, which `scripts/with-postgres` keeps up. A test that wants to take
//! a server away needs its own.

use std::io::{self, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// How many ports are tried.
const PORT_TRIES: usize = 20;
/// How many seconds a server may take to start or stop.
const WAIT_SECONDS: &str = "60";

/// A server with files and a port of its own, which goes with this value.
#[derive(Debug)]
pub struct PrivateServer {
    bin: PathBuf,
    /// Whom the server runs as, where the test runs as root.
    user: Option<&'static str>,
    folder: TempDir,
    port: u16,
}

impl PrivateServer {
    /// Starts a server, or says that the test is skipped and gives none where PostgreSQL is not
    /// installed.
    ///
    /// # Panics
    /// When a server that is installed does not start, or none is installed where `CI=true`.
    #[expect(clippy::panic, reason = "a test that cannot run as it should must fail")]
    #[expect(clippy::print_stderr, reason = "the person who runs the tests must see the skip")]
    pub fn start() -> Option<Self> {
        let Some(bin) = find_programs() else {
            if std::env::var("CI").is_ok_and(|value| value == "true") {
                panic!("PostgreSQL is not installed: initdb, postgres and pg_ctl are needed");
            }
            eprintln!("skipped: PostgreSQL is not installed");
            return None;
        };
        match Self::create(bin) {
            Ok(server) => Some(server),
            Err(error) => panic!("a private PostgreSQL did not start: {error}"),
        }
    }

    /// The server's URL.
    pub fn url(&self) -> String {
        format!("postgres://probity@127.0.0.1:{}/postgres", self.port)
    }

    /// Stops the server at once, as a crash would, and starts it again.
    ///
    /// # Errors
    /// When it cannot be stopped or does not come back.
    pub fn restart(&self) -> io::Result<()> {
        self.control(&["-m", "immediate", "stop"])?;
        self.launch()
    }

    /// Stops all of the server's processes in their tracks.
    ///
    /// # Errors
    /// When they cannot be found.
    pub fn pause(&self) -> io::Result<()> {
        self.signal("-STOP")
    }

    /// Lets the server's processes go on.
    ///
    /// # Errors
    /// When they cannot be found.
    pub fn resume(&self) -> io::Result<()> {
        self.signal("-CONT")
    }

    fn create(bin: PathBuf) -> io::Result<Self> {
        let folder = tempfile::tempdir()?;
        let user = run_as(folder.path())?;
        let mut server = Self { bin, user, folder, port: 0 };
        let data = server.data();
        let data = data.to_string_lossy();
        let init = ["-D", &data, "-U", "probity", "-A", "trust", "-E", "UTF8", "--locale=C"];
        server.run("initdb", &[&init[..], &["--no-sync"]].concat())?;
        let socket = server.folder.path().display();
        // It must survive a restart as a real one would, but not a power cut.
        let settings = format!(
            "listen_addresses = '127.0.0.1'\nunix_socket_directories = '{socket}'\n\
             max_connections = 200\nshared_buffers = 64MB\nfull_page_writes = off\n\
             synchronous_commit = on\nfsync = off\n"
        );
        append(&server.data().join("postgresql.conf"), &settings)?;
        let mut last = io::Error::other("no port is free");
        for _ in 0..PORT_TRIES {
            // A port that is free now may be taken a moment later, so a few are tried.
            server.port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
            match server.launch() {
                Ok(()) => return Ok(server),
                Err(error) => last = error,
            }
        }
        server.port = 0;
        Err(last)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn launch(&self) -> io::Result<()> {
        let log = self.folder.path().join("log");
        let port = format!("-p {}", self.port);
        self.control(&["-o", &port, "-l", &log.to_string_lossy(), "start"])
    }

    fn control(&self, args: &[&str]) -> io::Result<()> {
        let data = self.data();
        let data = data.to_string_lossy();
        let all = [&["-D", &*data, "-w", "-t", WAIT_SECONDS], args].concat();
        self.run("pg_ctl", &all)
    }

    fn run(&self, program: &str, args: &[&str]) -> io::Result<()> {
        let program = self.bin.join(program);
        let mut command = match self.user {
            Some(user) => {
                let mut command = Command::new("runuser");
                command.args(["-u", user, "--"]).arg(&program);
                command
            }
            None => Command::new(&program),
        };
        command.args(args).current_dir("/").stdin(Stdio::null());
        // Not piped: the server would hold the pipe open for as long as it lives.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let status = command.status()?;
        match status.success() {
            true => Ok(()),
            false => Err(io::Error::other(format!("{} ended with {status}", program.display()))),
        }
    }

    /// Sends a signal to the server and to all its children.
    fn signal(&self, signal: &str) -> io::Result<()> {
        let written = std::fs::read_to_string(self.data().join("postmaster.pid"))?;
        let first = written.lines().next().unwrap_or_default().trim().to_owned();
        let children = std::fs::read_to_string(format!("/proc/{first}/task/{first}/children"))?;
        let all: Vec<&str> = std::iter::once(first.as_str()).chain(children.split(' ')).collect();
        let all = all.into_iter().filter(|pid| !pid.trim().is_empty());
        // A child may be gone by now; the server itself is what counts.
        Command::new("kill").arg(signal).args(all).stderr(Stdio::null()).status().map(drop)
    }
}

impl Drop for PrivateServer {
    fn drop(&mut self) {
        if self.port > 0 {
            let _ = self.resume();
            let _ = self.control(&["-m", "immediate", "stop"]);
        }
    }
}

/// The newest installation that has everything.
fn find_programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = versions.map(|entry| entry.path().join("bin")).collect();
    folders.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    folders.extend(std::env::split_paths(&path));
    let complete = |folder: &PathBuf| {
        ["initdb", "postgres", "pg_ctl"].iter().all(|program| folder.join(program).is_file())
    };
    folders.into_iter().rev().find(complete)
}

/// Whom the server runs as: PostgreSQL refuses to run as root, so root lends it a user.
fn run_as(folder: &Path) -> io::Result<Option<&'static str>> {
    let id = Command::new("id").arg("-u").output()?;
    if String::from_utf8_lossy(&id.stdout).trim() != "0" {
        return Ok(None);
    }
    let exists = |user: &&str| {
        let asked = Command::new("id").arg(user).output();
        asked.is_ok_and(|output| output.status.success())
    };
    let user = ["postgres", "nobody"].into_iter().find(|user| exists(user)).unwrap_or("nobody");
    Command::new("chown").arg(user).arg(folder).status()?;
    Ok(Some(user))
}

fn append(path: &Path, text: &str) -> io::Result<()> {
    std::fs::OpenOptions::new().append(true).open(path)?.write_all(text.as_bytes())
}
