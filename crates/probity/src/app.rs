//! What a command works with: settings, places, the clock, and the store once it is needed.

use std::collections::HashMap;

use anyhow::Context as _;
use probity_core::{Clock, Outlet};
use probity_credibility::{Scorer, ledger};

use crate::cli::Global;
use crate::config::{Paths, Settings, env};
use crate::failure::usage;
use crate::output::Style;

/// The resolved context of one call.
pub(crate) struct App {
    /// The settings in force.
    pub(crate) settings: Settings,
    /// Where things are.
    pub(crate) paths: Paths,
    /// Whether results are printed as JSON.
    pub(crate) json: bool,
    /// What the output streams can show.
    pub(crate) style: Style,
    /// Where "now" comes from.
    pub(crate) clock: Clock,
}

impl App {
    /// Resolves the global flags, the environment and the configuration file.
    pub(crate) fn new(global: &Global, style: Style) -> anyhow::Result<Self> {
        let paths = Paths::find(global.data_dir.as_deref(), global.config.as_deref())?;
        let clock = match env::PROBITY_NOW.get() {
            Some(text) => Clock::Fixed(text.parse().map_err(|e| usage(format!("PROBITY_NOW: {e}")))?),
            None => Clock::System,
        };
        let settings = Settings::load(&paths)?;
        Ok(Self { settings, paths, json: global.json, style, clock })
    }

    /// A scorer by the settings and the ledger as it stands.
    pub(crate) async fn scorer(&self) -> anyhow::Result<Scorer> {
        let ledger = self.ledger_scores().await?;
        Scorer::new(self.settings.credibility.clone(), ledger, self.clock.now())
            .context("the configuration of credibility cannot be used")
    }

    /// Today's score of every outlet. Before there is a store, these are the seeds: asking for a
    /// score is no reason to create one.
    async fn ledger_scores(&self) -> anyhow::Result<HashMap<Outlet, f64>> {
        let seeds = ledger::seeds().iter();
        Ok(seeds
            .filter_map(|seed| Some((Outlet::new(seed.domain).ok()?, seed.score.get())))
            .collect())
    }
}
