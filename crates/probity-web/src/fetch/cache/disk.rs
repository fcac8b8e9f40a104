//! The files of the cache: one for each address, written whole, checked when read.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use http_cache_semantics::CachePolicy;
use probity_core::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::fetch::limits::{CACHE_ENTRIES, CACHE_HEAD_BYTES, CACHE_SHARE};

/// The first line of every file; another format begins otherwise.
const MAGIC: &str = "probity page cache 1";
/// How the names of the files end.
const SUFFIX: &str = ".page";
/// How the names of files end that are being written.
const UNFINISHED: &str = ".part";

/// A response that is kept.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) url: String,
    pub(super) policy: CachePolicy,
    pub(super) body: Vec<u8>,
}

/// The second line of a file.
#[derive(Serialize, Deserialize)]
struct Head {
    url: String,
    policy: CachePolicy,
    bytes: u64,
    sha256: String,
}

/// A folder of entries that never holds more than its limit.
pub(super) struct Disk {
    shelf: Arc<Shelf>,
}

struct Shelf {
    dir: PathBuf,
    max_bytes: u64,
    index: Mutex<HashMap<String, Slot>>,
    /// Counts names of unfinished files apart.
    serial: AtomicU64,
}

#[derive(Clone, Copy)]
struct Slot {
    bytes: u64,
    used: SystemTime,
}

impl Disk {
    pub(super) fn open(dir: PathBuf, max_bytes: u64) -> io::Result<Self> {
        fs::create_dir_all(&dir)?;
        let index = Mutex::new(scan(&dir)?);
        let shelf = Arc::new(Shelf { dir, max_bytes, index, serial: AtomicU64::new(0) });
        shelf.make_room(0);
        Ok(Self { shelf })
    }

    /// The entry of an address, if there is one in good order.
    pub(super) async fn load(&self, url: &str) -> Option<Entry> {
        let (shelf, url) = (Arc::clone(&self.shelf), url.to_owned());
        tokio::task::spawn_blocking(move || shelf.load(&url)).await.ok().flatten()
    }

    /// Keeps an entry in place of an older one. A disk that refuses is no error of the page's.
    pub(super) async fn store(&self, entry: Entry) {
        let shelf = Arc::clone(&self.shelf);
        let stored = tokio::task::spawn_blocking(move || shelf.store(&entry)).await;
        if let Ok(Err(error)) = stored {
            tracing::warn!(%error, "a page could not be cached");
        }
    }
}

impl Shelf {
    fn load(&self, url: &str) -> Option<Entry> {
        let name = name_of(url);
        let path = self.dir.join(&name);
        let file = fs::File::open(&path).ok()?;
        let entry = read_entry(file, self.max_bytes).filter(|entry| entry.url == url);
        match &entry {
            Some(_) => {
                if let Some(slot) = self.index().get_mut(&name) {
                    slot.used = SystemTime::now();
                }
            }
            None => {
                tracing::debug!(file = %path.display(), "a damaged cache entry is dropped");
                let _ = fs::remove_file(&path);
                self.index().remove(&name);
            }
        }
        entry
    }

    fn store(&self, entry: &Entry) -> io::Result<()> {
        let head = Head {
            url: entry.url.clone(),
            policy: entry.policy.clone(),
            bytes: entry.body.len() as u64,
            sha256: hex(&Sha256::digest(&entry.body)),
        };
        let head = format!("{MAGIC}\n{}\n", serde_json::to_string(&head)?);
        let bytes = head.len() as u64 + entry.body.len() as u64;
        if bytes > self.max_bytes / CACHE_SHARE || head.len() as u64 > CACHE_HEAD_BYTES {
            return Ok(());
        }
        self.make_room(bytes);
        let name = name_of(&entry.url);
        let serial = self.serial.fetch_add(1, Ordering::Relaxed);
        let part = self.dir.join(format!("{}-{serial}{UNFINISHED}", std::process::id()));
        let written = write_whole(&part, head.as_bytes(), &entry.body)
            .and_then(|()| fs::rename(&part, self.dir.join(&name)));
        if written.is_err() {
            let _ = fs::remove_file(&part);
            return written;
        }
        self.index().insert(name, Slot { bytes, used: SystemTime::now() });
        Ok(())
    }

    /// Removes what was used longest ago until this many bytes fit.
    fn make_room(&self, bytes: u64) {
        let mut index = self.index();
        let mut total: u64 = index.values().map(|slot| slot.bytes).sum();
        if total + bytes <= self.max_bytes && index.len() < CACHE_ENTRIES {
            return;
        }
        let mut by_use: Vec<(SystemTime, String)> =
            index.iter().map(|(name, slot)| (slot.used, name.clone())).collect();
        by_use.sort();
        for (_, name) in by_use {
            // A little more than needed, so that not every entry sorts the shelf again.
            if total + bytes <= self.max_bytes / 10 * 9 && index.len() < CACHE_ENTRIES / 10 * 9 {
                break;
            }
            let _ = fs::remove_file(self.dir.join(&name));
            total -= index.remove(&name).map_or(0, |slot| slot.bytes);
        }
    }

    fn index(&self) -> MutexGuard<'_, HashMap<String, Slot>> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read_entry(file: fs::File, max_bytes: u64) -> Option<Entry> {
    let mut text = Vec::new();
    file.take(max_bytes.saturating_add(CACHE_HEAD_BYTES)).read_to_end(&mut text).ok()?;
    let rest = text.strip_prefix(MAGIC.as_bytes())?.strip_prefix(b"\n")?;
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let head: Head = serde_json::from_slice(rest.get(..end)?).ok()?;
    let body = rest.get(end + 1..)?;
    let whole = body.len() as u64 == head.bytes && hex(&Sha256::digest(body)) == head.sha256;
    whole.then(|| Entry { url: head.url, policy: head.policy, body: body.to_vec() })
}

fn write_whole(path: &Path, head: &[u8], body: &[u8]) -> io::Result<()> {
    let mut file = fs::File::create(path)?;
    file.write_all(head)?;
    file.write_all(body)
}

/// The entries in a folder. What writers left unfinished long ago is removed.
fn scan(dir: &Path) -> io::Result<HashMap<String, Slot>> {
    let mut index = HashMap::new();
    for file in fs::read_dir(dir)? {
        let Ok(file) = file else { continue };
        let (Ok(name), Ok(meta)) = (file.file_name().into_string(), file.metadata()) else {
            continue;
        };
        let used = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        if name.ends_with(SUFFIX) {
            index.insert(name, Slot { bytes: meta.len(), used });
        } else if name.ends_with(UNFINISHED)
            && used.elapsed().is_ok_and(|age| age.as_secs() > 60 * 60)
        {
            let _ = fs::remove_file(file.path());
        }
    }
    Ok(index)
}

fn name_of(url: &str) -> String {
    format!("{}{SUFFIX}", hex(Sha256::digest(url).iter()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(url: &str, body: &[u8]) -> Entry {
        let request = http::Request::get(url).body(()).unwrap();
        let response = http::Response::builder().header("etag", "\"1\"").body(()).unwrap();
        Entry {
            url: url.to_owned(),
            policy: CachePolicy::new(&request, &response),
            body: body.to_vec(),
        }
    }

    fn files(dir: &Path) -> Vec<PathBuf> {
        fs::read_dir(dir).unwrap().map(|file| file.unwrap().path()).collect()
    }

    #[tokio::test]
    async fn what_was_stored_comes_back_also_in_another_process() {
        let dir = tempfile::tempdir().unwrap();
        let disk = Disk::open(dir.path().into(), 1 << 20).unwrap();
        disk.store(entry("https://a.example/", b"one")).await;
        disk.store(entry("https://a.example/", b"two")).await;
        assert_eq!(disk.load("https://a.example/").await.unwrap().body, b"two");
        let again = Disk::open(dir.path().into(), 1 << 20).unwrap();
        assert_eq!(again.load("https://a.example/").await.unwrap().body, b"two");
        assert!(again.load("https://b.example/").await.is_none());
        assert_eq!(files(dir.path()).len(), 1);
    }

    #[tokio::test]
    async fn a_damaged_entry_is_ignored_and_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let disk = Disk::open(dir.path().into(), 1 << 20).unwrap();
        disk.store(entry("https://a.example/", b"a body of some length")).await;
        let path = files(dir.path()).pop().unwrap();
        let whole = fs::read(&path).unwrap();
        let mut flipped = whole.clone();
        *flipped.last_mut().unwrap() ^= 1;
        for damaged in [&whole[..whole.len() - 3], &flipped, b"", b"probity page cache 1\n{"] {
            fs::write(&path, damaged).unwrap();
            assert!(disk.load("https://a.example/").await.is_none());
            assert!(!path.exists());
        }
    }

    #[tokio::test]
    async fn the_folder_stays_under_its_limit_and_the_last_used_stay() {
        let dir = tempfile::tempdir().unwrap();
        let max = 200 * 1024;
        let disk = Disk::open(dir.path().into(), max).unwrap();
        let url = |nth: usize| format!("https://a.example/{nth}");
        for nth in 0..40 {
            disk.store(entry(&url(nth), &[7; 10 * 1024])).await;
            let total: u64 = files(dir.path()).iter().map(|f| f.metadata().unwrap().len()).sum();
            assert!(total <= max);
            assert!(disk.load(&url(0)).await.is_some(), "the one in use was dropped");
        }
        assert!(disk.load(&url(39)).await.is_some());
        assert!(disk.load(&url(1)).await.is_none());
        disk.store(entry(&url(99), &vec![7; 150 * 1024])).await;
        assert!(disk.load(&url(99)).await.is_none(), "one entry took most of the folder");
    }
}
