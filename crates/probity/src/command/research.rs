//! `probity research`: a question in, a cited report or an honest "not enough" out.

use std::path::PathBuf;
use std::process::ExitCode;

use probity_core::{Decision, Mode};
use probity_credibility::Question;
use probity_report::format::Format;
use probity_report::{CheckedReport, OnUnverified};
use probity_research::approve::Approver;
use probity_research::driver::{Cancel, Finished};
use probity_research::event::{Event, Unwatched, Watcher};
use probity_research::execute::{Execution, RunEnvironment, record};
use probity_research::journal::Entry;
use probity_research::live_gatherer::check_collection;
use probity_research::plan_file;
use probity_research::run::{Earlier, RunSpec, Where};
use probity_research::work::record::Recorder;
use probity_research::{JournalError, RunError};
use probity_store::events::{NewEvent, closing};
use probity_store::queue::{Enqueued, RunJob};
use probity_store::{Ending, RunStatus, Store};

use crate::app::{App, not_opened};
use crate::command::runs;
use crate::config::env;
use crate::failure::{WithHint as _, usage};
use crate::filter_args::FilterArgs;
use crate::format::{self, Form};
use crate::models::{self, ModelArgs};
use crate::output;
use crate::plan::{PlanArgs, Taken};
use crate::progress::Progress;
use crate::report_file;
use crate::signal::{self, EXIT_INTERRUPTED};
use crate::urls;
use crate::wish::WishArgs;

/// What may be typed after `probity research`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The question.
    #[arg(value_name = "QUESTION")]
    pub(super) question: String,
    /// Read up to 3 sources and answer in about 300 words; not saved by default.
    #[arg(long, conflicts_with_all = ["standard", "deep", "exhaustive"])]
    pub(super) quick: bool,
    /// Read up to 7 sources and report in about 1,000 words (the default).
    #[arg(long, conflicts_with_all = ["deep", "exhaustive"])]
    pub(super) standard: bool,
    /// Read up to 10 sources and report in about 2,000 words.
    #[arg(long, conflicts_with = "exhaustive")]
    pub(super) deep: bool,
    /// Read up to 60 sources in up to 7 rounds, while each closes a gap, and report in about 4,000 words.
    #[arg(long)]
    pub(super) exhaustive: bool,
    /// Search the documents of this folder. The index of a large folder is cached for the next run,
    /// unless nothing is to be saved.
    #[arg(long, value_name = "DIR")]
    pub(super) library: Option<PathBuf>,
    /// Search the documents of this collection of the library, and nothing else of it.
    #[arg(long, value_name = "NAME", conflicts_with = "library")]
    pub(super) collection: Option<String>,
    /// The search providers to ask: `auto`, or names with commas between them.
    #[arg(long, value_name = "NAMES")]
    pub(super) search: Option<String>,
    /// A file of addresses, one per line, to treat as results (`-` for stdin). Without --search,
    /// nothing else is searched.
    #[arg(long, value_name = "FILE")]
    pub(super) urls: Option<PathBuf>,
    /// Use the sources of this stored run (an id, its beginning, or `last`) first, and search too.
    #[arg(long = "continue", value_name = "RUN")]
    pub(super) earlier: Option<String>,
    /// Nothing but the sources of that run is asked.
    #[arg(skip)]
    pub(super) only_earlier: bool,
    /// Write the report to a file instead of stdout.
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) form: Form,
    /// What happens to sentences that their sources do not support.
    #[arg(long, value_name = "WHAT", default_value = "mark")]
    pub(super) on_unverified: Unverified,
    /// Show no progress on stderr.
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// Leave the run to a worker (`probity worker`) and print its id.
    #[arg(long, conflicts_with_all = ["quiet", "no_save", "output"])]
    pub(super) queue: bool,
    /// Keep the run and its report.
    #[arg(long, conflicts_with = "no_save")]
    pub(super) save: bool,
    /// Keep nothing.
    #[arg(long)]
    pub(super) no_save: bool,
    /// Open a private HOST:PORT to the fetcher.
    #[arg(long, value_name = "HOST:PORT")]
    pub(super) allow_host: Vec<String>,
    // Last, because their headings would stand over whatever follows.
    #[command(flatten)]
    pub(super) filter: FilterArgs,
    #[command(flatten)]
    pub(super) plan: PlanArgs,
    #[command(flatten)]
    pub(super) wish: WishArgs,
    #[command(flatten)]
    pub(super) model: ModelArgs,
}

impl Args {
    /// As if nothing but these had been typed.
    pub(super) fn of(question: String, form: Form, wish: WishArgs, model: ModelArgs) -> Self {
        Self {
            question,
            quick: false,
            standard: false,
            deep: false,
            exhaustive: false,
            library: None,
            collection: None,
            search: None,
            urls: None,
            earlier: None,
            only_earlier: false,
            output: None,
            form,
            on_unverified: Unverified::Mark,
            quiet: false,
            queue: false,
            save: false,
            no_save: false,
            allow_host: Vec::new(),
            filter: FilterArgs::default(),
            plan: PlanArgs::default(),
            wish,
            model,
        }
    }
}

/// What happens to sentences that their sources do not support.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum Unverified {
    /// They are marked `[unverified]`.
    Mark,
    /// They are left out.
    Drop,
    /// They stay as they are.
    Keep,
}

impl From<Unverified> for OnUnverified {
    fn from(choice: Unverified) -> Self {
        match choice {
            Unverified::Mark => OnUnverified::Mark,
            Unverified::Drop => OnUnverified::Drop,
            Unverified::Keep => OnUnverified::Keep,
        }
    }
}

/// The exit code of a run whose sources do not suffice.
const EXIT_INSUFFICIENT: u8 = 3;
/// What is between the progress and the report when both go to one terminal.
const RULE: usize = 60;
/// How often a run id is drawn again because it is taken.
const ID_TRIES: usize = 8;

/// Runs `probity research`.
pub(crate) async fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    let question = Question::new(&args.question).map_err(|error| usage(error.to_string())).hint(
        "ask about something, for example: probity research \"How loud may music be at night?\"",
    )?;
    let mode = match args {
        Args { quick: true, .. } => Mode::Quick,
        Args { deep: true, .. } => Mode::Deep,
        Args { exhaustive: true, .. } => Mode::Exhaustive,
        _ => Mode::Standard,
    };
    args.form.check(args.output.as_deref(), app)?;
    let model = args.model.choose(app, mode)?;
    let (numbers, shape) = args.wish.fulfil(app.settings.research.modes.of(mode), &model)?;
    let save = args.save || (numbers.save && !args.no_save);
    let model_set = models::open(app, &model)?;
    let earlier = match &args.earlier {
        Some(name) => {
            let store = app.existing_store().await?;
            let store = store
                .ok_or_else(|| usage("there are no stored runs"))
                .hint("save one: probity research --save")?;
            let id = runs::find(&store, name).await?.summary.id;
            Some(Earlier { id, beyond: !args.only_earlier })
        }
        None => None,
    };
    let usual = app.run_spec(report_file::new_run_id(app.clock.now())?, question, mode, model);
    let mut spec = RunSpec {
        numbers,
        policy: args.filter.policy(&app.settings.credibility),
        gathering: args.model.gathering(),
        inquiry: args.plan.inquiry(args.queue, &usual.model)?,
        place: Where {
            search: args.search.clone(),
            library: args.library.as_deref().map(report_file::absolute).transpose()?,
            collection: args.collection.clone(),
            urls: args.urls.as_deref().map(urls::read).transpose()?,
            files: None,
            run: earlier,
            allow_hosts: args.allow_host.clone(),
            filters: args.filter.filters()?,
        },
        on_unverified: args.on_unverified.into(),
        shape,
        ..usual
    };
    if args.queue {
        return queue(&mut spec, app).await;
    }
    // Open the world first: a folder or provider that is not there is no run.
    let store = if save && !args.plan.plan_only { Some(app.store().await?) } else { None };
    let mut opening = app.clone();
    opening.settings.library.keep_indexes &= !args.no_save;
    let ledger = app.existing_store().await?.or(store.clone());
    let (gatherer, problems) = opening.open_gatherer(&spec.place, ledger, None).await?;
    if let Some(store) = &store {
        enter(store, &mut spec, app).await?;
    }
    let watcher: Box<dyn Watcher> =
        if args.quiet { Box::new(Unwatched) } else { Box::new(Progress::new(app.style)) };
    let gatherer = gatherer.noting(store.clone());
    let environment =
        RunEnvironment { gatherer: Box::new(gatherer), model_set, reader: app.reader()?, problems };
    if args.plan.plan_only {
        return plan_only(&spec, environment, watcher.as_ref(), app).await;
    }
    let approver = args.plan.approver();
    let seen = Seen { watcher: watcher.as_ref(), approver: approver.as_ref() };
    let finished = execute(&spec, store.as_ref(), Vec::new(), environment, seen, app).await;
    let finished = match finished {
        Ok(finished) => finished,
        Err(error) => return give_up(error, &spec, store.as_ref()).await,
    };
    let note = deliver(&finished.report, &args.form, args.output.as_deref(), app)?;
    let kept = match &store {
        Some(_) => Some(report_file::keep_report(&app.paths, &finished)?),
        None => None,
    };
    if !args.quiet {
        for text in note.into_iter().chain(kept.map(|path| format!("Saved as {}", path.display())))
        {
            output::note(&text);
        }
    }
    let decision = finished.facts().gate.decision;
    if let (Decision::InsufficientData, Some(Earlier { id, beyond: false })) =
        (decision, &spec.place.run)
    {
        let further = format!("probity research --continue {id} \"{}\"", args.question.trim());
        output::note(&format!("The sources of that run do not suffice; search further: {further}"));
    }
    Ok(exit_code(decision))
}

/// Prints the plan that a run would follow.
async fn plan_only(
    spec: &RunSpec,
    environment: RunEnvironment,
    watcher: &dyn Watcher,
    app: &App,
) -> anyhow::Result<ExitCode> {
    let taken = Taken::default();
    // What is printed is not reported again.
    let on_event = |event: &Event| match event {
        Event::Offer(_) => {}
        event => watcher.watch(event),
    };
    let seen = Seen { watcher: &on_event, approver: &taken };
    // It stops as soon as there is a plan, and that is no failure.
    let ended = execute(spec, None, Vec::new(), environment, seen, app).await;
    let Some(plan) = taken.plan() else {
        return match ended {
            Err(error) => give_up(error, spec, None).await,
            Ok(_) => anyhow::bail!("there is no plan"),
        };
    };
    match app.json {
        true => output::print_json(&plan)?,
        false => output::print_line(plan_file::write(&plan).trim_end())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Stores a run under a new id.
async fn enter(store: &Store, spec: &mut RunSpec, app: &App) -> anyhow::Result<()> {
    for _ in 0..ID_TRIES {
        let written = serde_json::to_string(&spec)?;
        if store.create_run(&spec.entry(&written)).await? {
            return Ok(());
        }
        spec.run_id = report_file::new_run_id(app.clock.now())?.into();
    }
    anyhow::bail!("no free run id was found; try again")
}

/// Whose runs they are that the command line queues.
pub(crate) fn owner() -> String {
    env::USER.get().unwrap_or_else(|| "command line".to_owned())
}

/// Leaves a run to whichever worker takes it up, and says how to watch it.
async fn queue(spec: &mut RunSpec, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    // Whoever asks can put a wrong name right; a worker cannot.
    if let (Some(name), None) = (&spec.place.collection, &spec.place.library) {
        check_collection(&store, name).await.map_err(not_opened)?;
    }
    let owner = owner();
    let settings = &app.settings.queue;
    let job = RunJob { failures_most: settings.failures_most, ..RunJob::of(&owner) };
    for _ in 0..ID_TRIES {
        let written = serde_json::to_string(&spec)?;
        let run = spec.entry(&written);
        match store.enqueue_run(&run, &job, settings.limits()).await? {
            Enqueued::Added if app.json => {
                output::print_json(&serde_json::json!({ "run_id": spec.run_id }))?;
                return Ok(ExitCode::SUCCESS);
            }
            Enqueued::Added => {
                output::print_line(&spec.run_id)?;
                output::note(&format!(
                    "Queued for a worker (probity worker); watch it with: probity runs events {} \
                     --follow",
                    spec.run_id
                ));
                return Ok(ExitCode::SUCCESS);
            }
            Enqueued::Exists => spec.run_id = report_file::new_run_id(app.clock.now())?.into(),
            Enqueued::QueueFull | Enqueued::OwnerFull => {
                return Err(anyhow::anyhow!("too many runs wait already"))
                    .hint("start more workers, wait, or raise the limits in [queue]");
            }
        }
    }
    anyhow::bail!("no free run id was found; try again")
}

/// Who sees a run happen, and who is asked about its plan.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub(crate) watcher: &'a dyn Watcher,
    pub(crate) approver: &'a dyn Approver,
}

/// Carries a run out, stopping cleanly on Ctrl-C, and writes down how it ended.
pub(crate) async fn execute(
    spec: &RunSpec,
    store: Option<&Store>,
    entries: Vec<Entry>,
    environment: RunEnvironment,
    seen: Seen<'_>,
    app: &App,
) -> Result<Finished, RunError> {
    let Seen { watcher, approver } = seen;
    let (switch, cancel) = Cancel::new();
    let stop = signal::when_asked_to_stop(move || {
        switch.send_replace(true);
    });
    let recorder = match store {
        Some(store) => Some(recorder(store, &spec.run_id).await?),
        None => None,
    };
    let both = |event: &Event| {
        watcher.watch(event);
        if let Some(recorder) = &recorder {
            recorder.watch(event);
        }
    };
    let execution = Execution { spec, entries, watcher: &both, approver, cancel, clock: app.clock };
    let result = match store {
        Some(store) => execution.keeping(environment, store.clone()).await,
        None => execution.forgetting(environment).await,
    };
    stop.abort();
    let finished = match result {
        Ok(finished) => finished,
        Err(error) => {
            if let Some(recorder) = recorder {
                recorder.close_promptly().await;
            }
            return Err(error);
        }
    };
    let last = match recorder {
        Some(recorder) => recorder.close().await.unwrap_or_default(),
        None => Vec::new(),
    };
    if let Some(store) = store {
        record(store, &finished, &last).await?;
    }
    Ok(finished)
}

/// Keeps the events of a run, as a worker does.
async fn recorder(store: &Store, run: &str) -> Result<Recorder, RunError> {
    let begun = Recorder::begin(store, &run.into()).await;
    Ok(begun.map_err(|error| JournalError::Storage {
        run: run.to_owned().into(),
        action: "read",
        reason: error.to_string(),
    })?)
}

/// Writes down that a run did not end, and says how to go on.
pub(crate) async fn give_up(
    error: RunError,
    spec: &RunSpec,
    store: Option<&Store>,
) -> anyhow::Result<ExitCode> {
    let interrupted = matches!(error, RunError::Journal(JournalError::Interrupted));
    let message = error.to_string();
    if let Some(store) = store {
        let status = if interrupted { RunStatus::Interrupted } else { RunStatus::Failed };
        let ending =
            Ending { status, decision: None, title: None, report: None, error: Some(&message) };
        // What was interrupted continues where it is resumed, so its events have no end yet.
        let last: &[NewEvent] = if interrupted { &[] } else { &closing(&message) };
        // The run's own error matters more than a store that cannot note it.
        if let Err(error) = store.end_run(&spec.run_id, &ending, last).await {
            tracing::warn!(%error, "the end of the run could not be written");
        }
    }
    let resume = format!("resume it with: probity runs resume {}", spec.run_id);
    if interrupted {
        output::note(&match store {
            Some(_) => format!("Interrupted; nothing that was done is lost, {resume}"),
            None => "Interrupted; this run was not saved".to_owned(),
        });
        return Ok(ExitCode::from(EXIT_INTERRUPTED));
    }
    match store {
        Some(_) => Err(error).hint(resume),
        None => Err(error.into()),
    }
}

/// Writes the report where it was asked for; gives a note about where that was.
pub(crate) fn deliver(
    report: &CheckedReport,
    form: &Form,
    path: Option<&std::path::Path>,
    app: &App,
) -> anyhow::Result<Option<String>> {
    if path.is_none() && form.chosen(path, app) == Format::Markdown {
        output::print_line(&"=".repeat(RULE))?;
    }
    format::write(report, form, path, app)
}

/// The exit code that a decision stands for.
pub(crate) fn exit_code(decision: Decision) -> ExitCode {
    match decision {
        Decision::FullReport | Decision::ShortReport => ExitCode::SUCCESS,
        Decision::InsufficientData => ExitCode::from(EXIT_INSUFFICIENT),
    }
}
