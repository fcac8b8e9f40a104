//! What happens, for a client: one line per event, no more than it can take.

use probity_core::{counted, printable};
use probity_research::Event;
use probity_research::event::about;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext, RoleServer};

use crate::limits;

/// The longest line, in characters.
const LINE_CHARS: usize = 200;

/// Tells one client how far its call has come, if it wants to know.
pub(super) struct Progress {
    to: Option<(Peer<RoleServer>, ProgressToken)>,
    step: u32,
}

impl Progress {
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        let token = context.meta.get_progress_token();
        Self { to: token.map(|token| (context.peer.clone(), token)), step: 0 }
    }

    /// Tells what happened. A client that does not listen misses it.
    pub(super) async fn tell(&mut self, event: &Event) {
        let (Some((peer, token)), Some(said)) = (&self.to, line(event)) else { return };
        self.step += 1;
        let notification = ProgressNotificationParam::new(token.clone(), f64::from(self.step))
            .with_message(printable::brief(&said, LINE_CHARS));
        let telling = peer.notify_progress(notification);
        if !matches!(tokio::time::timeout(limits::MCP_PROGRESS_TIME, telling).await, Ok(Ok(()))) {
            tracing::debug!("a client did not take a word of progress");
        }
    }
}

/// An event in a line; none for what is only bookkeeping.
fn line(event: &Event) -> Option<String> {
    Some(match event {
        Event::Start { run_id, .. } => format!("Run {run_id} began"),
        Event::Plan { queries, .. } => {
            format!("Planned {}", counted(queries.len(), "query", "queries"))
        }
        Event::Offer(offer) => {
            format!("Waiting until {} for the plan to be approved", offer.until)
        }
        Event::Search { query, .. } => format!("Searching for “{query}”"),
        Event::Searched { query, hits, fresh, blocked, .. } => {
            format!("Searched for “{query}”: {hits} found, {fresh} new, {blocked} blocked")
        }
        Event::Fetch { url, score, .. } => format!("Fetching {url} (score {score:.2})"),
        Event::Fetched { url, outcome, reason, .. } if outcome != "read" => {
            format!("Not read: {url} ({reason})")
        }
        Event::Block { url, score, .. } => format!("Blocked {url} (score {score:.2})"),
        Event::Summarise { title, .. } => format!("Read “{title}”"),
        Event::Gaps { unanswered, queries } => format!(
            "{} left open, {} more",
            counted(unanswered.len(), "point", "points"),
            counted(queries.len(), "query", "queries")
        ),
        Event::Round(round) => format!(
            "Round {}: {} closed, {} open",
            round.round.number(),
            counted(round.closed.len(), "gap", "gaps"),
            round.open.len()
        ),
        Event::Verdict { number, host, score, kept, .. } => {
            let verdict = if *kept { "KEEP" } else { "DROP" };
            format!("Source {number} ({host}): score {score}/5 — {verdict}")
        }
        Event::Gate { rationale, .. } => rationale.clone(),
        Event::Synthesise { sources } => {
            format!("Writing from {}", counted(*sources, "source", "sources"))
        }
        Event::Step { number, of, title } => format!("[{number}/{of}] {title}"),
        Event::Problem(problem) => problem.to_string(),
        Event::Report { title, .. } => format!("Report: {title}"),
        Event::Error { message } => message.clone(),
        Event::Pace { seconds, .. } => format!("The run will take {} more", about(*seconds)),
        Event::Resumed => "Resumed".to_owned(),
        Event::Fetched { .. } | Event::Writing { .. } | Event::Spend { .. } | Event::End => {
            return None;
        }
    })
}
