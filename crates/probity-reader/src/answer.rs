//! Where a passage answers a question, and whether it does.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::encode::Encoded;
use crate::network::Logits;
use crate::round::rounded;

/// The longest span, in pieces.
const SPAN_PIECES: usize = 30;

/// A passage to read: `lead` ("Title > heading: ") is read before `text`, but answers are looked
/// for in `text` only.
#[derive(Debug, Clone, Copy)]
pub struct Passage<'a> {
    /// The headings above the passage.
    pub lead: &'a str,
    /// The passage.
    pub text: &'a str,
    /// The bytes of `text` that are its sentences, for a score of each; in any order.
    pub sentences: &'a [Range<usize>],
}

/// What the reader says about a question and a passage.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PassageAnswer {
    /// Whether the passage answers the question, as a logit.
    pub answerable: f64,
    /// Whether the passage is about what the question asks for, as a logit.
    pub topic: f64,
    /// The best span of the text; none without text.
    pub span: Option<SpanScore>,
    /// The best span of each sentence; none for a sentence that was not read to its end.
    pub sentences: Vec<Option<SpanScore>>,
}

/// A span and how much speaks for it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SpanScore {
    /// The logits of its start and its end, less the log-sum-exp of all starts and all ends of the
    /// side: never above 0.
    pub score: f64,
    /// Its first byte in the text.
    pub start: usize,
    /// One past its last byte in the text.
    pub end: usize,
}

/// Reads the answer off what the network says.
pub(crate) fn answer(
    pair: &Encoded,
    reading: &Logits,
    sentences: &[Range<usize>],
) -> PassageAnswer {
    let spans = Spans::new(pair, reading);
    let [answerable, topic] = reading.qa;
    PassageAnswer {
        answerable: rounded(f64::from(answerable)),
        topic: rounded(f64::from(topic)),
        span: spans.best(0..pair.text.len()),
        sentences: sentences.iter().map(|sentence| spans.of_sentence(sentence, pair.cut)).collect(),
    }
}

/// The logits of starts and ends of the text's pieces.
struct Spans<'a> {
    places: &'a [Range<usize>],
    starts: &'a [f32],
    ends: &'a [f32],
    /// What is taken off every span.
    all: f64,
}

impl<'a> Spans<'a> {
    fn new(pair: &'a Encoded, reading: &'a Logits) -> Self {
        let side = |logits: &'a [f32]| logits.get(pair.second.clone()).unwrap_or_default();
        let (starts, ends) = (side(&reading.start), side(&reading.end));
        let all = log_sum_exp(starts) + log_sum_exp(ends);
        let lead = pair.second.len() - pair.text.len();
        let text = |side: &'a [f32]| side.get(lead..).unwrap_or_default();
        Self { places: &pair.text, starts: text(starts), ends: text(ends), all }
    }

    fn of_sentence(&self, sentence: &Range<usize>, cut: Option<usize>) -> Option<SpanScore> {
        if cut.is_some_and(|cut| sentence.end > cut) {
            return None;
        }
        let from = self.places.partition_point(|place| place.start < sentence.start);
        let to = self.places.partition_point(|place| place.end <= sentence.end);
        self.best(from..to)
    }

    /// The best span among some pieces.
    fn best(&self, pieces: Range<usize>) -> Option<SpanScore> {
        let mut best: Option<(f32, usize, usize)> = None;
        let starts = self.starts.get(pieces.clone())?;
        for (from, start) in pieces.clone().zip(starts) {
            let reach = from..pieces.end.min(from + SPAN_PIECES);
            for (to, end) in reach.clone().zip(self.ends.get(reach)?) {
                if best.is_none_or(|(score, ..)| start + end > score) {
                    best = Some((start + end, from, to));
                }
            }
        }
        let (score, from, to) = best?;
        Some(SpanScore {
            score: rounded((f64::from(score) - self.all).min(0.0)),
            start: self.places.get(from)?.start,
            end: self.places.get(to)?.end,
        })
    }
}

fn log_sum_exp(logits: &[f32]) -> f64 {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if !most.is_finite() {
        return 0.0;
    }
    let sum: f64 = logits.iter().map(|logit| f64::from(logit - most).exp()).sum();
    f64::from(most) + sum.ln()
}
