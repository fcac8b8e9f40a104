//! Where things are: the data folder and the configuration file.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::env;

/// The places that Probity reads and writes.
#[derive(Debug, Clone)]
pub(crate) struct Paths {
    /// The folder for the store and saved reports.
    pub(crate) data: PathBuf,
    /// The configuration file, which need not exist unless it was named.
    pub(crate) config: PathBuf,
    /// Whether the user named the configuration file.
    pub(crate) config_named: bool,
}

impl Paths {
    /// Flags first, then the environment, then the platform's places.
    pub(crate) fn find(data_dir: Option<&Path>, config: Option<&Path>) -> anyhow::Result<Self> {
        let platform = directories::ProjectDirs::from("", "", "probity");
        let data = data_dir
            .map(Path::to_owned)
            .or_else(|| env::PROBITY_HOME.get().map(PathBuf::from))
            .or_else(|| platform.as_ref().map(|dirs| dirs.data_dir().to_owned()))
            .context(
                "no home folder was found; name a data folder with --data-dir or PROBITY_HOME",
            )?;
        let named =
            config.map(Path::to_owned).or_else(|| env::PROBITY_CONFIG.get().map(PathBuf::from));
        let config_named = named.is_some();
        let config = named
            .or_else(|| platform.as_ref().map(|dirs| dirs.config_dir().join("config.toml")))
            .unwrap_or_else(|| data.join("config.toml"));
        Ok(Self { data, config, config_named })
    }

    /// The file of what was set on the page: `config.page.toml` beside `config.toml`.
    pub(crate) fn page(&self) -> PathBuf {
        self.config.with_extension("page.toml")
    }
}
