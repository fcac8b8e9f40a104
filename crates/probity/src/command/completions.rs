//! `probity completions` and `probity man`: what shells and `man` read.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::failure::WithHint as _;
use crate::output;

/// What may be typed after `probity completions`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The shell to write for.
    shell: Shell,
}

/// Writes a completion script.
pub(crate) fn completions(args: &Args) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "probity", &mut script);
    write(&script)
}

/// What may be typed after `probity man`.
#[derive(clap::Args)]
pub(crate) struct ManArgs {
    /// Write a page for every command into this folder instead, such as probity-research.1.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// Writes the manual page, or all of them.
pub(crate) fn man(args: &ManArgs) -> anyhow::Result<ExitCode> {
    if let Some(folder) = &args.dir {
        clap_mangen::generate_to(Cli::command(), folder)
            .with_context(|| format!("cannot write manual pages into {}", folder.display()))
            .hint("name a folder that exists and can be written")?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    write(&page)
}

fn write(bytes: &[u8]) -> anyhow::Result<ExitCode> {
    let mut out = output::stdout();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
