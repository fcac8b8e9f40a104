//! What was set on the page: a file beside the configuration that only its owner can read.
//!
//! ```text
//! defaults ← configuration file ← page ← environment
//! ```
//!
//! The file is written whole or not at all, and read again when it changed, so that a server and the
//! workers beside it take a change up without a restart.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use anyhow::Context as _;
use probity_core::Secret;
use probity_server::ThresholdChange;
use serde::{Deserialize, Serialize, Serializer};

use super::{Paths, Settings};
use crate::atomic_file;
use crate::failure::{Usage, WithHint as _};
use key::KeyName;
use way::KeptWay;

pub(crate) mod key;
pub(crate) mod way;

/// The largest file that is read, in bytes: many times what every key and address together take.
const FILE_BYTES: u64 = 1024 * 1024;

/// One change at a time in this process; the lock of the folder keeps other processes out.
static CHANGING: Mutex<()> = Mutex::new(());

/// What was set on the page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct PageSettings {
    /// Keys by their names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) keys: BTreeMap<KeyName, KeptKey>,
    /// Thresholds that are not those of the configuration file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) thresholds: Option<KeptThresholds>,
    /// Ways to reach people, by their ids.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) alerts: BTreeMap<String, KeptWay>,
}

/// Thresholds that were set on the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeptThresholds {
    /// When they were last set.
    pub(crate) set_at: String,
    /// Who set them.
    pub(crate) set_by: String,
    /// What differs from the configuration file.
    pub(crate) change: ThresholdChange,
}

/// A key that was set on the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeptKey {
    /// The key.
    #[serde(serialize_with = "exposed")]
    pub(crate) key: Secret,
    /// When it was set.
    pub(crate) set_at: String,
    /// Who set it.
    pub(crate) set_by: String,
}

/// The one place where a secret is written as it is: into a file that only its owner can read.
fn exposed<S: Serializer>(secret: &Secret, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(secret.expose())
}

/// What tells one state of the file from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    changed: Option<SystemTime>,
    bytes: u64,
    #[cfg(unix)]
    file: u64,
}

impl Stamp {
    /// The state of the file now; none where there is no file.
    pub(crate) fn of(paths: &Paths) -> Option<Self> {
        let found = fs::metadata(paths.page()).ok()?;
        Some(Self {
            changed: found.modified().ok(),
            bytes: found.len(),
            // A file that was swapped for another is another, however fast that was.
            #[cfg(unix)]
            file: std::os::unix::fs::MetadataExt::ino(&found),
        })
    }
}

impl PageSettings {
    /// Reads the file; one that is not there says nothing.
    pub(crate) fn read(paths: &Paths) -> anyhow::Result<Self> {
        let path = paths.page();
        let text = match read_bounded(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => {
                let said = format!("cannot read {}", path.display());
                return Err(anyhow::Error::new(error).context(said));
            }
        };
        // What a parser quotes of the file could be a key.
        toml::from_str(&text)
            .map_err(|error| {
                let line = error.span().and_then(|span| text.get(..span.start));
                let line = line.map_or(1, |before| before.matches('\n').count() + 1);
                Usage(format!("{}:{line}: this cannot be read", path.display()))
            })
            .hint("it holds what was set on the page of settings; remove it to begin again")
    }

    /// Lays what was set over the settings of the configuration file.
    pub(crate) fn lay_over(&self, settings: &mut Settings) {
        for (name, kept) in &self.keys {
            name.put(settings, Some(kept.key.clone()));
        }
        if let Some(kept) = &self.thresholds {
            settings.put_thresholds(kept.change.over(settings.thresholds()));
        }
        settings.alerts.kept.clone_from(&self.alerts);
    }

    /// Changes the file: read, changed and written under a lock.
    pub(crate) fn change<T>(
        paths: &Paths,
        edit: impl FnOnce(&mut Self) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let _mine = CHANGING.lock().unwrap_or_else(PoisonError::into_inner);
        let path = paths.page();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        let _ours = lock(folder)?;
        let mut page = Self::read(paths)?;
        let given = edit(&mut page)?;
        let text = toml::to_string_pretty(&page).context("the settings cannot be written down")?;
        let text = format!(
            "# What was set on Probity's page of settings. It holds keys: keep it to yourself.\n\
             # Change it there; removing this file forgets all of it.\n\n{text}"
        );
        atomic_file::private_file(&path, text.as_bytes())
            .hint("the folder of the configuration file has to be writable for the server")?;
        Ok(given)
    }
}

fn read_bounded(path: &Path) -> std::io::Result<String> {
    use std::io::Read as _;
    let mut text = String::new();
    File::open(path)?.take(FILE_BYTES).read_to_string(&mut text)?;
    Ok(text)
}

/// Keeps other processes from changing the file; the lock ends with what is given.
#[cfg(unix)]
fn lock(folder: &Path) -> anyhow::Result<File> {
    let locked = File::open(folder).and_then(|folder| folder.lock().map(|()| folder));
    locked.with_context(|| format!("cannot lock {}", folder.display()))
}

#[cfg(not(unix))]
fn lock(_: &Path) -> anyhow::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(folder: &Path) -> Paths {
        Paths { data: folder.join("data"), config: folder.join("config.toml"), config_named: false }
    }

    fn kept(key: &str) -> KeptKey {
        KeptKey { key: Secret::new(key), set_at: "now".into(), set_by: "ada".into() }
    }

    #[test]
    fn what_is_written_is_read_back_and_no_one_else_can_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let paths = paths(folder.path());
        assert_eq!(PageSettings::read(&paths).unwrap(), PageSettings::default());
        let name: KeyName = "search.brave".parse().unwrap();
        let before = Stamp::of(&paths);
        PageSettings::change(&paths, |page| {
            page.keys.insert(name, kept("odd \"key\"\n[x]"));
            Ok(())
        })
        .unwrap();
        assert_ne!(Stamp::of(&paths), before);
        let page = PageSettings::read(&paths).unwrap();
        assert_eq!(page.keys.get(&name), Some(&kept("odd \"key\"\n[x]")));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::metadata(paths.page()).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        assert!(!format!("{page:?}").contains("odd"), "{page:?}");
    }

    #[test]
    fn a_damaged_file_is_named_without_what_it_holds() {
        let folder = tempfile::tempdir().unwrap();
        let paths = paths(folder.path());
        fs::write(paths.page(), "[keys.\"search.brave\"]\nkey = \"planted-key\" oops\n").unwrap();
        let error = format!("{:#}", PageSettings::read(&paths).unwrap_err());
        assert!(error.contains("config.page.toml:2"), "{error}");
        assert!(!error.contains("planted"), "{error}");
    }
}
