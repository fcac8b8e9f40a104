//! `probity library status`: how much is indexed, in which languages, and from where.

use std::io::Write as _;
use std::process::ExitCode;

use probity_core::printable;
use probity_store::library::Status;

use super::{EMPTY, existing};
use crate::app::App;
use crate::output;

/// Runs `probity library status`.
pub(crate) async fn run(app: &App) -> anyhow::Result<ExitCode> {
    let status = match existing(app).await? {
        Some(library) => library.status().await?,
        None => Status::default(),
    };
    if app.json {
        output::print_json(&status)?;
    } else if status == Status::default() {
        output::print_line(EMPTY)?;
    } else {
        write_text(&status)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write_text(status: &Status) -> anyhow::Result<()> {
    let mut out = output::stdout();
    writeln!(out, "documents  {}", status.documents)?;
    if status.failed > 0 {
        writeln!(out, "failed     {} (`probity library list --failed`)", status.failed)?;
    }
    writeln!(out, "passages   {}", status.passages)?;
    writeln!(out, "words      {}", status.words)?;
    let languages: Vec<String> = status
        .languages
        .iter()
        .map(|count| format!("{} {}", printable::line(&count.language), count.documents))
        .collect();
    writeln!(out, "languages  {}", languages.join(", "))?;
    if let Some(at) = status.indexed_at {
        writeln!(out, "indexed    {at}")?;
    }
    for folder in &status.folders {
        writeln!(out, "folder     {} ({})", printable::line(&folder.path), folder.indexed_at)?;
    }
    Ok(out.flush()?)
}
