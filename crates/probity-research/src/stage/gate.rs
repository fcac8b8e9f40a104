//! The relevance gate: every source that was read, judged together, once, after both rounds.

use futures::stream::{StreamExt, TryStreamExt, iter};
use probity_core::{
    Decision, Mode, ModeSettings, Problem, ProblemKind, Relevance, SourceId, Verdict,
};
use probity_report::facts::{GateRecord, Usage};

use crate::analyst::{Analyst, AnalystAnswer, AnalystError, Judgement, SourceView};
use crate::driver::Run;
use crate::event::Event;
use crate::journal::{JournalError, StepKind};
use crate::run::GateCalls;
use crate::stage::summarise::digest;

/// How many sources are judged in one call, where they are judged in batches.
const BATCH: usize = 6;
/// How many sources of a batch take as long as one alone.
const ALIKE: usize = 3;
/// The score of a source whose judgement could not be had.
const DEFAULT_SCORE: u8 = 3;
/// What is said of such a source.
pub const DEFAULT_WHY: &str = "Score could not be parsed, defaulting to include";

pub(crate) async fn judge(run: &mut Run<'_>) -> Result<GateRecord, JournalError> {
    let cutoff = run.parts.spec.numbers.relevance_cutoff;
    let mut judged = ask_all(run, cutoff).await?;
    for one in &judged {
        run.spend(&one.usage);
        if let Some(limit @ AnalystError::Budget(_)) = &one.trouble {
            run.note_budget(limit);
        }
    }
    if let Some(problem) = take_over(run, &mut judged, cutoff).await? {
        run.problem(problem);
    }
    let mut tally = Tally { judged: run.read.len(), ..Tally::default() };
    for Judged { id, relevance, .. } in judged {
        let kept = survives(&relevance, cutoff);
        tally.kept += usize::from(kept);
        tally.unscored += usize::from(kept && relevance.defaulted);
        tally.alone |= kept && run.parts.spec.place.is_own_documents() && stands_alone(&relevance);
        if let Some(candidate) = run.candidate_mut(id) {
            candidate.verdict = if kept { Verdict::Read } else { Verdict::Dropped };
            candidate.reason = relevance.why.clone();
            candidate.relevance = Some(relevance);
        }
    }
    let (decision, rationale) = decide(tally, run.parts.spec.mode, &run.parts.spec.numbers);
    run.tell(Event::Gate { decision, rationale: rationale.clone() });
    Ok(GateRecord { decision, rationale, cutoff, judged: tally.judged, kept: tally.kept })
}

/// The result of asking about one source.
struct Judged {
    id: SourceId,
    relevance: Relevance,
    usage: Usage,
    /// Why the analyst did not judge it, if it did not.
    trouble: Option<AnalystError>,
}

async fn ask_all(run: &Run<'_>, cutoff: u8) -> Result<Vec<Judged>, JournalError> {
    let views = run.views();
    let together = run.parts.analyst.judges_together();
    let batch = match run.parts.spec.model.gate {
        _ if together => views.len().max(1),
        GateCalls::Batched if run.parts.analyst.author().is_model => BATCH,
        _ => 1,
    };
    let asking = views.chunks(batch).enumerate().map(|(index, views)| async move {
        let answers = match views {
            [view] if !together => vec![ask_one(run, *view).await?],
            views => ask_together(run, views).await?,
        };
        let mut judged = Vec::new();
        for ((offset, view), answer) in views.iter().enumerate().zip(answers) {
            let number = index * batch + offset + 1;
            judged.push(settle(run, number, *view, answer, cutoff).await?);
        }
        Ok::<_, JournalError>(judged)
    });
    // Collected, because a run must be able to move between threads while it waits for these.
    let asking: Vec<_> = asking.collect();
    let parallel = run.parallel_short();
    let judged: Vec<Vec<Judged>> = iter(asking).buffered(parallel).try_collect().await?;
    Ok(judged.into_iter().flatten().collect())
}

/// Asks about one source.
async fn ask_one(
    run: &Run<'_>,
    view: SourceView<'_>,
) -> Result<AnalystAnswer<Judgement>, JournalError> {
    let seconds = run.parts.spec.limits.scoring_seconds;
    let judging = || run.parts.analyst.judge(run.asked(), view);
    run.ask(StepKind::Judge, &inputs(view), seconds, judging).await
}

/// Asks about several sources in one call. What the call cost is the first one's.
async fn ask_together(
    run: &Run<'_>,
    views: &[SourceView<'_>],
) -> Result<Vec<AnalystAnswer<Judgement>>, JournalError> {
    let seconds = batch_seconds(run.parts.spec.limits.scoring_seconds, views.len());
    let inputs: Vec<_> = views.iter().map(|view| inputs(*view)).collect();
    let judging = || run.parts.analyst.judge_all(run.asked(), views);
    let answer = run.ask(StepKind::Judge, &inputs, seconds, judging).await?;
    let results = answers_of(answer.result, views.len());
    let mut usage = Some(answer.usage);
    let one = |result| AnalystAnswer { result, usage: usage.take().unwrap_or_default() };
    Ok(results.into_iter().map(one).collect())
}

/// What a call about several sources says of each.
fn answers_of(
    result: Result<Vec<Option<Judgement>>, AnalystError>,
    sources: usize,
) -> Vec<Result<Judgement, AnalystError>> {
    let mut results = match result {
        Ok(judged) => {
            let left_out = || AnalystError::Unusable("the answer leaves it out".to_owned());
            judged.into_iter().map(|one| one.ok_or_else(left_out)).collect::<Vec<_>>()
        }
        Err(error) => vec![Err(error); sources],
    };
    let missing = || Err(AnalystError::Unusable("the answer is too short".to_owned()));
    results.resize_with(sources, missing);
    results
}

/// How long a call about this many sources may take that usually has this many seconds for one.
pub(crate) fn batch_seconds(seconds: u64, sources: usize) -> u64 {
    seconds.saturating_mul(sources.div_ceil(ALIKE).max(1) as u64)
}

/// What names the judgement of a source in the journal.
fn inputs(view: SourceView<'_>) -> (SourceId, &str, String, String) {
    (view.id, view.url, digest(view.text), digest(view.summary))
}

/// What an answer about a source comes to.
async fn settle(
    run: &Run<'_>,
    number: usize,
    view: SourceView<'_>,
    answer: AnalystAnswer<Judgement>,
    cutoff: u8,
) -> Result<Judged, JournalError> {
    let (mut relevance, trouble) = read(answer.result);
    // A call that failed, or that could not be paid for, leaves a source without a judge; then the embedded
    // one judges. What was said and cannot be understood includes the source.
    if let Some(error) = trouble.as_ref().filter(|trouble| was_not_answered(trouble)) {
        let judging = || run.parts.embedded.judge(run.asked(), view);
        let own = run.ask_embedded(StepKind::Judge, &inputs(view), judging).await?;
        relevance = stood_in(read(own.result).0, error);
    }
    report(run, number, view.id, &relevance, cutoff);
    Ok(Judged { id: view.id, relevance, usage: answer.usage, trouble })
}

/// Whether a model gave no answer at all, rather than one that cannot be used.
fn was_not_answered(trouble: &AnalystError) -> bool {
    match trouble {
        AnalystError::Timeout(_) | AnalystError::Failed(_) | AnalystError::Budget(_) => true,
        AnalystError::Unusable(_) | AnalystError::Unable(_) => false,
    }
}

/// The embedded judge's word for a source, which says whose it is.
fn stood_in(relevance: Relevance, error: &AnalystError) -> Relevance {
    let why = format!("The embedded judge scored it ({error}). {}", relevance.why);
    Relevance { why, ..relevance }
}

/// Where a model could not judge most of the sources, what it said of the others is no measure for
/// them: the embedded judge scores all of them.
async fn take_over(
    run: &Run<'_>,
    judged: &mut [Judged],
    cutoff: u8,
) -> Result<Option<Problem>, JournalError> {
    let troubles = || judged.iter().filter_map(|one| one.trouble.as_ref());
    let (count, all) = (troubles().count(), judged.len());
    let Some(first) = troubles().next() else { return Ok(None) };
    if count * 2 <= all {
        let silent = troubles().filter(|trouble| was_not_answered(trouble));
        let silent = silent.filter(|trouble| !matches!(trouble, AnalystError::Budget(_))).count();
        let detail = format!(
            "{silent} of {all} sources could not be judged ({first}); the embedded judge scored those \
             instead"
        );
        let problem = Problem::new(ProblemKind::Analysis, "relevance gate", detail);
        return Ok((silent > 0).then_some(problem));
    }
    if !run.parts.analyst.author().is_model {
        return Ok(None);
    }
    let detail = format!(
        "{count} of {all} sources could not be judged ({first}); the embedded judge scored all of \
         them instead"
    );
    let views = run.views();
    let named: Vec<_> = views.iter().map(|view| inputs(*view)).collect();
    let judging = || run.parts.embedded.judge_all(run.asked(), &views);
    let own = run.ask_embedded(StepKind::Judge, &named, judging).await?;
    let mut results = answers_of(own.result, views.len()).into_iter();
    for (index, (one, view)) in judged.iter_mut().zip(&views).enumerate() {
        let Some(result) = results.next() else { continue };
        one.relevance = read(result).0;
        report(run, index + 1, view.id, &one.relevance, cutoff);
    }
    Ok(Some(Problem::new(ProblemKind::Analysis, "relevance gate", detail)))
}

fn report(run: &Run<'_>, number: usize, id: SourceId, relevance: &Relevance, cutoff: u8) {
    run.tell(Event::Verdict {
        number,
        id,
        host: run.candidate(id).map_or_else(String::new, |c| c.url.host().to_owned()),
        score: relevance.score,
        kept: survives(relevance, cutoff),
        why: relevance.why.clone(),
    });
}

/// What an answer says. One that is missing, empty or off the scale includes the source and says so.
fn read(answer: Result<Judgement, AnalystError>) -> (Relevance, Option<AnalystError>) {
    match answer {
        Ok(judgement) if (1..=5).contains(&judgement.score) => {
            let why = match judgement.why.trim() {
                "" => "No reason was given.".to_owned(),
                why => why.to_owned(),
            };
            (Relevance { score: judgement.score, why, defaulted: false }, None)
        }
        Ok(judgement) => {
            let off = format!("the score {} is not on the scale from 1 to 5", judgement.score);
            (defaulted(DEFAULT_WHY.to_owned()), Some(AnalystError::Unusable(off)))
        }
        Err(error) => (defaulted(format!("{DEFAULT_WHY} ({error})")), Some(error)),
    }
}

fn defaulted(why: String) -> Relevance {
    Relevance { score: DEFAULT_SCORE, why, defaulted: true }
}

/// Whether a source passes the gate.
pub fn survives(relevance: &Relevance, cutoff: u8) -> bool {
    relevance.defaulted || relevance.score >= cutoff
}

/// What the gate counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// The sources that were read.
    pub judged: usize,
    /// Those that passed.
    pub kept: usize,
    /// Of those that passed, those that could not be scored.
    pub unscored: usize,
    /// Whether one of them is good enough to stand alone, and all are the user's own documents.
    pub alone: bool,
}

/// The score from which on one source of the user's own documents suffices for a short report.
const GOOD: u8 = 4;

/// Whether a source is good enough to stand alone.
pub fn stands_alone(relevance: &Relevance) -> bool {
    relevance.score >= GOOD && !relevance.defaulted
}

/// What this many survivors of this many sources make, and why.
pub fn decide(tally: Tally, mode: Mode, numbers: &ModeSettings) -> (Decision, String) {
    let Tally { judged, kept, unscored, alone } = tally;
    let cutoff = numbers.relevance_cutoff;
    let (full, short) = (numbers.full_report_from, numbers.short_report_from);
    if judged == 0 {
        let why = format!("no source could be read, so there is nothing to report in {mode} mode");
        return (Decision::InsufficientData, why);
    }
    let mut counted =
        format!("{} of {judged} sources scored ≥ {cutoff}", kept.saturating_sub(unscored));
    if unscored > 0 {
        let verb = if unscored == 1 { "was" } else { "were" };
        counted.push_str(&format!(" and {unscored} {verb} kept without a score"));
    }
    if kept >= full {
        let why = format!("{counted}, meeting the threshold for a full report in {mode} mode");
        (Decision::FullReport, why)
    } else if kept >= short {
        let why = format!(
            "{counted}, enough for a short report but below the {full} that a full report needs in \
             {mode} mode"
        );
        (Decision::ShortReport, why)
    } else if kept > 0 && alone {
        let why = format!(
            "{counted}, one of them at least {GOOD}, which is enough for a short report from your own \
             documents"
        );
        (Decision::ShortReport, why)
    } else {
        let why = format!("{counted}, below the {short} that a short report needs in {mode} mode");
        (Decision::InsufficientData, why)
    }
}

#[cfg(test)]
mod tests {
    use probity_core::Modes;

    use super::*;

    #[test]
    fn every_boundary_of_every_mode() {
        use Decision::{FullReport, InsufficientData, ShortReport};
        for (mode, kept, expected) in [
            (Mode::Quick, 0, InsufficientData),
            (Mode::Quick, 1, ShortReport),
            (Mode::Quick, 2, ShortReport),
            (Mode::Quick, 3, FullReport),
            (Mode::Standard, 1, InsufficientData),
            (Mode::Standard, 2, ShortReport),
            (Mode::Standard, 3, ShortReport),
            (Mode::Standard, 4, FullReport),
            (Mode::Deep, 1, InsufficientData),
            (Mode::Deep, 2, ShortReport),
            (Mode::Deep, 4, ShortReport),
            (Mode::Deep, 5, FullReport),
        ] {
            let numbers = Modes::default().of(mode);
            let tally = Tally { judged: 10, kept, unscored: 0, alone: false };
            assert_eq!(decide(tally, mode, &numbers).0, expected, "{mode} {kept}");
        }
    }

    #[test]
    fn the_rationale_reads_as_a_sentence() {
        let numbers = Modes::default().standard;
        let said = |judged, kept, unscored| {
            decide(Tally { judged, kept, unscored, alone: false }, Mode::Standard, &numbers)
        };
        assert_eq!(
            said(7, 4, 0).1,
            "4 of 7 sources scored ≥ 3, meeting the threshold for a full report in standard mode"
        );
        assert!(
            said(7, 4, 1)
                .1
                .starts_with("3 of 7 sources scored ≥ 3 and 1 was kept without a score,")
        );
        assert_eq!(said(0, 0, 0).0, Decision::InsufficientData);
    }
}
