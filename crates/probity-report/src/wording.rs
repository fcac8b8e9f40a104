//! Sentences that several formats say in the same words. Cleaned, not yet escaped.

use probity_core::printable;

use crate::assemble::CheckedReport;
use crate::escape::one_line;
use crate::facts::RunFacts;
use crate::methodology::kind;

/// How much of the title stands at the foot of each page, in characters.
const RUNNING_TITLE_CHARS: usize = 90;

/// The line below the title: how the report came about, and when.
pub(crate) fn about(facts: &RunFacts) -> String {
    let author = match facts.author.is_model {
        true => format!("written by {}", one_line(&facts.author.name)),
        false => "no language model wrote it".to_owned(),
    };
    format!("{} · asked on {} · {author}", kind(facts), facts.asked_at.date())
}

/// The title as it stands at the foot of each page.
pub(crate) fn running_title(report: &CheckedReport) -> String {
    printable::brief(&one_line(report.title()), RUNNING_TITLE_CHARS)
}
