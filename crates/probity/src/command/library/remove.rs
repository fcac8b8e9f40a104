//! `probity library remove`: documents leave the index; files stay where they are.

use std::process::ExitCode;

use probity_core::printable;
use serde::Serialize;

use super::existing;
use crate::app::App;
use crate::failure::EXIT_USAGE;
use crate::output;

/// What may be typed after `probity library remove`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Documents by id, path or address, or everything below a folder.
    #[arg(value_name = "ID|PATH|URL", required = true)]
    names: Vec<String>,
}

/// What left, as JSON.
#[derive(Serialize)]
struct Output {
    removed: u64,
    unknown: Vec<String>,
}

/// Runs `probity library remove`.
pub(crate) async fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    let library = existing(app).await?;
    let mut output = Output { removed: 0, unknown: Vec::new() };
    for name in args.names {
        let removed = match &library {
            Some(library) => library.remove(&name).await?,
            None => 0,
        };
        output.removed += removed;
        if removed == 0 {
            output.unknown.push(name);
        }
    }
    if app.json {
        output::print_json(&output)?;
    } else {
        for name in &output.unknown {
            output::note(&format!("{} is not in the library", printable::brief(name, 200)));
        }
        output::print_line(&format!("{} removed", output.removed))?;
    }
    let known = output.unknown.is_empty();
    Ok(if known { ExitCode::SUCCESS } else { ExitCode::from(EXIT_USAGE) })
}
