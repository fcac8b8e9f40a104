//! The `probity` program: what was typed → what it means → one command.
//!
//! A library with one function, so that it is compiled beside what it depends on; a program would have to wait for all
//! of that to be finished.

mod alert;
mod app;
mod atomic_file;
mod backend;
mod cli;
mod command;
mod config;
mod daily;
mod failure;
mod filter_args;
mod format;
mod input_document;
mod json_lines;
mod live;
mod models;
mod newsroom;
mod open_environment;
mod output;
mod plan;
mod progress;
mod report_file;
mod signal;
mod upkeep;
mod urls;
mod wish;

use std::process::ExitCode;

use clap::Parser;

/// Does what the command line says.
#[must_use]
pub fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    let style = output::Style::detect(cli.global.color);
    match start(cli, style) {
        Ok(code) => code,
        Err(error) => failure::report(&error, style),
    }
}

fn start(cli: cli::Cli, style: output::Style) -> anyhow::Result<ExitCode> {
    output::start_logging(cli.global.verbose, cli.global.log_format)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let code = runtime.block_on(async {
        let app = match &cli.command {
            // What writes the configuration must not need one, nor what uses none.
            cli::Command::Init(_) | cli::Command::Demo(_) => {
                app::App::unconfigured(&cli.global, style)?
            }
            _ => app::App::new(&cli.global, style)?,
        };
        command::run(cli.command, &app).await
    });
    // Work that a command left behind must not keep the process alive.
    runtime.shutdown_background();
    code
}
