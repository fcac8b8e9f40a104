//! Candidates → sources that were read: the best first, and the next best for every one that fails.

use std::collections::HashSet;

use futures::stream::{FuturesOrdered, TryStreamExt};
use probity_core::{
    Candidate, CanonicalUrl, Document, Problem, ProblemKind, Round, SearchHit, SourceId, Verdict,
    printable, retraction,
};
use probity_credibility::{Admission, Assessment, Discovery, Grounds, Permit};
use probity_web::fetch::{FetchOutcome, Page};

use crate::driver::{ReadSource, Run};
use crate::event::Event;
use crate::gather::{Origin, Target};
use crate::journal::{JournalError, StepKind};
use crate::stage::search::tell_block;
use crate::stage::summarise::summarise;

/// The longest text of a source that is kept, in bytes: as much as citations are checked against. What lies beyond is never cited,
/// and the run says so.
const TEXT_BYTES: usize = 4_000_000;

/// How much of another source's title a reason takes, in characters.
const TITLE_CHARS: usize = 100;

pub(crate) async fn fetch(run: &mut Run<'_>, round: Round) -> Result<(), JournalError> {
    let slots = run.parts.spec.numbers.sources_in(round);
    let mut tried = HashSet::new();
    let mut read = 0;
    // With a budget spent, what was read has to do; but something has to have been read.
    while read < slots && (run.read.is_empty() || !run.is_exhausted()) {
        let wave = next_best(run, &tried, slots - read);
        if wave.is_empty() {
            break;
        }
        tried.extend(wave.iter().map(|(id, _)| *id));
        read += read_wave(run, round, wave).await?;
    }
    Ok(())
}

/// Reads pages at once and summarises those that count as sources. Says how many do.
pub(crate) async fn read_wave(
    run: &mut Run<'_>,
    round: Round,
    wave: Vec<(SourceId, Target)>,
) -> Result<usize, JournalError> {
    let mut pages = fetch_wave(run, round, &wave).await?;
    super::disown::disown(run, &mut pages).await?;
    let mut fresh = Vec::new();
    for ((id, target), page) in wave.into_iter().zip(pages) {
        fresh.extend(ingest(run, id, &target, page, &fresh));
    }
    let read = fresh.len();
    summarise(run, fresh).await?;
    Ok(read)
}

/// The waiting candidates with the highest scores, each with its right to be read.
fn next_best(run: &Run<'_>, tried: &HashSet<SourceId>, slots: usize) -> Vec<(SourceId, Target)> {
    let mut waiting: Vec<&Candidate> = run
        .sources
        .candidates()
        .filter(|c| c.verdict == Verdict::Unused && !tried.contains(&c.id))
        .collect();
    // Stable: equal scores stay in the order of discovery.
    waiting.sort_by(|a, b| b.credibility.total.total_cmp(&a.credibility.total));
    own_in_order_found(run, &mut waiting);
    let targets = waiting.into_iter().filter_map(|c| Some((c.id, target_of(run, c)?)));
    targets.take(slots).collect()
}

/// Puts documents of the user's own in the order in which the search found them, in the places that
/// their scores give them together: choosing them was the user's judgement, so what distinguishes
/// them is how well they fit the query, and the search read the whole texts.
fn own_in_order_found(run: &Run<'_>, waiting: &mut [&Candidate]) {
    let is_own = |c: &Candidate| {
        run.sources.get(c.id).is_some_and(|tracked| tracked.origin == Origin::Library)
    };
    let mut own: Vec<&Candidate> = waiting.iter().copied().filter(|c| is_own(c)).collect();
    own.sort_by_key(|c| c.id);
    let places = waiting.iter_mut().filter(|c| is_own(c));
    places.zip(own).for_each(|(place, candidate)| *place = candidate);
}

/// A candidate's right to be read, if it has one.
pub(crate) fn target_of(run: &Run<'_>, candidate: &Candidate) -> Option<Target> {
    match run.sources.get(candidate.id)?.origin {
        Origin::Library => return Some(Target::Local(candidate.url.clone())),
        Origin::Named => return Some(Target::Web(Permit::by_user(candidate.url.clone()))),
        Origin::Web => {}
    }
    let discovery = Discovery {
        url: &candidate.url,
        title: &candidate.title,
        snippet: &candidate.snippet,
        published: candidate.published,
    };
    match super::search::scorer_of(run, candidate.id).admit(discovery).1 {
        Admission::Permitted(permit) => Some(Target::Web(permit)),
        Admission::Blocked => None,
    }
}

async fn fetch_wave(
    run: &Run<'_>,
    round: Round,
    wave: &[(SourceId, Target)],
) -> Result<Vec<Page>, JournalError> {
    let gatherer = run.parts.gatherer;
    let fetching: FuturesOrdered<_> = wave
        .iter()
        .map(|(id, target)| {
            run.tell(Event::Fetch {
                round,
                id: *id,
                url: target.url().to_string(),
                score: run.candidate(*id).map_or(0.0, |c| c.credibility.total),
            });
            async move {
                let inputs = (target.url(), matches!(target, Target::Local(_)));
                let read = async || within_limits(gatherer.read(target).await);
                run.step(StepKind::Fetch, &inputs, read).await
            }
        })
        .collect();
    fetching.try_collect().await
}

/// A page with as much of its text as a run reads, before it is written down and held in several places. Its Markdown
/// is for people; a run reads its text.
fn within_limits(mut page: Page) -> Page {
    if let Some(document) = &mut page.document {
        document.text.truncate(document.text.floor_char_boundary(TEXT_BYTES));
        document.text.shrink_to_fit();
        document.markdown = String::new();
        let end = document.text.len();
        document.headings.retain(|heading| heading.start < end);
        let lists = std::mem::take(&mut document.lists).into_iter();
        document.lists = lists.filter_map(|list| list.within(end)).collect();
        document.page_starts.retain(|start| *start < end);
    }
    page
}

/// Enters what a page came to. Gives the source back if it counts as one.
fn ingest(
    run: &mut Run<'_>,
    id: SourceId,
    target: &Target,
    page: Page,
    wave: &[ReadSource],
) -> Option<ReadSource> {
    let refused = refusal(run, id, target, &page, wave);
    let (verdict, outcome, reason) = match &refused {
        None => (Verdict::Read, page.outcome, "read".to_owned()),
        Some(Refusal { outcome, reason, blocked_at: Some(_) }) => {
            (Verdict::Blocked, *outcome, reason.clone())
        }
        Some(Refusal { outcome, reason, .. }) => (Verdict::Failed, *outcome, reason.clone()),
    };
    let url = target.url().to_string();
    run.tell(Event::Fetched {
        id,
        url: url.clone(),
        score: run.candidate(id).map_or(0.0, |c| c.credibility.total),
        outcome: outcome.to_string(),
        reason: reason.clone(),
    });
    if let Some(score) = refused.as_ref().and_then(|refused| refused.blocked_at)
        && let Some(candidate) = run.candidate(id)
    {
        tell_block(run, candidate, score);
    }
    if verdict == Verdict::Failed {
        run.problem(Problem::new(ProblemKind::Fetch, url, reason.clone()));
    }
    let taken_back = is_taken_back(run, id, &page).then(|| score_again(run, id, &page)).flatten();
    let mut document = page.document.unwrap_or_default();
    // Journals of earlier versions hold whole texts.
    document.text.truncate(document.text.floor_char_boundary(TEXT_BYTES));
    if is_cut(&document.text) {
        document.cut(format!("only the first {} MB of its text was read", TEXT_BYTES / 1_000_000));
    }
    let candidate = run.candidate_mut(id)?;
    if let Some((assessment, _)) = taken_back {
        candidate.credibility = assessment.score;
    }
    candidate.verdict = verdict;
    candidate.outcome = Some(outcome.to_string());
    candidate.reason = reason;
    if refused.is_some() {
        return None;
    }
    candidate.published = document.stated_day().or(candidate.published);
    if !document.title.trim().is_empty() {
        // What an index knows of a paper its page may not say.
        let retracted = retraction::is_retracted(&candidate.title);
        candidate.title =
            if retracted { retraction::mark(&document.title) } else { document.title };
    }
    candidate.archived = page.archived;
    let Document { text, headings, lists, cut_short, .. } = document;
    if let Some(why) = cut_short {
        // The page was fetched, so this is no failed fetch, which progress and reports tell in their own way.
        run.problem(Problem::new(ProblemKind::File, target.url().to_string(), why));
    }
    run.sources.landed(page.final_url.canonical(), id);
    let text = text.into();
    Some(ReadSource { id, text, headings, lists, summary: String::new(), facts: Vec::new() })
}

/// Whether a text fills all the room that a source has, less a part of a letter: then there was more of it.
fn is_cut(text: &str) -> bool {
    text.len() + char::MAX.len_utf8() > TEXT_BYTES
}

/// Why a page does not count as a source.
struct Refusal {
    outcome: FetchOutcome,
    reason: String,
    /// The score that it was blocked for, if that is why.
    blocked_at: Option<f64>,
}

impl Refusal {
    fn new(outcome: FetchOutcome, reason: impl Into<String>) -> Self {
        Self { outcome, reason: reason.into(), blocked_at: None }
    }
}

/// Why a page does not count as a source of its own, if it does not.
fn refusal(
    run: &Run<'_>,
    id: SourceId,
    target: &Target,
    page: &Page,
    wave: &[ReadSource],
) -> Option<Refusal> {
    if !page.outcome.is_read() {
        return Some(Refusal::new(page.outcome, page.reason.clone()));
    }
    let text = page.document.as_ref().map_or("", |document| document.text.trim());
    if text.is_empty() {
        return Some(Refusal::new(FetchOutcome::Empty, "the page has no text"));
    }
    let landed: CanonicalUrl = page.final_url.canonical();
    let read = || run.read.iter().chain(wave);
    if let Some(twin) = run.sources.at(&landed).filter(|twin| *twin != id)
        && read().any(|source| source.id == twin)
    {
        let twin = title(run, twin);
        let reason = format!("leads to the same page as {twin}");
        return Some(Refusal::new(FetchOutcome::Failed, reason));
    }
    if let Some(twin) = read().find(|source| source.text.trim() == text) {
        let twin = title(run, twin.id);
        return Some(Refusal::new(FetchOutcome::Failed, format!("has the same text as {twin}")));
    }
    match target {
        Target::Web(permit)
            if matches!(permit.grounds(), Grounds::Scored(_))
                && (permit.url().dns_host() != page.final_url.dns_host()
                    || is_taken_back(run, id, page)) =>
        {
            rescore(run, id, page)
        }
        _ => None,
    }
}

/// Whether the page itself says that its paper is retracted, which whoever found it did not.
fn is_taken_back(run: &Run<'_>, id: SourceId, page: &Page) -> bool {
    let says = |title: &str| retraction::is_retracted(title);
    page.document.as_ref().is_some_and(|document| says(&document.title))
        && run.candidate(id).is_some_and(|candidate| !says(&candidate.title))
}

/// A candidate as a reader knows it.
fn title(run: &Run<'_>, id: SourceId) -> String {
    match run.candidate(id) {
        Some(candidate) if candidate.title.trim().is_empty() => candidate.url.to_string(),
        Some(candidate) => format!("“{}”", printable::brief(&candidate.title, TITLE_CHARS)),
        None => "another source".to_owned(),
    }
}

/// Scores a page as it was found to be: where it ended, and whether it says that it is retracted.
fn score_again(run: &Run<'_>, id: SourceId, page: &Page) -> Option<(Assessment, Admission)> {
    let candidate = run.candidate(id)?;
    let title = match is_taken_back(run, id, page) {
        true => retraction::mark(&candidate.title),
        false => candidate.title.clone(),
    };
    let hit = SearchHit {
        url: page.final_url.clone(),
        title,
        snippet: candidate.snippet.clone(),
        published: candidate.published,
        providers: Vec::new(),
    };
    Some(super::search::scorer_of(run, id).admit(Discovery::from(&hit)))
}

/// A redirect must not launder a page: where it ends on another host, that host's score counts. Nor must an index that
/// does not know of a retraction.
fn rescore(run: &Run<'_>, id: SourceId, page: &Page) -> Option<Refusal> {
    let (Assessment { score, .. }, Admission::Blocked) = score_again(run, id, page)? else {
        return None;
    };
    let reason = match is_taken_back(run, id, page) {
        true => format!("its page says that it is retracted, so it scores {:.2}", score.total),
        false => {
            let host = page.final_url.host();
            format!("was redirected to {host}, which scores {:.2}", score.total)
        }
    };
    let outcome = FetchOutcome::BlockedByScore;
    Some(Refusal { outcome, reason, blocked_at: Some(score.total) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_was_cut_is_known_by_its_length() {
        let cut = |text: &str| is_cut(text.get(..text.floor_char_boundary(TEXT_BYTES)).unwrap());
        assert!(cut(&"a".repeat(TEXT_BYTES + 1)) && cut(&"𝄞".repeat(TEXT_BYTES)));
        assert!(!cut("a short text"));
    }
}
