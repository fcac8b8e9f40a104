//! Sources → what each says about the question.

use futures::stream::{StreamExt, TryStreamExt, iter};
use probity_core::{Problem, ProblemKind};
use sha2::{Digest, Sha256};

use crate::analyst::{Analyst, AnalystError, Summary};
use crate::driver::{ReadSource, Run};
use crate::event::Event;
use crate::journal::{JournalError, StepKind};

pub(crate) async fn summarise(
    run: &mut Run<'_>,
    sources: Vec<ReadSource>,
) -> Result<(), JournalError> {
    let asked = run.asked().to_owned();
    let question = asked.as_str();
    let analyst = run.parts.analyst;
    let seconds = run.parts.spec.limits.summary_seconds;
    let parallel = run.parallel();
    let shared = &*run;
    let asking = sources.iter().map(|source| async move {
        let Some(view) = shared.view(source) else { return Ok(None) };
        let inputs = (source.id, view.url, digest(view.text));
        let judging = || analyst.summarise(question, view);
        let answer = shared.ask(StepKind::Summarise, &inputs, seconds, judging).await?;
        shared.tell(Event::Summarise { id: source.id, title: view.title.to_owned() });
        Ok::<_, JournalError>(Some(answer))
    });
    // Collected, because a run must be able to move between threads while it waits for these.
    let asking: Vec<_> = asking.collect();
    let answers: Vec<_> = iter(asking).buffered(parallel).try_collect().await?;
    for (mut source, answer) in sources.into_iter().zip(answers) {
        let Some(answer) = answer else { continue };
        run.spend(&answer.usage);
        let failure = match answer.result {
            Ok(summary) if !summary.text.trim().is_empty() => {
                (source.summary, source.facts) = (summary.text, summary.facts);
                None
            }
            Ok(_) => Some(AnalystError::Unusable("the summary is empty".to_owned())),
            Err(error) => Some(error),
        };
        if let Some(error) = failure {
            if !run.note_budget(&error) {
                let detail = format!("{error}; the embedded analyst summarised it instead");
                let url = run.candidate(source.id).map_or_else(String::new, |c| c.url.to_string());
                run.problem(Problem::new(ProblemKind::Analysis, url, detail));
            }
            let own = match run.view(&source) {
                Some(view) => {
                    let inputs = (source.id, view.url, digest(view.text));
                    let judging = || run.parts.embedded.summarise(question, view);
                    run.ask_embedded(StepKind::Summarise, &inputs, judging).await?.result
                }
                None => Ok(Summary::default()),
            };
            source.summary = own.unwrap_or_default().text;
        }
        run.read.push(source);
    }
    Ok(())
}

/// A short name for a text, so that a journal key changes when the text does.
pub(crate) fn digest(text: &str) -> String {
    probity_core::hex(Sha256::digest(text.as_bytes()).iter().take(8))
}
