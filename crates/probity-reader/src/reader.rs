//! What can be read, and reading it.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use sha2::{Digest, Sha256};

use crate::answer::{Passage, PassageAnswer, answer};
use crate::encode::{First, encode};
use crate::entail::Entailment;
use crate::network::{self, Scratch, Wanted};
use crate::permit::{self, Permit};
use crate::stop::{Stop, Stopped};
use crate::weights::{WIDTH, Weights, WeightsError};

/// The largest weights file that is read.
const FILE_BYTES: u64 = 256 << 20;

#[cfg(feature = "embedded")]
static EMBEDDED: &[u8] = include_bytes!("../assets/reader.safetensors");
/// The start of their SHA-256, written down so that loading need not read all of them.
#[cfg(feature = "embedded")]
const EMBEDDED_HASH: &str = "929d41df";

/// Why there is no reader.
#[derive(Debug, thiserror::Error)]
pub enum ReaderError {
    /// The program was built without one.
    #[error(
        "this program was built without a reader; name a file with weights, or build it with the \
         feature `embedded`"
    )]
    Absent,
    /// The file cannot be read.
    #[error("cannot read the weights {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is too large.
    #[error("the weights have more than {FILE_BYTES} bytes, the maximum")]
    TooLarge,
    /// The weights are not those of a reader.
    #[error("these are not weights of a reader: {0}; see docs/dev/reader.md")]
    Weights(#[from] WeightsError),
}

/// Weights and vocabulary, loaded once.
pub struct Reader {
    pub(crate) weights: Weights,
    name: String,
    /// Memory that threads have worked in, for those to come: at most one for each that may read.
    spare: Mutex<Vec<Scratch>>,
}

impl Reader {
    /// The reader that comes with the program, loaded at its first use.
    #[cfg(feature = "embedded")]
    pub fn embedded() -> Result<&'static Reader, ReaderError> {
        static READER: std::sync::OnceLock<Reader> = std::sync::OnceLock::new();
        static LOADING: Mutex<()> = Mutex::new(());
        // One thread loads; the others wait for it instead of loading once more.
        let _loading = match READER.get() {
            Some(reader) => return Ok(reader),
            None => LOADING.lock().unwrap_or_else(PoisonError::into_inner),
        };
        match READER.get() {
            Some(reader) => Ok(reader),
            None => {
                let reader = Reader::new(Cow::Borrowed(EMBEDDED), EMBEDDED_HASH)?;
                Ok(READER.get_or_init(|| reader))
            }
        }
    }

    /// The reader that comes with the program: this one comes without.
    #[cfg(not(feature = "embedded"))]
    pub fn embedded() -> Result<&'static Reader, ReaderError> {
        Err(ReaderError::Absent)
    }

    /// A reader from a weights file.
    pub fn from_file(path: &Path) -> Result<Reader, ReaderError> {
        let failed = |source| ReaderError::File { path: path.to_owned(), source };
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        if length > FILE_BYTES {
            return Err(ReaderError::TooLarge);
        }
        bytes.reserve_exact(usize::try_from(length).unwrap_or_default());
        file.take(FILE_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
        Self::from_bytes(Cow::Owned(bytes))
    }

    /// A reader from the bytes of a weights file.
    pub fn from_bytes(bytes: Cow<'static, [u8]>) -> Result<Reader, ReaderError> {
        if u64::try_from(bytes.len()).map_or(true, |length| length > FILE_BYTES) {
            return Err(ReaderError::TooLarge);
        }
        let hash = start_of_hash(&bytes);
        Self::new(bytes, &hash)
    }

    fn new(bytes: Cow<'static, [u8]>, hash: &str) -> Result<Reader, ReaderError> {
        let weights = Weights::read(bytes)?;
        let name = format!("reader-{}x{WIDTH}-{hash}", weights.layers.len());
        Ok(Self { weights, name, spare: Mutex::default() })
    }

    /// What distinguishes this reader from others: layers, width and the start of the weights'
    /// SHA-256.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many threads of the process may read at once; 1 to read on the caller's thread alone.
    /// Without it, one a processor and at most 4.
    pub fn set_threads(threads: usize) {
        permit::allow(threads);
    }

    /// What each passage says to a question, in the order of the passages.
    pub fn answers(
        &self,
        question: &str,
        passages: &[Passage<'_>],
        stop: &Stop,
    ) -> Result<Vec<PassageAnswer>, Stopped> {
        self.each(passages, stop, |passage, scratch| {
            let pair = encode(First::Question, question, passage.lead, passage.text);
            let reading = network::read(&self.weights, &pair, Wanted::Spans, scratch);
            answer(&pair, &reading, passage.sentences)
        })
    }

    /// What each passage says about a claim, in the order of the passages.
    pub fn entails(
        &self,
        claim: &str,
        passages: &[&str],
        stop: &Stop,
    ) -> Result<Vec<Entailment>, Stopped> {
        self.each(passages, stop, |passage, scratch| self.entail(claim, passage, scratch))
    }

    /// What passages say about claims: (claim, passage), in the order of the pairs.
    pub fn entails_pairs(
        &self,
        pairs: &[(&str, &str)],
        stop: &Stop,
    ) -> Result<Vec<Entailment>, Stopped> {
        self.each(pairs, stop, |(claim, passage), scratch| self.entail(claim, passage, scratch))
    }

    fn entail(&self, claim: &str, passage: &str, scratch: &mut Scratch) -> Entailment {
        let pair = encode(First::Claim, claim, "", passage);
        Entailment::from_logits(network::read(&self.weights, &pair, Wanted::Pair, scratch).nli)
    }

    fn spare(&self) -> MutexGuard<'_, Vec<Scratch>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works on every item, on as many threads as there are items and permits for.
    fn each<I: Sync, O: Send>(
        &self,
        items: &[I],
        stop: &Stop,
        work: impl Fn(&I, &mut Scratch) -> O + Sync,
    ) -> Result<Vec<O>, Stopped> {
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::with_capacity(items.len()));
        let turn = || -> Result<(), Stopped> {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(at) else { return Ok(()) };
                let permit = Permit::wait(stop)?;
                let mut scratch = self.spare().pop().unwrap_or_default();
                let output = work(item, &mut scratch);
                self.spare().push(scratch);
                drop(permit);
                done.lock().unwrap_or_else(PoisonError::into_inner).push((at, output));
            }
        };
        thread::scope(|scope| {
            let more = permit::allowed().min(items.len()).saturating_sub(1);
            let others: Vec<_> = (0..more).map(|_| scope.spawn(turn)).collect();
            let own = turn();
            others.into_iter().fold(own, |all, other| {
                all.and(other.join().unwrap_or_else(|panic| resume_unwind(panic)))
            })
        })?;
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|(at, _)| *at);
        Ok(done.into_iter().map(|(_, output)| output).collect())
    }
}

fn start_of_hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
#[cfg(feature = "embedded")]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_reader_is_named_after_its_weights() {
        assert_eq!(EMBEDDED_HASH, start_of_hash(EMBEDDED));
        let name = Reader::embedded().unwrap().name();
        assert_eq!(name, format!("reader-6x384-{EMBEDDED_HASH}"));
    }
}
