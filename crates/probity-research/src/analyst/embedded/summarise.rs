//! What one source says about the question: its best sentences, in their order.

use probity_reader::{Stop, Stopped};

use super::super::SourceView;
use super::answer::choose;
use super::question::Asked;
use super::read::CachedReader;
use super::retrieve::Library;

/// About how many words a summary has.
const WORDS: usize = 160;
/// How many passages are read for it.
const PASSAGES: usize = 5;

/// Summarises a source.
///
/// # Errors
/// When it is told to stop.
pub(super) fn summary(
    question: &str,
    source: &SourceView<'_>,
    reading: &CachedReader,
    stop: &Stop,
) -> Result<String, Stopped> {
    let asked = Asked::new(question);
    let sources = [*source];
    let library = Library::new(&sources);
    let mut chosen: Vec<std::ops::Range<usize>> = Vec::new();
    let mut length = 0;
    for part in &asked.parts {
        let answered = choose(&asked, part, &library, reading, PASSAGES, stop)?;
        for choice in answered.choices {
            let words = library.slice(0, &choice.sentence).split_whitespace().count();
            if length > 0 && length + words > WORDS {
                break;
            }
            if !chosen.contains(&choice.sentence) {
                length += words;
                chosen.push(choice.sentence);
            }
        }
    }
    chosen.sort_by_key(|range| range.start);
    let sentences = chosen.iter().map(|range| library.slice(0, range));
    let text = sentences.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    Ok(text)
}
