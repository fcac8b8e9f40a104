//! `probity users`: people who may log in to the server.

use std::io::BufRead as _;
use std::process::ExitCode;

use probity_credibility::ledger::Name;
use probity_server::access::password;
use probity_store::access::Role;
use serde_json::json;

use crate::app::App;
use crate::failure::{WithHint as _, missing, usage};
use crate::output;

/// What may be typed after `probity users`.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Add a user; the password is read from stdin, one line.
    Add {
        /// The name, which also signs what the user does.
        name: String,
        /// What the user may do.
        #[arg(long, value_name = "ROLE", default_value = "reader")]
        role: RoleName,
    },
    /// List the users.
    List,
    /// Remove a user, with all sessions and tokens.
    Remove {
        /// The user.
        name: String,
    },
    /// Change a user's password, read from stdin, and end the user's sessions.
    Passwd {
        /// The user.
        name: String,
    },
}

/// What a user may do.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum RoleName {
    /// Read everything.
    Reader,
    /// Ask questions and code sources.
    Editor,
    /// Delete runs, and see who may do what.
    Admin,
}

impl From<RoleName> for Role {
    fn from(name: RoleName) -> Self {
        match name {
            RoleName::Reader => Role::Reader,
            RoleName::Editor => Role::Editor,
            RoleName::Admin => Role::Admin,
        }
    }
}

/// Runs `probity users`.
pub(crate) async fn run(command: Command, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    match command {
        Command::Add { name, role } => {
            let name = checked(&name)?;
            if !store.add_user(&name.as_str().into(), &read_password()?, role.into()).await? {
                return Err(usage(format!("there is a user {name} already")))
                    .hint("`probity users passwd` changes a password");
            }
            say(app, &name, "added")
        }
        Command::List => list(app).await,
        Command::Remove { name } => match store.remove_user(&name.as_str().into()).await? {
            true => say(app, &name, "removed"),
            false => Err(unknown(&name)),
        },
        Command::Passwd { name } => {
            match store.change_password(&name.as_str().into(), &read_password()?).await? {
                true => say(app, &name, "changed"),
                false => Err(unknown(&name)),
            }
        }
    }
}

/// A name that can sign the audit log.
pub(crate) fn checked(name: &str) -> anyhow::Result<String> {
    let name = Name::new(name).map_err(|error| usage(error.to_string()))?;
    Ok(name.as_str().to_owned())
}

fn unknown(name: &str) -> anyhow::Error {
    missing("user", name)
        .context(crate::failure::Hint("`probity users list` shows them".to_owned()))
}

/// Never from the command line, where other users of the machine could see it.
fn read_password() -> anyhow::Result<String> {
    if std::io::IsTerminal::is_terminal(&std::io::stdin()) {
        output::note("Type the password and press Enter; it will be visible");
    }
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    password::hash(line.trim_end_matches(['\r', '\n'])).map_err(|error| usage(error.to_string()))
}

fn say(app: &App, name: &str, what: &str) -> anyhow::Result<ExitCode> {
    match app.json {
        true => output::print_json(&json!({ "user": name, "done": what }))?,
        false => output::print_line(&format!("{name}: {what}"))?,
    }
    Ok(ExitCode::SUCCESS)
}

async fn list(app: &App) -> anyhow::Result<ExitCode> {
    let users = app.store().await?.users().await?;
    if app.json {
        let rows = users.iter().map(|user| {
            json!({ "user": user.name, "role": user.role, "added_at": user.added_at.to_string() })
        });
        output::print_json(&rows.collect::<Vec<_>>())?;
    } else if users.is_empty() {
        output::note("No users; `probity users add NAME --role editor` adds one");
    } else {
        for user in users {
            output::print_line(&format!(
                "{:<8} {}  since {}",
                user.role.as_str(),
                user.name,
                user.added_at.date()
            ))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
