//! How results are written: text or JSON on stdout, logs on stderr, colour where it is wanted.

use std::io::{BufWriter, IsTerminal, Write};

use anstyle::Style as Ansi;
use anyhow::Context;
use serde::Serialize;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::cli::{ColorChoice, LogFormat};
use crate::config::env;

/// What the two output streams can show.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    stdout_color: bool,
    stderr_color: bool,
    width: usize,
}

/// The width of output that goes to no terminal.
const PIPE_WIDTH: usize = 100;

impl Style {
    /// Looks at the streams, the environment and the user's choice.
    pub(crate) fn detect(choice: ColorChoice) -> Self {
        let wanted = |is_terminal: bool| match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                is_terminal && !env::NO_COLOR.is_set() && env::TERM.get().as_deref() != Some("dumb")
            }
        };
        Self {
            stdout_color: wanted(std::io::stdout().is_terminal()),
            stderr_color: wanted(std::io::stderr().is_terminal()),
            width: terminal_size::terminal_size()
                .map_or(PIPE_WIDTH, |(width, _)| usize::from(width.0).max(20)),
        }
    }

    /// The width of the terminal in columns.
    pub(crate) fn width(self) -> usize {
        self.width
    }

    /// Whether stdout shows colour.
    pub(crate) fn colors_stdout(self) -> bool {
        self.stdout_color
    }

    /// A text in a style, for stdout.
    pub(crate) fn stdout(self, style: Ansi, text: &str) -> String {
        paint(self.stdout_color, style, text)
    }

    /// A text in a style, for stderr.
    pub(crate) fn stderr(self, style: Ansi, text: &str) -> String {
        paint(self.stderr_color, style, text)
    }
}

fn paint(color: bool, style: Ansi, text: &str) -> String {
    if color { format!("{style}{text}{style:#}") } else { text.to_owned() }
}

/// Buffered stdout; call `flush` at the end so that a full disk is an error.
pub(crate) fn stdout() -> BufWriter<std::io::StdoutLock<'static>> {
    BufWriter::with_capacity(64 * 1024, std::io::stdout().lock())
}

/// Writes one line of text.
pub(crate) fn print_line(text: &str) -> anyhow::Result<()> {
    let mut out = stdout();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}

/// Writes one value as indented JSON.
pub(crate) fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut out = stdout();
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)?;
    Ok(out.flush()?)
}

/// Writes one line for people to stderr. A closed stderr is no reason to fail.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", probity_core::printable::line(text));
}

/// Starts logging to stderr.
pub(crate) fn start_logging(verbose: u8, format: LogFormat) -> anyhow::Result<()> {
    let level = match verbose {
        0 => "error",
        1 => "probity=info,error",
        2 => "probity=debug,info",
        _ => "trace",
    };
    let filter: Targets = match env::PROBITY_LOG.get() {
        Some(filter) if verbose == 0 => filter.parse().context("PROBITY_LOG")?,
        _ => level.parse()?,
    };
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let lines = match format {
        LogFormat::Text => lines.with_ansi(false).boxed(),
        LogFormat::Json => lines.json().boxed(),
    };
    tracing_subscriber::registry().with(filter).with(lines).init();
    Ok(())
}
