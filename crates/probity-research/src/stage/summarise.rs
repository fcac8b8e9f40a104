//! Sources → what each says about the question.

use futures::stream::{StreamExt, TryStreamExt, iter};
use probity_core::{Problem, ProblemKind};
use sha2::{Digest, Sha256};

use crate::driver::{ReadSource, Run};
use crate::event::Event;
use crate::journal::{JournalError, StepKind};

/// How much of a page stands in for a summary that could not be had, in bytes.
const FALLBACK_BYTES: usize = 1_500;

pub(crate) async fn summarise(
    run: &mut Run<'_>,
    sources: Vec<ReadSource>,
) -> Result<(), JournalError> {
    let question = run.question();
    let analyst = run.analyst;
    let seconds = run.spec.limits.summary_seconds;
    let parallel = run.spec.limits.parallel_judgements.max(1);
    let shared = &*run;
    let asking = sources.iter().map(|source| async move {
        let Some(view) = shared.view(source) else { return Ok(None) };
        let inputs = (source.id, view.url, digest(view.text));
        let judging = || analyst.summarise(question, view);
        let answer = shared.ask(StepKind::Summarise, &inputs, seconds, judging).await?;
        shared.tell(Event::Summarise { id: source.id, title: view.title.to_owned() });
        Ok::<_, JournalError>(Some(answer))
    });
    let answers: Vec<_> = iter(asking).buffered(parallel).try_collect().await?;
    for (mut source, answer) in sources.into_iter().zip(answers) {
        let Some(answer) = answer else { continue };
        run.spend(&answer.usage);
        source.summary = match answer.result {
            Ok(summary) if !summary.text.trim().is_empty() => summary.text,
            Ok(_) => opening(&source.text),
            Err(error) => {
                let detail = format!("{error}; the opening of the page stands in for its summary");
                let url = run.candidate(source.id).map_or_else(String::new, |c| c.url.to_string());
                run.problem(Problem::new(ProblemKind::Analysis, url, detail));
                opening(&source.text)
            }
        };
        run.read.push(source);
    }
    Ok(())
}

fn opening(text: &str) -> String {
    text.get(..text.floor_char_boundary(FALLBACK_BYTES)).unwrap_or_default().to_owned()
}

/// A short name for a text, so that a journal key changes when the text does.
pub(crate) fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
