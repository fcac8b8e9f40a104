//! What round 1 leaves unanswered, and how to ask for it.

use probity_reader::{Stop, Stopped};

use super::super::{Gaps, SourceView};
use super::question::{Asked, keywords};
use super::read::CachedReader;
use super::retrieve::Library;

/// A part is answered from this logit on.
const ANSWERED: f64 = 0.0;

/// Looks for the parts of the question that no source seems to answer, by titles and snippets or, in deep runs, by
/// summaries.
///
/// # Errors
/// When it is told to stop.
pub(super) fn gaps(
    question: &str,
    queries: &[String],
    sources: &[SourceView<'_>],
    deep: bool,
    reading: &CachedReader,
    stop: &Stop,
) -> Result<Gaps, Stopped> {
    let asked = Asked::new(question);
    let shown: Vec<SourceView<'_>> = sources
        .iter()
        .map(|source| SourceView {
            text: if deep { source.summary } else { source.snippet },
            headings: &[],
            lists: &[],
            ..*source
        })
        .collect();
    let library = Library::new(&shown);
    let mut gaps = Gaps::default();
    for part in &asked.parts {
        let found = library.best(&part.text, shown.len());
        let answers = reading.answers(&part.text, &library, &found, stop)?;
        if answers.iter().any(|answer| answer.answerable > ANSWERED) {
            continue;
        }
        gaps.unanswered.push(part.text.clone());
        gaps.queries.extend(keywords(&part.text, asked.language));
        gaps.queries.push(part.text.clone());
    }
    gaps.queries.retain(|query| !queries.contains(query));
    Ok(gaps)
}
