//! What a report says of how it came about, as fields that every format can show.

use probity_core::{Verdict, counted};

use crate::escape::one_line;
use crate::facts::{Briefing, RunFacts};
use crate::phrases::{Phrase, Phrases};

/// The fields of the section, each a name and a text, cleaned, not yet escaped. The order is part of the format.
pub(crate) fn methodology(facts: &RunFacts) -> Vec<(&'static str, String)> {
    if let Some(briefing) = &facts.briefing {
        return of_briefing(facts, briefing);
    }
    let (read, seen) = (facts.read(), facts.candidates.len());
    let (blocked, threshold) = (facts.count(Verdict::Blocked), facts.threshold.to_string());
    let phrases = Phrases::of_report(facts);
    let queries = facts.queries.len();
    let searches = match facts.rounds.len() {
        0 | 2 => phrases.say(Phrase::Searches, &[queries.into()]),
        rounds => phrases.say(Phrase::SearchesRounds, &[queries.into(), rounds.into()]),
    };
    let label = |phrase| Phrases::of_shape(facts).word(phrase);
    let blocked = phrases.say(Phrase::Blocked, &[blocked.into(), (&threshold).into()]);
    vec![
        (label(Phrase::LabelQuestion), one_line(&facts.question)),
        (label(Phrase::LabelSearches), searches),
        (label(Phrase::LabelAnalyzed), phrases.say(Phrase::Analyzed, &[read.into(), seen.into()])),
        (label(Phrase::LabelBlocked), blocked),
    ]
}

/// A briefing searches and blocks nothing: it reports what feeds brought.
fn of_briefing(facts: &RunFacts, briefing: &Briefing) -> Vec<(&'static str, String)> {
    let Briefing { since, feeds, articles, topics, told, .. } = briefing;
    vec![
        ("Subject", one_line(&facts.question)),
        ("Window", format!("{since} to {}", facts.asked_at)),
        (
            "Basis",
            format!(
                "{} in {} from {}",
                counted(*articles, "article", "articles"),
                counted(*topics, "topic", "topics"),
                counted(*feeds, "feed", "feeds"),
            ),
        ),
        (
            "Told",
            format!(
                "{} from {}, one of each outlet",
                counted(*told, "topic", "topics"),
                counted(facts.candidates.len(), "article", "articles"),
            ),
        ),
    ]
}

/// What kind of work a report is, beside its date.
pub(crate) fn kind(facts: &RunFacts) -> String {
    match facts.briefing {
        Some(_) => "news briefing".to_owned(),
        None => {
            let mode = facts.mode.to_string();
            Phrases::of_shape(facts).say(Phrase::AboutKind, &[(&mode).into()])
        }
    }
}
