//! Sentences in the order in which they speak to a question.

use super::heads::soft_coverage;
use super::lens::Lens;
use super::reading::Reading;

/// How much of the question's content words each sentence covers, from 0 to 1, in the order of the
/// sentences: the highest is the one to pick.
///
/// A word that is missing counts by its nearest word in the sentence, and rare words count more.
///
/// ```
/// use probity_text::relevance::rank_sentences;
///
/// let sentences = ["The town lies on a bay.", "Amplified music must end at ten.", "Dogs are welcome."];
/// let values = rank_sentences("When does loud music have to stop?", &sentences);
/// assert!(values[1] > values[0] && values[1] > values[2]);
/// ```
pub fn rank_sentences(question: &str, sentences: &[&str]) -> Vec<f32> {
    let lens = Lens::new(question);
    sentences.iter().map(|sentence| coverage(&lens, sentence)).collect()
}

#[expect(clippy::cast_possible_truncation, reason = "a share needs no more digits")]
fn coverage(lens: &Lens, sentence: &str) -> f32 {
    let reading = Reading::new(lens, sentence);
    let mut best = vec![0.0_f32; lens.pieces.len()];
    for form in &reading.forms {
        best.iter_mut().zip(&form.cosines).for_each(|(best, cosine)| *best = best.max(*cosine));
    }
    soft_coverage(lens, &best).clamp(0.0, 1.0) as f32
}
