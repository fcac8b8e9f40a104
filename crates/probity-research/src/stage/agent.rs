//! Gathering by a model with two tools: it proposes, and the run does what its own rules allow.
//!
//! A search goes the way of every search, a page is read only if a search returned it and its
//! score permits, no slot is spent twice, and everything is a step of the journal. What cannot be
//! done is answered with an error that says why; it ends nothing.

use probity_core::{Problem, ProblemKind, Round, SourceId, Verdict, WebUrl};
use probity_model::untrusted::{NONCE_MARK, escape, quarantine, unescape};
use probity_model::{ToolCall, ToolResult, Turn};

use crate::analyst::GatherTask;
use crate::driver::Run;
use crate::journal::{JournalError, StepKind};
use crate::sources::Tracked;
use crate::stage::fetch::{read_wave, target_of};
use crate::stage::plan::usable;
use crate::stage::search::{search, tell_block};
use crate::stage::summarise::digest;

/// The most times that a model is asked for its next tools in a round.
const TURNS: usize = 10;
/// The most searches that a model may send in a round.
const SEARCHES: usize = 8;
/// The most tools that are used for one reply; the others are answered with an error.
const CALLS: usize = 8;
/// The most results of a search that are shown.
const SHOWN: usize = 10;
/// How much of what a model said beside its calls is kept, in bytes.
const SAID_BYTES: usize = 2_000;

/// Lets the model gather in a round. Says how many pages it read.
pub(crate) async fn gather(
    run: &mut Run<'_>,
    round: Round,
    open: &[String],
) -> Result<usize, JournalError> {
    let before = run.read.len();
    let mut turns = Vec::new();
    if round == Round::First {
        // The question itself is always searched for, whatever the model thinks of.
        let question = run.question().to_owned();
        search(run, round, vec![question]).await?;
        let found = found_by(run, run.queries.len().saturating_sub(1));
        turns.push(Turn::User(format!("A search for the question itself found:\n{found}")));
    }
    let mut searches = 0;
    for turn in 0..TURNS {
        let slots =
            run.parts.spec.numbers.sources_in(round).saturating_sub(run.read.len() - before);
        if slots == 0 || run.is_exhausted() {
            break;
        }
        let task = GatherTask { question: run.question(), round, slots, open, turns: &turns };
        let seconds = run.parts.spec.limits.planning_seconds;
        let so_far = digest(&serde_json::to_string(&turns).unwrap_or_default());
        let inputs = (round.number(), turn, slots, so_far);
        let asking = || run.parts.analyst.gather(task);
        let answer = run.ask(StepKind::Gather, &inputs, seconds, asking).await?;
        run.spend(&answer.usage);
        let wishes = match answer.result {
            Ok(wishes) if wishes.calls.is_empty() => break,
            Ok(wishes) => wishes,
            Err(error) => {
                if !run.note_budget(&error) {
                    let detail = format!("{error}; the engine gathers the rest by itself");
                    run.problem(Problem::new(ProblemKind::Analysis, "gathering", detail));
                }
                break;
            }
        };
        let mut said = wishes.said;
        said.truncate(said.floor_char_boundary(SAID_BYTES));
        let results = act(run, round, &wishes.calls, slots, &mut searches).await?;
        turns.push(Turn::Model { text: said, calls: wishes.calls });
        turns.push(Turn::Results(results));
    }
    Ok(run.read.len() - before)
}

/// What is to be done for a call.
enum Deed {
    Search(String),
    Fetch(SourceId),
    Block(SourceId),
    Refuse(String),
}

/// Does what a reply asks for, the searches at once and then the pages at once, and answers every
/// call in its place.
async fn act(
    run: &mut Run<'_>,
    round: Round,
    calls: &[ToolCall],
    slots: usize,
    searches: &mut usize,
) -> Result<Vec<ToolResult>, JournalError> {
    let mut deeds = Vec::new();
    let (mut queries, mut pages): (Vec<String>, Vec<SourceId>) = (Vec::new(), Vec::new());
    for (index, call) in calls.iter().enumerate() {
        let deed = match index < CALLS {
            true => deed(run, call, &queries, &pages, slots, SEARCHES.saturating_sub(*searches)),
            false => Deed::Refuse(format!("At most {CALLS} tools are used at once.")),
        };
        match &deed {
            Deed::Search(query) => {
                *searches += 1;
                queries.push(query.clone());
            }
            Deed::Fetch(id) => pages.push(*id),
            Deed::Block(id) => {
                // Every refused request is reported, even for a page that was reported before.
                if let Some(candidate) = run.candidate(*id) {
                    tell_block(run, candidate, candidate.credibility.total);
                }
            }
            Deed::Refuse(_) => {}
        }
        deeds.push(deed);
    }
    let first = run.queries.len();
    if !queries.is_empty() {
        search(run, round, queries.clone()).await?;
    }
    let wave = pages.iter().filter_map(|id| Some((*id, target_of(run, run.candidate(*id)?)?)));
    let wave: Vec<_> = wave.collect();
    if !wave.is_empty() {
        read_wave(run, round, wave).await?;
    }
    let answers = calls.iter().zip(deeds).map(|(call, deed)| {
        let (text, is_error) = match deed {
            Deed::Search(query) => {
                let place = queries.iter().position(|sent| *sent == query).unwrap_or(0);
                (found_by(run, first + place), false)
            }
            Deed::Fetch(id) => what_was_read(run, id),
            Deed::Block(id) => {
                (blocked(run, run.candidate(id).map_or(0.0, |c| c.credibility.total)), true)
            }
            Deed::Refuse(why) => (why, true),
        };
        ToolResult { id: call.id.clone(), name: call.name.clone(), text, is_error }
    });
    Ok(answers.collect())
}

/// What a call comes to, before anything is done.
fn deed(
    run: &Run<'_>,
    call: &ToolCall,
    queries: &[String],
    pages: &[SourceId],
    slots: usize,
    searches_left: usize,
) -> Deed {
    let argument = |key: &str| {
        let text = call.arguments.get(key).and_then(serde_json::Value::as_str).map(unescape);
        text.filter(|text| !text.trim().is_empty())
    };
    match call.name.as_str() {
        "search_web" => {
            let Some(query) = argument("query") else {
                return Deed::Refuse("`search_web` needs a `query`, a text.".to_owned());
            };
            if searches_left == 0 {
                return Deed::Refuse(format!("No more than {SEARCHES} searches a round."));
            }
            let mut sent: Vec<String> = run.queries.iter().map(|q| q.text.clone()).collect();
            sent.extend_from_slice(queries);
            match usable([query], &sent, 1).into_iter().next() {
                Some(query) => Deed::Search(query),
                None => Deed::Refuse("That was searched for already.".to_owned()),
            }
        }
        "fetch_page" => match argument("url") {
            Some(url) => page(run, &url, pages, slots),
            None => Deed::Refuse("`fetch_page` needs a `url`, a text.".to_owned()),
        },
        other => {
            let other = probity_core::printable::brief(other, 40);
            let known = "There are `search_web` and `fetch_page`.";
            Deed::Refuse(format!("There is no tool `{}`. {known}", escape(&other)))
        }
    }
}

/// Whether a page may be read. Only pages that a search returned are known at all.
fn page(run: &Run<'_>, url: &str, pages: &[SourceId], slots: usize) -> Deed {
    let known = WebUrl::parse(url.trim()).ok().and_then(|url| run.sources.at(&url.canonical()));
    let Some(candidate) = known.and_then(|id| run.candidate(id)) else {
        let why = "No search returned that address; only pages from search results can be read.";
        return Deed::Refuse(why.to_owned());
    };
    match candidate.verdict {
        Verdict::Blocked => Deed::Block(candidate.id),
        Verdict::Unused if pages.contains(&candidate.id) => {
            Deed::Refuse("That page is being read already.".to_owned())
        }
        Verdict::Unused if pages.len() >= slots => {
            Deed::Refuse("No more pages can be read in this round.".to_owned())
        }
        Verdict::Unused => Deed::Fetch(candidate.id),
        Verdict::Failed => Deed::Refuse("That page could not be read; take another.".to_owned()),
        Verdict::Read | Verdict::Dropped => Deed::Refuse("That page was read already.".to_owned()),
    }
}

fn blocked(run: &Run<'_>, score: f64) -> String {
    let threshold = run.parts.spec.policy.threshold;
    format!(
        "Blocked: the credibility of this page is {score:.2}, at or below the threshold of \
         {threshold}. It cannot be read; take another."
    )
}

/// What a query found, for the model: fenced, cleaned, with scores.
fn found_by(run: &Run<'_>, query: usize) -> String {
    let lines: Vec<String> = run
        .sources
        .tracked()
        .filter(|tracked| tracked.found_by.contains(&query))
        .take(SHOWN)
        .map(|Tracked { candidate, .. }| {
            let score = candidate.credibility.total;
            let state = match candidate.verdict {
                Verdict::Blocked => format!("blocked, credibility {score:.2}"),
                Verdict::Unused => format!("credibility {score:.2}"),
                Verdict::Failed => "could not be read".to_owned(),
                Verdict::Read | Verdict::Dropped => "read already".to_owned(),
            };
            let title = quarantine(&candidate.title).text;
            let snippet = quarantine(&candidate.snippet).text;
            let text = format!("{title}: {snippet}");
            format!("- {} ({state}) {}", candidate.url, probity_core::printable::brief(&text, 300))
        })
        .collect();
    match lines.is_empty() {
        true => "Nothing was found.".to_owned(),
        false => fenced(&lines.join("\n")),
    }
}

fn what_was_read(run: &Run<'_>, id: SourceId) -> (String, bool) {
    let Some(candidate) = run.candidate(id) else {
        return ("That page is not known.".to_owned(), true);
    };
    match candidate.verdict {
        Verdict::Blocked => {
            let reason = escape(&candidate.reason);
            (format!("{} It {reason}.", blocked(run, candidate.credibility.total)), true)
        }
        Verdict::Failed => {
            let reason = quarantine(&candidate.reason).text;
            (format!("The page could not be read: {}.", escape(&reason)), true)
        }
        _ => {
            let read = run.read.iter().find(|source| source.id == id);
            let summary = read.map_or("", |source| source.summary.as_str());
            (fenced(&quarantine(summary).text), false)
        }
    }
}

/// Strangers' text between fences that it cannot forge.
fn fenced(text: &str) -> String {
    format!("<data {NONCE_MARK}>\n{}\n</data {NONCE_MARK}>", escape(text))
}
