//! What a command works with: settings, places, the clock, and the store once it is needed.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use anyhow::Context as _;
use probity_core::{Clock, Mode, Outlet, Problem, Shared};
use probity_credibility::ledger;
use probity_credibility::{Question, Scorer};
use probity_reader::{Reader, TextReader};
use probity_research::live_gatherer::{GathererError, LiveGatherer, Opening};
use probity_research::run::{ModelUse, RunSpec, Where};
use probity_store::{Location, Store};
use probity_web::fetch::FetchSettings;
use tokio::sync::OnceCell;

use crate::cli::Global;
use crate::config::page::Stamp;
use crate::config::{Paths, Settings, env};
use crate::failure::{Hint, WithHint as _, usage};
use crate::models;
use crate::output::Style;

/// The store's file in the data folder.
const STORE_FILE: &str = "probity.db";

/// The resolved context of one call.
#[derive(Clone)]
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
    /// What the configuration file says by itself; nothing where the settings do not come from there.
    written: Option<Arc<Settings>>,
    /// The state of the page's file that the settings were made of.
    page_stamp: Option<Stamp>,
    store: OnceCell<Store>,
    /// The reader, opened once: its weights are shared by all readers.
    reader: Arc<OnceLock<TextReader>>,
}

/// The folder of kept indexes in the data folder.
const KEPT_INDEXES: &str = "indexes";

impl App {
    /// Resolves the global flags, the environment and the configuration file.
    pub(crate) fn new(global: &Global, style: Style) -> anyhow::Result<Self> {
        let app = Self::unconfigured(global, style)?;
        let written = Settings::written(&app.paths)?;
        Self { written: Some(Arc::new(written)), ..app }.again()
    }

    /// The same with what is set on the page now.
    pub(crate) fn again(&self) -> anyhow::Result<Self> {
        let Some(written) = &self.written else { return Ok(self.clone()) };
        // Taken first: what changes while the file is read is read the next time.
        let page_stamp = Stamp::of(&self.paths);
        let settings = Settings::in_force(written, &self.paths)?;
        Ok(Self { settings, page_stamp, ..self.clone() })
    }

    /// What the configuration file says by itself; nothing where the settings are fixed.
    pub(crate) fn written(&self) -> Option<&Settings> {
        self.written.as_deref()
    }

    /// The state of the page's file that the settings were made of.
    pub(crate) fn page_stamp(&self) -> Option<Stamp> {
        self.page_stamp
    }

    /// A run by the settings, where nothing else is asked for.
    pub(crate) fn run_spec(
        &self,
        run_id: String,
        question: Question,
        mode: Mode,
        model: ModelUse,
    ) -> RunSpec {
        RunSpec {
            numbers: self.settings.research.modes.of(mode),
            policy: self.settings.credibility.clone(),
            analyst: models::analyst(&model),
            limits: self.settings.research.limits,
            model,
            ..RunSpec::usual(run_id.as_str(), question, mode, self.clock.now())
        }
    }

    /// The same call where agents may code outlets.
    pub(crate) fn with_coding(mut self) -> Self {
        self.settings.mcp.allow_coding = true;
        if let Some(written) = &mut self.written {
            Arc::make_mut(written).mcp.allow_coding = true;
        }
        self
    }

    /// The same without reading any settings.
    pub(crate) fn unconfigured(global: &Global, style: Style) -> anyhow::Result<Self> {
        let paths = Paths::find(global.data_dir.as_deref(), global.config.as_deref())?;
        let clock = match env::PROBITY_NOW.get() {
            Some(text) => {
                Clock::Fixed(text.parse().map_err(|e| usage(format!("PROBITY_NOW: {e}")))?)
            }
            None => Clock::System,
        };
        Ok(Self {
            settings: Settings::default(),
            paths,
            json: global.json,
            style,
            clock,
            written: None,
            page_stamp: None,
            store: OnceCell::new(),
            reader: Arc::default(),
        })
    }

    /// The same call with other settings and places; nothing that was opened is shared, and nothing that
    /// is set on a page changes them.
    pub(crate) fn elsewhere(&self, settings: Settings, paths: Paths) -> Self {
        let (store, reader) = (OnceCell::new(), Arc::default());
        Self { settings, paths, written: None, page_stamp: None, store, reader, ..self.clone() }
    }

    /// The same call with other settings; what was opened is shared.
    pub(crate) fn with_settings(&self, settings: Settings) -> Self {
        Self { settings, ..self.clone() }
    }

    /// The reader of texts beside questions and claims. The weights are loaded when something is
    /// read.
    pub(crate) fn reader(&self) -> anyhow::Result<TextReader> {
        if let Some(reader) = self.reader.get() {
            return Ok(reader.clone());
        }
        let settings = &self.settings.reader;
        if settings.threads > 0 {
            Reader::set_threads(settings.threads);
        }
        let reader = TextReader::open(&settings.model)
            .map_err(|error| usage(format!("reader.model: {}: {error}", settings.model)))
            .hint(
                "set `model` under [reader] to `embedded`, `none`, or a weights file of the reader",
            )?;
        Ok(self.reader.get_or_init(|| reader).clone())
    }

    /// The store, opened once and created if need be.
    pub(crate) async fn store(&self) -> anyhow::Result<Store> {
        let opened = self.store.get_or_try_init(|| async {
            let location = self.store_location()?;
            if location.path().is_some() {
                probity_store::private::folder(&self.paths.data)
                    .with_context(|| format!("cannot create {}", self.paths.data.display()))
                    .hint(
                        "name a data folder that can be written with --data-dir or PROBITY_HOME",
                    )?;
            }
            let options = self.settings.store.options();
            let store = Store::open_with(&location, &options).await?;
            Ok::<_, anyhow::Error>(store.with_clock(self.clock))
        });
        opened.await.cloned()
    }

    /// The store if there is one already: reading is no reason to create it.
    pub(crate) async fn existing_store(&self) -> anyhow::Result<Option<Store>> {
        let location = self.store_location()?;
        match location.path() {
            Some(path) if !path.exists() => Ok(None),
            _ => Ok(Some(self.store().await?)),
        }
    }

    /// Where the store is.
    pub(crate) fn store_location(&self) -> anyhow::Result<Location> {
        match &self.settings.store.url {
            Some(url) => {
                Location::parse(url.expose()).map_err(|error| usage(format!("store: {error}")))
            }
            None => Ok(Location::file(self.paths.data.join(STORE_FILE))),
        }
    }

    /// How pages are fetched, with more private hosts opened for this call.
    pub(crate) fn fetch_settings(&self, allow_hosts: &[String]) -> anyhow::Result<FetchSettings> {
        let settings = self.settings.fetch.resolve(allow_hosts, &self.paths);
        settings.map_err(|error| usage(format!("--allow-host: {error}")))
    }

    /// Opens what a run searches and reads.
    pub(crate) async fn open_gatherer(
        &self,
        place: &Where,
        store: Option<Store>,
        shared: Option<Arc<dyn Shared>>,
    ) -> anyhow::Result<(LiveGatherer, Vec<Problem>)> {
        let opening = Opening {
            search: &self.settings.search,
            fetch: self.fetch_settings(&place.allow_hosts)?,
            clock: self.clock,
            store,
            shared,
            scorer: self.scorer_without_ledger()?,
            indexes: self.settings.library.keep_indexes.then(|| self.paths.data.join(KEPT_INDEXES)),
            own: Vec::new(),
        };
        LiveGatherer::open(opening, place).await.map_err(not_opened)
    }

    /// What outlets are worth now; what every ledger begins with where there is no store yet.
    pub(crate) async fn ledger(&self) -> anyhow::Result<HashMap<Outlet, f64>> {
        match self.existing_store().await? {
            Some(store) => Ok(store.scores().await?),
            None => Ok(seeds()),
        }
    }

    /// A scorer by the settings and the current ledger.
    pub(crate) async fn scorer(&self) -> anyhow::Result<Scorer> {
        let mut scorer = self.scorer_without_ledger()?;
        match self.existing_store().await? {
            Some(store) => scorer.learn(store.all_known(scorer.policy()).await?),
            None => scorer.learn(ledger::seeded_opinions()),
        }
        Ok(scorer)
    }

    /// A scorer by the settings alone, which knows no outlet.
    pub(crate) fn scorer_without_ledger(&self) -> anyhow::Result<Scorer> {
        Scorer::new(self.settings.credibility.clone(), HashMap::new(), self.clock.now())
            .context("the configuration of credibility cannot be used")
    }
}

/// What the caller can fix is a usage error, with the way out.
pub(crate) fn not_opened(error: GathererError) -> anyhow::Error {
    let hint = error.hint();
    let error = if error.is_usage() { usage(error.to_string()) } else { error.into() };
    match hint {
        Some(hint) => error.context(Hint(hint.to_owned())),
        None => error,
    }
}

/// What every ledger begins with.
pub(crate) fn seeds() -> HashMap<Outlet, f64> {
    let seeds = ledger::seeds().iter();
    seeds.filter_map(|seed| Some((Outlet::new(seed.domain).ok()?, seed.score.get()))).collect()
}
