//! Do the sources of a run answer the question? Each from 1 to 5, by its best passages.
//!
//! The sources are judged together: words that are rare among all of them tell which passages to read, and a
//! source that may answer counts for more where none answers directly. The numbers stand in `CUTS`; `probity bench
//! relevance` shows what they keep and drop on any judged passages, `probity bench answers` what that does to whole
//! runs.

use std::ops::Range;

use probity_core::printable::brief;
use probity_reader::{PassageAnswer, Stop, Stopped};
use probity_report::phrases::{Phrase, Phrases};
use probity_text::passages::marked_headings;
use serde::Serialize;

use super::super::SourceView;
use super::answer::{choices_of, plainly};
use super::question::{Asked, Part};
use super::read::CachedReader;
use super::retrieve::{Found, Library};

/// How many passages of each source are read, and how many of all sources together.
const PER_SOURCE: usize = 8;
const OF_ALL: usize = 20;
/// How much of a sentence a reason quotes, in characters.
const QUOTED: usize = 220;

/// Where a score begins. What answers is a logit, so that 0 is as likely as not.
struct Cuts {
    /// 5: it directly answers.
    directly: f64,
    /// 4: strongly relevant. Beside a source that answers directly, nothing below is kept.
    strongly: f64,
    /// 3: kept.
    kept: f64,
    /// Below that, what is this sure is kept where it is this far ahead of every other source: an answer is in one
    /// place, what is only near the question in several.
    near: f64,
    ahead: f64,
    /// Among fewer sources it says little that one is ahead.
    field: usize,
    /// What the answerable logit is worth by itself: the reader need not be quite as sure as not.
    reader: f64,
    /// 2: on the topic, as a probability.
    topic: f64,
    /// A passage that the reader finds off topic answers nothing, however much it looks like an answer.
    off_topic: f64,
}

const CUTS: Cuts = Cuts {
    directly: 2.0,
    strongly: 1.0,
    kept: 0.0,
    near: -1.5,
    ahead: 0.5,
    field: 5,
    reader: 0.4,
    topic: 0.5,
    off_topic: 0.5,
};

/// What counts for the value that orders sources: the answerable logit, the share of BM25, the cosine.
const VALUE: [f64; 3] = [1.0, 3.0, 2.0];

/// What the judge makes of a source.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Judged {
    /// From 1, off topic, to 5, directly answers.
    pub score: u8,
    /// Orders sources of the same question; the higher the better.
    pub value: f64,
    /// One sentence that says why.
    pub why: String,
    /// How surely the best passage answers, from 0 to 1.
    pub answerable: f64,
    /// How surely it is on the topic, from 0 to 1.
    pub topic: f64,
    /// The passage that speaks most to the question, in bytes of the text.
    pub evidence: Option<Range<usize>>,
}

/// Judges the sources of a run, in their order.
///
/// # Errors
/// When it is told to stop.
pub fn judge_all(
    question: &str,
    sources: &[SourceView<'_>],
    reading: &CachedReader,
    stop: &Stop,
) -> Result<Vec<Judged>, Stopped> {
    let verdicts = read_all(question, sources, reading, stop)?;
    let judged =
        verdicts.iter().zip(scores(&verdicts)).zip(sources).map(|((verdict, score), source)| {
            let judged =
                verdict.as_ref().map(|verdict| verdict.judged(score, question, source.text));
            judged.unwrap_or_else(|| nothing(question))
        });
    Ok(judged.collect())
}

/// The scores of sources beside each other.
fn scores(verdicts: &[Option<Verdict>]) -> Vec<u8> {
    let mut sure: Vec<f64> = verdicts.iter().flatten().map(|verdict| verdict.sure).collect();
    sure.sort_by(|a, b| b.total_cmp(a));
    let best = sure.first().copied().unwrap_or(f64::MIN);
    let next = sure.get(1).filter(|_| sure.len() >= CUTS.field).copied().unwrap_or(best);
    let score = |verdict: &Verdict| verdict.beside(best, next);
    let of_all = verdicts.iter().map(|verdict| verdict.as_ref().map_or(1, score));
    let mut scores: Vec<u8> = of_all.collect();
    // What would lead the report is read beside what is kept.
    let leading = verdicts.iter().flatten().map(|verdict| verdict.leads).fold(f64::MIN, f64::max);
    let leads =
        |verdict: &Option<Verdict>| verdict.as_ref().is_some_and(|one| one.leads >= leading);
    if scores.iter().any(|score| *score >= 3) {
        let of_leading = scores.iter_mut().zip(verdicts).filter(|(_, verdict)| leads(verdict));
        of_leading.for_each(|(score, _)| *score = (*score).max(3));
    }
    scores
}

/// Judges one source by itself.
///
/// # Errors
/// When it is told to stop.
pub fn judge(
    question: &str,
    source: &SourceView<'_>,
    reading: &CachedReader,
    stop: &Stop,
) -> Result<Judged, Stopped> {
    let verdicts = read_all(question, &[*source], reading, stop)?;
    let verdict = verdicts.into_iter().flatten().next();
    let judged = verdict.map(|verdict| verdict.judged(verdict.alone(), question, source.text));
    Ok(judged.unwrap_or_else(|| nothing(question)))
}

/// What the surest passage of each source says; none of a source without a passage.
fn read_all(
    question: &str,
    sources: &[SourceView<'_>],
    reading: &CachedReader,
    stop: &Stop,
) -> Result<Vec<Option<Verdict>>, Stopped> {
    let asked = Asked::new(question);
    let library = Library::new(sources);
    let mut best: Vec<Option<Verdict>> = sources.iter().map(|_| None).collect();
    for part in &asked.parts {
        let found = library.best_of_each(&part.text, PER_SOURCE, OF_ALL);
        let answers = reading.answers(&part.text, &library, &found, stop)?;
        let claims = stated(part, &library, &found, reading, stop)?;
        for (at, (found, answer)) in found.iter().zip(&answers).enumerate() {
            let mut verdict = Verdict::new(&asked, found, answer);
            if let Some(stated) = claims.get(at) {
                verdict.sure = verdict.sure.max(*stated);
            }
            let Some(best) = best.get_mut(found.source) else { continue };
            let leads = best.as_ref().map_or(f64::MIN, |best| best.leads).max(verdict.leads);
            if best.as_ref().is_none_or(|best| verdict.sure > best.sure) {
                *best = Some(verdict);
            }
            if let Some(best) = best {
                best.leads = leads;
            }
        }
    }
    Ok(best)
}

/// How surely each passage states or denies what a yes-no question asks, as a logit: it may do so where nothing looks
/// like an answer.
fn stated(
    part: &Part,
    library: &Library<'_>,
    found: &[Found],
    reading: &CachedReader,
    stop: &Stop,
) -> Result<Vec<f64>, Stopped> {
    let Some(claim) = &part.claim else { return Ok(Vec::new()) };
    let texts: Vec<&str> = found.iter().map(|one| library.text(one.source, &one.passage)).collect();
    let read = reading.reader().entails(claim, &texts, stop)?;
    let sure = read.iter().map(|one| logit(one.supported.max(one.contradicted)) + CUTS.reader);
    Ok(sure.collect())
}

/// Judges a text by itself; headings are told by their Markdown marks.
///
/// # Errors
/// When it is told to stop.
pub fn judge_text(
    question: &str,
    title: &str,
    text: &str,
    reading: &CachedReader,
    stop: &Stop,
) -> Result<Judged, Stopped> {
    let headings = marked_headings(text);
    let source = SourceView { headings: &headings, ..SourceView::of_text(title, text) };
    judge(question, &source, reading, stop)
}

/// A source without a passage.
fn nothing(question: &str) -> Judged {
    let why = Phrases::of(question).say(Phrase::JudgedNothing, &[]);
    Judged { score: 1, value: f64::MIN, why, answerable: 0.0, topic: 0.0, evidence: None }
}

/// What one passage says to a question.
struct Verdict {
    /// How surely it answers, from 0 to 1.
    answers: f64,
    /// The same as a logit, with what its words tell, as far as it is trusted.
    sure: f64,
    /// How surely it is on the topic.
    topic: f64,
    /// How good the best sentence of its source is beside others: the best of all leads the report, so its source is
    /// kept if any is.
    leads: f64,
    value: f64,
    passage: Range<usize>,
    sentence: Range<usize>,
}

impl Verdict {
    fn new(asked: &Asked, found: &Found, answer: &PassageAnswer) -> Self {
        let (answers, topic) = (sigmoid(answer.answerable), sigmoid(answer.topic));
        let lexical = &found.lexical;
        let sure = match topic < CUTS.off_topic {
            true => f64::MIN,
            false => plainly(answer.answerable, lexical).max(answer.answerable + CUTS.reader),
        };
        // The reader was taught English; elsewhere the share of the question's words tells more.
        let sure = if asked.is_english() { sure } else { sure.max(covered(found)) };
        let [a, share, cosine] = VALUE;
        let value = a * answer.answerable + share * lexical.share + cosine * lexical.cosine;
        let best = answer
            .sentences
            .iter()
            .zip(&found.passage.sentences)
            .filter_map(|(score, sentence)| Some((score.as_ref()?.score, sentence)))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let sentence = best.map_or_else(|| found.passage.range.clone(), |(_, one)| one.clone());
        let leads = choices_of(found, answer).iter().map(|one| one.score).fold(f64::MIN, f64::max);
        let passage = found.passage.range.clone();
        Self { answers, sure, topic, leads, value, passage, sentence }
    }

    /// Its score where nothing else is known.
    fn alone(&self) -> u8 {
        match self.sure {
            sure if sure >= CUTS.directly => 5,
            sure if sure >= CUTS.strongly => 4,
            sure if sure >= CUTS.kept => 3,
            _ if self.topic >= CUTS.topic => 2,
            _ => 1,
        }
    }

    /// Its score among sources of which the surest and the next are this sure. Where one answers directly, what only may
    /// answer does not; where none does, the one that comes nearest is what there is.
    fn beside(&self, best: f64, next: f64) -> u8 {
        let stands_out = best >= CUTS.near && best - next >= CUTS.ahead;
        match self.alone() {
            3 if best >= CUTS.directly => 2,
            3 if self.sure >= best => 4,
            1 | 2 if self.sure >= best && stands_out => 4,
            score => score,
        }
    }

    fn judged(&self, score: u8, question: &str, text: &str) -> Judged {
        let said = text.get(self.sentence.clone()).unwrap_or_default();
        let said = format!("“{}”", brief(said.trim(), QUOTED));
        let why = match score {
            5 => Phrase::Judged5,
            4 if self.sure >= CUTS.kept => Phrase::Judged4,
            3 | 4 => Phrase::Judged3,
            2 => Phrase::Judged2,
            _ => Phrase::Judged1,
        };
        let why = Phrases::of(question).say(why, &[(&said).into()]);
        let (answerable, topic) = (rounded(self.answers), rounded(self.topic));
        let (value, evidence) = (self.value, Some(self.passage.clone()));
        Judged { score, value, why, answerable, topic, evidence }
    }
}

/// How surely a passage in a language without a trained reader answers: half of the question's words keep it, all of
/// them answer directly.
fn covered(found: &Found) -> f64 {
    const KEPT: f64 = 0.5;
    (found.lexical.covered - KEPT) / KEPT * CUTS.directly
}

fn rounded(share: f64) -> f64 {
    (share * 1_000.0).round() / 1_000.0
}

fn sigmoid(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

fn logit(share: f64) -> f64 {
    /// The reader rounds to three places.
    const LEAST: f64 = 0.000_5;
    let share = share.clamp(LEAST, 1.0 - LEAST);
    (share / (1.0 - share)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(sure: f64, topic: f64) -> Verdict {
        let (answers, leads, value) = (0.5, 0.0, 0.0);
        Verdict { answers, sure, topic, leads, value, passage: 0..0, sentence: 0..0 }
    }

    #[test]
    fn what_may_answer_counts_for_more_where_nothing_answers_directly() {
        let maybe = verdict(0.3, 0.9);
        assert_eq!(maybe.alone(), 3);
        assert_eq!(maybe.beside(0.3, 0.2), 4, "it is the best there is");
        assert_eq!(maybe.beside(1.5, 0.3), 3, "another is surer, but not sure");
        assert_eq!(maybe.beside(2.5, 0.3), 2, "another answers directly");
    }

    #[test]
    fn what_is_near_is_kept_where_it_stands_out() {
        let near = verdict(-0.9, 0.9);
        assert_eq!(near.beside(-0.9, -2.0), 4);
        let why = near.judged(4, "When does the ferry leave?", "").why;
        assert!(why.starts_with("It touches the question without settling it"), "{why}");
        assert_eq!(near.beside(-0.9, -1.1), 2, "another is as near");
        assert_eq!(near.beside(-0.2, -0.9), 2, "another is nearer");
        assert_eq!(verdict(-2.0, 0.9).beside(-2.0, -9.0), 2, "nothing is near");
    }

    #[test]
    fn the_source_of_the_best_sentence_is_kept_if_any_is() {
        let leads = |sure, leads| Some(Verdict { leads, ..verdict(sure, 0.9) });
        let far = || leads(-3.0, 0.0);
        assert_eq!(scores(&[leads(2.5, 1.0), leads(-2.0, 4.0), far()]), [5, 3, 2]);
        // One stands out without answering, another has the better sentence.
        let field = [leads(-0.9, 1.0), leads(-2.0, 4.0), far(), far(), far(), None];
        assert_eq!(scores(&field), [4, 3, 2, 2, 2, 1]);
        assert_eq!(scores(&[leads(-2.0, 4.0), far()]), [2, 2], "nothing is kept");
    }

    #[test]
    fn what_answers_or_does_not_is_the_same_beside_any_other() {
        for (sure, topic, score) in [(2.4, 0.9, 5), (1.2, 0.9, 4), (-0.2, 0.9, 2), (-3.0, 0.1, 1)] {
            for best in [sure, sure + 4.0] {
                assert_eq!(verdict(sure, topic).beside(best, sure), score, "{sure} {best}");
            }
        }
    }
}
