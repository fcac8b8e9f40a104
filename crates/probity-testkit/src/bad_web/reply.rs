//! What the server sends, byte by byte, and how it stops.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// One thing the server does.
#[derive(Clone)]
enum Step {
    /// Sends bytes.
    Send(Vec<u8>),
    /// Waits, then continues.
    Wait(Duration),
    /// Sends the same bytes over and over, with a pause between, until the client goes.
    Forever(Vec<u8>, Duration),
    /// Sends nothing more and keeps the connection open until the client goes.
    Hold,
    /// Tears the connection down with a reset.
    Reset,
    /// Closes the connection.
    Close,
    /// Tells the test that things came so far.
    Call(Arc<dyn Fn() + Send + Sync>),
}

/// An answer to one request.
#[derive(Clone, Default)]
pub struct Reply {
    steps: Vec<Step>,
}

impl Reply {
    /// A proper page.
    pub fn html(body: impl Into<Vec<u8>>) -> Self {
        Self::with(200, &[("content-type", "text/html; charset=utf-8")], body)
    }

    /// A proper plain text.
    pub fn text(body: impl Into<Vec<u8>>) -> Self {
        Self::with(200, &[("content-type", "text/plain; charset=utf-8")], body)
    }

    /// A proper answer with a status, headers and a body of the right length.
    pub fn with(status: u16, headers: &[(&str, &str)], body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        let length = body.len().to_string();
        let mut all = headers.to_vec();
        if status != 304 {
            all.push(("content-length", &length));
        }
        Self::head(status, &all).send(body)
    }

    /// A redirect.
    pub fn redirect(status: u16, to: &str) -> Self {
        Self::with(status, &[("location", to)], "")
    }

    /// A bodyless answer with a status.
    pub fn status(status: u16) -> Self {
        Self::with(status, &[("content-type", "text/plain")], format!("status {status}"))
    }

    /// Only a head; whatever follows is up to the caller.
    pub fn head(status: u16, headers: &[(&str, &str)]) -> Self {
        let mut head = format!("HTTP/1.1 {status} Whatever\r\n");
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        Self::default().send(head)
    }

    /// Any bytes at all.
    pub fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Self::default().send(bytes)
    }

    /// Then sends bytes.
    #[must_use]
    pub fn send(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.steps.push(Step::Send(bytes.into()));
        self
    }

    /// Then sends bytes as one chunk of a chunked body.
    #[must_use]
    pub fn chunk(self, bytes: &[u8]) -> Self {
        let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
        chunk.extend_from_slice(bytes);
        chunk.extend_from_slice(b"\r\n");
        self.send(chunk)
    }

    /// Before all else, waits: the latency of a distant server.
    #[must_use]
    pub fn after(mut self, wait: Duration) -> Self {
        self.steps.insert(0, Step::Wait(wait));
        self
    }

    /// Then sends the same bytes over and over until the client goes.
    #[must_use]
    pub fn forever(mut self, bytes: impl Into<Vec<u8>>, pause: Duration) -> Self {
        self.steps.push(Step::Forever(bytes.into(), pause));
        self
    }

    /// Then sends nothing more until the client goes.
    #[must_use]
    pub fn hold(mut self) -> Self {
        self.steps.push(Step::Hold);
        self
    }

    /// Then resets the connection.
    #[must_use]
    pub fn reset(mut self) -> Self {
        self.steps.push(Step::Reset);
        self
    }

    /// Then closes the connection.
    #[must_use]
    pub fn close(mut self) -> Self {
        self.steps.push(Step::Close);
        self
    }

    /// Then does what another answer does.
    #[must_use]
    pub fn followed_by(mut self, other: Self) -> Self {
        self.steps.extend(other.steps);
        self
    }

    /// Then tells the test that things came so far.
    #[must_use]
    pub fn then(mut self, call: impl Fn() + Send + Sync + 'static) -> Self {
        self.steps.push(Step::Call(Arc::new(call)));
        self
    }

    /// Plays the answer; whether the connection is good for another request.
    pub(super) async fn play(self, stream: &mut TcpStream) -> bool {
        for step in self.steps {
            let sent = match step {
                Step::Send(bytes) => stream.write_all(&bytes).await,
                Step::Wait(time) => {
                    tokio::time::sleep(time).await;
                    Ok(())
                }
                Step::Call(call) => {
                    call();
                    Ok(())
                }
                Step::Forever(bytes, pause) => return repeat(stream, &bytes, pause).await,
                Step::Hold => return until_gone(stream).await,
                Step::Reset => {
                    let _ = stream.set_zero_linger();
                    return false;
                }
                Step::Close => {
                    let _ = stream.shutdown().await;
                    return false;
                }
            };
            if sent.is_err() {
                return false;
            }
        }
        true
    }
}

async fn repeat(stream: &mut TcpStream, bytes: &[u8], pause: Duration) -> bool {
    while stream.write_all(bytes).await.is_ok() {
        if pause.is_zero() {
            tokio::task::yield_now().await;
        } else {
            tokio::time::sleep(pause).await;
        }
    }
    false
}

async fn until_gone(stream: &mut TcpStream) -> bool {
    let mut buffer = [0; 1024];
    while matches!(stream.read(&mut buffer).await, Ok(read) if read > 0) {}
    false
}
