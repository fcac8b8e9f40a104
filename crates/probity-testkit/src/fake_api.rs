//! A loopback HTTP API that answers as a test says, and remembers what it was asked.
//!
//! ```no_run
//! # async fn example() {
//! use probity_testkit::fake_api::{Answer, FakeApi};
//!
//! let api = FakeApi::start(|request| match request.path.as_str() {
//!     "/search" => Answer::json("{\"results\": []}"),
//!     _ => Answer::status(404),
//! })
//! .await;
//! let base = api.url();
//! // … ask it …
//! assert_eq!(api.requests().len(), 1);
//! # }
//! ```

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// The longest request body that is read.
const BODY_BYTES: usize = 1024 * 1024;
/// The most header lines that are read.
const HEADER_LINES: usize = 100;

/// A request as it arrived.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `POST` and so on.
    pub method: String,
    /// The path, still escaped.
    pub path: String,
    /// The parameters after `?`, unescaped, in order.
    pub query: Vec<(String, String)>,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Request {
    /// The value of a parameter.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        find(&self.query, name)
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        find(&self.headers, name)
    }

    /// The body as JSON, or null.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// The body as form fields, unescaped.
    pub fn form(&self) -> Vec<(String, String)> {
        pairs(&String::from_utf8_lossy(&self.body))
    }
}

fn find<'a>(pairs: &'a [(String, String)], name: &str) -> Option<&'a str> {
    pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

/// What the API does with a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Replies.
    Reply {
        /// The status.
        status: u16,
        /// Headers besides the length.
        headers: Vec<(String, String)>,
        /// The body.
        body: Vec<u8>,
    },
    /// Answers so after a while.
    Later(Duration, Box<Answer>),
    /// Announces a longer body than it sends, then closes the connection.
    Cut {
        /// What it sends of the body.
        body: Vec<u8>,
    },
    /// Closes the connection without a word.
    HangUp,
    /// Says nothing until the client gives up.
    Silence,
}

impl Answer {
    /// A reply without a body.
    pub fn status(status: u16) -> Self {
        Self::Reply { status, headers: Vec::new(), body: Vec::new() }
    }

    /// A successful reply of a content type.
    pub fn ok(content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::status(200).with_body(body).with_header("content-type", content_type)
    }

    /// A successful JSON reply.
    pub fn json(body: impl Into<Vec<u8>>) -> Self {
        Self::ok("application/json", body)
    }

    /// The same answer after a while.
    #[must_use]
    pub fn after(self, wait: Duration) -> Self {
        Self::Later(wait, Box::new(self))
    }

    /// The same reply with a header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        if let Self::Reply { headers, .. } = &mut self {
            headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// The same reply with another body.
    #[must_use]
    pub fn with_body(mut self, text: impl Into<Vec<u8>>) -> Self {
        if let Self::Reply { body, .. } = &mut self {
            *body = text.into();
        }
        self
    }
}

/// A running API. It stops when it is dropped.
#[derive(Debug)]
pub struct FakeApi {
    port: u16,
    requests: Arc<Mutex<Vec<Request>>>,
    server: JoinHandle<()>,
}

impl FakeApi {
    /// Starts an API on a free port of the loopback address.
    ///
    /// # Errors
    /// When no port can be had.
    pub async fn try_start(
        answer: impl Fn(&Request) -> Answer + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let port = listener.local_addr()?.port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        let answer = Arc::new(answer);
        let server = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (seen, answer) = (Arc::clone(&seen), Arc::clone(&answer));
                tokio::spawn(async move {
                    // A client that goes away in the middle is a test's own business.
                    let _ = serve(stream, &seen, answer.as_ref()).await;
                });
            }
        });
        Ok(Self { port, requests, server })
    }

    /// As [`FakeApi::try_start`], for tests, which cannot go on without it.
    ///
    /// # Panics
    /// When no port can be had.
    #[expect(clippy::expect_used, reason = "only tests call it, and they cannot go on")]
    pub async fn start(answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        Self::try_start(answer).await.expect("a free port on the loopback address")
    }

    /// The base URL, without a slash at its end.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Every request so far, in the order of arrival.
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.requests).clone()
    }
}

impl Drop for FakeApi {
    fn drop(&mut self) {
        self.server.abort();
    }
}

fn lock(requests: &Mutex<Vec<Request>>) -> MutexGuard<'_, Vec<Request>> {
    requests.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn serve(
    stream: TcpStream,
    seen: &Mutex<Vec<Request>>,
    answer: &(impl Fn(&Request) -> Answer + Sync),
) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    while let Some(request) = read(&mut stream).await? {
        lock(seen).push(request.clone());
        let mut answer = answer(&request);
        while let Answer::Later(wait, then) = answer {
            tokio::time::sleep(wait).await;
            answer = *then;
        }
        match answer {
            // It was waited for above.
            Answer::Later(..) => {}
            Answer::Reply { status, headers, body } => {
                write(&mut stream, status, &headers, &body, body.len()).await?;
            }
            Answer::Cut { body } => {
                write(&mut stream, 200, &[], &body, body.len() + 1000).await?;
                return Ok(());
            }
            Answer::HangUp => return Ok(()),
            Answer::Silence => {
                // Ends when the client closes its side.
                stream.read_u8().await?;
            }
        }
    }
    Ok(())
}

async fn read(stream: &mut BufReader<TcpStream>) -> io::Result<Option<Request>> {
    let mut line = String::new();
    if stream.read_line(&mut line).await? == 0 {
        return Ok(None);
    }
    let mut words = line.split_ascii_whitespace();
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut request = Request {
        method: method.to_owned(),
        path: path.to_owned(),
        query: pairs(query),
        ..Request::default()
    };
    for _ in 0..HEADER_LINES {
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        request.headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = request.header("content-length").and_then(|text| text.parse().ok()).unwrap_or(0);
    request.body = vec![0; usize::min(length, BODY_BYTES)];
    stream.read_exact(&mut request.body).await?;
    Ok(Some(request))
}

async fn write(
    stream: &mut BufReader<TcpStream>,
    status: u16,
    headers: &[(String, String)],
    body: &[u8],
    length: usize,
) -> io::Result<()> {
    let mut head = format!("HTTP/1.1 {status} Scripted\r\ncontent-length: {length}\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    // At once: of two parts the second waits until the client says that it has the first, which takes it 40 ms.
    stream.write_all(&[head.as_bytes(), body].concat()).await?;
    stream.flush().await
}

/// Form fields or query parameters, unescaped.
fn pairs(text: &str) -> Vec<(String, String)> {
    text.split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(name, value)| (unescape(name), unescape(value)))
        .collect()
}

fn unescape(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let hex = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match (first, hex.and_then(|hex| u8::from_str_radix(hex, 16).ok())) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = tail.get(2..).unwrap_or_default();
                continue;
            }
            (b'+', _) => bytes.push(b' '),
            (byte, _) => bytes.push(*byte),
        }
        rest = tail;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_unescaped() {
        let expected = [("q", "a b&c"), ("x", "é"), ("flag", ""), ("bad", "%zz")];
        let expected: Vec<_> =
            expected.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        assert_eq!(pairs("q=a+b%26c&x=%C3%A9&flag&bad=%zz"), expected);
    }
}
