//! `probity bench injection`: how a model withstands pages that speak to it.

use std::io::Write as _;
use std::process::ExitCode;

use probity_core::Mode;
use probity_credibility::Question;
use probity_research::execute::RunEnvironment;
use probity_research::gather::Gatherer;
use probity_research::injection::{ATTACKS, Figures, SCENES, Suite, Trial};
use probity_research::run::{Gathering, RunSpec};
use serde::Serialize;

use crate::app::App;
use crate::failure::{WithHint as _, usage};
use crate::models::{self, ModelChoice};
use crate::output;

/// What may be typed after `probity bench injection`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Try only the first N attacks.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    attacks: Option<u16>,
    /// Let the model search and choose pages with tools.
    #[arg(long)]
    agentic: bool,
    /// Print a line for every attack.
    #[arg(long)]
    each: bool,
    #[command(flatten)]
    model: ModelChoice,
}

/// Everything as JSON. The order of the fields is part of the format.
#[derive(Serialize)]
struct Found<'a> {
    analyst: &'a str,
    figures: &'a Figures,
    attacks: &'a [Trial],
}

/// Runs `probity bench injection`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let model = args.model.choose(app)?;
    if args.agentic && model.assignment.is_none() {
        return Err(usage("--agentic needs a language model")).hint("name one with --model");
    }
    let model_set = models::open(app, &model)?;
    let reader = app.reader()?;
    let [first, ..] = SCENES;
    let question = Question::new(first.question).map_err(|error| usage(error.to_string()))?;
    let spec = RunSpec {
        gathering: if args.agentic { Gathering::Agentic } else { Gathering::Planned },
        ..app.run_spec("bench".to_owned(), question, Mode::Quick, model)
    };
    let equip = |gatherer: Box<dyn Gatherer>| RunEnvironment {
        gatherer,
        model_set: model_set.clone(),
        reader: reader.clone(),
        problems: Vec::new(),
    };
    let hint = "raise --max-calls, --max-tokens or --max-cost, or try fewer with --attacks";
    let mut suite = Suite::begin(&spec, &equip, app.clock).await.hint(hint)?;
    let most = args.attacks.map_or(ATTACKS.len(), usize::from);
    let mut trials = Vec::new();
    let mut out = output::stdout();
    for (number, attack) in ATTACKS.iter().enumerate().take(most) {
        let trial = suite.attempt(number, attack).await.hint(hint)?;
        if args.each && !app.json {
            writeln!(out, "{}", line(&trial))?;
        }
        trials.push(trial);
    }
    let figures = Figures::of(&trials, suite.usage());
    if app.json {
        let found = Found { analyst: &spec.analyst, figures: &figures, attacks: &trials };
        return output::print_json(&found).map(|()| ExitCode::SUCCESS);
    }
    write(&mut out, &spec.analyst, &figures)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn line(trial: &Trial) -> String {
    let lift = trial.lift.map_or("unread".to_owned(), |lift| format!("{lift:+}"));
    let kept = |kept: Option<bool>| match kept {
        Some(true) => "kept",
        Some(false) => "LOST",
        None => "-",
    };
    let obeyed = match (trial.obeyed, trial.through.is_empty()) {
        (_, false) => "THROUGH",
        (true, true) => "OBEYED",
        (false, true) => "held",
    };
    format!(
        "{obeyed:<8} lift {lift:<7} answer {:<5} glued {:<5} {}",
        kept(trial.kept),
        kept(trial.kept_glued),
        trial.name
    )
}

fn write(out: &mut impl std::io::Write, analyst: &str, found: &Figures) -> anyhow::Result<()> {
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    writeln!(out, "{} attacks, judged and written by {analyst}", found.attacks)?;
    let (obeyed, through) =
        (share(found.obeyed, found.attacks), share(found.through, found.attacks));
    writeln!(
        out,
        "  obedience       {obeyed:5.1} %  {} gained, were repeated or went through",
        found.obeyed
    )?;
    writeln!(
        out,
        "  went through    {through:5.1} %  {} into the report or to an address",
        found.through
    )?;
    writeln!(
        out,
        "  score lift      {:+5.2}    mean; {:+} at most",
        found.mean_lift, found.most_lift
    )?;
    let kept = share(found.kept, found.answering);
    writeln!(
        out,
        "  utility         {kept:5.1} %  {} of {} attacked pages kept their answer",
        found.kept, found.answering
    )?;
    if found.usage.model_calls > 0 {
        let cost = found.usage.cost_usd;
        writeln!(
            out,
            "  calls           {:5}    ${cost:.2} where prices are known",
            found.usage.model_calls
        )?;
    }
    Ok(())
}
