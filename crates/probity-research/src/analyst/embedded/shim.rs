//! Stand-in until the relevance judge is there.
use probity_text::Language;
use probity_text::embed::Embedder;
use probity_text::words::Stemmer;
pub(super) struct Judged {
    pub(super) score: u8,
    pub(super) why: String,
}
pub(super) fn judge(question: &str, _title: &str, text: &str) -> Judged {
    let top = rank_sentences(question, &probity_text::sentences::split(text).collect::<Vec<_>>());
    let best = top.into_iter().fold(0.0f32, f32::max);
    Judged { score: (1.0 + best * 5.0).clamp(1.0, 5.0) as u8, why: format!("best {best:.2}") }
}
pub(super) fn rank_sentences(question: &str, sentences: &[&str]) -> Vec<f32> {
    let stemmer = Stemmer::new(Language::detect(question));
    let stems = stemmer.content_stems(question);
    let e = Embedder::embedded();
    let q = e.embed(question);
    sentences
        .iter()
        .map(|s| {
            let own = stemmer.content_stems(s);
            let cov =
                stems.iter().filter(|x| own.contains(x)).count() as f32 / stems.len().max(1) as f32;
            0.6 * cov + 0.4 * q.cosine(&e.embed(s)).max(0.0)
        })
        .collect()
}
