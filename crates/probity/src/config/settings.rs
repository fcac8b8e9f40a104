//! The settings a user may write into the configuration file, with their defaults.

use std::path::Path;

use anyhow::Context as _;
use probity_core::{Modes, Secret};
use probity_credibility::Policy;
use probity_model::ModelSettings;
use probity_model::settings::read_key;
use probity_news::NewsSettings;
use probity_research::run::{GateCalls, RunLimits};
use probity_server::Thresholds;
use probity_web::search::SearchSettings;
use serde::{Deserialize, Serialize};

use super::alerts::AlertSettings;
use super::fetching::FetchSection;
use super::mistake::mistake;
use super::oidc::OidcSettings;
use super::page::PageSettings;
use super::sharing::{QueueSettings, StoreSettings, WorkerSettings};
use super::{Paths, env};
use crate::failure::{Usage, WithHint as _, cannot_read};

/// The whole configuration.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// Where runs, ledger and library are kept.
    pub(crate) store: StoreSettings,
    /// How pages are scored.
    pub(crate) credibility: Policy,
    /// How the ledger learns.
    pub(crate) ledger: LedgerSettings,
    /// Which search providers are asked, and how.
    pub(crate) search: SearchSettings,
    /// Which language models are asked, and what they may spend.
    pub(crate) model: ModelSettings,
    /// How pages are fetched.
    pub(crate) fetch: FetchSection,
    /// How far runs go and how long they wait.
    pub(crate) research: ResearchSettings,
    /// The reader of texts beside questions and claims.
    pub(crate) reader: ReaderSettings,
    /// How folders that are named for a run are indexed.
    pub(crate) library: LibrarySettings,
    /// How much may wait for workers.
    pub(crate) queue: QueueSettings,
    /// How a worker works.
    pub(crate) worker: WorkerSettings,
    /// How feeds are polled and how long articles are kept.
    pub(crate) news: NewsSettings,
    /// What other agents may do.
    pub(crate) mcp: McpSettings,
    /// Which alerts are sent, and where.
    pub(crate) alerts: AlertSettings,
    /// A provider that people log in at.
    pub(crate) oidc: OidcSettings,
}

/// What other agents may do over MCP.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct McpSettings {
    /// Whether they may code outlets, which moves their scores.
    pub(crate) allow_coding: bool,
}

/// How far runs go and how long they wait.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ResearchSettings {
    /// The numbers of each mode.
    pub(crate) modes: Modes,
    /// How long a run waits, and how much it does at once.
    pub(crate) limits: RunLimits,
    /// How the gate asks a model about the sources: `each` or `batched`.
    pub(crate) gate: GateCalls,
}

/// The reader of texts beside questions and claims.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ReaderSettings {
    /// The trained model: `embedded`, the path of a weights file, or `none` to compare words only.
    pub(crate) model: String,
    /// The maximum number of reader threads in the whole process; 0 takes one per core, up to 4.
    pub(crate) threads: usize,
}

impl Default for ReaderSettings {
    fn default() -> Self {
        Self { model: "embedded".to_owned(), threads: 0 }
    }
}

/// How folders that are named for a run are indexed.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LibrarySettings {
    /// Whether the index of a large folder named with `--library` is cached in the data folder, so
    /// that the next run reads only what changed. It contains the texts of the folder.
    pub(crate) keep_indexes: bool,
}

impl Default for LibrarySettings {
    fn default() -> Self {
        Self { keep_indexes: true }
    }
}

/// How the ledger learns.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LedgerSettings {
    /// How far one coding moves a score towards its target, from 0 to 1.
    pub(crate) alpha: f64,
}

impl Default for LedgerSettings {
    fn default() -> Self {
        Self { alpha: 0.1 }
    }
}

impl Settings {
    /// What the configuration file says, by itself.
    pub(crate) fn written(paths: &Paths) -> anyhow::Result<Self> {
        Self::read(&paths.config, paths.config_named)
    }

    /// Lays what was set on the page and the environment over what is written, and checks the whole.
    pub(crate) fn in_force(written: &Self, paths: &Paths) -> anyhow::Result<Self> {
        let mut settings = written.clone();
        let page = PageSettings::read(paths)?;
        page.lay_over(&mut settings);
        let completed = settings.complete(paths);
        completed.map_err(|error| match page == PageSettings::default() {
            true => error,
            false => error.context(format!("with what is set in {}", paths.page().display())),
        })?;
        Ok(settings)
    }

    /// The thresholds that admins may change on the page.
    pub(crate) fn thresholds(&self) -> Thresholds {
        Thresholds { credibility: self.credibility.threshold, modes: self.research.modes }
    }

    /// Puts other thresholds in force.
    pub(crate) fn put_thresholds(&mut self, thresholds: Thresholds) {
        self.credibility.threshold = thresholds.credibility;
        self.research.modes = thresholds.modes;
    }

    /// Lays the environment over what is set, reads the files that hold keys, and checks the whole.
    pub(crate) fn complete(&mut self, paths: &Paths) -> anyhow::Result<()> {
        self.apply_environment()?;
        self.check().map_err(|problem| {
            anyhow::Error::new(Usage(problem))
                .context(format!("the configuration in {} cannot be used", paths.config.display()))
        })
    }

    fn read(path: &Path, named: bool) -> anyhow::Result<Self> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !named => {
                return Ok(Self::default());
            }
            Err(error) => return Err(cannot_read(path, error)),
        };
        toml::from_str(&text)
            .map_err(|error| Usage(mistake(path, &text, &error)))
            .hint("`probity config show` prints every setting with its default")
    }

    fn apply_environment(&mut self) -> anyhow::Result<()> {
        if let Some(path) = env::PROBITY_STORE_FILE.get() {
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("cannot read {path}, named by PROBITY_STORE_FILE"))?;
            self.store.url = Some(Secret::new(text.trim()));
        }
        if let Some(url) = env::PROBITY_STORE.get() {
            self.store.url = Some(Secret::new(url));
        }
        if let Some(url) = env::PROBITY_LISTEN.get() {
            self.store.listen_url = Some(Secret::new(url));
        }
        self.search.take_environment(env::lookup).map_err(|error| Usage(error.to_string()))?;
        self.search.take_key_files(read_key).map_err(|error| Usage(error.to_string()))?;
        self.model.take_environment(env::lookup).map_err(|error| Usage(error.to_string()))?;
        self.oidc.take_environment().map_err(|error| Usage(format!("oidc: {error}")))?;
        Ok(())
    }

    pub(super) fn check(&self) -> Result<(), String> {
        self.search.check().map_err(|error| error.to_string())?;
        self.model.check().map_err(|error| error.to_string())?;
        self.credibility.check().map_err(|error| format!("credibility: {error}"))?;
        self.research.modes.check().map_err(|error| format!("research.modes: {error}"))?;
        self.store.check().map_err(|error| format!("store: {error}"))?;
        self.queue.check().map_err(|error| format!("queue: {error}"))?;
        self.worker.check().map_err(|error| format!("worker: {error}"))?;
        self.fetch.check().map_err(|error| format!("fetch: {error}"))?;
        self.news.check().map_err(|error| format!("news: {error}"))?;
        self.alerts.check().map_err(|error| format!("alerts: {error}"))?;
        self.oidc.check().map_err(|error| format!("oidc: {error}"))?;
        if !(0.0..=1.0).contains(&self.ledger.alpha) {
            let alpha = self.ledger.alpha;
            return Err(format!("ledger: `alpha` is {alpha}; it has to lie between 0 and 1"));
        }
        Ok(())
    }
}
