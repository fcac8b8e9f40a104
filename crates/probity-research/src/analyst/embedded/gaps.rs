//! What the sources of round 1 do not speak of, and how to ask for it.

use std::collections::HashSet;

use probity_text::Language;
use probity_text::words::Stemmer;

use super::super::{Gaps, SourceView};
use super::aims::Aims;

/// A phrase counts as covered when one source has at least this share of its words.
const COVERED: f64 = 0.75;
/// The most follow-up queries.
const QUERIES: usize = 3;

/// Looks for the names, phrases, sides and queries that no source covers.
pub(super) fn gaps(
    question: &str,
    queries: &[String],
    sources: &[SourceView<'_>],
    deep: bool,
) -> Gaps {
    let stemmer = Stemmer::new(Language::detect(question));
    let texts: Vec<HashSet<String>> = sources
        .iter()
        .map(|source| {
            let detail = if deep { source.summary } else { source.snippet };
            let text = format!("{} {detail}", source.title);
            stemmer.content_stems(&text).into_iter().collect()
        })
        .collect();
    let aims = Aims::of(question);
    let mut wanted: Vec<&String> = aims.phrases.iter().collect();
    if let Some((one, other)) = &aims.sides {
        wanted.extend([one, other]);
    }
    let covers = |phrase: &str, text: &HashSet<String>| {
        let stems = stemmer.content_stems(phrase);
        let found = stems.iter().filter(|stem| text.contains(*stem)).count();
        !stems.is_empty() && found as f64 >= COVERED * stems.len() as f64
    };
    let mut unanswered: Vec<String> = Vec::new();
    for phrase in wanted {
        if !texts.iter().any(|text| covers(phrase, text)) && !unanswered.contains(phrase) {
            unanswered.push(phrase.clone());
        }
    }
    let names = aims.names.join(" ");
    let mut follow_up: Vec<String> =
        unanswered.iter().map(|gap| format!("{names} {gap}").trim().to_owned()).collect();
    // The words themselves without their setting: what the place's own pages do not say, others may.
    follow_up.extend(queries.iter().filter(|q| !texts.iter().any(|text| covers(q, text))).cloned());
    follow_up.push(aims.phrases.join(" "));
    // A name alone brings everything about it, and nothing of what was asked.
    let named: HashSet<String> = stemmer.content_stems(&names).into_iter().collect();
    follow_up.retain(|query| stemmer.content_stems(query).iter().any(|stem| !named.contains(stem)));
    follow_up.dedup();
    let fresh = follow_up.into_iter().filter(|query| !queries.contains(query));
    Gaps { unanswered, queries: fresh.take(QUERIES).collect() }
}
