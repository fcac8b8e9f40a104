//! A loopback web server that misbehaves on purpose, down to the byte.
//!
//! ```text
//! BadWeb::start(|asked| Reply…) → http://127.0.0.1:PORT/…
//! ```
//!
//! It speaks HTTP/1.1 by hand, because a proper server library would refuse to send most of what
//! is needed here. [`cases::answer`] is a whole site of trouble with the outcome each page
//! deserves; tests with a special wish bring their own answers.

pub mod bombs;
pub mod cases;
mod reply;
pub mod walls;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

pub use reply::Reply;

/// The most a request's head may have here; tests send small ones.
const HEAD_BYTES: usize = 256 * 1024;

/// A request as the server saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The path with its query.
    pub path: String,
    /// The headers, names in small letters.
    pub headers: Vec<(String, String)>,
    /// How many times this host was asked for this path before.
    pub nth: usize,
    /// The server's own address.
    pub server: SocketAddr,
}

impl Asked {
    /// A header by its name in small letters.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The path without its query.
    pub fn page(&self) -> &str {
        self.path.split('?').next().unwrap_or_default()
    }

    /// What follows the question mark.
    pub fn query(&self) -> &str {
        self.path.split_once('?').map_or("", |(_, query)| query)
    }
}

type Answer = dyn Fn(&Asked) -> Reply + Send + Sync;

/// A running server. It stops when this is dropped.
pub struct BadWeb {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    task: JoinHandle<()>,
}

impl BadWeb {
    /// Starts a server on a free loopback port that answers as configured.
    ///
    /// # Errors
    /// When no port can be had.
    pub async fn start(
        answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static,
    ) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let asked = Arc::new(Mutex::new(Vec::new()));
        let site = Site { answer: Arc::new(answer), asked: Arc::clone(&asked), address };
        Ok(Self { address, asked, task: tokio::spawn(listen(listener, site)) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The full address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Every request so far, in order.
    pub fn requests(&self) -> Vec<Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many times a path was asked for.
    pub fn count(&self, path: &str) -> usize {
        self.requests().iter().filter(|asked| asked.path == path).count()
    }
}

impl Drop for BadWeb {
    fn drop(&mut self) {
        self.task.abort();
    }
}

#[derive(Clone)]
struct Site {
    answer: Arc<Answer>,
    asked: Arc<Mutex<Vec<Asked>>>,
    address: SocketAddr,
}

async fn listen(listener: TcpListener, site: Site) {
    // Connections end with the server: the set aborts them when it is dropped.
    let mut connections = tokio::task::JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(serve(stream, site.clone()));
                }
                Err(_) => return,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

/// Answers requests on one connection until a reply or the client closes it.
async fn serve(mut stream: TcpStream, site: Site) {
    // Small replies should not wait for each other.
    let _ = stream.set_nodelay(true);
    while let Some(mut asked) = read_head(&mut stream, site.address).await {
        asked.nth = site.remember(&asked);
        let reply = (site.answer)(&asked);
        if !reply.play(&mut stream).await {
            return;
        }
    }
}

impl Site {
    fn remember(&self, asked: &Asked) -> usize {
        let mut all = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |before: &&Asked| {
            before.path == asked.path && before.header("host") == asked.header("host")
        };
        let nth = all.iter().filter(same).count();
        all.push(Asked { nth, ..asked.clone() });
        nth
    }
}

async fn read_head(stream: &mut TcpStream, server: SocketAddr) -> Option<Asked> {
    let mut head = Vec::new();
    let mut buffer = [0; 4096];
    while !head.windows(4).any(|window| window == b"\r\n\r\n") {
        let read = stream.read(&mut buffer).await.ok().filter(|read| *read > 0)?;
        head.extend_from_slice(buffer.get(..read)?);
        // The first byte of a TLS handshake: it is not spoken here.
        if head.len() > HEAD_BYTES || head.first() == Some(&0x16) {
            return None;
        }
    }
    let text = String::from_utf8_lossy(&head).into_owned();
    let mut lines = text.split("\r\n");
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let headers = lines
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    Some(Asked { path, headers, nth: 0, server })
}
