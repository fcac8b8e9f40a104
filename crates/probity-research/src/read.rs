//! Claims are read beside passages once; what the reader made of them is a step of the journal.

use probity_reader::{Entailment, Stop, TextReader};
use probity_report::check::{Pair, Readings, borrowed};
use serde::{Deserialize, Serialize};

use crate::driver::Cancel;
use crate::journal::{Journal, JournalError, StepKind};
use crate::stage::summarise::digest;

/// What a step of reading gives: who read, and what was made of each pair, in their order. The
/// numbers are rounded, so that a replay of them on another processor decides the same.
#[derive(Serialize, Deserialize)]
struct Read {
    reader: String,
    read: Vec<Entailment>,
}

/// Has pairs read, unless they were read before. Reading is work without waiting, so it is done where it holds
/// no caller up, and it ends when no caller waits for it any more.
pub(crate) async fn read(
    journal: &Journal,
    reader: &TextReader,
    cancel: &Cancel,
    pairs: Vec<Pair>,
) -> Result<Readings, JournalError> {
    if pairs.is_empty() {
        return Ok(Readings::default());
    }
    if cancel.is_asked() {
        return Err(JournalError::Interrupted);
    }
    let texts: Vec<&str> = borrowed(&pairs).iter().flat_map(|(a, b)| [*a, *b]).collect();
    let inputs = (format!("{} claims and passages", pairs.len()), digest(&texts.join("\0")));
    let step = journal.step(StepKind::Read, &inputs, async || work(reader, &pairs).await);
    let done = tokio::select! {
        biased;
        () = cancel.thrown() => return Err(JournalError::Interrupted),
        done = step => done?,
    };
    Ok(Readings::new(&done.reader, pairs, done.read))
}

async fn work(reader: &TextReader, pairs: &[Pair]) -> Read {
    // A caller that gives up drops this future and the stopper, which stops the reading.
    let (_stopper, stop) = Stop::new();
    let (reader, pairs) = (reader.clone(), pairs.to_vec());
    let reading = tokio::task::spawn_blocking(move || {
        let read = reader.entails_pairs(&borrowed(&pairs), &stop)?;
        Ok::<_, probity_reader::Stopped>(Read { reader: reader.name().to_owned(), read })
    });
    match reading.await {
        Ok(Ok(read)) => read,
        // A reader that failed has read nothing; then words are compared, and the report says so.
        Ok(Err(_)) | Err(_) => Read { reader: TextReader::LEXICAL.to_owned(), read: Vec::new() },
    }
}
