//! What was read and what is exact → the verdict on one sentence.

use std::ops::Range;

use probity_reader::Entailment;
use probity_text::lexical::{Query, Text};

use super::Support;
use super::index::{Index, View, Window};
use super::name::strangers;
use super::number::{Wrong, wrong};
use super::quote;
use super::readings::{Pair, Readings};

/// Where the verdicts begin. `probity bench citations` prints the figures that these were chosen by; what
/// they come to is in docs/citations.md.
pub const THRESHOLDS: Thresholds =
    Thresholds { supported: 0.7, partly: 0.3, contradicted: 0.9, same_subject: 0.5 };

/// Where the verdicts begin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// From this probability on, that a window supports a claim, the claim is supported.
    pub supported: f64,
    /// From this one on it is supported in part.
    pub partly: f64,
    /// From this probability on, that a window contradicts a claim, the claim is contradicted …
    pub contradicted: f64,
    /// … if the window has at least this share of the claim's content words.
    pub same_subject: f64,
}

/// The values of each verdict, for ranking.
const UNSUPPORTED_VALUES: (f64, f64) = (0.0, 0.33);
const PARTLY_VALUES: (f64, f64) = (0.34, 0.65);
const SUPPORTED_VALUES: (f64, f64) = (0.66, 1.0);

/// The verdict on one sentence of a claim.
pub(super) struct Judgement {
    pub(super) support: Support,
    pub(super) value: f64,
    /// The bytes of the passage that comes closest.
    pub(super) passage: Option<Range<usize>>,
    pub(super) reasons: Vec<String>,
    pub(super) opposed: bool,
}

impl Judgement {
    /// What the source says word for word.
    pub(super) fn verbatim(bytes: Range<usize>) -> Self {
        let support = Support::Supported;
        Self { support, value: 1.0, passage: Some(bytes), reasons: Vec::new(), opposed: false }
    }

    fn nothing() -> Self {
        let reasons = vec!["the source says nothing on this".to_owned()];
        Self { support: Support::Unsupported, value: 0.0, passage: None, reasons, opposed: false }
    }
}

/// A window with what was read there.
struct Read<'r> {
    window: &'r Window,
    passage: &'r str,
    found: Entailment,
}

/// Decides on one sentence from all that was read, unless an exact check speaks against it.
pub(super) fn decide(
    index: &Index,
    claim: &str,
    windows: &[Window],
    pairs: &[Pair],
    readings: &Readings,
) -> Judgement {
    let found = windows.iter().zip(pairs).zip(readings.of_all(pairs));
    let read: Vec<Read<'_>> = found
        .filter_map(|((window, pair), found)| {
            Some(Read { window, passage: &pair.passage, found: found? })
        })
        .collect();
    // A passage is shown as it is, so not what was gathered. Of equals the first, which shares most words.
    let standing = || read.iter().rev().filter(|one| one.window.view != View::Gathered);
    let kindest = standing().max_by(|a, b| a.found.supported.total_cmp(&b.found.supported));
    let Some(kindest) = kindest else { return Judgement::nothing() };
    let limits = THRESHOLDS;
    let p = supported(&read);
    // Narrow and gathered sentences lack what is around them, and often seem to say otherwise.
    let whole = standing().filter(|one| one.window.view != View::Narrow);
    let against = whole.max_by(|a, b| a.found.contradicted.total_cmp(&b.found.contradicted));
    let against = against.filter(|one| {
        one.found.contradicted >= limits.contradicted
            && p < limits.supported
            && covered(claim, one.passage) >= limits.same_subject
    });
    let passages: Vec<String> = read.iter().map(|one| one.passage.to_owned()).collect();
    let numbers = wrong(claim, &passages, &nearest(index, claim, kindest.window));
    let (ceiling, mut reasons) = vetoes(index, claim, &numbers);
    // Words alone never contradict; another number in the same words does.
    let other = readings.is_lexical()
        && numbers.iter().any(|wrong| wrong.other)
        && covered(claim, kindest.passage) >= limits.same_subject;
    let opposed = against.is_some() || other;
    let reached = match p {
        _ if opposed => Support::Unsupported,
        p if p >= limits.supported => Support::Supported,
        p if p >= limits.partly => Support::Partly,
        _ => Support::Unsupported,
    };
    let support = reached.min(ceiling);
    if support == Support::Supported {
        reasons.clear();
    } else if reasons.is_empty() {
        reasons.push(lacking(support, opposed).to_owned());
    }
    let shown = against.unwrap_or(kindest).window;
    let passage = Some(tightest(index, claim, shown));
    Judgement { support, value: value(support, p), passage, reasons, opposed }
}

/// How probable it is that a source supports a claim: the mean, in logits, of what each view of it says, each by its
/// kindest window. A row of a table says by itself what it says.
fn supported(read: &[Read<'_>]) -> f64 {
    let kindest = |view: View| {
        let of_it = read.iter().filter(|one| one.window.view == view);
        of_it.map(|one| one.found.logit()).max_by(f64::total_cmp)
    };
    let views: Vec<f64> =
        [View::Wide, View::Narrow, View::Gathered].into_iter().filter_map(kindest).collect();
    let mean = views.iter().sum::<f64>() / views.len().max(1) as f64;
    let logit = match kindest(View::Row) {
        Some(row) if views.is_empty() || row > mean => row,
        _ => mean,
    };
    let p = 1.0 / (1.0 + (-logit).exp());
    // Processors differ beyond the places that a reader gives.
    (p * 1_000.0).round() / 1_000.0
}

/// What the exact checks leave possible at most, and why.
fn vetoes(index: &Index, claim: &str, numbers: &[Wrong]) -> (Support, Vec<String>) {
    let mut ceiling = Support::Supported;
    let mut reasons = Vec::new();
    for wrong in numbers {
        let most = if wrong.other { Support::Unsupported } else { Support::Partly };
        ceiling = ceiling.min(most);
        reasons.push(wrong.reason.clone());
    }
    for name in strangers(claim, index.vocabulary()) {
        ceiling = ceiling.min(Support::Partly);
        reasons.push(format!("the source does not name “{name}”"));
    }
    for range in quote::invented(claim, || [index.quotable()]) {
        ceiling = ceiling.min(Support::Partly);
        let quoted = claim.get(range).unwrap_or_default();
        reasons.push(format!("the source does not say {quoted} word for word"));
    }
    (ceiling, reasons)
}

/// The reason where no exact check gives one.
fn lacking(support: Support, opposed: bool) -> &'static str {
    match support {
        _ if opposed => "the source says otherwise",
        Support::Partly => "the source says a part of this, or something weaker",
        Support::Supported | Support::Unsupported => "the source does not say this",
    }
}

/// The place of a probability within the values of a verdict.
fn value(support: Support, p: f64) -> f64 {
    let limits = THRESHOLDS;
    let ((low, high), from, to) = match support {
        Support::Unsupported => (UNSUPPORTED_VALUES, 0.0, limits.partly),
        Support::Partly => (PARTLY_VALUES, limits.partly, limits.supported),
        Support::Supported => (SUPPORTED_VALUES, limits.supported, 1.0),
    };
    let share = ((p - from) / (to - from)).clamp(0.0, 1.0);
    low + (high - low) * share
}

/// The share of a claim's content words that a passage has.
fn covered(claim: &str, passage: &str) -> f64 {
    let texts = [Text { lead: "", body: passage }];
    Query::new(claim).measure(&texts).first().map_or(0.0, |measured| measured.covered)
}

/// The sentence of a window that has most of a claim's words.
fn nearest(index: &Index, claim: &str, window: &Window) -> String {
    let places = window.sentences.iter().filter_map(|at| index.sentences.get(*at));
    let lines: Vec<String> = places.map(|bytes| index.line(bytes)).collect();
    let texts: Vec<Text<'_>> = lines.iter().map(|body| Text { lead: "", body }).collect();
    let measured = Query::new(claim).measure(&texts);
    let best = lines.iter().zip(&measured).rev().max_by(|a, b| a.1.covered.total_cmp(&b.1.covered));
    best.map_or_else(String::new, |(line, _)| line.clone())
}

/// The fewest neighbouring sentences of a window that have all of the claim's words that the window has.
fn tightest(index: &Index, claim: &str, window: &Window) -> Range<usize> {
    let whole = covered(claim, &index.passage(window));
    let places: Vec<&Range<usize>> =
        window.sentences.iter().filter_map(|at| index.sentences.get(*at)).collect();
    (1..=places.len())
        .flat_map(|length| places.windows(length))
        .filter_map(|some| Some(some.first()?.start..some.last()?.end))
        .find(|bytes| covered(claim, &index.line(bytes)) >= whole)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_to_their_verdicts_and_grow_with_the_probability() {
        for (support, (low, high)) in [
            (Support::Unsupported, UNSUPPORTED_VALUES),
            (Support::Partly, PARTLY_VALUES),
            (Support::Supported, SUPPORTED_VALUES),
        ] {
            let values: Vec<f64> = (0..=10).map(|p| value(support, f64::from(p) / 10.0)).collect();
            assert!(values.is_sorted(), "{values:?}");
            assert!(values.iter().all(|value| (low..=high).contains(value)), "{values:?}");
        }
    }
}
