//! What the server asks of this program: its settings, runs made from questions, its checks.

mod adjust;
mod offers;
mod reach;
pub(crate) mod sign_on;
mod ways;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use probity_core::{Mode, WebUrl};
use probity_credibility::Question;
use probity_news::consolidate::Turn;
use probity_research::RunSpec;
use probity_research::analyst::Plan;
use probity_research::execute::RunEnvironment;
use probity_research::live_gatherer::FileReader;
use probity_research::plan_file;
use probity_research::run::{Earlier, Inquiry, Where};
use probity_research::wish::{Wish, WishError};
use probity_server::{
    Adjust, Ask, AskError, Backend, Check, CheckState, Constants, Later, Look, Offer, Place, SignOn,
};
use probity_store::SharedStore;
use probity_store::library::{AddOptions, Ingested, Library, LibraryError};
use probity_web::fetch::Fetcher;
use probity_web::search::{FILES, LIBRARY, NEWS, ProviderName, SelectError, Selection, URLS, WEB};

use self::reach::Reach;
use self::sign_on::Oidc;
use crate::app::App;
use crate::command::doctor;
use crate::command::library::add_page;
use crate::live::Live;
use crate::models::{self, ModelArgs};
use crate::newsroom;
use crate::open_environment::OpenEnvironment;
use crate::report_file;

/// The program behind a server.
pub(crate) struct ProgramBackend {
    live: Arc<Live>,
    /// The last answer, and the settings it was made from.
    constants: Mutex<(Arc<App>, Arc<Constants>)>,
    reach: Reach,
    /// The provider that people log in at, and the settings that name it.
    sign_on: Mutex<(Arc<App>, Option<Arc<Oidc>>)>,
}

impl ProgramBackend {
    /// The program as its settings make it, now and after every change on the page.
    pub(crate) fn new(live: Arc<Live>) -> anyhow::Result<Self> {
        let app = live.app();
        let constants = Arc::new(constants(&app)?);
        let sign_on = Mutex::new((Arc::clone(&app), Oidc::open(&app)?));
        let constants = Mutex::new((app, constants));
        Ok(Self { live, constants, reach: Reach::default(), sign_on })
    }

    fn app(&self) -> Arc<App> {
        self.live.app()
    }
}

/// The numbers and names that settings come to.
fn constants(app: &App) -> anyhow::Result<Constants> {
    let settings = &app.settings;
    let model = ModelArgs::default().choose(app, Mode::Standard)?;
    let local = [LIBRARY, NEWS].map(str::to_owned);
    let providers = ProviderName::ALL.map(|name| name.as_str().to_owned());
    let tools = settings.search.mcp.iter().map(|tool| tool.name.clone());
    Ok(Constants {
        policy: settings.credibility.clone(),
        alpha: settings.ledger.alpha,
        modes: settings.research.modes,
        limits: settings.research.limits,
        analyst: models::analyst(&model),
        providers: local.into_iter().chain(providers).chain(tools).collect(),
        usual_providers: settings.search.providers.to_string(),
        version: env!("CARGO_PKG_VERSION"),
        news: settings.news.clone(),
        allow_coding: settings.mcp.allow_coding,
        reader: app.reader()?,
    })
}

/// Whether the named providers can be asked, so that a run that cannot begin is refused at once.
fn check_providers(app: &App, names: &str, ask: &Ask) -> Result<(), SelectError> {
    let settings = &app.settings.search;
    let mut here = vec![LIBRARY, NEWS];
    here.extend((!settings.urls.is_empty() || ask.urls.is_some()).then_some(URLS));
    here.extend(ask.upload.is_some().then_some(FILES));
    here.extend(settings.mcp.iter().map(|tool| tool.name.as_str()));
    names.parse::<Selection>()?.resolve(settings, &here).map(|_| ())
}

/// What `auto` asks, by names that others can stand beside.
fn beside() -> String {
    [WEB, LIBRARY, NEWS].join(",")
}

/// What a person can fix, at the field where they can.
fn wrong(field: &'static str) -> impl Fn(anyhow::Error) -> AskError {
    move |error| {
        // A hint is of the command line; what went wrong follows it.
        let hinted = error.downcast_ref::<crate::failure::Hint>().is_some();
        let why = error.chain().nth(usize::from(hinted)).map(ToString::to_string);
        AskError { field, why: why.unwrap_or_default() }
    }
}

impl Backend for ProgramBackend {
    fn constants(&self) -> Arc<Constants> {
        let app = self.app();
        let mut known = self.constants.lock().unwrap_or_else(PoisonError::into_inner);
        if !Arc::ptr_eq(&known.0, &app) {
            match constants(&app) {
                Ok(made) => *known = (app, Arc::new(made)),
                Err(error) => tracing::error!(
                    error = format!("{error:#}"),
                    "the settings of the page cannot be shown; the earlier ones are shown"
                ),
            }
        }
        Arc::clone(&known.1)
    }

    fn adjust(&self) -> Option<&dyn Adjust> {
        self.app().written().is_some().then_some(self)
    }

    fn sign_on(&self) -> Option<Arc<dyn SignOn>> {
        let app = self.app();
        let mut known = self.sign_on.lock().unwrap_or_else(PoisonError::into_inner);
        if !Arc::ptr_eq(&known.0, &app) {
            match Oidc::open(&app) {
                Ok(opened) => *known = (app, opened),
                Err(error) => tracing::error!(
                    error = format!("{error:#}"),
                    "the provider that people log in at cannot be opened; the one from before stays"
                ),
            }
        }
        known.1.clone().map(|oidc| -> Arc<dyn SignOn> { oidc })
    }

    fn spec(&self, ask: &Ask) -> Result<RunSpec, AskError> {
        let app = self.app();
        let question = Question::new(&ask.question)
            .map_err(|error| AskError { field: "question", why: error.to_string() })?;
        let mode = ask.mode.unwrap_or(Mode::Standard);
        if ask.max_cost.is_some_and(|cost| !(cost.is_finite() && cost >= 0.0)) {
            let why = "the cost has to be 0 or more dollars".to_owned();
            return Err(AskError { field: "max_cost", why });
        }
        let model = ModelArgs::of(ask.model.clone(), ask.max_cost);
        let model = model.choose(&app, mode).map_err(wrong("model"))?;
        let given = |text: &Option<String>| {
            text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let (mut search, files) = (given(&ask.search), given(&ask.upload));
        if let Some(names) = &search {
            check_providers(&app, names, ask)
                .map_err(|error| AskError { field: "search", why: error.to_string() })?;
        }
        let urls = given(&ask.urls);
        if search.as_deref() == Some("auto") && (files.is_some() || urls.is_some()) {
            search = Some(beside());
        }
        let collection = given(&ask.collection);
        // What is brought along is asked, whatever else is.
        if let Some(names) = search.as_mut().filter(|_| files.is_some()) {
            names.push_str(&format!(",{FILES}"));
        }
        let wish = Wish {
            language: ask.language.clone(),
            style: ask.style.clone(),
            words: ask.words,
            sources: ask.sources,
            depth: ask.depth,
            breadth: ask.breadth,
            outline: ask.outline.clone(),
        };
        let refused = |error: WishError| AskError { field: error.field, why: error.why };
        let usual = app.settings.research.modes.of(mode);
        let (numbers, shape) = wish.fulfil(usual).map_err(refused)?;
        if let Some(field) = wish.needs_model().filter(|_| model.assignment.is_none()) {
            return Err(AskError { field, why: "needs a language model".to_owned() });
        }
        let plan = ask.plan.clone().map(Plan::from).map(plan_file::checked).transpose();
        let plan = plan.map_err(|why| AskError { field: "plan", why })?;
        if ask.clarify && model.assignment.is_none() {
            return Err(AskError { field: "clarify", why: "needs a language model".to_owned() });
        }
        let inquiry = Inquiry { plan, approve: ask.approve, clarify: ask.clarify };
        let earlier = ask.run.as_deref().map(str::trim).filter(|id| !id.is_empty());
        let run = earlier.map(|id| Earlier { id: id.to_owned().into(), beyond: ask.beyond });
        let run_id = report_file::new_run_id(app.clock.now()).map_err(wrong("question"))?;
        Ok(RunSpec {
            numbers,
            inquiry,
            // Folders and private hosts of this machine are not for whoever calls.
            place: Where { search, collection, files, urls, run, ..Where::default() },
            shape,
            ..app.run_spec(run_id, question, mode, model)
        })
    }

    fn places(&self, patience: Duration) -> Later<'_, Vec<Place>> {
        Box::pin(async move { self.reach.places(&self.app(), patience).await })
    }

    fn offers(&self) -> Vec<Offer> {
        offers::offers(&self.app())
    }

    fn add_page<'a>(&'a self, url: &'a WebUrl) -> Later<'a, Result<Ingested, String>> {
        Box::pin(async move {
            let full = |error: anyhow::Error| format!("{error:#}");
            let app = self.app();
            let settings = app.fetch_settings(&[]).map_err(full)?;
            let store = app.store().await.map_err(full)?;
            let shared = SharedStore::new(&store, app.settings.queue.max_cost_per_day);
            let fetcher = Fetcher::sharing(settings, Some(Arc::new(shared)));
            let fetcher = fetcher.map_err(|error| error.to_string())?;
            let kept = add_page(&Library::of(&store), &fetcher, url).await.map_err(full)?;
            kept.map(|kept| kept.ingested)
        })
    }

    fn read_again<'a>(&'a self, origin: &'a str) -> Later<'a, Result<(), String>> {
        Box::pin(async move {
            let store = self.app().store().await.map_err(|error| format!("{error:#}"))?;
            let options = AddOptions { again: true, ..AddOptions::default() };
            let reader = Arc::new(FileReader);
            let report = Library::of(&store);
            let report = report.add(Path::new(origin), reader, options, &mut |_| {}).await;
            match report {
                // Where it is on this machine is not shown.
                Err(LibraryError::Path { why, .. }) => {
                    Err(format!("the file cannot be read: {why}"))
                }
                Err(error) => Err(error.to_string()),
                Ok(report) => match report.failed.into_iter().next() {
                    Some(failed) => Err(failed.why),
                    None => Ok(()),
                },
            }
        })
    }

    fn environment<'a>(&'a self, spec: &'a RunSpec) -> Later<'a, Result<RunEnvironment, String>> {
        Box::pin(async move {
            let environment = OpenEnvironment::new(Arc::clone(&self.live)).environment(spec).await;
            environment.map_err(|error| format!("{error:#}"))
        })
    }

    fn look_for_feed<'a>(&'a self, url: &'a WebUrl) -> Later<'a, Result<Look, String>> {
        Box::pin(
            async move { newsroom::look(&self.app(), url).await.map_err(|e| format!("{e:#}")) },
        )
    }

    fn consolidate(&self) -> Later<'_, Result<Option<Turn>, String>> {
        Box::pin(
            async move { newsroom::consolidate(&self.app()).await.map_err(|e| format!("{e:#}")) },
        )
    }

    fn checks(&self) -> Later<'_, Vec<Check>> {
        Box::pin(async move {
            let checks = doctor::checks(&self.app()).await;
            let listed = checks.into_iter().map(|check| Check {
                name: check.name.to_owned(),
                state: match check.state {
                    doctor::State::Ok => CheckState::Ok,
                    doctor::State::Warning => CheckState::Warning,
                    doctor::State::Failure => CheckState::Failure,
                },
                found: check.found,
                fix: check.fix.map(str::to_owned),
            });
            listed.collect()
        })
    }
}
