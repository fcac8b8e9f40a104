//! What the sources leave unanswered, before round 2 and after it.

use probity_core::{Mode, Problem, ProblemKind, SourceId, Verdict};
use probity_text::Language;
use probity_text::words::Stemmer;

use crate::analyst::{Gaps, GapsTask};
use crate::driver::Run;
use crate::event::Event;
use crate::journal::{JournalError, StepKind};
use crate::stage::plan::usable;

/// The most gaps that are kept.
const MAX_GAPS: usize = 8;
/// A gap is closed by a source that has at least this share of its words.
const COVERED: f64 = 0.7;

pub(crate) async fn find(run: &mut Run<'_>) -> Result<Gaps, JournalError> {
    let sent: Vec<String> = run.queries.iter().map(|query| query.text.clone()).collect();
    let ids: Vec<SourceId> = run.read.iter().map(|source| source.id).collect();
    let views = run.views();
    let deep = run.spec.mode == Mode::Deep;
    let seconds = run.spec.limits.planning_seconds;
    let answer = run
        .ask(StepKind::Gaps, &(&sent, &ids, deep), seconds, || {
            run.analyst.gaps(GapsTask {
                question: run.asked(),
                parts: &run.plan.parts,
                queries: &sent,
                sources: &views,
                deep,
            })
        })
        .await?;
    drop(views);
    run.spend(&answer.usage);
    let mut gaps = answer.result.unwrap_or_else(|error| {
        if !run.note_budget(&error) {
            let detail = format!("{error}; round 2 read what round 1 had left waiting");
            run.problem(Problem::new(ProblemKind::Analysis, "gaps", detail));
        }
        Gaps::default()
    });
    gaps.queries = usable(gaps.queries, &sent);
    gaps.unanswered.truncate(MAX_GAPS);
    run.tell(Event::Gaps { unanswered: gaps.unanswered.clone(), queries: gaps.queries.clone() });
    Ok(gaps)
}

/// The gaps that no source which survived the gate closes.
pub(crate) fn remaining(run: &Run<'_>, unanswered: &[String]) -> Vec<String> {
    let stemmer = Stemmer::new(Language::detect(run.question()));
    let kept = run.read.iter().filter(|source| {
        run.candidate(source.id).is_some_and(|candidate| candidate.verdict == Verdict::Read)
    });
    let texts: Vec<std::collections::HashSet<String>> =
        kept.map(|source| stemmer.content_stems(&source.text).into_iter().collect()).collect();
    let open = |gap: &&String| {
        let words = stemmer.content_stems(gap);
        let needed = (words.len() as f64 * COVERED).ceil() as usize;
        !texts.iter().any(|text| words.iter().filter(|word| text.contains(*word)).count() >= needed)
    };
    unanswered.iter().filter(open).cloned().collect()
}
