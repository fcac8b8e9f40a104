//! Citations that the own check is unsure of, judged by a model against the passage.

use futures::stream::{StreamExt, TryStreamExt, iter};
use probity_core::SourceId;
use probity_report::CheckedReport;
use probity_report::assemble::Verdicts;
use probity_report::check::Support;
use probity_report::facts::Usage;

use crate::analyst::AnalystAnswer;
use crate::driver::Run;
use crate::journal::{JournalError, StepKind};

/// The most citations of one report that are judged.
const CITATIONS: usize = 24;

/// A citation in doubt.
struct Doubt {
    text: String,
    source: SourceId,
    passage: String,
}

/// Judges the citations in doubt. What cannot be judged stays as it was.
pub(crate) async fn judge(
    run: &Run<'_>,
    report: &CheckedReport,
) -> Result<(Verdicts, Usage, usize), JournalError> {
    let doubts: Vec<Doubt> = report
        .statements()
        // What is drawn from other statements rests on no passage of its own.
        .filter(|statement| !statement.form.is_inference())
        .flat_map(|statement| {
            let unsure = statement.evidence.iter().filter(|e| e.support == Support::Partly);
            unsure.filter_map(|evidence| {
                let passage = evidence.passage.clone()?;
                Some(Doubt { text: statement.text.clone(), source: evidence.source, passage })
            })
        })
        .take(CITATIONS)
        .collect();
    let seconds = run.parts.spec.limits.scoring_seconds;
    let asking = doubts.iter().map(|doubt| async move {
        let inputs = (doubt.source, &doubt.text, &doubt.passage);
        let asking = || run.parts.analyst.check(&doubt.text, &doubt.passage);
        let answer: AnalystAnswer<Support> =
            run.ask(StepKind::Check, &inputs, seconds, asking).await?;
        Ok::<_, JournalError>((doubt, answer))
    });
    let parallel = run.parallel_short();
    // Collected, because a run must be able to move between threads while it waits for these.
    let asking: Vec<_> = asking.collect();
    let answers: Vec<_> = iter(asking).buffered(parallel).try_collect().await?;
    let mut verdicts = Verdicts::new();
    let mut usage = Usage::default();
    let mut failed = 0;
    for (doubt, answer) in answers {
        usage.add(&answer.usage);
        match answer.result {
            Ok(support) => {
                verdicts.insert((doubt.source, doubt.text.clone()), support);
            }
            Err(_) => failed += 1,
        }
    }
    Ok((verdicts, usage, failed))
}
