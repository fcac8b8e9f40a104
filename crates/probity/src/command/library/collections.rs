//! `probity library collections`: documents under a name, to be searched and asked by themselves.

use std::io::Write as _;
use std::process::ExitCode;

use probity_core::{counted, printable};
use probity_store::library::{Collection, CollectionError, Library, Moved, Way};
use serde::Serialize;

use super::existing;
use crate::app::App;
use crate::failure::{EXIT_USAGE, WithHint as _, usage};
use crate::output;

/// What may be typed after `probity library collections`.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// List the collections with how much is in them.
    List,
    /// Put documents into a collection, which is made if there is none of the name.
    Put(Documents),
    /// Take documents out of a collection; the library keeps them.
    TakeOut(Documents),
    /// Give a collection another name.
    Rename {
        /// The collection.
        #[arg(value_name = "NAME")]
        name: String,
        /// Its name from now on.
        #[arg(value_name = "NEW")]
        new: String,
    },
    /// Remove a collection; the library keeps its documents.
    Remove {
        /// The collection.
        #[arg(value_name = "NAME")]
        name: String,
    },
}

/// Documents and a collection.
#[derive(clap::Args)]
pub(crate) struct Documents {
    /// The collection.
    #[arg(value_name = "NAME")]
    name: String,
    /// Documents by id, path or address, or everything below a folder.
    #[arg(value_name = "ID|PATH|URL", required = true)]
    documents: Vec<String>,
}

/// The outcome of a collection, as JSON.
#[derive(Serialize)]
struct Output<'a> {
    collection: &'a Collection,
    #[serde(flatten)]
    moved: Moved,
}

/// Runs `probity library collections`.
pub(crate) async fn run(command: Command, app: &App) -> anyhow::Result<ExitCode> {
    match command {
        Command::List => list(app).await,
        Command::Put(asked) => put(asked, app).await,
        Command::TakeOut(asked) => {
            let library = filled(app).await?;
            let collection = library.collection(&asked.name).await.map_err(as_failure)?;
            carry(&library, collection, &asked.documents, Way::Out, app).await
        }
        Command::Rename { name, new } => {
            let library = filled(app).await?;
            let collection = library.collection(&name).await.map_err(as_failure)?;
            library.rename_collection(collection.id, &new).await.map_err(as_failure)?;
            let collection =
                library.collection(&collection.id.to_string()).await.map_err(as_failure)?;
            show(&collection, app)
        }
        Command::Remove { name } => {
            let library = filled(app).await?;
            let collection = library.collection(&name).await.map_err(as_failure)?;
            library.remove_collection(collection.id).await.map_err(as_failure)?;
            match app.json {
                true => output::print_json(&collection)?,
                false => output::print_line("removed; its documents are in the library still")?,
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// What the user can fix is wrong usage, anything else a failure.
pub(super) fn as_failure(error: CollectionError) -> anyhow::Error {
    match error {
        CollectionError::Store(error) => error.into(),
        error => usage(error.to_string()),
    }
}

/// The library, where there has to be one.
async fn filled(app: &App) -> anyhow::Result<Library> {
    let library = existing(app).await?;
    library.ok_or_else(|| usage("the library is empty")).hint("fill it: probity library add FOLDER")
}

async fn list(app: &App) -> anyhow::Result<ExitCode> {
    let collections = match existing(app).await? {
        Some(library) => library.collections().await.map_err(as_failure)?,
        None => Vec::new(),
    };
    if app.json {
        output::print_json(&collections)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = output::stdout();
    for Collection { name, documents, .. } in &collections {
        let count = counted(usize::try_from(*documents)?, "document", "documents");
        writeln!(out, "{}  {count}", printable::line(name))?;
    }
    out.flush()?;
    if collections.is_empty() {
        let how =
            "There is no collection; `probity library collections put NAME DOCUMENT` makes one.";
        output::note(how);
    }
    Ok(ExitCode::SUCCESS)
}

async fn put(asked: Documents, app: &App) -> anyhow::Result<ExitCode> {
    let library = filled(app).await?;
    let collection = match library.collection(&asked.name).await {
        Err(CollectionError::Unknown(_)) => {
            library.make_collection(&asked.name).await.map_err(as_failure)?
        }
        found => found.map_err(as_failure)?,
    };
    carry(&library, collection, &asked.documents, Way::In, app).await
}

async fn carry(
    library: &Library,
    collection: Collection,
    documents: &[String],
    way: Way,
    app: &App,
) -> anyhow::Result<ExitCode> {
    let names: Vec<&str> = documents.iter().map(String::as_str).collect();
    let moved = library.collect(collection.id, &names, way).await.map_err(as_failure)?;
    let known = moved.unknown.is_empty();
    let collection = library.collection(&collection.id.to_string()).await.map_err(as_failure)?;
    if app.json {
        output::print_json(&Output { collection: &collection, moved })?;
    } else {
        for name in &moved.unknown {
            output::note(&format!("{} is not in the library", printable::brief(name, 200)));
        }
        let verb = if way == Way::In { "put in" } else { "taken out" };
        let name = printable::line(&collection.name);
        output::print_line(&format!(
            "{} {verb}; {name} holds {}",
            moved.moved, collection.documents
        ))?;
    }
    Ok(if known { ExitCode::SUCCESS } else { ExitCode::from(EXIT_USAGE) })
}

fn show(collection: &Collection, app: &App) -> anyhow::Result<ExitCode> {
    match app.json {
        true => output::print_json(collection)?,
        false => output::print_line(&format!("it is {} now", printable::line(&collection.name)))?,
    }
    Ok(ExitCode::SUCCESS)
}
