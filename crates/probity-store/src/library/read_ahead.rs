//! Suspect files → outcomes, read on all cores while the index is being written.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use tokio::sync::mpsc;

use super::follow::Suspect;
use super::reading::{Entry, Reader, hash, read_file};
use super::terms::Glossary;

/// How many outcomes wait to be written at most.
const WAITING: usize = 16;
/// How many bytes of files are read or wait to be written at once; a larger file is read alone. What is
/// made of a file takes several times as much.
const ROOM_BYTES: u64 = 16 * 1024 * 1024;
/// How many threads read, however many cores there are.
const THREADS: usize = 8;
/// Room on the stack for documents that are nested deeply: as much as readers of documents ask for.
const STACK_BYTES: usize = 16 * 1024 * 1024;

/// The result of looking into a file.
#[derive(Debug)]
pub(super) enum Outcome {
    /// It was read; or it was understood that it cannot be.
    Read {
        /// What goes to the index.
        entry: Box<Entry>,
        /// Whether the index had it before.
        was_known: bool,
    },
    /// Its bytes are those that the index has.
    Same {
        /// Which file.
        origin: String,
        /// When it was last changed, if the index has another time.
        modified: Option<i64>,
        /// Why nothing was read of these bytes.
        failure: Option<String>,
    },
    /// It could not be opened. What the index has of it stays.
    Unreadable {
        /// Which file.
        origin: String,
        /// What the system said.
        reason: String,
    },
}

/// Room for the files that are in progress.
#[derive(Default)]
struct Room {
    taken: Mutex<u64>,
    left: Condvar,
}

/// A part of the room, given back when it is dropped.
pub(super) struct Taken {
    room: Arc<Room>,
    bytes: u64,
}

impl Room {
    /// Waits until there is room for a file, or until nothing else is in progress.
    fn take(self: &Arc<Self>, bytes: u64) -> Taken {
        let full = |taken: &mut u64| *taken > 0 && taken.saturating_add(bytes) > ROOM_BYTES;
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let mut taken = self.left.wait_while(taken, full).unwrap_or_else(PoisonError::into_inner);
        *taken += bytes;
        Taken { room: Arc::clone(self), bytes }
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        *self.room.taken.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        self.room.left.notify_all();
    }
}

/// Starts reading. Dropping the receiver stops it after the files at hand. What comes with an outcome keeps its room
/// until it is taken over.
pub(super) fn read_ahead(
    suspects: Vec<Suspect>,
    root: &Path,
    reader: &Arc<dyn Reader>,
) -> std::io::Result<mpsc::Receiver<(Outcome, Taken)>> {
    let (sender, receiver) = mpsc::channel(WAITING);
    let room = Arc::<Room>::default();
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(THREADS);
    let suspects = Arc::new(suspects);
    let next = Arc::new(AtomicUsize::new(0));
    for _ in 0..threads.min(suspects.len()) {
        let (suspects, next, sender) = (Arc::clone(&suspects), Arc::clone(&next), sender.clone());
        let room = Arc::clone(&room);
        let (root, reader): (PathBuf, _) = (root.to_owned(), Arc::clone(reader));
        std::thread::Builder::new().name("library".into()).stack_size(STACK_BYTES).spawn(
            move || {
                let mut glossary = Glossary::default();
                while let Some(suspect) = suspects.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let taken = room.take(suspect.file.bytes);
                    let outcome = look_into(suspect, &root, reader.as_ref(), &mut glossary);
                    if sender.blocking_send((outcome, taken)).is_err() {
                        break;
                    }
                }
            },
        )?;
    }
    Ok(receiver)
}

fn look_into(
    suspect: &Suspect,
    root: &Path,
    reader: &dyn Reader,
    glossary: &mut Glossary,
) -> Outcome {
    let Suspect { file, known, regardless } = suspect;
    let origin = || file.path.to_string_lossy().into_owned();
    let bytes = match read_bytes(&file.path) {
        Ok(bytes) => bytes,
        Err(reason) => return Outcome::Unreadable { origin: origin(), reason },
    };
    let hash = hash(&bytes);
    if let Some(known) = known.as_ref().filter(|known| !regardless && known.hash == hash) {
        return Outcome::Same {
            origin: origin(),
            modified: (known.modified != file.modified).then_some(file.modified),
            failure: known.failure.clone(),
        };
    }
    // A reader that crashes on one file must not take the others with it.
    let reading =
        catch_unwind(AssertUnwindSafe(|| read_file(file, root, &bytes, reader, glossary)))
            .unwrap_or_else(|_| Err("the reader failed on this file; it was given up".to_owned()));
    let entry =
        Entry { origin: origin(), bytes: file.bytes, modified: file.modified, hash, reading };
    Outcome::Read { entry: Box::new(entry), was_known: known.is_some() }
}

/// The file may have grown since the walk: no more than the limit is read.
fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    use std::io::Read as _;

    let max = probity_core::limits::BODY_BYTES;
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    file.take(max + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > max {
        return Err(format!("the file has more than {max} bytes"));
    }
    Ok(bytes)
}
