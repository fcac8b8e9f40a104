//! The store and the ledger in it.

use probity_core::counted;
use probity_store::ledger::Verification;
use probity_store::{Engine, RunQuery, Store, StoreError};

use super::check::Check;
use crate::app::App;

pub(super) const STORE: &str = "store";
const LEDGER: &str = "ledger";
const RUNS: &str = "runs";
/// How many runs are listed at once.
const PAGE_RUNS: i64 = 200;

/// Opens the store if there is one, and proves its ledger.
pub(crate) async fn store_and_ledger(app: &App) -> Vec<Check> {
    let store = match app.existing_store().await {
        Ok(Some(store)) => store,
        Ok(None) => {
            let place = app.store_location().map(|place| place.to_string()).unwrap_or_default();
            let found =
                format!("{place} does not exist yet; it is created when something is saved");
            let ledger = "no changes yet; the built-in scores apply";
            let runs = "none saved yet";
            return vec![Check::ok(STORE, found), Check::ok(LEDGER, ledger), Check::ok(RUNS, runs)];
        }
        Err(error) => {
            let fix = error.chain().find_map(|cause| cause.downcast_ref::<StoreError>()).map(fix);
            let fix = fix.unwrap_or("check PROBITY_STORE and [store] in the configuration");
            return vec![Check::failure(STORE, format!("{error:#}"), fix)];
        }
    };
    let engine = match store.engine() {
        Engine::Sqlite => "SQLite",
        Engine::Postgres => "PostgreSQL",
    };
    vec![whole(&store, engine).await, ledger(&store).await, runs(&store).await]
}

/// How many faults are named.
const NAMED_FAULTS: usize = 3;

async fn whole(store: &Store, engine: &str) -> Check {
    match store.examine().await {
        Ok(faults) if faults.is_empty() => {
            Check::ok(STORE, format!("{engine} at {} opens and is whole", store.location()))
        }
        Ok(faults) => {
            let named = faults.iter().take(NAMED_FAULTS).cloned().collect::<Vec<_>>().join("; ");
            let more = match faults.len().saturating_sub(NAMED_FAULTS) {
                0 => String::new(),
                more => format!("; and {more} more"),
            };
            let found = format!("{} is damaged: {named}{more}", store.location());
            Check::failure(STORE, found, RESTORE)
        }
        Err(error) => Check::failure(STORE, error.to_string(), fix(&error)),
    }
}

const RESTORE: &str = "stop what uses the store, move its file away and bring back a backup with `probity restore FILE`";

async fn ledger(store: &Store) -> Check {
    match store.verify(None).await {
        Ok(Verification::Sound(proof)) => {
            let outlets = counted(proof.outlets, "outlet", "outlets");
            let events = counted(proof.events, "event", "events");
            Check::ok(LEDGER, format!("sound: {outlets}, {events}"))
        }
        Ok(Verification::Broken(fault)) => Check::failure(
            LEDGER,
            format!("broken: {fault}"),
            "restore the store from a backup, or find out who changed it; see `probity outlets \
             verify`",
        ),
        Err(error) => Check::failure(LEDGER, error.to_string(), fix(&error)),
    }
}

/// Reads every saved report as showing or exporting it would.
async fn runs(store: &Store) -> Check {
    let (mut seen, mut broken, mut after) = (0_usize, Vec::new(), None);
    loop {
        let query = RunQuery { limit: Some(PAGE_RUNS), after, ..RunQuery::default() };
        let page = match store.runs(&query).await {
            Ok(page) => page,
            Err(error) => return Check::failure(RUNS, error.to_string(), fix(&error)),
        };
        for run in &page {
            seen += 1;
            let report = match store.run(&run.id).await {
                Ok(record) => record.and_then(|record| record.report),
                Err(error) => return Check::failure(RUNS, error.to_string(), fix(&error)),
            };
            if let Some(Err(error)) = report.map(|report| probity_report::restore(&report)) {
                broken.push(format!("{}: {error}", run.id));
            }
        }
        match page.into_iter().next_back() {
            Some(last) => after = Some((last.asked_at, last.id)),
            None => break,
        }
    }
    if broken.is_empty() {
        let found = format!("{}, every report can be read", counted(seen, "run", "runs"));
        return Check::ok(RUNS, found);
    }
    let named = broken.iter().take(NAMED_FAULTS).cloned().collect::<Vec<_>>().join("; ");
    let reports = counted(broken.len(), "report", "reports");
    let found = format!("{reports} of {seen} cannot be read: {named}");
    let fix = "bring back a backup with `probity restore FILE`, or delete the run with `probity runs delete ID`";
    Check::failure(RUNS, found, fix)
}

/// What to do about a store that does not work.
fn fix(error: &StoreError) -> &'static str {
    match error {
        StoreError::Unreachable { .. } => {
            "check that the place exists and may be written, or that the server runs and \
             PROBITY_STORE names it"
        }
        StoreError::Foreign { .. } => {
            "name another file or an empty database with PROBITY_STORE, or another folder with \
             --data-dir"
        }
        StoreError::Newer { .. } => "update Probity, or name another store with PROBITY_STORE",
        StoreError::Diverged { .. } => {
            "open it with the build that wrote it, or name another store with PROBITY_STORE"
        }
        StoreError::Damaged { .. } | StoreError::Unreadable { .. } => RESTORE,
        StoreError::ReadOnly { .. } => "make the file and its folder writable",
        StoreError::Full { .. } => "make room on the disk",
        StoreError::Failing { .. } => {
            "make room on the disk, raise the quota, or look into the system's log for errors of the disk"
        }
        StoreError::Busy { .. } | StoreError::Fenced { .. } => {
            "wait until the other process is done, then try again"
        }
        StoreError::Sql { .. } => "run it again with -vv, and report what the log says",
    }
}
