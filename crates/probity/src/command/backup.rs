//! `probity backup` and `probity restore`: everything in the store as one file, and back.

use std::path::PathBuf;
use std::process::ExitCode;

use probity_core::counted;
use probity_store::backup::{self, BackupError};
use probity_store::relocate::{RelocateError, Relocated};

use crate::app::App;
use crate::failure::{WithHint as _, missing, usage};
use crate::output;
use crate::signal::{EXIT_INTERRUPTED, unless_asked_to_stop};

/// What may be typed after `probity backup`.
#[derive(clap::Args)]
pub(crate) struct BackupArgs {
    /// The file to write.
    file: PathBuf,
    /// Replace the file if it exists.
    #[arg(long)]
    replace: bool,
}

/// What may be typed after `probity restore`.
#[derive(clap::Args)]
pub(crate) struct RestoreArgs {
    /// The backup.
    file: PathBuf,
    /// Only check it: restore into a temporary store.
    #[arg(long)]
    check: bool,
}

/// Runs `probity backup`.
pub(crate) async fn back_up(args: &BackupArgs, app: &App) -> anyhow::Result<ExitCode> {
    let Some(store) = app.existing_store().await? else {
        return Err(usage("there is no store yet, so there is nothing to back up"));
    };
    let work = backup::back_up(&store, &args.file, args.replace, print_table);
    let Some(done) = unless_asked_to_stop(work).await else { return Ok(interrupted()) };
    let done = match done {
        Err(error @ BackupError::Exists(_)) => {
            return Err(usage(error.to_string())).hint("--replace writes over it");
        }
        Err(error @ BackupError::NotAFile(_)) => return Err(usage(error.to_string())),
        Err(error @ BackupError::Relocate(RelocateError::Ledger { .. })) => {
            return Err(error).hint("`probity outlets verify` shows where it breaks");
        }
        done => done.hint("no backup was written")?,
    };
    store.close().await;
    report(app, &done, &format!("Backed up {} to {}", store.location(), args.file.display()))
}

/// Runs `probity restore`.
pub(crate) async fn restore(args: &RestoreArgs, app: &App) -> anyhow::Result<ExitCode> {
    let file = args.file.display();
    // Before a store is created, so that a wrong name leaves nothing behind.
    if !args.file.exists() {
        return Err(missing("file", file));
    }
    if args.check {
        let work = backup::rehearse(&args.file, print_table);
        let Some(done) = unless_asked_to_stop(work).await else { return Ok(interrupted()) };
        return report(app, &done?, &format!("{file} can be restored"));
    }
    let store = app.store().await?;
    let work = backup::restore(&args.file, &store, print_table);
    let Some(done) = unless_asked_to_stop(work).await else { return Ok(interrupted()) };
    let done = done.hint(
        "a backup is restored into a new store: name another place with --data-dir or \
         PROBITY_STORE, or move the old one away",
    )?;
    store.close().await;
    report(app, &done, &format!("Restored {file} to {}", store.location()))
}

/// Tells of a table that arrived.
pub(super) fn print_table(table: &str, rows: u64) {
    output::note(&format!("{rows:>9}  {table}"));
}

pub(super) fn interrupted() -> ExitCode {
    output::note("Interrupted; nothing was written");
    ExitCode::from(EXIT_INTERRUPTED)
}

/// Tells what was moved.
pub(super) fn report(app: &App, done: &Relocated, said: &str) -> anyhow::Result<ExitCode> {
    if app.json {
        output::print_json(done)?;
    } else {
        output::print_line(&format!(
            "{said}: every row was read back and compared, and the ledger verifies ({})",
            counted(done.ledger_events, "event", "events")
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}
