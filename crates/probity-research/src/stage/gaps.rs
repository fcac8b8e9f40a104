//! What the sources leave unanswered, after each round and at the end.

use probity_core::{Problem, ProblemKind, SourceId, Verdict};
use probity_text::Language;
use probity_text::words::Stemmer;

use crate::analyst::{Gaps, GapsTask};
use crate::driver::{ReadSource, Run};
use crate::event::Event;
use crate::journal::{JournalError, StepKind};
use crate::stage::plan::usable;

/// The most gaps that are kept.
const MAX_GAPS: usize = 8;
/// A gap is closed by a source that has at least this share of its words.
const COVERED: f64 = 0.7;

/// Asks what is open, of what was open before and besides.
pub(crate) async fn find(run: &mut Run<'_>, open: &[String]) -> Result<Gaps, JournalError> {
    let sent: Vec<String> = run.queries.iter().map(|query| query.text.clone()).collect();
    let ids: Vec<SourceId> = run.read.iter().map(|source| source.id).collect();
    let views = run.views();
    let deep = run.parts.spec.mode.is_deep();
    let seconds = run.parts.spec.limits.planning_seconds;
    let answer = run
        .ask(StepKind::Gaps, &(&sent, &ids, deep), seconds, || {
            run.parts.analyst.gaps(GapsTask {
                question: run.asked(),
                parts: &run.plan.parts,
                queries: &sent,
                open,
                sources: &views,
                deep,
            })
        })
        .await?;
    drop(views);
    run.spend(&answer.usage);
    let mut gaps = answer.result.unwrap_or_else(|error| {
        if !run.note_budget(&error) {
            let detail = format!("{error}; the next round read what was left waiting");
            run.problem(Problem::new(ProblemKind::Analysis, "gaps", detail));
        }
        Gaps::default()
    });
    gaps.queries = usable(gaps.queries, &sent, run.parts.spec.numbers.queries);
    gaps.closed.retain(|closed| open.contains(closed));
    gaps.unanswered.truncate(MAX_GAPS);
    run.tell(Event::Gaps { unanswered: gaps.unanswered.clone(), queries: gaps.queries.clone() });
    Ok(gaps)
}

/// The gaps that no source which survived the gate closes.
pub(crate) fn remaining(run: &Run<'_>, unanswered: &[String]) -> Vec<String> {
    let kept = run.read.iter().filter(|source| {
        run.candidate(source.id).is_some_and(|candidate| candidate.verdict == Verdict::Read)
    });
    split(run, unanswered, kept).1
}

/// The gaps that the pages after the given ones cover, and those that they do not.
pub(crate) fn covered(run: &Run<'_>, gaps: &[String], known: usize) -> (Vec<String>, Vec<String>) {
    split(run, gaps, run.read.iter().skip(known))
}

/// The gaps that one of these sources has most words of, and the others.
fn split<'r>(
    run: &Run<'_>,
    gaps: &[String],
    sources: impl Iterator<Item = &'r ReadSource>,
) -> (Vec<String>, Vec<String>) {
    let stemmer = Stemmer::new(Language::detect(run.question()));
    let texts: Vec<std::collections::HashSet<String>> =
        sources.map(|source| stemmer.content_stems(&source.text).into_iter().collect()).collect();
    let is_covered = |gap: &String| {
        let words = stemmer.content_stems(gap);
        let needed = (words.len() as f64 * COVERED).ceil() as usize;
        texts.iter().any(|text| words.iter().filter(|word| text.contains(*word)).count() >= needed)
    };
    gaps.iter().cloned().partition(is_covered)
}
