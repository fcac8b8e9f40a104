//! After round 1: gaps → another round, for as long as one closes some and there is something left to spend.
//!
//! ```text
//! gaps → round 2 ─┬─ (most runs end here)
//!                 └─ gaps → round 3 → … until a round closes no gap, nothing is open, or sources, time or budget are spent
//! ```

use probity_core::Round;
use probity_report::facts::RoundRecord;

use crate::analyst::Gaps;
use crate::driver::Run;
use crate::event::{Event, Stage};
use crate::journal::JournalError;
use crate::run::Gathering;
use crate::stage::{agent, fetch, gaps, plan, search};

/// A run with more rounds than this says what each of them brought.
const USUAL_ROUNDS: usize = 2;

/// Goes on for as many rounds as the run may have and as are worth it. Gives what is open after them.
pub(crate) async fn further(run: &mut Run<'_>) -> Result<Vec<String>, JournalError> {
    let rounds = run.parts.spec.numbers.rounds;
    run.begin(Stage::Gaps, "Looking for gaps");
    let mut open = match run.is_exhausted() || rounds < USUAL_ROUNDS {
        true => Gaps::default(),
        false => gaps::find(run, &[]).await?,
    };
    note(run, Tally::default(), Round::First, Vec::new(), &open.unanswered, "");
    for round in Round::ALL.into_iter().take(rounds).skip(1) {
        run.begin(Stage::FurtherRounds, &title(round, &open));
        if run.is_exhausted() {
            break;
        }
        let before = Tally::of(run);
        gather(run, round, &open).await?;
        if rounds <= USUAL_ROUNDS {
            break;
        }
        let (next, ended) = look(run, round, before, &open).await?;
        note(run, before, round, next.closed.clone(), &next.unanswered, ended);
        open = next;
        if !ended.is_empty() {
            break;
        }
    }
    Ok(open.unanswered)
}

fn title(round: Round, open: &Gaps) -> String {
    let what = match open.unanswered.is_empty() {
        true => "looking further",
        false => "closing the gaps",
    };
    format!("Round {}: {what}", round.number())
}

/// Gathers by the model where it is to gather, and by queries where it does not or finds nothing.
async fn gather(run: &mut Run<'_>, round: Round, open: &Gaps) -> Result<(), JournalError> {
    if run.parts.spec.gathering == Gathering::Agentic {
        let read = agent::gather(run, round, &open.unanswered).await?;
        if read > 0 || run.is_exhausted() {
            return Ok(());
        }
    }
    let sent: Vec<String> = run.queries.iter().map(|query| query.text.clone()).collect();
    // What the plan has beyond the queries that were sent comes after what is known to be missing.
    let planned = run.plan.queries().into_iter().map(str::to_owned).collect::<Vec<_>>();
    let wanted = open.queries.iter().cloned().chain(planned);
    let queries = plan::usable(wanted, &sent, run.parts.spec.numbers.queries);
    search::search(run, round, queries).await?;
    fetch::fetch(run, round).await
}

/// What a run had before a round.
#[derive(Clone, Copy, Default)]
struct Tally {
    queries: usize,
    found: usize,
    read: usize,
}

impl Tally {
    fn of(run: &Run<'_>) -> Self {
        let (queries, found) = (run.queries.len(), run.sources.len());
        Self { queries, found, read: run.read.len() }
    }
}

/// What is open after a round, and why there is no other; nothing where there is.
async fn look(
    run: &mut Run<'_>,
    round: Round,
    before: Tally,
    open: &Gaps,
) -> Result<(Gaps, &'static str), JournalError> {
    let numbers = &run.parts.spec.numbers;
    let busy = run.parts.journal.timeline().busy_millis() / 1_000;
    let limit = run.parts.spec.limits.gathering_seconds;
    let over = if open.unanswered.is_empty() {
        "nothing was left open"
    } else if run.is_exhausted() {
        "the spending limit was reached"
    } else if round.number() >= numbers.rounds {
        "it was the last round that the run may have"
    } else if run.read.len() >= numbers.max_sources() {
        "no more pages may be read"
    } else if u64::try_from(busy).is_ok_and(|busy| busy >= limit) {
        "the time for gathering was over"
    } else if run.read.len() == before.read {
        "it found nothing more to read"
    } else {
        ""
    };
    if !over.is_empty() {
        // No further call is made for what no round would look for: what the new pages cover counts as closed.
        let (closed, unanswered) = gaps::covered(run, &open.unanswered, before.read);
        return Ok((Gaps { unanswered, closed, queries: Vec::new() }, over));
    }
    let next = gaps::find(run, &open.unanswered).await?;
    let ended = if next.closed.is_empty() {
        "it closed no gap"
    } else if next.unanswered.is_empty() {
        "nothing was left open"
    } else {
        ""
    };
    Ok((next, ended))
}

/// Writes down what a round brought, where a run may have more of them than usual.
fn note(
    run: &mut Run<'_>,
    before: Tally,
    round: Round,
    closed: Vec<String>,
    open: &[String],
    ended: &str,
) {
    if run.parts.spec.numbers.rounds <= USUAL_ROUNDS {
        return;
    }
    let now = Tally::of(run);
    let record = RoundRecord {
        round,
        queries: now.queries - before.queries,
        found: now.found - before.found,
        read: now.read - before.read,
        closed,
        open: open.to_vec(),
        ended: ended.to_owned(),
    };
    run.tell(Event::Round(record.clone()));
    run.rounds.push(record);
}
