//! The relevance gate: every source that was read, judged together, once, after both rounds.

use futures::stream::{StreamExt, TryStreamExt, iter};
use probity_core::{Decision, Mode, ModeSettings, Relevance, SourceId, Verdict};
use probity_report::facts::GateRecord;

use crate::analyst::{Analyst, AnalystError, Answer, Judgement};
use crate::driver::Run;
use crate::event::Event;
use crate::journal::{JournalError, StepKind};
use crate::stage::summarise::digest;

/// The score of a source whose judgement could not be had.
const DEFAULT_SCORE: u8 = 3;
/// What is said of such a source.
pub const DEFAULT_WHY: &str = "Score could not be parsed, defaulting to include";

pub(crate) async fn judge(run: &mut Run<'_>) -> Result<GateRecord, JournalError> {
    let cutoff = run.spec.numbers.relevance_cutoff;
    let answers = ask_all(run, cutoff).await?;
    for (id, answer, limit) in answers {
        run.spend(&answer.usage);
        if let Some(limit) = limit {
            run.note_budget(&limit);
        }
        let relevance = relevance_of(&answer);
        let kept = survives(&relevance, cutoff);
        if let Some(candidate) = run.candidate_mut(id) {
            candidate.verdict = if kept { Verdict::Read } else { Verdict::Dropped };
            candidate.reason = relevance.why.clone();
            candidate.relevance = Some(relevance);
        }
    }
    let count = |verdict| run.candidates.iter().filter(|c| c.verdict == verdict).count();
    let (kept, judged) = (count(Verdict::Read), run.read.len());
    let alone = run.spec.place.is_own_documents() && is_one_good(run);
    let (decision, rationale) = decide(kept, judged, alone, run.spec.mode, &run.spec.numbers);
    run.tell(Event::Gate { decision, rationale: rationale.clone() });
    Ok(GateRecord { decision, rationale, cutoff, judged, kept })
}

async fn ask_all(
    run: &Run<'_>,
    cutoff: u8,
) -> Result<Vec<(SourceId, Answer<Judgement>, Option<AnalystError>)>, JournalError> {
    let question = run.question();
    let seconds = run.spec.limits.scoring_seconds;
    let asking = run.read.iter().enumerate().filter_map(|(index, source)| {
        let view = run.view(source)?;
        Some(async move {
            let inputs = (source.id, view.url, digest(view.text), digest(view.summary));
            let judging = || run.analyst.judge(question, view);
            let mut answer = run.ask(StepKind::Judge, &inputs, seconds, judging).await?;
            // Without money there is still a judge; a missing score would include anything.
            let mut limit = None;
            if let Err(error @ AnalystError::Budget(_)) = answer.result {
                answer.result = run.embedded.judge(question, view).await.result;
                limit = Some(error);
            }
            tell(run, index + 1, source.id, &relevance_of(&answer), cutoff);
            Ok((source.id, answer, limit))
        })
    });
    // Collected, because a run must be able to move between threads while it waits for these.
    let asking: Vec<_> = asking.collect();
    let parallel = run.spec.limits.parallel_judgements.max(1);
    iter(asking).buffered(parallel).try_collect().await
}

fn tell(run: &Run<'_>, number: usize, id: SourceId, relevance: &Relevance, cutoff: u8) {
    run.tell(Event::Verdict {
        number,
        id,
        host: run.candidate(id).map_or_else(String::new, |c| c.url.host().to_owned()),
        score: relevance.score,
        kept: survives(relevance, cutoff),
        why: relevance.why.clone(),
    });
}

/// A judgement that is missing, empty or off the scale includes the source and says so.
fn relevance_of(answer: &Answer<Judgement>) -> Relevance {
    match &answer.result {
        Ok(judgement) if (1..=5).contains(&judgement.score) => Relevance {
            score: judgement.score,
            why: match judgement.why.trim() {
                "" => "No reason was given.".to_owned(),
                why => why.to_owned(),
            },
            defaulted: false,
        },
        Ok(_) => defaulted(DEFAULT_WHY.to_owned()),
        Err(error) => defaulted(format!("{DEFAULT_WHY} ({error})")),
    }
}

fn defaulted(why: String) -> Relevance {
    Relevance { score: DEFAULT_SCORE, why, defaulted: true }
}

/// Whether a source passes the gate.
pub fn survives(relevance: &Relevance, cutoff: u8) -> bool {
    relevance.defaulted || relevance.score >= cutoff
}

/// The score from which on one source of the user's own documents suffices for a short report.
const GOOD: u8 = 4;

/// Whether a source that survived was judged good enough to stand alone.
fn is_one_good(run: &Run<'_>) -> bool {
    let mut kept = run.candidates.iter().filter(|c| c.verdict == Verdict::Read);
    kept.any(|c| c.relevance.as_ref().is_some_and(stands_alone))
}

/// Whether a source is good enough to stand alone.
pub fn stands_alone(relevance: &Relevance) -> bool {
    relevance.score >= GOOD && !relevance.defaulted
}

/// What so many survivors of so many sources make, and why. `alone` says that a single one suffices: it is good,
/// and all sources are the user's own documents.
pub fn decide(
    kept: usize,
    judged: usize,
    alone: bool,
    mode: Mode,
    numbers: &ModeSettings,
) -> (Decision, String) {
    let cutoff = numbers.relevance_cutoff;
    let (full, short) = (numbers.full_report_from, numbers.short_report_from);
    if judged == 0 {
        let why = format!("no source could be read, so there is nothing to report in {mode} mode");
        return (Decision::InsufficientData, why);
    }
    let counted = format!("{kept} of {judged} sources scored ≥ {cutoff}");
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
            assert_eq!(decide(kept, 10, false, mode, &numbers).0, expected, "{mode} {kept}");
        }
    }

    #[test]
    fn the_rationale_reads_as_a_sentence() {
        let numbers = Modes::default().standard;
        assert_eq!(
            decide(4, 7, false, Mode::Standard, &numbers).1,
            "4 of 7 sources scored ≥ 3, meeting the threshold for a full report in standard mode"
        );
        assert_eq!(decide(0, 0, false, Mode::Standard, &numbers).0, Decision::InsufficientData);
    }
}
