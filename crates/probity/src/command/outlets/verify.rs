//! `probity outlets verify`: proof of the log and of today's scores.

use std::process::ExitCode;

use probity_core::counted;
use probity_credibility::ledger::{Anchor, Fault, Sound};
use probity_store::ledger::Verification;
use serde::Serialize;

use crate::app::App;
use crate::failure::{WithHint as _, usage};
use crate::output;

/// What may be typed after `probity outlets verify`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A head that was noted down earlier, as this command prints it: also prove that nothing
    /// before it was rewritten.
    #[arg(long, value_name = "SEQ:HASH")]
    head: Option<String>,
}

#[derive(Serialize)]
struct SoundView<'a> {
    sound: bool,
    #[serde(flatten)]
    proof: &'a Sound,
}

#[derive(Serialize)]
struct BrokenView<'a> {
    sound: bool,
    #[serde(flatten)]
    fault: &'a Fault,
    message: String,
}

/// Runs `probity outlets verify`. A broken ledger is exit code 1.
pub(crate) async fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    let anchor = args.head.map(|head| head.parse::<Anchor>()).transpose();
    let anchor = anchor.map_err(|error| usage(error.to_string()))?;
    match app.store().await?.verify(anchor).await? {
        Verification::Sound(proof) if app.json => {
            output::print_json(&SoundView { sound: true, proof: &proof })?;
            Ok(ExitCode::SUCCESS)
        }
        Verification::Sound(proof) => {
            let head = &proof.head;
            output::print_line(&format!(
                "the ledger is sound: {}, {}\nhead {}:{}",
                counted(proof.events, "event", "events"),
                counted(proof.outlets, "outlet", "outlets"),
                head.seq,
                head.hash
            ))?;
            Ok(ExitCode::SUCCESS)
        }
        Verification::Broken(fault) if app.json => {
            let message = fault.to_string();
            output::print_json(&BrokenView { sound: false, fault: &fault, message })?;
            Ok(ExitCode::FAILURE)
        }
        Verification::Broken(fault) => Err(anyhow::anyhow!("the ledger is broken: {fault}")).hint(
            "everything before it is proved; restore the store from a backup, or ask who changed it",
        ),
    }
}
