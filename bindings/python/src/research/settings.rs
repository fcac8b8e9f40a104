//! The settings of a run: a dictionary or a configuration file, and keys from the environment.

use probity_core::Modes;
use probity_credibility::Policy;
use probity_model::ModelSettings;
use probity_model::settings::read_key;
use probity_reader::{Reader, TextReader};
use probity_research::run::{GateCalls, RunLimits};
use probity_web::search::SearchSettings;
use pyo3::prelude::*;
use serde::Deserialize;

use crate::config;
use crate::failure::Failure;

/// The sections of a configuration that a run in Python takes; others are the program's own.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Settings {
    /// How pages are scored.
    pub(super) credibility: Policy,
    /// Which search providers are asked, and how.
    pub(super) search: SearchSettings,
    /// Which language models are asked, and what they may spend.
    pub(super) model: ModelSettings,
    /// How far runs go and how long they wait.
    pub(super) research: Research,
    /// Who reads.
    reader: ReaderSection,
}

/// How far runs go and how long they wait.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Research {
    /// The numbers of each mode.
    pub(super) modes: Modes,
    /// How long a run waits, and how much it does at once.
    pub(super) limits: RunLimits,
    /// How the gate asks a model about the sources: `each` or `batched`.
    pub(super) gate: GateCalls,
}

/// Who reads texts beside questions and claims.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ReaderSection {
    model: String,
    threads: usize,
}

impl Settings {
    /// Reads what the caller gave, lays the environment over it, and checks the whole.
    pub(super) fn read(given: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let mut settings: Self = config::read(given)?;
        let lookup = |name: &str| std::env::var(name).ok();
        let wrong = |error: String| Failure::usage(format!("`config`: {error}"));
        settings.search.take_environment(lookup).map_err(|error| wrong(error.to_string()))?;
        settings.search.take_key_files(read_key).map_err(|error| wrong(error.to_string()))?;
        settings.model.take_environment(lookup).map_err(|error| wrong(error.to_string()))?;
        settings.search.check().map_err(|error| wrong(error.to_string()))?;
        settings.model.check().map_err(|error| wrong(error.to_string()))?;
        settings.credibility.check().map_err(|error| wrong(format!("credibility: {error}")))?;
        let modes = settings.research.modes.check();
        modes.map_err(|error| wrong(format!("research.modes: {error}")))?;
        Ok(settings)
    }

    /// Who reads.
    pub(super) fn reader(&self) -> Result<TextReader, Failure> {
        if self.reader.threads > 0 {
            Reader::set_threads(self.reader.threads);
        }
        TextReader::open(&self.reader.model)
            .map_err(|error| Failure::usage(format!("`config`: reader.model: {error}")))
    }
}
