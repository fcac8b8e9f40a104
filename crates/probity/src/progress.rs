//! A run as it happens, on stderr: plain lines in a pipe, a live bar on a terminal.

use std::io::{IsTerminal as _, Write as _};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anstyle::{AnsiColor, Style as Ansi};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use probity_core::{ProblemKind, Round, counted, printable};
use probity_report::facts::Usage;
use probity_research::event::about;
use probity_research::{Event, Watcher, plan_file};
use probity_web::fetch::FetchOutcome;

use crate::command::costs::money;
use crate::config::env;
use crate::output::Style;

/// Shows events as they come.
pub(crate) struct Progress {
    style: Style,
    bar: Option<ProgressBar>,
    order: Mutex<()>,
    /// What had been spent at the last report, and since.
    spent: Mutex<(u64, Usage)>,
}

/// What takes a bar off the terminal that was drawn last.
const CLEAR_LINE: &str = "\r\u{1b}[2K";
/// Without a live bar, a line is printed for every few words that arrive.
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
        let (calls_shown, total) = &mut *spent;
        if total.model_calls > *calls_shown {
            *calls_shown = total.model_calls;
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

/// The line that tells the outcome of a query or a page, if there is more to tell, and its colour.
fn line_of(event: &Event) -> Option<(String, Option<AnsiColor>)> {
    match event {
        Event::Search { query, .. } => Some((format!("🔍 Searching: {query}"), None)),
        Event::Searched { query, hits, fresh, blocked, .. } => {
            let count = counted(*hits, "result", "results");
            let blocked = match blocked {
                0 => String::new(),
                blocked => format!(", {blocked} blocked"),
            };
            Some((format!("      {count}, {fresh} new{blocked}: {query}"), None))
        }
        // The sign is only before pages that were read.
        Event::Fetched { url, score, outcome, .. } if outcome == FetchOutcome::Read.as_str() => {
            Some((format!("📄 Fetching: {url} (credibility {score:.2})"), None))
        }
        // The refusal that follows says it.
        Event::Fetched { outcome, .. } if outcome == FetchOutcome::BlockedByScore.as_str() => None,
        Event::Fetched { url, outcome, reason, .. } => {
            Some((format!("      {outcome}: {url} — {reason}"), Some(AnsiColor::Yellow)))
        }
        Event::Block { url, score, threshold, .. } => {
            let text = format!("🚫 Blocked: {url} (credibility {score:.2} ≤ {threshold})");
            Some((text, Some(AnsiColor::Red)))
        }
        // Said already, by the line of the page that could not be read.
        Event::Problem(problem) if problem.kind == ProblemKind::Fetch => None,
        Event::Problem(problem) => Some((format!("⚠ {problem}"), Some(AnsiColor::Yellow))),
        _ => None,
    }
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
            Event::Pace { model, per_second, seconds } => {
                let time = about(*seconds);
                self.line(&format!(
                    "      {model} writes {per_second:.0} tokens a second; {time} to go"
                ));
            }
            Event::Start { run_id, question, mode } => {
                self.line(&format!("Run {run_id} ({mode}): {question}"));
            }
            Event::Step { number, of, title } => {
                self.tell_spent();
                self.line(&format!("[{number}/{of}] {title}"));
                if let Some(bar) = &self.bar {
                    bar.set_length(*of as u64);
                    bar.set_position(number.saturating_sub(1) as u64);
                    bar.set_message(title.clone());
                }
            }
            Event::Plan { queries, .. } => {
                if let Some(bar) = self.bar.as_ref().filter(|bar| bar.is_hidden()) {
                    bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
                }
                let count = counted(queries.len(), "query", "queries");
                self.line(&format!("      {count} planned"));
            }
            Event::Offer(offer) => {
                plan_file::write(&offer.plan).lines().for_each(|line| self.line(line));
                if !offer.clarify.is_empty() {
                    self.line(&format!("The model asks back: {}", offer.clarify));
                }
                // The user now types where the bar is drawn.
                if let Some(bar) = &self.bar {
                    bar.set_draw_target(ProgressDrawTarget::hidden());
                    let _ = write!(std::io::stderr(), "{CLEAR_LINE}");
                }
            }
            Event::Fetch { url, .. } => {
                if let Some(bar) = &self.bar {
                    bar.set_message(printable::line(&format!("Fetching {url}")).into_owned());
                }
            }
            Event::Summarise { .. } => {}
            Event::Search { .. }
            | Event::Searched { .. }
            | Event::Fetched { .. }
            | Event::Block { .. }
            | Event::Problem(_) => match line_of(event) {
                Some((text, Some(color))) => self.painted(color, &text),
                Some((text, None)) => self.line(&text),
                None => {}
            },
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
            Event::Round(round) if round.round == Round::First => {}
            Event::Round(round) => {
                let gaps = counted(round.closed.len(), "gap", "gaps");
                let left = match round.ended.as_str() {
                    "" => format!("{} open", round.open.len()),
                    why => format!("{} open; {why}", round.open.len()),
                };
                self.line(&format!("      round {} closed {gaps}, {left}", round.round.number()));
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

#[cfg(test)]
mod tests {
    use probity_core::{Problem, SourceId};

    use super::*;

    fn lines(events: &[Event]) -> Vec<String> {
        events.iter().filter_map(line_of).map(|(text, _)| text).collect()
    }

    fn fetched(outcome: FetchOutcome, reason: &str) -> [Event; 2] {
        let (id, url) = (SourceId(1), "https://a.example/".to_owned());
        let fetch = Event::Fetch { round: Round::First, id, url: url.clone(), score: 0.7 };
        let (outcome, reason) = (outcome.to_string(), reason.to_owned());
        [fetch, Event::Fetched { id, url, score: 0.7, outcome, reason }]
    }

    #[test]
    fn the_sign_of_a_page_stands_only_where_it_was_read() {
        let read = lines(&fetched(FetchOutcome::Read, "read"));
        assert_eq!(read, ["📄 Fetching: https://a.example/ (credibility 0.70)"]);
        let mut events = fetched(FetchOutcome::BotWall, "a challenge came").to_vec();
        let problem = Problem::new(ProblemKind::Fetch, "https://a.example/", "a challenge came");
        events.push(Event::Problem(problem));
        assert_eq!(lines(&events), ["      bot-wall: https://a.example/ — a challenge came"]);
    }

    #[test]
    fn a_page_that_leads_to_a_blocked_one_has_one_line() {
        let mut events = fetched(FetchOutcome::BlockedByScore, "was redirected").to_vec();
        let url = "https://a.example/".to_owned();
        events.push(Event::Block {
            id: SourceId(1),
            url,
            score: 0.3,
            threshold: 0.5,
            why: String::new(),
        });
        let shown = lines(&events);
        assert_eq!(shown, ["🚫 Blocked: https://a.example/ (credibility 0.30 ≤ 0.5)"]);
    }

    #[test]
    fn a_query_is_reported_when_it_goes_out_and_when_it_is_answered() {
        let (round, query) = (Round::First, "noise".to_owned());
        let sent = Event::Search { round, query: query.clone() };
        let answered = Event::Searched { round, query, hits: 1, fresh: 1, blocked: 0 };
        assert_eq!(
            lines(&[sent, answered]),
            ["🔍 Searching: noise", "      1 result, 1 new: noise"]
        );
    }
}
