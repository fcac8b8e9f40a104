//! `probity tokens`: keys for programs that call the server.

use std::process::ExitCode;

use probity_server::access::{Scope, secret};
use probity_store::access::NewToken;
use serde_json::json;

use super::users::checked;
use crate::app::App;
use crate::failure::{WithHint as _, missing, usage};
use crate::output;

/// What may be typed after `probity tokens`.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Make a token and print it; it cannot be shown again.
    Add {
        /// The name that signs what is done with it.
        name: String,
        /// What it may be used for: read, research, ledger, admin, separated by commas.
        #[arg(long, value_name = "SCOPES", default_value = "read")]
        scopes: String,
    },
    /// List the tokens, without their secrets.
    List,
    /// Revoke a token.
    Revoke {
        /// The token's id, as the list shows it.
        id: String,
    },
}

/// Runs `probity tokens`.
pub(crate) async fn run(command: Command, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    match command {
        Command::Add { name, scopes } => {
            let owner = checked(&name)?;
            let Some(list) = Scope::parse_list(&scopes) else {
                return Err(usage(format!("`{scopes}` names a scope that does not exist")))
                    .hint("the scopes are: read, research, ledger, admin");
            };
            let scopes: Vec<&str> = list.into_iter().map(Scope::as_str).collect();
            let scopes = scopes.join(",");
            let (id, token) = secret::fresh_token()?;
            let hash = secret::hash(&token);
            let new = NewToken { id: &id, hash: &hash, owner: &owner, scopes: &scopes };
            anyhow::ensure!(store.add_token(&new).await?, "the token's id is taken; try again");
            match app.json {
                true => output::print_json(
                    &json!({ "id": id, "token": token, "owner": owner, "scopes": scopes }),
                )?,
                false => {
                    output::print_line(&token)?;
                    output::note(&format!(
                        "Keep it: it is not shown again. `probity tokens revoke {id}` ends it"
                    ));
                }
            }
            Ok(ExitCode::SUCCESS)
        }
        Command::List => list(app).await,
        Command::Revoke { id } => {
            if !store.revoke_token(&id).await? {
                return Err(missing("token", id)).hint("`probity tokens list` shows them");
            }
            match app.json {
                true => output::print_json(&json!({ "id": id, "done": "revoked" }))?,
                false => output::print_line(&format!("{id}: revoked"))?,
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

async fn list(app: &App) -> anyhow::Result<ExitCode> {
    let tokens = app.store().await?.tokens().await?;
    if app.json {
        let rows = tokens.iter().map(|token| {
            json!({ "id": token.id, "owner": token.owner, "scopes": token.scopes,
                    "added_at": token.added_at.to_string(),
                    "used_at": token.used_at.map(|at| at.to_string()) })
        });
        output::print_json(&rows.collect::<Vec<_>>())?;
    } else if tokens.is_empty() {
        output::note("No tokens; `probity tokens add NAME --scopes read` makes one");
    } else {
        for token in tokens {
            let used = token.used_at.map_or("never".to_owned(), |at| at.date().to_string());
            output::print_line(&format!(
                "{}  {}  {}  since {}  used {used}",
                token.id,
                token.owner,
                token.scopes,
                token.added_at.date()
            ))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
