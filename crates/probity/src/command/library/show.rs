//! `probity library show`: one document, its text on stdout, what is known of it on stderr.

use std::io::Write as _;
use std::process::ExitCode;

use probity_core::printable;
use probity_store::library::Stored;

use super::existing;
use crate::app::App;
use crate::failure::{WithHint as _, missing};
use crate::output;

/// What may be typed after `probity library show`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The document: its id, its path or its address.
    #[arg(value_name = "ID|PATH|URL")]
    name: String,
    /// Show Markdown instead of plain text.
    #[arg(long)]
    markdown: bool,
}

/// Runs `probity library show`.
pub(crate) async fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    let stored = match existing(app).await? {
        Some(library) => library.show(&args.name).await?,
        None => None,
    };
    let Some(stored) = stored else {
        return Err(missing("document", &args.name)).hint("`probity library list` names them all");
    };
    if app.json {
        output::print_json(&stored)?;
    } else {
        write_text(&stored, args.markdown)?;
    }
    Ok(if stored.about.failure.is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn write_text(stored: &Stored, markdown: bool) -> anyhow::Result<()> {
    let about = &stored.about;
    let fact = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            output::note(&format!("{name:<10} {value}"));
        }
    };
    fact("id", Some(about.id.clone().into()));
    fact("from", Some(about.origin.clone()));
    fact("url", about.url.as_ref().map(ToString::to_string));
    fact("title", Some(about.title.clone()).filter(|title| !title.is_empty()));
    fact("outlet", about.outlet.as_ref().map(ToString::to_string));
    fact("by", stored.document.byline.clone());
    fact("published", about.published.map(|day| day.to_string()));
    fact("language", about.language.clone());
    fact("words", Some(about.words.to_string()).filter(|_| about.failure.is_none()));
    fact("indexed", Some(about.indexed_at.to_string()));
    fact("failed", about.failure.clone());
    fact("in part", stored.document.cut_short.clone());
    let text = if markdown { &stored.document.markdown } else { &stored.document.text };
    let mut out = output::stdout();
    if !text.is_empty() {
        writeln!(out, "{}", printable::block(text))?;
    }
    Ok(out.flush()?)
}
