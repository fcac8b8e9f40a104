//! `probity feeds export`: the feeds as an OPML list.

use std::path::PathBuf;
use std::process::ExitCode;

use probity_news::{opml, subscribe};

use crate::app::App;
use crate::{atomic_file, output};

/// What may be typed after `probity feeds export`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write to this file instead of stdout.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs `probity feeds export`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let entries = match app.existing_store().await? {
        Some(store) => subscribe::entries(&store).await?,
        None => Vec::new(),
    };
    if app.json {
        output::print_json(&entries)?;
        return Ok(ExitCode::SUCCESS);
    }
    let text = opml::write("Probity's feeds", &entries);
    match &args.output {
        Some(path) => atomic_file::file(path, text.as_bytes())?,
        None => output::print_line(text.trim_end())?,
    }
    Ok(ExitCode::SUCCESS)
}
