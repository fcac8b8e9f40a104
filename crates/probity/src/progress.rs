//! A run as it happens, on stderr: plain lines in a pipe, a live bar on a terminal.

use std::io::{IsTerminal as _, Write as _};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anstyle::{AnsiColor, Style as Ansi};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use probity_core::{counted, printable};
use probity_report::facts::Usage;
use probity_research::{Event, Watcher};

use crate::command::costs::money;
use crate::config::env;
use crate::output::Style;

/// Shows events as they come.
pub(crate) struct Progress {
    style: Style,
    bar: Option<ProgressBar>,
    order: Mutex<()>,
    /// What was spent when it was last told, and what was since.
    spent: Mutex<(u64, Usage)>,
}

/// Without a live bar, a line tells of every so many words that arrive.
const WORDS_TOLD: usize = 200;

impl Progress {
    /// Progress for this terminal or pipe.
    pub(crate) fn new(style: Style) -> Self {
        let live = std::io::stderr().is_terminal() && env::TERM.get().as_deref() != Some("dumb");
        let bar = live.then(|| {
            let bar = ProgressBar::new(1);
            bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
            if let Ok(shape) =
                ProgressStyle::with_template("{spinner} {bar:20} {elapsed} {prefix} {wide_msg}")
            {
                bar.set_style(shape.progress_chars("━╸─"));
            }
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        Self { style, bar, order: Mutex::new(()), spent: Mutex::default() }
    }

    fn line(&self, text: &str) {
        let text = printable::line(text);
        let _turn = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        match &self.bar {
            Some(bar) => bar.println(text),
            None => {
                let _ = writeln!(std::io::stderr(), "{text}");
            }
        }
    }

    /// A line in colour; the text itself is cleaned first, so that only our colours get through.
    fn painted(&self, color: AnsiColor, text: &str) {
        let text = printable::line(text);
        let text = self.style.stderr(Ansi::new().fg_color(Some(color.into())), &text);
        let _turn = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        match &self.bar {
            Some(bar) => bar.println(text),
            None => {
                let _ = writeln!(std::io::stderr(), "{text}");
            }
        }
    }
}

impl Progress {
    /// Tells what was spent since the last time.
    fn tell_spent(&self) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let (told, total) = &mut *spent;
        if total.model_calls > *told {
            *told = total.model_calls;
            let text = format!("      spent so far: {}", describe(total));
            drop(spent);
            self.line(&text);
        }
    }
}

fn describe(total: &Usage) -> String {
    let tokens = total.input_tokens + total.output_tokens;
    let calls = counted(total.model_calls, "call", "calls");
    format!("{calls}, {}, {}", counted(tokens, "token", "tokens"), money(total))
}

impl Watcher for Progress {
    fn watch(&self, event: &Event) {
        match event {
            Event::Spend { total, .. } => {
                if let Some(bar) = &self.bar {
                    bar.set_prefix(describe(total));
                }
                self.spent.lock().unwrap_or_else(PoisonError::into_inner).1 = total.clone();
            }
            Event::Writing { words } => match &self.bar {
                Some(bar) => bar.set_message(format!("Writing the report: {words} words")),
                None if words % WORDS_TOLD == 0 => self.line(&format!("      {words} words")),
                None => {}
            },
            Event::Start { run_id, question, mode } => {
                self.line(&format!("Run {run_id} ({mode}): {question}"));
            }
            Event::Step { number, of, title } => {
                self.tell_spent();
                self.line(&format!("[{number}/{of}] {title}"));
                if let Some(bar) = &self.bar {
                    bar.set_length(*of as u64);
                    bar.set_position(*number as u64 - 1);
                    bar.set_message(title.clone());
                }
            }
            Event::Plan { queries } => {
                let count = counted(queries.len(), "query", "queries");
                self.line(&format!("      {count} planned"));
            }
            Event::Search { query, hits, fresh, blocked, .. } => {
                let count = counted(*hits, "result", "results");
                let blocked = match blocked {
                    0 => String::new(),
                    blocked => format!(", {blocked} blocked"),
                };
                self.line(&format!("🔍 Searching: {query} ({count}, {fresh} new{blocked})"));
            }
            Event::Fetch { url, score, .. } => {
                self.line(&format!("📄 Fetching: {url} (credibility {score:.2})"));
            }
            Event::Fetched { url, outcome, reason, .. } if outcome != "read" => {
                self.painted(AnsiColor::Yellow, &format!("      {outcome}: {url} — {reason}"));
            }
            Event::Fetched { .. } | Event::Summarise { .. } => {}
            Event::Block { url, score, threshold, .. } => {
                let text = format!("🚫 Blocked: {url} (credibility {score:.2} ≤ {threshold})");
                self.painted(AnsiColor::Red, &text);
            }
            Event::Gaps { unanswered, queries } if unanswered.is_empty() => {
                let more = match queries.len() {
                    0 => String::new(),
                    count => {
                        format!("; {} more, to look further", counted(count, "query", "queries"))
                    }
                };
                self.line(&format!("      no gaps found{more}"));
            }
            Event::Gaps { unanswered, .. } => {
                self.line(&format!("      still open: {}", unanswered.join("; ")));
            }
            Event::Verdict { number, host, score, kept, why, .. } => {
                let (word, color) =
                    if *kept { ("KEEP", AnsiColor::Green) } else { ("DROP", AnsiColor::Red) };
                self.painted(color, &format!("Source {number} ({host}): score {score}/5 — {word}"));
                self.line(&format!("      {why}"));
            }
            Event::Gate { decision, rationale } => {
                self.line(&format!("      {}: {rationale}", decision.as_str()));
            }
            Event::Synthesise { sources } => {
                self.line(&format!("      from {}", counted(*sources, "source", "sources")));
            }
            Event::Problem(problem) => self.painted(AnsiColor::Yellow, &format!("⚠ {problem}")),
            Event::Report { .. } | Event::Error { .. } | Event::Resumed => {}
            Event::End => {
                self.tell_spent();
                if let Some(bar) = &self.bar {
                    bar.finish_and_clear();
                }
            }
        }
    }
}
