//! A row of signals → how likely the passage bears the claim out.
//!
//! The mean of two opinions: a line, which goes on sensibly beyond what it was fitted on, and a few small
//! trees, which know that one signal may make another worthless.

use super::signals::Signals;
use super::weights::{BIAS, LINE, Split, THRESHOLD, TREES};

/// From this share on, all of a claim was found in its own words.
const VERBATIM: f32 = 0.97;

/// In a plain restatement neighbours of the claim stand no further apart than this in the source.
const NEIGHBOURLY: f32 = 12.0;

/// No tree has more splits than this on one way down.
const DEPTH: usize = 16;

/// How likely a passage bears a claim out, from 0 to 1.
pub(super) fn likelihood(row: &Signals) -> f64 {
    let weighed = weighed(row);
    // The labelled claims hold many copies with one change, so the weights are wary of copies; one without
    // any change is what a citation should be.
    if is_plain(row) { weighed.max(f64::midpoint(THRESHOLD, 1.0)) } else { weighed }
}

/// Whether the claim is said in the same words, of the same ones, with nothing against it.
fn is_plain(row: &Signals) -> bool {
    let value =
        |name: &str| row.iter().find(|(known, _)| *known == name).map_or(0.0, |(_, value)| *value);
    let against = ["contradictions", "reservations", "numbers missing", "rival nearer"];
    value("graded") >= VERBATIM
        && against.iter().all(|name| value(name) == 0.0)
        // "It was closed" for "it closed": one side only, and nobody to change places with.
        && (value("sides turned") <= 0.0
            || value("agent kept") == 0.0 && value("patient kept") == 0.0)
        && value("agent kept") >= 0.0
        // What was put together from two ends of a page is no restatement.
        && value("widest jump") <= NEIGHBOURLY
}

fn weighed(row: &Signals) -> f64 {
    let line: f64 =
        LINE.iter().zip(row).map(|((_, weight), (_, value))| weight * f64::from(*value)).sum();
    let trees: f64 = TREES.iter().map(|(splits, leaves)| leaf(splits, leaves, row)).sum();
    f64::midpoint(sigmoid(BIAS + line), sigmoid(trees))
}

fn sigmoid(sum: f64) -> f64 {
    1.0 / (1.0 + (-sum).exp())
}

/// The leaf that a row comes to.
fn leaf(splits: &[Split], leaves: &[f64], row: &Signals) -> f64 {
    let mut at = 0_i8;
    for _ in 0..DEPTH {
        let split = usize::try_from(at).ok().and_then(|at| splits.get(at));
        let Some((signal, most, left, right)) = split else { break };
        let value = row.get(usize::from(*signal)).map_or(0.0, |(_, value)| *value);
        at = if value <= *most { *left } else { *right };
    }
    let number = usize::try_from(-(i16::from(at) + 1)).ok();
    number.and_then(|number| leaves.get(number)).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::SourceIndex;

    #[test]
    fn the_weights_are_those_of_the_signals_that_are_measured() {
        let source = SourceIndex::new("The mill closed in 1850. It had employed 1,200 people.");
        let row = source.signals("The mill employed 1,200 people.");
        let measured: Vec<&str> = row.iter().map(|(name, _)| *name).collect();
        let weighed: Vec<&str> = LINE.iter().map(|(name, _)| *name).collect();
        assert_eq!(measured, weighed, "run scripts/fit-citations after a change of the signals");
    }

    #[test]
    fn every_way_down_a_tree_ends_at_a_leaf() {
        for (splits, leaves) in TREES {
            for (signal, _, left, right) in splits {
                assert!(usize::from(*signal) < LINE.len());
                for next in [*left, *right] {
                    let end = if next < 0 { leaves.len() } else { splits.len() };
                    let at = if next < 0 { -(i16::from(next) + 1) } else { i16::from(next) };
                    assert!(usize::try_from(at).unwrap() < end);
                }
            }
        }
    }
}
