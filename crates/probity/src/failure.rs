//! How a command that failed says so: what happened, why, and what to do next.

use std::fmt;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style as Ansi};
use probity_core::printable;

use crate::output::Style;

/// The exit code of a call that has to be made differently.
pub(crate) const EXIT_USAGE: u8 = 2;

/// Something the user can fix by calling differently: exit code 2.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// What to do next, kept apart from what happened.
#[derive(Debug)]
pub(crate) struct Hint(pub(crate) String);

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A usage error with this message.
pub(crate) fn usage(message: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(Usage(message.into()))
}

/// What a call names is not there: a run, a feed, an article.
pub(crate) fn missing(what: &str, name: impl fmt::Display) -> anyhow::Error {
    usage(format!("there is no {what} {}", printable::brief(&name.to_string(), 80)))
}

/// Why a file that a call names is not read: one that is not there is for the caller to fix.
pub(crate) fn cannot_read(path: &Path, error: io::Error) -> anyhow::Error {
    let said = format!("cannot read {}", path.display());
    match error.kind() {
        io::ErrorKind::NotFound => usage(format!("{said}: {error}")),
        _ => anyhow::Error::new(error).context(said),
    }
}

/// Adds a hint to an error.
pub(crate) trait WithHint<T> {
    /// Says what to do next when this fails.
    fn hint(self, hint: impl Into<String>) -> anyhow::Result<T>;
}

impl<T, E: Into<anyhow::Error>> WithHint<T> for Result<T, E> {
    fn hint(self, hint: impl Into<String>) -> anyhow::Result<T> {
        self.map_err(|error| error.into().context(Hint(hint.into())))
    }
}

/// Prints an error and gives its exit code. A reader that went away is no error.
pub(crate) fn report(error: &anyhow::Error, style: Style) -> ExitCode {
    if error.chain().any(is_broken_pipe) {
        return ExitCode::SUCCESS;
    }
    let hint = error.downcast_ref::<Hint>().map(|hint| hint.0.clone());
    let skip = usize::from(hint.is_some());
    let messages: Vec<String> = error
        .chain()
        .skip(skip)
        .map(|cause| printable::line(&cause.to_string()).into_owned())
        .collect();
    let mut stderr = std::io::stderr().lock();
    let label = style.stderr(Ansi::new().bold().fg_color(Some(AnsiColor::Red.into())), "error:");
    let mut said = String::new();
    for message in &messages {
        // Libraries repeat their source in their own message; say each thing once.
        if !said.contains(message.as_str()) {
            if !said.is_empty() {
                said.push_str(": ");
            }
            said.push_str(message);
        }
    }
    let _ = writeln!(stderr, "{label} {said}");
    if let Some(hint) = hint {
        let label = style.stderr(Ansi::new().bold(), "hint:");
        let _ = writeln!(stderr, "{label} {}", printable::line(&hint));
    }
    let usage =
        error.downcast_ref::<Usage>().is_some() || error.chain().any(|cause| cause.is::<Usage>());
    if usage { ExitCode::from(EXIT_USAGE) } else { ExitCode::FAILURE }
}

fn is_broken_pipe(cause: &(dyn std::error::Error + 'static)) -> bool {
    cause
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
