//! `probity library`: documents of your own, indexed so that questions find them.

mod add;
mod collections;
mod list;
mod progress;
mod remove;
mod search;
mod show;
mod site;
mod status;

pub(crate) use self::add::add_page;

use std::process::ExitCode;

use probity_store::library::Library;

use crate::app::App;

/// What may be typed after `probity library`.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Index folders, files and pages, or update the index.
    Add(add::Args),
    /// List the documents.
    List(list::Args),
    /// Search the documents and show matching excerpts.
    Search(search::Args),
    /// Show one document.
    Show(show::Args),
    /// Remove documents from the index; files are not touched.
    Remove(remove::Args),
    /// Keep documents under a name, to search and ask them by themselves.
    #[command(subcommand)]
    Collections(collections::Command),
    /// Show how much is indexed, in which languages, and from where.
    Status,
}

/// What is said where there is nothing yet.
const EMPTY: &str = "The library is empty; `probity library add FOLDER` fills it.";

/// Runs `probity library`.
pub(crate) async fn run(command: Command, app: &App) -> anyhow::Result<ExitCode> {
    match command {
        Command::Add(args) => add::run(args, app).await,
        Command::List(args) => list::run(args, app).await,
        Command::Search(args) => search::run(args, app).await,
        Command::Show(args) => show::run(args, app).await,
        Command::Remove(args) => remove::run(args, app).await,
        Command::Collections(command) => collections::run(command, app).await,
        Command::Status => status::run(app).await,
    }
}

/// Takes a folder into the library, and gives how many documents it holds there now.
pub(crate) async fn add_folder(app: &App, folder: &std::path::Path) -> anyhow::Result<usize> {
    let library = Library::of(&app.store().await?);
    let report = add::add_path(&library, folder, Default::default()).await?;
    for failed in &report.failed {
        crate::output::note(&format!("{}: {}", failed.origin, failed.why));
    }
    Ok(report.added + report.changed + report.unchanged)
}

/// The library, or a collection of it.
async fn within(library: Library, collection: Option<&str>) -> anyhow::Result<Library> {
    let Some(name) = collection else { return Ok(library) };
    let collection = library.collection(name).await.map_err(collections::as_failure)?;
    Ok(library.within(&collection))
}

/// The library, if there is a store at all: looking is no reason to create one.
async fn existing(app: &App) -> anyhow::Result<Option<Library>> {
    Ok(app.existing_store().await?.map(|store| Library::of(&store)))
}
