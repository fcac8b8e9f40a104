//! `probity init`: flags or answers → a plan → each part tried → a commented configuration file.
//!
//! Nothing is written before everything was tried, and nothing is overwritten unless that is asked for.

mod draft;
mod guide;
mod plan;
mod talk;
mod trial;

use std::io::{ErrorKind, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use probity_core::counted;
use serde::Serialize;

use self::plan::Plan;
use self::talk::Terminal;
use self::trial::Part;
use super::doctor::{self, Check, State};
use crate::app::App;
use crate::failure::{WithHint as _, usage};
use crate::{atomic_file, output};

/// What may be typed after `probity init`. Without any of it, and on a terminal, the program asks.
#[derive(clap::Args, Default)]
pub(crate) struct Args {
    /// The model that judges and writes: `auto`, `embedded`, a provider, or PROVIDER:NAME.
    #[arg(long, value_name = "MODEL")]
    pub(super) model: Option<String>,
    /// The address of the model's provider, for a proxy or your own server.
    #[arg(long, value_name = "URL")]
    pub(super) base_url: Option<String>,
    /// A file with the model's key; `-` reads the key from stdin and stores it in its own file.
    #[arg(long, value_name = "FILE")]
    pub(super) key_file: Option<PathBuf>,
    /// The search providers to ask: `auto`, or names separated by commas.
    #[arg(long, value_name = "NAMES")]
    pub(super) search: Option<String>,
    /// The address of your SearXNG instance.
    #[arg(long, value_name = "URL")]
    pub(super) searxng: Option<String>,
    /// A file with the key of the one search provider that --search names; `-` reads it from stdin.
    #[arg(long, value_name = "FILE")]
    pub(super) search_key_file: Option<PathBuf>,
    /// A folder of documents to index for search. May be repeated.
    #[arg(long, value_name = "DIR")]
    pub(super) library: Vec<PathBuf>,
    /// Where runs, ledger and library are kept: a path, or postgres://….
    #[arg(long, value_name = "URL")]
    pub(super) store: Option<String>,
    /// Write the file without testing models, search providers and the store.
    #[arg(long)]
    offline: bool,
    /// Replace an existing configuration file; the old one is kept beside it.
    #[arg(long)]
    force: bool,
    /// Print the file instead of writing it. Nothing is tested.
    #[arg(long, conflicts_with = "library")]
    print: bool,
    /// Ask nothing, even on a terminal.
    #[arg(long)]
    no_input: bool,
}

impl Args {
    /// Whether the caller has said what they want.
    fn decide(&self) -> bool {
        let named = self.model.is_some() || self.search.is_some() || self.searxng.is_some();
        let keyed = self.key_file.is_some() || self.search_key_file.is_some();
        named
            || keyed
            || self.base_url.is_some()
            || self.store.is_some()
            || !self.library.is_empty()
    }
}

/// What was done, as JSON. The order of the fields is part of the format.
#[derive(Serialize)]
struct Done<'a> {
    config: &'a Path,
    written: bool,
    /// Files that hold keys.
    keys: Vec<&'a Path>,
    /// The old configuration, where there was one.
    kept: Option<PathBuf>,
    checks: &'a [Check],
    documents: usize,
}

/// Runs `probity init`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let config = app.paths.config.as_path();
    if args.print {
        let plan = Plan::from_flags(args, config)?;
        return output::print_line(draft::text(&plan, app).trim_end()).map(|()| ExitCode::SUCCESS);
    }
    refuse_overwriting(config, args.force)?;
    writable(config)?;
    let asks = !args.decide() && !args.no_input && !app.json;
    let on_terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    let (plan, checks) = match asks && on_terminal {
        true => guide::guide(&mut Terminal::open(), app, args.offline).await?,
        false => {
            let plan = Plan::from_flags(args, config)?;
            let checks = if args.offline { Vec::new() } else { try_all(&plan, app).await? };
            (plan, checks)
        }
    };
    if checks.iter().any(|check| check.state == State::Failure) && !(asks && on_terminal) {
        let (keys, checks) = (Vec::new(), &checks);
        print(&Done { config, written: false, keys, kept: None, checks, documents: 0 }, app)?;
        return Err(anyhow::anyhow!("nothing was written, because not everything works"))
            .hint("fix what failed, or write the file without trying with --offline");
    }
    let kept = write_all(&plan, app, args.force)?;
    let documents = index(&plan, app).await?;
    let keys = plan.new_keys().map(|(path, _)| path).collect();
    print(&Done { config, written: true, keys, kept, checks: &checks, documents }, app)?;
    Ok(ExitCode::SUCCESS)
}

/// A file with anything in it may be the user's work.
fn refuse_overwriting(config: &Path, force: bool) -> anyhow::Result<()> {
    let holds_something = match std::fs::read(config) {
        Ok(bytes) => !bytes.trim_ascii().is_empty(),
        // Whether the place can be written is another question.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            false
        }
        Err(error) => return Err(crate::failure::cannot_read(config, error)),
    };
    if holds_something && !force {
        return Err(usage(format!("{} already exists", config.display()))).hint(
            "--force replaces it and keeps the old one beside it; --print shows what would be \
             written",
        );
    }
    Ok(())
}

/// Makes the folder of the configuration and sees whether it can be written, before anyone answers questions.
fn writable(config: &Path) -> anyhow::Result<()> {
    if let Some(folder) = config.parent().filter(|folder| !folder.as_os_str().is_empty())
        && !folder.exists()
    {
        probity_store::private::folder(folder)
            .with_context(|| format!("cannot create {}", folder.display()))
            .hint("name a file in a folder that can be written with --config")?;
    }
    atomic_file::check(config).hint("name a file in a folder that can be written with --config")
}

async fn try_all(plan: &Plan, app: &App) -> anyhow::Result<Vec<Check>> {
    let mut checks = Vec::new();
    for part in Part::ALL {
        checks.extend(trial::try_out(plan, part, app).await?);
    }
    Ok(checks)
}

/// Writes the keys, then the file that names them. Gives where the old file went.
fn write_all(plan: &Plan, app: &App, force: bool) -> anyhow::Result<Option<PathBuf>> {
    let config = app.paths.config.as_path();
    for (path, key) in plan.new_keys() {
        let same = probity_model::settings::read_key(path).is_ok_and(|old| old == *key);
        if path.exists() && !force && !same {
            return Err(usage(format!("{} contains another key", path.display())))
                .hint("--force replaces it");
        }
        if let Some(folder) = path.parent() {
            probity_store::private::folder(folder)
                .with_context(|| format!("cannot create {}", folder.display()))?;
        }
        atomic_file::private_file(path, format!("{}\n", key.expose()).as_bytes())?;
    }
    let old = std::fs::read(config).ok().filter(|bytes| !bytes.trim_ascii().is_empty());
    let kept = match old {
        Some(bytes) => {
            let beside = free_name(config)?;
            atomic_file::private_file(&beside, &bytes)?;
            Some(beside)
        }
        None => None,
    };
    atomic_file::private_file(config, draft::text(plan, app).as_bytes())?;
    Ok(kept)
}

/// How many old configurations are kept beside each other.
const KEPT_MOST: usize = 100;

/// A name beside a file that nothing has.
fn free_name(path: &Path) -> anyhow::Result<PathBuf> {
    let named = |number: usize| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(
            ".old{}",
            if number == 1 { String::new() } else { format!("-{number}") }
        ));
        PathBuf::from(name)
    };
    (1..=KEPT_MOST)
        .map(named)
        .find(|name| !name.exists())
        .with_context(|| format!("there are {KEPT_MOST} old files beside {}", path.display()))
        .hint("remove those that you do not need")
}

/// Takes the chosen folders into the library of the chosen store.
async fn index(plan: &Plan, app: &App) -> anyhow::Result<usize> {
    if plan.library.is_empty() {
        return Ok(0);
    }
    let app = trial::planned(plan, app)?;
    let mut documents = 0;
    for folder in &plan.library {
        documents += super::library::add_folder(&app, folder).await?;
    }
    Ok(documents)
}

fn print(done: &Done<'_>, app: &App) -> anyhow::Result<()> {
    if app.json {
        return output::print_json(done);
    }
    let mut lines: Vec<String> =
        done.checks.iter().map(|check| doctor::describe(check, app)).collect();
    if done.documents > 0 {
        lines.push(format!("Indexed: {}", counted(done.documents, "document", "documents")));
    }
    if done.written {
        lines.push(format!("Written: {}", done.config.display()));
        let key = |path: &&Path| format!("Written: {} (a key, for you alone)", path.display());
        lines.extend(done.keys.iter().map(key));
        let old = |path: &PathBuf| format!("Kept: the old file as {}", path.display());
        lines.extend(done.kept.iter().map(old));
        lines.push(
            "Next: probity research \"…\", or probity serve; probity doctor checks it all."
                .to_owned(),
        );
    }
    output::print_line(&lines.join("\n"))
}
