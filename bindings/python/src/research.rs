//! A question in, a cited report or an honest "not enough" out.
//!
//! ```text
//! question + where to look + who judges → RunSpec → LiveGatherer (scoring, permits, limits) → Execution → Report
//! ```
//!
//! A search or a language model of the caller's own is asked like any other: what it finds is scored
//! and may be blocked, what it writes is checked.

mod ask;
mod find;
mod report;
mod settings;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

use probity_core::{Clock, Mode, RunId, printable};
use probity_model::ModelSet;
use probity_model::model_set::Assignment;
use probity_model::settings::Choice;
use probity_report::OnUnverified;
use probity_research::approve::Unattended;
use probity_research::driver::Cancel;
use probity_research::event::Event;
use probity_research::execute::{Execution, RunEnvironment};
use probity_research::live_gatherer::{LiveGatherer, Opening};
use probity_research::run::{Gathering, ModelUse, RunSpec, Shape, Where};
use probity_research::{JournalError, RunError};
use probity_web::fetch::{AllowedHost, FetchSettings};
use probity_web::search::LIBRARY;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use tokio::sync::watch;

pub(crate) use self::report::Report;
use self::settings::Settings;
use crate::failure::Failure;
use crate::given::{self, SHORT_BYTES};
use crate::ledger::Ledger;
use crate::{record, wait};

/// The most private hosts that one run may be given.
const HOSTS: usize = 64;

/// Stops a run from another thread.
#[pyclass(frozen, module = "probity")]
pub(crate) struct Switch {
    thrown: watch::Sender<bool>,
    cancel: Cancel,
}

#[pymethods]
impl Switch {
    #[new]
    fn new() -> Self {
        let (thrown, cancel) = Cancel::new();
        Self { thrown, cancel }
    }

    /// Stops the run; it ends within a second.
    fn stop(&self) {
        self.thrown.send_replace(true);
    }
}

/// What a caller asks for, as keyword arguments.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options<'py> {
    /// A folder to search.
    library: Option<Bound<'py, PyAny>>,
    /// Names of providers.
    search: Option<Bound<'py, PyAny>>,
    /// A search of the caller's own: (query, limit) → [(url, title, snippet, date)].
    find: Option<Py<PyAny>>,
    /// The addresses that count as found.
    urls: Option<Bound<'py, PyAny>>,
    /// The model's name.
    model: Option<Bound<'py, PyAny>>,
    /// A model of the caller's own: (request as JSON) → text.
    ask: Option<Py<PyAny>>,
    /// What that model is called.
    ask_name: Option<String>,
    mode: Bound<'py, PyAny>,
    on_unverified: Bound<'py, PyAny>,
    agentic: bool,
    skeptic: Option<bool>,
    allow_hosts: Bound<'py, PyAny>,
    max_cost: Option<f64>,
    max_tokens: Option<u64>,
    max_calls: Option<u64>,
    config: Option<Bound<'py, PyAny>>,
    now: Option<Bound<'py, PyAny>>,
}

/// Researches a question. The package's own `research` is the way to call it.
#[pyfunction]
#[pyo3(signature = (question, options, *, ledger=None, on_event=None, switch=None))]
pub(crate) fn research(
    py: Python<'_>,
    question: &Bound<'_, PyAny>,
    options: Options<'_>,
    ledger: Option<&Ledger>,
    on_event: Option<&Bound<'_, PyAny>>,
    switch: Option<&Switch>,
) -> PyResult<Report> {
    let settings = Settings::read(options.config.as_ref())?;
    let clock = match &options.now {
        Some(now) => Clock::Fixed(crate::score::instant(Some(now))?),
        None => Clock::System,
    };
    let spec = describe(question, &options, &settings, clock)?;
    let model_set = match &options.ask {
        Some(ask) => Some(ModelSet::of_one(ask::model(py, ask, options.ask_name.as_deref())?)),
        None => open(&spec.model, &settings)?,
    };
    let own = options.find.as_ref().map(|find| find::provider(find.clone_ref(py)));
    let fetch = fetching(&spec.place)?;
    let store = ledger.map(Ledger::store).transpose()?;
    let reader = settings.reader()?;
    let cancel = switch.map_or_else(Cancel::never, |switch| switch.cancel.clone());
    let policy = spec.policy.clone();
    let scorer = probity_credibility::Scorer::new(policy, HashMap::new(), clock.now())
        .map_err(|error| Failure::usage(format!("`config`: {error}")))?;
    let (sender, events) = mpsc::channel();
    let running = async move {
        let opening = Opening {
            search: &settings.search,
            fetch,
            clock,
            store,
            shared: None,
            scorer,
            indexes: None,
            own: own.into_iter().collect(),
        };
        let (gatherer, problems) =
            LiveGatherer::open(opening, &spec.place).await.map_err(not_opened)?;
        let environment =
            RunEnvironment { gatherer: Box::new(gatherer), model_set, reader, problems };
        let watcher = move |event: &Event| {
            // Events are dropped once the caller has gone.
            let _ = sender.send(event.clone());
        };
        let entries = Vec::new();
        let execution = Execution {
            spec: &spec,
            entries,
            watcher: &watcher,
            approver: &Unattended,
            cancel,
            clock,
        };
        execution.forgetting(environment).await.map_err(ended)
    };
    let finished = wait::run_telling(py, running, &events, |event| match on_event {
        Some(on_event) => on_event.call1((record::plain(py, &event)?,)).map(drop),
        None => Ok(()),
    })?;
    match finished {
        Ok(finished) => Ok(Report::new(finished.report)),
        Err(Ended::Interrupted) => Err(PyKeyboardInterrupt::new_err("the run was stopped")),
        Err(Ended::Failed(failure)) => Err(failure.into()),
    }
}

/// How a run ended that has no report.
enum Ended {
    Interrupted,
    Failed(Failure),
}

fn ended(error: RunError) -> Ended {
    match error {
        RunError::Journal(JournalError::Interrupted) => Ended::Interrupted,
        other => Ended::Failed(Failure::failed(other)),
    }
}

fn not_opened(error: probity_research::live_gatherer::GathererError) -> Ended {
    let hint = error.hint();
    let said = error.to_string().replace("--search", "`search`").replace("--urls", "`urls`");
    let failure = if error.is_usage() { Failure::usage(said) } else { Failure::failed(said) };
    Ended::Failed(match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    })
}

/// What the run is asked to do: everything needed to do it again.
fn describe(
    question: &Bound<'_, PyAny>,
    options: &Options<'_>,
    settings: &Settings,
    clock: Clock,
) -> PyResult<RunSpec> {
    let question = given::question(question)?;
    let mode = given::text(&options.mode, "mode", SHORT_BYTES)?;
    let mode = Mode::ALL.into_iter().find(|known| known.as_str() == mode).ok_or_else(|| {
        Failure::usage(format!("there is no mode {}", printable::brief(mode, 40)))
            .hint("name quick, standard or deep")
    })?;
    let model = choose(options, settings, mode)?;
    let analyst = match (&options.ask, &model.assignment) {
        (Some(_), _) => ask::name(options.ask_name.as_deref())?.to_string(),
        (None, Some(assignment)) => assignment.author(),
        (None, None) => "embedded".to_owned(),
    };
    Ok(RunSpec {
        run_id: run_id(),
        question,
        mode,
        numbers: settings.research.modes.of(mode),
        policy: settings.credibility.clone(),
        gathering: if options.agentic { Gathering::Agentic } else { Gathering::Planned },
        inquiry: Default::default(),
        place: place(options)?,
        analyst,
        on_unverified: on_unverified(&options.on_unverified)?,
        asked_at: clock.now(),
        limits: settings.research.limits,
        model,
        shape: Shape::default(),
    })
}

/// A name for a run that is not stored.
fn run_id() -> RunId {
    static RUNS: AtomicU64 = AtomicU64::new(1);
    format!("python-{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed)).into()
}

fn on_unverified(value: &Bound<'_, PyAny>) -> Result<OnUnverified, Failure> {
    match given::text(value, "on_unverified", SHORT_BYTES)? {
        "mark" => Ok(OnUnverified::Mark),
        "drop" => Ok(OnUnverified::Drop),
        "keep" => Ok(OnUnverified::Keep),
        _ => Err(Failure::usage("`on_unverified` has to be mark, drop or keep")),
    }
}

/// Where the run looks.
fn place(options: &Options<'_>) -> PyResult<Where> {
    let library = match &options.library {
        Some(folder) => {
            let folder: std::path::PathBuf = folder.extract().map_err(|_| {
                Failure::wrong_type(format!(
                    "`library` has to be the path of a folder, not {}",
                    given::kind(folder)
                ))
            })?;
            let folder = std::path::absolute(&folder).unwrap_or(folder);
            Some(folder.to_string_lossy().into_owned())
        }
        None => None,
    };
    let named = match &options.search {
        Some(names) => Some(given::text(names, "search", SHORT_BYTES)?.to_owned()),
        None => None,
    };
    let search = match (&options.find, named) {
        (Some(_), None) if library.is_some() => Some(format!("{LIBRARY},{}", find::NAME)),
        (Some(_), None) => Some(find::NAME.to_owned()),
        (Some(_), Some(named)) => Some(format!("{named},{}", find::NAME)),
        (None, named) => named,
    };
    let urls = match &options.urls {
        Some(urls) => Some(given::texts(urls, "urls", find::URLS)?.join("\n")),
        None => None,
    };
    let allow_hosts = given::texts(&options.allow_hosts, "allow_hosts", HOSTS)?;
    Ok(Where { search, library, urls, allow_hosts, ..Where::default() })
}

fn fetching(place: &Where) -> Result<FetchSettings, Failure> {
    let hosts = place.allow_hosts.iter().map(|host| host.parse::<AllowedHost>());
    let allow_hosts = hosts
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| Failure::usage(format!("`allow_hosts`: {error}")))?;
    Ok(FetchSettings { allow_hosts, ..FetchSettings::default() })
}

/// Which models do what, and what they may spend.
fn choose(options: &Options<'_>, settings: &Settings, mode: Mode) -> PyResult<ModelUse> {
    let chosen = match &options.model {
        Some(model) => given::text(model, "model", SHORT_BYTES)?
            .parse::<Choice>()
            .map_err(|error| Failure::usage(format!("`model`: {error}")))?,
        None => Choice::Embedded,
    };
    let assignment = Assignment::make(&settings.model, Some(&chosen), None);
    let assignment = assignment.map_err(|error| Failure::usage(format!("`model`: {error}")))?;
    if options.max_cost.is_some_and(|cost| !(cost.is_finite() && cost >= 0.0)) {
        return Err(Failure::usage("`max_cost` has to be 0 or more dollars").into());
    }
    let limits = probity_model::Limits {
        max_cost: options.max_cost.or(settings.model.limits.max_cost),
        max_tokens: options.max_tokens.or(settings.model.limits.max_tokens),
        max_calls: options.max_calls.or(settings.model.limits.max_calls),
    };
    let any = assignment.is_some() || options.ask.is_some();
    if options.agentic && !any {
        return Err(Failure::usage("`agentic` needs a language model")
            .hint("name one with model=, or hand over a function")
            .into());
    }
    let skeptic = any && options.skeptic.unwrap_or(mode.is_deep());
    Ok(ModelUse { assignment, limits, skeptic, check: false, gate: settings.research.gate })
}

/// Opens the models that are named; none for the embedded analyst.
fn open(model: &ModelUse, settings: &Settings) -> Result<Option<ModelSet>, Failure> {
    let Some(assignment) = &model.assignment else { return Ok(None) };
    let opened = ModelSet::open(assignment, &settings.model, model.limits);
    opened.map(Some).map_err(|error| {
        Failure::usage(error).hint("model=\"embedded\" needs no key and no network")
    })
}
