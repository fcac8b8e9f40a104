//! `probity ask`: a stored run's sources, asked something else. Nothing is searched for and nothing is fetched.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::app::App;
use crate::command::research;
use crate::format::Form;
use crate::models::ModelArgs;
use crate::wish::WishArgs;

/// What may be typed after `probity ask`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The run whose sources to use: its id, the beginning of it, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// The question.
    #[arg(value_name = "QUESTION")]
    question: String,
    /// Read up to 7 of its sources and answer in about 1,000 words instead of 3 and 300.
    #[arg(long, conflicts_with = "deep")]
    standard: bool,
    /// Read up to 10 of its sources and answer in about 2,000 words.
    #[arg(long)]
    deep: bool,
    /// Write the answer to a file instead of stdout.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    form: Form,
    /// Show no progress on stderr.
    #[arg(long, short)]
    quiet: bool,
    /// Save the answer as its own run.
    #[arg(long)]
    save: bool,
    // Last, because their headings would stand over whatever follows.
    #[command(flatten)]
    wish: WishArgs,
    #[command(flatten)]
    model: ModelArgs,
}

/// Runs `probity ask`.
pub(crate) async fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    let Args { run, question, standard, deep, output, form, quiet, save, wish, model } = args;
    let asked = research::Args {
        earlier: Some(run),
        only_earlier: true,
        quick: !standard && !deep,
        standard,
        deep,
        output,
        quiet,
        save,
        ..research::Args::of(question, form, wish, model)
    };
    research::run(asked, app).await
}
