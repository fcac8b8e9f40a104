//! Connections: accepted within limits, dropped when they stall, ended gracefully.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Instant, Sleep};
use tower::ServiceExt as _;

use crate::guard::Peer;
use crate::state::Server;
use crate::{limits, routes};

/// How a server ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// Every request that was in progress was answered.
    Gracefully,
    /// Some were cut off because they took too long.
    CutOff,
}

/// Answers requests until stopped, then lets those in progress end for a bounded time.
///
/// # Errors
/// When the router cannot be made.
pub async fn serve(
    server: Server,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send,
) -> Stopped {
    let router = routes::router(&server);
    let graceful = GracefulShutdown::new();
    let room = Arc::new(Semaphore::new(limits::CONNECTIONS));
    let http1 = within_limits();
    let mut stop = std::pin::pin!(stop);
    loop {
        let Ok(permit) = Arc::clone(&room).acquire_owned().await else { break };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file handles, mostly; trying again at once would only spin.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let router = router.clone();
        let service = hyper::service::service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(Peer(peer.ip()));
            router.clone().oneshot(request)
        });
        let io = TokioIo::new(Impatient::new(stream));
        let watched = graceful.watch(http1.serve_connection(io, service));
        tokio::spawn(async move {
            if let Err(error) = watched.await {
                tracing::debug!(%peer, %error, "a connection ended");
            }
            drop(permit);
        });
    }
    drop(listener);
    server.stop();
    tokio::select! {
        () = graceful.shutdown() => Stopped::Gracefully,
        () = tokio::time::sleep(limits::GRACE) => Stopped::CutOff,
    }
}

/// How requests are read: with bounds on size and time.
fn within_limits() -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits::HEAD_TIME)
        .max_buf_size(limits::HEAD_BYTES)
        .max_headers(limits::HEADERS);
    builder
}

/// A connection that is dropped when its client does not read what was written.
struct Impatient {
    stream: TcpStream,
    patience: Option<Pin<Box<Sleep>>>,
}

impl Impatient {
    fn new(stream: TcpStream) -> Self {
        Self { stream, patience: None }
    }

    /// Passes on what a write came to, and counts the time while it comes to nothing.
    fn judge<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<std::io::Result<T>>,
    ) -> Poll<std::io::Result<T>> {
        if written.is_ready() {
            self.patience = None;
            return written;
        }
        let patience = self.patience.get_or_insert_with(|| {
            Box::pin(tokio::time::sleep_until(Instant::now() + limits::STALL_TIME))
        });
        match patience.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(std::io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Impatient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Impatient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[std::io::IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.judge(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.judge(context, flushed)
    }

    fn poll_shutdown(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
