//! Results of games and votes: "3–1" is neither "3–2" nor a range.

use super::finding::{Finding, Kind};
use super::pair::Pair;
use super::reading::Reading;

/// Most digits on one side of a result.
const DIGITS: usize = 3;

/// A result in the claim where the passage has others.
pub(super) fn scores(pair: &Pair<'_>) -> Option<Finding> {
    let mine = results(pair.claim, pair.sentence.bytes.clone());
    let anchor = pair.source.sentences.get(pair.align.anchor)?;
    let theirs = results(pair.source, anchor.bytes.clone());
    let known = theirs.first()?;
    let wrong = mine.iter().find(|(a, b)| {
        // "lost 1–3" is the same as "won 3–1".
        !theirs.iter().any(|(c, d)| a == c && b == d || a == d && b == c)
    })?;
    Some(Finding::new(
        Kind::Number,
        format!("the source says “{}–{}”, not “{}–{}”", known.0, known.1, wrong.0, wrong.1),
    ))
}

/// Two short numbers with a dash between them, of which the second is not the larger: a range runs
/// upwards.
fn results(reading: &Reading<'_>, bytes: std::ops::Range<usize>) -> Vec<(u32, u32)> {
    let text = reading.text.get(bytes).unwrap_or_default();
    let parts = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')'));
    parts
        .filter_map(|part| {
            let (a, b) = part.trim_end_matches(['.', '!', '?']).split_once(['-', '–'])?;
            let short = |side: &str| (1..=DIGITS).contains(&side.len());
            let (a, b) = (short(a) && short(b)).then_some((a, b))?;
            Some((a.parse().ok()?, b.parse().ok()?))
        })
        .filter(|(a, b)| a >= b)
        .collect()
}
