//! Work without the interpreter's lock, given up when the user presses Ctrl-C.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use futures::FutureExt as _;
use probity_reader::Stop;
use pyo3::prelude::*;
use tokio::runtime::{Builder, Runtime};

use crate::failure::Failure;

/// How often a call that works looks whether it was interrupted.
const LOOK: Duration = Duration::from_millis(50);
/// The stack of a thread that works: some readers of documents recurse.
const STACK_BYTES: usize = 16 * 1024 * 1024;
/// Threads that drive searches, pages and the store.
const DRIVERS: usize = 2;

/// Works on a thread of its own. The work is stopped when the caller is interrupted, and waited
/// for, because it may borrow what the caller holds.
pub(crate) fn work<T: Send>(py: Python<'_>, job: impl FnOnce(&Stop) -> T + Send) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = sync_channel(1);
            let (stopper, stop) = Stop::new();
            let job = move || {
                let done = catch_unwind(AssertUnwindSafe(|| job(&stop)));
                // What was interrupted is not waited for.
                let _ = sender.send(done);
            };
            thread::Builder::new()
                .name("probity".to_owned())
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, job)
                .map_err(|error| Failure::failed(format!("no thread could be started: {error}")))?;
            let waited = wait(&receiver);
            drop(stopper);
            waited
        })
    })
}

/// Carries a future out on the package's own runtime. It is dropped when the caller is interrupted.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    future: impl Future<Output = T> + Send + 'static,
) -> PyResult<T> {
    let runtime = runtime()?;
    py.detach(|| {
        let (sender, receiver) = sync_channel(1);
        let task = runtime.spawn(async move {
            let done = AssertUnwindSafe(future).catch_unwind().await;
            let _ = sender.send(done);
        });
        let waited = wait(&receiver);
        task.abort();
        waited
    })
}

/// As [`run`], telling the caller's own thread what happens meanwhile. What `tell` raises ends the work.
pub(crate) fn run_telling<T: Send + 'static, E: Send>(
    py: Python<'_>,
    future: impl Future<Output = T> + Send + 'static,
    events: &Receiver<E>,
    mut tell: impl FnMut(E) -> PyResult<()>,
) -> PyResult<T> {
    let (sender, receiver) = sync_channel(1);
    let task = runtime()?.spawn(async move {
        let done = AssertUnwindSafe(future).catch_unwind().await;
        let _ = sender.send(done);
    });
    // Only so that it may be looked at without the lock.
    let receiver = Mutex::new(receiver);
    let mut turn = || -> PyResult<Option<T>> {
        let done = py
            .detach(|| receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK));
        // Everything that happened before the end is in the channel by then.
        let heard: Vec<E> = events.try_iter().collect();
        heard.into_iter().try_for_each(&mut tell)?;
        match done {
            Ok(done) => done.map(Some).map_err(|panic| crashed(panic.as_ref()).into()),
            Err(RecvTimeoutError::Timeout) => py.check_signals().map(|()| None),
            Err(RecvTimeoutError::Disconnected) => {
                Err(Failure::failed("the work ended without a result").into())
            }
        }
    };
    let result = loop {
        match turn() {
            Ok(None) => {}
            Ok(Some(done)) => break Ok(done),
            Err(error) => break Err(error),
        }
    };
    task.abort();
    result
}

/// Carries a future out from a thread that has no interpreter's lock to hold.
pub(crate) fn block<T>(future: impl Future<Output = T>) -> Result<T, Failure> {
    Ok(runtime()?.block_on(future))
}

/// Waits for a result, looking now and then for Ctrl-C.
fn wait<T>(receiver: &Receiver<thread::Result<T>>) -> PyResult<T> {
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(Ok(done)) => return Ok(done),
            Ok(Err(panic)) => return Err(crashed(panic.as_ref()).into()),
            Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::failed("the work ended without a result").into());
            }
        }
    }
}

fn crashed(panic: &(dyn Any + Send)) -> Failure {
    let said = panic.downcast_ref::<String>().map(String::as_str);
    let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
    Failure::failed(format!("the engine failed inside: {said}"))
        .hint("this is a defect of probity; please report it with what was handed over")
}

/// The runtime of this process. A process that was forked off has none of its parent's threads, so it
/// gets a runtime of its own.
fn runtime() -> Result<Arc<Runtime>, Failure> {
    static RUNTIME: Mutex<Option<(u32, Arc<Runtime>)>> = Mutex::new(None);
    let mut held = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some((owner, runtime)) = held.as_ref()
        && *owner == process
    {
        return Ok(Arc::clone(runtime));
    }
    let made = Builder::new_multi_thread()
        .worker_threads(DRIVERS)
        .thread_name("probity-io")
        .enable_all()
        .build()
        .map_err(|error| Failure::failed(format!("no runtime could be started: {error}")))?;
    let made = Arc::new(made);
    // Dropping the parent's would wait for threads that do not exist here.
    if let Some(parents) = held.replace((process, Arc::clone(&made))) {
        std::mem::forget(parents);
    }
    Ok(made)
}
