//! `probity completions` and `probity man`: what shells and `man` read.

use std::io::Write as _;
use std::process::ExitCode;

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::cli::Cli;
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

/// Writes the manual page.
pub(crate) fn man() -> anyhow::Result<ExitCode> {
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
