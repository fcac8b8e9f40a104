//! `probity check`: the statements of any text, held against what sources say.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style as Ansi};
use probity_core::{Mode, printable};
use probity_credibility::Question;
use probity_research::driver::Cancel;
use probity_research::event::{Unwatched, Watcher};
use probity_research::execute::{Execution, RunEnvironment};
use probity_research::fact_check::{
    CheckedClaim, Evidence, FactCheck, NO_QUESTION, Standing, statements,
};
use probity_research::run::Where;
use probity_research::{Event, JournalError, RunError, RunSpec};

use crate::app::App;
use crate::failure::{WithHint as _, usage};
use crate::input_document;
use crate::models::{self, ModelChoice};
use crate::output::{self, Style};
use crate::progress::Progress;
use crate::report_file;
use crate::signal::{self, EXIT_INTERRUPTED};

/// How much of a passage is shown on a terminal, in characters.
const PASSAGE_CHARS: usize = 300;
/// The exit code where not every statement is supported.
const EXIT_OPEN: u8 = 3;

/// What may be typed after `probity check`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The text: a file of Markdown, text, or another kind that `probity extract` reads; `-` is stdin.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Search the documents of this folder, indexed only for this check.
    #[arg(long, value_name = "DIR")]
    library: Option<PathBuf>,
    /// The search providers to ask: `auto`, or names separated by commas.
    #[arg(long, value_name = "NAMES")]
    search: Option<String>,
    /// Show no progress on stderr.
    #[arg(long, short)]
    quiet: bool,
    /// Open a private HOST:PORT to the fetcher.
    #[arg(long, value_name = "HOST:PORT")]
    allow_host: Vec<String>,
    // Last, because its heading would stand over whatever follows.
    #[command(flatten)]
    model: ModelChoice,
}

/// Runs `probity check`.
pub(crate) async fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    let text = input_document::read_draft(&args.file).await?.text;
    if statements(&text).claims.is_empty() {
        return Err(usage(format!("{} states nothing that can be checked", args.file.display())))
            .hint("whole sentences that say something about the world are checked");
    }
    let model = args.model.choose(app)?;
    let model_set = models::open(app, &model)?;
    let (id, question) = (report_file::new_run_id(app.clock.now())?, Question::new(NO_QUESTION)?);
    let spec = RunSpec {
        place: Where {
            search: args.search.clone(),
            library: args.library.as_deref().map(report_file::absolute).transpose()?,
            allow_hosts: args.allow_host.clone(),
            ..Where::default()
        },
        ..app.run_spec(id, question, Mode::Quick, model)
    };
    let (gatherer, problems) =
        app.open_gatherer(&spec.place, app.existing_store().await?, None).await?;
    let environment =
        RunEnvironment { gatherer: Box::new(gatherer), model_set, reader: app.reader()?, problems };
    let watcher: Box<dyn Watcher> =
        if args.quiet { Box::new(Unwatched) } else { Box::new(Progress::new(app.style)) };
    let watcher = watcher.as_ref();
    let (switch, cancel) = Cancel::new();
    let stop = signal::when_asked_to_stop(move || {
        switch.send_replace(true);
    });
    let execution = Execution { watcher, cancel, ..Execution::unattended(&spec, app.clock) };
    let checked = execution.checking(environment, &text).await;
    watcher.watch(&Event::End);
    stop.abort();
    match checked {
        Ok(checked) => report(&checked, app),
        Err(RunError::Journal(JournalError::Interrupted)) => {
            output::note("Interrupted; nothing was saved");
            Ok(ExitCode::from(EXIT_INTERRUPTED))
        }
        Err(error) => Err(error.into()),
    }
}

fn report(checked: &FactCheck, app: &App) -> anyhow::Result<ExitCode> {
    if app.json {
        output::print_json(checked)?;
    } else {
        let mut out = output::stdout();
        show(&mut out, checked, app.style)?;
        out.flush()?;
    }
    let open = checked.claims.iter().any(|claim| claim.verdict != Standing::Supported);
    Ok(if open { ExitCode::from(EXIT_OPEN) } else { ExitCode::SUCCESS })
}

fn show(out: &mut impl Write, checked: &FactCheck, style: Style) -> anyhow::Result<()> {
    for claim in &checked.claims {
        show_claim(out, claim, style)?;
    }
    for problem in &checked.problems {
        writeln!(out, "! {}", printable::line(&problem.to_string()))?;
    }
    let mut counts: Vec<String> = [Standing::Supported, Standing::Contradicted, Standing::NotFound]
        .into_iter()
        .map(|standing| format!("{} {}", checked.count(standing), in_words(standing)))
        .collect();
    if !checked.unchecked.is_empty() {
        counts.push(format!("{} not checked", checked.unchecked.len()));
    }
    writeln!(out, "{}", counts.join(" · "))?;
    Ok(())
}

fn in_words(verdict: Standing) -> String {
    verdict.as_str().replace('_', " ")
}

fn show_claim(out: &mut impl Write, claim: &CheckedClaim, style: Style) -> anyhow::Result<()> {
    let (mark, color) = match claim.verdict {
        Standing::Supported => ("✓", AnsiColor::Green),
        Standing::Contradicted => ("✗", AnsiColor::Red),
        Standing::NotFound => ("?", AnsiColor::Yellow),
    };
    let ansi = Ansi::new().fg_color(Some(color.into()));
    let disputed = if claim.disputed { ", disputed" } else { "" };
    let verdict = style.stdout(ansi, &format!("{mark} {}{disputed}", in_words(claim.verdict)));
    writeln!(out, "{verdict}: {}", printable::line(&claim.claim))?;
    writeln!(out, "  {}", printable::line(&claim.why))?;
    for evidence in &claim.evidence {
        show_evidence(out, evidence)?;
    }
    for cited in claim.cited.iter().filter(|cited| !cited.read) {
        writeln!(
            out,
            "  not read: {} ({:.2}): {}",
            printable::line(&cited.url),
            cited.credibility,
            printable::line(&cited.outcome)
        )?;
    }
    writeln!(out)?;
    Ok(())
}

fn show_evidence(out: &mut impl Write, evidence: &Evidence) -> anyhow::Result<()> {
    let side = evidence.stance.as_str();
    let outlet = evidence.outlet.as_deref().unwrap_or("unknown outlet");
    let cited = if evidence.cited { ", cited here" } else { "" };
    writeln!(
        out,
        "  {side}: {} (authority {:.2}{cited}) {}",
        printable::line(outlet),
        evidence.authority,
        printable::line(&evidence.url)
    )?;
    writeln!(out, "    “{}”", printable::brief(&evidence.passage.text, PASSAGE_CHARS))?;
    for reason in &evidence.reasons {
        writeln!(out, "    - {}", printable::line(reason))?;
    }
    Ok(())
}
