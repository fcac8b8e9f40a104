//! How far indexing has come: a live bar on a terminal, a line now and then in a pipe.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use probity_store::library::Progress;

use crate::config::env;
use crate::output;

/// After how many files a pipe gets a line.
const EVERY: usize = 1_000;

/// Progress on stderr.
pub(super) struct Bar {
    live: Option<ProgressBar>,
    /// What is counted.
    what: &'static str,
}

impl Bar {
    /// Progress for this terminal or pipe.
    pub(super) fn of(what: &'static str) -> Self {
        let live = std::io::stderr().is_terminal() && env::TERM.get().as_deref() != Some("dumb");
        Self { live: live.then(|| live_bar(what)), what }
    }

    /// Shows how far it has come.
    pub(super) fn show(&mut self, progress: &Progress) {
        match &self.live {
            Some(bar) => {
                bar.set_length(progress.total as u64);
                bar.set_position(progress.done as u64);
            }
            None if progress.done > 0 && progress.done.is_multiple_of(EVERY) => {
                output::note(&format!(
                    "{} of {} {} read",
                    progress.done, progress.total, self.what
                ));
            }
            None => {}
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.live {
            bar.finish_and_clear();
        }
    }
}

fn live_bar(what: &str) -> ProgressBar {
    let bar = ProgressBar::new(0);
    bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
    let shape =
        format!("{{spinner}} {{wide_bar}} {{pos}} of {{len}} {what} · {{per_sec}} · {{eta}} left");
    if let Ok(shape) = ProgressStyle::with_template(&shape) {
        bar.set_style(shape.progress_chars("━╸─"));
    }
    bar
}
