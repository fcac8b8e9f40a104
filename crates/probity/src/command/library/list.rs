//! `probity library list`: the documents, in the order of where they came from.

use std::io::Write as _;
use std::process::ExitCode;

use probity_core::printable;
use probity_store::library::{ListOptions, Listed};
use serde::Serialize;

use super::{EMPTY, existing, within};
use crate::app::App;
use crate::output;

/// What may be typed after `probity library list`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only this file, or those below this folder.
    #[arg(value_name = "PATH")]
    under: Option<String>,
    /// Only files that could not be read, with the reason.
    #[arg(long)]
    failed: bool,
    /// Only those of this collection.
    #[arg(long, value_name = "NAME")]
    collection: Option<String>,
    /// How many to list at most.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    limit: u32,
    /// Go on after the document that came from here: the last one of the list before.
    #[arg(long, value_name = "ORIGIN")]
    after: Option<String>,
}

/// The list as JSON.
#[derive(Serialize)]
struct Output<'a> {
    documents: &'a [Listed],
    /// Where the next list continues, if there is more.
    next: Option<&'a str>,
}

/// Runs `probity library list`.
pub(crate) async fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    let limit = usize::try_from(args.limit)?;
    let options = ListOptions {
        failed: args.failed,
        under: args.under,
        after: args.after,
        // One more, to know whether there is more.
        limit: limit + 1,
    };
    let mut documents = match existing(app).await? {
        Some(library) => within(library, args.collection.as_deref()).await?.list(&options).await?,
        None => Vec::new(),
    };
    let more = documents.len() > limit;
    documents.truncate(limit);
    let next = documents.last().filter(|_| more).map(|last| last.origin.as_str());
    if app.json {
        output::print_json(&Output { documents: &documents, next })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = output::stdout();
    for document in &documents {
        let day = document.published.map_or_else(|| "-".to_owned(), |day| day.to_string());
        let text = document.failure.as_deref().unwrap_or(&document.title);
        writeln!(out, "{}  {day:<10}  {}", document.id, printable::brief(text, 80))?;
        writeln!(out, "              {}", printable::line(&document.origin))?;
    }
    out.flush()?;
    match next {
        Some(next) => output::note(&format!("There are more: --after '{next}'")),
        None if documents.is_empty() => output::note(nothing(&options)),
        None => {}
    }
    Ok(ExitCode::SUCCESS)
}

fn nothing(options: &ListOptions) -> &'static str {
    if options.failed {
        "Every file could be read."
    } else if options.under.is_some() || options.after.is_some() {
        "No document of the library is there."
    } else {
        EMPTY
    }
}
