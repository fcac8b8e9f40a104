//! A pipe that signals when its other end was closed.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};

use crate::state::Server;

/// What a client says. When it says no more, whatever waits for it is notified at once: the library
/// would wait for answers first, and there is no one to read them.
pub(super) struct Pipe<R> {
    read: R,
    server: Server,
}

impl<R> Pipe<R> {
    pub(super) fn new(read: R, server: Server) -> Self {
        Self { read, server }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Pipe<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let (room, had) = (buffer.remaining(), buffer.filled().len());
        let read = ready!(Pin::new(&mut self.read).poll_read(context, buffer));
        if read.is_err() || (room > 0 && buffer.filled().len() == had) {
            self.server.stop();
        }
        Poll::Ready(read)
    }
}
