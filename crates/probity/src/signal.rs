//! Being asked to stop: Ctrl-C, or SIGTERM from a supervisor.

use tokio::task::JoinHandle;

/// How a shell calls the end of a program that was interrupted.
pub(crate) const EXIT_INTERRUPTED: u8 = 130;

/// Does something when the program is first asked to stop; asked again, the program ends at once.
/// Signals are handled from the moment this returns. Abort the task to stop listening.
pub(crate) fn when_asked_to_stop(stop: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    let mut requests = Requests::listen();
    tokio::spawn(async move {
        requests.next().await;
        stop();
        requests.next().await;
        std::process::exit(i32::from(EXIT_INTERRUPTED));
    })
}

/// Does some work, unless the program is asked to stop meanwhile: then the work is dropped.
pub(crate) async fn unless_asked_to_stop<T>(work: impl Future<Output = T>) -> Option<T> {
    let mut requests = Requests::listen();
    tokio::select! {
        done = work => Some(done),
        () = requests.next() => None,
    }
}

/// Requests to stop. A signal whose handler cannot be set is not heard, and ends the program as if
/// no one listened.
#[cfg(unix)]
struct Requests(Vec<tokio::signal::unix::Signal>);

#[cfg(unix)]
impl Requests {
    fn listen() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::terminate(), SignalKind::interrupt()];
        Self(kinds.into_iter().filter_map(|kind| signal(kind).ok()).collect())
    }

    async fn next(&mut self) {
        std::future::poll_fn(|context| {
            match self.0.iter_mut().any(|signal| signal.poll_recv(context).is_ready()) {
                true => std::task::Poll::Ready(()),
                false => std::task::Poll::Pending,
            }
        })
        .await;
    }
}

#[cfg(not(unix))]
struct Requests;

#[cfg(not(unix))]
impl Requests {
    fn listen() -> Self {
        Self
    }

    async fn next(&mut self) {
        let _ = tokio::signal::ctrl_c().await;
    }
}
