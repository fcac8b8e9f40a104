//! Sentences that several formats say in the same words. Cleaned, not yet escaped.

use probity_core::{Verdict, printable};

use crate::assemble::CheckedReport;
use crate::escape::one_line;
use crate::facts::RunFacts;

/// How much of the title stands at the foot of each page, in characters.
const RUNNING_TITLE_CHARS: usize = 90;

/// The line below the title: how the report came about, and when.
pub(crate) fn about(facts: &RunFacts) -> String {
    let author = match facts.author.is_model {
        true => format!("written by {}", one_line(&facts.author.name)),
        false => "no language model wrote it".to_owned(),
    };
    format!("{} research · asked on {} · {author}", facts.mode, facts.asked_at.date())
}

/// What the methodology says, by label.
pub(crate) fn methodology(facts: &RunFacts) -> [(&'static str, String); 4] {
    let (read, seen) = (facts.read(), facts.candidates.len());
    let blocked = facts.count(Verdict::Blocked);
    [
        ("Initial Question", one_line(&facts.question)),
        (
            "Searches Conducted",
            format!("{} search queries across both rounds", facts.queries.len()),
        ),
        ("Sources Analyzed", format!("{read} fetched out of {seen} total candidates")),
        (
            "Blocked Sources",
            format!(
                "{blocked} sources blocked due to low credibility (score ≤ {})",
                facts.threshold
            ),
        ),
    ]
}

/// The title as it stands at the foot of each page.
pub(crate) fn running_title(report: &CheckedReport) -> String {
    printable::brief(&one_line(report.title()), RUNNING_TITLE_CHARS)
}
