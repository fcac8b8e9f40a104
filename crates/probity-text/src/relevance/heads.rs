//! The topic of a passage: seven features and two logistic heads, fitted on judged pairs.
//!
//! The heads tell a passage on the question's topic from one on another very well, and a passage that
//! answers from one that only shares the topic badly: that is what the windows are for.

use std::ops::Range;
use std::sync::OnceLock;

use serde::Deserialize;

use super::lens::Lens;
use super::reading::Reading;
use crate::embed::Sum;

static WEIGHTS: &str = include_str!("../../assets/relevance-heads.json");

/// How soon more of the same word stops to count, in BM25.
const SATURATION: f64 = 1.2;
/// How much BM25 counts the length of a passage.
const LENGTH: f64 = 0.75;
/// The number of content words that BM25 takes as usual.
const USUAL_LENGTH: f64 = 80.0;

const FEATURES: usize = 7;

#[derive(Deserialize)]
struct Head {
    w: [f64; FEATURES],
    b: f64,
}

#[derive(Deserialize)]
struct Heads {
    topic: Head,
    answer: Head,
}

#[derive(Deserialize)]
struct File {
    heads: Heads,
}

impl Head {
    fn value(&self, features: &[f64; FEATURES]) -> f64 {
        let sum: f64 = self.w.iter().zip(features).map(|(weight, feature)| weight * feature).sum();
        1.0 / (1.0 + (-(sum + self.b)).exp())
    }
}

fn heads() -> Option<&'static Heads> {
    static HEADS: OnceLock<Option<Heads>> = OnceLock::new();
    HEADS.get_or_init(|| serde_json::from_str::<File>(WEIGHTS).ok().map(|file| file.heads)).as_ref()
}

/// How sure it is that some sentences of a text are on the question's topic, from 0 to 1.
pub(super) fn topic(
    lens: &Lens,
    reading: &Reading<'_>,
    title: &Reading<'_>,
    sentences: Range<usize>,
) -> f64 {
    let features = features(lens, reading, title, sentences);
    heads()
        .map_or(0.5, |heads| (heads.topic.value(&features) + heads.answer.value(&features)) / 2.0)
}

/// The seven features, in the order of the weights.
fn features(
    lens: &Lens,
    reading: &Reading<'_>,
    title: &Reading<'_>,
    sentences: Range<usize>,
) -> [f64; FEATURES] {
    let mut counts = vec![0.0_f64; lens.stems.len()];
    let mut best = vec![0.0_f32; lens.pieces.len()];
    let (mut length, mut all, mut best_cosine, mut best_soft) =
        (0.0, Sum::default(), 0.0_f32, 0.0_f64);
    for sentence in reading.sentences.get(sentences).unwrap_or_default() {
        let (mut sum, mut here) = (Sum::default(), vec![0.0_f32; lens.pieces.len()]);
        for form in reading.words_of(sentence).iter().filter_map(|word| reading.form(word)) {
            sum.add(&form.sum);
            here.iter_mut().zip(&form.cosines).for_each(|(best, cosine)| *best = best.max(*cosine));
            length += f64::from(u8::from(form.content));
            if let Some(count) = form.known.and_then(|known| counts.get_mut(known)) {
                *count += 1.0;
            }
        }
        best_cosine = best_cosine.max(lens.question.vector().cosine(&sum.direction()));
        best_soft = best_soft.max(soft_coverage(lens, &here));
        best.iter_mut().zip(&here).for_each(|(best, cosine)| *best = best.max(*cosine));
        all.add(&sum);
    }
    let total = lens.stems.iter().map(|(_, rarity)| rarity).sum::<f64>().max(f64::EPSILON);
    let weighted = |value: &dyn Fn(f64) -> f64| {
        lens.stems
            .iter()
            .zip(&counts)
            .map(|((_, rarity), count)| rarity * value(*count))
            .sum::<f64>()
            / total
    };
    let norm = SATURATION * (1.0 - LENGTH + LENGTH * length / USUAL_LENGTH);
    [
        weighted(&|count| f64::from(u8::from(count > 0.0))),
        weighted(&|count| count * (SATURATION + 1.0) / (count + norm)),
        f64::from(lens.question.vector().cosine(&all.direction())),
        f64::from(best_cosine),
        soft_coverage(lens, &best),
        best_soft,
        names(lens, reading, title),
    ]
}

/// How much of the question's pieces is covered, given the best cosine for each.
pub(super) fn soft_coverage(lens: &Lens, best: &[f32]) -> f64 {
    let total = lens.pieces.iter().map(|(_, weight)| weight).sum::<f64>().max(f64::EPSILON);
    lens.pieces
        .iter()
        .zip(best)
        .map(|((_, weight), cosine)| weight * f64::from(*cosine))
        .sum::<f64>()
        / total
}

/// The share of the question's names and numbers that the text or its title has; a half if it has none.
fn names(lens: &Lens, reading: &Reading<'_>, title: &Reading<'_>) -> f64 {
    let has = |stem: &str| reading.forms.iter().chain(&title.forms).any(|form| form.stem == stem);
    let (mut found, mut all) = (0.0, 0.0);
    for term in lens.named() {
        all += 1.0;
        found += f64::from(u8::from(has(&term.stem)));
    }
    if all == 0.0 { 0.5 } else { found / all }
}
