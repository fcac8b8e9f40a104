//! What a child process says, a message a line, as long as no line is too long.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};

/// A pipe that breaks at a line beyond the limit, so that the caller learns of that at once and not
/// by the clock.
pub(super) struct Lines<R> {
    inner: R,
    most: usize,
    /// The bytes of the current line.
    line: usize,
    over: Arc<AtomicBool>,
}

impl<R> Lines<R> {
    /// A pipe, and the flag that says later whether a line was too long.
    pub(super) fn new(inner: R, most: usize) -> (Self, Arc<AtomicBool>) {
        let over = Arc::new(AtomicBool::new(false));
        (Self { inner, most, line: 0, over: Arc::clone(&over) }, over)
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Lines<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(context, buffer))?;
        for piece in
            buffer.filled().get(before..).unwrap_or_default().split_inclusive(|b| *b == b'\n')
        {
            self.line = self.line.saturating_add(piece.len());
            if self.line > self.most {
                self.over.store(true, Ordering::Relaxed);
                buffer.set_filled(before);
                return Poll::Ready(Err(io::ErrorKind::FileTooLarge.into()));
            }
            if piece.ends_with(b"\n") {
                self.line = 0;
            }
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt as _;

    use super::*;

    async fn read(text: &str, most: usize) -> (io::Result<usize>, bool) {
        let (mut lines, over) = Lines::new(text.as_bytes(), most);
        let mut read = Vec::new();
        let done = lines.read_to_end(&mut read).await;
        (done, over.load(Ordering::Relaxed))
    }

    #[tokio::test]
    async fn a_line_counts_by_itself() {
        let (done, over) = read("abc\nabc\nabc\n", 4).await;
        assert_eq!((done.unwrap(), over), (12, false));
        let (done, over) = read("abc\nabcd\n", 4).await;
        assert!(done.is_err() && over);
        let (done, over) = read("abcde", 4).await;
        assert!(done.is_err() && over, "a line without an end is one too");
    }
}
