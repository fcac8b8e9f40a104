//! `probity outlets codebook`: the codes that may be applied, and what each weighs.

use std::io::Write as _;
use std::process::ExitCode;

use probity_core::printable;
use probity_credibility::ledger::{Code, CodeName, Name, Note, Weight};
use probity_server::api::ledger::instant;
use probity_store::ledger::CodeRevision;
use serde::Serialize;

use super::change;
use crate::app::App;
use crate::failure::usage;
use crate::output;

/// What may be typed after `probity outlets codebook`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

/// What may be done to the codebook.
#[derive(clap::Subcommand)]
enum Command {
    /// List the codes (the default).
    List {
        /// Every version of every code, with who changed it and when.
        #[arg(long)]
        all: bool,
    },
    /// Add a code, or give one another weight or description from now on.
    Add {
        /// The code: lower-case letters, digits and hyphens.
        name: String,
        /// What it says about reliability: a whole number, above 0 for the better.
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        weight: i64,
        /// When to apply it.
        #[arg(long, value_name = "TEXT")]
        description: String,
        /// Who changes the codebook.
        #[arg(long, value_name = "NAME")]
        by: String,
    },
    /// Take a code out of use; it stays in the history.
    Retire {
        /// The code.
        name: String,
        /// Who changes the codebook.
        #[arg(long, value_name = "NAME")]
        by: String,
    },
}

#[derive(Serialize)]
struct RevisionView<'a> {
    #[serde(flatten)]
    code: &'a Code,
    by: &'a str,
    at: String,
}

impl<'a> RevisionView<'a> {
    fn new(revision: &'a CodeRevision) -> Self {
        Self { code: &revision.code, by: &revision.by, at: instant(revision.at) }
    }
}

/// Runs `probity outlets codebook`.
pub(crate) async fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    match args.command.unwrap_or(Command::List { all: false }) {
        Command::List { all } => list(all, app).await,
        Command::Add { name, weight, description, by } => {
            let name = code_name(&name)?;
            let weight = Weight::new(weight).map_err(|error| usage(error.to_string()))?;
            let description = Note::new(&description)
                .map_err(|error| usage(error.to_string().replace("the note", "the description")))?;
            let by = Name::new(&by).map_err(|error| usage(error.to_string()))?;
            let store = app.store().await?;
            let made = store.define_code(&name, weight, &description, &by).await;
            print(&made.map_err(change::explain)?, app)
        }
        Command::Retire { name, by } => {
            let name = code_name(&name)?;
            let by = Name::new(&by).map_err(|error| usage(error.to_string()))?;
            let made = app.store().await?.retire_code(&name, &by).await;
            print(&made.map_err(change::explain)?, app)
        }
    }
}

fn code_name(text: &str) -> anyhow::Result<CodeName> {
    CodeName::new(text).map_err(|error| usage(error.to_string()))
}

async fn list(all: bool, app: &App) -> anyhow::Result<ExitCode> {
    let revisions = app.store().await?.code_revisions().await?;
    let is_last = |place: usize, revision: &CodeRevision| {
        revisions.get(place + 1).is_none_or(|next| next.code.name != revision.code.name)
    };
    let chosen: Vec<&CodeRevision> = revisions
        .iter()
        .enumerate()
        .filter(|(place, revision)| all || is_last(*place, revision))
        .map(|(_, revision)| revision)
        .collect();
    if app.json {
        let views: Vec<RevisionView<'_>> = chosen.into_iter().map(RevisionView::new).collect();
        output::print_json(&serde_json::json!({ "codes": views }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = output::stdout();
    for revision in chosen {
        writeln!(out, "{}", line(revision))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn line(revision: &CodeRevision) -> String {
    let code = &revision.code;
    let retired = if code.retired { " (retired)" } else { "" };
    let line = format!(
        "{:+4}  {:<24}  {}{retired}",
        code.weight.get(),
        code.name.as_str(),
        code.description
    );
    printable::line(&line).into_owned()
}

fn print(revision: &CodeRevision, app: &App) -> anyhow::Result<ExitCode> {
    if app.json {
        output::print_json(&RevisionView::new(revision))?;
    } else {
        output::print_line(&line(revision))?;
    }
    Ok(ExitCode::SUCCESS)
}
