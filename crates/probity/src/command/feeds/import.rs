//! `probity feeds import`: the feeds of an OPML list.

use std::io::Read as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use probity_core::counted;
use probity_news::opml::{self, OPML_BYTES};
use probity_news::subscribe::{Imported, import};

use crate::app::App;
use crate::failure::WithHint as _;
use crate::json_lines::open;
use crate::output;

/// What may be typed after `probity feeds import`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The list: an OPML file; `-` is stdin.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A category for all of them, in addition to their folders. May be repeated.
    #[arg(long, value_name = "NAME")]
    category: Vec<String>,
}

/// Runs `probity feeds import`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let mut bytes = Vec::new();
    open(&args.file)?
        .take(OPML_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read {}", args.file.display()))?;
    let list = opml::read(&bytes)
        .with_context(|| format!("cannot read {}", args.file.display()))
        .hint("give an OPML file, as feed readers export it")?;
    let store = app.store().await?;
    let imported = import(&store, list, &args.category).await?;
    if app.json {
        output::print_json(&imported)?;
    } else {
        for problem in &imported.problems {
            output::note(problem);
        }
        let Imported { added, known, refused, problems } = &imported;
        let more = if *refused > 0 { format!(", {refused} too many") } else { String::new() };
        let added = counted(*added, "feed", "feeds");
        let bad = counted(problems.len(), "bad entry", "bad entries");
        let text = format!("{added} added, {known} known, {bad}{more}.");
        output::print_line(&text)?;
    }
    Ok(ExitCode::SUCCESS)
}
